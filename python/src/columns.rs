//! Rows as Arrow columns, which are those of the Parquet files.
//!
//! Columns are cut from the text of rows, as those of Parquet are, so they cannot differ from the rows.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Arc, Mutex, Weak};

use arrow_array::{
    ArrayRef, BooleanArray, Int32Array, Int64Array, ListArray, RecordBatch, StringArray, StructArray,
    UInt64Array,
};
use arrow_buffer::{Buffer, NullBuffer, OffsetBuffer, ScalarBuffer};
use arrow_schema::{ArrowError, DataType, Field as ArrowField, FieldRef, Fields, Schema, SchemaRef};
use bytes::Bytes;
use storysim::dataset::{
    Column as Kind, DEED_COLUMNS, DIFFICULTY_COLUMNS, FIELDS, Field, MATTER_COLUMNS, MESSAGE_COLUMNS,
    MOVE_COLUMNS, NAME_COLUMNS, QUESTIONS, Unit,
};
use storysim::files::Shape;
use storysim::question::Foils;

use crate::scan::{Raw, Scanner};

/// The name of the elements of a list.
const ELEMENT: &str = "element";

/// The values of a column.
enum Values {
    Text(Texts),
    Int(Vec<i32>),
    Unsigned(Vec<u64>),
    Long(Vec<i64>),
    Truth(Vec<bool>),
    Struct(Vec<Column>),
    List(Vec<i32>, Box<Column>),
}

/// Strings, one after another.
struct Texts {
    ends: Vec<i32>,
    bytes: Vec<u8>,
    /// How many bytes there were in the batch before.
    before: usize,
    spare: Spare,
}

/// Memory that has come back from whoever read the texts of a batch: to use it again takes much less time than to get new memory.
type Spare = Arc<Mutex<Vec<Vec<u8>>>>;

/// The largest number of spare pieces of memory of a column.
const SPARE_MAX: usize = 2;

/// The texts of a batch, while somebody reads them.
struct Lent {
    bytes: Vec<u8>,
    from: Weak<Mutex<Vec<Vec<u8>>>>,
}

/// A column that is being filled.
struct Column {
    field: FieldRef,
    /// What stands before a value in an object: `"label":`
    lead: String,
    values: Values,
    /// Which values there are, if some may be missing.
    present: Option<Vec<bool>>,
    /// What stands before the values of a row that come before this one and have no column: `"params":`
    skipped: Vec<String>,
    /// How often the last value comes once more. It is copied when another one comes, all at once.
    repeats: usize,
}

impl AsRef<[u8]> for Lent {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        if let Some(spare) = self.from.upgrade()
            && let Ok(mut spare) = spare.try_lock()
            && spare.len() < SPARE_MAX
        {
            self.bytes.clear();
            spare.push(std::mem::take(&mut self.bytes));
        }
    }
}

impl Texts {
    fn new() -> Self {
        Self { ends: vec![0], bytes: Vec::new(), before: 0, spare: Spare::default() }
    }

    #[inline(always)]
    fn push(&mut self, raw: Raw<'_>) {
        raw.append_to(&mut self.bytes);
        self.end();
    }

    /// Takes memory for a batch, if there is none yet. Whoever reads the batch before has given back by now what came before that.
    fn make_room(&mut self) {
        if self.bytes.capacity() == 0 {
            let spare = self.spare.try_lock().ok().and_then(|mut spare| spare.pop());
            self.bytes = spare.unwrap_or_else(|| Vec::with_capacity(self.before + self.before / 8));
        }
    }

    /// The bytes so far. There are none then.
    fn lend(&mut self) -> Buffer {
        let bytes = std::mem::take(&mut self.bytes);
        self.before = bytes.len();
        Buffer::from(Bytes::from_owner(Lent { bytes, from: Arc::downgrade(&self.spare) }))
    }

