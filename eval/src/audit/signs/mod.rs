//! What learners are given of a case: numbers for every choice, in blocks that look at different things.
//!
//! A [`Sight`] is a choice of blocks, or all moves of the target one by one. Only the last block, and these moves, relate what two
//! people did in one place at one time: who met whom is the beginning of following minds.

mod meetings;
mod options;
mod surface;
mod turns;
mod walks;

use super::case::Case;
use super::mentions::Mentions;
use super::stays::Diary;
use meetings::{Arrival, MOVES_MAX, Meetings};

/// The largest number of minds whose owners are looked at, the outermost first.
pub const MINDS_MAX: usize = 4;

/// What stands for a block that a case does not have, because it asks about fewer minds.
const MISSING: f32 = -1.0;

/// What a learner may look at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sight {
    /// The choices and the question.
    Options,
    /// That, and how the text names the choices.
    Surface,
    /// The choices and the question, and who speaks when in a conversation.
    Turns,
    /// The target's moves.
    Target,
    /// The moves of the owner of one mind; 0 is the outermost.
    Mind(usize),
    /// All of this on one clock.
    Both,
    /// All of this, and who met whom.
    Meetings,
    /// Who saw the target come, move by move, with nothing added up.
    Moves,
}

impl Sight {
    /// All sights of questions about so many minds, in the order of the report. Turns are those of conversations. Moves are
    /// looked at where it is known how difficult questions are: what learns from them finds some of them hard.
    pub fn all(minds: usize, is_talk: bool, is_graded: bool) -> Vec<Self> {
        let turns = is_talk.then_some(Self::Turns);
        let first = [Self::Options, Self::Surface].into_iter().chain(turns).chain([Self::Target]);
        let last = match minds {
            0 => &[Self::Both][..],
            _ if is_graded => &[Self::Both, Self::Meetings, Self::Moves],
            _ => &[Self::Both, Self::Meetings],
        };
        first.chain((0..minds).map(Self::Mind)).chain(last.iter().copied()).collect()
    }

    /// The name in the report.
    pub fn key(self) -> String {
        match self {
            Self::Mind(mind) => format!("mind {}", mind + 1),
            other => other.limit().to_owned(),
        }
    }

    /// The name in a list of limits: one for all minds.
    pub fn limit(self) -> &'static str {
        match self {
            Self::Options => "options",
            Self::Surface => "surface",
            Self::Turns => "turns",
            Self::Target => "target",
            Self::Mind(_) => "minds",
            Self::Both => "both",
            Self::Meetings => "meetings",
            Self::Moves => "moves",
        }
    }

    /// A description of what is looked at.
    pub fn about(self) -> String {
        match self {
            Self::Options => "the choices and the question".to_owned(),
            Self::Surface => "that, and how the text names choices".to_owned(),
            Self::Turns => "the choices, and who speaks when".to_owned(),
            Self::Target => "the target's moves".to_owned(),
            Self::Mind(mind) => format!("the moves of the owner of mind {}", mind + 1),
            Self::Both => "all of this on one clock".to_owned(),
            Self::Meetings => "and who met whom".to_owned(),
            Self::Moves => "who saw the target come, move by move".to_owned(),
        }
    }

    /// Whether this is following minds, so that no limit applies.
    pub fn follows_minds(self) -> bool {
        matches!(self, Self::Meetings | Self::Moves)
    }

    fn shows(self, block: Block) -> bool {
        match self {
            Self::Options => block == Block::Options,
            Self::Surface => matches!(block, Block::Options | Block::Surface),
            Self::Turns => matches!(block, Block::Options | Block::Turns),
            Self::Target => block == Block::Walk(0),
            Self::Mind(mind) => block == Block::Walk(mind + 1),
            // Where somebody is at first and how often she comes and goes since tells whether she is there.
            Self::Both => !matches!(block, Block::Turns | Block::Meeting(..) | Block::Gathering),
            Self::Meetings => block != Block::Turns,
            Self::Moves => false,
        }
    }
}

/// Signs that belong together. People are numbered: 0 is the target, 1 the owner of the outermost mind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Block {
    Options,
    Surface,
    Turns,
    Walk(usize),
    Clock(usize, usize),
    Meeting(usize, usize),
    Gathering,
}

