//! Rows of conversations, answered by a reader that has nothing but the row and the packs.
//!
//! The reader finds the texts of packs in what people say, and from who is there when something is said it works out what everybody
//! knows. It shares no code with what tells stories and answers questions.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use storysim::compile::compile_family;
use storysim::dataset::{RowMaker, RowOptions};
use storysim::diagnostic::Source;
use storysim::pack::{self, Piece, Slot, Text, Turn, WhiteLie};
use storysim::select::admit;
use storysim::storyboard::{BUILT_IN, Style, parse};

use crate::effort::times;

type People = BTreeSet<String>;

/// What somebody says.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Said {
    Comes,
    Goes,
    /// Small talk, a reply, or a question.
    Nothing,
    /// The reason for what is going to be claimed of a thing, in words of its own, and whether the claim is so.
    Reason {
        thing: String,
        why: String,
        is_so: bool,
    },
    /// Whether the claim is so.
    Truth {
        thing: String,
        is_so: bool,
    },
    Hint {
        thing: String,
    },
    Claim {
        thing: String,
    },
}

/// The fillings of a text's slots under which it is what somebody says.
fn fillings(text: &Text, said: &str, words: &WhiteLie, names: &[String]) -> Option<BTreeMap<Slot, String>> {
    fn go(
        pieces: &[Piece],
        said: &str,
        candidates: &dyn Fn(Slot) -> Vec<String>,
        found: &mut BTreeMap<Slot, String>,
    ) -> bool {
        let Some((first, rest)) = pieces.split_first() else { return said.is_empty() };
        match first {
            Piece::Words(words) => {
                said.strip_prefix(words.as_str()).is_some_and(|said| go(rest, said, candidates, found))
            }
            Piece::Slot(slot) => candidates(*slot).into_iter().any(|candidate| {
                let is_it = |said: &str| said.to_lowercase() == candidate.to_lowercase();
                let after =
                    said.get(..candidate.len()).filter(|said| is_it(said)).map(|_| &said[candidate.len()..]);
                let is_new = found.get(slot).is_none_or(|known| *known == candidate);
                let Some(after) = after.filter(|_| is_new) else { return false };
                let before = found.insert(*slot, candidate.clone());
                if go(rest, after, candidates, found) {
                    return true;
                }
                match before {
                    Some(before) => found.insert(*slot, before),
                    None => found.remove(slot),
                };
                false
            }),
        }
    }
    let candidates = |slot: Slot| match slot {
        Slot::Liar | Slot::Target => names.to_vec(),
        Slot::Thing => words.matters.iter().map(|matter| matter.thing.to_string()).collect(),
        Slot::Reason => {
            let reasons = words.reasons.pretend.iter().chain(&words.reasons.plain);
            reasons.map(|reason| reason.told.to_string()).collect()
        }
        _ => {
            let claims = words.matters.iter().flat_map(|matter| [&matter.says, &matter.denies]);
            claims.flat_map(|claim| names.iter().map(|name| claim.to_string().replace("{L}", name))).collect()
        }
    };
    let mut found = BTreeMap::new();
    go(&text.pieces, said, &candidates, &mut found).then_some(found)
}

/// A reader of one conversation.
struct Reader {
    names: Vec<String>,
    /// Who is there, at first and after every line.
    there: People,
    /// What was said, by whom, and who heard it; the speaker among them.
    heard: Vec<(Said, String, People)>,
}

impl Reader {
    fn new(row: &Value) -> Self {
        let context = row["context"].as_str().unwrap();
        let story = row["story"].as_str().unwrap();
        let at_first = context.split_once(" At first, ").unwrap().1.split_once(". ").unwrap().0;
        let listed = |text: &str| -> Vec<String> {
            let names = text.split(" is ").next().unwrap().split(" are ").next().unwrap();
            names.replace(" and ", ", ").split(", ").map(str::to_owned).collect()
        };
        // Where people talk comes first.
        let parts = at_first.split("; ").enumerate();
        let groups: Vec<(bool, Vec<String>)> = parts.map(|(at, part)| (at == 0, listed(part))).collect();
        let names: Vec<String> = groups.iter().flat_map(|(_, names)| names.clone()).collect();
        let there =
            groups.iter().filter(|(is_there, _)| *is_there).flat_map(|(_, names)| names.clone()).collect();
        let mut reader = Self { names, there, heard: Vec::new() };
        let words = reader.pack(story);
        for line in story.lines() {
            let (who, said) = line.split_once(": ").expect("somebody says it");
            let said = reader.said(who, said, words);
            assert!(said == Said::Comes || reader.there.contains(who), "{who} is there to say this");
            match said {
                Said::Comes => drop(reader.there.insert(who.to_owned())),
                Said::Goes => drop(reader.there.remove(who)),
                Said::Nothing => {}
                said => {
                    reader.heard.push((said, who.to_owned(), reader.there.clone()));
                }
            }
        }
        reader
    }

