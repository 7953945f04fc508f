//! Packs: files of the words that stories are told in, beyond names and deeds.
//!
//! A pack is a YAML file with the header `storysim_pack: 1` and a `kind`, which says what its words are for. [`parse`] turns
//! it into [`Words`], ready to be told: texts cut at their slots, in the order of the file. Everything by which a story could
//! be seen through without following a mind, such as lies that are longer than sincere words, is refused here.
//!
//! A further kind is one more entry of [`KINDS`] and one more variant of [`Words`].

mod acts;
mod begin;
mod brackets;
mod builtin;
mod feelings;
mod phrases;
mod profiles;
mod prospects;
mod read;
mod rules;
mod setting;
mod settings;
mod small_talk;
mod text;
mod white_lie;
mod wording;

#[cfg(test)]
mod tests;

use crate::diagnostic::{Diagnostic, Source, Span};
use crate::storyboard::yaml::{self, Kind, Node};
use crate::storyboard::{BYTE_ORDER_MARK, Fields, Name, SOURCE_BYTES_MAX};
pub use acts::{Acts, Turn};
pub use begin::Beginning;
pub use builtin::{BUILT_IN, BuiltIn, built_in};
pub use phrases::{AroundWords, Phrase};
pub use profiles::ProfileWords;
pub use prospects::{ProspectWords, SideWords};
pub use read::{ENTRIES_MAX, TEXT_CHARACTERS_MAX};
use read::{PackReader, TextForm};
pub use rules::{Doing, Intention, Line, RuleWords};
pub use setting::SettingPack;
pub use settings::SettingWords;
pub use small_talk::SmallTalkWords;
pub use text::{Piece, Slot, Text};
pub use white_lie::{Class, LieType, Matter, Reason, ReasonTexts, Reasons, TruthTexts, WhiteLie};
pub use wording::{Tense, Way, WordingWords, plain_pieces};

/// The key that makes a file a pack. Its value is the version of the format.
pub const PACK_KEY: &str = "storysim_pack";

/// The keys that every pack has.
const HEADER: [&str; 4] = [PACK_KEY, "kind", "name", "about"];

/// A pack, format version 1.
///
/// ```
/// use storysim::pack::{Class, built_in};
/// let dinner = built_in("dinner").unwrap();
/// assert_eq!((dinner.name.value.as_str(), dinner.kind().key), ("dinner", "white-lie"));
/// assert_eq!(dinner.white_lie().unwrap().class, Class::Mistake);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pack {
    /// The file it came from.
    pub source: Source,
    /// `name`
    pub name: Name,
    /// `about`
    pub about: Option<String>,
    /// Its words.
    pub words: Words,
}

/// The words of a pack, by its kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Words {
    /// `kind: white-lie`
    WhiteLie(Box<WhiteLie>),
    /// `kind: acts`
    Acts(Acts),
    /// `kind: prospects`
    Prospects(Vec<ProspectWords>),
    /// `kind: settings`
    Settings(Vec<SettingWords>),
    /// `kind: small-talk`
    SmallTalk(SmallTalkWords),
    /// `kind: profiles`
    Profiles(Box<ProfileWords>),
    /// `kind: rules`
    Rules(Box<RuleWords>),
    /// `kind: wording`
    Wording(Box<WordingWords>),
    /// `kind: setting`; none if it has no places
    Setting(Option<Box<SettingPack>>),
}

/// What a pack can be for.
#[derive(Debug)]
pub struct PackKind {
    /// What an author writes after `kind:`
    pub key: &'static str,
    /// A heading for packs of this kind, which says what they are for.
    pub heading: &'static str,
    /// A pack of this kind in messages.
    phrase: &'static str,
    /// The keys besides those that every pack has.
    keys: &'static [&'static str],
    read: fn(&mut PackReader<'_>, &mut Fields) -> Words,
}

