//! What becomes of rows: files and folders, what they give away, how answers to them are scored. The program is run
//! for much of it.

mod audit;
mod dataset;
mod experiments;
mod extraction;
mod folders;
mod giveaways;
mod lives;
mod matters;
mod news;
mod news_evidence;
mod score;
mod shapes;
mod triplets;
mod twins;
mod twins_of_lives;
mod twins_of_talk;

#[path = "../support/program.rs"]
mod program;
#[path = "../support/storyboards.rs"]
mod storyboards;
#[path = "../support/tree.rs"]
mod tree;
