//! What questions ask, and what their choices say of a life: each by one formula.

use super::course::{End, State};
use super::rules::Where;
use super::words::Clauses;

/// What is asked about states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ask {
    /// A state.
    State,
    /// Whether it changed.
    Changed,
    /// What accounts for it, as against the scenario before.
    Cause,
    /// How it follows from the states before it.
    Influence,
    /// The state in all scenarios.
    Course,
}

impl Ask {
    /// What is asked by questions of the kind with this key.
    pub fn of_kind(key: &str) -> Option<Self> {
        match key {
            "belief_in" | "emotion" | "intention" | "action" => Some(Self::State),
            "changed" => Some(Self::Changed),
            "cause" => Some(Self::Cause),
            "influence" => Some(Self::Influence),
            "course" => Some(Self::Course),
            _ => None,
        }
    }
}

/// What is asked about a state at the end of a scenario, counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Asked {
    pub ask: Ask,
    pub state: State,
    pub scenario: usize,
}

/// What the words of choices are made of.
#[derive(Clone, Copy, Debug)]
pub struct Speech<'r> {
    pub people: &'r [String],
    pub who: usize,
    pub clauses: Clauses<'r>,
    pub about: &'r str,
    /// The minds as whom it is asked, the outermost first.
    pub as_seen_by: &'r [usize],
}

impl Asked {
    /// The scenarios whose ends are asked about.
    pub fn scenarios(self) -> std::ops::RangeInclusive<usize> {
        match self.ask {
            Ask::Course => 0..=self.scenario,
            Ask::Changed | Ask::Cause => self.scenario.saturating_sub(1)..=self.scenario,
            Ask::State | Ask::Influence => self.scenario..=self.scenario,
        }
    }

    /// The kind and state of each question, and its scenario, on which this one rests, in order.
    pub fn rests_on(self) -> Vec<(&'static str, State, usize)> {
        let one = |state: State, scenario: usize| (kind_of(state), state, scenario);
        match self.ask {
            Ask::Changed => self.scenarios().map(|scenario| one(self.state, scenario)).collect(),
            Ask::Cause => {
                let states = self.scenarios().map(|scenario| one(self.state, scenario));
                states.chain([("changed", self.state, self.scenario)]).collect()
            }
            Ask::Influence => {
                let spoken_of: &[State] = match self.state {
                    State::Thinks | State::Feels => &[State::Thinks, State::Feels],
                    State::Wants => &[State::Thinks, State::Feels, State::Wants],
                    State::Does => &[State::Wants, State::Does],
                };
                spoken_of.iter().map(|&state| one(state, self.scenario)).collect()
            }
            Ask::Course => self.scenarios().map(|scenario| one(self.state, scenario)).collect(),
            Ask::State => Vec::new(),
        }
    }

    /// The announcements on which the answer rests in somebody's course: what she heard last that changed what she thinks, and,
    /// but where it is asked only what she thinks, what made her expect a side; and if she thinks that very thing again, what
    /// had made her think otherwise.
    pub fn caused_by(self, course: &[End]) -> Vec<usize> {
        let needs_past = self.state != State::Thinks || self.ask == Ask::Influence;
        let ends = &course[self.scenarios()];
        let past = ends.iter().filter(|_| needs_past);
        let past = past.flat_map(|end| [end.expected_since, end.given_up_since]).flatten();
        let all = past.chain(ends.iter().filter_map(|end| end.since));
        let mut steps: Vec<usize> = all.map(|since| since.step).collect();
        steps.sort_unstable();
        steps.dedup();
        steps
    }
}

/// The kind of the question that asks for a state.
pub const fn kind_of(state: State) -> &'static str {
    match state {
        State::Thinks => "belief_in",
        State::Feels => "emotion",
        State::Wants => "intention",
        State::Does => "action",
    }
}