impl Block {
    /// The blocks of a question about so many minds, in order.
    fn all(minds: usize) -> impl Iterator<Item = Self> {
        let pairs = move || (0..=minds).flat_map(move |one| (one + 1..=minds).map(move |other| (one, other)));
        let text = [Self::Options, Self::Surface, Self::Turns].into_iter().chain((0..=minds).map(Self::Walk));
        let clocks = pairs().map(|(one, other)| Self::Clock(one, other));
        let meetings = pairs().map(|(one, other)| Self::Meeting(one, other));
        text.chain(clocks).chain(meetings).chain((minds > 0).then_some(Self::Gathering))
    }

    fn names(self) -> &'static [&'static str] {
        match self {
            Self::Options => &options::NAMES,
            Self::Surface => &surface::NAMES,
            Self::Turns => &turns::NAMES,
            Self::Walk(_) => &walks::NAMES,
            Self::Clock(..) => &walks::CLOCK_NAMES,
            Self::Meeting(..) => &meetings::NAMES,
            Self::Gathering => &meetings::GATHERING_NAMES,
        }
    }

    /// Who is looked at.
    fn whom(self) -> String {
        let name = |who: usize| if who == 0 { "target".to_owned() } else { format!("mind {who}") };
        match self {
            Self::Options | Self::Surface | Self::Turns => String::new(),
            Self::Walk(who) => format!("{}: ", name(who)),
            Self::Clock(one, other) | Self::Meeting(one, other) => {
                format!("{}, {}: ", name(one), name(other))
            }
            Self::Gathering => "all: ".to_owned(),
        }
    }
}

/// The signs of one case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signs {
    /// The number of minds that are looked at.
    pub minds: usize,
    /// Whether the story is a conversation, so that there are turns.
    pub is_talk: bool,
    choices: usize,
    /// Block by block, choice by choice.
    numbers: Vec<i16>,
    /// Who saw the target come, if it is known how difficult the question is.
    arrivals: Vec<Arrival>,
}

impl Signs {
    /// Reads the signs off a case. The time is proportional to the length of the story.
    pub fn of(case: &Case, mentions: &Mentions) -> Self {
        let diary = Diary::of(case, mentions);
        let mut people: Vec<&str> = vec![&case.about];
        for name in &case.company {
            if !people.contains(&name.as_str()) && people.len() <= MINDS_MAX {
                people.push(name);
            }
        }
        let walks: Vec<_> = people.into_iter().map(|name| diary.stays(name)).collect();
        let (steps, choices) = (diary.steps, case.choices.len());
        let met = Meetings::of(&walks, steps, choices);
        let mut met_in_pairs = met.pairs();
        let minds = walks.len() - 1;
        let is_talk = turns::is_talk(case);
        let mut numbers = Vec::new();
        for block in Block::all(minds) {
            match block {
                Block::Options => numbers.extend(options::signs(case).concat()),
                Block::Surface => numbers.extend(surface::signs(case, mentions).concat()),
                Block::Turns if is_talk => numbers.extend(turns::signs(case).concat()),
                Block::Turns => {}
                Block::Walk(who) => numbers.extend(walks::signs(&walks[who], steps, choices).concat()),
                Block::Clock(one, other) => {
                    numbers.extend(walks::clock(&walks[one], &walks[other], steps, choices).concat());
                }
                Block::Meeting(..) => numbers.extend(met_in_pairs.next().expect("as many pairs").concat()),
                Block::Gathering => numbers.extend(met.gathering().concat()),
            }
        }
        let arrivals = case.fifth.map_or_else(Vec::new, |_| met.arrivals());
        Self { minds, is_talk, choices, numbers, arrivals }
    }

    /// How many numbers there are. An arrival takes as much room as two.
    pub fn len(&self) -> usize {
        self.numbers.len() + 2 * self.arrivals.len()
    }

    /// Appends what a sight shows of a choice, in a group of questions about up to so many minds.
    pub fn show(&self, sight: Sight, minds: usize, choice: usize, shown: &mut Vec<f32>) {
        if sight == Sight::Moves {
            return self.show_moves(minds, choice, shown);
        }
        let (mut at, mut own) = (0, Block::all(self.minds).peekable());
        for block in Block::all(minds) {
            let width = block.names().len();
            let is_there = own.next_if_eq(&block).is_some() && (self.is_talk || block != Block::Turns);
            if sight.shows(block) && is_there {
                let numbers = &self.numbers[at + choice * width..][..width];
                shown.extend(numbers.iter().map(|&number| f32::from(number)));
            } else if sight.shows(block) {
                shown.extend(std::iter::repeat_n(MISSING, width));
            }
            at += if is_there { width * self.choices } else { 0 };
        }
    }

