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
        find: |view| with(view, [Some(&view.case.about)]).last(),
    },
    Shortcut {
        key: "named_first_with_target",
        about: "the first choice in a sentence that names the target",
        find: |view| with(view, [Some(&view.case.about)]).next(),
    },
    Shortcut {
        key: "named_last_with_asker",
        about: "the last choice in a sentence that names the first mind's owner",
        find: |view| with(view, [view.asker()]).last(),
    },
    Shortcut {
        key: "named_last_with_both",
        about: "the last choice in a sentence that names her and the target",
        find: |view| with(view, [view.asker(), Some(&view.case.about)]).last(),
    },
    Shortcut {
        key: "named_last_with_inner",
        about: "the last choice in one that names the last mind's owner and the target",
        find: |view| {
            with(view, [view.case.company.last().map(String::as_str), Some(&view.case.about)]).last()
        },
    },
];

fn named(view: &View<'_>) -> Vec<usize> {
    counts(view.mentions.all.iter().map(|&(_, choice)| choice), view.case.choices.len())
}

/// The choices named in the sentences that contain all of these names, in order.
fn with<'a, const N: usize>(
    view: &'a View<'_>,
    names: [Option<&'a str>; N],
) -> impl Iterator<Item = usize> + 'a {
    let sentences_of = |name: &str| view.mentions.sentences_with(&view.case.story, name);
    let sentences = names.map(|name| name.map_or_else(Vec::new, sentences_of));
    let choices = &view.case.choices;
    let found = view.mentions.all.iter();
    let found = found
        .filter(move |(sentence, _)| sentences.iter().all(|known| known.binary_search(sentence).is_ok()));
    found.map(|&(_, choice)| choice).filter(move |&choice| !names.contains(&Some(choices[choice].as_str())))
}
