//! Rows as typed columns: Apache Parquet.
//!
//! A row is cut into columns as Dremel does it (Melnik et al., VLDB 2010): every value comes with how much
//! of its path is there (its *definition level*) and at which list it goes on (its *repetition level*): 0 for a new row, 1 for
//! a further element of a list, 2 for one of a list in a list.

use std::cell::Cell;
use std::io::{self, Write};
use std::panic::{self, AssertUnwindSafe};
use std::sync::{Arc, Once};

use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical, ZstdLevel};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, Int32Type, Int64Type};
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::reader::SerializedFileReader;
use parquet::file::writer::SerializedFileWriter;
use parquet::record::{self, Row};
use parquet::schema::types::Type;
use serde_json::Value;

use super::Shape;
use crate::dataset::{
    Column, DEED_COLUMNS, DIFFICULTY_COLUMNS, FIELDS, Field, MATTER_COLUMNS, MESSAGE_COLUMNS, MOVE_COLUMNS,
    NAME_COLUMNS, QUESTIONS, Unit,
};
use crate::question::Foils;

/// The approximate size of a group of rows, in bytes of text.
const GROUP_BYTES: usize = 1 << 25;

/// The type of a node in the schema.
#[derive(Clone, Debug)]
enum Kind {
    /// A string; other values are written as JSON.
    Text,
    /// A signed number of 32 bits.
    Int,
    /// An unsigned number of 64 bits.
    Unsigned,
    /// A signed number of 64 bits.
    Long,
    /// Yes or no.
    Truth,
    /// An object, or an array that is read element by element.
    Struct(Vec<Node>),
    /// A list whose elements have this type.
    List(Box<Node>),
}

/// A node of the schema: a field of a row, or part of one.
#[derive(Clone, Debug)]
struct Node {
    name: String,
    kind: Kind,
    is_optional: bool,
}

impl Node {
    fn new(name: &str, kind: Kind) -> Self {
        Self { name: name.to_owned(), kind, is_optional: false }
    }

    fn optional(name: &str, kind: Kind) -> Self {
        Self { name: name.to_owned(), kind, is_optional: true }
    }
}

/// The fields of a row, in order. A struct without fields cannot be written, and is left out.
fn fields(shape: &Shape) -> Vec<Node> {
    let of_rows = FIELDS.iter().filter(|field| field.presence.is_met(shape.extras));
    let node = |field: &Field| Node {
        name: field.name.to_owned(),
        kind: Kind::new(field.column, shape),
        is_optional: field.is_nullable,
    };
    let is_written = |node: &Node| !matches!(&node.kind, Kind::Struct(parts) if parts.is_empty());
    let nodes = of_rows.map(node).filter(is_written);
    if shape.unit == Unit::Question {
        return nodes.collect();
    }
    let (of_story, of_question): (Vec<Node>, Vec<Node>) =
        nodes.partition(|node| Field::is_of_story(&node.name));
    let id = Node::new("id", Kind::Text);
    let questions = Node::new(QUESTIONS, Kind::list(Kind::Struct(of_question)));
    [id].into_iter().chain(of_story).chain([questions]).collect()
}

impl Kind {
    /// The type of a column, for rows of this shape.
    fn new(column: Column, shape: &Shape) -> Self {
        match column {
            Column::Text | Column::Start | Column::Roles => Self::Text,
            Column::Number => Self::Int,
            Column::LongNumber => Self::Unsigned,
            Column::Truth => Self::Truth,
            Column::Texts => Self::list(Self::Text),
            Column::Numbers => Self::list(Self::Int),
            Column::NumberLists => Self::list(Self::list(Self::Int)),
            Column::Parameters => Self::optional(&shape.parameters, &Self::Long),
            Column::Names => Self::list(Self::texts(NAME_COLUMNS)),
            Column::Cast => Self::optional(&shape.cast, &Self::Text),
            Column::Foils => Self::optional(&Foils::names(shape.extras.with_scenarios), &Self::Text),
            Column::Events => Self::list(Self::event(shape)),
            Column::Messages => Self::list(Self::texts(MESSAGE_COLUMNS)),
            Column::Difficulty => Self::optional(&DIFFICULTY_COLUMNS, &Self::Int),
            Column::Matters => Self::optional(&shape.matters, &Self::matter(shape)),
        }
    }