    /// Appends for each move, the last first, and for each mind whether its owner saw the target come to a choice; and whether
    /// all of several did.
    fn show_moves(&self, minds: usize, choice: usize, shown: &mut Vec<f32>) {
        let at = shown.len();
        shown.resize(at + MOVES_MAX * watchers(minds), 0.0);
        for arrival in self.arrivals.iter().filter(|arrival| usize::from(arrival.choice) == choice) {
            let watcher = arrival.mind.map_or(minds, usize::from);
            shown[at + watcher * MOVES_MAX + usize::from(arrival.moves_since)] = 1.0;
        }
    }
}

/// Who sees the target's moves: the owner of each mind, and all of several.
const fn watchers(minds: usize) -> usize {
    if minds > 1 { minds + 1 } else { minds }
}

/// The names of what a sight shows, in order.
pub fn names(sight: Sight, minds: usize) -> Vec<String> {
    if sight == Sight::Moves {
        let who = |mind: usize| if mind == minds { "all".to_owned() } else { format!("mind {}", mind + 1) };
        let of =
            |mind: usize| (0..MOVES_MAX).map(move |at| format!("{} saw it come {at} moves ago", who(mind)));
        return (0..watchers(minds)).flat_map(of).collect();
    }
    let blocks = Block::all(minds).filter(|block| sight.shows(*block));
    blocks.flat_map(|block| block.names().iter().map(move |name| format!("{}{name}", block.whom()))).collect()
}

/// A number as a sign; what is greater than any sign is the greatest one.
fn number(number: usize) -> i16 {
    i16::try_from(number).unwrap_or(i16::MAX)
}

/// By how much one number is greater than another.
fn difference(one: i64, other: i64) -> i16 {
    one.saturating_sub(other).clamp(-i64::from(i16::MAX), i64::from(i16::MAX)) as i16
}

/// How long ago something was; if it never was, longer than anything.
fn ago(steps: usize, time: Option<usize>) -> usize {
    time.map_or(steps.saturating_add(1), |time| steps.saturating_sub(time))
}

