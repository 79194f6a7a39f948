//! Finds nodes by what is known of them: role, name, words in them.

use crate::ids::Ref;
use crate::role::{NoSuchRole, Role};
use crate::state::State;
use crate::text::collapse;
use crate::tree::{At, Node, Tree};

/// What is looked for. Nothing asked matches everything that has a ref.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Query {
    /// Of this role.
    pub role: Option<Role>,
    /// Of this name: exactly, when one is; else a part of it, in any case.
    pub name: Option<String>,
}

impl Query {
    /// The refs that match, in document order.
    pub fn find(&self, tree: &Tree) -> Vec<Ref> {
        self.among(tree, tree.iter().map(|(at, _)| at))
    }

    /// The refs that match among some nodes, in the order given.
    pub fn among(&self, tree: &Tree, nodes: impl IntoIterator<Item = At>) -> Vec<Ref> {
        let candidates: Vec<(Ref, String)> = nodes
            .into_iter()
            .map(|at| (at, tree.node(at)))
            .filter(|(_, node)| !node.is_hidden() && self.role.is_none_or(|role| alike(role, node)))
            .filter_map(|(at, node)| Some((node.reference()?, spoken(tree, at))))
            .collect();
        let Some(name) = &self.name else {
            return candidates.into_iter().map(|(reference, _)| reference).collect();
        };
        let name = collapse(name);
        let exact: Vec<Ref> = candidates
            .iter()
            .filter(|(_, spoken)| *spoken == name)
            .map(|(reference, _)| *reference)
            .collect();
        if !exact.is_empty() {
            return exact;
        }
        let part = name.to_lowercase();
        candidates
            .into_iter()
            .filter(|(_, spoken)| spoken.to_lowercase().contains(&part))
            .map(|(reference, _)| reference)
            .collect()
    }
}

/// Places of shown nodes whose name, value or text holds the words, in any case.
pub fn text(tree: &Tree, words: &str) -> Vec<At> {
    let words = collapse(words).to_lowercase();
    tree.shown()
        .filter(|(_, node)| {
            let holds = |text: &str| text.to_lowercase().contains(&words);
            holds(&collapse(node.name()))
                || node.value().is_some_and(holds)
                || node.folded().iter().any(|text| holds(text))
        })
        .map(|(at, _)| at)
        .collect()
}

/// Places of shown nodes of a role of which some text satisfies: name, value, text on the line, icon, placeholder or description.
pub fn matching(tree: &Tree, role: Option<Role>, satisfies: &dyn Fn(&str) -> bool) -> Vec<At> {
    tree.shown()
        .filter(|(_, node)| role.is_none_or(|role| alike(role, node)))
        .filter(|(at, node)| {
            let name = collapse(node.name());
            satisfies(&name)
                || node.value().is_some_and(satisfies)
                || node.folded().iter().any(|text| satisfies(text))
                || [node.icon(), node.placeholder(), node.description()].into_iter().any(|text| !text.is_empty() && satisfies(text))
                // Who asks for a role means what is in it, too.
                || role.is_some() && name.is_empty() && satisfies(&spoken(tree, *at))
        })
        .map(|(at, _)| at)
        .collect()
}

/// What one would call a node by: its name, else the text on its line or in it.
fn spoken(tree: &Tree, at: At) -> String {
    let node = tree.node(at);
    if !node.name().is_empty() {
        return collapse(node.name());
    }
    if !node.folded().is_empty() && node.role() != Role::Combobox {
        return node.folded().join(" ");
    }
    let mut text = String::new();
    for inner in
        tree.inside(at).take(64).map(|at| tree.node(at)).filter(|node| node.is_text() && !node.is_hidden())
    {
        text.push(' ');
        text.push_str(inner.name());
    }
    collapse(&text)
}

/// Whether who asks for a role may mean the node.
fn alike(asked: Role, node: &Node) -> bool {
    let is = node.role();
    // A heading that is a link or a button as a whole is said on that one's line.
    let is_heading = matches!(is, Role::Button | Role::Link | Role::Summary)
        && node.states().iter().any(|state| matches!(state, State::Level(_)));
    asked == is
        || asked == Role::Heading && is_heading
        || matches!(
            (asked, is),
            (Role::Button, Role::Summary)
                | (Role::Textbox, Role::Searchbox | Role::Combobox | Role::Spinbutton)
                | (Role::Cell, Role::GridCell | Role::ColumnHeader | Role::RowHeader)
                | (Role::Table, Role::Grid | Role::TreeGrid)
        )
}

/// The role that a word means: one of the roles, or a word that lines have for them (`h2`, `item`).
///
/// # Errors
/// When it means none.
pub fn role(word: &str) -> Result<Role, NoSuchRole> {
    match word.trim().to_ascii_lowercase().as_str() {
        "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => Ok(Role::Heading),
        "item" => Ok(Role::ListItem),
        word => word.parse(),
    }
}
