//! Which stories go into which file of a dataset folder.

use std::path::Path;

use super::output::Place;
use super::{Failure, Piece, Variant, Volume};
use crate::diagnostic::counted;
use crate::files::{FILES_MAX, Format, Manifest};
use crate::storyboard::Storyboard;

/// The largest number of pieces in all files together: every value of a sweep is one piece in every file.
const PIECES_MAX: u128 = 4_000_000;

/// All files of a dataset, in the order in which they are made.
///
/// A file holds stories of one board and one split. The files of all boards and splits take turns, and a file has the
/// same number of stories of every value, give or take one, so that whoever stops early has something of everything.
///
/// # Errors
/// If there are too many files or pieces.
pub fn divide(
    root: &Path,
    manifest: &Manifest,
    format: Format,
    boards: &[Storyboard],
    variants: &[Variant<'_>],
) -> Result<Vec<Volume>, Failure> {
    let mut volumes = Vec::new();
    for board in boards {
        let own: Vec<usize> =
            (0..variants.len()).filter(|&at| std::ptr::eq(variants[at].board, board)).collect();
        let stories = u128::from(manifest.count) * own.len() as u128;
        let folder = root.join(Manifest::folder(&board.name.value, boards.len()));
        for (split, name) in manifest.split_names().into_iter().enumerate() {
            let share = manifest.split.parts().get(split).map_or(1_000_000, |split| split.millionths);
            let kept = (stories * u128::from(share)).div_ceil(1_000_000);
            let files = kept.div_ceil(u128::from(manifest.shard_size)).max(1);
            if files + volumes.len() as u128 > u128::from(FILES_MAX) {
                return Err(Failure::Usage(format!(
                    "the dataset would have more than {FILES_MAX} files; use a larger shard size"
                )));
            }
            if files * (own.len() as u128).min(stories.div_ceil(files)) > PIECES_MAX {
                return Err(Failure::Usage(format!(
                    "{} with {} each are too many; use a larger shard size, or sweep fewer values",
                    counted(files, "file"),
                    counted(own.len(), "value")
                )));
            }
            for file in 0..files {
                let name = format!("{name}-{file:05}-of-{files:05}.{}", format.ending());
                let pieces = pieces(stories * file / files, stories * (file + 1) / files, &own);
                let volume = Volume { place: Place::File(folder.join(name)), pieces, split };
                volumes.push(((file << 64) / files, volume));
            }
        }
    }
    // Stable: where two are as far, in the order of boards and splits.
    volumes.sort_by_key(|(far, _)| *far);
    Ok(volumes.into_iter().map(|(_, volume)| volume).collect())
}

/// The stories from one number up to another, in an order in which all values have their first story before any has its
/// second.
fn pieces(from: u128, until: u128, variants: &[usize]) -> Vec<Piece> {
    let count = variants.len() as u128;
    let first = |number: u128, value: u128| number.saturating_sub(value).div_ceil(count) as u64;
    let piece = |(value, &variant): (u128, &usize)| Piece {
        variant,
        stories: first(from, value)..first(until, value),
    };
    let pieces = (0..).zip(variants).map(piece);
    pieces.filter(|piece| !piece.stories.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whatever the sizes, every story of every value is in one file, and files are balanced.
    #[test]
    fn all_stories_are_in_one_file_each() {
        for (count, values, files) in
            [(10_u128, 1_usize, 3_u128), (7, 3, 4), (2, 5, 10), (2, 5, 12), (100, 16, 9)]
        {
            let variants: Vec<usize> = (0..values).map(|value| value * 2).collect();
            let mut seen = vec![0_u64; values];
            for file in 0..files {
                let stories = count * values as u128;
                let pieces = pieces(stories * file / files, stories * (file + 1) / files, &variants);
                let sizes: Vec<u64> =
                    pieces.iter().map(|piece| piece.stories.end - piece.stories.start).collect();
                let (least, most) = (stories / files / values as u128, stories / files / values as u128 + 2);
                assert!(sizes.iter().all(|&size| (least..=most).contains(&u128::from(size))), "{pieces:?}");
                for piece in pieces {
                    assert_eq!(piece.stories.start, seen[piece.variant / 2]);
                    seen[piece.variant / 2] = piece.stories.end;
                }
            }
            assert!(seen.iter().all(|&end| u128::from(end) == count), "{seen:?}");
        }
    }
}