    fn list(element: Self) -> Self {
        Self::List(Box::new(Node::new("element", element)))
    }

    /// The type of an object with these names, any of which may be missing.
    fn optional(names: &[impl AsRef<str>], kind: &Self) -> Self {
        Self::Struct(names.iter().map(|name| Node::optional(name.as_ref(), kind.clone())).collect())
    }

    /// The type of an object, or an array, of these texts.
    fn texts(names: &[&str]) -> Self {
        Self::Struct(names.iter().map(|name| Node::new(name, Self::Text)).collect())
    }

    fn matter(shape: &Shape) -> Self {
        let node = |(name, column): &(&str, Column)| Node::new(name, Self::new(*column, shape));
        Self::Struct(MATTER_COLUMNS.iter().map(node).collect())
    }

    fn event(shape: &Shape) -> Self {
        let node = |name: &&str| match *name {
            "step" => Node::new(name, Self::Int),
            "who" | "verb" | "place" => Node::new(name, Self::Text),
            further => Node::optional(further, Self::Text),
        };
        let names = if shape.has_deeds { DEED_COLUMNS } else { MOVE_COLUMNS };
        Self::Struct(names.iter().map(node).collect())
    }
}

impl Node {
    fn repetition(&self) -> Repetition {
        if self.is_optional { Repetition::OPTIONAL } else { Repetition::REQUIRED }
    }

    fn schema(&self) -> parquet::errors::Result<Type> {
        let primitive = |physical, logical| {
            Type::primitive_type_builder(&self.name, physical)
                .with_repetition(self.repetition())
                .with_logical_type(logical)
                .build()
        };
        match &self.kind {
            Kind::Text => primitive(Physical::BYTE_ARRAY, Some(LogicalType::String)),
            Kind::Int => primitive(Physical::INT32, None),
            Kind::Unsigned => primitive(Physical::INT64, Some(LogicalType::integer(64, false))),
            Kind::Long => primitive(Physical::INT64, None),
            Kind::Truth => primitive(Physical::BOOLEAN, None),
            Kind::Struct(fields) => {
                group(&self.name, self.repetition(), None, fields.iter().map(Self::schema))
            }
            Kind::List(element) => {
                let list = group("list", Repetition::REPEATED, None, [element.schema()])?;
                group(&self.name, self.repetition(), Some(LogicalType::List), [Ok(list)])
            }
        }
    }

    /// Adds the columns of the node, in the order of the schema.
    fn columns(&self, columns: &mut Vec<Leaf>) {
        match &self.kind {
            Kind::Text => columns.push(Leaf::new(Values::Text(Vec::new()))),
            Kind::Int => columns.push(Leaf::new(Values::Int(Vec::new()))),
            Kind::Unsigned | Kind::Long => columns.push(Leaf::new(Values::Long(Vec::new()))),
            Kind::Truth => columns.push(Leaf::new(Values::Truth(Vec::new()))),
            Kind::Struct(fields) => fields.iter().for_each(|field| field.columns(columns)),
            Kind::List(element) => element.columns(columns),
        }
    }

    /// Takes a value apart into columns, of which the first ones belong to this node.
    ///
    /// # Panics
    /// If the value is not of the node's type: rows are our own.
    fn cut<'c>(&self, value: &Value, levels: Levels, columns: &'c mut [Leaf]) -> &'c mut [Leaf] {
        if self.is_optional && value.is_null() {
            return self.miss(levels, columns);
        }
        let levels = Levels { definition: levels.definition + i16::from(self.is_optional), ..levels };
        match &self.kind {
            Kind::Struct(fields) => fields.iter().enumerate().fold(columns, |columns, (at, field)| {
                let part = match value {
                    Value::Array(parts) => parts.get(at).unwrap_or(&Value::Null),
                    _ => value.get(&field.name).unwrap_or(&Value::Null),
                };
                field.cut(part, levels, columns)
            }),
            Kind::List(element) => {
                let elements = value.as_array().expect("a list");
                if elements.is_empty() {
                    return self.miss(levels, columns);
                }
                let mut own = 0;
                for (at, part) in elements.iter().enumerate() {
                    let all = columns.len();
                    own = all - element.cut(part, levels.of_element(at), columns).len();
                }
                &mut columns[own..]
            }
            _ => {
                let (column, rest) = columns.split_first_mut().expect("a column a leaf");
                column.note(levels);
                match &mut column.values {
                    Values::Text(texts) => texts.push(match value {
                        Value::String(text) => text.as_str().into(),
                        other => ByteArray::from(other.to_string().into_bytes()),
                    }),
                    Values::Int(numbers) => numbers
                        .push(value.as_i64().and_then(|number| number.try_into().ok()).expect("an integer")),
                    // Unsigned numbers keep their bits.
                    Values::Long(numbers) => numbers
                        .push(value.as_i64().or(value.as_u64().map(u64::cast_signed)).expect("an integer")),
                    Values::Truth(truths) => truths.push(value.as_bool().expect("true or false")),
                }
                rest
            }
        }
    }

    /// Records that there is no value.
    fn miss<'c>(&self, levels: Levels, columns: &'c mut [Leaf]) -> &'c mut [Leaf] {
        let mut own = Vec::new();
        self.columns(&mut own);
        let (missing, rest) = columns.split_at_mut(own.len());
        missing.iter_mut().for_each(|column| column.note(levels));
        rest
    }
}