/// For each value, how many are greater.
fn ranks<T: Ord>(values: &[T]) -> Vec<usize> {
    let mut sorted: Vec<&T> = values.iter().collect();
    sorted.sort_unstable();
    values.iter().map(|value| values.len() - sorted.partition_point(|other| *other <= value)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::audit::Itinerary;

    fn case(company: &[&str]) -> Case {
        // Target Ann: hall, attic from 1, hall from 3. Bob: hall, attic from 2, cellar from 4.
        let story = "Ann enters attic. Bob enters attic. Ann enters hall. Bob enters cellar.".to_owned();
        let places = ["attic", "hall", "cellar"];
        let itinerary = Itinerary::of_sentences(&story, &"hall".into(), &["Ann", "Bob"], &places, &[]);
        Case {
            story,
            choices: places.map(str::to_owned).into(),
            company: company.iter().map(|&name| name.to_owned()).collect(),
            about: "Ann".into(),
            itinerary,
            ..Case::default()
        }
    }

    fn shown(case: &Case, sight: Sight, minds: usize, name: &str) -> Vec<f32> {
        let signs = Signs::of(case, &Mentions::of(&case.story, &case.choices));
        let names = names(sight, minds);
        let at = names.iter().position(|known| known == name).unwrap_or_else(|| panic!("{names:?}"));
        let of = |choice: usize| {
            let mut shown = Vec::new();
            signs.show(sight, minds, choice, &mut shown);
            assert_eq!(shown.len(), names.len());
            shown[at]
        };
        (0..case.choices.len()).map(of).collect()
    }

    #[test]
    fn signs_are_those_of_the_story() {
        let case = case(&["Bob"]);
        let both = |name: &str| shown(&case, Sight::Both, 1, name);
        assert_eq!(both("times named"), [2.0, 1.0, 1.0]);
        assert_eq!(both("sentences since it was named"), [3.0, 2.0, 1.0]);
        assert_eq!(both("target: events since it left"), [1.0, 0.0, 5.0]);
        assert_eq!(both("target: time there"), [2.0, 2.0, 0.0]);
        assert_eq!(both("target, mind 1: visits of the other since"), [1.0, 0.0, 1.0]);
        assert_eq!(shown(&case, Sight::Mind(0), 1, "mind 1: time there"), [2.0, 2.0, 0.0]);
        let met = |name: &str| shown(&case, Sight::Meetings, 1, name);
        assert_eq!(met("target, mind 1: times together there"), [1.0, 1.0, 0.0]);
        assert_eq!(met("target, mind 1: events since together there"), [1.0, 3.0, 5.0]);
        assert_eq!(met("target, mind 1: arrivals seen"), [1.0, 2.0, 0.0]);
        assert_eq!(met("all: events since all saw it come"), [3.0, 1.0, 5.0]);
    }

    #[test]
    fn what_a_case_does_not_have_is_missing() {
        let one = case(&["Bob"]);
        let name = "all: rank by when all were there";
        let ranks = shown(&one, Sight::Meetings, 1, name);
        assert!((1..=MINDS_MAX).all(|minds| shown(&one, Sight::Meetings, minds, name) == ranks), "{ranks:?}");
        assert_eq!(shown(&one, Sight::Both, 3, "mind 3: moves"), [MISSING; 3]);
    }

    #[test]
    fn moves_are_seen_one_by_one() {
        let case = Case { fifth: Some(0), ..case(&["Bob"]) };
        let saw = |ago: usize| shown(&case, Sight::Moves, 1, &format!("mind 1 saw it come {ago} moves ago"));
        // Both start in the hall; Bob sees Ann go to the attic, and come back from there.
        assert_eq!(saw(4), [0.0, 1.0, 0.0]);
        assert_eq!(saw(3), [1.0, 0.0, 0.0]);
        assert_eq!(saw(1), [0.0, 1.0, 0.0]);
        for ago in [0, 2, 5, 6] {
            assert_eq!(saw(ago), [0.0; 3], "{ago}");
        }
        assert_eq!(shown(&case, Sight::Moves, 2, "all saw it come 1 moves ago"), [0.0; 3]);
    }

    #[test]
    fn of_the_last_moves_it_is_known_who_saw_them() {
        let of = |story: &str| {
            let places = ["attic", "hall", "cellar"];
            let itinerary =
                Itinerary::of_sentences(story, &"hall".into(), &["Ann", "Bob", "Cas"], &places, &[]);
            let company = ["Bob", "Cas"].map(str::to_owned).into();
            Case { story: story.to_owned(), itinerary, company, fifth: Some(0), ..case(&[]) }
        };
        let saw = |case: &Case, ago: usize| {
            ["mind 1", "mind 2", "all"]
                .map(|who| shown(case, Sight::Moves, 2, &format!("{who} saw it come {ago} moves ago")))
        };
        // All start in the hall. Bob and Cas see Ann leave it; then Bob leaves it, too, and Cas alone sees her come back.
        let few = of("Ann enters attic. Bob enters cellar. Ann enters hall.");
        assert_eq!(saw(&few, 2), [[1.0, 0.0, 0.0]; 3]);
        assert_eq!(saw(&few, 0), [[0.0; 3], [0.0, 1.0, 0.0], [0.0; 3]]);
        // What lies further back than the last moves is not looked at.
        let later = "Bob enters attic. Bob enters cellar. ".repeat(MOVES_MAX / 2);
        let many = of(&format!("Ann enters attic. Bob enters cellar. Ann enters hall. {later}"));
        assert!((0..MOVES_MAX).all(|ago| saw(&many, ago) == [[0.0; 3]; 3]));
        let signs = |case: &Case| Signs::of(case, &Mentions::of(&case.story, &case.choices));
        assert_eq!((signs(&few).arrivals.len(), signs(&many).arrivals.len()), (7, 0));
    }

    #[test]
    fn nothing_but_meetings_tells_who_met_whom() {
        for minds in 0..=MINDS_MAX {
            for sight in Sight::all(minds, true, true).into_iter().filter(|sight| !sight.follows_minds()) {
                let told = names(sight, minds);
                let is_meeting = |name: &String| name.contains("together") || name.contains("seen");
                assert!(!told.iter().any(is_meeting), "{told:?}");
            }
        }
    }

    #[test]
    fn ranks_count_what_is_greater() {
        assert_eq!(ranks(&[3, 1, 3, 2]), [0, 3, 0, 2]);
        assert_eq!(ago(5, None), 6);
    }
}
