//! What a dataset folder says about itself to people: `README.md`, the dataset card.

use super::Format;
use super::manifest::{Manifest, SetRecord, settings};
use crate::dataset::{FIELDS, Field};
use crate::diagnostic::counted;
use crate::experiment::Experiment;
use crate::select::Twinning;
use crate::storyboard::{Found, Giveaway, Giveaways};

impl Manifest {
    /// The card of a whole dataset: what the rows are, how they were made, and how to make them again. Its header tells the
    /// Hugging Face Hub, and `datasets.load_dataset(FOLDER)`, which files belong together.
    pub fn card(&self) -> String {
        let names: Vec<&str> = self.boards.iter().map(|board| board.name.as_str()).collect();
        let title =
            self.experiment.as_ref().map_or_else(|| names.join(", "), |name| format!("Experiment {name}"));
        let mut card = self.card_header(&title, &names);
        card.push_str(&format!("# {title}\n\n"));
        card.push_str(&format!(
            "{}{} with {} about what their characters believe about each other and the world. Every\n\
             answer was derived by tracking what every mind in the story has witnessed; no language model wrote\n\
             anything. Made by storysim {} from the storyboards in `manifest.json`, with seed {}.\n\n",
            counted(self.stories, "story"),
            self.twins.map_or("", |twins| twins.besides(self.stories)),
            match self.shape {
                None => counted(self.rows, "question"),
                Some(_) => "questions".to_owned(),
            },
            self.storysim,
            self.seed
        ));
        if let Some(name) = &self.experiment {
            card.push_str(&self.study(name));
        }
        if let Some(keep) = &self.keep {
            card.push_str(&format!(
                "Of {} for every storyboard and every combination of values, only these questions are here: `{keep}`.\n\n",
                counted(self.count, "story")
            ));
        }
        card.push_str(&self.giveaways());
        card.push_str(&self.fields());
        if self.format == Format::Parquet.ending() {
            card.push_str(
                "\nA `start` that differs from character to character is a JSON object in a string. There is no `params`\n\
                 column where no storyboard has parameters.\n",
            );
        }
        card.push_str("\n## Make it again\n\n");
        card.push_str(&format!(
            "With storysim {}, bit for bit:\n\n    {}",
            self.storysim,
            self.command(&names)
        ));
        let has_files = self.boards.iter().flat_map(|board| &board.packs).any(|pack| pack.text.is_some());
        card.push_str(
            "\n\nA storyboard that is not built into storysim stands in `manifest.json` under `boards`: save its `text` as a\n\
             file, and name that file instead. `manifest.json` also has the BLAKE3 hash of every file.\n",
        );
        if has_files {
            card.push_str(
                "A file that the storyboard names, a pack of words or a storyboard that it weaves, stands there under `packs`, with\n\
                 its `text`, too: save it beside the storyboard, under its `name`.\n",
            );
        }
        card
    }

    /// The fields of a row and what they mean.
    fn fields(&self) -> String {
        let mut text = String::from(if self.shape.is_none() { ROW } else { STORY });
        let line = |field: &Field| format!("| `{}` | {} |\n", field.name, field.meaning);
        let known = FIELDS.iter().filter(|field| field.presence.is_met(self.extras()));
        if self.shape.is_none() {
            text.extend(known.map(line));
            return text;
        }
        let (of_story, of_question): (Vec<&Field>, Vec<&Field>) =
            known.partition(|field| Field::is_of_story(field.name));
        text.extend(of_story.into_iter().map(line));
        text.push_str(OF_QUESTIONS);
        text.extend(of_question.into_iter().map(line));
        text
    }

    /// The header of the card, which tells programs which files belong together.
    fn card_header(&self, title: &str, names: &[&str]) -> String {
        let mut header = format!("---\npretty_name: {title}\nlanguage: [en]\n");
        header.push_str("task_categories: [question-answering, multiple-choice]\n");
        header
            .push_str("tags: [theory-of-mind, false-belief, world-models, synthetic, storysim]\nconfigs:\n");
        for name in names {
            let folder = Self::folder(name, names.len());
            header.push_str(&format!("  - config_name: {name}\n    data_files:\n"));
            for split in self.split_names() {
                let path = format!("{folder}/{split}-*.{}", self.format);
                header.push_str(&format!("      - split: {split}\n        path: {path}\n"));
            }
        }
        header + "---\n\n"
    }

