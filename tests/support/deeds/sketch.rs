//! A small storyboard with things, written by choices: random bytes decide all that a storyboard can say. It is
//! well-formed; whether it can be satisfied is another matter. Shared by the integration tests and the fuzz targets.

use std::fmt::Write;

use arbitrary::{Arbitrary, Unstructured};

/// A storyboard of two to four characters, two to four places and a few steps, as YAML.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sketch(pub String);

impl<'a> Arbitrary<'a> for Sketch {
    fn arbitrary(choices: &mut Unstructured<'a>) -> arbitrary::Result<Self> {
        let (characters, places) = (choices.int_in_range(2..=4)?, choices.int_in_range(2..=4)?);
        let (horizon, has_things) = (choices.int_in_range(4..=12)?, choices.ratio(3, 4)?);
        let choices = std::mem::replace(choices, Unstructured::new(&[]));
        Ok(Author::new(characters, places, horizon, has_things, choices).board())
    }
}

/// Writes a board by choices; the first of what there is to choose from when there are none left.
pub struct Author<'a> {
    choices: Unstructured<'a>,
    characters: usize,
    horizon: usize,
    /// Whether people do more than walk.
    has_things: bool,
    roles: Vec<String>,
    /// Places, then binds.
    places: Vec<String>,
    containers: Vec<String>,
    objects: Vec<String>,
    propositions: Vec<String>,
    attitudes: Vec<String>,
    /// Whom each role can tell something unheard by others.
    friends: Vec<Vec<String>>,
    followers: Vec<String>,
    /// Whether it is noticed who is distracted.
    is_noticed: bool,
    text: String,
}

fn names(letter: char, count: usize) -> Vec<String> {
    (0..count).map(|at| format!("{letter}{at}")).collect()
}

impl<'a> Author<'a> {
    pub fn new(
        characters: usize,
        places: usize,
        horizon: usize,
        has_things: bool,
        choices: Unstructured<'a>,
    ) -> Self {
        let roles = names('R', characters.min(4));
        let friends = roles.iter().map(|own| roles.iter().filter(|role| *role != own).cloned().collect());
        Self {
            choices,
            characters,
            horizon,
            has_things,
            friends: friends.collect(),
            roles,
            places: [names('p', places), vec!["near".to_owned(), "far".to_owned()]].concat(),
            containers: Vec::new(),
            objects: Vec::new(),
            propositions: Vec::new(),
            attitudes: Vec::new(),
            followers: Vec::new(),
            is_noticed: false,
            text: String::new(),
        }
    }

    fn below(&mut self, bound: usize) -> usize {
        self.choices.choose_index(bound).unwrap_or(0)
    }

    /// True once in so many.
    fn one_in(&mut self, count: usize) -> bool {
        self.below(count) + 1 == count
    }

    fn of(&mut self, names: &[String]) -> String {
        names[self.below(names.len())].clone()
    }

    /// Some of these, each as likely as not.
    fn some(&mut self, names: &[String]) -> Vec<String> {
        names.iter().filter(|_| self.one_in(2)).cloned().collect()
    }

    /// One of these at least.
    fn company(&mut self, names: &[String]) -> Vec<String> {
        let first = self.below(names.len());
        let others = names.iter().enumerate().filter(|&(at, _)| at == first || self.one_in(3));
        others.map(|(_, name)| name.clone()).collect()
    }

    /// All roles but these.
    fn others(&self, but: &[String]) -> Vec<String> {
        self.roles.iter().filter(|role| !but.contains(role)).cloned().collect()
    }

    fn place(&mut self) -> String {
        let places = self.places.clone();
        self.of(&places)
    }

    fn role(&mut self) -> String {
        let roles = self.roles.clone();
        self.of(&roles)
    }

    pub fn board(mut self) -> Sketch {
        self.people();
        if self.has_things {
            self.things();
            self.rules();
        }
        self.events();
        self.goals();
        self.questions();
        Sketch(self.text)
    }

