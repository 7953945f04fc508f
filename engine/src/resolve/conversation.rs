//! Stories told as conversations: what people may do in them, and the packs that their words come from.

use std::sync::Arc;

use super::{Place, Resolver};
use crate::diagnostic::{Diagnostic, Source, Span, did_you_mean};
use crate::form::{Act, ActKind, Class, Hearers};
use crate::id::PlaceId;
use crate::pack::{self, Pack};
use crate::plan::{Play, Staging};
use crate::storyboard::{Event, Name, QuestionKind, Style, Trust, Verb};

impl Resolver<'_> {
    /// The place where everything has to be said, if stories are told as conversations.
    pub(super) fn table(&self) -> Option<Place> {
        (self.storyboard.style == Style::Conversation).then(|| Place::Fixed(PlaceId::new(0)))
    }

    /// Checks that stories can be told in their style, and finds the packs that their words come from.
    pub(super) fn conversation(&mut self, staging: &mut Staging) {
        let board = self.storyboard;
        if board.style != Style::Conversation {
            if let Some(matters) = board.matters.first() {
                let message = "what is said of matters has to be told as a conversation";
                let problem = Diagnostic::error(message, matters.name.span, "a matter");
                self.problem(problem.help("add `style: conversation`"));
            }
            if let Some(pack) = board.packs.first() {
                let message = "only conversations take their words from packs";
                let problem = Diagnostic::error(message, pack.span, "a pack");
                self.problem(problem.help("add `style: conversation`"));
            }
            return;
        }
        let places = board.place_names();
        if places.len() != 2 {
            let span = places.get(2).map_or(board.name.span, |place| place.span);
            let message =
                "a conversation has two places: where people talk, and where they hear nothing of it";
            self.problem(Diagnostic::error(message, span, format!("{} here", places.len())));
        }
        let things = board.objects.iter().map(|object| &object.name);
        let things = things.chain(board.containers.iter().map(|container| &container.name));
        for name in things.chain(&board.attitudes) {
            let message = "in a conversation there are no things";
            self.problem(Diagnostic::error(message, name.span, "nobody could see what is done with it"));
        }
        if let Some(trust) = &board.trust
            && trust.value != Trust::UnlessKnownBetter
        {
            let message = "in a conversation people believe what they are told, unless they know better";
            let problem = Diagnostic::error(message, trust.span, "`trust` says otherwise");
            self.problem(problem.help("leave `trust` out"));
        }
        // Without `verb` in the file there is one that stands nowhere.
        if let Some(verb) = board.verbs.iter().find(|verb| verb.span != Span::default()) {
            let message = "in a conversation, people who come or go say so themselves";
            let problem = Diagnostic::error(message, verb.span, "this verb is never used");
            self.problem(problem.help("leave `verb` out; what they say comes from packs of the kind `acts`"));
        }
        if let Some((who, _)) = board.friends.first() {
            let message = "in a conversation, people speak to everyone who is there";
            let problem = Diagnostic::error(message, who.span, "has no use for friends");
            self.problem(problem.help("leave `friends` out"));
        }
        for event in &board.events {
            self.check_sayable(event);
        }
        for question in board.questions.iter().filter(|question| question.kind == QuestionKind::WorldThings) {
            let message = "a conversation cannot be retold with things that somebody moves";
            let problem = Diagnostic::error(message, question.span, "things say nothing");
            self.problem(problem.help("`world` asks the same of the people"));
        }
        for (play, _) in &board.play {
            if ![Play::Move, Play::Tell, Play::Lie, Play::Chat].contains(&play.value) {
                self.not_said(play.value.key(), play.span);
            }
        }
        self.packs(staging);
    }

    fn check_sayable(&mut self, event: &Event) {
        let is_sayable = match &event.verb {
            Verb::Do(direction) => match &direction.act {
                Act::Tell(telling) => telling.hearers == Hearers::Present,
                act => [ActKind::Go, ActKind::Reveal, ActKind::Chat].contains(&act.kind()),
            },
            Verb::Hold(condition) => condition.form().is_of_walks,
            Verb::Note { .. } => false,
        };
        if !is_sayable {
            self.not_said(event.verb.key(), event.span);
        }
    }

    fn not_said(&mut self, key: &str, span: Span) {
        let message = format!("`{key}` cannot be told in a conversation");
        let help = "people come, go, and speak to everyone who is there; or leave `style` out";
        self.problem(Diagnostic::error(message, span, "nobody says this").help(help));
    }

    /// Finds the packs: those that are named, or all built-in ones that fit.
    fn packs(&mut self, staging: &mut Staging) {
        let board = self.storyboard;
        let mut packs: Vec<Arc<Pack>> = Vec::new();
        for name in &board.packs {
            packs.extend(self.pack(name));
        }
        let (lies, acts): (Vec<_>, Vec<_>) = packs.into_iter().partition(|pack| pack.white_lie().is_some());
        let built_in = || pack::BUILT_IN.iter().filter_map(|known| pack::built_in(known.name));
        staging.acts = acts;
        if staging.acts.is_empty() {
            staging.acts = built_in().filter(|pack| pack.acts().is_some()).cloned().collect();
        }
        if staging.matters.is_empty() {
            return;
        }
        let fits = |class: Class| staging.matters.iter().all(|matter| matter.classes.contains(&class));
        let is_of_class = |pack: &Pack| pack.white_lie().is_some_and(|words| fits(words.class));
        let named = !lies.is_empty();
        let found = if named { lies } else { built_in().cloned().collect() };
        staging.packs = found.into_iter().filter(|pack| is_of_class(pack)).collect();
        let span = board.packs.first().map_or(board.matters[0].name.span, |pack| pack.span);
        if staging.packs.is_empty() {
            let message = "no pack has words for matters of these classes";
            let problem = Diagnostic::error(message, span, "here");
            self.problem(problem.help("a story has one pack, so all its matters are of one class"));
        }
        let count = staging.matters.len();
        let short = |pack: &&Arc<Pack>| pack.white_lie().is_some_and(|words| words.matters.len() < count);
        if let Some(pack) = staging.packs.iter().find(short)
            && self.unclear.is_empty()
        {
            let most = pack.white_lie().map_or(0, |words| words.matters.len());
            let message = format!("the pack `{}` has fewer than {count} matters", pack.name.value);
            let problem = Diagnostic::error(message, span, format!("a story has {count}"));
            self.problem(problem.help(format!(
                "a story has no two matters alike: have {most} at most, or name packs with more matters under `packs`"
            )));
        }
    }

    /// The pack of this name: a built-in one, or a file.
    pub(super) fn pack(&mut self, name: &Name) -> Option<Arc<Pack>> {
        if let Some(built_in) = pack::built_in(&name.value) {
            return Some(Arc::clone(built_in));
        }
        let Some(file) = self.storyboard.files.iter().find(|file| file.name == name.value) else {
            let known = pack::BUILT_IN.iter().map(|pack| pack.name);
            let is_path = name.value.contains(['/', '\\', '.']);
            let help = did_you_mean(&name.value, known).filter(|_| !is_path).unwrap_or_else(|| {
                let help = if is_path {
                    "the path of a file begins beside the storyboard, or where the command is run"
                } else {
                    "`storysim list --packs` shows the built-in ones"
                };
                help.to_owned()
            });
            let message = format!("no pack or file is called `{}`", name.value);
            self.problem(Diagnostic::error(message, name.span, "unknown").help(help));
            return None;
        };
        let text = match &file.text {
            Ok(text) => text.clone(),
            Err(why) => {
                let message = format!("the pack `{}` cannot be used: it {why}", name.value);
                self.problem(Diagnostic::error(message, name.span, "this one"));
                return None;
            }
        };
        match pack::parse(Source { name: file.name.clone(), text }) {
            Ok(pack) => Some(Arc::new(pack)),
            Err(problems) => {
                let message = format!("the pack `{}` cannot be used: {}", name.value, problems[0].message);
                let problem = Diagnostic::error(message, name.span, "this one");
                self.problem(problem.help(format!("`storysim check {}` says everything", file.path)));
                None
            }
        }
    }
}