    /// The pack whose words the conversation has.
    fn pack(&self, story: &str) -> &'static WhiteLie {
        let packs = pack::BUILT_IN.iter().filter_map(|known| pack::built_in(known.name)?.white_lie());
        let speaks = |words: &&WhiteLie| {
            let texts = words.reason.iter().flat_map(|pair| [&pair.pretend, &pair.plain]);
            texts.clone().any(|text| {
                story.lines().any(|line| {
                    fillings(text, line.split_once(": ").unwrap().1, words, &self.names).is_some()
                })
            })
        };
        packs.into_iter().find(speaks).expect("a pack")
    }

    fn said(&self, who: &str, said: &str, words: &WhiteLie) -> Said {
        let fits = |text: &Text| fillings(text, said, words, &self.names);
        let thing = |found: &BTreeMap<Slot, String>| {
            let own = found.get(&Slot::Thing).cloned();
            own.unwrap_or_else(|| {
                let claim =
                    found.get(&Slot::Says).or(found.get(&Slot::Denies)).expect("it is about something");
                let named = words.matters.iter().map(|matter| matter.thing.to_string());
                named
                    .filter(|thing| claim.to_lowercase().contains(&thing.to_lowercase()))
                    .max_by_key(String::len)
                    .unwrap()
            })
        };
        for pair in &words.reason {
            for (text, is_so) in [(&pair.pretend, false), (&pair.plain, true)] {
                if let Some(found) = fits(text) {
                    let kind = if is_so { &words.reasons.plain } else { &words.reasons.pretend };
                    let told = &found[&Slot::Reason];
                    let reason = kind.iter().find(|reason| reason.told.to_string() == *told);
                    let why = reason.expect("a reason of this kind").why.to_string();
                    return Said::Reason { thing: thing(&found), why, is_so };
                }
            }
        }
        for pair in &words.truth {
            for (text, is_so) in [(&pair.no, false), (&pair.yes, true)] {
                if let Some(found) = fits(text) {
                    return Said::Truth { thing: thing(&found), is_so };
                }
            }
        }
        if let Some(found) = words.hint.iter().find_map(fits) {
            return Said::Hint { thing: thing(&found) };
        }
        if let Some(found) = words.claim.iter().find_map(fits) {
            return Said::Claim { thing: thing(&found) };
        }
        if words.ask.iter().any(|text| fits(text).is_some()) {
            return Said::Nothing;
        }
        let acts = pack::built_in("everyday").unwrap().acts().unwrap();
        // Whoever confirms a claim says it once more.
        let mut confirming = acts.of(Turn::Confirm).iter().chain(words.acts.of(Turn::Confirm));
        if let Some(found) = confirming.find_map(fits) {
            return Said::Claim { thing: thing(&found) };
        }
        let of =
            |turn: Turn| acts.of(turn).iter().chain(words.acts.of(turn)).any(|text| text.to_string() == said);
        match () {
            () if of(Turn::Come) && !self.there.contains(who) => Said::Comes,
            () if of(Turn::Go) && self.there.contains(who) => Said::Goes,
            () if of(Turn::Chat) || of(Turn::Reply) || of(Turn::Open) => Said::Nothing,
            () => panic!("nobody says this: {who}: {said}"),
        }
    }

    /// The answer of a row.
    fn answer(&self, row: &Value) -> String {
        let question = row["question"].as_str().unwrap();
        let (kind, about) = (row["kind"].as_str().unwrap(), row["about"].as_str().unwrap());
        let chain: Vec<&str> =
            row["chain"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
        let facet = about.split_once('.').map_or("", |(_, facet)| facet);
        let of = Matter::new(self, question);
        // Of some people alone, the question says their names.
        let of_some: Option<Vec<&str>> =
            row["of"].as_array().map(|of| of.iter().map(|name| name.as_str().unwrap()).collect());
        assert!(of_some.iter().flatten().all(|name| question.contains(name)), "{question}");
        let who = |is_so: &dyn Fn(&str) -> bool| {
            let is_asked = |who: &&str| of_some.as_ref().is_none_or(|of| of.contains(who));
            let mut people: Vec<&str> =
                self.names.iter().map(String::as_str).filter(is_asked).filter(|who| is_so(who)).collect();
            people.sort_by_key(|who| PEOPLE.iter().position(|known| known == who));
            if people.is_empty() { "nobody".to_owned() } else { people.join(", ") }
        };
        let yes_or_no = |is_so: bool| (if is_so { "yes" } else { "no" }).to_owned();
        match kind {
            "honest" => yes_or_no(of.is_so),
            "why" => of.why.clone(),
            "present" => who(&|who| of.told(facet).is_some_and(|heard| heard.contains(who))),
            "belief" => of.holds(&chain).map_or("unknown".to_owned(), yes_or_no),
            "knows" => yes_or_no(of.knows(facet, &chain)),
            "who_knows" => who(&|who| of.knows(facet, &[who])),
            "stands" => {
                let [first, second] = [chain[0], chain[1]];
                match (of.knows(facet, &[first]), of.knows(facet, &[second]), of.knows(facet, &chain)) {
                    (false, false, _) => "Neither of them knows it.".to_owned(),
                    (false, true, _) => format!("{second} knows it, and {first} does not."),
                    (true, true, true) => format!("Both know it, and {first} knows that {second} does."),
                    (true, true, false) => {
                        format!("Both know it, but {first} thinks that {second} does not.")
                    }
                    (true, false, _) => {
                        format!("{first} knows it, and rightly thinks that {second} does not.")
                    }
                }
            }
            "could_lie" | "sees_through" => {
                let before = of.before_claim();
                let is_so = |who: &str| match kind {
                    "could_lie" => {
                        who != of.target
                            && before.knows("claim", &[who])
                            && !before.knows("claim", &[who, &of.target])
                    }
                    _ => before.knows("claim", &[who]) && of.claims[0].1.contains(who),
                };
                match chain.first() {
                    Some(one) => yes_or_no(is_so(one)),
                    None => who(&|who| is_so(who)),
                }
            }
            kind => panic!("{kind}"),
        }
    }
}