    fn people(&mut self) {
        let (pool, roles) = (names('c', self.characters).join(", "), self.roles.join(", "));
        let (first, other) = if self.one_in(2) { ("p0", "p0") } else { ("p1", "p0") };
        let horizon = self.horizon;
        write!(
            self.text,
            "storysim: 1\nname: random\ncharacters: {{pool: [{pool}]}}\nroles: [{roles}]\n\
             start: {{R0: {first}, else: {other}}}\nhorizon: {horizon}\nparameters: {{chapters: 1}}\n\
             bind: {{near: {{next_to: p0}}, far: {{not: [near]}}}}\nplaces:\n"
        )
        .unwrap();
        let places = self.places.len() - 2;
        for from in 0..places {
            let mut next: Vec<usize> = (0..places).filter(|&at| at != from && !self.one_in(3)).collect();
            if next.is_empty() {
                next.push((from + 1) % places);
            }
            let next: Vec<String> = next.iter().map(|at| format!("p{at}")).collect();
            writeln!(self.text, "  p{from}: [{}]", next.join(", ")).unwrap();
        }
    }

    fn known(&mut self) -> String {
        let roles = self.roles.clone();
        match self.below(4) {
            0 | 1 => "all".to_owned(),
            2 => "none".to_owned(),
            _ => format!("[{}]", self.company(&roles).join(", ")),
        }
    }

    fn things(&mut self) {
        self.containers = names('x', self.below(4));
        self.objects = names('o', self.below(3));
        self.propositions = names('q', self.below(3));
        self.attitudes = names('a', self.below(2));
        for (at, name) in self.containers.clone().iter().enumerate() {
            let place = self.place();
            let is = ["open", "closed"][self.below(2)];
            let head = if at == 0 { "containers:\n" } else { "" };
            writeln!(self.text, "{head}  {name}: {{in: {place}, is: {is}}}").unwrap();
        }
        for (at, name) in self.objects.clone().iter().enumerate() {
            let spots = self.spots();
            let mut start = vec![self.of(&spots)];
            let second = self.of(&spots);
            if self.one_in(2) && second != start[0] {
                start.push(second);
            }
            let known = self.known();
            let head = if at == 0 { "objects:\n" } else { "" };
            writeln!(self.text, "{head}  {name}: {{in: [{}], known: {known}}}", start.join(", ")).unwrap();
        }
        for (at, name) in self.propositions.clone().iter().enumerate() {
            let is = ["drawn", "true", "false"][self.below(3)];
            let roles = self.roles.clone();
            let wrong = if self.one_in(2) { self.some(&roles) } else { Vec::new() };
            let others = self.others(&wrong);
            let known = self.some(&others).join(", ");
            let denies = if self.one_in(2) { ", denies: \"the door is no door\"" } else { "" };
            let head = if at == 0 { "propositions:\n" } else { "" };
            writeln!(
                self.text,
                "{head}  {name}: {{says: \"the gift for {{R0}} is in {{near}}\"{denies}, is: {is}, \
                 known: [{known}], wrong: [{}]}}",
                wrong.join(", ")
            )
            .unwrap();
        }
        if !self.attitudes.is_empty() {
            writeln!(self.text, "attitudes: [{}]", self.attitudes.join(", ")).unwrap();
        }
    }

    /// Where an object can be.
    fn spots(&self) -> Vec<String> {
        [self.containers.as_slice(), &self.places, &self.roles].concat()
    }

    /// What one can speak of.
    fn items(&self) -> Vec<String> {
        [self.objects.as_slice(), &self.propositions].concat()
    }

