//! The storyboards that rows were made of, found by the names that rows have for them.

use std::cell::OnceCell;
use std::collections::{BTreeMap, HashSet};

use super::boards::load;
use super::{Failure, ReportFormat};
use crate::storyboard::{BUILT_IN, BuiltIn, SETTINGS, Storyboard, built_in_source, parse};

/// The storyboards that rows can be made of: those given, and the built-in ones.
pub struct Boards {
    given: Vec<Storyboard>,
    /// Those that are built in, alone and in each setting, read when they are asked for.
    built_in: BTreeMap<String, OnceCell<Option<Storyboard>>>,
}

impl Boards {
    /// The built-in storyboards and those in these files.
    ///
    /// # Errors
    /// If a storyboard cannot be read or is wrong, or if two have one name.
    pub fn with(paths: &[String]) -> Result<Self, Failure> {
        let given = load(paths, ReportFormat::Text)?;
        let mut names = HashSet::new();
        if let Some(twice) = given.iter().find(|board| !names.insert(board.name.value.as_str())) {
            return Err(Failure::Usage(format!(
                "--board gives two storyboards called `{}`",
                twice.name.value
            )));
        }
        let in_settings = |board: &'static BuiltIn| {
            SETTINGS.iter().map(move |(setting, _)| format!("{}-{setting}", board.name))
        };
        let names = BUILT_IN.iter().flat_map(|board| in_settings(board).chain([board.name.to_owned()]));
        Ok(Self { given, built_in: names.map(|name| (name, OnceCell::new())).collect() })
    }

    /// The storyboard with this name.
    ///
    /// # Errors
    /// If there is none.
    pub fn named(&self, name: &str) -> Result<&Storyboard, String> {
        let given = self.given.iter().find(|board| board.name.value == name);
        let built_in = || {
            let read = || parse(built_in_source(name)?.ok()?).ok();
            self.built_in.get(name)?.get_or_init(read).as_ref()
        };
        given
            .or_else(built_in)
            .ok_or_else(|| format!("its storyboard, {name:?}, is not built in: give its file with --board"))
    }
}
