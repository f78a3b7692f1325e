//! The public surface of the library is that of the snapshot.
//!
//! Rustdoc's JSON needs a nightly compiler, so the surface is read from the sources with `syn`:
//! every public item of every module that is neither private nor hidden from the documentation,
//! with its public fields, variants, methods, derives and trait implementations. Items are written
//! as in the source. An item that can be reached by several paths is listed once, and its other
//! paths are listed as re-exports.
//!
//! To accept a change: `INSTA_UPDATE=always cargo test --test it public_api`.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use quote::ToTokens;
use syn::{Attribute, Fields, ImplItem, Item, Type, UseTree, Visibility};

/// A module's path, from the root of the crate.
type ModulePath = Vec<String>;

/// A module: whether its items are reachable by its path, and its items.
struct Module {
    public: bool,
    items: Vec<Item>,
}

struct Sources(BTreeMap<ModulePath, Module>);

#[test]
fn the_public_surface_is_as_recorded() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut sources = Sources(BTreeMap::new());
    sources.load(Vec::new(), &root.join("lib.rs"), &root, true);
    insta::assert_snapshot!(sources.surface());
}

impl Sources {
    /// Reads a module's file, and those of its child modules, which lie in `folder`.
    fn load(&mut self, path: ModulePath, file: &Path, folder: &Path, public: bool) {
        let text = fs::read_to_string(file).unwrap_or_else(|error| panic!("{file:?}: {error}"));
        let items =
            syn::parse_file(&text).unwrap_or_else(|error| panic!("{file:?}: {error}")).items;
        for item in &items {
            let Item::Mod(child) = item else { continue };
            if child.content.is_some() || is_for_tests(&child.attrs) {
                continue;
            }
            let name = child.ident.to_string();
            let inner = folder.join(&name);
            let flat: PathBuf = folder.join(format!("{name}.rs"));
            let file = if flat.exists() { flat } else { inner.join("mod.rs") };
            let public = public && is_public(&child.vis) && !is_hidden(&child.attrs);
            self.load([&path[..], &[name]].concat(), &file, &inner, public);
        }
        self.0.insert(path, Module { public, items });
    }

    fn surface(&self) -> String {
        let mut listed = BTreeMap::new();
        let mut lines = BTreeSet::new();
        // Items where they are defined come first, then what other modules re-export.
        for (path, module) in self.0.iter().filter(|(_, module)| module.public) {
            for item in &module.items {
                if let Some((name, attrs)) = public_name(item)
                    && !is_hidden(attrs)
                    && !is_for_tests(attrs)
                {
                    listed.insert((path.clone(), name.clone()), joined(path, &name));
                }
            }
        }
        for own in [false, true] {
            for (path, module) in self.0.iter().filter(|(path, _)| path.is_empty() == own) {
                if !module.public {
                    continue;
                }
                for (target, name, alias) in module.items.iter().flat_map(|item| uses(path, item)) {
                    let (target, name) = self.resolve(target, name);
                    let alias = joined(path, &alias);
                    match listed.get(&(target.clone(), name.clone())) {
                        Some(known) if *known != alias => {
                            lines.insert(format!("{alias} = {known}\n"));
                        }
                        _ => {
                            listed.insert((target, name), alias);
                        }
                    }
                }
            }
        }
        for ((path, name), public) in &listed {
            lines.insert(self.describe(path, name, public));
        }
        lines.into_iter().collect()
    }

    /// The module that defines an item which may be re-exported several times.
    fn resolve(&self, path: ModulePath, name: String) -> (ModulePath, String) {
        let module = self.0.get(&path).unwrap_or_else(|| panic!("no module {path:?} for {name}"));
        let again = module.items.iter().flat_map(|item| uses(&path, item));
        match again.into_iter().find(|(_, _, alias)| *alias == name) {
            Some((target, name, _)) => self.resolve(target, name),
            None => (path, name),
        }
    }