    fn rules(&mut self) {
        let trust = ["", "always", "never", "unless_known_better", "later_leaver"][self.below(5)];
        if !trust.is_empty() {
            writeln!(self.text, "trust: {trust}").unwrap();
        }
        let mut kinds = vec!["move"];
        if !self.objects.is_empty() {
            kinds.extend(["take", "put", "carry", "throw", "give"]);
            kinds.extend((self.containers.len() > 1).then_some("move_object"));
        }
        if !self.containers.is_empty() {
            kinds.extend(["open", "close"]);
        }
        if !self.items().is_empty() || !self.attitudes.is_empty() {
            kinds.extend(["tell", "whisper", "phone", "lie"]);
        }
        kinds.extend((!self.attitudes.is_empty()).then_some("react"));
        kinds.push("chat");
        let weighed = kinds.into_iter().map(|kind| (kind, self.below(4)));
        let mut play: Vec<(&str, usize)> = weighed.collect();
        // Who never moves cannot meet anyone; that has its own share.
        if !self.one_in(4) {
            play[0].1 += 3;
        }
        if play.iter().any(|(_, weight)| *weight > 0) {
            let play: Vec<String> = play.iter().map(|(kind, weight)| format!("{kind}: {weight}")).collect();
            writeln!(self.text, "play: {{{}}}", play.join(", ")).unwrap();
        }
        if self.one_in(4) {
            let who = self.below(self.roles.len());
            let others = self.others(&self.roles[who..=who]);
            self.friends[who] = self.some(&others);
            let (name, friends) = (&self.roles[who], self.friends[who].join(", "));
            writeln!(self.text, "friends: {{{name}: [{friends}]}}").unwrap();
        }
    }

    fn events(&mut self) {
        self.text.push_str("events:\n");
        self.is_noticed = self.one_in(2);
        let mut steps: Vec<usize> = (0..self.horizon).collect();
        for _ in 0..self.below(3) {
            let at = steps.remove(self.below(steps.len()));
            let (doing, actors) = self.doing();
            let only_if = ["", "", "if: chapters, ", "if: chapters - 1, "][self.below(4)];
            writeln!(self.text, "- {{at: {at}, {only_if}{doing}}}").unwrap();
            let others = self.others(&actors);
            if self.one_in(3) && !others.is_empty() {
                let attention = self.attention(&others);
                writeln!(self.text, "- {{at: {at}, {only_if}{attention}}}").unwrap();
            }
        }
        for _ in 0..self.below(3) {
            let from = self.below(self.horizon);
            let until = (from + self.below(4)).min(self.horizon);
            let condition = self.condition();
            writeln!(self.text, "- {{from: {from}, until: {until}, {condition}}}").unwrap();
        }
        if self.one_in(4) {
            self.text.push_str("- {at: end - 1, note: \"{R0} hums in {near}.\"}\n");
        }
    }

    /// Attention, which of one and the same role is noticed by others always or never.
    fn attention(&mut self, roles: &[String]) -> String {
        let who = self.company(roles).join(", ");
        match self.below(3) {
            0 => format!("peek: [{who}]"),
            _ if self.is_noticed => format!("distracted: {{who: [{who}], noticed: true}}"),
            _ => format!("distracted: [{who}]"),
        }
    }

    /// What happens at a step, and whose doing it is.
    fn doing(&mut self) -> (String, Vec<String>) {
        let who = self.role();
        let own = vec![who.clone()];
        let open = |author: &mut Self, key: &str, names: &[String]| {
            if author.one_in(3) { format!(", {key}: {}", author.of(names)) } else { String::new() }
        };
        let (objects, containers, place) = (self.objects.clone(), self.containers.clone(), self.place());
        let has_items = !self.items().is_empty() || !self.attitudes.is_empty();
        let text = match self.below(17) {
            1 if !objects.is_empty() => {
                format!("carry: {{who: {who}{}, to: {place}}}", open(self, "object", &objects))
            }
            2 if !objects.is_empty() => format!("take: {{who: {who}{}}}", open(self, "object", &objects)),
            3 if !objects.is_empty() => {
                let object = open(self, "object", &objects);
                let container =
                    if containers.is_empty() { String::new() } else { open(self, "in", &containers) };
                format!("put: {{who: {who}{object}{container}}}")
            }
            4 if !objects.is_empty() && !containers.is_empty() => {
                let object = open(self, "object", &objects);
                format!("move_object: {{who: {who}{object}{}}}", open(self, "to", &containers))
            }
            5 if !objects.is_empty() => {
                let (object, places) = (open(self, "object", &objects), self.places.clone());
                format!("throw: {{who: {who}{object}{}}}", open(self, "to", &places))
            }
            14 if !objects.is_empty() => {
                let others: Vec<String> = self.roles.iter().filter(|role| **role != who).cloned().collect();
                let to = if others.is_empty() { String::new() } else { open(self, "to", &others) };
                format!("give: {{who: {who}{}{to}}}", open(self, "object", &objects))
            }
            6 if !containers.is_empty() => {
                format!("open: {{who: {who}{}}}", open(self, "container", &containers))
            }
            7 if !containers.is_empty() => {
                format!("close: {{who: {who}{}}}", open(self, "container", &containers))
            }
            8 if !self.attitudes.is_empty() => {
                let attitudes = self.attitudes.clone();
                format!("react: {{who: {who}{}}}", open(self, "to", &attitudes))
            }
            9 | 10 if has_items => self.telling(&who, "tell"),
            11 if has_items => self.telling(&who, "lie"),
            12 => {
                let company = self.company(&self.roles.clone());
                if company.len() > 1 {
                    return (format!("move: {{who: [{}], to: {place}}}", company.join(", ")), company);
                }
                format!("move: {{who: {who}, to: {place}}}")
            }
            13 => {
                let company = self.company(&self.roles.clone());
                if company.len() > 1 {
                    // Anyone of the company may arrive last.
                    let place = if self.one_in(2) { format!(", in: {place}") } else { String::new() };
                    return (format!("meet: {{who: [{}]{place}}}", company.join(", ")), company);
                }
                format!("move: {{who: {who}, to: {place}}}")
            }
            15 if !self.propositions.is_empty() => {
                let propositions = self.propositions.clone();
                format!("reveal: {{who: {who}{}}}{}", open(self, "that", &propositions), self.audience(&who))
            }
            16 => format!("chat: {{who: {who}}}{}", self.audience(&who)),
            _ => format!("move: {{who: {who}, to: {place}}}"),
        };
        (text, own)
    }

