//! What becomes of somebody by the rules: her four states at the end of every scenario, in the life that she leads or in another.

use super::super::Difference;
use super::rules::{Mood, Rules, THAT_PERSON, THE_ACT, Toward, Where};
use super::telling::News;
use super::words::{Case, How};
use super::wrong;

/// One of the four things that somebody has at the end of a scenario.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    Thinks,
    Feels,
    Wants,
    Does,
}

impl State {
    /// All of them, in the order in which each follows from those before.
    pub const ALL: [Self; 4] = [Self::Thinks, Self::Feels, Self::Wants, Self::Does];

    /// The word that rows have for it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Thinks => "belief",
            Self::Feels => "emotion",
            Self::Wants => "intention",
            Self::Does => "action",
        }
    }
}

/// The end of a scenario for somebody.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct End {
    pub mood: Mood,
    /// When she came to think so, and who said so.
    pub since: Option<Since>,
    /// When she came to think likely what she then expected.
    pub expected_since: Option<Since>,
    /// When she ceased to think that likely, if she thinks it likely again.
    pub given_up_since: Option<Since>,
    pub feels: String,
    pub wants: String,
    /// Whom that is directed at, if at one person; and where that person, or any of the others, is.
    pub whom: Option<usize>,
    /// Who has brought it about, if she acts on that person.
    pub named: Option<usize>,
    pub to: Where,
    pub does: String,
    /// Whether it is open where that person is, or any of the others.
    pub is_open: bool,
}

/// Something that made somebody think something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Since {
    pub step: usize,
    pub teller: usize,
}

/// Who somebody is, among whom, and by which rules she lives.
#[derive(Debug)]
pub struct Person<'r> {
    pub who: usize,
    /// The side that she wants.
    pub wanted: usize,
    pub people: &'r [String],
    pub rules: &'r Rules,
    /// For each scenario, who is with her at its end; `None` where that is open. She herself always is.
    pub here: &'r [Vec<Option<bool>>],
}

impl Person<'_> {
    /// What becomes of her if she hears these news, in order of time, at the end of every scenario.
    pub fn course<'n>(&self, news: impl Iterator<Item = &'n News> + Clone) -> Result<Vec<End>, Difference> {
        let (mut mood, mut since) = (Mood::default(), None);
        let (mut expected, mut expected_since, mut gave_up) = (None, None, None);
        let mut course = Vec::new();
        for scenario in 0..self.here.len() {
            for news in news.clone().filter(|news| news.scenario == scenario) {
                let next = mood.hearing(news.case);
                if next.thinks != mood.thinks {
                    let now = Some(Since { step: news.step, teller: news.teller });
                    if matches!(mood.thinks, Some(Case { how: How::Likely, .. })) {
                        (expected, expected_since, gave_up) = (mood.thinks, since, now);
                    }
                    since = now;
                }
                mood = next;
            }
            let end = self.end(scenario, mood)?;
            let given_up_since = gave_up.filter(|_| expected == mood.thinks);
            course.push(End { since, expected_since, given_up_since, ..end });
        }
        Ok(course)
    }

    /// The end of a scenario in this mood, whenever that came about.
    fn end(&self, scenario: usize, mood: Mood) -> Result<End, Difference> {
        let none =
            |what: &str| wrong("context", "no rule that fits", &format!("what she {what} in {mood:?}"));
        let feels = self.rules.feels(mood, self.who, self.wanted).ok_or_else(|| none("feels"))?;
        let wanting = self.rules.wants(feels, mood, self.who, self.wanted).ok_or_else(|| none("wants"))?;
        let agent = match mood.thinks {
            Some(Case { how: How::By(agent), .. }) => Some(agent),
            Some(Case { how: How::Likely | How::ByNobody, .. }) | None => None,
        };
        let here = &self.here[scenario];
        let placed = |is_here: Option<bool>| if is_here == Some(true) { Where::Here } else { Where::Away };
        let others =
            || here.iter().enumerate().filter(|(other, _)| *other != self.who).map(|(_, here)| *here);
        let any_other = others().find(|here| *here == Some(true)).or_else(|| others().find(Option::is_none));
        let (whom, is_here) = match wanting.toward {
            Toward::Nobody => (None, Some(false)),
            Toward::Person(whom) => (Some(whom), here[whom]),
            Toward::WhoeverDidIt => (agent, agent.map_or(Some(false), |agent| here[agent])),
            Toward::AnyOther => (None, any_other.unwrap_or(Some(false))),
        };
        let to = match wanting.toward {
            Toward::Nobody => Where::Nobody,
            Toward::WhoeverDidIt if agent.is_none() => Where::Nobody,
            Toward::Person(_) | Toward::WhoeverDidIt | Toward::AnyOther => placed(is_here),
        };
        let doing = self.rules.does(&wanting.wants, to).ok_or_else(|| none("does"))?;
        let named = agent.filter(|_| wanting.act.contains(THAT_PERSON));
        let name = named.map_or("whoever brought it about", |agent| &self.people[agent]);
        let act = wanting.act.replace(THAT_PERSON, name);
        Ok(End {
            mood,
            since: None,
            expected_since: None,
            given_up_since: None,
            feels: feels.to_owned(),
            wants: wanting.wants.clone(),
            whom,
            named,
            to,
            does: doing.text.replacen(THE_ACT, &act, 1),
            is_open: is_here.is_none(),
        })
    }
}
