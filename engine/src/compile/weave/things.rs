//! The things of several boards, and what people do with them, as those of one.

use crate::diagnostic::Diagnostic;
use crate::form::{Act, ActKind, Play};
use crate::plan::{
    Attending, Attention, Note, NotePiece, Plan, PlannedContainer, PlannedObject, PlannedProposition,
    PlannedStrand, Saying, Staging,
};
use crate::storyboard::{Strand, Weave};
use crate::world::Trust;

/// Puts the things of several plans together.
pub(super) struct Things<'a> {
    pub plans: &'a [&'a Plan],
    pub strands: &'a [PlannedStrand],
    /// The strands of the storyboard, which know what is renamed.
    pub names: &'a [Strand],
}

impl Things<'_> {
    /// All things, in the order of the strands, and everything that is done: that says which rules a reader has to know. At which
    /// steps it is done, and whom somebody can tell something, is up to each strand. `None` if people only walk in all of them.
    pub(super) fn staging(&self, character_count: usize) -> Option<Staging> {
        self.plans.iter().find(|plan| plan.staging.is_some())?;
        let mut all = Staging { trust: trust(self.plans), ..Staging::default() };
        for ((plan, strand), names) in self.plans.iter().zip(self.strands).zip(self.names) {
            let Some(own) = &plan.staging else { continue };
            let name = |name: &str| names.renamed(name).to_owned();
            all.containers.extend(own.containers.iter().map(|container| PlannedContainer {
                name: name(&container.name),
                place: strand.planned_place(container.place),
                is_open: container.is_open,
            }));
            all.objects.extend(own.objects.iter().map(|object| PlannedObject {
                name: name(&object.name),
                start: object.start.iter().map(|&value| strand.planned_value(value)).collect(),
                knowledge: strand.knowledge(&object.knowledge, character_count),
            }));
            all.propositions.extend(own.propositions.iter().map(|proposition| PlannedProposition {
                name: name(&proposition.name),
                is_true: proposition.is_true,
                knowledge: strand.knowledge_of(&proposition.says, &proposition.knowledge, character_count),
                says: saying(strand, &proposition.says),
            }));
            all.attitudes.extend(own.attitudes.iter().map(|thing| name(thing)));
            all.play.extend(own.play.iter().copied());
            all.deeds.extend(own.deeds.iter().map(|(step, deed)| (*step, strand.planned_deed(deed))));
            all.attention.extend(own.attention.iter().map(|attending| attending_in(strand, attending)));
        }
        all.play.sort_unstable();
        all.play.dedup_by_key(|(play, _)| *play);
        all.deeds.sort_by_key(|(step, _)| *step);
        Some(all)
    }
}

/// How a proposition is put into words, with the people and binds of the woven story.
fn saying(strand: &PlannedStrand, says: &Saying) -> Saying {
    let words = |text: &[NotePiece]| pieces(strand, text);
    match says {
        Saying::Words { says, denies } => Saying::Words { says: words(says), denies: words(denies) },
        Saying::Likes(who, thing) => Saying::Likes(strand.person(*who), strand.attitude(*thing)),
        Saying::Of(_) => unreachable!("boards with matters are not woven"),
    }
}

/// The notes of all plans, each after a step of its own strand.
pub(super) fn notes(plans: &[&Plan], strands: &[PlannedStrand]) -> Vec<Note> {
    let each = plans.iter().zip(strands);
    let of_strand = |(plan, strand): (&&Plan, &PlannedStrand)| {
        let note = |note: &Note| Note {
            step: note.step,
            counted: strand.people.clone(),
            text: pieces(strand, &note.text),
            past: note.past.as_ref().map(|past| pieces(strand, past)),
        };
        plan.notes.iter().map(note).collect::<Vec<_>>()
    };
    each.flat_map(of_strand).collect()
}

/// The pieces of a sentence, with the people and binds of the woven story.
fn pieces(strand: &PlannedStrand, text: &[NotePiece]) -> Vec<NotePiece> {
    let piece = |piece: &NotePiece| match piece {
        NotePiece::Text(text) => NotePiece::Text(text.clone()),
        NotePiece::Character(who) => NotePiece::Character(strand.person(*who)),
        NotePiece::Bind(bind) => NotePiece::Bind(strand.things_before.binds + bind),
    };
    text.iter().map(piece).collect()
}

fn attending_in(strand: &PlannedStrand, attending: &Attending) -> Attending {
    let people = |who: &[_]| who.iter().map(|&who| strand.person(who)).collect();
    let attention = match &attending.attention {
        Attention::Peek(who) => Attention::Peek(people(who)),
        Attention::Distracted { who, is_noticed } => {
            Attention::Distracted { who: people(who), is_noticed: *is_noticed }
        }
    };
    Attending { attention, ..*attending }
}

/// Whether anybody can tell anybody anything.
fn is_of_telling(staging: &Staging) -> bool {
    let is_played = |&(play, weight): &(Play, u32)| weight > 0 && play.act() == ActKind::Tell;
    staging.play.iter().any(is_played)
        || staging.deeds.iter().any(|(_, deed)| matches!(deed.act, Act::Tell(_)))
}

/// Whom hearers believe, if anything is told.
fn trust_of(plan: &Plan) -> Option<Trust> {
    plan.staging.as_ref().filter(|staging| is_of_telling(staging)).map(|staging| staging.trust)
}

/// Whom hearers believe in a woven story: the rule of the boards in which something is told.
fn trust(plans: &[&Plan]) -> Trust {
    plans.iter().find_map(|plan| trust_of(plan)).unwrap_or_default()
}

/// Boards whose people believe each other by different rules, so that their stories cannot be told as one.
pub(super) fn clashes_of_trust(weave: &Weave, plans: &[Vec<Plan>]) -> Vec<Diagnostic> {
    let mut problems = Vec::new();
    let mut rule: Option<(&Strand, Trust)> = None;
    for (strand, plans) in weave.strands.iter().zip(plans) {
        let Some(own) = plans.iter().find_map(trust_of) else { continue };
        let (first, of_first) = *rule.get_or_insert((strand, own));
        if own != of_first {
            let message = "a story has one rule of `trust`, and these boards have two";
            let label = |trust: Trust| format!("`trust: {}`", trust.key());
            let problem = Diagnostic::error(message, strand.name.span, label(own));
            problems.push(problem.label(first.name.span, label(of_first)).help(
                "weave boards with the same `trust`, or boards of which only one has people tell each other things",
            ));
        }
    }
    problems
}