impl Reader {
    /// Checks what a row says of its matters, and of everybody's role in the one that is asked about.
    fn check_matters(&self, row: &Value) {
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        for matter in row["matters"].as_object().unwrap().values() {
            let words = pack::built_in(matter["pack"].as_str().unwrap()).unwrap().white_lie().unwrap();
            assert_eq!(matter["class"], words.class.key());
            assert_eq!(matter["type"], words.class.lie_type().key());
            let own = text(&matter["thing"]);
            assert!(words.matters.iter().any(|known| known.thing.to_string() == own), "{row:#}");
            for (said, who, _) in &self.heard {
                match said {
                    Said::Reason { thing, why, is_so } if *thing == own => {
                        assert_eq!(
                            (&matter["why"], &matter["lie"]),
                            (&why.as_str().into(), &(!is_so).into())
                        );
                        assert_eq!(matter["by"][0], who.as_str(), "{row:#}");
                    }
                    Said::Truth { thing, is_so } if *thing == own => {
                        assert_eq!((&matter["level"], &matter["lie"]), (&1.into(), &(!is_so).into()));
                    }
                    Said::Hint { thing } if *thing == own => assert_eq!(matter["level"], 2),
                    Said::Claim { thing } if *thing == own => {
                        let mut by = matter["by"].as_array().unwrap().iter();
                        assert!(by.any(|one| one == who.as_str()), "{row:#}");
                    }
                    _ => {}
                }
            }
        }
        let Some(asked) = row["matter"].as_str() else { return assert_eq!(row["roles"], Value::Null) };
        let matter = &row["matters"][asked];
        let own = text(&matter["thing"]);
        for name in &self.names {
            let is_there = |wanted: &dyn Fn(&Said) -> bool| {
                self.heard.iter().any(|(said, _, heard)| wanted(said) && heard.contains(name))
            };
            let says = self
                .heard
                .iter()
                .any(|(said, who, _)| who == name && *said == Said::Claim { thing: own.clone() });
            let reason = |said: &Said| matches!(said, Said::Reason { thing, .. } if *thing == own);
            let truth = |said: &Said| matches!(said, Said::Truth { thing, .. } | Said::Hint { thing } if *thing == own);
            let role = match () {
                () if matter["to"] == name.as_str() => "target",
                () if says => "liar",
                () if matter["by"][0] == name.as_str() || is_there(&reason) => "accomplice",
                () if is_there(&truth) => "observer",
                () => "outsider",
            };
            assert_eq!(row["roles"][name], role, "{name}: {row:#}");
        }
        assert_eq!(row["roles"].as_object().unwrap().len(), self.names.len());
    }
}

