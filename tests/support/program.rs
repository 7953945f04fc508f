//! The program, from the outside.

use std::process::{Command, Output};

/// Where it was built.
pub const PROGRAM: &str = env!("CARGO_BIN_EXE_storysim");

/// What it does with these arguments, where nothing is coloured.
pub fn run(arguments: &[&str]) -> Output {
    Command::new(PROGRAM).args(arguments).env("NO_COLOR", "1").output().unwrap()
}

pub fn stdout(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).unwrap()
}

pub fn stderr(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).unwrap()
}
