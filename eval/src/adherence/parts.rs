//! A conversation in a log of parts: see [`crate::log`].
//!
//! Of a conversation such a log says who is there in each part, and what is conveyed there. For a storyboard, people come and
//! go between the parts, and speak of its one matter: the real reason is the matter's reason, and the lie its claim, which is
//! not so. What conveys nothing changes nothing, and is left out.

use super::account::{Account, SaidStart};
use super::{Judge, LogProblem, Undecided, Verdict};
use crate::check::{Act, Deed, Hearers, Item, Telling, Value};
use crate::id::CharacterId;
use crate::log::{Conveyed, PartsLog, Proposition};
use crate::prose::{Opening, Reader, Statement, Told};
use crate::storyboard::{Facet, OfMatter, Style};

/// The largest number of accounts of one story that should be judged.
pub const WAYS_MAX: usize = 100;

/// The accounts of a story that says less than a storyboard asks for: one for each way in which it can be meant.
#[derive(Clone, Debug)]
pub struct Accounts<'a> {
    /// What all of them say, without what is told.
    frame: Account<'a>,
    /// What may be told at each step.
    told: Vec<Vec<Told<'a>>>,
}

impl<'a> From<Account<'a>> for Accounts<'a> {
    /// The only account of a story.
    fn from(account: Account<'a>) -> Self {
        let told = account.told.iter().map(|told| vec![told.clone()]).collect();
        Self { frame: Account { told: Vec::new(), ..account }, told }
    }
}

impl<'a> Accounts<'a> {
    /// The number of accounts.
    pub fn count(&self) -> usize {
        self.told.iter().map(Vec::len).fold(1, usize::saturating_mul)
    }

    /// All accounts, one after another.
    pub fn iter(&self) -> impl Iterator<Item = Account<'a>> {
        (0..self.count()).map(|number| {
            let mut rest = number;
            let told = self.told.iter().map(|ways| {
                let told = ways[rest % ways.len()].clone();
                rest /= ways.len();
                told
            });
            Account { told: told.collect(), ..self.frame.clone() }
        })
    }
}

/// The names that a storyboard has for what a conversation is about.
struct Terms<'a> {
    reader: Reader<'a>,
    table: &'a str,
    away: &'a str,
    claim: &'a str,
    reason: &'a str,
    hint: &'a str,
    /// Whether the truth is that of the claim, rather than a hint.
    is_settled: bool,
}