fn group(
    name: &str,
    repetition: Repetition,
    logical: Option<LogicalType>,
    fields: impl IntoIterator<Item = parquet::errors::Result<Type>>,
) -> parquet::errors::Result<Type> {
    let fields: Result<Vec<Arc<Type>>, _> = fields.into_iter().map(|field| field.map(Arc::new)).collect();
    Type::group_type_builder(name)
        .with_repetition(repetition)
        .with_logical_type(logical)
        .with_fields(fields?)
        .build()
}

/// How much of a value's path is there, and where it goes on.
#[derive(Clone, Copy, Debug, Default)]
struct Levels {
    /// The number of optional and repeated fields that are present.
    definition: i16,
    /// The number of lists around the one that goes on, itself included; 0 for a new row.
    repetition: i16,
    /// The number of lists around the value.
    depth: i16,
}

impl Levels {
    /// The levels of the element at this index of a list.
    const fn of_element(self, at: usize) -> Self {
        let repetition = if at == 0 { self.repetition } else { self.depth + 1 };
        Self { definition: self.definition + 1, repetition, depth: self.depth + 1 }
    }
}

/// A column that is being filled.
#[derive(Debug)]
struct Leaf {
    values: Values,
    definitions: Vec<i16>,
    repetitions: Vec<i16>,
}

#[derive(Debug)]
enum Values {
    Text(Vec<ByteArray>),
    Int(Vec<i32>),
    Long(Vec<i64>),
    Truth(Vec<bool>),
}

impl Leaf {
    fn new(values: Values) -> Self {
        Self { values, definitions: Vec::new(), repetitions: Vec::new() }
    }

    fn note(&mut self, levels: Levels) {
        self.definitions.push(levels.definition);
        self.repetitions.push(levels.repetition);
    }

    fn clear(&mut self) {
        match &mut self.values {
            Values::Text(values) => values.clear(),
            Values::Int(values) => values.clear(),
            Values::Long(values) => values.clear(),
            Values::Truth(values) => values.clear(),
        }
        self.definitions.clear();
        self.repetitions.clear();
    }
}

/// Writes rows into a Parquet file.
pub struct ParquetWriter<W: Write + Send> {
    fields: Vec<Node>,
    columns: Vec<Leaf>,
    /// The number of bytes of text in the columns.
    bytes: usize,
    file: SerializedFileWriter<W>,
}

impl<W: Write + Send> ParquetWriter<W> {
    pub fn new(shape: &Shape, to: W) -> io::Result<Self> {
        let fields = fields(shape);
        let mut columns = Vec::new();
        fields.iter().for_each(|field| field.columns(&mut columns));
        let root = fields.iter().map(Node::schema).collect::<Result<Vec<Type>, _>>().map_err(io)?;
        let root = Type::group_type_builder("row").with_fields(root.into_iter().map(Arc::new).collect());
        let properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            .set_statistics_enabled(EnabledStatistics::Chunk)
            .set_created_by(concat!("storysim ", env!("CARGO_PKG_VERSION")).to_owned());
        let file =
            SerializedFileWriter::new(to, Arc::new(root.build().map_err(io)?), Arc::new(properties.build()));
        Ok(Self { fields, columns, bytes: 0, file: file.map_err(io)? })
    }

