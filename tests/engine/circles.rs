//! House rules, kept by a test: files do not import each other in circles.
//!
//! A file imports another if it names something that is defined there, by `use` or by a path in its code. A name that a
//! parent passes on (`pub use`) is taken from where it is defined. A parent and its children are one whole, so what they
//! take from each other is no import: Rust lets children see all that their parent has.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// A module by its path in the crate, as in `["check", "goals"]`.
type Module = Vec<String>;

/// What one file says of names.
#[derive(Debug, Default)]
struct File {
    /// Functions, types and so on.
    defined: BTreeSet<String>,
    /// What is imported, by the name that it has here.
    imported: BTreeMap<String, Vec<String>>,
    /// Imports of all that a module has.
    globs: Vec<Vec<String>>,
    /// All paths in it but for those that it only passes on.
    paths: BTreeSet<Vec<String>>,
}

/// Names, `::` and other signs, without comments, texts and tests.
fn tokens(source: &str) -> Vec<String> {
    let code = source.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let code: String =
        code.lines().map(|line| line.split("//").next().unwrap_or_default().to_owned() + "\n").collect();
    let mut tokens = Vec::new();
    let mut rest = code.as_str();
    while let Some(first) = rest.chars().next() {
        let is_name = |c: char| c.is_alphanumeric() || c == '_';
        let length = match first {
            _ if is_name(first) => rest.find(|c| !is_name(c)).unwrap_or(rest.len()),
            '"' => {
                let mut escaped = false;
                let end = rest[1..].find(|c| {
                    let is_end = c == '"' && !escaped;
                    escaped = c == '\\' && !escaped;
                    is_end
                });
                end.map_or(rest.len(), |end| end + 2)
            }
            _ if rest.starts_with("::") => 2,
            _ => first.len_utf8(),
        };
        if !first.is_whitespace() && first != '"' {
            tokens.push(rest[..length].to_owned());
        }
        rest = &rest[length..];
    }
    tokens
}

fn is_name(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// The paths of a `use`, each with the name that it gets, from its tokens between `use` and `;`.
fn uses(tokens: &[String], before: &[String], found: &mut Vec<(Vec<String>, String)>) {
    let mut path = before.to_vec();
    let mut at = 0;
    while at < tokens.len() {
        match tokens[at].as_str() {
            "::" => {}
            "{" => {
                let (mut depth, mut first) = (0, at + 1);
                for inner in at..tokens.len() {
                    match tokens[inner].as_str() {
                        "{" => depth += 1,
                        "}" => depth -= 1,
                        _ => {}
                    }
                    if depth == 0 || depth == 1 && tokens[inner] == "," {
                        uses(&tokens[first..inner], &path, found);
                        first = inner + 1;
                    }
                }
                return;
            }
            "as" => {
                found.push((path, tokens[at + 1].clone()));
                return;
            }
            name => path.push(name.to_owned()),
        }
        at += 1;
    }
    if path.last().is_some_and(|last| last == "self") {
        path.pop();
    }
    if path.len() > before.len() || !tokens.is_empty() {
        let name = path.last().cloned().unwrap_or_default();
        found.push((path, name));
    }
}

impl File {
    fn read(source: &str) -> Self {
        let tokens = tokens(source);
        let mut file = Self::default();
        let mut passed_on = Vec::new();
        let mut names = BTreeSet::new();
        let mut at = 0;
        while at < tokens.len() {
            let token = tokens[at].as_str();
            if token == "use" {
                let end = at + tokens[at..].iter().position(|token| token == ";").unwrap_or(1);
                let mut found = Vec::new();
                uses(&tokens[at + 1..end], &[], &mut found);
                let is_passed_on = at > 0 && (tokens[at - 1] == "pub" || tokens[at - 1] == ")");
                for (path, name) in found {
                    if name == "*" {
                        file.globs.push(path[..path.len() - 1].to_vec());
                    } else {
                        file.imported.insert(name.clone(), path.clone());
                    }
                    if is_passed_on {
                        passed_on.push((path, name));
                    } else {
                        file.paths.insert(path);
                    }
                }
                at = end + 1;
                continue;
            }
            let defines =
                ["fn", "struct", "enum", "const", "static", "type", "trait", "union"].contains(&token);
            if defines && tokens.get(at + 1).is_some_and(|next| is_name(next)) {
                file.defined.insert(tokens[at + 1].clone());
                at += 2;
                continue;
            }
            if token == "macro_rules" {
                file.defined.insert(tokens[at + 2].clone());
            }
            if is_name(token) && (at == 0 || tokens[at - 1] != "::") {
                names.insert(token.to_owned());
                let mut path = vec![token.to_owned()];
                while tokens.get(at + 1).is_some_and(|next| next == "::")
                    && tokens.get(at + 2).is_some_and(|next| is_name(next))
                {
                    path.push(tokens[at + 2].clone());
                    at += 2;
                }
                if path.len() > 1 {
                    file.paths.insert(path);
                }
            }
            at += 1;
        }
        file.paths
            .extend(passed_on.into_iter().filter(|(_, name)| names.contains(name)).map(|(path, _)| path));
        file
    }
}

/// All files of a crate.
struct House(BTreeMap<Module, File>);

impl House {
    /// Where a path that stands in a module ends: in the module that defines what it names.
    fn home(&self, from: &Module, path: &[String], depth: usize) -> Option<Module> {
        let parent = |module: &Module| Some(module.split_last()?.1.to_vec());
        let (first, mut rest) = path.split_first()?;
        let child = |module: &Module, name: &String| [module.as_slice(), std::slice::from_ref(name)].concat();
        let mut module = match first.as_str() {
            "crate" => Module::new(),
            "self" => from.clone(),
            "super" => parent(from)?,
            _ if self.0.contains_key(&child(from, first)) => child(from, first),
            _ if depth == 0 => return None,
            _ => {
                let import = self.0[from].imported.get(first).filter(|import| import[..] != *path)?;
                self.home(from, import, depth - 1)?
            }
        };
        while let Some((name, after)) = rest.split_first() {
            let file = self.0.get(&module)?;
            if name == "super" {
                module = parent(&module)?;
            } else if self.0.contains_key(&child(&module, name))
                && !(after.is_empty() && file.defined.contains(name))
            {
                module = child(&module, name);
            } else if file.defined.contains(name) || depth == 0 {
                return Some(module);
            } else if let Some(import) = file.imported.get(name) {
                return self.home(&module, &[import, after].concat(), depth - 1);
            } else {
                let homes = file
                    .globs
                    .iter()
                    .filter_map(|glob| self.home(&module, &[&glob[..], rest].concat(), depth - 1));
                let mut homes = homes.filter(|home| self.0[home].defined.contains(name));
                return homes.next().or(Some(module));
            }
            rest = after;
        }
        Some(module)
    }

    /// Whom each file imports.
    fn imports(&self) -> BTreeMap<&Module, BTreeSet<Module>> {
        let of = |(module, file): (&'_ Module, &File)| -> BTreeSet<Module> {
            let homes = file.paths.iter().filter_map(|path| self.home(module, path, 8));
            homes.filter(|home| !home.starts_with(module) && !module.starts_with(home)).collect()
        };
        self.0.iter().map(|(module, file)| (module, of((module, file)))).collect()
    }

    /// Files that reach themselves, with whom of each other they import.
    fn circles(&self) -> Vec<String> {
        let imports = self.imports();
        let reaches = |from: &Module, to: &Module| {
            let mut reached: BTreeSet<&Module> = BTreeSet::new();
            let mut open: Vec<&Module> = vec![from];
            while let Some(module) = open.pop() {
                open.extend(imports[module].iter().filter(|next| reached.insert(next)));
            }
            reached.contains(to)
        };
        let mut circles = Vec::new();
        for (module, imported) in &imports {
            for other in imported.iter().filter(|other| reaches(other, module)) {
                circles.push(format!("{} imports {}", module.join("::"), other.join("::")));
            }
        }
        circles
    }
}

fn read(folder: &Path, module: &Module, files: &mut BTreeMap<Module, File>) {
    let mut entries: Vec<PathBuf> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let own = match name.as_str() {
            "main" | "tests" => continue,
            "mod" | "lib" => module.clone(),
            _ => [module.as_slice(), &[name]].concat(),
        };
        if path.is_dir() {
            read(&path, &own, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.insert(own, File::read(&fs::read_to_string(&path).unwrap()));
        }
    }
}

#[test]
fn files_do_not_import_each_other_in_circles() {
    let mut files = BTreeMap::new();
    // All crates are read as one, since modules have the same paths in all of them.
    for folder in ["src", "eval/src", "engine/src", "board/src"] {
        read(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder), &Module::new(), &mut files);
    }
    let house = House(files);
    let imports: usize = house.imports().values().map(BTreeSet::len).sum();
    assert!(imports > 500, "{imports} imports are found");
    assert_eq!(house.circles(), [""; 0], "files import each other in circles");
}

