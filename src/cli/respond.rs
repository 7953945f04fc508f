//! `storysim respond`: the answers of a mock responder to a dataset.

use super::output::{Output, Place};
use super::rows::{Rows, refuse_to_replace};
use super::{Failure, RespondArguments};
use crate::dataset::{Fields, Format, Shape};

pub fn respond(arguments: &RespondArguments) -> Result<(), Failure> {
    let (place, format) = arguments.out.resolve(None)?;
    if matches!(place, Place::Folder(_)) || format == Format::Parquet {
        let message = format!("--out {place}: name a file that ends in .jsonl, .jsonl.gz or .jsonl.zst");
        return Err(Failure::Usage(message));
    }
    if let Place::File(path) = &place {
        refuse_to_replace([arguments.dataset.as_path()], path)?;
    }
    let mut rows = Rows::at(&arguments.dataset)?;
    let mut output = Output::open(&place, format, &Shape::default(), 1)?;
    while let Some(row) = rows.next()? {
        let Some(fields) =
            rows.taken(Fields::of(&row).map_err(|error| format!("this is not a row: {error}")))
        else {
            continue;
        };
        let response = arguments.who.response(&fields, arguments.seed);
        output.write(&format!("{}\n", serde_json::json!({"id": fields.id, "response": response})))?;
    }
    rows.finish()?;
    output.finish()?;
    Ok(())
}
