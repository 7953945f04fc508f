//! How much the long tests look at. `EFFORT=5 cargo test` looks at five times as much as `cargo test` does, and is what has to
//! pass before a change lands.

/// A number of things to look at, times `EFFORT`.
pub fn times(usual: u64) -> u64 {
    usual
        * std::env::var("EFFORT")
            .map_or(1, |effort| effort.parse::<u64>().expect("EFFORT is a whole number").max(1))
}
