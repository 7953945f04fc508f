//! Names and propositions that would make stories read ambiguously.
//!
//! A story is made of names and of the words between them. A name that contains such words, or that sounds like another
//! one, gives sentences that can be read in two ways; then neither a person nor [`crate::prose`] can tell what happens.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::Resolver;
use crate::diagnostic::{Diagnostic, Spanned};
use crate::form::{ActKind, JOINTS, JOINTS_OF_DEEDS, Piece};
use crate::pack::{Pack, WordingWords};
use crate::spelling::{shown, with_article};
use crate::storyboard::{Bind, Name, NotePart, Pool, Proposition, Style};

/// What is said of everybody or nobody, and therefore cannot name a character.
const RESERVED: [&str; 2] = ["everyone", "nobody"];

/// The marks that join or end sentences.
const MARKS: [char; 6] = ['.', ',', ';', ':', '!', '?'];

/// What the text of a proposition says, in a form that is the same for texts that read the same.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Word {
    Text(String),
    Role(String),
    /// Any place that a bind stands for: two binds may stand for the same one.
    Place,
}

impl Resolver<'_> {
    /// How sentences are worded, if not plainly. Reports names that cannot be told apart from what stands around them, or from
    /// each other.
    pub(super) fn wording(&mut self) -> Option<Arc<Pack>> {
        let board = self.storyboard;
        let wording = self.worded();
        let characters: &[Name] = match &board.characters.pool {
            Pool::Names(names) => names,
            Pool::BuiltIn(_) => &[],
        };
        let places = board.place_names();
        let objects = board.objects.iter().map(|object| &object.name);
        let containers = board.containers.iter().map(|container| &container.name);
        let things: Vec<&Name> = objects.chain(containers).chain(&board.attitudes).collect();
        let mut joints = self.joints();
        let words = wording.as_ref().and_then(|pack| pack.wording());
        joints.extend(words.map(WordingWords::joints).into_iter().flatten());
        joints.sort_by_key(|joint| std::cmp::Reverse(joint.len()));
        joints.dedup();
        for name in characters {
            self.no_joints(name, &joints, true);
        }
        for name in places.iter().chain(&things) {
            self.no_joints(name, &joints, false);
        }
        for name in characters {
            if RESERVED.contains(&name.value.to_lowercase().as_str()) {
                let message = format!("no character can be called `{}`", name.value);
                self.problem(
                    Diagnostic::error(message, name.span, "this word stands for no single character")
                        .help("choose another name"),
                );
            }
        }
        let bare = |name: &Name| shown(&name.value).into_owned();
        let spoken = |name: &Name| with_article(&name.value).into_owned();
        // "Ann doll is in the box" must not begin with Ann, nor "the doll is in the box room" end with the box.
        let objects = board.objects.iter().map(|object| (&object.name, spoken(&object.name)));
        self.none_begins(characters.iter().map(|name| (name, bare(name))), objects, "the character");
        let containers = board.containers.iter().map(|container| (&container.name, spoken(&container.name)));
        self.none_begins(containers, places.iter().map(|name| (*name, bare(name))), "the container");
        self.verbs_end_where_places_begin();
        self.propositions_differ();
        wording
    }

    /// The pack that the storyboard names for its sentences.
    fn worded(&mut self) -> Option<Arc<Pack>> {
        let board = self.storyboard;
        let name = board.wording.as_ref()?;
        if board.style == Style::Conversation {
            let message = "a conversation has the words of its packs, and no others";
            let problem = Diagnostic::error(message, name.span, "a wording");
            self.problem(problem.help("leave `wording` out"));
            return None;
        }
        self.pack_of(name, "wording", |pack| pack.wording().is_some())
    }

    /// The words that stand between names in stories of this storyboard, without blanks around them.
    fn joints(&self) -> Vec<&'static str> {
        let mut joints = JOINTS.to_vec();
        if super::staging::is_needed(self.storyboard) {
            joints.extend(JOINTS_OF_DEEDS);
            for kind in ActKind::ALL {
                joints.extend(kind.form().sentence().iter().filter_map(|piece| match piece {
                    Piece::Words(words) => Some(words.trim()),
                    Piece::Hole(_) => None,
                }));
            }
        }
        joints
    }

    /// Reports a name that contains words or marks which stand between names.
    fn no_joints(&mut self, name: &Name, joints: &[&str], is_of_person: bool) {
        let written = single_spaced(&shown(&name.value));
        // People follow each other, and each begins a sentence. Before other names there is always a verb, so the words
        // with which they begin are no joint, unless they are the whole name.
        let contains = |words: &str| {
            written.match_indices(words).any(|(at, _)| {
                let after = &written[at + words.len()..];
                let is_begun =
                    if at == 0 { is_of_person || after.is_empty() } else { written[..at].ends_with(' ') };
                is_begun && (after.is_empty() || after.starts_with(' '))
            })
        };
        let verbs = self.storyboard.verbs.iter().map(|verb| verb.value.as_str());
        let joint = joints.iter().copied().chain(verbs).find(|joint| contains(joint));
        let mark = written.char_indices().find(|&(at, c)| {
            MARKS.contains(&c) && written[at + c.len_utf8()..].chars().next().is_none_or(|next| next == ' ')
        });
        let remark = match (joint, mark) {
            (Some(joint), _) => format!("`{joint}` stands between names"),
            (None, Some((_, '.' | '!' | '?'))) => "sentences end like this".to_owned(),
            (None, Some((_, mark))) => format!("`{mark}` stands between names"),
            (None, None) if begins_like_a_label(&written) => "numbers of lines begin like this".to_owned(),
            (None, None) if written != shown(&name.value) => "two blanks look like one".to_owned(),
            (None, None) => return,
        };
        let message = format!("stories with the name `{}` could not be read", name.value);
        let help = format!("choose another name, such as `{}`", without_blanks(&name.value));
        self.problem(Diagnostic::error(message, name.span, remark).help(help));
    }

    /// Reports names that begin with the words of another name where either could stand.
    fn none_begins<'n>(
        &mut self,
        shorter: impl Iterator<Item = (&'n Name, String)>,
        longer: impl Iterator<Item = (&'n Name, String)>,
        what: &str,
    ) {
        let shorter: HashMap<String, &Name> = shorter.map(|(name, spoken)| (spoken, name)).collect();
        for (name, spoken) in longer {
            let beginnings = spoken.match_indices(' ').map(|(at, _)| &spoken[..at]);
            let Some(other) = beginnings.filter_map(|beginning| shorter.get(beginning)).next() else {
                continue;
            };
            let message = format!("\"{spoken}\" would begin like {what} `{}`", other.value);
            let problem = Diagnostic::error(message, name.span, "this would be called so")
                .label(other.span, "where this could stand too")
                .help("rename one of them");
            self.problem(problem);
        }
    }

    /// Reports verbs that end a sentence, and verbs of which one and a place read like another and a place.
    fn verbs_end_where_places_begin(&mut self) {
        let board = self.storyboard;
        for verb in &board.verbs {
            let written = single_spaced(&verb.value);
            if ends_a_sentence(&written) {
                let message = format!("stories with the verb `{}` could not be read", verb.value);
                let problem = Diagnostic::error(message, verb.span, "sentences end like this");
                self.problem(problem.help("leave the mark out"));
            }
        }
        let places: HashSet<String> =
            board.place_names().iter().map(|name| shown(&name.value).into_owned()).collect();
        for verb in &board.verbs {
            for longer in &board.verbs {
                let Some(rest) = longer.value.strip_prefix(&verb.value) else { continue };
                let Some(rest) = rest.strip_prefix(' ') else { continue };
                let found = places.iter().filter_map(|place| place.strip_prefix(rest)?.strip_prefix(' '));
                if let Some(place) = found.filter(|place| places.contains(*place)).min() {
                    let message = format!("\"{} {place}\" could be read in two ways", longer.value);
                    let remark = format!("of `{}`, a place is called `{rest} {place}`", verb.value);
                    self.problem(
                        Diagnostic::error(message, longer.span, remark).help("rename the place or a verb"),
                    );
                }
            }
        }
    }

    /// Reports propositions whose words, or whose contraries' words, are those of another, and those that end a sentence.
    fn propositions_differ(&mut self) {
        let board = self.storyboard;
        let mut known: HashMap<Vec<Word>, Vec<(usize, &[NotePart])>> = HashMap::new();
        // What can be said of matters has the words of packs.
        let worded = board.propositions.iter().enumerate().filter(|(_, known)| known.of.is_none());
        for (at, Proposition { name, says, denies, .. }) in worded {
            if [says, denies].iter().any(|text| ends_a_sentence(&plain(text))) {
                let message = format!("what `{}` says could not be read in a story", name.value);
                let problem = Diagnostic::error(message, name.span, "a sentence ends in its words");
                let help = "write a clause that can follow \"Ann says that …\", without marks at its end";
                self.problem(problem.help(help));
            }
            let mut same = None;
            for text in [says, denies] {
                let alike = known.entry(self.words(text)).or_default();
                let is_same = |&&(other, others): &&(usize, &[NotePart])| {
                    other != at && self.may_be_the_same(others, text)
                };
                same = same.or(alike.iter().find(is_same).map(|&(other, _)| (other, text)));
                alike.push((at, text));
            }
            if let Some((other, text)) = same {
                let first = &board.propositions[other].name;
                let message = format!("`{}` and `{}` say the same", first.value, name.value);
                let problem = Diagnostic::error(message, name.span, "the second")
                    .label(first.span, "the first")
                    .help(self.how_to_differ(text));
                self.problem(problem);
            }
        }
    }

    fn how_to_differ(&self, text: &[NotePart]) -> &'static str {
        let names_a_bind =
            |part: &NotePart| matches!(part, NotePart::Name(name) if self.bind(&name.value).is_some());
        if text.iter().any(names_a_bind) {
            "a story could affirm one and deny the other: drop one, or let their places differ with `not`"
        } else {
            "a story could affirm one and deny the other: drop one, or give it other words"
        }
    }

    fn bind(&self, name: &str) -> Option<&Bind> {
        self.storyboard.binds.iter().find(|bind| bind.name.value == name)
    }

    /// The words of a proposition, without what does not count when they are compared.
    fn words(&self, text: &[NotePart]) -> Vec<Word> {
        let word = |part: &NotePart| match part {
            NotePart::Text(text) => Word::Text(single_spaced(&text.to_lowercase())),
            NotePart::Name(name) if self.bind(&name.value).is_some() => Word::Place,
            NotePart::Name(name) => Word::Role(name.value.clone()),
        };
        text.iter().map(word).collect()
    }

    /// Whether two texts that differ in binds alone read the same under some cast, as far as the binds' own conditions
    /// tell.
    fn may_be_the_same(&self, first: &[NotePart], second: &[NotePart]) -> bool {
        let excludes = |one: &Bind, other: &Bind| {
            let named = |name: &Name| name.value == other.name.value;
            one.not.iter().any(named) || one.next_to.as_ref().is_some_and(named)
        };
        first.iter().zip(second).all(|parts| {
            let (NotePart::Name(first), NotePart::Name(second)) = parts else { return true };
            match (self.bind(&first.value), self.bind(&second.value)) {
                (Some(first), Some(second)) => !excludes(first, second) && !excludes(second, first),
                _ => true,
            }
        })
    }
}