    /// The command that makes the dataset again.
    fn command(&self, names: &[&str]) -> String {
        let what =
            self.experiment.as_ref().map_or_else(|| names.join(" "), |name| format!("--experiment {name}"));
        let mut command = format!("storysim generate {what} --count {} --seed {}", self.count, self.seed);
        for SetRecord { name, values } in &self.set {
            let values = match values[..] {
                [value] => value.to_string(),
                [first, second, ..] => {
                    format!("{first}..{}..{}", values[values.len() - 1], second.abs_diff(first))
                }
                [] => continue,
            };
            command.push_str(&format!(" --set {name}={values}"));
        }
        command.push_str(&format!(" --format {} --shard-size {}", self.format, self.shard_size));
        if !self.split.is_empty() {
            command.push_str(&format!(" --split {}", self.splits()));
        }
        if let Some(wording) = self.boards.iter().find_map(|board| board.wording.as_ref()) {
            command.push_str(&format!(" --wording {wording}"));
        }
        if self.with_events {
            command.push_str(" --with-events");
        }
        if self.with_difficulty {
            command.push_str(" --difficulty");
        }
        if let Some(keep) = &self.keep {
            command.push_str(&format!(" --where '{keep}'"));
        }
        if let Some(prompt) = &self.prompt {
            command.push_str(&format!(" --prompt {prompt}"));
        }
        if let Some(shape) = &self.shape {
            command.push_str(&format!(" --shape {shape}"));
        }
        match self.twins {
            None => {}
            Some(Twinning::Pairs) => command.push_str(" --twins"),
            Some(twins) => command.push_str(&format!(" --twins={}", twins.name())),
        }
        command + " --out FOLDER"
    }

    /// The text of the card about an experiment.
    fn study(&self, name: &str) -> String {
        let about = Experiment::named(name).map_or("", |experiment| experiment.about);
        let mut text = format!("## The study\n\n{about}\n\n| storyboard | values |\n|---|---|\n");
        for board in &self.boards {
            let values = match &board.set[..] {
                [] => "the defaults".to_owned(),
                set => settings(set).replace('|', ", "),
            };
            text.push_str(&format!("| {} | {values} |\n", board.name));
        }
        text.push_str(&format!(
            "\nFor each, and for every combination of values, there {} {}. To plot what models answer, run\n\n    \
             storysim score FOLDER RESPONSES… --html page.html\n\n",
            if self.count == 1 { "is" } else { "are" },
            counted(self.count, "story")
        ));
        text
    }

    /// What the storyboards are known to give away, as far as they are built in.
    fn giveaways(&self) -> String {
        let known = Giveaways::built_in();
        let (found, unknown): (Vec<_>, Vec<_>) = self
            .boards
            .iter()
            .map(|board| (board, known.of_text(&board.text)))
            .partition(|(_, found)| found.is_some());
        let mut text = String::from("## What gives answers away\n\n");
        if !found.is_empty() {
            text.push_str(
                "How far a reader gets who follows no mind, in percentage points above chance: with the best single\n\
                 shortcut, and with boosted trees that learn from what they are shown. Where there are several\n\
                 questions, a figure is that of the worst. Stories of these storyboards with seed 1 were measured.\n\n\
                 | storyboard | question | shortcut | points | trees: surface | target | minds | both |\n\
                 |---|---:|---|---:|---:|---:|---:|---:|\n",
            );
        }
        for found in found.iter().filter_map(|(_, found)| *found) {
            text.push_str(&line(found, &found.shortcut));
            if let Some(beginning) = found.telling_beginning() {
                text.push_str(&format!(
                    "| | {} | {}, which begins to follow a mind | {} | | | | |\n",
                    number(beginning),
                    shown(beginning),
                    beginning.points()
                ));
            }
        }
        if !found.is_empty() {
            text.push('\n');
            if self.boards.iter().any(|board| !board.set.is_empty()) || !self.set.is_empty() {
                text.push_str("The figures are those of the default values of parameters, not of the values set here.\n\n");
            }
            if self.twins.is_some() {
                text.push_str("The figures are those of stories without twins.\n\n");
            }
        }
        if !unknown.is_empty() {
            let names: Vec<&str> = unknown.iter().map(|(board, _)| board.name.as_str()).collect();
            text.push_str(&format!("Nothing is known of {}. To find out, run\n\n", names.join(", ")));
        } else {
            text.push_str("To measure these very rows, run\n\n");
        }
        text + "    storysim audit FOLDER\n\n"
    }
}

