//! Woven stories in which people do more than walk: things, tellings and what people know stay those of each board.

use storysim::adherence::Account;
use storysim::check::ActInCheck;
use storysim::form::{Part, Telling};
use storysim::id::{ContainerId, ObjectId, PropositionId};
use storysim::plan::{Moment, PlannedStrand, Question, Target, ThingCounts};
use storysim::question::{Answered, DifficultyGauge, Verdict};
use storysim::storyboard::QuestionKind;
use storysim::text::{Display, Lexicon, Words};
use storysim::trace::Trace;
use storysim::verify::Inspector;
use storysim::world::{Act, Container, Deed, Distraction, Item, Knowledge, Stage, Thing, Value};

use super::*;

/// Boards that are woven. All have things or tellings, but for some that come last.
const WOVEN: [&str; 9] = [
    "- rumour\n- {board: tomi-like, rename: {S1: A, S2: B, basket: hamper}}\n",
    "- {board: hitom-like, set: {chapters: 2}}\n- {board: sally-anne, rename: {box: chest, drawer: desk, basket: hamper, S1: Sally, S2: Anne}}\n- second-order-mislead-ship\n",
    "- whispers\n- rumour\n- {board: first-order-mislead, rename: {S1: Watcher, T: Walker}}\n",
    "- ice-cream-van\n- {board: first-order-mislead, rename: {S1: Watcher, T: Walker}}\n",
    "- {board: free.yaml, rename: {S1: A, S2: B, S3: C, ball: globe, tin: box}}\n- {board: phone-numbers, rename: {S1: K, S2: L, S3: M}}\n",
    "- free.yaml\n- {board: other.yaml, rename: {S1: K, S2: L, S3: M}}\n- {board: first-order-mislead, rename: {S1: Watcher}}\n",
    "- hidden-ball\n- {board: tomi-like, rename: {S1: A, S2: B}}\n",
    "- {board: rumour, rename: {S1: K, S2: L, S3: M, S4: N}}\n- liking.yaml\n- {board: gallery, rename: {S1: A, S2: B, painting: mosaic}}\n",
    "- {board: alone.yaml, rename: {S1: Z}}\n- gallery\n",
];

/// One person, who likes something or not.
const ALONE: &str = "storysim: 1\nname: alone\ncharacters: {pool: people, count: 1}\nroles: [S1]\nplaces: {complete: [p4, q4]}\n\
    start: p4\nattitudes: [honey]\nplay: {move: 2, react: 1}\nhorizon: 6\n\
    questions: [{who_likes: honey}, {who_likes: [S1, honey]}]\n";

/// People who show what they like, and tell each other.
const LIKING: &str = "storysim: 1\nname: liking\ncharacters: {pool: people, count: 3}\nroles: [S1, S2]\n\
    places: {complete: [p3, q3]}\nstart: p3\nattitudes: [tea, jam]\nobjects: {cup: p3}\n\
    propositions: {wet: {says: \"the yard is wet\", known: [S1]}}\n\
    play: {move: 3, react: 3, tell: 2, lie: 1, carry: 1}\nevents: [{at: 4, react: {who: S1, to: tea}}]\nhorizon: 14\n\
    questions: [{who_likes: [S1, tea]}, {who_dislikes: [S2, S1, jam]}, {who_likes: tea}, {belief: [S1, S2, cup]}, \
    {belief: [S2, wet]}, {who_dislikes: [S2, jam], before: 9}]\n";