/// The text with single blanks.
fn single_spaced(text: &str) -> String {
    // Blanks at the ends stay: pieces of a text join there.
    let mut spaced = String::with_capacity(text.len());
    for c in text.chars() {
        match c.is_whitespace() {
            true if spaced.ends_with(' ') => {}
            true => spaced.push(' '),
            false => spaced.push(c),
        }
    }
    spaced
}

/// A name like this one in which nothing can stand for a word of its own.
fn without_blanks(name: &str) -> String {
    let words = name.split(|c: char| c.is_whitespace() || MARKS.contains(&c) || "_-*•–)".contains(c));
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    if words.is_empty() { "x".to_owned() } else { words.join("-") }
}

/// Whether a name begins like a line of a list, as in `1) Ann` or `- Ann`.
fn begins_like_a_label(name: &str) -> bool {
    let digits = name.len() - name.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let mut rest = name[digits..].chars();
    let mark = rest.next();
    let is_mark = match digits {
        0 => matches!(mark, Some('-' | '*' | '•' | '–')),
        _ => matches!(mark, Some('.' | ')' | ':')),
    };
    is_mark && rest.next().is_none_or(|c| c == ' ')
}

/// Whether a sentence would end within or after these words.
fn ends_a_sentence(words: &str) -> bool {
    let mut words = words.split(' ');
    words.any(|word| word.trim_end_matches(['"', '\'', ')', '”', '’']).ends_with(['.', '!', '?']))
}

/// The text of a proposition, with the names of roles and binds for what they stand for.
fn plain(text: &[NotePart]) -> String {
    let piece = |part: &NotePart| match part {
        NotePart::Text(text) => single_spaced(text),
        NotePart::Name(Spanned { value, .. }) => value.clone(),
    };
    text.iter().map(piece).collect()
}