    /// Who has to be there when something is said, and who elsewhere.
    fn audience(&mut self, speaker: &str) -> String {
        let mut others = self.others(&[speaker.to_owned()]);
        let mut audience = String::new();
        for key in ["with", "without"] {
            if self.one_in(3) && !others.is_empty() {
                let other = others.remove(self.below(others.len()));
                write!(audience, ", {key}: {other}").unwrap();
            }
        }
        audience
    }

    fn telling(&mut self, who: &str, key: &str) -> String {
        let own = self.roles.iter().position(|role| role == who).unwrap();
        let friends = self.friends[own].clone();
        let (to, hearers) = match self.below(4) {
            2 if !friends.is_empty() => {
                let hearers = self.company(&friends);
                (format!("[{}]", hearers.join(", ")), hearers)
            }
            3 if !friends.is_empty() => {
                let hearers = self.company(&friends);
                (format!("{{phone: [{}]}}", hearers.join(", ")), hearers)
            }
            _ => ("present".to_owned(), Vec::new()),
        };
        let (objects, propositions) = (self.objects.clone(), self.propositions.clone());
        let others = self.others(&[hearers, vec![who.to_owned()]].concat());
        let is_open = !objects.is_empty() || !propositions.is_empty() || !self.attitudes.is_empty();
        let that = match self.below(8) {
            0 | 1 if !objects.is_empty() => self.of(&objects),
            2 | 3 if !objects.is_empty() => {
                let (object, spots) = (self.of(&objects), self.spots());
                format!("{{{object}: {}}}", self.of(&spots))
            }
            4 if !propositions.is_empty() => self.of(&propositions),
            5 if !propositions.is_empty() => {
                format!("{{{}: {}}}", self.of(&propositions), ["true", "false"][self.below(2)])
            }
            6 if !others.is_empty() => self.of(&others),
            7 if !others.is_empty() => format!("{{{}: {}}}", self.of(&others), self.place()),
            _ if is_open => return format!("{key}: {{who: {who}, to: {to}}}"),
            _ => unreachable!("there is something to tell"),
        };
        format!("{key}: {{who: {who}, to: {to}, that: {that}}}")
    }