/// What was said of the matter that a question names.
struct Matter {
    liar: String,
    target: String,
    is_so: bool,
    why: String,
    level: u8,
    /// Who told the truth, if anybody did.
    teller: Option<String>,
    reasons: Vec<(usize, People)>,
    truths: Vec<(usize, People)>,
    claims: Vec<(usize, People)>,
}

impl Matter {
    fn new(reader: &Reader, question: &str) -> Self {
        let tells = |name: &&String| {
            ["told", "tells", "tell"].iter().any(|verb| question.contains(&format!("{verb} {name} about")))
        };
        let named = |thing: &str| question.to_lowercase().contains(&thing.to_lowercase());
        let mut matter = Self {
            liar: String::new(),
            target: reader.names.iter().find(tells).cloned().unwrap_or_default(),
            is_so: false,
            why: String::new(),
            level: 3,
            teller: None,
            reasons: Vec::new(),
            truths: Vec::new(),
            claims: Vec::new(),
        };
        for (at, (said, who, heard)) in reader.heard.iter().enumerate() {
            match said {
                Said::Reason { thing, why, is_so } if named(thing) => {
                    (matter.liar, matter.why, matter.is_so) = (who.clone(), why.clone(), *is_so);
                    matter.reasons.push((at, heard.clone()));
                }
                Said::Truth { thing, is_so } if named(thing) => {
                    (matter.level, matter.is_so, matter.teller) = (1, *is_so, Some(who.clone()));
                    matter.truths.push((at, heard.clone()));
                }
                Said::Hint { thing } if named(thing) => {
                    (matter.level, matter.teller) = (2, Some(who.clone()));
                    matter.truths.push((at, heard.clone()));
                }
                Said::Claim { thing } if named(thing) => matter.claims.push((at, heard.clone())),
                _ => {}
            }
        }
        matter
    }

    fn told(&self, facet: &str) -> Option<&People> {
        let of = match facet {
            "reason" | "reason.told" => &self.reasons,
            "claim" | "claim.told" => &self.claims,
            _ => &self.truths,
        };
        of.first().map(|(_, heard)| heard)
    }

    /// The same matter just before the claim was made.
    fn before_claim(&self) -> Self {
        let made = self.claims[0].0;
        let before = |said: &[(usize, People)]| said.iter().filter(|(at, _)| *at < made).cloned().collect();
        Self {
            liar: self.liar.clone(),
            target: self.target.clone(),
            why: self.why.clone(),
            teller: self.teller.clone(),
            reasons: before(&self.reasons),
            truths: before(&self.truths),
            claims: Vec::new(),
            ..*self
        }
    }

    /// Whether all of these hear one of the sayings together.
    fn hear(said: &[(usize, People)], chain: &[&str]) -> bool {
        said.iter().any(|(_, heard)| chain.iter().all(|who| heard.contains(*who)))
    }

    /// What a chain of minds holds of the claim.
    fn holds(&self, chain: &[&str]) -> Option<bool> {
        let is_settled =
            Self::hear(&self.reasons, chain) || self.level == 1 && Self::hear(&self.truths, chain);
        if is_settled || *chain == [self.liar.as_str()] {
            return Some(self.is_so);
        }
        Self::hear(&self.claims, chain).then_some(true)
    }

