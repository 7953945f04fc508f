//! Rows as typed columns: Apache Parquet.
//!
//! A row is cut into columns as Dremel does it (Melnik et al., VLDB 2010): every value comes with how much
//! of its path is there (its *definition level*) and at which list it goes on (its *repetition level*).
//! Rows have no lists in lists, so there are two kinds of repetition: a new row (0) and a further element (1).

use std::io::{self, Write};
use std::sync::Arc;

use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical, ZstdLevel};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, Int32Type, Int64Type};
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::reader::SerializedFileReader;
use parquet::file::writer::SerializedFileWriter;
use parquet::record::{self, Row};
use parquet::schema::types::Type;
use serde_json::Value;

use super::Shape;

/// Rows are written in groups of about this many bytes of text.
const GROUP_BYTES: usize = 1 << 25;

/// What a field of a row is.
#[derive(Clone, Debug)]
enum Kind {
    /// A string; anything else that stands there is written as JSON.
    Text,
    Int,
    /// Unsigned, of 64 bits.
    Unsigned,
    /// Signed, of 64 bits.
    Long,
    Truth,
    /// An object; or an array, element by element.
    Struct(Vec<Field>),
    List(Box<Field>),
}

#[derive(Clone, Debug)]
struct Field {
    name: String,
    kind: Kind,
    is_optional: bool,
}

fn field(name: &str, kind: Kind) -> Field {
    Field { name: name.to_owned(), kind, is_optional: false }
}

fn optional(name: &str, kind: Kind) -> Field {
    Field { name: name.to_owned(), kind, is_optional: true }
}

fn list(name: &str, kind: Kind) -> Field {
    field(name, Kind::List(Box::new(field("element", kind))))
}

/// The fields of a row, in the order of the row. A struct without fields cannot be written, and is left out.
fn fields(shape: &Shape) -> Vec<Field> {
    use Kind::{Int, Long, Struct, Text, Truth, Unsigned};
    let each = |names: &[String], kind: Kind| {
        Struct(names.iter().map(|name| optional(name, kind.clone())).collect::<Vec<Field>>())
    };
    let foils = crate::question::Foils::NAMES.iter().map(|name| optional(name, Text)).collect();
    let mut event = vec![field("step", Int), field("who", Text), field("verb", Text)];
    if shape.has_deeds {
        // Beside a move's place there may be up to three more things, or nothing.
        event.extend(["first", "second", "third"].map(|name| optional(name, Text)));
    } else {
        event.push(field("place", Text));
    }
    let mut fields = vec![
        field("id", Text),
        field("board", Text),
        field("seed", Unsigned),
        field("index", Unsigned),
        field("params", each(&shape.parameters, Long)),
        field("cast", each(&shape.cast, Text)),
        field("start", Text),
        field("context", Text),
        field("story", Text),
        field("question", Text),
        field("answer", Text),
        list("choices", Text),
        field("label", Int),
        field("kind", Text),
        field("order", Int),
        list("chain", Text),
        field("about", Text),
        optional("truth", Text),
        optional("false_belief", Truth),
        optional("mislead_distance", Int),
        list("evidence", Int),
        field("foils", Struct(foils)),
    ];
    if shape.with_twins {
        fields.extend([optional("twin", Text), optional("differs_at", Int)]);
    }
    if shape.with_events {
        fields.push(list("events", Struct(event)));
    }
    fields.retain(|field| !matches!(&field.kind, Struct(fields) if fields.is_empty()));
    fields
}

impl Field {
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

    /// Its columns, in the order of the schema.
    fn columns(&self, columns: &mut Vec<Column>) {
        match &self.kind {
            Kind::Text => columns.push(Column::new(Values::Text(Vec::new()))),
            Kind::Int => columns.push(Column::new(Values::Int(Vec::new()))),
            Kind::Unsigned | Kind::Long => columns.push(Column::new(Values::Long(Vec::new()))),
            Kind::Truth => columns.push(Column::new(Values::Truth(Vec::new()))),
            Kind::Struct(fields) => fields.iter().for_each(|field| field.columns(columns)),
            Kind::List(element) => element.columns(columns),
        }
    }

    /// Takes a value apart into columns, the next of which are its own. `definition` counts the optional
    /// and repeated fields that are there, `repetition` is 1 within a list after its first element.
    ///
    /// # Panics
    /// If the value is not of its kind: rows are ours.
    fn cut<'c>(
        &self,
        value: &Value,
        definition: i16,
        repetition: i16,
        columns: &'c mut [Column],
    ) -> &'c mut [Column] {
        if self.is_optional && value.is_null() {
            return self.miss(definition, repetition, columns);
        }
        let definition = definition + i16::from(self.is_optional);
        match &self.kind {
            Kind::Struct(fields) => fields.iter().enumerate().fold(columns, |columns, (at, field)| {
                let part = match value {
                    Value::Array(parts) => parts.get(at).unwrap_or(&Value::Null),
                    _ => value.get(&field.name).unwrap_or(&Value::Null),
                };
                field.cut(part, definition, repetition, columns)
            }),
            Kind::List(element) => {
                let elements = value.as_array().expect("a list");
                if elements.is_empty() {
                    return self.miss(definition, repetition, columns);
                }
                let mut own = 0;
                for (at, part) in elements.iter().enumerate() {
                    let repetition = if at == 0 { repetition } else { 1 };
                    let all = columns.len();
                    own = all - element.cut(part, definition + 1, repetition, columns).len();
                }
                &mut columns[own..]
            }
            _ => {
                let (column, rest) = columns.split_first_mut().expect("a column a leaf");
                column.levels(definition, repetition);
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

    /// Marks that there is no value.
    fn miss<'c>(&self, definition: i16, repetition: i16, columns: &'c mut [Column]) -> &'c mut [Column] {
        let mut own = Vec::new();
        self.columns(&mut own);
        let (missing, rest) = columns.split_at_mut(own.len());
        missing.iter_mut().for_each(|column| column.levels(definition, repetition));
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

#[derive(Debug)]
struct Column {
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

impl Column {
    fn new(values: Values) -> Self {
        Self { values, definitions: Vec::new(), repetitions: Vec::new() }
    }

    fn levels(&mut self, definition: i16, repetition: i16) {
        self.definitions.push(definition);
        self.repetitions.push(repetition);
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
    fields: Vec<Field>,
    columns: Vec<Column>,
    /// Of text, in the columns.
    bytes: usize,
    file: SerializedFileWriter<W>,
}

impl<W: Write + Send> ParquetWriter<W> {
    pub fn new(shape: &Shape, to: W) -> io::Result<Self> {
        let fields = fields(shape);
        let mut columns = Vec::new();
        fields.iter().for_each(|field| field.columns(&mut columns));
        let root = fields.iter().map(Field::schema).collect::<Result<Vec<Type>, _>>().map_err(io)?;
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
                columns = field.cut(value, 0, 0, columns);
            }
        }
        self.bytes += rows.len();
        if self.bytes >= GROUP_BYTES { self.group() } else { Ok(()) }
    }

    /// Writes what is in the columns as a group of rows.
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
/// If it is no Parquet file; each row's, if that cannot be read.
pub fn rows(file: std::fs::File) -> io::Result<impl Iterator<Item = io::Result<Value>>> {
    let reader = SerializedFileReader::new(file).map_err(io)?;
    let rows = reader.into_iter().map(|row| row.map_err(io));
    Ok(rows.map(|row| row.map(|row| object(&row))))
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

/// What happened to the file below, if that was it.
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