/// Everything that people can do with things and say, drawn in free play; some of it watched or missed.
const FREE: &str = "storysim: 1\nname: free\ncharacters: {pool: people, count: 5}\nroles: [S1, S2, S3]\n\
    places: {complete: [p1, q1, r1]}\nstart: {S1: p1, S2: q1, S3: where, else: p1}\nbind: {where: {}, there: {not: [where]}}\n\
    containers: {crate: p1, tin: {in: where, is: closed}, sack: {in: p1, is: closed}}\n\
    objects: {ball: {in: [crate, q1]}, ring: {in: [S1], known: [S1, S2]}, coin: {in: [sack, r1], known: [S2]}}\n\
    propositions: {red: {says: \"{S1} likes red in {where}\", known: [S1], wrong: [S3]}, tall: {says: \"{S2} is tall\"}}\n\
    play: {move: 4, carry: 1, take: 1, put: 1, give: 1, throw: 1, open: 1, close: 1, tell: 1, lie: 1, whisper: 1}\n\
    horizon: 18\nverb: steps into\n\
    events: [{from: 3, until: 8, peek: [S2]}, {from: 9, until: 14, distracted: {who: S3, noticed: true}}, \
    {at: 6, note: \"It rains on {where}. {S1} hums.\"}, {at: 6, note: \"Nobody minds.\"}, {at: 17, note: \"So it ends.\"}]\n\
    questions: [{belief: [S1, S2, ball]}, {belief: [S2, ring]}, {knows: [S3, coin]}, {who_knows: ring}, \
    {belief: [S2, S1, red]}, {reality: tall}, {start: coin}, {could_answer: [S1, ball]}, {knows: [S1, S3, S2]}, {belief: [S3, S1]}, \
    {belief: [S1, S2, ball], before: 9}, {belief: [S2, ball], without: 4}, {who_knows: ring, before: 6}]\n";

fn board_of(weave: &str) -> Storyboard {
    let text = format!("storysim: 1\nname: woven\nweave:\n{weave}");
    let things = ["crate", "tin", "sack", "ball", "ring", "coin", "red", "tall"];
    let text_of = |name: &str| match name {
        "other.yaml" => {
            let renamed =
                |text: String, thing: &&str| text.replace(&format!("{thing}:"), &format!("{thing}_2:"));
            let text = things.iter().fold(FREE.to_owned(), renamed);
            let text = things
                .iter()
                .fold(text, |text, thing| text.replace(&format!("{thing}]"), &format!("{thing}_2]")));
            let text = text
                .replace("[crate,", "[crate_2,")
                .replace("[sack,", "[sack_2,")
                .replace("who_knows: ring", "who_knows: ring_2");
            let text =
                text.replace("reality: tall", "reality: tall_2").replace("start: coin", "start: coin_2");
            text.replace("p1", "p2").replace("q1", "q2").replace("r1", "r2")
        }
        "liking.yaml" => LIKING.to_owned(),
        "alone.yaml" => ALONE.to_owned(),
        _ => FREE.to_owned(),
    };
    let files = woven_files(&source(&text));
    let files =
        files.into_iter().map(|name| NamedFile { path: name.clone(), text: Ok(text_of(&name)), name });
    parse_beside(source(&text), files.collect())
        .unwrap_or_else(|broken| panic!("{weave}: {:?}", broken.problems))
}

/// Finds the numbers of one strand behind those of the woven story.
struct Back<'a>(&'a PlannedStrand);

