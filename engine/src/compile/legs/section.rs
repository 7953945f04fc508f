//! Where a story is cut: sections in which legs are under way, whatever the cast.

use super::super::message::TooLarge;
use super::super::window::Window;
use crate::id::CharacterId;
use crate::resolve::{Condition, Demand, Place, Resolved};
use crate::weight::Weight;

/// The largest number of ways to choose who arrives in the arrivals of one stretch.
const CHOICES_MAX: usize = 256;

/// The walk of a character between two conditions that say where it is, whatever the cast.
pub struct Leg {
    pub who: CharacterId,
    pub ends: [Place; 2],
    /// The parts of its stretch in which it may move.
    pub parts: Vec<usize>,
}

/// A stretch before its numbers are worked out.
pub struct Outline {
    pub legs: Vec<Leg>,
    pub parts: Vec<OutlinePart>,
    /// For each way to choose who arrives, the legs in the order of arrivals; empty if nobody can act at some step.
    pub arrivers: Vec<Vec<usize>>,
    /// The product of 1/K over the arrivals.
    pub share: Weight,
}

impl Outline {
    fn new() -> Self {
        Self { legs: Vec::new(), parts: Vec::new(), arrivers: vec![Vec::new()], share: Weight::ONE }
    }
}

pub enum OutlinePart {
    Free { steps: usize, actors: usize, bystanders: Vec<CharacterId> },
    Arrival,
}

/// Steps of a story that are drawn in the same way, whatever the cast.
pub enum Section {
    Free(Vec<CharacterId>),
    Stretch(Outline),
}

impl Section {
    fn steps(&self) -> usize {
        let steps = |part: &OutlinePart| match part {
            OutlinePart::Free { steps, .. } => *steps,
            OutlinePart::Arrival => 1,
        };
        match self {
            Self::Free(_) => 0,
            Self::Stretch(outline) => outline.parts.iter().map(steps).sum(),
        }
    }
}

/// The story cut wherever no leg that has room to move is under way, the shortest sections first: they are cheap, and
/// impossible casts usually show there. Each section comes with the step at which it ends.
///
/// Costs O(windows · characters).
pub fn sections(resolved: &Resolved, windows: &[Window<'_>]) -> Result<Vec<(usize, Section)>, TooLarge> {
    if resolved.things().is_some() {
        return Err(TooLarge);
    }
    // The last window in which a condition says where a character is.
    let mut last_put = vec![None; resolved.character_count];
    for (at, window) in windows.iter().enumerate() {
        for condition in &window.conditions {
            let (company, _) = company(condition)?;
            company.iter().for_each(|who| last_put[who.index()] = Some(at));
        }
    }
    let mut places = resolved.start.clone();
    let mut room: Vec<Vec<usize>> = vec![Vec::new(); resolved.character_count];
    let mut sections = Vec::new();
    let mut outline = Outline::new();
    for (at, window) in windows.iter().enumerate() {
        let everyone = (0..resolved.character_count).map(CharacterId::new);
        let actors: Vec<CharacterId> =
            everyone.filter(|who| window.idle.binary_search(who).is_err()).collect();
        let part = outline.parts.len();
        let is_open = |room: &[Vec<usize>]| room.iter().any(|parts| !parts.is_empty());
        match window.conditions[..] {
            [] => {
                let is_bystander = |who: &&CharacterId| last_put[who.index()] < Some(at);
                let (bystanders, movers): (Vec<CharacterId>, Vec<CharacterId>) =
                    actors.iter().partition(is_bystander);
                if movers.is_empty() && part == 0 {
                    sections.push((window.until, Section::Free(actors)));
                    continue;
                }
                movers.iter().for_each(|who| room[who.index()].push(part));
                if actors.is_empty() {
                    outline.arrivers.clear();
                }
                let steps = window.until - window.from;
                outline.parts.push(OutlinePart::Free { steps, actors: actors.len(), bystanders });
            }
            [condition] if window.until - window.from == 1 => {
                let (company, place) = company(condition)?;
                let first = outline.legs.len();
                for who in &company {
                    let from = std::mem::replace(&mut places[who.index()], place);
                    let parts = std::mem::take(&mut room[who.index()]);
                    outline.legs.push(Leg { who: *who, ends: [from, place], parts });
                }
                let may_arrive = |leg: &usize| actors.contains(&outline.legs[*leg].who);
                let may_arrive: Vec<usize> = (first..outline.legs.len()).filter(may_arrive).collect();
                let with = |arrivers: &Vec<usize>| {
                    let longer = |&leg: &usize| arrivers.iter().copied().chain([leg]).collect();
                    may_arrive.iter().map(longer).collect::<Vec<Vec<usize>>>()
                };
                outline.arrivers = outline.arrivers.iter().flat_map(with).collect();
                if outline.arrivers.len() > CHOICES_MAX {
                    return Err(TooLarge);
                }
                outline.share = outline.share.over(actors.len().max(1));
                outline.parts.push(OutlinePart::Arrival);
                if !is_open(&room) {
                    sections.push((
                        window.until,
                        Section::Stretch(std::mem::replace(&mut outline, Outline::new())),
                    ));
                }
            }
            _ => return Err(TooLarge),
        }
    }
    sections.sort_by_key(|(_, section)| section.steps());
    Ok(sections)
}

/// The characters whom a condition on places puts somewhere, and where.
fn company(condition: &Condition) -> Result<(Vec<CharacterId>, Place), TooLarge> {
    match &condition.demand {
        Demand::Move { who, to } => Ok((vec![*who], *to)),
        Demand::Meet { who, place: Some(place) } => Ok((who.clone(), *place)),
        _ => Err(TooLarge),
    }
}
