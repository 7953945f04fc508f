//! The library without its features, as WebAssembly: the rows of the built-in storyboards, for `run.mjs`.

use std::sync::Mutex;

use storysim::compile::compile_family;
use storysim::dataset::{RowMaker, RowOptions};
use storysim::select::admit;
use storysim::storyboard::{BUILT_IN, parse};

/// The text that was asked for last.
static TEXT: Mutex<String> = Mutex::new(String::new());

/// Keeps a text, and says where it is.
fn kept(text: String) -> *const u8 {
    let mut kept = TEXT.lock().unwrap();
    *kept = text;
    kept.as_ptr()
}

/// How many bytes the text has that was asked for last.
#[unsafe(no_mangle)]
pub extern "C" fn length() -> usize {
    TEXT.lock().unwrap().len()
}

/// How many storyboards there are.
#[unsafe(no_mangle)]
pub extern "C" fn boards() -> usize {
    BUILT_IN.len()
}

/// The name of a storyboard.
#[unsafe(no_mangle)]
pub extern "C" fn name(board: usize) -> *const u8 {
    kept(BUILT_IN[board].name.to_owned())
}

/// The rows of a storyboard's first stories.
#[unsafe(no_mangle)]
pub extern "C" fn rows(board: usize, seed: u64, stories: u64) -> *const u8 {
    let board = parse(BUILT_IN[board].source()).unwrap();
    let family = admit(&board, compile_family(&board, &[]).unwrap().plans).unwrap().family;
    let mut maker = RowMaker::new(&family, seed, &[], RowOptions::default());
    let mut rows = String::new();
    for index in 0..stories {
        maker.rows(index, &mut rows);
    }
    kept(rows)
}