impl Back<'_> {
    fn person(&self, who: CharacterId) -> CharacterId {
        CharacterId::new(self.0.people.iter().position(|&other| other == who).expect("one of its own"))
    }

    fn people(&self, who: &[CharacterId]) -> Vec<CharacterId> {
        who.iter().map(|&who| self.person(who)).collect()
    }

    fn place(&self, at: PlaceId) -> PlaceId {
        PlaceId::new(self.0.places.iter().position(|&other| other == at).expect("one of its own"))
    }

    fn object(&self, object: ObjectId) -> ObjectId {
        ObjectId::new(object.index() - self.0.things_before.objects)
    }

    fn container(&self, container: ContainerId) -> ContainerId {
        ContainerId::new(container.index() - self.0.things_before.containers)
    }

    fn proposition(&self, proposition: PropositionId) -> PropositionId {
        PropositionId::new(proposition.index() - self.0.things_before.propositions)
    }

    fn item(&self, item: Item) -> Item {
        match item {
            Item::Character(who) => Item::Character(self.person(who)),
            Item::Object(object) => Item::Object(self.object(object)),
            Item::Lid(container) => Item::Lid(self.container(container)),
            Item::Proposition(proposition) => Item::Proposition(self.proposition(proposition)),
            Item::Prospect(_) => panic!("no news"),
        }
    }

    fn value(&self, value: Value) -> Value {
        match value {
            Value::Place(place) => Value::Place(self.place(place)),
            Value::Container(container) => Value::Container(self.container(container)),
            Value::Hands(who) => Value::Hands(self.person(who)),
            other => other,
        }
    }

    fn act(&self, act: &Act) -> Act {
        let act = act.map(|_, part| {
            Some(match part {
                Part::Company(who) => Part::Company(self.people(&who)),
                Part::Person(who) => Part::Person(self.person(who)),
                Part::Place(place) => Part::Place(self.place(place)),
                Part::Object(object) => Part::Object(self.object(object)),
                Part::Container(container) => Part::Container(self.container(container)),
                Part::Spot(spot) => Part::Spot(self.value(spot)),
                Part::Liking((attitude, likes)) => Part::Liking((self.proposition(attitude), likes)),
                Part::Fact((fact, is_so)) => Part::Fact((self.proposition(fact), is_so)),
                Part::Telling(Telling { hearers, item, value, believers }) => Part::Telling(Telling {
                    hearers: hearers.map(|&who| self.person(who)),
                    item: self.item(item),
                    value: self.value(value),
                    believers: believers.map(|who| self.people(&who)),
                }),
            })
        });
        act.unwrap()
    }

    fn deed(&self, deed: &Deed) -> Deed {
        let distracted = deed.distracted.iter();
        Deed {
            act: self.act(&deed.act),
            peeking: self.people(&deed.peeking),
            distracted: distracted.map(|one| Distraction { who: self.person(one.who), ..*one }).collect(),
        }
    }

    fn answer(&self, answer: Answer) -> Answer {
        match answer {
            Answer::Place(place) => Answer::Place(self.place(place)),
            Answer::Container(container) => Answer::Container(self.container(container)),
            Answer::People(bits) => {
                let own = (0..self.0.people.len()).filter(|&at| bits >> self.0.people[at].index() & 1 == 1);
                Answer::People(own.fold(0, |all, at| all | 1 << at))
            }
            other => other,
        }
    }
}

/// The things of one strand, and what its people know of them.
fn own_stage(strand: &PlannedStrand, counts: ThingCounts, whole: &Stage) -> Stage {
    let (back, before) = (Back(strand), strand.things_before);
    let thing = |thing: &Thing| {
        let known = |who: &CharacterId| *thing.knowledge.get(who.index()).unwrap_or(&Knowledge::Right);
        let knowledge =
            if thing.knowledge.is_empty() { Vec::new() } else { strand.people.iter().map(known).collect() };
        Thing { value: back.value(thing.value), knowledge }
    };
    let containers = whole.containers[before.containers..][..counts.containers].iter();
    Stage {
        containers: containers.map(|one| Container { place: back.place(one.place), ..*one }).collect(),
        objects: whole.objects[before.objects..][..counts.objects].iter().map(thing).collect(),
        propositions: whole.propositions[before.propositions..][..counts.propositions]
            .iter()
            .map(thing)
            .collect(),
        trust: whole.trust,
        ..Stage::default()
    }
}

/// The story of each strand, cut out of a woven one by who acts.
fn own_stories_of_things(plan: &Plan, story: &Story) -> Vec<Story> {
    let planned = plan.weave.as_ref().unwrap();
    let mut all = own_stories(plan, story);
    for (at, (own, strand)) in all.iter_mut().zip(&planned.strands).enumerate() {
        let Some(staging) = &planned.plan(at).staging else { continue };
        let counts = ThingCounts {
            binds: 0,
            containers: staging.containers.len(),
            objects: staging.objects.len(),
            propositions: staging.propositions.len(),
            attitudes: staging.attitudes.len(),
        };
        own.trace.stage = own_stage(strand, counts, &story.trace.stage);
        if planned.plan(at).things().is_some() {
            let steps = story.trace.events.iter().zip(&story.trace.deeds);
            let own_deeds = steps.filter(|(event, _)| strand.people.contains(&event.who));
            own.trace.deeds = own_deeds.map(|(_, deed)| Back(strand).deed(deed)).collect();
        }
    }
    all
}