    /// An item with everything public that belongs to it.
    fn describe(&self, path: &ModulePath, name: &str, public: &str) -> String {
        let items = &self.0[path].items;
        let item = items
            .iter()
            .find(|item| public_name(item).is_some_and(|(own, _)| own == name))
            .unwrap_or_else(|| panic!("{path:?} has no public {name}"));
        let mut text = format!("{public}: {}\n", header(item));
        let mut members = BTreeSet::new();
        add_members(item, &mut members);
        for (at, module) in &self.0 {
            if at.first() != path.first() {
                continue;
            }
            for item in &module.items {
                let Item::Impl(item) = item else { continue };
                let Type::Path(own) = &*item.self_ty else { continue };
                let same = own.path.segments.last().is_some_and(|last| last.ident == *name);
                if !same || is_for_tests(&item.attrs) || self.other_definition(at, path, name) {
                    continue;
                }
                if let Some((implemented, _)) = &item.trait_ {
                    members.insert(format!("impl {}", tokens(implemented)));
                } else {
                    item.items.iter().for_each(|item| add_member(item, &mut members));
                }
            }
        }
        for member in members {
            let _ = writeln!(text, "    {member}");
        }
        text
    }

    /// Whether `name` in module `at` is another type than that of `path`.
    fn other_definition(&self, at: &ModulePath, path: &ModulePath, name: &str) -> bool {
        at != path
            && self.0[at].items.iter().any(|item| match item {
                Item::Struct(item) => item.ident == name,
                Item::Enum(item) => item.ident == name,
                _ => false,
            })
    }
}

/// The re-exports of a `pub use`: the module, the name there, and the name here.
fn uses(path: &[String], item: &Item) -> Vec<(ModulePath, String, String)> {
    let Item::Use(item) = item else { return Vec::new() };
    if !is_public(&item.vis) || is_hidden(&item.attrs) {
        return Vec::new();
    }
    let mut found = Vec::new();
    walk(&item.tree, path.to_vec(), &mut found);
    found
}

fn walk(tree: &UseTree, at: ModulePath, found: &mut Vec<(ModulePath, String, String)>) {
    match tree {
        UseTree::Path(tree) => {
            let at = match tree.ident.to_string().as_str() {
                "crate" => Vec::new(),
                "self" => at,
                "super" => at[..at.len() - 1].to_vec(),
                name => [&at[..], &[name.to_owned()]].concat(),
            };
            walk(&tree.tree, at, found);
        }
        UseTree::Name(name) => found.push((at, name.ident.to_string(), name.ident.to_string())),
        UseTree::Rename(name) => found.push((at, name.ident.to_string(), name.rename.to_string())),
        UseTree::Group(group) => {
            group.items.iter().for_each(|tree| walk(tree, at.clone(), found));
        }
        UseTree::Glob(_) => panic!("a glob re-export in {at:?} hides what is public"),
    }
}

/// The name of a public item that can be listed.
fn public_name(item: &Item) -> Option<(String, &[Attribute])> {
    let (vis, name, attrs) = match item {
        Item::Const(item) => (&item.vis, &item.ident, &item.attrs),
        Item::Enum(item) => (&item.vis, &item.ident, &item.attrs),
        Item::Fn(item) => (&item.vis, &item.sig.ident, &item.attrs),
        Item::Static(item) => (&item.vis, &item.ident, &item.attrs),
        Item::Struct(item) => (&item.vis, &item.ident, &item.attrs),
        Item::Trait(item) => (&item.vis, &item.ident, &item.attrs),
        Item::Type(item) => (&item.vis, &item.ident, &item.attrs),
        _ => return None,
    };
    is_public(vis).then(|| (name.to_string(), &attrs[..]))
}

