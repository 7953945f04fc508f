//! Chains of minds, for tests of belief.

use storysim::id::CharacterId;

/// Every chain of minds, no two neighbours the same, of one to `order` of these.
pub fn chains(members: &[CharacterId], order: usize) -> Vec<Vec<CharacterId>> {
    let mut all: Vec<Vec<CharacterId>> = Vec::new();
    let mut last: Vec<Vec<CharacterId>> = vec![Vec::new()];
    for _ in 0..order {
        let longer = |minds: &Vec<CharacterId>| {
            let (minds, end) = (minds.clone(), minds.last().copied());
            let others = members.iter().copied().filter(move |&next| Some(next) != end);
            others.map(move |next| [minds.as_slice(), &[next]].concat())
        };
        last = last.iter().flat_map(longer).collect();
        all.extend(last.iter().cloned());
    }
    all
}