/// Who likes a thing, or dislikes it, by asking of each of those who may do so.
fn liked(plan: &Plan, trace: &Trace, question: &Question, thing: usize) -> Option<Answer> {
    let likes = question.kind == QuestionKind::WhoLikes;
    let wanted = Answer::Verdict(if likes { Verdict::Yes } else { Verdict::No });
    let kind = if question.others.is_empty() { QuestionKind::Reality } else { QuestionKind::Belief };
    let mut people = 0;
    for who in &question.of {
        let attitude = plan.staging.as_ref()?.attitude(*who, thing).expect("one of its own");
        let target = Target::Item(Item::Proposition(attitude));
        let asked = Question { kind, target, of: Vec::new(), ..question.clone() };
        people |= u64::from(independent_answer(trace, &asked)? == wanted) << who.index();
    }
    Some(Answer::People(people))
}

#[test]
fn every_board_keeps_its_things_and_its_answers() {
    let mut asked = 0;
    for weave in WOVEN {
        let board = board_of(weave);
        let family = family(&board);
        let (mut selector, mut story) = (Selector::new(&family, 7), Story::default());
        for index in 0..times(25) {
            selector.draw(index, &mut story);
            let plan = selector.plan();
            let of = format!("{weave} {index}");
            check(&board, &Claim::of(plan, &story)).unwrap_or_else(|wrong| panic!("{of}: {wrong}"));
            let planned = plan.weave.as_ref().unwrap();
            let woven = Asker::new(plan, 7).ask(&story).to_vec();
            let mut first = 0;
            for (at, own) in own_stories_of_things(plan, &story).iter().enumerate() {
                let (of_strand, strand) = (planned.plan(at), &planned.strands[at]);
                let steps: Vec<usize> = (0..story.trace.events.len())
                    .filter(|&step| strand.people.contains(&story.trace.events[step].who))
                    .collect();
                for answered in Asker::new(of_strand, 7).ask(own).to_vec() {
                    let number = first + answered.question;
                    let found: &Answered = woven.iter().find(|woven| woven.question == number).unwrap();
                    let back = |answer: Option<Answer>| answer.map(|answer| Back(strand).answer(answer));
                    assert_eq!(back(found.answer), answered.answer, "{of} {number}");
                    let question = &plan.questions[number];
                    let trace = as_asked(&story.trace, question, &steps);
                    let independent = match question.target {
                        Target::Attitude(thing) => liked(plan, &trace, question, thing),
                        _ => independent_answer(&trace, question),
                    };
                    let independent = independent.map(|answer| only(answer, &question.of));
                    assert_eq!(found.answer, independent, "{of} {number}");
                    // What is offered is the board's own.
                    assert!(found.choices.contains(&found.answer.unwrap()), "{of} {number}");
                    for &choice in &found.choices {
                        if let Answer::People(bits) = choice {
                            let everyone = strand.people.iter().fold(0, |all, who| all | 1 << who.index());
                            assert_eq!(bits & !everyone, 0, "{of} {number}");
                        } else {
                            Back(strand).answer(choice);
                        }
                    }
                    let evidence: Vec<usize> = answered.evidence.iter().map(|&step| steps[step]).collect();
                    assert_eq!(found.evidence, evidence, "{of} {number}");
                    // What others do in between changes no answer.
                    let changes = |plan, story, answered| {
                        let difficulty = DifficultyGauge::new(plan).measure(story, answered);
                        (difficulty.updates, difficulty.lower_orders_differ)
                    };
                    assert_eq!(
                        changes(plan, &story, found),
                        changes(of_strand, own, &answered),
                        "{of} {number}"
                    );
                    asked += 1;
                }
                first += of_strand.questions.len();
            }
        }
    }
    assert!(asked > 350, "{asked}");
}

