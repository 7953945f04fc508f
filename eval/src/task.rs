//! Rows as tasks of lm-evaluation-harness.
//!
//! Every kind and order of question is a task in two forms: `…_choice` compares the likelihoods of the choices, and `…_free` lets
//! the model write and finds its answer by the rules of [`crate::score`]. What the tasks do is said in Python, by the module
//! `storysim.lm_eval`; here are the files that refer to it.

use std::collections::BTreeMap;

use crate::dataset::{Fields, StoredRow};

/// What tasks are named after if nobody says otherwise.
pub const NAME: &str = "storysim";

/// What the tasks of a folder do.
const FUNCTIONS: &str = r#""""What the tasks of this folder do. Written by `storysim task lm-eval`."""

import pathlib

from storysim import lm_eval
from storysim.lm_eval import choice_results, free_results, pair_accuracy, triplet_accuracy  # noqa: F401


def load(rows, **_):
    """The documents of a task."""
    return lm_eval.documents(pathlib.Path(__file__).parent / rows)
"#;

/// The two forms of a task: how its name ends, and what is particular to it.
const FORMS: [(&str, &str); 2] = [
    (
        "choice",
        "output_type: multiple_choice\n\
         doc_to_text: choice_prompt\n\
         doc_to_target: label\n\
         doc_to_choice: choices\n\
         process_results: !function functions.choice_results\n",
    ),
    (
        "free",
        "output_type: generate_until\n\
         doc_to_text: free_prompt\n\
         doc_to_target: answer\n\
         process_results: !function functions.free_results\n\
         generation_kwargs: {until: [], max_gen_toks: 1024, do_sample: false}\n",
    ),
];

/// A file of a folder of tasks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskFile {
    /// The name of the file in its folder.
    pub name: String,
    /// What is in it.
    pub text: String,
}

/// Rows, gathered by what they ask.
///
/// ```
/// use storysim::task::Tasks;
/// let mut tasks = Tasks::new("minds").unwrap();
/// tasks.add(r#"{"id":"b/0/0/0","kind":"belief","order":2,"choices":["a","b"]}"#).unwrap();
/// assert_eq!(tasks.names(), ["minds_belief_2_choice", "minds_belief_2_free"]);
/// let files: Vec<String> = tasks.files().into_iter().map(|file| file.name).collect();
/// assert_eq!(files[..2], ["functions.py", "minds_belief_2.jsonl"]);
/// assert_eq!(files.last().unwrap(), "minds.yaml");
/// ```
#[derive(Clone, Debug)]
pub struct Tasks {
    name: String,
    groups: BTreeMap<(String, usize), Group>,
}

/// The rows of one kind and order.
#[derive(Clone, Debug)]
struct Group {
    rows: String,
    /// Whether some of them belong to pairs of twins.
    has_pairs: bool,
    /// Whether some of them belong to triplets.
    has_triplets: bool,
}

impl Tasks {
    /// No tasks yet. Their names will begin with this one.
    ///
    /// # Errors
    /// If it cannot be part of the name of a file and of a task.
    pub fn new(name: &str) -> Result<Self, String> {
        let is_fine = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-');
        if name.is_empty() || !name.chars().all(is_fine) {
            return Err(format!("the name of tasks has letters, digits, `-` and `_` alone, unlike `{name}`"));
        }
        Ok(Self { name: name.to_owned(), groups: BTreeMap::new() })
    }

    /// Adds a row, given as JSON.
    ///
    /// # Errors
    /// If it is no row.
    pub fn add(&mut self, row: &str) -> serde_json::Result<()> {
        let row = row.trim_end();
        let fields = Fields::of(&StoredRow::Line(row.to_owned()))?;
        let new = || Group { rows: String::new(), has_pairs: false, has_triplets: false };
        let group = self.groups.entry((fields.kind, fields.order)).or_insert_with(new);
        group.has_pairs |= fields.twin.is_some();
        group.has_triplets |= !fields.triplet.is_empty();
        group.rows.push_str(row);
        group.rows.push('\n');
        Ok(())
    }

    /// The names of the tasks.
    pub fn names(&self) -> Vec<String> {
        FORMS.iter().flat_map(|(form, _)| self.names_of(form)).collect()
    }

    /// The names of the tasks of a form.
    fn names_of(&self, form: &str) -> impl Iterator<Item = String> {
        self.groups.keys().map(move |(kind, order)| format!("{}_{kind}_{order}_{form}", self.name))
    }

    /// The files of the tasks, in the order in which they are to be written.
    pub fn files(&self) -> Vec<TaskFile> {
        let file = |name: String, text: String| TaskFile { name, text };
        let mut files = vec![file("functions.py".to_owned(), FUNCTIONS.to_owned())];
        for ((kind, order), group) in &self.groups {
            let rows = format!("{}_{kind}_{order}.jsonl", self.name);
            files.push(file(rows.clone(), group.rows.clone()));
            for (form, particular) in FORMS {
                let task = format!("{}_{kind}_{order}_{form}", self.name);
                let text = format!(
                    "task: {task}\n\
                     custom_dataset: !function functions.load\n\
                     dataset_kwargs: {{rows: {rows}}}\n\
                     test_split: test\n\
                     {particular}\
                     metric_list:\n\
                     {}\
                     metadata: {{version: 1.0, kind: {kind}, order: {order}}}\n",
                    group.metrics()
                );
                files.push(file(format!("{task}.yaml"), text));
            }
        }
        for (form, _) in FORMS {
            let name = format!("{}_{form}", self.name);
            let text = group_of_tasks(&name, self.names_of(form)) + AVERAGED;
            files.push(file(format!("{name}.yaml"), text));
        }
        // Their accuracies are of different things, so there is no mean over both.
        let forms = FORMS.iter().map(|(form, _)| format!("{}_{form}", self.name));
        files.push(file(format!("{}.yaml", self.name), group_of_tasks(&self.name, forms)));
        files
    }
}

impl Group {
    /// What is measured, as the harness reads it.
    fn metrics(&self) -> String {
        let all = [
            ("acc", "mean", "true", true),
            // Chance is no merit: it has no better direction.
            ("chance", "mean", "null", true),
            ("pair_acc", "!function functions.pair_accuracy", "true", self.has_pairs),
            ("triplet_acc", "!function functions.triplet_accuracy", "true", self.has_triplets),
        ];
        let metric = |(name, aggregation, is_higher_better, _): &(&str, &str, &str, bool)| {
            format!(
                "  - {{metric: {name}, aggregation: {aggregation}, higher_is_better: {is_higher_better}}}\n"
            )
        };
        all.iter().filter(|(_, _, _, is_there)| *is_there).map(metric).collect()
    }
}

/// What is averaged over the tasks of a form, as the harness reads it. Pairs are not: it would weigh tasks by their rows.
const AVERAGED: &str = "aggregate_metric_list:\n  \
     - {metric: acc, weight_by_size: true}\n  \
     - {metric: chance, weight_by_size: true}\n";

/// A group of tasks, as the harness reads it.
fn group_of_tasks(name: &str, tasks: impl Iterator<Item = String>) -> String {
    let tasks: String = tasks.map(|task| format!("  - {task}\n")).collect();
    format!("group: {name}\ntask:\n{tasks}metadata: {{version: 1.0}}\n")
}
