//! What somebody can do: all that free play may draw of a kind, and all that goes with what the storyboard demands.

use super::Performer;
use crate::belief::{Held, Source};
use crate::form::{self, Audience, Sort};
use crate::id::{CharacterId, ContainerId, ObjectId, PlaceId, PropositionId, ProspectId};
use crate::plan::{Planned, PlannedCase, PlannedDeed, PlannedTelling, PlannedValue, Play, Saying, open_act};
use crate::resolve::cases;
use crate::trace::Trace;
use crate::world::{Act, Deed, Event, Hearers, Item, Part, Telling, Value};

impl Performer<'_> {
    /// Lists everything of a kind of free play that `who` can do.
    pub(super) fn list_played(&mut self, play: Play, who: CharacterId, trace: &Trace) {
        self.options.clear();
        if play == Play::Move {
            return;
        }
        let Some(audience) = play.audience() else {
            let takes_object = play.act().form().parts.first().is_some_and(|part| part.sort == Sort::Object);
            if takes_object && self.objects_in(self.scene.place(who)).next().is_none() {
                return; // as is mostly so
            }
            let deed = PlannedDeed { who, act: open_act(play.act()), to: None, is_lie: false };
            return self.list(&deed, &[], true, trace);
        };
        let here = self.scene.place(who);
        let to_each = |is_here: bool, hearers: fn(Vec<CharacterId>) -> Hearers| -> Vec<Hearers> {
            let others = self.scene.characters().filter(|&other| {
                other != who && (self.scene.place(other) == here) == is_here && self.is_friend(who, other)
            });
            others.map(|other| hearers(vec![other])).collect()
        };
        let is_lie = play == Play::Lie;
        let hearers = match audience {
            Audience::Present => {
                return self.list_tellings(who, &[Hearers::Present], None, None, is_lie, trace);
            }
            Audience::Beside => to_each(true, Hearers::Named),
            Audience::Afar => to_each(false, Hearers::Afar),
        };
        self.list_tellings(who, &hearers, None, None, is_lie, trace);
    }

    fn is_friend(&self, who: CharacterId, other: CharacterId) -> bool {
        self.staging.friends.get(who.index()).is_none_or(|friends| friends.contains(&other))
    }

    /// Lists everything that can be done of what is planned. In free play, an object can be put down anywhere at hand.
    ///
    /// Costs O(the product of the numbers of choices for its parts).
    pub(super) fn list(&mut self, planned: &PlannedDeed, binds: &[PlaceId], is_played: bool, trace: &Trace) {
        self.options.clear();
        let PlannedDeed { who, act, is_lie, .. } = planned;
        if let form::Act::Turn(news) = act {
            return self.list_news(news);
        }
        if let form::Act::Tell(telling) = act {
            let hearers = std::slice::from_ref(&telling.hearers);
            if let (Some(PlannedValue::Case(wanted)), Some(Item::Prospect(prospect))) =
                (telling.value, telling.item)
            {
                let mut all = Vec::new();
                for case in cases(&self.staging.prospects[prospect.index()])
                    .into_iter()
                    .filter(|case| wanted.fits(*case))
                {
                    self.list_tellings(*who, hearers, telling.item, Some(Value::Case(case)), *is_lie, trace);
                    all.append(&mut self.options);
                }
                self.options = all;
                return;
            }
            let value = telling.value.map(|value| value.under(binds));
            return self.list_tellings(*who, hearers, telling.item, value, *is_lie, trace);
        }
        match act {
            form::Act::Reveal(_) | form::Act::Chat if !self.has_company(*who) => return,
            form::Act::Reveal(that) => return self.list_revealed(*who, *that, trace),
            _ => {}
        }
        let here = self.scene.place(*who);
        let event = Event { who: *who, from: here, to: here };
        let mut options = std::mem::take(&mut self.options);
        let mut offer = |act: Act| {
            if self.scene.can_act(event, &act) {
                options.push(act);
            }
        };
        let kind = act.kind();
        match (act.part(0), act.part(1)) {
            (None, _) => offer(kind.act([]).expect("a deed without parts")),
            (Some(part), None) => self.each_choice(*who, part, binds, is_played, |part| {
                offer(kind.act([part]).expect("a deed of one part"));
            }),
            (Some(first), Some(second)) => self.each_choice(*who, first, binds, is_played, |first| {
                self.each_choice(*who, second.clone(), binds, is_played, |second| {
                    offer(kind.act([first.clone(), second]).expect("a deed of two parts"));
                });
            }),
        }
        self.options = options;
    }

    /// Lists all that can be announced: how the prospect can stand, as far as that is given, and does not stand already.
    fn list_news(&mut self, news: &PlannedTelling) {
        let Some(item @ Item::Prospect(prospect)) = news.item else { unreachable!("news of a prospect") };
        let stands = self.scene.value(item);
        let wanted = match news.value {
            Some(PlannedValue::Case(case)) => case,
            _ => PlannedCase::default(),
        };
        for case in cases(&self.staging.prospects[prospect.index()]) {
            let value = Value::Case(case);
            if wanted.fits(case) && value != stands {
                let news = Telling { hearers: Hearers::Present, item, value, believers: None };
                self.options.push(Act::Turn(news));
            }
        }
    }

    /// Hands on all that a part can be, where `who` is.
    fn each_choice(
        &self,
        who: CharacterId,
        part: form::PartIn<Planned>,
        binds: &[PlaceId],
        is_played: bool,
        mut offer: impl FnMut(Part),
    ) {
        let scene = &self.scene;
        let here = scene.place(who);
        match part {
            form::Part::Company(others) => offer(Part::Company(others)),
            form::Part::Person(Some(other)) => offer(Part::Person(other)),
            form::Part::Person(None) => scene.characters().map(Part::Person).for_each(offer),
            form::Part::Place(place) => {
                let to = place.map(|place| place.under(binds));
                let ways = self.plan.map.ways(here).iter().filter(|way| to.is_none_or(|to| to == **way));
                ways.map(|&way| Part::Place(way)).for_each(offer);
            }
            form::Part::Object(Some(object)) => offer(Part::Object(object)),
            form::Part::Object(None) => {
                // Nothing can be done with what is elsewhere.
                self.objects_in(here).map(Part::Object).for_each(offer);
            }
            form::Part::Container(wanted) => {
                self.containers(here, wanted).map(Part::Container).for_each(offer);
            }
            form::Part::Spot(wanted) => {
                if is_played || wanted.is_some() {
                    self.containers(here, wanted).for_each(|into| offer(Part::Spot(Value::Container(into))));
                }
                if wanted.is_none() {
                    offer(Part::Spot(Value::Place(here)));
                }
            }
            form::Part::Liking(wanted) => {
                let things = 0..self.staging.attitudes.len();
                let things = things.filter(|at| wanted.is_none_or(|wanted| wanted == *at));
                let attitudes = things.filter_map(|thing| self.staging.attitude(who, thing));
                let is_true = |of| scene.value(Item::Proposition(of)) == Value::Truth(true);
                attitudes.map(|attitude| Part::Liking((attitude, is_true(attitude)))).for_each(offer);
            }
            form::Part::Fact(_) | form::Part::Telling(_) => {
                unreachable!("what is said is listed on its own")
            }
        }
    }

    /// The objects in a place, whether they lie there or somebody has them in hand.
    fn objects_in(&self, here: PlaceId) -> impl Iterator<Item = ObjectId> + '_ {
        self.scene.objects().filter(move |object| self.scene.room(*object) == here)
    }

    /// The containers that stand in a place, or only the wanted one if it does.
    fn containers(
        &self,
        here: PlaceId,
        wanted: Option<ContainerId>,
    ) -> impl Iterator<Item = ContainerId> + '_ {
        self.scene.containers(here).filter(move |container| wanted.is_none_or(|wanted| wanted == *container))
    }

    /// Whether anybody else is where `who` is, and people talk there.
    fn has_company(&self, who: CharacterId) -> bool {
        let here = self.scene.place(who);
        self.staging.table().is_none_or(|table| table == here)
            && self.scene.characters().any(|other| other != who && self.scene.place(other) == here)
    }

    /// Lists everything that `who` can show to be so: this proposition, or any, if she has seen herself what is so.
    fn list_revealed(&mut self, who: CharacterId, that: Option<PropositionId>, trace: &Trace) {
        let all = match that {
            Some(that) => that.index()..that.index() + 1,
            None => 0..self.staging.propositions.len(),
        };
        for proposition in all.map(PropositionId::new) {
            let is_liking = matches!(self.staging.propositions[proposition.index()].says, Saying::Likes(..));
            if that.is_none() && is_liking {
                continue; // Nobody reveals what somebody likes.
            }
            let item = Item::Proposition(proposition);
            let is_so = self.scene.value(item);
            let is_sure = || self.staging.surely_knows(who, proposition, trace.events.len());
            let mut has_seen = || {
                let mind =
                    self.minds.get_mut(who.index()).expect("minds are followed where this is not sure");
                mind.after(trace).held_at(1, item) == Held::Known(is_so, Source::Seen)
            };
            if is_sure() || has_seen() {
                self.options.push(Act::Reveal((proposition, is_so == Value::Truth(true))));
            }
        }
    }

    /// Lists everything that `who` can say to one of these hearers: this value of this item, or what she believes about
    /// it, or for a lie something else. Without an item, it may be any object or proposition.
    fn list_tellings(
        &mut self,
        who: CharacterId,
        hearers: &[Hearers],
        item: Option<Item>,
        value: Option<Value>,
        is_lie: bool,
        trace: &Trace,
    ) {
        self.options.clear();
        let here = self.scene.place(who);
        let somebody = self.has_company(who);
        let items: Vec<Item> = match item {
            Some(item) => vec![item],
            None => {
                let objects = self.scene.objects().map(Item::Object);
                let propositions = 0..self.staging.propositions.len();
                let propositions = propositions.map(|at| Item::Proposition(PropositionId::new(at)));
                let prospects = (0..self.staging.prospects.len()).map(ProspectId::new).map(Item::Prospect);
                objects.chain(propositions).chain(prospects).collect()
            }
        };
        for hearers in hearers {
            if *hearers == Hearers::Present && !somebody {
                continue;
            }
            for &item in &items {
                let mut believed = || self.minds[who.index()].after(trace).held_at(1, item).value();
                let values = match value {
                    Some(value) if is_lie => {
                        let is_against = believed().is_some_and(|believed| believed != value);
                        if is_against { vec![value] } else { Vec::new() }
                    }
                    Some(value) => vec![value],
                    None if is_lie => believed().map_or(Vec::new(), |believed| self.others(item, believed)),
                    None => believed().into_iter().collect(),
                };
                let event = Event { who, from: here, to: here };
                for value in values {
                    let telling = Telling { hearers: hearers.clone(), item, value, believers: None };
                    let deed = Deed { act: Act::Tell(telling), ..Deed::default() };
                    if self.scene.allows(event, &deed) {
                        self.options.push(deed.act);
                    }
                }
            }
        }
    }

    /// What can be said of an item other than `believed`: that an object is in another container or, if there is
    /// none, in another place.
    fn others(&self, item: Item, believed: Value) -> Vec<Value> {
        let all: Vec<Value> = match item {
            Item::Proposition(_) | Item::Lid(_) => [true, false].map(Value::Truth).to_vec(),
            Item::Object(_) if !self.staging.containers.is_empty() => {
                let containers = 0..self.staging.containers.len();
                containers.map(|at| Value::Container(ContainerId::new(at))).collect()
            }
            Item::Prospect(prospect) => {
                cases(&self.staging.prospects[prospect.index()]).into_iter().map(Value::Case).collect()
            }
            Item::Object(_) | Item::Character(_) => self.plan.map.places().map(Value::Place).collect(),
        };
        all.into_iter().filter(|value| *value != believed).collect()
    }
}