impl<'a> Judge<'a> {
    /// The accounts of a conversation of which a log says who is there in each part. What the log does not say who said may
    /// have been said by anyone who was there.
    ///
    /// # Errors
    /// If the storyboard is not one of conversations about one matter.
    ///
    /// ```
    /// use storysim::{adherence::Judge, log::{Switches, Told, read}, storyboard};
    /// let line = r#"{"id": 1, "characters": ["Ann", "Bob", "Cleo", "Dan"], "parts": [
    ///     {"part": 1, "present": ["Ann", "Bob"], "utterances": [{"conveys": ["real_reason"]}]}]}"#;
    /// let (Some(Told::Parts(log)), _) = read(line, Switches::default()) else { panic!("a log of a conversation") };
    /// let board = storyboard::BUILT_IN.iter().find(|known| known.name == "white-lies").unwrap();
    /// let board = storyboard::parse(board.source()).unwrap();
    /// let parameters = [("level".to_owned(), 1)];
    /// let accounts = Judge::new(&board, &parameters).accounts_of_parts(&log).unwrap();
    /// assert_eq!(accounts.iter().map(|account| account.told[0].who).collect::<Vec<_>>(), ["Ann", "Bob"]);
    /// ```
    pub fn accounts_of_parts(&self, log: &'a PartsLog) -> Result<Accounts<'a>, LogProblem> {
        let Some(terms) = self.terms() else {
            let what = "this is a log of a conversation about one matter, but the storyboard is not one of such conversations";
            return Err(LogProblem { step: None, what: what.to_owned() });
        };
        let mut there: &[CharacterId] = log.parts().first().map_or(&[], |part| &part.present);
        let name = |who: CharacterId| terms.person(log.character(who));
        let start = log.people().map(|who| (name(who), terms.place(there.contains(&who))));
        let opening = Opening { truths: vec![vec![terms.lie()]], ..Opening::default() };
        let frame = Account { start: SaidStart::Each(start.collect()), opening, ..Account::default() };
        let mut told = Vec::new();
        for part in log.parts() {
            for comes in [false, true] {
                let moves =
                    |who: &CharacterId| part.present.contains(who) == comes && there.contains(who) != comes;
                let [at, to] = [!comes, comes].map(|is_there| Some(terms.place(is_there)));
                let movers = log.people().filter(moves);
                told.extend(movers.map(|who| vec![Told { who: name(who), at, to, ..Told::default() }]));
            }
            there = &part.present;
            for &Conveyed { what, speaker } in &part.conveyed {
                let speakers = speaker.as_ref().map_or(there, std::slice::from_ref);
                told.push(speakers.iter().map(|&who| terms.told(name(who), what)).collect());
            }
            // One step too many is enough to see that the story is too long.
            if told.len() >= terms.reader.steps_max() {
                break;
            }
        }
        told.truncate(terms.reader.steps_max());
        Ok(Accounts { frame, told })
    }

    /// The verdict on a story with these accounts: it satisfies the storyboard if it does so by one of them, and else the
    /// verdict is on the first of those that get furthest.
    ///
    /// # Errors
    /// If there is no verdict on one of them, and none before it by which the story satisfies the storyboard.
    pub fn judge_any<'g: 'a>(
        &self,
        accounts: &Accounts<'a>,
        given: &'g [(String, String)],
    ) -> Result<Verdict, Undecided> {
        let first_failure = |verdict: &Verdict| verdict.violations.first().map(|violation| violation.moment);
        let mut all = accounts.iter();
        let first = all.next().expect("there is always an account");
        let mut furthest = self.judge(&first, given)?;
        for account in all {
            if first_failure(&furthest).is_none() {
                break;
            }
            let verdict = self.judge(&account, given)?;
            let is_further = first_failure(&verdict).is_none_or(|now| Some(now) > first_failure(&furthest));
            if is_further {
                furthest = verdict;
            }
        }
        Ok(furthest)
    }

    /// The names for what a conversation is about; `None` if the storyboard is not one of conversations about one matter.
    fn terms(&self) -> Option<Terms<'a>> {
        let board = self.board;
        let [table, away] = self.places()[..] else { return None };
        let [entry] = &board.matters[..] else { return None };
        let named = |facet| {
            let of = Some(OfMatter { matter: 0, facet });
            board.propositions.iter().find(|known| known.of == of).map(|known| known.name.value.as_str())
        };
        (board.style == Style::Conversation && entry.names().len() == 1).then_some(())?;
        Some(Terms {
            reader: self.reader(),
            table,
            away,
            claim: named(Facet::Claim)?,
            reason: named(Facet::Reason)?,
            hint: named(Facet::Hint)?,
            is_settled: entry.level.as_ref().is_none_or(|level| self.value(level) == 1),
        })
    }
}

impl<'a> Terms<'a> {
    fn person(&self, name: &'a str) -> &'a str {
        self.reader.person_called(name).unwrap_or(name)
    }

    fn place(&self, is_there: bool) -> &'a str {
        if is_there { self.table } else { self.away }
    }

    /// That the claim is not so.
    fn lie(&self) -> Statement<'a> {
        Statement { proposition: self.claim, is_true: false, names: Vec::new() }
    }

    /// That somebody conveys something.
    fn told(&self, who: &'a str, what: Proposition) -> Told<'a> {
        let deed = Deed { act: self.act(what), ..Deed::default() };
        Told { who, at: Some(self.table), deed, ..Told::default() }
    }

    fn act(&self, what: Proposition) -> Act<'a> {
        match what {
            Proposition::RealReason => Act::Reveal((Item::Proposition(self.reason), true)),
            Proposition::Truth if self.is_settled => Act::Reveal((Item::Proposition(self.claim), false)),
            Proposition::Truth => Act::Reveal((Item::Proposition(self.hint), true)),
            Proposition::Lie => Act::Tell(Telling {
                hearers: Hearers::Present,
                item: Item::Proposition(self.claim),
                value: Value::Truth(true),
                believers: None,
            }),
        }
    }
}
