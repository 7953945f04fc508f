//! How much the long tests look at. `EFFORT=5 cargo test` looks at twenty times as much as `cargo test` does, and is what has to pass
//! before a change lands.

/// Whether this one of many things is looked at: usually one in four times `of`, and with `EFFORT` so many in `of`, up to all.
pub fn takes(at: usize, of: usize) -> bool {
    at % (4 * of) < times(4) as usize
}

/// Of these, from this one on, one in four times `of`; with `EFFORT` more, up to all.
pub fn part<T>(all: impl IntoIterator<Item = T>, first: usize, of: usize) -> impl Iterator<Item = T> {
    let taken = all.into_iter().enumerate().filter(move |(at, _)| takes(at + 4 * of - first, of));
    taken.map(|(_, one)| one)
}

/// A number of things to look at: usually a quarter of it, and it times `EFFORT`, if that is set.
pub fn times(whole: u64) -> u64 {
    match std::env::var("EFFORT") {
        Ok(effort) => whole * effort.parse::<u64>().expect("EFFORT is a whole number").max(1),
        Err(_) => whole.div_ceil(4),
    }
}
