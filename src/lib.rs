pub mod belief;
pub mod diagnostic;
pub mod id;
pub mod rng;
pub mod storyboard;
pub mod trace;
pub mod world;