/// All kinds of packs.
pub const KINDS: &[PackKind] = &[
    PackKind {
        key: "white-lie",
        heading: "White lies: an occasion on which somebody is spared the truth",
        phrase: "a pack of white lies",
        keys: &white_lie::KEYS,
        read: |reader, fields| Words::WhiteLie(Box::new(white_lie::read(reader, fields))),
    },
    PackKind {
        key: "acts",
        heading: "Acts: what people say as they come and go, in small talk, and to confirm",
        phrase: "a pack of acts",
        keys: &acts::KEYS,
        read: |reader, fields| Words::Acts(acts::read(reader, fields)),
    },
    PackKind {
        key: "prospects",
        heading: "Prospects: what may turn out one way or the other",
        phrase: "a pack of prospects",
        keys: &prospects::KEYS,
        read: |reader, fields| Words::Prospects(prospects::read(reader, fields)),
    },
    PackKind {
        key: "settings",
        heading: "Settings: where stories take place",
        phrase: "a pack of settings",
        keys: &settings::KEYS,
        read: |reader, fields| Words::Settings(settings::read(reader, fields)),
    },
    PackKind {
        key: "small-talk",
        heading: "Small talk: how scenarios open, and what bystanders say that carries nothing",
        phrase: "a pack of small talk",
        keys: &small_talk::KEYS,
        read: |reader, fields| Words::SmallTalk(small_talk::read(reader, fields)),
    },
    PackKind {
        key: "profiles",
        heading: "Profiles: who people are",
        phrase: "a pack of profiles",
        keys: &profiles::KEYS,
        read: |reader, fields| Words::Profiles(Box::new(profiles::read(reader, fields))),
    },
    PackKind {
        key: "rules",
        heading: "Rules: what news does to people",
        phrase: "a pack of rules",
        keys: &rules::KEYS,
        read: |reader, fields| Words::Rules(Box::new(rules::read(reader, fields))),
    },
    PackKind {
        key: "wording",
        heading: "Wordings: how stories and questions are said",
        phrase: "a pack of wordings",
        keys: &wording::KEYS,
        read: |reader, fields| Words::Wording(Box::new(wording::read(reader, fields))),
    },
    PackKind {
        key: "setting",
        heading: "Settings of storyboards: their people, places and verbs",
        phrase: "a setting",
        keys: &setting::KEYS,
        read: |reader, fields| Words::Setting(setting::read(reader, fields).map(Box::new)),
    },
];

impl Words {
    /// The key of the kind to which the words belong.
    const fn kind_key(&self) -> &'static str {
        match self {
            Self::WhiteLie(_) => "white-lie",
            Self::Acts(_) => "acts",
            Self::Prospects(_) => "prospects",
            Self::Settings(_) => "settings",
            Self::SmallTalk(_) => "small-talk",
            Self::Profiles(_) => "profiles",
            Self::Rules(_) => "rules",
            Self::Wording(_) => "wording",
            Self::Setting(_) => "setting",
        }
    }
}

