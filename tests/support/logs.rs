//! Logs written by choices: random bytes decide who is where, what happens, and what is asked. Most of what happens can
//! happen. Shared by the property tests and the fuzz target.

use arbitrary::{Arbitrary, Unstructured};

/// A log of a few people in a few rooms, or of a conversation: one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogSketch(pub String);

impl<'a> Arbitrary<'a> for LogSketch {
    fn arbitrary(choices: &mut Unstructured<'a>) -> arbitrary::Result<Self> {
        let choices = std::mem::replace(choices, Unstructured::new(&[]));
        let mut author = Author { choices, people: 0, rooms: 0, things: 0, boxes: Vec::new() };
        let text = if author.one_in(4) { author.conversation() } else { author.story() };
        Ok(Self(author.slip(text)))
    }
}

struct Author<'a> {
    choices: Unstructured<'a>,
    people: usize,
    rooms: usize,
    things: usize,
    /// The room of each container.
    boxes: Vec<usize>,
}

/// Slips of the pen.
const SLIPS: [&str; 10] =
    ["", "\"", "]", "{}", "null", "\"P0\"", "\"box0\"", "-1", "[\"P1\"]", "\"joint\":\"P1\","];

fn list(names: Vec<String>) -> String {
    format!("[{}]", names.join(","))
}

fn person(at: usize) -> String {
    format!("\"P{at}\"")
}

fn room(at: usize) -> String {
    format!("\"room{at}\"")
}