    pub fn write(&mut self, rows: &str) -> io::Result<()> {
        for row in rows.lines() {
            let row: Value = serde_json::from_str(row).expect("a row is JSON");
            let mut columns = &mut self.columns[..];
            for field in &self.fields {
                let value = row.get(&field.name).unwrap_or(&Value::Null);
                columns = field.cut(value, Levels::default(), columns);
            }
        }
        self.bytes += rows.len();
        if self.bytes >= GROUP_BYTES { self.group() } else { Ok(()) }
    }

    /// Writes the content of the columns as a group of rows.
    fn group(&mut self) -> io::Result<()> {
        let mut group = self.file.next_row_group().map_err(io)?;
        for column in &mut self.columns {
            let mut writer = group.next_column().map_err(io)?.expect("a column a leaf");
            let levels = (Some(&column.definitions[..]), Some(&column.repetitions[..]));
            match &column.values {
                Values::Text(values) => {
                    writer.typed::<ByteArrayType>().write_batch(values, levels.0, levels.1)
                }
                Values::Int(values) => writer.typed::<Int32Type>().write_batch(values, levels.0, levels.1),
                Values::Long(values) => writer.typed::<Int64Type>().write_batch(values, levels.0, levels.1),
                Values::Truth(values) => writer.typed::<BoolType>().write_batch(values, levels.0, levels.1),
            }
            .map_err(io)?;
            writer.close().map_err(io)?;
            column.clear();
        }
        group.close().map_err(io)?;
        self.bytes = 0;
        Ok(())
    }

    pub fn finish(mut self) -> io::Result<W> {
        if self.bytes > 0 {
            self.group()?;
        }
        self.file.into_inner().map_err(io)
    }
}

/// The rows of a file, as objects.
///
/// # Errors
/// If it is not a Parquet file. Each row may also fail if it cannot be read.
pub fn rows(file: std::fs::File) -> io::Result<impl Iterator<Item = io::Result<Value>>> {
    let mut rows = caught(|| Ok(SerializedFileReader::new(file).map_err(io)?.into_iter()))?;
    let mut is_over = false;
    Ok(std::iter::from_fn(move || {
        if is_over {
            return None;
        }
        let next = caught(|| rows.next().map(|row| row.map(|row| object(&row)).map_err(io)).transpose());
        // What comes after damage is no better, and may be damage for ever.
        is_over = !matches!(next, Ok(Some(_)));
        next.transpose()
    }))
}

/// What the library makes of a file. Its assumptions about files are panics where a file is damaged: such a panic is
/// an error here, of which nothing is printed.
fn caught<T>(read: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
    thread_local! {
        static IS_CAUGHT: Cell<bool> = const { Cell::new(false) };
    }
    static QUIET: Once = Once::new();
    QUIET.call_once(|| {
        let told = panic::take_hook();
        panic::set_hook(Box::new(move |panicked| {
            if !IS_CAUGHT.get() {
                told(panicked);
            }
        }));
    });
    IS_CAUGHT.set(true);
    let done = panic::catch_unwind(AssertUnwindSafe(read));
    IS_CAUGHT.set(false);
    done.unwrap_or_else(|_| Err(io::Error::new(io::ErrorKind::InvalidData, "this Parquet file is damaged")))
}

fn object(row: &Row) -> Value {
    Value::Object(row.get_column_iter().map(|(name, field)| (name.clone(), value(field))).collect())
}

fn value(field: &record::Field) -> Value {
    match field {
        record::Field::Bool(truth) => (*truth).into(),
        record::Field::Int(number) => (*number).into(),
        record::Field::Long(number) => (*number).into(),
        record::Field::ULong(number) => (*number).into(),
        record::Field::Str(text) => text.as_str().into(),
        record::Field::Group(row) => object(row),
        record::Field::ListInternal(list) => list.elements().iter().map(value).collect(),
        _ => Value::Null,
    }
}

/// The I/O error behind a Parquet error, if that was the cause.
fn io(error: parquet::errors::ParquetError) -> io::Error {
    use parquet::errors::ParquetError;
    match error {
        ParquetError::External(error) => match error.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(error) => io::Error::other(error),
        },
        error => io::Error::other(error),
    }
}