/// The line of a storyboard in the table of what is given away.
fn line(found: &Giveaway, shortcut: &Found) -> String {
    let learned = ["surface", "target", "minds", "both"].map(|name| {
        let parts = found.learner.iter().flat_map(|learner| learner.parts());
        let part = parts.into_iter().find(|(part, _)| *part == name);
        part.map_or_else(|| "-".to_owned(), |(_, found)| found.points())
    });
    format!(
        "| {} | {} | {} | {} | {} |\n",
        found.board,
        number(shortcut),
        shown(shortcut),
        shortcut.points(),
        learned.join(" | ")
    )
}

/// The number of the question for which something was found, or what several ask.
fn number(found: &Found) -> String {
    found.question.map_or_else(|| found.asked(), |number| number.to_string())
}

/// The name of a shortcut, as code.
fn shown(found: &Found) -> String {
    let which = found.which.as_ref().map(|which| format!(" ({which})")).unwrap_or_default();
    format!("`{}`{which}", found.name)
}

const ROW: &str = "\
## A row

One row a question; `context`, `story` and `question` are all that a reader needs.

| field | meaning |
|---|---|
";

const STORY: &str = "\
## A row

One row a story. `context`, `story` and one of its `questions` are all that a reader needs.

| field | meaning |
|---|---|
| `id` | The name of the story: `BOARD/SEED/INDEX`. |
";

const OF_QUESTIONS: &str = "\
| `questions` | The questions of the story, in order. |

Each of `questions` has these fields.

| field | meaning |
|---|---|
";

#[cfg(test)]
mod tests {
    use super::super::manifest::BoardText;
    use super::*;
    use crate::storyboard::BUILT_IN;

    #[test]
    fn the_card_repeats_the_command() {
        let board = |name: &str| BoardText { name: name.to_owned(), ..BoardText::default() };
        let set = |name: &str, values: &[i64]| SetRecord { name: name.to_owned(), values: values.to_vec() };
        let manifest = Manifest {
            storysim: "1.2.3".into(),
            seed: 7,
            count: 20,
            set: vec![set("a", &[5, 10, 15]), set("b", &[-1])],
            split: "train=0.75,test=0.25".parse().unwrap(),
            with_events: true,
            format: "jsonl.gz".into(),
            shard_size: 9,
            boards: vec![board("one"), board("two")],
            ..Manifest::default()
        };
        let card = manifest.card();
        assert!(card.contains(
            "    storysim generate one two --count 20 --seed 7 --set a=5..15..5 --set b=-1 --format jsonl.gz \
             --shard-size 9 --split train=0.75,test=0.25 --with-events --out FOLDER\n"
        ));
        assert!(card.contains("  - config_name: two\n") && card.contains("path: data/two/test-*.jsonl.gz\n"));
        assert_eq!(serde_json::from_str::<Manifest>(&manifest.to_json()).unwrap(), manifest);
    }

    #[test]
    fn the_card_says_what_gives_answers_away() {
        let built_in = &BUILT_IN[0];
        let board = |name: &str, text: &str| BoardText {
            name: name.into(),
            text: text.into(),
            ..BoardText::default()
        };
        let own = board("own", "name: own");
        let manifest =
            Manifest { boards: vec![board(built_in.name, built_in.text())], ..Manifest::default() };
        let found = Giveaways::built_in().of(built_in).unwrap();
        let told =
            format!("| {} | 0 | `{}` | {} |", built_in.name, found.shortcut.name, found.shortcut.points());
        let card = manifest.card();
        assert!(
            card.contains(&told) && !card.contains("default values") && !card.contains("Nothing is known"),
            "{card}"
        );
        let set = vec![SetRecord { name: "mislead_distance".into(), values: vec![5] }];
        assert!(Manifest { set, ..manifest.clone() }.card().contains("default values of parameters"));
        assert!(
            Manifest { twins: Some(Twinning::Pairs), ..manifest.clone() }.card().contains("without twins")
        );
        let card = Manifest { boards: vec![own.clone(), manifest.boards[0].clone()], ..manifest }.card();
        assert!(card.contains(&told) && card.contains("Nothing is known of own."), "{card}");
        let card = Manifest { boards: vec![own], ..Manifest::default() }.card();
        assert!(!card.contains("| points |") && card.contains("storysim audit FOLDER"), "{card}");
        // A storyboard that is only called like a built-in one is another one.
        let card =
            Manifest { boards: vec![board(built_in.name, "name: other")], ..Manifest::default() }.card();
        assert!(card.contains("Nothing is known of first-order-mislead."), "{card}");
    }
}
