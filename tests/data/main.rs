//! What becomes of rows: files and folders, what they give away, how answers to them are scored. The program is run
//! for much of it.

mod audit;
mod dataset;
mod difficulty;
mod experiments;
mod extraction;
mod folders;
mod giveaways;
mod joint;
mod last_words;
mod lives;
mod matters;
mod news;
mod news_evidence;
mod paraphrase;
mod rules;
mod scenarios;
mod score;
mod shapes;
mod small_talk;
mod triplets;
mod twins;
mod twins_of_lives;
mod twins_of_talk;

#[path = "../support/effort.rs"]
mod effort;
#[path = "../support/program.rs"]
mod program;
#[path = "../support/storyboards.rs"]
mod storyboards;
#[path = "../support/tree.rs"]
mod tree;
#[path = "../support/written.rs"]
mod written;