/// A house of files, each a module and its source.
fn house(files: &[(&str, &str)]) -> House {
    let module = |path: &str| path.split("::").filter(|name| !name.is_empty()).map(str::to_owned).collect();
    House(files.iter().map(|&(path, source)| (module(path), File::read(source))).collect())
}

#[test]
fn circles_are_found() {
    let circles = |files: &[(&str, &str)]| house(files).circles();
    let root = ("", "pub mod a;");
    let parent = ("a", "mod b;\nmod c;\npub use b::B;\npub use c::{C, d as e};");
    let b = ("a::b", "use super::e;\npub struct B;");
    // What the parent passes on is taken from where it is defined.
    let c = ("a::c", "pub struct C(super::B);\npub fn d() {}");
    assert_eq!(circles(&[root, parent, b, c]), ["a::b imports a::c", "a::c imports a::b"]);
    let c = ("a::c", "// use super::B;\npub struct C;\npub fn d() { println!(\"super::B\") }");
    assert_eq!(circles(&[root, parent, b, c]), [""; 0]);
    // A parent and its child are one whole; and tests may import whom they like.
    let whole = ("a", "mod b;\nuse b::B;\npub struct A(B);");
    assert_eq!(circles(&[root, whole, ("a::b", "pub struct B(super::A);")]), [""; 0]);
    let c = ("a::c", "pub struct C;\npub fn d() {}\n#[cfg(test)]\nmod tests { use super::super::B; }");
    assert_eq!(circles(&[root, parent, b, c]), [""; 0]);
    // By a glob, by a path in the code, and around three corners.
    let parent = ("a", "mod b;\nmod c;\nmod d;\n");
    let around = [("a::b", "use super::c::*;\npub struct B(C);"), ("a::c", "pub struct C(crate::a::d::D);")];
    let d = |code| ("a::d", code);
    assert_eq!(circles(&[root, parent, around[0], around[1], d("pub struct D;")]), [""; 0]);
    let closed = circles(&[root, parent, around[0], around[1], d("use super::b;\npub struct D(b::B);")]);
    assert_eq!(closed, ["a::b imports a::c", "a::c imports a::d", "a::d imports a::b"]);
}
