//! Rows as Arrow columns, which are those of the Parquet files.
//!
//! Columns are cut from the text of rows, as those of Parquet are, so they cannot differ from the rows.

use std::collections::BTreeMap;
use std::sync::Arc;

use arrow_array::{
    ArrayRef, BooleanArray, Int32Array, Int64Array, ListArray, RecordBatch, StringArray, StructArray,
    UInt64Array,
};
use arrow_buffer::{BooleanBufferBuilder, Buffer, NullBufferBuilder, OffsetBuffer, ScalarBuffer};
use arrow_schema::{ArrowError, DataType, Field as ArrowField, FieldRef, Fields, Schema, SchemaRef};
use storysim::dataset::{Column as Kind, DEED_COLUMNS, FIELDS, Field, MOVE_COLUMNS, NAME_COLUMNS, Shape};
use storysim::question::Foils;

use crate::scan::{Scanner, unescaped};

/// The values of a column.
enum Values {
    Text(Texts),
    Int(Vec<i32>),
    Unsigned(Vec<u64>),
    Long(Vec<i64>),
    Truth(BooleanBufferBuilder),
    Struct(Vec<Column>),
    List(Vec<i32>, Box<Column>),
}

/// Strings, one after another.
struct Texts {
    ends: Vec<i32>,
    bytes: Vec<u8>,
}

/// A column that is being filled.
struct Column {
    field: FieldRef,
    values: Values,
    /// Which values there are, if some may be missing.
    present: Option<NullBufferBuilder>,
}

impl Texts {
    fn push(&mut self, raw: &str) {
        self.bytes.extend_from_slice(unescaped(raw).as_bytes());
        self.end();
    }

    fn end(&mut self) {
        self.ends.push(i32::try_from(self.bytes.len()).expect("a batch is much smaller than 2 GB"));
    }
}

impl Column {
    fn new(name: &str, kind: Values, is_nullable: bool) -> Self {
        let data_type = match &kind {
            Values::Text(_) => DataType::Utf8,
            Values::Int(_) => DataType::Int32,
            Values::Unsigned(_) => DataType::UInt64,
            Values::Long(_) => DataType::Int64,
            Values::Truth(_) => DataType::Boolean,
            Values::Struct(columns) => DataType::Struct(fields(columns)),
            Values::List(_, element) => DataType::List(element.field.clone()),
        };
        let field = Arc::new(ArrowField::new(name, data_type, is_nullable));
        Self { field, values: kind, present: is_nullable.then(|| NullBufferBuilder::new(0)) }
    }

    fn text(name: &str, is_nullable: bool) -> Self {
        Self::new(name, Values::Text(Texts { ends: vec![0], bytes: Vec::new() }), is_nullable)
    }

    fn list(name: &str, element: Self, is_nullable: bool) -> Self {
        Self::new(name, Values::List(vec![0], Box::new(element)), is_nullable)
    }

    /// The column of a field of rows.
    fn of(field: &Field, shape: &Shape) -> Self {
        let (name, is_nullable) = (field.name, field.is_nullable);
        let element = "element";
        let truth = || Values::Truth(BooleanBufferBuilder::new(0));
        let optional = |names: Vec<&str>, new: fn(&str) -> Self| {
            Self::new(name, Values::Struct(names.into_iter().map(new).collect()), is_nullable)
        };
        let long = |name: &str| Self::new(name, Values::Long(Vec::new()), true);
        let maybe_text = |name: &str| Self::text(name, true);
        match field.column {
            Kind::Text | Kind::Start => Self::text(name, is_nullable),
            Kind::Number => Self::new(name, Values::Int(Vec::new()), is_nullable),
            Kind::LongNumber => Self::new(name, Values::Unsigned(Vec::new()), is_nullable),
            Kind::Truth => Self::new(name, truth(), is_nullable),
            Kind::Texts => Self::list(name, Self::text(element, false), is_nullable),
            Kind::Numbers => {
                Self::list(name, Self::new(element, Values::Int(Vec::new()), false), is_nullable)
            }
            Kind::Parameters => optional(shape.parameters.iter().map(String::as_str).collect(), long),
            Kind::Cast => optional(shape.cast.iter().map(String::as_str).collect(), maybe_text),
            Kind::Foils => optional(Foils::NAMES.to_vec(), maybe_text),
            Kind::Names => {
                let names = NAME_COLUMNS.iter().map(|name| Self::text(name, false)).collect();
                Self::list(name, Self::new(element, Values::Struct(names), false), is_nullable)
            }
            Kind::Events => {
                let part = |name: &&str| match *name {
                    "step" => Self::new(name, Values::Int(Vec::new()), false),
                    "who" | "verb" | "place" => Self::text(name, false),
                    further => Self::text(further, true),
                };
                let names = if shape.has_deeds { DEED_COLUMNS } else { MOVE_COLUMNS };
                let parts = names.iter().map(part).collect();
                Self::list(name, Self::new(element, Values::Struct(parts), false), is_nullable)
            }
        }
    }

    /// Adds the value that comes next.
    fn push(&mut self, at: &mut Scanner<'_>) {
        if let Some(present) = &mut self.present {
            if at.take("null") {
                return self.miss();
            }
            present.append_non_null();
        }
        match &mut self.values {
            Values::Text(texts) => match at.next() {
                b'"' => texts.push(at.raw()),
                _ => {
                    texts.bytes.extend_from_slice(sorted(at.value()).as_bytes());
                    texts.end();
                }
            },
            Values::Int(numbers) => numbers.push(at.word().parse().expect("a number of a row")),
            Values::Unsigned(numbers) => numbers.push(at.word().parse().expect("a number of a row")),
            Values::Long(numbers) => numbers.push(at.word().parse().expect("a number of a row")),
            Values::Truth(truths) => truths.append(at.word() == "true"),
            Values::Struct(columns) => push_parts(columns, at),
            Values::List(ends, element) => {
                let mut end = *ends.last().expect("it begins with 0");
                at.skip(1);
                while at.goes_on(b']') {
                    element.push(at);
                    end += 1;
                }
                ends.push(end);
            }
        }
    }

