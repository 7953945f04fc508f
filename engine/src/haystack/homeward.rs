//! Walks that come back to where they began.

use crate::id::PlaceId;
use crate::rng::{Stream, below, weighted};
use crate::world::Map;

/// The largest number of additions for the table of one home: about a fifth of a second.
const WORK_MAX: usize = 1 << 27;

/// The largest number of entries of such a table: 32 MB.
const ENTRIES_MAX: usize = 1 << 22;

/// The free walks that come home. Until a number of turns before the last, they are free; from there on, every way is as likely as
/// it is among all free walks that come home in time.
#[derive(Clone, Debug)]
pub struct Homeward {
    home: PlaceId,
    /// `chances[turns][place]` is how likely a free walk of so many turns from a place is to end at home.
    chances: Vec<Vec<f64>>,
    /// What the numbers of turns after which one can be home again have in common as a divisor; 0 if one never can.
    cycle: usize,
}

impl Homeward {
    /// The walks that come back to a place. Costs O(turns · ways), for at most four turns a place.
    pub fn new(map: &Map, home: PlaceId) -> Self {
        let count = map.place_count();
        let ways: usize = map.places().map(|place| map.ways(place).len()).sum();
        let turns = (4 * count).max(16).min(WORK_MAX / ways.max(1)).min(ENTRIES_MAX / count).max(2);
        let at_home: Vec<f64> = map.places().map(|place| if place == home { 1.0 } else { 0.0 }).collect();
        let mut chances = vec![at_home];
        for turn in 1..=turns {
            let last = &chances[turn - 1];
            let chance = |place| {
                let ways = map.ways(place);
                ways.iter().map(|way| last[way.index()]).sum::<f64>() / ways.len() as f64
            };
            chances.push(map.places().map(chance).collect());
        }
        let is_home = |turns: &usize| chances[*turns][home.index()] > 0.0;
        let cycle = (1..=turns).filter(is_home).fold(0, common_divisor);
        Self { home, chances, cycle }
    }

    /// Whether one can ever come back.
    pub const fn is_possible(&self) -> bool {
        self.cycle > 0
    }

    /// The largest number of turns, at most so many, after which one can be home.
    pub fn turns_at_most(&self, turns: usize) -> usize {
        let is_home = |turns: &usize| match self.chances.get(*turns) {
            Some(chances) => chances[self.home.index()] > 0.0,
            None => self.cycle > 0 && turns.is_multiple_of(self.cycle),
        };
        (0..=turns).rev().find(is_home).unwrap_or(0)
    }

    /// Draws where to go from a place with so many turns left after this one; `None` if one cannot come home any more.
    pub fn way(&self, map: &Map, from: PlaceId, left: usize, stream: &mut Stream) -> Option<PlaceId> {
        let ways = map.ways(from);
        let Some(chances) = self.chances.get(left) else {
            return Some(ways[below(stream, ways.len() as u32) as usize]);
        };
        let mut sum = 0.0;
        let mut add = |way: &PlaceId| {
            sum += chances[way.index()];
            sum
        };
        let cumulative: Vec<f64> = ways.iter().map(&mut add).collect();
        (sum > 0.0).then(|| ways[weighted(stream, &cumulative)])
    }
}

/// The greatest common divisor, by Euclid.
const fn common_divisor(mut one: usize, mut other: usize) -> usize {
    while other > 0 {
        (one, other) = (other, one % other);
    }
    one
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::{Purpose, StreamKey};

    fn map(ways: &[&[usize]]) -> Map {
        let ways = ways.iter().map(|ways| ways.iter().map(|&way| PlaceId::new(way)).collect());
        Map::new(&ways.collect::<Vec<_>>())
    }

    /// Walks of each length, drawn often, are those that come home, each as often as among all free walks.
    #[test]
    fn walks_come_home_as_free_walks_do() {
        let map = map(&[&[1, 2], &[0, 2, 3], &[0, 1], &[1]]);
        let home = PlaceId::new(0);
        let homeward = Homeward::new(&map, home);
        let mut stream = StreamKey::derive(7, "home", Purpose::Around).stream(0, 0);
        for turns in [2, 3, 5] {
            let mut expected = std::collections::BTreeMap::new();
            list(&map, vec![home], turns, 1.0, &mut expected);
            let sum: f64 = expected.values().sum();
            let mut found = std::collections::BTreeMap::new();
            const WALKS: usize = 40_000;
            for _ in 0..WALKS {
                let mut walk = vec![home];
                for left in (0..turns).rev() {
                    walk.push(homeward.way(&map, walk[walk.len() - 1], left, &mut stream).unwrap());
                }
                *found.entry(walk).or_insert(0) += 1;
            }
            assert!(found.keys().all(|walk| expected.contains_key(walk)));
            for (walk, chance) in &expected {
                let (wanted, got) =
                    (chance / sum, f64::from(found.get(walk).copied().unwrap_or(0)) / WALKS as f64);
                let error = 5.0 * (wanted * (1.0 - wanted) / WALKS as f64).sqrt();
                assert!((wanted - got).abs() < error, "{turns} {walk:?}: {wanted} {got}");
            }
        }
    }

    /// All walks of so many turns that come home, with how likely a free walk is each of them.
    fn list(
        map: &Map,
        walk: Vec<PlaceId>,
        turns: usize,
        chance: f64,
        found: &mut std::collections::BTreeMap<Vec<PlaceId>, f64>,
    ) {
        let at = walk[walk.len() - 1];
        if turns == 0 {
            if at == walk[0] {
                found.insert(walk, chance);
            }
            return;
        }
        for &way in map.ways(at) {
            let further = walk.iter().copied().chain([way]).collect();
            list(map, further, turns - 1, chance / map.ways(at).len() as f64, found);
        }
    }

    #[test]
    fn whoever_cannot_come_back_in_time_does_not_set_out() {
        let triangle = Homeward::new(&map(&[&[1, 2], &[0, 2], &[0, 1]]), PlaceId::new(0));
        let to_and_fro = Homeward::new(&map(&[&[1], &[0]]), PlaceId::new(0));
        let ring = Homeward::new(&map(&[&[1], &[2], &[0]]), PlaceId::new(0));
        let away = Homeward::new(&map(&[&[1], &[2], &[1]]), PlaceId::new(0));
        let at_most = |walks: &Homeward| [0, 1, 2, 3, 1000, 1001].map(|turns| walks.turns_at_most(turns));
        assert_eq!(at_most(&triangle), [0, 0, 2, 3, 1000, 1001]);
        assert_eq!(at_most(&to_and_fro), [0, 0, 2, 2, 1000, 1000]);
        assert_eq!(at_most(&ring), [0, 0, 0, 3, 999, 999]);
        assert_eq!((at_most(&away), away.is_possible()), ([0; 6], false));
    }
}