impl Author<'_> {
    /// The first, if there are no choices left.
    fn below(&mut self, bound: usize) -> usize {
        self.choices.choose_index(bound).unwrap_or(0)
    }

    /// True once in so many.
    fn one_in(&mut self, count: usize) -> bool {
        self.below(count) + 1 == count
    }

    /// Mostly this one, and seldom any of so many: one of them may be too many.
    fn mostly(&mut self, at: usize, of: usize) -> usize {
        if self.one_in(16) { self.below(of + 1) } else { at }
    }

    fn some(&mut self, from: &[usize]) -> Vec<usize> {
        from.iter().copied().filter(|_| self.one_in(2)).collect()
    }

    /// Replaces a stretch of the text, or not.
    fn slip(&mut self, mut text: String) -> String {
        if self.one_in(4) {
            let at = self.below(text.len());
            let end = (at + self.below(12)).min(text.len());
            text.replace_range(at..end, SLIPS[self.below(SLIPS.len())]);
        }
        text
    }

    fn story(&mut self) -> String {
        self.people = 2 + self.below(3);
        self.rooms = 1 + self.below(3);
        self.boxes = (0..1 + self.below(3)).map(|_| self.below(self.rooms)).collect();
        self.things = self.below(3);
        let mut places: Vec<Option<usize>> =
            (0..self.people).map(|_| self.below(self.rooms + 1).checked_sub(1)).collect();
        let mut within: Vec<usize> = (0..self.things).map(|_| self.below(self.boxes.len())).collect();
        let start = places
            .iter()
            .enumerate()
            .map(|(who, place)| format!("\"P{who}\":{}", place.map_or("null".to_owned(), room)));
        let start: Vec<String> = start.collect();
        let boxes: Vec<String> = self
            .boxes
            .iter()
            .enumerate()
            .map(|(at, &place)| format!("\"box{at}\":{}", room(place)))
            .collect();
        let things: Vec<String> =
            within.iter().enumerate().map(|(at, within)| format!("\"thing{at}\":\"box{within}\"")).collect();
        let departures = ["destination", "vanish"][self.below(2)];
        let containers = ["open", "closed"][self.below(2)];
        let (mut t, mut events) = (0, Vec::new());
        for _ in 0..self.below(16) {
            t += self.below(2);
            let event = self.event(&mut places, &mut within);
            events.push(format!("{{\"t\":{t},{event}}}"));
        }
        let questions = (0..1 + self.below(8)).map(|_| self.question()).collect();
        format!(
            "{{\"id\":1,\"characters\":{},\"locations\":{},\"start\":{{{}}},\"containers\":{{{}}},\
             \"objects\":{{{}}},\"conventions\":{{\"departures\":\"{departures}\",\"containers\":\"{containers}\"}},\
             \"events\":{},\"questions\":{}}}",
            list((0..self.people).map(person).collect()),
            list((0..self.rooms).map(room).collect()),
            start.join(","),
            boxes.join(","),
            things.join(","),
            list(events),
            list(questions),
        )
    }

    fn event(&mut self, places: &mut [Option<usize>], within: &mut [usize]) -> String {
        let who = self.below(self.people);
        let (name, at) = (person(self.mostly(who, self.people)), places[who]);
        let company: Vec<usize> =
            (0..self.people).filter(|&other| other != who && places[other] == at).collect();
        match (self.below(8), at) {
            (0, Some(place)) => {
                places[who] = None;
                format!(
                    "\"type\":\"leave\",\"who\":{name},\"place\":{}",
                    room(self.mostly(place, self.rooms))
                )
            }
            (4, Some(place)) if self.things > 0 => {
                let (object, to) = (self.below(self.things), self.below(self.boxes.len()));
                if self.boxes[to] == place && self.boxes[within[object]] == place {
                    within[object] = to;
                }
                format!(
                    "\"type\":\"move_object\",\"who\":{name},\"object\":\"thing{object}\",\"to\":\"box{to}\""
                )
            }
            (5, _) if self.things > 0 => {
                let object = self.below(self.things);
                let container = self.mostly(within[object], self.boxes.len());
                let place = room(self.mostly(self.boxes[within[object]], self.rooms));
                format!(
                    "\"type\":\"state\",\"object\":\"thing{object}\",\"container\":\"box{container}\",\"room\":{place}"
                )
            }
            (6, _) if self.things > 0 => {
                let everyone: Vec<usize> = (0..self.people).collect();
                let afar: Vec<usize> = everyone.iter().copied().filter(|x| !company.contains(x)).collect();
                let hearers = match self.below(4) {
                    0 => None,
                    1 => Some(self.some(&company)),
                    2 => Some(self.some(&afar)),
                    _ => Some(self.some(&everyone)),
                };
                let among = hearers.clone().unwrap_or(company);
                let believers = if self.one_in(2) {
                    format!(",\"believers\":{}", list(self.some(&among).into_iter().map(person).collect()))
                } else {
                    String::new()
                };
                let listeners = hearers.map_or("\"public\"".to_owned(), |hearers| {
                    list(hearers.into_iter().map(person).collect())
                });
                let (object, container) = (self.below(self.things), self.below(self.boxes.len()));
                format!(
                    "\"type\":\"tell\",\"speaker\":{name},\"listeners\":{listeners},\"content\":{{\"object\":\
                     \"thing{object}\",\"container\":\"box{container}\"}}{believers}"
                )
            }
            (7, _) => ["\"type\":\"noise\"", "\"type\":\"stay\",\"who\":\"P0\""][self.below(2)].to_owned(),
            _ => {
                let to = self.below(self.rooms);
                let joint = if self.one_in(3) { self.some(&company) } else { Vec::new() };
                for &mover in [who].iter().chain(&joint) {
                    places[mover] = Some(to);
                }
                let joint = match joint[..] {
                    [] => String::new(),
                    _ => format!(",\"joint\":{}", list(joint.into_iter().map(person).collect())),
                };
                format!("\"type\":\"enter\",\"who\":{name},\"place\":{}{joint}", room(to))
            }
        }
    }

    fn question(&mut self) -> String {
        let kind = ["belief", "belief", "belief", "reality", "memory"][self.below(5)];
        let minds = if kind == "belief" { 1 + self.below(3) } else { 0 };
        let chain = (0..minds).map(|_| person(self.below(self.people))).collect();
        let about = self.below(self.people + self.things);
        let about = match about.checked_sub(self.people) {
            None => person(about),
            Some(thing) => format!("\"thing{thing}\""),
        };
        let answer = if self.one_in(4) { ",\"answer\":\"box0\"" } else { "" };
        format!("{{\"kind\":\"{kind}\",\"chain\":{},\"about\":{about}{answer}}}", list(chain))
    }

    fn conversation(&mut self) -> String {
        self.people = 2 + self.below(3);
        let mut parts = Vec::new();
        for part in 1..=1 + self.below(5) {
            let present: Vec<usize> = (0..self.people).collect();
            let present: Vec<String> = self.some(&present).into_iter().map(person).collect();
            let utterances = (0..self.below(3)).map(|_| {
                let speaker = match present.len() {
                    0 => "null".to_owned(),
                    count => present[self.below(count)].clone(),
                };
                let conveys = (0..self.below(3)).map(|_| self.proposition()).collect();
                format!("{{\"speaker\":{speaker},\"conveys\":{}}}", list(conveys))
            });
            let utterances = list(utterances.collect());
            parts.push(format!(
                "{{\"part\":{part},\"present\":{},\"utterances\":{utterances}}}",
                list(present)
            ));
        }
        let questions = (0..1 + self.below(6)).map(|_| self.question_of_parts()).collect();
        format!(
            "{{\"id\":\"talk\",\"characters\":{},\"parts\":{},\"questions\":{}}}",
            list((0..self.people).map(person).collect()),
            list(parts),
            list(questions)
        )
    }

    fn proposition(&mut self) -> String {
        ["\"real_reason\"", "\"truth\"", "\"lie\""][self.below(3)].to_owned()
    }

    fn question_of_parts(&mut self) -> String {
        let kinds = [
            "belief",
            "lieability",
            "fact_reason",
            "fact_truth",
            "answerability_list",
            "infoAccessibility_list",
            "answerability_binary",
            "infoAccessibility_binary",
            "liedetectability_list",
            "liedetectability_binary",
            "comprehension",
            "justification",
        ];
        let kind = kinds[self.below(kinds.len())];
        let about = self.proposition();
        let chain = (0..self.below(3)).map(|_| person(self.below(self.people))).collect();
        let options = (0..1 + self.below(4)).map(|_| match kind {
            "belief" | "lieability" | "fact_reason" | "fact_truth" => self.sentence(3),
            "answerability_list" | "infoAccessibility_list" | "liedetectability_list" => {
                person(self.below(self.people))
            }
            _ => ["\"yes\"", "\"no\""][self.below(2)].to_owned(),
        });
        let options = list(options.collect());
        format!(
            "{{\"type\":\"{kind}\",\"about\":{about},\"asker_chain\":{},\"options\":{options}}}",
            list(chain)
        )
    }

    /// What somebody believes, or is unaware of, or has discussed.
    fn sentence(&mut self, depth: usize) -> String {
        let everyone: Vec<usize> = (0..self.people).collect();
        match self.below(if depth == 0 { 1 } else { 4 }) {
            0 => self.proposition(),
            1 => {
                let others = list(self.some(&everyone).into_iter().map(person).collect());
                format!("[\"discussed\",{others},{}]", self.proposition())
            }
            form => {
                let (word, who) = (["B", "U"][form - 2], person(self.below(self.people)));
                format!("[\"{word}\",{who},{}]", self.sentence(depth - 1))
            }
        }
    }
}