    #[inline]
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
            present: is_nullable.then(Vec::new),
            skipped: Vec::new(),
            repeats: 0,
        }
    }

    fn text(name: &str, is_nullable: bool) -> Self {
        Self::new(name, Values::Text(Texts::new()), is_nullable)
    }

    fn list(name: &str, element: Self, is_nullable: bool) -> Self {
        Self::new(name, Values::List(vec![0], Box::new(element)), is_nullable)
    }

    /// The column of a field of rows.
    fn of(field: &Field, shape: &Shape) -> Self {
        Self::of_kind(field.name, field.is_nullable, field.column, shape)
    }

    fn of_kind(name: &str, is_nullable: bool, kind: Kind, shape: &Shape) -> Self {
        let optional = |names: Vec<&str>, new: fn(&str) -> Self| {
            Self::new(name, Values::Struct(names.into_iter().map(new).collect()), is_nullable)
        };
        let long = |name: &str| Self::new(name, Values::Long(Vec::new()), true);
        let int = |name: &str| Self::new(name, Values::Int(Vec::new()), true);
        let maybe_text = |name: &str| Self::text(name, true);
        match kind {
            Kind::Text | Kind::Start | Kind::Roles => Self::text(name, is_nullable),
            Kind::Number => Self::new(name, Values::Int(Vec::new()), is_nullable),
            Kind::LongNumber => Self::new(name, Values::Unsigned(Vec::new()), is_nullable),
            Kind::Truth => Self::new(name, Values::Truth(Vec::new()), is_nullable),
            Kind::Texts => Self::list(name, Self::text(ELEMENT, false), is_nullable),
            Kind::Numbers => {
                Self::list(name, Self::new(ELEMENT, Values::Int(Vec::new()), false), is_nullable)
            }
            Kind::NumberLists => {
                let number = Self::new(ELEMENT, Values::Int(Vec::new()), false);
                Self::list(name, Self::list(ELEMENT, number, false), is_nullable)
            }
            Kind::Parameters => optional(shape.parameters.iter().map(String::as_str).collect(), long),
            Kind::Cast => optional(shape.cast.iter().map(String::as_str).collect(), maybe_text),
            Kind::Difficulty => optional(DIFFICULTY_COLUMNS.to_vec(), int),
            Kind::Foils => optional(Foils::names(shape.extras.with_scenarios), maybe_text),
            Kind::Names | Kind::Messages => {
                let names = if kind == Kind::Names { NAME_COLUMNS } else { MESSAGE_COLUMNS };
                let texts = names.iter().map(|name| Self::text(name, false)).collect();
                Self::list(name, Self::new(ELEMENT, Values::Struct(texts), false), is_nullable)
            }
            Kind::Matters => {
                let part = |(name, kind): &(&str, Kind)| Self::of_kind(name, false, *kind, shape);
                let matter = |name: &String| {
                    Self::new(name, Values::Struct(MATTER_COLUMNS.iter().map(part).collect()), true)
                };
                Self::new(name, Values::Struct(shape.matters.iter().map(matter).collect()), is_nullable)
            }
            Kind::Events => {
                let part = |name: &&str| match *name {
                    "step" => Self::new(name, Values::Int(Vec::new()), false),
                    "who" | "verb" | "place" => Self::text(name, false),
                    further => Self::text(further, true),
                };
                let names = if shape.has_deeds { DEED_COLUMNS } else { MOVE_COLUMNS };
                let parts = names.iter().map(part).collect();
                Self::list(name, Self::new(ELEMENT, Values::Struct(parts), false), is_nullable)
            }
        }
    }

    /// Goes on to the value in a row, of which the value before this one came last.
    #[inline]
    fn find(&self, at: &mut Scanner<'_>) {
        for lead in &self.skipped {
            at.skip(1 + lead.len());
            at.value();
        }
        at.skip(1 + self.lead.len());
    }

    /// Adds the value of a row, of which the value before this one came last.
    #[inline(always)]
    fn push_field(&mut self, at: &mut Scanner<'_>) {
        self.find(at);
        self.push(at);
    }

    /// Adds the value that comes next.
    #[inline(always)]
    fn push(&mut self, at: &mut Scanner<'_>) {
        // Most values are strings.
        match (&mut self.values, at.next()) {
            (Values::Text(texts), b'"') => {
                texts.push(at.raw());
                if let Some(present) = &mut self.present {
                    present.push(true);
                }
            }
            (_, b'n') => {
                at.skip("null".len());
                self.miss();
            }
            _ => self.push_other(at),
        }
    }

    /// Adds the value that comes next, which is neither a string nor missing.
    #[inline(never)]
    fn push_other(&mut self, at: &mut Scanner<'_>) {
        if let Some(present) = &mut self.present {
            present.push(true);
        }
        match &mut self.values {
            Values::Text(texts) => {
                texts.bytes.extend_from_slice(sorted(at.value()).as_bytes());
                texts.end();
            }
            Values::Int(numbers) => numbers.push(i32::try_from(at.whole()).expect("a number of 31 bits")),
            Values::Unsigned(numbers) => numbers.push(at.whole()),
            Values::Long(numbers) => numbers.push(at.word().parse().expect("a number of a row")),
            Values::Truth(truths) => truths.push(at.word() == "true"),
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

    /// Takes memory for the texts of a batch.
    fn make_room(&mut self) {
        match &mut self.values {
            Values::Text(texts) => texts.make_room(),
            Values::Struct(columns) => columns.iter_mut().for_each(Self::make_room),
            Values::List(_, element) => element.make_room(),
            _ => {}
        }
    }

    /// Adds that there is no value.
    #[inline]
    fn miss(&mut self) {
        if let Some(present) = &mut self.present {
            present.push(false);
        }
        match &mut self.values {
            Values::Text(texts) => texts.end(),
            Values::Int(numbers) => numbers.push(0),
            Values::Unsigned(numbers) => numbers.push(0),
            Values::Long(numbers) => numbers.push(0),
            Values::Truth(truths) => truths.push(false),
            Values::Struct(columns) => columns.iter_mut().for_each(Self::miss),
            Values::List(ends, _) => ends.push(*ends.last().expect("it begins with 0")),
        }
    }

    /// Whether no value, as it is written, begins with another one. 12 begins with 1.
    const fn shows_its_end(&self) -> bool {
        matches!(self.values, Values::Text(_) | Values::Struct(_) | Values::List(..))
    }

    /// The number of values so far, without those that are still to be repeated.
    fn count(&self) -> usize {
        match &self.values {
            Values::Text(texts) => texts.ends.len() - 1,
            Values::Int(all) => all.len(),
            Values::Unsigned(all) => all.len(),
            Values::Long(all) => all.len(),
            Values::Truth(all) => all.len(),
            Values::Struct(columns) => columns.first().map_or(0, Self::count),
            Values::List(ends, _) => ends.len() - 1,
        }
    }

    /// Adds the last value as often as it comes once more, each time as many values as there are of it by then.
    fn settle(&mut self) {
        let mut there = 1;
        let mut missing = std::mem::take(&mut self.repeats);
        while missing > 0 {
            let (end, further) = (self.count(), there.min(missing));
            self.repeat(end - further..end);
            (there, missing) = (there + further, missing - further);
        }
    }

    /// Adds the values with these numbers once more.
    fn repeat(&mut self, numbers: Range<usize>) {
        if let Some(present) = &mut self.present {
            present.extend_from_within(numbers.clone());
        }
        match &mut self.values {
            Values::Text(texts) => {
                let bytes = repeat_ends(&mut texts.ends, numbers);
                texts.bytes.extend_from_within(bytes);
            }
            Values::Int(all) => all.extend_from_within(numbers),
            Values::Unsigned(all) => all.extend_from_within(numbers),
            Values::Long(all) => all.extend_from_within(numbers),
            Values::Truth(all) => all.extend_from_within(numbers),
            Values::Struct(columns) => columns.iter_mut().for_each(|column| column.repeat(numbers.clone())),
            Values::List(ends, element) => element.repeat(repeat_ends(ends, numbers)),
        }
    }

    /// The values so far. The column is empty then.
    fn finish(&mut self) -> ArrayRef {
        self.settle();
        let present = self.present.as_mut().map(|present| NullBuffer::from(take(present)));
        let present = present.filter(|present| present.null_count() > 0);
        match &mut self.values {
            Values::Text(texts) => {
                let ends = ScalarBuffer::from(take(&mut texts.ends));
                texts.ends.push(0);
                let bytes = texts.lend();
                // SAFETY: whole strings were added, one after another, and each end is that of one of them.
                Arc::new(unsafe {
                    StringArray::new_unchecked(OffsetBuffer::new_unchecked(ends), bytes, present)
                })
            }
            Values::Int(numbers) => Arc::new(Int32Array::new(take(numbers).into(), present)),
            Values::Unsigned(numbers) => Arc::new(UInt64Array::new(take(numbers).into(), present)),
            Values::Long(numbers) => Arc::new(Int64Array::new(take(numbers).into(), present)),
            Values::Truth(truths) => Arc::new(BooleanArray::new(take(truths).into(), present)),
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

/// The values so far; there is room for as many again, and some more since batches differ.
fn take<T>(values: &mut Vec<T>) -> Vec<T> {
    let room = values.len() + values.len() / 8;
    std::mem::replace(values, Vec::with_capacity(room))
}

/// Adds the ends of the values with these numbers once more, further on. Returns where these values are.
#[inline]
fn repeat_ends(ends: &mut Vec<i32>, numbers: Range<usize>) -> Range<usize> {
    let (from, to) = (ends[numbers.start], ends[numbers.end]);
    let further = ends.last().expect("it begins with 0") - from;
    let begin = ends.len();
    ends.extend_from_within(numbers.start + 1..=numbers.end);
    ends[begin..].iter_mut().for_each(|end| *end += further);
    from as usize..to as usize
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
    /// The columns, side by side, of which all rows of a story have the same values.
    of_story: Range<usize>,
    schema: SchemaRef,
}

impl Cutter {
    /// What cuts rows of this shape.
    pub fn new(shape: &Shape) -> Self {
        let of_rows = FIELDS.iter().filter(|field| field.presence.is_met(shape.extras));
        let column = |field: &&Field| Column::of(field, shape);
        let columns: Vec<Column> = match shape.unit {
            Unit::Question => of_rows.clone().map(|field| column(&field)).collect(),
            Unit::Story => {
                let (of_story, of_question): (Vec<&Field>, Vec<&Field>) =
                    of_rows.clone().partition(|field| field.is_shared);
                let parts = Values::Struct(of_question.iter().map(column).collect());
                let questions = Column::list(QUESTIONS, Column::new(ELEMENT, parts, false), false);
                let id = Column::text("id", false);
                [id].into_iter().chain(of_story.iter().map(column)).chain([questions]).collect()
            }
        };
        let is_of_story = |column: &Column| {
            of_rows.clone().any(|field| field.is_shared && field.name == column.field.name())
        };
        // A struct without fields is no column in Parquet.
        let mut skipped = Vec::new();
        let mut cut = Vec::new();
        for column in columns {
            match &column.values {
                Values::Struct(parts) if parts.is_empty() => skipped.push(column.lead),
                _ => cut.push(Column { skipped: std::mem::take(&mut skipped), ..column }),
            }
        }
        let first = cut.iter().position(is_of_story).expect("the rows of a story share its text");
        let length = cut[first..].iter().take_while(|column| is_of_story(column)).count();
        let schema = Arc::new(Schema::new(fields(&cut)));
        Self { columns: cut, of_story: first..first + length, schema }
    }

    pub fn schema(&self) -> SchemaRef {
        self.schema.clone()
    }

    /// Adds these rows to the columns.
    pub fn push(&mut self, rows: &str) {
        self.columns.iter_mut().for_each(Column::make_room);
        let mut at = Scanner::new(rows, 0);
        let (before, rest) = self.columns.split_at_mut(self.of_story.start);
        let (of_story, after) = rest.split_at_mut(self.of_story.len());
        // Where the row before says what it has in common with the others of its story, and where the value of each column is.
        let mut last = 0..0;
        let mut last_values: Vec<Range<usize>> = vec![0..0; of_story.len()];
        while at.next() != 0 {
            before.iter_mut().for_each(|column| column.push_field(&mut at));
            let from = at.at();
            if last.end > 0 && at.take(&rows[last.clone()]) {
                of_story.iter_mut().for_each(|column| column.repeats += 1);
            } else {
                for (column, last) in of_story.iter_mut().zip(&mut last_values) {
                    column.find(&mut at);
                    // Another story of the same storyboard.
                    if last.end > 0 && column.shows_its_end() && at.take(&rows[last.clone()]) {
                        column.repeats += 1;
                        continue;
                    }
                    column.settle();
                    let from = at.at();
                    column.push(&mut at);
                    *last = from..at.at();
                }
                last = from..at.at();
            }
            after.iter_mut().for_each(|column| column.push_field(&mut at));
            assert!(at.take("}\n"), "rows have the fields of their shape, in order");
        }
    }

    /// The rows so far as a batch. There are none then.
    pub fn finish(&mut self) -> Result<RecordBatch, ArrowError> {
        let arrays = self.columns.iter_mut().map(Column::finish).collect();
        RecordBatch::try_new(self.schema.clone(), arrays)
    }
}