    /// Whether the last of a chain knows something, as the others have it.
    fn knows(&self, facet: &str, chain: &[&str]) -> bool {
        let is_liar = *chain == [self.liar.as_str()];
        match facet {
            "claim" => {
                let (outer, inner) = (self.holds(&chain[..chain.len() - 1]), self.holds(chain));
                let really = if chain.len() == 1 { Some(self.is_so) } else { outer };
                inner.is_some() && inner == really
            }
            "reason" => is_liar || Self::hear(&self.reasons, chain),
            "truth" | "hint" if self.level == 2 => {
                let is_teller = self.teller.as_deref() == chain.first().copied() && chain.len() == 1;
                is_teller || Self::hear(&self.truths, chain)
            }
            "truth" => self.knows("claim", chain),
            facet => {
                let told = self.told(facet).expect("it was said");
                chain.iter().all(|who| told.contains(*who))
            }
        }
    }
}

/// The names of people, in the order in which they are listed.
static PEOPLE: std::sync::LazyLock<Vec<&'static str>> =
    std::sync::LazyLock::new(|| storysim::storyboard::built_in_pool("people").unwrap().to_vec());

/// How many rows are read.
fn rows_wanted() -> usize {
    times(6_000) as usize
}

#[test]
fn a_reader_of_the_text_alone_gives_every_answer() {
    let boards: Vec<_> = BUILT_IN
        .iter()
        .map(|built_in| parse(built_in.source()).unwrap())
        .filter(|board| board.style == Style::Conversation)
        .collect();
    assert!(!boards.is_empty());
    for board in &boards {
        let plans = compile_family(board, &[]).unwrap().plans;
        let family = admit(board, plans).unwrap().family;
        let mut maker = RowMaker::new(&family, 11, &[], RowOptions::default());
        let (mut read, mut kinds, mut index) = (0, BTreeSet::new(), 0);
        while read < rows_wanted() / boards.len() {
            let mut rows = String::new();
            maker.rows(index, &mut rows);
            index += 1;
            let mut reader: Option<Reader> = None;
            for line in rows.lines() {
                let row: Value = serde_json::from_str(line).unwrap();
                let reader = reader.get_or_insert_with(|| Reader::new(&row));
                assert_eq!(reader.answer(&row), row["answer"], "{row:#}");
                reader.check_matters(&row);
                kinds.insert(row["kind"].as_str().unwrap().to_owned());
                read += 1;
            }
        }
        assert!(kinds.len() >= 8, "{kinds:?}");
    }
}