/// Rows say what the definition of belief says, written out for the whole story.
#[test]
fn rows_say_what_the_definition_says() {
    for weave in WOVEN {
        let board = board_of(weave);
        let family = family(&board);
        let mut maker = RowMaker::new(&family, 7, &[], RowOptions::default());
        for index in 0..times(6) {
            let mut rows = String::new();
            maker.rows(index, &mut rows);
            let inspector = Inspector::new(maker.plan(), 7, &[]);
            assert_eq!(inspector.inspect(maker.story(), &rows), [], "{weave} {index}");
        }
    }
}

/// The story that a question asks about, given the steps of its own board: up to a step, or without it.
fn as_asked(trace: &Trace, question: &Question, steps: &[usize]) -> Trace {
    let is_there = |at: &usize| match question.moment {
        Moment::End => true,
        Moment::Before(step) => *at < steps[step],
        Moment::Without(step) => *at != steps[step],
    };
    let kept: Vec<usize> = (0..trace.events.len()).filter(is_there).collect();
    Trace {
        events: kept.iter().map(|&at| trace.events[at]).collect(),
        deeds: kept.iter().filter_map(|&at| trace.deeds.get(at).cloned()).collect(),
        ..trace.clone()
    }
}

/// A question names the sentence of its own board's step, and quotes it as the story has it.
#[test]
fn sentences_are_named_as_the_story_has_them() {
    let mut quoted = 0;
    for wording in ["plain", "varied"] {
        for weave in [WOVEN[6], WOVEN[4]] {
            let board = board_of(weave).reworded(wording);
            let family = family(&board);
            let mut maker = RowMaker::new(&family, 7, &[], RowOptions::default());
            for index in 0..times(40) {
                let mut rows = String::new();
                maker.rows(index, &mut rows);
                // The seventh step of the first board.
                let people = &maker.plan().weave.as_ref().unwrap().strands[0].people;
                let events = maker.story().trace.events.iter().enumerate();
                let thrown = events.filter(|(_, event)| people.contains(&event.who)).nth(6).unwrap().0;
                for row in rows.lines().map(|row| serde_json::from_str::<serde_json::Value>(row).unwrap()) {
                    let (story, question) =
                        (row["story"].as_str().unwrap(), row["question"].as_str().unwrap());
                    let Some((before, quote)) = question.split_once("(\"") else { continue };
                    let (quote, _) = quote.split_once("\")").unwrap();
                    let number: usize =
                        before.split("sentence ").nth(1).unwrap().split(' ').next().unwrap().parse().unwrap();
                    let sentences: Vec<&str> = story.split_inclusive(". ").map(str::trim).collect();
                    assert_eq!(sentences[number - 1], quote, "{}: {question}", row["id"]);
                    // In plain words, there is one sentence for each step.
                    let is_of_throw = row["kind"].as_str().unwrap().starts_with("reality");
                    if wording == "plain" && weave == WOVEN[6] && is_of_throw {
                        assert_eq!(thrown, number - 1, "{}", row["id"]);
                    }
                    quoted += 1;
                }
            }
        }
    }
    assert!(quoted > 100, "{quoted}");
}

/// Of a list of people, those whom a question is about.
fn only(answer: Answer, of: &[CharacterId]) -> Answer {
    match answer {
        Answer::People(bits) if !of.is_empty() => {
            Answer::People(bits & of.iter().fold(0, |all, who| all | 1 << who.index()))
        }
        other => other,
    }
}