impl Pack {
    /// What the pack is for.
    pub fn kind(&self) -> &'static PackKind {
        KINDS.iter().find(|kind| kind.key == self.words.kind_key()).expect("every kind is listed")
    }

    /// The words, if it is a pack of white lies.
    pub fn white_lie(&self) -> Option<&WhiteLie> {
        if let Words::WhiteLie(words) = &self.words { Some(words) } else { None }
    }

    /// The words, if it is a pack of acts.
    pub const fn acts(&self) -> Option<&Acts> {
        if let Words::Acts(acts) = &self.words { Some(acts) } else { None }
    }

    /// The words, if it is a pack of prospects.
    pub fn prospects(&self) -> Option<&[ProspectWords]> {
        if let Words::Prospects(words) = &self.words { Some(words) } else { None }
    }

    /// The words, if it is a pack of settings.
    pub fn settings(&self) -> Option<&[SettingWords]> {
        if let Words::Settings(words) = &self.words { Some(words) } else { None }
    }

    /// The words, if it is a pack of small talk.
    pub const fn small_talk(&self) -> Option<&SmallTalkWords> {
        if let Words::SmallTalk(words) = &self.words { Some(words) } else { None }
    }

    /// The words, if it is a pack of profiles.
    pub fn profiles(&self) -> Option<&ProfileWords> {
        if let Words::Profiles(words) = &self.words { Some(words) } else { None }
    }

    /// The rules, if it is a pack of rules.
    pub fn rules(&self) -> Option<&RuleWords> {
        if let Words::Rules(words) = &self.words { Some(words) } else { None }
    }

    /// The sentences, if it is a pack of wordings.
    pub fn wording(&self) -> Option<&WordingWords> {
        if let Words::Wording(words) = &self.words { Some(words) } else { None }
    }

    /// The people, places and verbs, if it is a setting.
    pub fn setting(&self) -> Option<&SettingPack> {
        if let Words::Setting(words) = &self.words { words.as_deref() } else { None }
    }

    /// How many entries each list of the pack has, by its key; none is empty.
    ///
    /// ```
    /// let everyday = storysim::pack::built_in("everyday").unwrap();
    /// let keys: Vec<&str> = everyday.counts().iter().map(|(key, _)| *key).collect();
    /// assert_eq!(keys, ["come", "go", "reply", "open", "chat", "confirm"]);
    /// ```
    pub fn counts(&self) -> Vec<(&'static str, usize)> {
        match &self.words {
            Words::WhiteLie(words) => words.counts().collect(),
            Words::Acts(acts) => acts.counts().collect(),
            Words::Prospects(words) => vec![("prospects", words.len())],
            Words::Settings(words) => vec![("settings", words.len())],
            Words::SmallTalk(words) => words.counts().collect(),
            Words::Profiles(words) => words.counts().collect(),
            Words::Rules(words) => vec![
                ("feels", words.feels.len()),
                ("wants", words.wants.len()),
                ("does", words.does.len()),
                ("feelings", words.feelings.len()),
                ("intentions", words.intentions.len()),
            ],
            Words::Wording(words) => words.counts().collect(),
            Words::Setting(words) => words.iter().flat_map(|words| words.counts()).collect(),
        }
    }

    /// The first text of this pack that stories of news may tell, and that names a feeling of these rules; with the feeling. What `check`
    /// refuses in any pack is not looked for again.
    pub fn names_feeling(&self, rules: &RuleWords) -> Option<(&Text, String)> {
        feelings::told_feeling(rules, self.told_of_news().into_iter())
    }

    /// All texts that stories of news may tell.
    fn told_of_news(&self) -> Vec<&Text> {
        match &self.words {
            Words::Prospects(words) => words.iter().flat_map(ProspectWords::texts).collect(),
            Words::Settings(words) => {
                words.iter().flat_map(|words| words.places.iter().chain([&words.scene])).collect()
            }
            Words::SmallTalk(words) => words.texts().collect(),
            Words::Profiles(words) => words.texts().collect(),
            Words::WhiteLie(_) | Words::Acts(_) | Words::Rules(_) | Words::Wording(_) | Words::Setting(_) => {
                Vec::new()
            }
        }
    }

    /// The BLAKE3 hash of the pack's text, in hexadecimal digits.
    ///
    /// ```
    /// let [one, other] = ["dinner", "everyday"].map(|name| storysim::pack::built_in(name).unwrap().hash());
    /// assert!(one.len() == 64 && one != other);
    /// ```
    pub fn hash(&self) -> String {
        blake3::hash(self.source.text.as_bytes()).to_hex().to_string()
    }
}

/// Whether a text is meant to be a pack, right or wrong: it has the key [`PACK_KEY`].
///
/// ```
/// use storysim::{diagnostic::Source, pack::is_pack};
/// let is_pack = |text: &str| is_pack(&Source { name: "x".into(), text: text.into() });
/// assert!(is_pack("storysim_pack: 1\nname: [") && is_pack("{storysim_pack: 1}"));
/// assert!(!is_pack("storysim: 1\nname: x\nabout: \"storysim_pack: 1\"\n"));
/// ```
pub fn is_pack(source: &Source) -> bool {
    let begins = |line: &str| line.trim_start_matches(BYTE_ORDER_MARK).starts_with(PACK_KEY);
    if source.text.lines().any(begins) {
        return true;
    }
    // A search is quick; the tree says whether what was found is a key.
    source.text.contains(PACK_KEY)
        && yaml::parse(source, "a pack").is_ok_and(|root| value_of(&root, PACK_KEY).is_some())
}

