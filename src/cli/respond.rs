//! `storysim respond`: the answers of a mock responder to a dataset.

use std::collections::HashMap;

use super::origins::Boards;
use super::output::{Output, Place};
use super::rows::{Rows, refuse_to_replace};
use super::{Failure, RespondArguments};
use crate::dataset::Fields;
use crate::files::{Format, Shape};
use crate::prose::RowReader;
use crate::respond::{Mock, reach};

pub fn respond(arguments: &RespondArguments) -> Result<(), Failure> {
    let (place, format) = arguments.out.resolve(None)?;
    if matches!(place, Place::Folder(_)) || format == Format::Parquet {
        let message = format!("--out {place}: name a file that ends in .jsonl, .jsonl.gz or .jsonl.zst");
        return Err(Failure::Usage(message));
    }
    if let Place::File(path) = &place {
        refuse_to_replace([arguments.dataset.as_path()], path)?;
    }
    if !arguments.boards.is_empty() && !matches!(arguments.who, Mock::LastWords(_)) {
        return Err(Failure::Usage(
            "--board is only for --as last-words:N, which reads the stories".to_owned(),
        ));
    }
    let boards = Boards::with(&arguments.boards)?;
    let mut reaches = Reaches { boards: &boards, known: HashMap::new() };
    let mut rows = Rows::at(&arguments.dataset)?;
    let mut output = Output::open(&place, format, &Shape::default(), 1)?;
    while let Some(row) = rows.next()? {
        let Some(fields) =
            rows.taken(Fields::of(&row).map_err(|error| format!("this is not a row: {error}")))
        else {
            continue;
        };
        let responder = arguments.who.responder(|| reaches.of(&fields));
        let Some(responder) = rows.taken(responder) else { continue };
        let response = responder.response(&fields, arguments.seed);
        output.write(&format!("{}\n", serde_json::json!({"id": fields.id, "response": response})))?;
    }
    rows.finish()?;
    output.finish()?;
    Ok(())
}

/// How far back in their stories the evidence of rows reaches, whatever their storyboards.
struct Reaches<'b> {
    boards: &'b Boards,
    known: HashMap<String, RowReader<'b>>,
}

impl Reaches<'_> {
    fn of(&mut self, row: &Fields) -> Result<usize, String> {
        if !self.known.contains_key(&row.board) {
            let board = self.boards.named(&row.board)?;
            self.known.insert(row.board.clone(), RowReader::new(board));
        }
        reach(&self.known[&row.board], row)
    }
}