/// Rows of a storyboard of one's own.
fn rows_of(board: &str, stories: u64) -> Vec<Value> {
    let board = parse(Source { name: "own.yaml".into(), text: board.into() }).unwrap();
    let plans = compile_family(&board, &[]).unwrap_or_else(|problems| panic!("{problems:?}")).plans;
    let family = admit(&board, plans).unwrap().family;
    let mut maker = RowMaker::new(&family, 11, &[], RowOptions::default());
    let mut rows = String::new();
    for index in 0..stories {
        maker.rows(index, &mut rows);
    }
    rows.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Two tell what they think of a gift, or the contrary, or show it; of two propositions some know one, and all the other.
const GIFT: &str = "
storysim: 1
name: gift
characters: {pool: [Ann, Bob, Cat]}
roles: [A, B, C]
places: {table: [away], away: [table]}
start: {C: away, else: table}
style: conversation
draw: {shown: [0, 1], wrong: [0, 1]}
propositions:
  gift: {says: \"the gift is a bicycle\", denies: \"the gift is a book\", known: A, wrong: B}
  trip: {says: \"there is a trip\"}
horizon: 3
events:
  - {at: 0, if: 1 - wrong, chat: {who: B}}
  - {at: 0, if: wrong, tell: {who: B, to: present, that: gift}}
  - {at: 1, if: shown, reveal: {who: A, that: gift}}
  - {at: 1, if: 1 - shown, tell: {who: A, to: present, that: gift}}
  - {at: 2, lie: {who: A, to: present, that: gift}}
questions:
  - {belief: [B, gift]}
  - {belief: [C, gift]}
  - {belief: [A, B, gift]}
  - {belief: [B, trip]}
  - {knows: [B, gift]}
  - {who_knows: gift}
";

#[test]
fn the_same_text_has_the_same_answer() {
    let mut answers: BTreeMap<[String; 3], Value> = BTreeMap::new();
    let rows = rows_of(GIFT, 6_000);
    let mut again = 0;
    for row in &rows {
        let text = ["context", "story", "question"].map(|field| row[field].as_str().unwrap().to_owned());
        match answers.get(&text) {
            Some(answer) => {
                again += 1;
                assert_eq!(*answer, row["answer"], "{row:#}");
            }
            None => drop(answers.insert(text, row["answer"].clone())),
        }
    }
    assert!(again > 1_000, "{again} of {}", rows.len());
    let says = |row: &Value, field: &str, part: &str| row[field].as_str().unwrap().contains(part);
    let shows = |row: &&Value| says(row, "story", "See for yourselves: the gift is a ");
    assert!(rows.iter().any(|row| shows(&row)) && !rows.iter().all(|row| shows(&row)));
    for row in &rows {
        for part in [
            " knows this.",
            " wrongly thinks that the gift is a ",
            "Whoever is away hears nothing",
            "To know something is",
        ] {
            assert!(says(row, "context", part), "{part}: {row:#}");
        }
    }
}

/// A matter beside a proposition about which somebody says what is not so.
const BESIDE: &str = "
storysim: 1
name: beside
characters: {pool: [Ann, Bob, Cat]}
roles: [L, A, T]
places: {table: [away], away: [table]}
start: table
style: conversation
propositions: {gift: {says: \"the gift is a bicycle\", known: A}}
matters: {m: {by: L, to: T}}
horizon: 5
events:
  - {at: 0, move: {who: T, to: away}}
  - {at: 1, reveal: {who: L, that: m.reason}, with: A, without: T}
  - {at: 2, move: {who: T, to: table}}
  - {at: 3, lie: {who: A, to: present, that: gift}, with: T}
  - {at: 4, tell: {who: L, to: present, that: {m.claim: true}}, with: T}
questions:
  - {belief: [T, m.claim], before: 4}
  - {belief: [T, m.claim], without: 4}
  - {belief: [T, gift], without: 3}
  - {belief: [T, gift], before: 2}
";

#[test]
fn beside_matters_people_may_say_what_is_not_so() {
    for row in rows_of(BESIDE, 20) {
        let context = row["context"].as_str().unwrap();
        assert!(!context.contains("Everything else that people say is true"), "{context}");
        for part in [
            "Everything else that people say of such a thing is true",
            "What people say of other things may be true or not. Those who hear it believe it, unless",
        ] {
            assert!(context.contains(part), "{part}: {context}");
        }
    }
}

/// What stands between quotation marks in a question are lines of the story, as they stand there, and those whose numbers it gives.
#[test]
fn questions_quote_whole_lines() {
    let mut counts = BTreeSet::new();
    for row in rows_of(BESIDE, 50) {
        let (story, question) = (row["story"].as_str().unwrap(), row["question"].as_str().unwrap());
        let lines: Vec<&str> = story.lines().collect();
        let (opening, rest) = question.split_once(" of the story (").unwrap();
        let (quoted, _) = rest.split_once(")").unwrap();
        let numbers = opening.split_whitespace().filter_map(|word| word.parse::<usize>().ok());
        let wanted: Vec<String> = numbers.map(|number| format!("\"{}\"", lines[number - 1])).collect();
        assert_eq!(quoted, wanted.join(" and "), "{question}");
        counts.insert((opening.starts_with("Just before line "), wanted.len()));
    }
    assert_eq!(counts.into_iter().collect::<Vec<_>>(), [(false, 1), (false, 2), (true, 1)]);
}

/// Whether the claim is so may come out by the truth alone, where that settles it.
#[test]
fn the_truth_of_level_1_is_enough_for_whether_it_was_so() {
    let board = BESIDE
        .replace(
            "reveal: {who: L, that: m.reason}, with: A, without: T",
            "reveal: {who: L, that: m.truth}, with: A",
        )
        .split("questions:")
        .next()
        .unwrap()
        .to_owned()
        + "questions: [{honest: m}]\n";
    let rows = rows_of(&board, 20);
    assert_eq!(rows.len(), 20);
    assert!(
        rows.iter().all(|row| row["answer"] == if row["matters"]["m"]["lie"] == true { "no" } else { "yes" })
    );
}
