//! A story in scenarios as a drawing: where everyone was, who heard what, and what became of those who are asked about.

use super::scenarios::{LIVES_MAX, cells, name, preface, steps, title};
use crate::id::CharacterId;
use crate::page::{Band, Bands, Form, Mark, SheetDrawing, Table};
use crate::text::{FateInWords, NewsInWords, PersonInWords, ScenariosInWords};

/// The drawing of a story, with the same as tables.
pub fn drawing(of: &ScenariosInWords) -> SheetDrawing {
    let mut people: Vec<&PersonInWords> = of.people.iter().collect();
    people.sort_by_key(|person| person.who);
    let sections = of.scenarios.iter().map(|scenario| (scenario.steps.clone(), scenario.heading.clone()));
    let asked: Vec<String> = of.fates.iter().map(|fate| title(of, fate)).collect();
    let bands = Bands {
        title: "Who was where, who heard what, and what became of whom".to_owned(),
        about: format!(
            "A band for each of {} people, over {} scenarios. It says step by step where that person is. Below it, a mark for \
             each announcement says whether that person made it, heard it or missed it. Written below are the states, at the end \
             of each scenario, of {}. The tables that follow say the same.",
            people.len(),
            of.scenarios.len(),
            asked.join("; "),
        ),
        sections: sections.collect(),
        kinds: of.places.clone(),
        forms: ["says it", "hears it", "misses it"].map(str::to_owned),
        bands: people.into_iter().map(|person| band(of, person)).collect(),
    };
    let fates = of.fates.iter().map(|fate| states(of, fate));
    SheetDrawing {
        summary: "Who was where, who heard what, and what became of whom (once this is unfolded, nothing can be ticked)"
            .to_owned(),
        about: preface(of),
        bands,
        tables: std::iter::once(news(of)).chain(fates).collect(),
    }
}

fn band(of: &ScenariosInWords, person: &PersonInWords) -> Band {
    let all_news = || of.scenarios.iter().flat_map(|scenario| &scenario.news);
    let is_hers = |fate: &&FateInWords| fate.minds.last() == Some(&person.who);
    Band {
        name: match &person.role {
            Some(role) => format!("{} ({role})", person.name),
            None => person.name.clone(),
        },
        stays: person.stays.iter().map(|stay| (stay.steps.clone(), stay.place.index())).collect(),
        marks: all_news().map(|news| mark(of, news, person)).collect(),
        notes: of.fates.iter().filter(is_hers).flat_map(|fate| notes(of, fate)).collect(),
    }
}

fn mark(of: &ScenariosInWords, news: &NewsInWords, person: &PersonInWords) -> Mark {
    let (form, does) = match person.who {
        who if who == news.by => (Form::Source, "says it"),
        who if news.heard_by.contains(&who) => (Form::Filled, "hears it"),
        _ => (Form::Hollow, "misses it"),
    };
    let about = format!("step {}, {}: {}; {} {does}", news.step, name(of, news.by), news.case, person.name);
    Mark { step: news.step, form, about }
}

/// What somebody thinks, feels, wants and does in the life that she leads, at the end of each scenario.
fn notes(of: &ScenariosInWords, fate: &FateInWords) -> Vec<(String, Vec<String>)> {
    let own = fate.lives.first().expect("the life that is led");
    let outer: Vec<&str> = fate.minds[..fate.minds.len() - 1].iter().map(|&mind| name(of, mind)).collect();
    let seen = if outer.is_empty() { String::new() } else { format!("to {}: ", outer.join(", to ")) };
    let states = ["thinks", "feels", "wants", "does"];
    let of_state = |(at, state): (usize, &str)| {
        let texts = (0..own.ends.len()).map(|scenario| {
            let [_, _, thinks, feels, wants, does] = cells(of, own, scenario);
            [thinks, feels, wants, does][at].clone()
        });
        (format!("{seen}{state}"), texts.collect())
    };
    states.into_iter().enumerate().map(of_state).collect()
}

fn titles(titles: &[&str]) -> Vec<String> {
    titles.iter().map(|&title| title.to_owned()).collect()
}

fn news(of: &ScenariosInWords) -> Table {
    let names = |who: &[CharacterId]| who.iter().map(|&who| name(of, who)).collect::<Vec<_>>().join(", ");
    let rows = of.scenarios.iter().zip(1..).flat_map(|(scenario, number): (_, usize)| {
        scenario.news.iter().map(move |news| {
            let heard_by = if news.heard_by.is_empty() { "nobody".to_owned() } else { names(&news.heard_by) };
            let by = name(of, news.by).to_owned();
            vec![number.to_string(), steps(&[news.step]), by, news.case.clone(), heard_by]
        })
    });
    let titles = titles(&["scenario", "step", "by", "news", "heard by"]);
    Table {
        caption: "What was announced or told, and who heard it.".to_owned(),
        text_columns: 5,
        rows: rows.collect(),
        titles,
    }
}

fn states(of: &ScenariosInWords, fate: &FateInWords) -> Table {
    let rows = (0..of.scenarios.len()).flat_map(|scenario| {
        fate.lives
            .iter()
            .take(LIVES_MAX)
            .map(move |life| [vec![(scenario + 1).to_string()], cells(of, life, scenario).to_vec()].concat())
    });
    let titles = titles(&["scenario", "life", "heard", "thinks", "feels", "wants", "does"]);
    let caption = format!("{}, at the end of each scenario, in each life.", title(of, fate));
    Table { caption, text_columns: 7, rows: rows.collect(), titles }
}
