//! What lies in a dataset folder, and in its files.

use std::collections::BTreeMap;
use std::path::Path;

use storysim::files::Manifest;

/// All files below a folder, with their contents.
pub fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    fn collect(root: &Path, folder: &Path, files: &mut BTreeMap<String, Vec<u8>>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                collect(root, &path, files);
            } else {
                let name = path.strip_prefix(root).unwrap().to_str().unwrap().to_owned();
                files.insert(name, std::fs::read(&path).unwrap());
            }
        }
    }
    let mut found = BTreeMap::new();
    collect(folder, folder, &mut found);
    found
}

/// The values on the lines of a file.
pub fn lines(path: &Path) -> Vec<serde_json::Value> {
    let text = std::fs::read_to_string(path).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The manifest of this name.
pub fn manifest(files: &BTreeMap<String, Vec<u8>>, name: &str) -> Manifest {
    serde_json::from_slice(&files[name]).unwrap()
}
