//! The command line. See [`storysim::cli`].

use std::process::ExitCode;

fn main() -> ExitCode {
    storysim::cli::main()
}
