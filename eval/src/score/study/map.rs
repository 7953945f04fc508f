//! Heat maps of accuracies over two properties of the rows.

use std::collections::BTreeSet;

use serde::Serialize;

use super::{ModelFigure, StudyFigure};
use crate::score::accuracy::{Accuracy, Group};
use crate::score::tally::Key;

/// A heat map: accuracies by two properties of the rows.
#[derive(Clone, Debug, Serialize)]
pub struct StudyMap {
    /// The value that the map stands for.
    pub value: Key,
    /// The cells, row by row; one without responses is left out.
    pub cells: Vec<MapCell>,
}

/// A cell of a heat map.
#[derive(Clone, Debug, Serialize)]
pub struct MapCell {
    /// The value of the row.
    pub down: Key,
    /// The value of the column.
    pub along: Key,
    /// The accuracy on the rows of both values.
    #[serde(flatten)]
    pub accuracy: Accuracy,
}

/// The values that all heat maps of a figure share, so that they can be laid beside each other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MapValues {
    /// The values for each of which there is a map.
    pub each: Vec<Key>,
    /// The values of the rows, from top to bottom.
    pub down: Vec<Key>,
    /// The values of the columns, from left to right.
    pub along: Vec<Key>,
}

impl StudyFigure {
    /// The values of the maps over all models, in order.
    pub fn map_values(&self) -> MapValues {
        let maps = || self.models.iter().flat_map(|model| &model.maps);
        let cells = || maps().flat_map(|map| &map.cells);
        let sorted = |keys: BTreeSet<&Key>| keys.into_iter().cloned().collect();
        MapValues {
            each: sorted(maps().map(|map| &map.value).collect()),
            down: sorted(cells().map(|cell| &cell.down).collect()),
            along: sorted(cells().map(|cell| &cell.along).collect()),
        }
    }
}

impl ModelFigure {
    /// The map of a value: for each of `values.down`, the accuracy at each of `values.along`, if there is one. If the model has
    /// no such map, all is empty.
    pub fn map(&self, value: &Key, values: &MapValues) -> Vec<Vec<Option<Accuracy>>> {
        let map = self.maps.iter().find(|map| map.value == *value);
        let cell = |down: &Key, along: &Key| {
            let found = map?.cells.iter().find(|cell| cell.down == *down && cell.along == *along);
            found.map(|cell| cell.accuracy)
        };
        let row = |down: &Key| values.along.iter().map(|along| cell(down, along)).collect();
        values.down.iter().map(row).collect()
    }
}

impl StudyMap {
    /// The columns of the map, each with the accuracies of its rows.
    pub(super) fn columns(&self, values: &MapValues) -> Vec<Vec<Group>> {
        let column = |along: &Key| {
            let cells = self.cells.iter().filter(|cell| cell.along == *along);
            cells.map(|cell| Group { value: cell.down.clone(), accuracy: cell.accuracy }).collect()
        };
        values.along.iter().map(column).collect()
    }
}
