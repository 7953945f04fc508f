//! How much the long tests look at. `EFFORT=5 cargo test` looks at ten times as much as `cargo test` does, and is what has to pass
//! before a change lands.

/// Whether this one of many things is looked at: usually one in twice `of`, and with `EFFORT` so many in `of`, up to all.
pub fn takes(at: usize, of: usize) -> bool {
    at % (2 * of) < times(2) as usize
}

/// Of these, from this one on, one in twice `of`; with `EFFORT` more, up to all.
pub fn part<T>(all: impl IntoIterator<Item = T>, first: usize, of: usize) -> impl Iterator<Item = T> {
    let taken = all.into_iter().enumerate().filter(move |(at, _)| takes(at + 2 * of - first, of));
    taken.map(|(_, one)| one)
}

/// A number of things to look at: usually half of it, and it times `EFFORT`, if that is set.
pub fn times(whole: u64) -> u64 {
    match std::env::var("EFFORT") {
        Ok(effort) => whole * effort.parse::<u64>().expect("EFFORT is a whole number").max(1),
        Err(_) => whole.div_ceil(2),
    }
}
