//! Rows as Arrow columns, which are those of the Parquet files.
//!
//! Columns are cut from the text of rows, as those of Parquet are, so they cannot differ from the rows.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use arrow_array::{
    ArrayRef, BooleanArray, Int32Array, Int64Array, ListArray, RecordBatch, StringArray, StructArray,
    UInt64Array,
};
use arrow_buffer::{BooleanBufferBuilder, Buffer, NullBufferBuilder, OffsetBuffer, ScalarBuffer};
use arrow_schema::{ArrowError, DataType, Field as ArrowField, FieldRef, Fields, Schema, SchemaRef};
use storysim::dataset::{
    Column as Kind, DEED_COLUMNS, FIELDS, Field, MESSAGE_COLUMNS, MOVE_COLUMNS, NAME_COLUMNS, Shape,
};
use storysim::question::Foils;

use crate::scan::{Raw, Scanner};

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
    /// What stands before a value in an object: `"label":`
    lead: String,
    values: Values,
    /// Which values there are, if some may be missing.
    present: Option<NullBufferBuilder>,
    /// The number of values.
    length: usize,
    /// Whether the rows of a story, or of a storyboard, have much the same value: a text, a list or an object.
    is_shared: bool,
}

impl Texts {
    fn push(&mut self, raw: Raw<'_>) {
        match raw.is_escaped {
            false => self.bytes.extend_from_slice(raw.text.as_bytes()),
            true => self.bytes.extend_from_slice(raw.says().as_bytes()),
        }
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
        Self {
            field,
            lead: format!("\"{name}\":"),
            values: kind,
            present: is_nullable.then(|| NullBufferBuilder::new(0)),
            length: 0,
            is_shared: false,
        }
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
            Kind::Names | Kind::Messages => {
                let names = if field.column == Kind::Names { NAME_COLUMNS } else { MESSAGE_COLUMNS };
                let texts = names.iter().map(|name| Self::text(name, false)).collect();
                Self::list(name, Self::new(element, Values::Struct(texts), false), is_nullable)
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
        self.length += 1;
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
        self.length += 1;
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

    /// Adds the value with this number once more.
    fn repeat(&mut self, number: usize) {
        self.length += 1;
        if let Some(present) = &mut self.present {
            present.append(present.is_valid(number));
        }
        match &mut self.values {
            Values::Text(texts) => {
                texts.bytes.extend_from_within(texts.ends[number] as usize..texts.ends[number + 1] as usize);
                texts.end();
            }
            Values::Int(numbers) => numbers.push(numbers[number]),
            Values::Unsigned(numbers) => numbers.push(numbers[number]),
            Values::Long(numbers) => numbers.push(numbers[number]),
            Values::Truth(truths) => truths.append(truths.get_bit(number)),
            Values::Struct(columns) => columns.iter_mut().for_each(|column| column.repeat(number)),
            Values::List(ends, element) => {
                let of_list = ends[number]..ends[number + 1];
                ends.push(ends.last().expect("it begins with 0") + (of_list.end - of_list.start));
                of_list.for_each(|number| element.repeat(number as usize));
            }
        }
    }

    /// The values so far. The column is empty then.
    fn finish(&mut self) -> ArrayRef {
        /// The numbers so far; there is room for as many again.
        fn take<T>(numbers: &mut Vec<T>) -> Vec<T> {
            let room = numbers.len();
            std::mem::replace(numbers, Vec::with_capacity(room))
        }
        self.length = 0;
        let present = self.present.as_mut().and_then(NullBufferBuilder::finish);
        match &mut self.values {
            Values::Text(texts) => {
                let ends = OffsetBuffer::new(ScalarBuffer::from(take(&mut texts.ends)));
                texts.ends.push(0);
                let bytes = take(&mut texts.bytes);
                // SAFETY: whole strings were added, and each end is that of one of them.
                Arc::new(unsafe { StringArray::new_unchecked(ends, Buffer::from_vec(bytes), present) })
            }
            Values::Int(numbers) => Arc::new(Int32Array::new(take(numbers).into(), present)),
            Values::Unsigned(numbers) => Arc::new(UInt64Array::new(take(numbers).into(), present)),
            Values::Long(numbers) => Arc::new(Int64Array::new(take(numbers).into(), present)),
            Values::Truth(truths) => Arc::new(BooleanArray::new(truths.finish(), present)),
            Values::Struct(columns) => {
                let arrays = columns.iter_mut().map(Self::finish).collect();
                Arc::new(StructArray::new(fields(columns), arrays, present))
            }
            Values::List(ends, element) => {
                let all = OffsetBuffer::new(ScalarBuffer::from(take(ends)));
                ends.push(0);
                Arc::new(ListArray::new(element.field.clone(), all, element.finish(), present))
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
            // Names come in the order of the columns, but some may be missing.
            while !at.take(&columns[pushed].lead) {
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
    /// What stands before the values that come before that of each column, and have no column: `"params":`
    skipped: Vec<Vec<String>>,
    schema: SchemaRef,
}

impl Cutter {
    /// What cuts rows of this shape.
    pub fn new(shape: &Shape) -> Self {
        let of_rows = FIELDS.iter().filter(|field| field.presence.is_met(shape.extras));
        let mut columns: Vec<Column> = Vec::new();
        let mut skipped: Vec<Vec<String>> = vec![Vec::new()];
        for field in of_rows {
            let is_shared = !field.is_nullable
                && matches!(
                    field.column,
                    Kind::Text | Kind::Start | Kind::Parameters | Kind::Names | Kind::Cast
                );
            let column = Column { is_shared, ..Column::of(field, shape) };
            // A struct without fields is no column in Parquet.
            if matches!(&column.values, Values::Struct(parts) if parts.is_empty()) {
                skipped.last_mut().expect("one for the next column").push(column.lead);
                continue;
            }
            columns.push(column);
            skipped.push(Vec::new());
        }
        let schema = Arc::new(Schema::new(fields(&columns)));
        Self { columns, skipped, schema }
    }

    pub fn schema(&self) -> SchemaRef {
        self.schema.clone()
    }

    /// Adds these rows to the columns.
    pub fn push(&mut self, rows: &str) {
        let mut at = Scanner::new(rows, 0);
        // Where the value of each column stands in the row before.
        let mut last: Vec<Range<usize>> = vec![0..0; self.columns.len()];
        while at.next() != 0 {
            for ((column, skipped), last) in self.columns.iter_mut().zip(&self.skipped).zip(&mut last) {
                for lead in skipped {
                    at.skip(1 + lead.len());
                    at.value();
                }
                at.skip(1 + column.lead.len());
                assert_eq!(
                    rows.as_bytes()[at.at() - 1],
                    b':',
                    "rows have the fields of their shape, in order"
                );
                if column.is_shared && last.end > 0 && at.take(&rows[last.clone()]) {
                    column.repeat(column.length - 1);
                    continue;
                }
                let from = at.at();
                column.push(&mut at);
                *last = from..at.at();
            }
            at.skip("}\n".len());
        }
    }

    /// The rows so far as a batch. There are none then.
    pub fn finish(&mut self) -> Result<RecordBatch, ArrowError> {
        let arrays = self.columns.iter_mut().map(Column::finish).collect();
        RecordBatch::try_new(self.schema.clone(), arrays)
    }
}
