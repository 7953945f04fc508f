//! The arguments of `storysim paraphrase`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::super::output::Target;
use super::super::responses::Model;

/// What is done for a retelling.
#[derive(Debug, Subcommand)]
pub enum ParaphraseCommand {
    /// Write a request for every story: to word its sentences again
    ///
    /// The requests are a batch as that of `batch`, one a story.
    Ask(AskArguments),
    /// Write the rows again, with the sentences of a model as far as they say the same
    ///
    /// All other sentences stay plain. Which were taken, and why others were not, is said at the end.
    Take(TakeArguments),
}

#[derive(Debug, Args)]
pub struct AskArguments {
    /// The rows whose stories are to be worded again: a dataset folder or a file of rows
    ///
    /// The name of a file ends in .jsonl, .jsonl.gz, .jsonl.zst or .parquet.
    #[arg(value_name = "DATASET")]
    pub dataset: PathBuf,
    /// The name of the model, as its server knows it
    #[arg(long, value_name = "NAME")]
    pub model: String,
    /// Further settings of each request, as a JSON object
    #[arg(long, value_name = "JSON")]
    pub body: Option<String>,
    /// The file of a storyboard that the rows were made of, unless it is built in
    #[arg(long = "board", value_name = "PATH")]
    pub boards: Vec<String>,
    /// Where to write: a .jsonl file, or `-` for stdout
    ///
    /// An existing file is replaced. A pipe or a device is written to directly.
    #[arg(long, value_name = "PATH", default_value = "-")]
    pub out: Target,
}

#[derive(Debug, Args)]
pub struct TakeArguments {
    /// The rows whose stories were to be worded again: a dataset folder or a file of rows
    ///
    /// The name of a file ends in .jsonl, .jsonl.gz or .jsonl.zst.
    #[arg(value_name = "DATASET")]
    pub dataset: PathBuf,
    /// The file of the model's responses
    ///
    /// It has any of the forms that `score` takes. The model is named after its file unless NAME is given.
    #[arg(value_name = "FILE | NAME=FILE")]
    pub responses: Model,
    /// Leave out stories of which a sentence was not taken, and what belongs to them, such as their twins
    #[arg(long)]
    pub strict: bool,
    /// Skip responses to stories that are not in the dataset, with a warning
    #[arg(long)]
    pub lenient: bool,
    /// The pack of wordings whose sentences are taken
    #[arg(long, value_name = "NAME|PATH", default_value = "retold")]
    pub lexicon: String,
    /// The file of a storyboard that the rows were made of, unless it is built in
    #[arg(long = "board", value_name = "PATH")]
    pub boards: Vec<String>,
    /// Also write every sentence that was not taken to this file, with the plain one and the reason, one a line
    #[arg(long, value_name = "PATH")]
    pub refused: Option<PathBuf>,
    /// Where to write: a .jsonl, .jsonl.gz or .jsonl.zst file, or `-` for stdout
    ///
    /// An existing file is replaced. A pipe or a device is written to directly.
    #[arg(long, value_name = "PATH", default_value = "-")]
    pub out: Target,
}
