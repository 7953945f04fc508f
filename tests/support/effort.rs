//! How much the long tests look at. `EFFORT=5 cargo test` looks at five times as much as `cargo test` does, and is what has to
//! pass before a change lands.

/// Whether this one of many things is looked at: usually one in `of`, and more with `EFFORT`, up to all.
pub fn takes(at: usize, of: usize) -> bool {
    (at % of) < times(1) as usize
}

/// One in `of` of these, from this one on; with `EFFORT` more, up to all.
pub fn part<T>(all: impl IntoIterator<Item = T>, first: usize, of: usize) -> impl Iterator<Item = T> {
    let taken = all.into_iter().enumerate().filter(move |(at, _)| takes(at + of - first, of));
    taken.map(|(_, one)| one)
}

/// A number of things to look at, times `EFFORT`.
pub fn times(usual: u64) -> u64 {
    usual
        * std::env::var("EFFORT")
            .map_or(1, |effort| effort.parse::<u64>().expect("EFFORT is a whole number").max(1))
}