    /// Adds that there is no value.
    fn miss(&mut self) {
        if let Some(present) = &mut self.present {
            present.append_null();
        }
        match &mut self.values {
            Values::Text(texts) => texts.end(),
            Values::Int(numbers) => numbers.push(0),
            Values::Unsigned(numbers) => numbers.push(0),
            Values::Long(numbers) => numbers.push(0),
            Values::Truth(truths) => truths.append(false),
            Values::Struct(columns) => columns.iter_mut().for_each(Self::miss),
            Values::List(ends, _) => ends.push(*ends.last().expect("it begins with 0")),
        }
    }

    /// The values so far. The column is empty then.
    fn finish(&mut self, rows: usize) -> ArrayRef {
        use std::mem::take;
        let present = self.present.as_mut().and_then(NullBufferBuilder::finish);
        match &mut self.values {
            Values::Text(texts) => {
                let ends = OffsetBuffer::new(ScalarBuffer::from(std::mem::replace(&mut texts.ends, vec![0])));
                let room = texts.bytes.len();
                let bytes = std::mem::replace(&mut texts.bytes, Vec::with_capacity(room));
                Arc::new(StringArray::new(ends, Buffer::from_vec(bytes), present))
            }
            Values::Int(numbers) => Arc::new(Int32Array::new(take(numbers).into(), present)),
            Values::Unsigned(numbers) => Arc::new(UInt64Array::new(take(numbers).into(), present)),
            Values::Long(numbers) => Arc::new(Int64Array::new(take(numbers).into(), present)),
            Values::Truth(truths) => Arc::new(BooleanArray::new(truths.finish(), present)),
            Values::Struct(columns) => {
                let arrays = columns.iter_mut().map(|column| column.finish(rows)).collect();
                Arc::new(StructArray::new(fields(columns), arrays, present))
            }
            Values::List(ends, element) => {
                let ends = std::mem::replace(ends, vec![0]);
                let count = *ends.last().expect("it begins with 0") as usize;
                let ends = OffsetBuffer::new(ScalarBuffer::from(ends));
                Arc::new(ListArray::new(element.field.clone(), ends, element.finish(count), present))
            }
        }
    }
}

/// Adds the parts of an object by their names, or those of a list by their places.
fn push_parts(columns: &mut [Column], at: &mut Scanner<'_>) {
    let is_object = at.next() == b'{';
    at.skip(1);
    let mut pushed = 0;
    if !is_object {
        while at.goes_on(b']') {
            columns[pushed].push(at);
            pushed += 1;
        }
    } else {
        while at.goes_on(b'}') {
            let key = at.key();
            // Names come in the order of the columns, but some may be missing.
            while columns[pushed].field.name() != key {
                columns[pushed].miss();
                pushed += 1;
            }
            columns[pushed].push(at);
            pushed += 1;
        }
    }
    columns[pushed..].iter_mut().for_each(Column::miss);
}

/// A value that stands as JSON in a column of text: as in Parquet, with the keys of objects sorted.
fn sorted(value: &str) -> String {
    let read: Result<BTreeMap<String, serde_json::Value>, _> = serde_json::from_str(value);
    read.map_or_else(|_| value.to_owned(), |object| serde_json::to_string(&object).expect("it was JSON"))
}

fn fields(columns: &[Column]) -> Fields {
    columns.iter().map(|column| column.field.clone()).collect()
}

/// Cuts rows into columns.
pub struct Cutter {
    columns: Vec<Column>,
    /// What stands before the value of each column in a row: `,"label":`
    leads: Vec<Vec<String>>,
    schema: SchemaRef,
}

impl Cutter {
    /// What cuts rows of this shape.
    pub fn new(shape: &Shape) -> Self {
        let of_rows = FIELDS.iter().filter(|field| field.presence.is_met(shape.twins, shape.with_events));
        let mut columns: Vec<Column> = Vec::new();
        let mut leads: Vec<Vec<String>> = Vec::new();
        let mut skipped = Vec::new();
        for field in of_rows {
            let column = Column::of(field, shape);
            let lead = format!("\"{}\":", field.name);
            // A struct without fields is no column in Parquet.
            if matches!(&column.values, Values::Struct(parts) if parts.is_empty()) {
                skipped.push(lead);
                continue;
            }
            columns.push(column);
            leads.push(skipped.drain(..).chain([lead]).collect());
        }
        let schema = Arc::new(Schema::new(fields(&columns)));
        Self { columns, leads, schema }
    }

    pub fn schema(&self) -> SchemaRef {
        self.schema.clone()
    }

    /// The columns of these rows.
    pub fn cut(&mut self, rows: &str) -> Result<RecordBatch, ArrowError> {
        let mut at = Scanner::new(rows, 0);
        let mut count = 0;
        while at.next() != 0 {
            for (column, leads) in self.columns.iter_mut().zip(&self.leads) {
                let (own, skipped) = leads.split_last().expect("at least its own");
                for lead in skipped {
                    at.skip(1 + lead.len());
                    at.value();
                }
                at.skip(1);
                assert!(at.take(own), "rows have the fields of their shape, in order");
                column.push(&mut at);
            }
            at.skip("}\n".len());
            count += 1;
        }
        let arrays = self.columns.iter_mut().map(|column| column.finish(count)).collect();
        RecordBatch::try_new(self.schema.clone(), arrays)
    }
}