/// Reads a pack.
///
/// # Errors
/// All problems, in the order of the file.
///
/// ```
/// use storysim::{diagnostic::Source, pack::parse};
/// let text = "storysim_pack: 1\nkind: acts\nname: terse\ncome: [Hello.]\ngo: [Bye.]\nreply: [I see.]\nopen: [Well.]\n";
/// let problems = parse(Source { name: "terse.yaml".into(), text: text.into() }).unwrap_err();
/// let messages: Vec<&str> = problems.iter().map(|problem| problem.message.as_str()).collect();
/// assert_eq!(messages[0], "a pack of acts needs `chat`");
/// assert_eq!(messages[1], "a pack of acts needs `confirm`");
/// assert_eq!(messages[2], "`come` needs at least 16 entries");
/// assert_eq!(messages.len(), 6);
/// ```
pub fn parse(source: Source) -> Result<Pack, Vec<Diagnostic>> {
    let bytes = source.text.len();
    if bytes > SOURCE_BYTES_MAX {
        let message = format!("a pack has at most {SOURCE_BYTES_MAX} bytes");
        return Err(vec![Diagnostic::error(message, Span::default(), format!("this one has {bytes}"))]);
    }
    let marked = source.text.strip_prefix(BYTE_ORDER_MARK).map(str::to_owned);
    let shift = if marked.is_some() { BYTE_ORDER_MARK.len_utf8() } else { 0 };
    let source = Source { text: marked.unwrap_or(source.text), ..source };
    let root = yaml::parse(&source, "a pack").map_err(|problem| vec![problem]);
    let read = root.and_then(|root| {
        let mut reader = PackReader::new(&source);
        let read = pack(&mut reader, root);
        let problems = reader.into_problems();
        if problems.is_empty() { read.ok_or(problems) } else { Err(problems) }
    });
    match read {
        Ok((name, about, words)) => Ok(Pack { source, name, about, words }),
        Err(mut problems) => {
            // The places are those in the text as it was given.
            let labels = problems.iter_mut().flat_map(|problem| &mut problem.labels);
            labels.for_each(|(span, _)| *span = Span::new(span.start + shift, span.end + shift));
            problems.sort_by_key(|problem| problem.labels.first().map(|label| label.0.start));
            Err(problems)
        }
    }
}

type Read = (Name, Option<String>, Words);

fn pack(reader: &mut PackReader<'_>, root: Node) -> Option<Read> {
    let kind = kind(reader, &root);
    // Of a pack without a kind that is known, nothing but the header can be judged.
    let kind = kind.or_else(|| {
        if !matches!(root.kind, Kind::Map(_)) {
            reader.fields(root.clone(), "a pack", &HEADER);
        }
        None
    })?;
    let keys: Vec<&'static str> = HEADER.iter().chain(kind.keys).copied().collect();
    let mut fields = reader.fields(root, kind.phrase, &keys)?;
    fields.take("kind");
    if let Some(node) = reader.required(&mut fields, PACK_KEY)
        && node.kind != Kind::Scalar("1".to_owned())
    {
        let problem = Diagnostic::error("this format version is not supported", node.span, "has to be 1");
        reader.problem(problem.help("this program reads packs of version 1"));
    }
    let name = reader.required(&mut fields, "name").and_then(|node| pack_name(reader, node));
    let about = fields.take("about").and_then(|node| reader.text(node, &TextForm::fixed("`about`")));
    let words = (kind.read)(reader, &mut fields);
    Some((name?, about.map(|about| about.to_string()), words))
}

/// The value of a key, before the whole map is read.
fn value_of<'a>(root: &'a Node, wanted: &str) -> Option<&'a Node> {
    let Kind::Map(entries) = &root.kind else { return None };
    let is_wanted = |key: &Node| matches!(&key.kind, Kind::Scalar(key) if key == wanted);
    entries.iter().find(|(key, _)| is_wanted(key)).map(|(_, value)| value)
}

/// The kind that a pack says it is of.
fn kind(reader: &mut PackReader<'_>, root: &Node) -> Option<&'static PackKind> {
    let keys: Vec<&str> = KINDS.iter().map(|kind| kind.key).collect();
    if let Some(node) = value_of(root, "kind") {
        return reader.one_of(node.clone(), "`kind` is", &keys).map(|at| &KINDS[at]);
    }
    if matches!(root.kind, Kind::Map(_)) {
        let quoted: Vec<String> = keys.iter().map(|key| format!("`{key}`")).collect();
        let help = match quoted.split_last() {
            Some((last, rest)) => format!("what its words are for: {} or {last}", rest.join(", ")),
            None => String::new(),
        };
        let problem = Diagnostic::error("a pack needs `kind`", root.span, "it is missing here");
        reader.problem(problem.help(help));
    }
    None
}

fn pack_name(reader: &mut PackReader<'_>, node: Node) -> Option<Name> {
    let name = reader.name(node, "a pack")?;
    let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if name.value.chars().all(fits) {
        return Some(name);
    }
    let problem = Diagnostic::error("this is not a valid name for a pack", name.span, "");
    reader.problem(problem.help("use a-z, 0-9 and `-`"));
    None
}