impl Speech<'_> {
    fn name(&self) -> &str {
        &self.people[self.who]
    }

    /// A state, as a choice has it.
    pub fn state(&self, state: State, end: &End) -> String {
        match state {
            State::Thinks => self.clauses.thought(end.mood.thinks),
            State::Feels => end.feels.clone(),
            State::Wants => end.wants.clone(),
            State::Does => end.does.clone(),
        }
    }

    /// What the choice of somebody's course says.
    pub fn choice(&self, asked: Asked, course: &[End]) -> String {
        let Asked { ask, state, scenario } = asked;
        let now = &course[scenario];
        let states: Vec<String> =
            course[asked.scenarios()].iter().map(|end| self.state(state, end)).collect();
        match ask {
            Ask::Changed => match &states[..] {
                [was, is] if was == is => format!("No, still “{is}”"),
                states => format!("Yes, from “{}”", states.join("” to “")),
            },
            Ask::Cause => match &states[..] {
                [was, is] if was == is => {
                    let (before, after) = verb(state, "still ");
                    format!("No: {} {before}{after}{is}", self.name())
                }
                _ => format!("Yes: {}", self.cause(state, &course[scenario - 1], now)),
            },
            Ask::Influence => {
                let (verb, _) = verb(state, "");
                format!(
                    "{}, so {} {verb}{}",
                    self.ground(state, now, ""),
                    self.name(),
                    self.state(state, now)
                )
            }
            Ask::Course => format!("“{}”", states.join("”, then “")),
            Ask::State => self.state(state, now),
        }
    }

    /// What accounts for a state that changed.
    fn cause(&self, state: State, before: &End, now: &End) -> String {
        let name = self.name();
        match state {
            State::Thinks => {
                let teller = now.since.map_or("somebody", |since| &self.people[since.teller]);
                format!("{name} last heard {teller} say {}", self.state(state, now))
            }
            State::Does if before.wants == now.wants && before.named != now.named => {
                let whom = now.named.map_or("somebody else", |whom| &self.people[whom]);
                format!("{name} still wants {}, but now {whom} is the one who brought it about", now.wants)
            }
            State::Does if before.wants == now.wants => {
                let who = match (now.whom, now.to) {
                    (Some(whom), Where::Here) => format!("{} is with", self.people[whom]),
                    (Some(whom), Where::Away | Where::Nobody) => format!("{} is not with", self.people[whom]),
                    (None, Where::Here) => "one of the others is with".to_owned(),
                    (None, Where::Away | Where::Nobody) => "none of the others is with".to_owned(),
                };
                format!("{name} still wants {}, but now {who} {name}", now.wants)
            }
            State::Feels | State::Wants | State::Does => self.ground(state, now, "now "),
        }
    }

    /// What a state follows from.
    fn ground(&self, state: State, end: &End, now: &str) -> String {
        let name = self.name();
        match (state, end.mood.thinks) {
            (State::Thinks | State::Feels, None) => format!("{name} has heard nothing of it"),
            (State::Thinks | State::Feels, Some(_)) => {
                let expected = match end.mood.expected {
                    Some(side) => self.clauses.goal(side),
                    None => "neither side".to_owned(),
                };
                format!("{name} {now}thinks {}, having expected {expected}", self.state(State::Thinks, end))
            }
            (State::Wants, None) => format!("{name} is {now}{}, having heard nothing of it", end.feels),
            (State::Wants, Some(case)) => {
                let done = if case.is_final {
                    "nothing can be done any more"
                } else {
                    "something can still be done"
                };
                format!("{name} is {now}{} and thinks that {done}", end.feels)
            }
            (State::Does, _) => format!("{name} {now}wants {}", end.wants),
        }
    }

    /// What a question asks, in words: first what it is about, then as who sees it.
    pub fn question(&self, asked: Asked) -> String {
        let names: Vec<&str> = self.as_seen_by.iter().map(|&who| self.people[who].as_str()).collect();
        let seen = if names.is_empty() {
            String::new()
        } else {
            format!("as {} sees it, ", names.join(" thinks that "))
        };
        format!(
            "Concerning {}: {seen}{}?{}",
            self.about,
            self.plain_question(asked),
            match asked.ask {
                Ask::Changed => " If so, from what to what does it change?",
                Ask::Cause => " If so, why?",
                _ => "",
            }
        )
    }

    fn plain_question(&self, Asked { ask, state, scenario }: Asked) -> String {
        let (name, now) = (self.name(), scenario + 1);
        let have = match state {
            State::Thinks => "think",
            State::Feels => "feel",
            State::Wants => "want",
            State::Does => "do",
        };
        let asks = if state == State::Feels { "how" } else { "what" };
        let at = |scenario: usize| format!("at the end of scenario {scenario}");
        match ask {
            Ask::Changed | Ask::Cause => {
                let other = if state == State::Feels { "different" } else { "something else" };
                format!("does {name} {have} {other} {} than {}", at(now), at(scenario))
            }
            Ask::Influence => {
                let (from, to) = match state {
                    State::Thinks | State::Feels => ("think", format!("how does {name} feel")),
                    State::Wants => ("feel and think", format!("what does {name} want")),
                    State::Does => ("want", format!("what does {name} do")),
                };
                format!("{}, what does {name} {from}, and {to} because of it", at(now))
            }
            Ask::Course => {
                format!(
                    "{asks} does {name} {have} at the end of each scenario, from scenario 1 to scenario {now}"
                )
            }
            Ask::State => format!("{asks} does {name} {have} {}", at(now)),
        }
    }
}

/// The words before a state that somebody has, and those around "still".
fn verb(state: State, still: &str) -> (&'static str, String) {
    match state {
        State::Thinks if still.is_empty() => ("thinks ", String::new()),
        State::Wants if still.is_empty() => ("wants ", String::new()),
        State::Thinks => ("", format!("{still}thinks ")),
        State::Wants => ("", format!("{still}wants ")),
        State::Feels => ("is ", still.to_owned()),
        State::Does => ("will ", still.to_owned()),
    }
}
