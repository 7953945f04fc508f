//! The arguments by which a storyboard is told in another way.

use clap::Args;

use crate::plan::Length;
use crate::respond::number_of_words;
use crate::storyboard::Share;

/// How stories are worded, where they take place, and how long they are.
#[derive(Clone, Debug, Default, Args)]
pub(super) struct Worded {
    /// Take people, places and verbs from this setting instead of the storyboard; `storysim list --packs` shows those that
    /// are built in
    ///
    /// A built-in setting, such as `museum`, or the path to one. Storyboards that name no place of their own can be told in
    /// any. They are then called by the names of both, such as `first-order-mislead-museum`.
    #[arg(long, value_name = "NAME|PATH")]
    pub setting: Option<String>,
    /// Word the sentences by this pack instead of what the storyboard says; `plain` for the plain ones
    ///
    /// A built-in pack of wordings, such as `varied`, or the path to one. The same happens in the stories, whatever the
    /// wording.
    #[arg(long, value_name = "NAME|PATH")]
    pub wording: Option<String>,
    /// Hide each story in a longer one of so many words: 20000, 20k or 1M
    ///
    /// What the storyboard tells stays as it is, and so do the answers. Before and after it, people without a role go about. A story that
    /// is longer by itself stays as long. Rows have the number in their `params`, so --set words=1000..9000..2000 tells stories of
    /// several lengths.
    #[arg(long, value_name = "N", value_parser = read_words)]
    pub words: Option<u64>,
    /// With --words: where in a story its answer is settled, from 0 (the beginning) to 1 (the end): 0.1 or 10%
    ///
    /// In whole percent. The step that settles the answer lies as near to it as the storyboard's own part allows. If not given,
    /// the depth is drawn for each story. Rows have it in their `params` as `depth`, so --set depth=0..100..25 tells stories of several depths.
    #[arg(long, value_name = "DEPTH", requires = "words", value_parser = read_depth)]
    pub at_depth: Option<u64>,
}

/// Reads a number of words: `20000`, `20k`, `1M`.
fn read_words(text: &str) -> Result<u64, String> {
    let most = Length::WORDS_MAX;
    let words = number_of_words(text).filter(|words| (1..=most).contains(words));
    let wrong = || format!("write a number from 1 to {most}, as `20000`, `20k` or `1M`");
    words.map(|words| words as u64).ok_or_else(wrong)
}

/// Reads a depth, in whole percent: `0.1`, `1/10`, `10%`.
fn read_depth(text: &str) -> Result<u64, String> {
    let percent = match text.strip_suffix('%') {
        Some(percent) => percent.parse().ok(),
        None => Share::parse(text).and_then(|share| {
            let percent = 100 * u64::from(share.part);
            percent.is_multiple_of(u64::from(share.whole)).then(|| percent / u64::from(share.whole))
        }),
    };
    percent.filter(|percent| *percent <= 100).ok_or_else(|| {
        "write a depth in whole percent, from 0 (the beginning) to 1 (the end): `0.1` or `10%`".to_owned()
    })
}