/// An item in one line, with its derives.
fn header(item: &Item) -> String {
    match item {
        Item::Const(item) => format!("const {}", tokens(&item.ty)),
        Item::Static(item) => format!("static {}", tokens(&item.ty)),
        Item::Fn(item) => tokens(&item.sig),
        Item::Type(item) => format!("type {}", tokens(&item.ty)),
        Item::Trait(_) => "trait".to_owned(),
        Item::Enum(item) => format!("enum{}", derives(&item.attrs)),
        Item::Struct(item) => format!("struct{}", derives(&item.attrs)),
        _ => String::new(),
    }
}

fn add_members(item: &Item, members: &mut BTreeSet<String>) {
    match item {
        Item::Enum(item) => {
            for variant in &item.variants {
                members.insert(format!("{}{}", variant.ident, fields(&variant.fields, false)));
            }
        }
        Item::Struct(item) => {
            let fields = fields(&item.fields, true);
            if !fields.is_empty() {
                members.insert(format!("fields{fields}"));
            }
        }
        Item::Trait(item) => {
            for item in &item.items {
                if let syn::TraitItem::Fn(item) = item {
                    members.insert(tokens(&item.sig));
                }
            }
        }
        _ => {}
    }
}

fn add_member(item: &ImplItem, members: &mut BTreeSet<String>) {
    match item {
        ImplItem::Fn(item) if is_public(&item.vis) && !is_hidden(&item.attrs) => {
            members.insert(tokens(&item.sig));
        }
        ImplItem::Const(item) if is_public(&item.vis) => {
            members.insert(format!("const {}: {}", item.ident, tokens(&item.ty)));
        }
        _ => {}
    }
}

/// The fields of a struct or a variant; of a struct only the public ones.
fn fields(fields: &Fields, only_public: bool) -> String {
    let fields: Vec<String> = fields
        .iter()
        .filter(|field| !only_public || is_public(&field.vis))
        .map(|field| match &field.ident {
            Some(name) => format!("{name}: {}", tokens(&field.ty)),
            None => tokens(&field.ty),
        })
        .collect();
    if fields.is_empty() { String::new() } else { format!(" {{ {} }}", fields.join(", ")) }
}

fn derives(attrs: &[Attribute]) -> String {
    let mut text = String::new();
    for attr in attrs.iter().filter(|attr| attr.path().is_ident("derive")) {
        let _ = write!(text, ", {}", tokens(&attr.meta));
    }
    if attrs.iter().any(|attr| attr.path().is_ident("non_exhaustive")) {
        text += ", non_exhaustive";
    }
    text
}

fn is_public(vis: &Visibility) -> bool {
    matches!(vis, Visibility::Public(_))
}

fn is_hidden(attrs: &[Attribute]) -> bool {
    attrs.iter().any(|attr| attr.path().is_ident("doc") && tokens(&attr.meta) == "doc(hidden)")
}

fn is_for_tests(attrs: &[Attribute]) -> bool {
    attrs.iter().any(|attr| attr.path().is_ident("cfg") && tokens(&attr.meta) == "cfg(test)")
}

fn joined(path: &[String], name: &str) -> String {
    path.iter().map(String::as_str).chain([name]).collect::<Vec<_>>().join("::")
}

/// Tokens as source text, with the blanks that rustfmt would leave.
fn tokens(tokens: &impl ToTokens) -> String {
    let mut text = tokens.to_token_stream().to_string();
    for (from, to) in [
        (" :: ", "::"),
        (":: ", "::"),
        (" (", "("),
        ("( ", "("),
        (" )", ")"),
        (" ,", ","),
        (",)", ")"),
        (" < ", "<"),
        ("< ", "<"),
        (" <", "<"),
        (" >", ">"),
        ("& ", "&"),
        (" : ", ": "),
        (" ;", ";"),
        ("[ ", "["),
        (" ]", "]"),
        ("-> ", "-> "),
    ] {
        text = text.replace(from, to);
    }
    text.replace("->", " ->").replace("  ->", " ->")
}
