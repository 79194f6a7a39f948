//! The key of what an element stands in: of a row, an item, a named place, a part under a heading. What a field holds is
//! no part of a key: it changes when one types.

use super::steady::{parted, steady};
use super::{Context, beside};
use crate::name::Source;
use crate::role::Role;
use crate::text::{clip, collapse};
use crate::tree::{At, Node, Tree};

/// Longer keys tell no more.
const LONGEST_KEY: usize = 80;
/// So many nodes of an item are looked at for its key.
const FAR_ENOUGH: usize = 64;

/// What a node stands in: the nearest thing that has a key.
pub fn around(tree: &Tree, at: At) -> Option<Context> {
    let document = tree.node(at).document();
    let mut heading = None;
    let mut below = at;
    for above in tree.ancestors(at) {
        if heading.is_none()
            && tree.node(at).role() != Role::Heading
            && tree.node(below).document() == document
        {
            heading = headed(tree, below);
        }
        if let Some(context) = context(tree, above, at) {
            // What holds all of a page tells less than the heading of a part of it.
            return if is_wide(context.role) { heading.or(Some(context)) } else { Some(context) };
        }
        below = above;
    }
    heading
}

fn headed(tree: &Tree, at: At) -> Option<Context> {
    let heading = tree.surroundings().heading(at)?;
    let (key, number) = parted(tree.node(heading).name());
    let key = if key.is_empty() { number? } else { clip(&key, LONGEST_KEY).into_owned() };
    Some(Context { role: Role::Heading, key })
}

/// What an ancestor says of what is in it, if it has a key.
fn context(tree: &Tree, ancestor: At, of: At) -> Option<Context> {
    let role = tree.node(ancestor).role();
    let key = if role == Role::Row {
        row(tree, ancestor)
    } else if is_item(role) {
        item(tree, ancestor, of)
    } else if is_place(role) {
        place(tree, ancestor)
    } else {
        return None;
    };
    (!key.is_empty()).then_some(Context { role, key })
}

/// Whether a role is that of one of many, with a key among its words.
pub fn is_item(role: Role) -> bool {
    matches!(role, Role::Row | Role::ListItem | Role::Article | Role::TreeItem)
}

/// Whether a role is that of something whose name tells where one is.
fn is_place(role: Role) -> bool {
    role.is_landmark()
        || matches!(
            role,
            Role::AlertDialog
                | Role::Dialog
                | Role::Figure
                | Role::Grid
                | Role::Group
                | Role::Iframe
                | Role::Listbox
                | Role::Menu
                | Role::RadioGroup
                | Role::TabList
                | Role::Table
                | Role::TabPanel
                | Role::Toolbar
        )
}

/// A row's header, else the first of its cells that says more than a number or a time.
pub fn row(tree: &Tree, row: At) -> String {
    let node = tree.node(row);
    if !node.name().is_empty() {
        return steady(node.name());
    }
    let cells =
        || tree.inside(row).filter(|at| tree.node(*at).role().is_cell() && !tree.node(*at).is_hidden());
    let header = cells()
        .filter(|cell| tree.node(*cell).role() == Role::RowHeader)
        .map(|cell| content(tree, cell))
        .find(|key| !key.is_empty());
    header.or_else(|| cells().map(|cell| content(tree, cell)).find(|key| !key.is_empty())).unwrap_or_default()
}

/// What something that is named by its content says, if that says more than a number: what its author named it, else
/// its texts.
fn content(tree: &Tree, at: At) -> String {
    let node = tree.node(at);
    if node.source() != Source::Content {
        return key_of(node.name());
    }
    let said: Vec<String> = texts(tree, at, None).take(FAR_ENOUGH).map(|text| parted(text).0).collect();
    key_of(&said.join(" "))
}

/// The first words in an item that are not those of the element itself.
fn item(tree: &Tree, item: At, of: At) -> String {
    let node = tree.node(item);
    if !node.name().is_empty() && node.source() != Source::Content {
        return steady(node.name());
    }
    let mut said = texts(tree, item, Some(of)).take(FAR_ENOUGH).map(|text| key_of(&parted(text).0));
    said.find(|key| !key.is_empty()).unwrap_or_default()
}

/// A place's name, without what the fields in it hold.
fn place(tree: &Tree, place: At) -> String {
    let node = tree.node(place);
    let mut name = steady(node.name());
    if name.is_empty() || node.source() == Source::Label {
        return name;
    }
    for field in tree.inside(place).take(FAR_ENOUGH).map(|at| tree.node(at)).filter(|node| is_field(node)) {
        let value = collapse(field.value().unwrap_or_default());
        if value.is_empty() {
            continue;
        }
        let padded = format!(" {name} ").replacen(&format!(" {value} "), " ", 1);
        name = collapse(&padded);
    }
    name
}

/// Whether a node holds what one sets: its content is no words of the page.
fn is_field(node: &Node) -> bool {
    let role = node.role();
    role.is_input() || role.is_ranged()
}

/// The texts in a node in document order: what a person reads there who looks past controls, what tells by itself that
/// something happens, and one element. Links count only before any other words: those after them are for working with.
pub fn texts(tree: &Tree, inside: At, but: Option<At>) -> impl Iterator<Item = &str> {
    let end = tree.node(inside).end;
    let mut next = inside.0 + 1;
    let mut said = false;
    std::iter::from_fn(move || {
        while next < end {
            let at = At(next);
            let node = tree.node(at);
            let passed = Some(at) == but
                || node.is_hidden()
                || is_field(node)
                || (said && node.role() == Role::Link)
                || matches!(
                    node.role(),
                    Role::Button
                        | Role::Option
                        | Role::Status
                        | Role::Timer
                        | Role::Log
                        | Role::Marquee
                        | Role::Alert
                );
            next = if passed || node.role() == Role::Image { node.end } else { next + 1 };
            if !passed && (node.is_text() || node.role() == Role::Image) && !node.name().is_empty() {
                said |= node.own_text().chars().any(char::is_alphanumeric);
                return Some(node.own_text());
            }
        }
        None
    })
}

fn key_of(text: &str) -> String {
    let key = steady(text);
    if key.chars().any(char::is_alphabetic) { clip(&key, LONGEST_KEY).into_owned() } else { String::new() }
}

/// What tells a node from its namesakes besides what it stands in.
pub fn beside(tree: &Tree, at: At, context: Option<&Context>) -> Option<beside::Beside> {
    // What its author named is told by that name.
    let named = context.is_some_and(|context| {
        let around = tree.ancestors(at).find(|above| tree.node(*above).role() == context.role);
        let tells = |above| {
            if is_item(context.role) {
                is_named_by_author(tree, above)
            } else {
                beside::is_alone_in(tree, at, above)
            }
        };
        !is_wide(context.role) && around.is_some_and(tells)
    });
    if named { None } else { beside::of(tree, at) }
}

/// Whether it holds all of a page, or most: its name tells less than what is in it.
fn is_wide(role: Role) -> bool {
    matches!(role, Role::Main | Role::Iframe | Role::Banner | Role::ContentInfo | Role::Heading)
}

fn is_named_by_author(tree: &Tree, item: At) -> bool {
    let node = tree.node(item);
    let named = !node.name().is_empty() && node.source() != Source::Content;
    let headed = || tree.inside(item).any(|at| tree.node(at).role() == Role::RowHeader);
    named || (node.role() == Role::Row && headed())
}
