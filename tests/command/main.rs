//! What the program prints, and what it does with input that nobody would write.

mod check_story;
mod cli;
mod exits;
mod packs;
mod paraphrase;
mod readme;
mod replay;
mod stages;
mod stories;

#[path = "../support/program.rs"]
mod program;