    fn condition(&mut self) -> String {
        let roles = self.roles.clone();
        let company = self.company(&roles);
        let (one, joined) = (company[0].clone(), company.join(", "));
        let rest = self.others(&company);
        match self.below(9) {
            1 if company.len() > 1 => format!("apart: [{joined}]"),
            2 if company.len() > 1 => format!("together: [{joined}]"),
            3 => format!("avoid: {{who: [{joined}], place: {}}}", self.place()),
            4 if !rest.is_empty() => {
                format!("unseen: {{who: {one}, by: [{}]}}", self.company(&rest).join(", "))
            }
            5 => {
                let whom = self.others(std::slice::from_ref(&one));
                self.followers.push(one.clone());
                format!("follow: {{who: {one}, whom: {}}}", self.of(&whom))
            }
            6..=8 => self.attention(&roles),
            _ => format!("idle: [{joined}]"),
        }
    }

    /// Minds, and then a target: never the same name twice in succession.
    fn chain(&mut self, minds: usize, targets: &[String]) -> Vec<String> {
        let mut chain: Vec<String> = Vec::new();
        for at in 0..=minds {
            let from = if at == minds { targets.to_vec() } else { self.roles.clone() };
            let from: Vec<String> = from.into_iter().filter(|name| chain.last() != Some(name)).collect();
            chain.push(self.of(&from));
        }
        chain
    }

    fn goals(&mut self) {
        self.text.push_str("ensure:\n");
        if !self.one_in(4) {
            return;
        }
        for _ in 0..=self.below(2) {
            let minds = 1 + self.below(2);
            let targets = [self.roles.clone(), self.items(), self.items()].concat();
            let chain = self.chain(minds, &targets);
            let target = chain[minds].clone();
            let joined = chain.join(", ");
            let goal = match self.below(6) {
                0 | 1 => {
                    let value = if self.objects.contains(&target) {
                        let spots = self.spots();
                        format!("in: {}", self.of(&spots))
                    } else if self.propositions.contains(&target) {
                        format!("is: {}", ["true", "false"][self.below(2)])
                    } else {
                        format!("in: {}", self.place())
                    };
                    format!("holds: [{joined}], {value}")
                }
                2 => format!("false_belief: [{joined}]"),
                3 => format!("true_belief: [{joined}]"),
                4 => format!("unknown: [{joined}]"),
                _ => {
                    let least = self.below(self.horizon);
                    format!("mislead_distance: [{joined}], within: [{least}, {}]", self.horizon - 1)
                }
            };
            writeln!(self.text, "- {{{goal}}}").unwrap();
        }
    }

    fn questions(&mut self) {
        self.text.push_str("questions:\n- belief: [R0, R1]\n");
        for _ in 0..2 + self.below(7) {
            let targets = [self.roles.clone(), self.items(), self.items()].concat();
            let tangible = [self.roles.clone(), self.objects.clone()].concat();
            let roles = self.roles.clone();
            let minds = self.below(3);
            let (key, chain, is_of_end) = match self.below(12) {
                0 | 1 => ("belief", self.chain(1 + minds, &targets), false),
                2 => ("reality", self.chain(0, &targets), false),
                3 => ("start", self.chain(0, &tangible), true),
                4 | 5 => {
                    let key = ["world", "world_things"][self.below(2)];
                    let target = self.role();
                    let others = self.others(std::slice::from_ref(&target));
                    (key, [self.company(&others), vec![target]].concat(), true)
                }
                6 | 7 => ("knows", self.chain(1 + minds, &targets), false),
                8 => ("who_knows", self.chain(0, &targets), false),
                9 => ("could_answer", self.chain(minds, &targets), false),
                10 if !self.followers.is_empty() => {
                    let followers = self.followers.clone();
                    ("following", vec![self.of(&followers)], true)
                }
                11 if !self.attitudes.is_empty() => {
                    let attitudes = self.attitudes.clone();
                    let key = ["who_likes", "who_dislikes"][self.below(2)];
                    (key, self.chain(minds, &attitudes), false)
                }
                _ => ("reality", self.chain(0, &roles), false),
            };
            let step = self.below(self.horizon);
            let moment = match self.below(6) {
                4 if !is_of_end => format!(", before: {step}"),
                5 if !is_of_end => format!(", without: {step}"),
                _ => String::new(),
            };
            let chain = if chain.len() == 1 { chain[0].clone() } else { format!("[{}]", chain.join(", ")) };
            writeln!(self.text, "- {{{key}: {chain}{moment}}}").unwrap();
        }
    }
}