/// From the text alone the story comes out, with all things and all that is done, in either wording.
#[test]
fn what_is_told_is_read_back() {
    for weave in WOVEN {
        for wording in ["plain", "varied"] {
            let board = board_of(weave).reworded(wording);
            let family = family(&board);
            let mut maker = RowMaker::new(&family, 7, &[], RowOptions::default());
            for index in 0..times(4) {
                let mut rows = String::new();
                maker.rows(index, &mut rows);
                let row: serde_json::Value = serde_json::from_str(rows.lines().next().unwrap()).unwrap();
                let told = Row::new(&row).unwrap();
                let judge = Judge::new(&board, &told.parameters);
                let account = told.account(&board, judge.reader());
                let account = account.unwrap_or_else(|problem| panic!("{problem:?}: {}", row["story"]));
                let claim = Claim::of(maker.plan(), maker.story());
                let read: Vec<_> = account.told.iter().map(|told| (told.who, told.deed.act.kind())).collect();
                let done =
                    claim.events.iter().zip(&claim.deeds).map(|((who, ..), deed)| (*who, deed.act.kind()));
                assert_eq!(read, done.collect::<Vec<_>>(), "{weave} {index}");
                let verdict = judge.judge(&account, &told.cast).unwrap();
                assert!(verdict.violations.is_empty(), "{weave} {index}: {:?}", verdict.violations);
            }
        }
    }
}

/// A note follows the step of its own board, whatever others do in between; anywhere else it is missed.
#[test]
fn notes_follow_the_steps_of_their_board() {
    for wording in ["plain", "varied"] {
        let board = board_of(WOVEN[5]).reworded(wording);
        let family = family(&board);
        let mut maker = RowMaker::new(&family, 7, &[], RowOptions::default());
        for index in 0..times(20) {
            let mut rows = String::new();
            maker.rows(index, &mut rows);
            let (plan, story) = (maker.plan(), maker.story());
            let (lexicon, mut words) = (Lexicon::new(plan, 7, str::to_owned), Words::default());
            lexicon.draw(story, &mut words);
            let mut last = 0;
            let mut noted = BTreeSet::new();
            for part in lexicon.parts(story, &words, Display::People) {
                if part.step.is_none() {
                    noted.insert((last, part.text));
                }
                last = part.step.unwrap_or(last);
            }
            let mut expected = BTreeSet::new();
            for strand in &plan.weave.as_ref().unwrap().strands[..2] {
                let events = story.trace.events.iter().enumerate();
                let own = events.filter(|(_, event)| strand.people.contains(&event.who));
                let steps: Vec<usize> = own.map(|(step, _)| step).collect();
                let bind = story.binds(plan).nth(strand.things_before.binds).unwrap();
                let named = &plan.pool[story.names[strand.people[0].index()]];
                expected.insert((steps[6], format!("It rains on {}. {named} hums.", lexicon.place(bind))));
                expected.insert((steps[6], "Nobody minds.".to_owned()));
                expected.insert((steps[17], "So it ends.".to_owned()));
            }
            assert_eq!(noted, expected, "{wording} {index}");
            let row: serde_json::Value = serde_json::from_str(rows.lines().next().unwrap()).unwrap();
            let told = Row::new(&row).unwrap();
            let judge = Judge::new(&board, &told.parameters);
            let mut account = told.account(&board, judge.reader()).unwrap();
            let is_right =
                |account: &Account<'_>| judge.judge(account, &told.cast).unwrap().violations.is_empty();
            assert!(is_right(&account), "{wording} {index}");
            let notes = account.notes.as_mut().unwrap();
            let moved = index as usize % notes.len();
            notes[moved].step -= 1;
            notes.sort_by_key(|note| note.step);
            assert!(!is_right(&account), "{wording} {index}");
        }
    }
}

