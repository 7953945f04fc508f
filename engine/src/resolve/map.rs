//! The places of a storyboard, and the ways between them.

use std::collections::HashSet;

use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::Dfs;

use super::{Bind, Place, Resolver, Scope};
use crate::diagnostic::{Diagnostic, Spanned};
use crate::id::PlaceId;
use crate::storyboard::{Name, Places, Storyboard};
use crate::world::Map;

/// The largest number of ways in a map.
const WAYS_MAX: usize = 1_000_000;

impl Resolver<'_> {
    /// The ways out of every place as written, and the names of the places.
    pub(super) fn places(&mut self) -> (Vec<Vec<Name>>, Vec<String>) {
        let (ways, names) = match &self.storyboard.places {
            Places::Ways(ways) => (
                ways.iter().map(|(_, next)| next.clone()).collect(),
                ways.iter().map(|(name, _)| name.value.clone()).collect(),
            ),
            Places::Complete(names) => {
                self.no_duplicates(names, "place");
                let others =
                    |name: &Name| names.iter().filter(|other| other.value != name.value).cloned().collect();
                let fits = names.len().saturating_mul(names.len()) <= WAYS_MAX;
                if !fits {
                    let message = format!("a map has at most {WAYS_MAX} ways");
                    self.problem(Diagnostic::error(
                        message,
                        names[0].span,
                        format!("{} places here", names.len()),
                    ));
                }
                let ways = names.iter().map(|name| if fits { others(name) } else { Vec::new() }).collect();
                (ways, names.iter().map(|name| name.value.clone()).collect::<Vec<String>>())
            }
        };
        if names.len() < 2 {
            let span = self.storyboard.name.span;
            let message = "a story needs at least two places";
            self.problem(Diagnostic::error(message, span, format!("`places` has {}", names.len())));
        }
        if names.len() > PlaceId::COUNT_MAX {
            let span = self.storyboard.name.span;
            let message = format!("a storyboard has at most {} places", PlaceId::COUNT_MAX);
            self.problem(Diagnostic::error(message, span, format!("`places` has {}", names.len())));
            return (Vec::new(), Vec::new());
        }
        (ways, names)
    }

    pub(super) fn map(
        &mut self,
        ways: Vec<Vec<Name>>,
        place_names: &[String],
        scope: &Scope,
    ) -> (Map, DiGraph<(), ()>) {
        let written: Vec<&Name> = match &self.storyboard.places {
            Places::Ways(ways) => ways.iter().map(|(name, _)| name).collect(),
            Places::Complete(names) => names.iter().collect(),
        };
        let mut resolved: Vec<Vec<PlaceId>> = Vec::with_capacity(ways.len());
        for (at, next) in ways.iter().enumerate() {
            let here = written[at];
            let mut leads_to: Vec<PlaceId> = Vec::with_capacity(next.len());
            let mut seen = HashSet::new();
            for name in next {
                let Some(&place) = scope.places.get(name.value.as_str()) else {
                    let help = self
                        .suggest(&name.value, place_names.iter().map(String::as_str))
                        .unwrap_or_else(|| "every place needs an entry of its own".into());
                    let message = format!("no place is called `{}`", name.value);
                    self.problem(Diagnostic::error(message, name.span, "unknown").help(help));
                    continue;
                };
                if name.value == here.value {
                    let message = format!("`{}` leads to itself", here.value);
                    let help = "a move changes the place, so remove this way";
                    self.problem(Diagnostic::error(message, name.span, "from a place to itself").help(help));
                } else if !seen.insert(place) {
                    let message =
                        format!("the way from `{}` to `{}` is listed twice", here.value, name.value);
                    self.problem(Diagnostic::error(message, name.span, "the second"));
                } else {
                    leads_to.push(place);
                }
            }
            // Where all ways out are wrong, that has been said.
            if next.is_empty() && ways.len() > 1 && matches!(self.storyboard.places, Places::Ways(_)) {
                let message = format!("`{}` cannot be left", here.value);
                let help = "give it a way out: whoever is drawn to act must be able to move";
                self.problem(Diagnostic::error(message, here.span, "a place without a way out").help(help));
            }
            resolved.push(leads_to);
        }
        let count: usize = resolved.iter().map(Vec::len).sum();
        if count > WAYS_MAX {
            let span = self.storyboard.name.span;
            self.problem(Diagnostic::error(
                format!("a map has at most {WAYS_MAX} ways"),
                span,
                format!("{count} here"),
            ));
        }
        let mut graph = DiGraph::with_capacity(resolved.len(), count);
        for _ in &resolved {
            graph.add_node(());
        }
        for (from, next) in resolved.iter().enumerate() {
            for to in next {
                graph.add_edge(NodeIndex::new(from), NodeIndex::new(to.index()), ());
            }
        }
        (Map::new(&resolved), graph)
    }
}

/// Warns of places that nobody can ever be in.
pub(super) fn unreachable_places(
    graph: &DiGraph<(), ()>,
    start: &[Place],
    binds: &[Bind],
    place_names: &[String],
    board: &Storyboard,
    warnings: &mut Vec<Diagnostic>,
) {
    let mut reached = vec![false; graph.node_count()];
    for place in start {
        let Place::Fixed(place) = place else {
            debug_assert!(!binds.is_empty());
            return; // wherever that bind may be
        };
        if reached[place.index()] {
            continue;
        }
        let mut search = Dfs::new(graph, NodeIndex::new(place.index()));
        while let Some(node) = search.next(graph) {
            reached[node.index()] = true;
        }
    }
    let spans: Vec<&Spanned<String>> = match &board.places {
        Places::Ways(ways) => ways.iter().map(|(name, _)| name).collect(),
        Places::Complete(names) => names.iter().collect(),
    };
    for (at, name) in place_names.iter().enumerate() {
        if !reached[at] {
            let message = format!("nobody can ever come to `{name}`");
            let help = "it will still be offered as a choice; no answer will name it";
            warnings.push(Diagnostic::warning(message, spans[at].span, "no way leads here").help(help));
        }
    }
}
