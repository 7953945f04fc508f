//! Shortcuts that look at which choice the text names, and where.

use super::{Shortcut, View, counts, only_greatest};

pub(super) const SHORTCUTS: [Shortcut; 10] = [
    Shortcut {
        key: "first_named",
        about: "the choice that the story names first",
        find: |view| view.mentions.all.first().map(|&(_, choice)| choice),
    },
    Shortcut {
        key: "last_named",
        about: "the choice that the story names last",
        find: |view| view.mentions.all.last().map(|&(_, choice)| choice),
    },
    Shortcut {
        key: "most_named",
        about: "the choice that the story names most often",
        find: |view| only_greatest(named(view).into_iter()),
    },
    Shortcut {
        key: "least_named",
        about: "the choice that the story names least often",
        find: |view| only_greatest(named(view).into_iter().map(std::cmp::Reverse)),
    },
    Shortcut {
        key: "never_named",
        about: "the only choice that the story does not name",
        find: |view| {
            let named = named(view);
            only_greatest(named.iter().map(|&count| count == 0)).filter(|&choice| named[choice] == 0)
        },
    },
    Shortcut {
        key: "named_last_with_target",
        about: "the last choice in a sentence that names the target",
        find: |view| with(view, Some(&view.case.about)).last(),
    },
    Shortcut {
        key: "named_first_with_target",
        about: "the first choice in a sentence that names the target",
        find: |view| with(view, Some(&view.case.about)).next(),
    },
    Shortcut {
        key: "named_last_with_asker",
        about: "the last choice in a sentence that names the first mind's owner",
        find: |view| with(view, view.asker()).last(),
    },
    Shortcut {
        key: "named_last_with_both",
        about: "the last choice in a sentence that names her and the target",
        find: |view| with_target(view, view.asker()),
    },
    Shortcut {
        key: "named_last_with_inner",
        about: "the last choice in one that names the last mind's owner and the target",
        find: |view| with_target(view, view.case.company.last().map(String::as_str)),
    },
];

/// The last choice in a sentence that names somebody and the target.
fn with_target(view: &View<'_>, name: Option<&str>) -> Option<usize> {
    let sentences_with = |name: &str| view.mentions.sentences_with(&view.case.story, name);
    let (own, of_target) = (sentences_with(name?), sentences_with(&view.case.about));
    let mut found = view.mentions.all.iter().rev().filter(|(sentence, _)| {
        own.binary_search(sentence).is_ok() && of_target.binary_search(sentence).is_ok()
    });
    found.find(|(_, choice)| view.case.choices[*choice] != view.case.about).map(|&(_, choice)| choice)
}

fn named(view: &View<'_>) -> Vec<usize> {
    counts(view.mentions.all.iter().map(|&(_, choice)| choice), view.case.choices.len())
}

/// The choices named in the sentences in which a name stands, in order.
fn with<'a>(view: &'a View<'_>, name: Option<&'a str>) -> impl Iterator<Item = usize> + 'a {
    let sentences = name.map_or_else(Vec::new, |name| view.mentions.sentences_with(&view.case.story, name));
    let choices = &view.case.choices;
    let found = view.mentions.all.iter();
    let found = found.filter(move |(sentence, _)| sentences.binary_search(sentence).is_ok());
    found.map(|&(_, choice)| choice).filter(move |&choice| Some(choices[choice].as_str()) != name)
}
