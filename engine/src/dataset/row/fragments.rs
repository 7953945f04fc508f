//! The parts of rows that are the same in many of them: put together once, and then copied.

use crate::belief::Chain;
use crate::dataset::json::quoted;
use crate::id::CharacterId;
use crate::plan::{Dynamic, Moment, Plan, Question, Target, written_number};
use crate::question::{Foils, linked};
use crate::spelling::shown;
use crate::storyboard::QuestionKind;
use crate::text::shown_names;

/// The beginning of every row.
pub const ID: &str = "{\"id\":\"";

/// The common fragments of the rows of all stories of a plan.
#[derive(Clone, Debug)]
pub struct PlanFragments {
    /// The beginning of the id: `{"id":"first-order-mislead/7/`
    pub id_head: String,
    /// The parameters, and the names that are shown otherwise than written:
    /// `,"params":{"mislead_distance":30},"names":[["room 1","room_1"]`
    pub params: String,
    /// The key of each role: `"S1":`
    pub roles: Vec<String>,
    /// The key of each bind: `"first":`
    pub binds: Vec<String>,
    /// Each place as readers see it, with a comma before it: `,"room 1"`
    pub places: Vec<String>,
    /// Whether the names of places are drawn for each story.
    pub has_drawn_places: bool,
    /// Whether readers are told the rules by which people feel, with a comma before it: `,"rules":"told"`
    pub rules: &'static str,
    /// The key of each foil, with a comma before it: `,"last_place":`
    pub foils: Vec<String>,
    /// The common fragments of the rows of each question.
    pub questions: Vec<QuestionFragments>,
}

impl PlanFragments {
    /// The fragments of a plan's rows under the seed of a run. `set` names the parameters that appear in ids.
    pub fn new(plan: &Plan, seed: u64, set: &[String]) -> Self {
        let set = plan.parameters.iter().filter(|(name, _)| set.contains(name));
        let set: String = set.map(|(name, value)| format!(",{name}={value}")).collect();
        let parameters: Vec<String> =
            plan.parameters.iter().map(|(name, value)| format!("{}:{value}", quoted(name))).collect();
        let pair = |(shown, written): &(String, &str)| format!("[{},{}]", quoted(shown), quoted(written));
        let names: Vec<String> = shown_names(plan).iter().map(pair).collect();
        let asks_of_scenarios = plan.questions.iter().any(|question| question.dynamic.is_some());
        let key = |name: &String| format!("{}:", quoted(name));
        let of_question = |(number, question)| QuestionFragments::new(plan, seed, number, question);
        Self {
            id_head: format!("{ID}{}{set}/{seed}/", plan.name),
            params: format!(",\"params\":{{{}}},\"names\":[{}", parameters.join(","), names.join(",")),
            roles: plan.role_names.iter().map(key).collect(),
            binds: plan.bind_names.iter().map(key).collect(),
            places: plan.place_names.iter().map(|name| format!(",{}", quoted(&shown(name)))).collect(),
            rules: match plan.staging.as_ref().and_then(|staging| staging.rules.as_ref()) {
                Some(rules) if !rules.is_told => ",\"rules\":\"untold\"",
                _ => ",\"rules\":\"told\"",
            },
            foils: Foils::names(asks_of_scenarios).into_iter().map(|name| format!(",\"{name}\":")).collect(),
            has_drawn_places: plan.staging.as_ref().is_some_and(|staging| staging.settings.is_some()),
            questions: plan.questions.iter().enumerate().map(of_question).collect(),
        }
    }
}

/// The common fragments of all rows of a question.
#[derive(Clone, Debug)]
pub struct QuestionFragments {
    /// The number of the question in the storyboard.
    pub number: usize,
    /// The end of the id, and the board: `/0","board":"first-order-mislead","seed":7,"index":`
    pub board: String,
    /// The kind and the chain: `,"kind":"belief","order":1,"chain":[`
    pub kind: String,
    /// The minds of the question's chain.
    pub minds: Vec<CharacterId>,
    /// The number of the matter that the question is about, if it is about one.
    pub matter: Option<usize>,
    /// Which state at the end of which scenario it asks of, if it asks of one: `,"scenario":2,"state":"emotion"`
    pub scenario: Option<String>,
    /// The questions on whose answers this one rests: their numbers among all, and in the storyboard.
    pub linked: Vec<[usize; 2]>,
}

impl QuestionFragments {
    fn new(plan: &Plan, seed: u64, number: usize, question: &Question) -> Self {
        let minds = minds(question);
        let when = match question.moment {
            Moment::End => "",
            Moment::Before(_) => "_before",
            Moment::Without(_) => "_without",
        };
        let (kind, order, board) = (question.kind.key(), minds.len(), quoted(&plan.name));
        let number = written_number(&plan.bundles, number);
        Self {
            number,
            board: format!("/{number}\",\"board\":{board},\"seed\":{seed},\"index\":"),
            kind: format!(",\"kind\":\"{kind}{when}\",\"order\":{order},\"chain\":["),
            minds,
            matter: question.of_matter(plan).map(|of| of.matter),
            scenario: question.dynamic.map(|Dynamic { state, scenario }| {
                format!(",\"scenario\":{},\"state\":\"{}\"", scenario + 1, state.word())
            }),
            linked: linked(plan, question)
                .iter()
                .map(|&at| [at, written_number(&plan.bundles, at)])
                .collect(),
        }
    }
}

/// The minds of a question in their shortest form, the outermost first; for `knows`, the knower is the last.
fn minds(question: &Question) -> Vec<CharacterId> {
    match (question.kind, question.target) {
        // These have company, not minds.
        (QuestionKind::World | QuestionKind::WorldThings, _) => Vec::new(),
        (_, Target::Item(item)) => Chain::new(&question.others, item).minds().to_vec(),
        (_, Target::Attitude(_) | Target::Matter(_)) => question.others.clone(),
    }
}

/// The common fragments of the rows of one story, told in one way.
#[derive(Clone, Debug, Default)]
pub struct StoryFragments {
    /// Whether the fragments belong to the current story.
    pub is_fresh: bool,
    /// The story and what precedes it: `,"cast":{…},"start":"the_hallway","context":"…","story":"…"`
    pub telling: String,
    /// The number of words of the story, if rows have it.
    pub words: usize,
    /// The matters: `,"matters":{"m":{"thing":"the soup",…}}`; empty if there are none.
    pub matters: String,
    /// For each matter, its name and the role that everyone has in it: `,"matter":"m","roles":{"Ann":"liar",…}`
    pub roles: Vec<String>,
    /// The events: `,"events":[…]`; empty if rows have no events.
    pub events: String,
}
