//! What makes stories and their rows: storyboards, tables, draws, belief, questions, text, replays. Nothing here needs a
//! feature, and nothing runs the program.

mod adherence;
mod architecture;
mod balance;
mod belief;
mod belief_properties;
mod belief_stories;
mod belief_things;
mod boost;
mod choices;
mod circles;
mod conditions;
mod conversations;
mod difficulty;
mod draws;
mod fixed;
mod fuzzing;
mod haystack;
mod legs;
mod letter;
mod look;
mod names;
mod numbers;
mod pairs;
mod play;
mod questions;
mod reader;
mod replay;
mod rows;
mod rows_things;
mod sampling;
mod schema;
mod settings;
mod talk;
mod things;
mod verify;
mod weave;
mod worded;
mod worded_news;
mod wording;
mod world;
mod worlds;

#[path = "../support/boards.rs"]
mod boards;
#[path = "../support/deeds/mod.rs"]
mod deeds;
#[path = "../support/effort.rs"]
mod effort;
#[path = "../support/json.rs"]
mod json;
#[path = "../support/logs.rs"]
mod logs;
#[path = "../support/minds.rs"]
mod minds;
#[path = "../support/oracle.rs"]
mod oracle;
#[path = "../support/reasons.rs"]
mod reasons;
#[path = "../support/stage.rs"]
mod stage;
#[path = "../support/storyboards.rs"]
mod storyboards;