/// Twins differ in one board, and are stories of all their boards.
#[test]
fn twins_differ_in_one_board() {
    let mut chosen = BTreeSet::new();
    for weave in [WOVEN[0], WOVEN[4]] {
        let board = board_of(weave);
        let family = admit_twins(&board, family(&board)).unwrap();
        let mut selector = Selector::for_twins(&family, 5);
        let mut twins = Twins::new(&board, &family, 5).unwrap();
        let (mut story, mut twin) = (Story::default(), Twin::default());
        for index in 0..times(12) {
            twins.draw(&mut selector, index, &mut story, &mut twin);
            let plan = selector.plan();
            for story in [&story, &twin.story] {
                check(&board, &Claim::of(plan, story))
                    .unwrap_or_else(|wrong| panic!("{weave} {index}: {wrong}"));
            }
            let [one, other] = [&story, &twin.story].map(|story| own_stories_of_things(plan, story));
            let differing: Vec<usize> =
                (0..one.len()).filter(|&at| one[at].trace != other[at].trace).collect();
            assert_eq!(differing.len(), 1, "{weave} {index}");
            chosen.insert((weave, differing[0]));
            let answers = [&story, &twin.story].map(|story| Asker::new(plan, 5).ask(story).to_vec());
            let differ = answers[0].iter().zip(&answers[1]).any(|(one, other)| one.answer != other.answer);
            assert!(differ, "{weave} {index}");
        }
    }
    assert!(chosen.len() >= 3, "{chosen:?}");
}

/// What is wrong with the things of any board is found, and so are things that none has.
#[test]
fn check_finds_what_is_wrong_with_things() {
    use storysim::check::{Act, Item, Value as Said};
    let board = board_of(WOVEN[4]);
    let family = family(&board);
    let (mut selector, mut story) = (Selector::new(&family, 7), Story::default());
    selector.draw(0, &mut story);
    let plan = selector.plan();
    assert!(violations(&board, &Claim::of(plan, &story)).is_empty());
    let wrong = |change: &dyn Fn(&mut Claim<'_>)| {
        let mut claim = Claim::of(plan, &story);
        change(&mut claim);
        let found = violations(&board, &claim);
        found.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
    };
    let found = wrong(&|claim| claim.things.containers.push(("bucket", "p1", true)));
    assert!(found.contains("belong to none of the boards"), "{found}");
    let found = wrong(&|claim| drop(claim.things.facts.remove(0)));
    assert!(found.contains("in `free.yaml`"), "{found}");
    let of = |claim: &Claim<'_>, wanted: Item<'_>| {
        claim.things.facts.iter().position(|fact| fact.item == wanted).expect("there is one")
    };
    let found = wrong(&|claim| {
        let at = of(claim, Item::Object("ring"));
        claim.things.facts[at].known.push(claim.roles["K"]);
    });
    assert!(found.contains("people of other boards should know nothing of ring"), "{found}");
    let found = wrong(&|claim| {
        let at = of(claim, Item::Object("globe"));
        claim.things.facts[at].value = Said::Container("sack");
    });
    assert!(found.contains("in `free.yaml`: ball does not start in sack"), "{found}");
    // Nobody touches what belongs to another board, nor what has another name there.
    for name in ["ball", "globe"] {
        let found = wrong(&|claim| {
            let step = claim.events.iter().position(|(who, ..)| *who == claim.roles["K"]).unwrap();
            claim.deeds[step].act = Act::Take(name);
        });
        assert!(found.contains("in `phone-numbers`"), "{name}: {found}");
    }
}

/// In a woven story, a thing that is renamed has its new name only.
#[test]
fn check_knows_no_name_that_was_changed() {
    let board = board_of(WOVEN[4]);
    let family = family(&board);
    let (mut selector, mut story) = (Selector::new(&family, 7), Story::default());
    let is_of_globe = |deed: &storysim::check::Deed<'_>| deed.act.moved() == Some("globe");
    let mut renamed = 0;
    for index in 0..40 {
        selector.draw(index, &mut story);
        let mut claim = Claim::of(selector.plan(), &story);
        let Some(step) = claim.deeds.iter().position(is_of_globe) else { continue };
        let act = claim.deeds[step]
            .act
            .map(|_, part| Some(if let Part::Object(_) = part { Part::Object("ball") } else { part }));
        claim.deeds[step].act = act.unwrap();
        let found = violations(&board, &claim);
        assert!(
            found.first().and_then(storysim::check::Violation::step).is_some_and(|at| at <= step),
            "{index}: {found:?}"
        );
        renamed += 1;
    }
    assert!(renamed > 10, "{renamed}");
}
