//! Options to choose from: which one a word means, and, of lists that a page makes itself, which there are and which is
//! chosen. Reads trees; touches no page.

use super::control::OptionOf;
use crate::{failure::Failure, reply, target::Target};
use snapshot::{
    Ref, Role, Tree,
    diff::diff,
    state::State,
    tree::{At, Node},
};

/// How many options a failure lists.
const MOST: usize = 40;

/// The one option that is meant: by label, by value, then by label in any case. Of several that are labelled alike an
/// enabled one is meant if it is the only one; else their values must tell.
///
/// # Errors
/// When there is none, or several.
pub fn place_of(target: &Target, options: &[OptionOf], wanted: &str) -> Result<usize, Failure> {
    let (exact, wanted) = (wanted, plain(wanted));
    let that = |fits: &dyn Fn(&OptionOf) -> bool| -> Vec<usize> {
        let all = options.iter().enumerate().filter(|(_, option)| fits(option));
        let all: Vec<_> = all.map(|(place, _)| place).collect();
        let enabled: Vec<_> = all.iter().copied().filter(|place| !options[*place].disabled).collect();
        if enabled.is_empty() { all } else { enabled }
    };
    let by_label = that(&|option| plain(&option.label) == wanted);
    let by_value = that(&|option| option.value == exact || option.value == wanted);
    let in_any_case = that(&|option| plain(&option.label).to_lowercase() == wanted.to_lowercase());
    match (by_label.as_slice(), by_value.as_slice(), in_any_case.as_slice()) {
        ([only], ..) | ([], [only], _) | ([], [], [only]) => Ok(*only),
        // Alike in their labels, and one of them has the label as its value.
        ([_, ..], [only], _) if by_label.contains(only) => Ok(*only),
        ([], [], []) => Err(Failure::NoOption {
            target: target.said.clone(),
            value: wanted,
            options: options.iter().take(MOST).map(said).collect(),
        }),
        (several @ [_, ..], ..) | ([], several @ [_, ..], _) | ([], [], several) => {
            Err(Failure::ManyOptions {
                target: target.said.clone(),
                value: wanted,
                options: several.iter().take(MOST).map(|place| with_value(&options[*place])).collect(),
            })
        }
    }
}

fn plain(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn said(option: &OptionOf) -> String {
    reply::quoted(&reply::clip(&option.label))
}

fn with_value(option: &OptionOf) -> String {
    format!("{} value={}", said(option), reply::quoted(&reply::clip(&option.value)))
}

/// An option of a list that a page makes itself. It has no value: its ref stands for that.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// Its ref.
    pub reference: Ref,
    /// What a failure says of it.
    pub option: OptionOf,
}

/// The options of the list that an element is, or has open: of those in it, or in what it says it controls, the ones
/// that were not seen in `before`; else all of them, unless it says that it is closed; else whichever are new.
pub fn choices(tree: &Tree, before: &Tree, of: Ref) -> Vec<Choice> {
    let Some(at) = tree.at(of) else { return Vec::new() };
    let inside: Vec<At> = tree.inside(at).collect();
    let own = read(tree, &inside);
    let linked = if own.is_empty() { read(tree, &controlled(tree, at)) } else { own };
    let is_new = |choice: &Choice| before.node_of(choice.reference).is_none_or(Node::is_hidden);
    let opened: Vec<_> = linked.iter().filter(|choice| is_new(choice)).cloned().collect();
    if !opened.is_empty() {
        return opened;
    }
    if !linked.is_empty() && !tree.node(at).is(&State::Collapsed) {
        return linked;
    }
    let everywhere: Vec<At> = tree.iter().map(|(at, _)| at).collect();
    read(tree, &everywhere).into_iter().filter(is_new).collect()
}

fn read(tree: &Tree, among: &[At]) -> Vec<Choice> {
    among.iter().filter_map(|at| choice(tree.node(*at))).collect()
}

fn choice(node: &Node) -> Option<Choice> {
    let reference = node.reference().filter(|_| node.role() == Role::Option && !node.is_hidden())?;
    let option = OptionOf {
        label: node.name().to_owned(),
        value: reference.to_string(),
        selected: is_chosen(node),
        disabled: node.is(&State::Disabled),
        element: node.element()?,
    };
    Some(Choice { reference, option })
}

fn is_chosen(node: &Node) -> bool {
    node.is(&State::Selected) || node.is(&State::Checked)
}

/// Everything in the elements that an element, or what is in it, says it controls or owns (ARIA 1.2, combobox).
fn controlled(tree: &Tree, at: At) -> Vec<At> {
    let node = tree.node(at);
    let Some((facts, element)) = tree.facts(node.frame()).zip(node.element()) else { return Vec::new() };
    let Some(element) = facts.find(element) else { return Vec::new() };
    let mut found = Vec::new();
    for holder in std::iter::once(element).chain(element.descendants()) {
        let ids = ["aria-controls", "aria-owns"].map(|name| holder.said(name).unwrap_or_default());
        for id in ids.iter().flat_map(|ids| ids.split_whitespace()) {
            let of_id = facts.elements().find(|it| it.said("id") == Some(id) && it.scope() == holder.scope());
            let Some(list) = of_id.and_then(|it| tree.at_element(node.document(), it.number())) else {
                continue;
            };
            found.push(list);
            found.extend(tree.inside(list));
        }
    }
    found
}

/// Where it was seen that an option is chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Proof {
    /// The element holds its label, or is called by it.
    Held,
    /// The option says so.
    Said,
    /// Its label stands beside the element.
    Beside,
}

/// How far around an element its chosen options are looked for: they are in the same control.
const AROUND: usize = 4;

/// Whether an option of this label is chosen now, and where that shows. What stands beside counts only if it is not in
/// `before`.
pub fn chosen(tree: &Tree, before: Option<&Tree>, of: Ref, label: &str) -> Option<Proof> {
    let at = tree.at(of)?;
    let node = tree.node(at);
    let is = |text: &str| plain(text) == plain(label);
    if node.value().is_some_and(is) || is(node.name()) {
        return Some(Proof::Held);
    }
    let choices = choices(tree, before.unwrap_or(tree), of);
    // What stands for a chosen one may hold a button that takes it out again.
    let says = |at: At| is(tree.node(at).name()) || tree.inside(at).any(|inner| is(tree.node(inner).name()));
    let chosen = |choice: &Choice| choice.option.selected && tree.at(choice.reference).is_some_and(says);
    if choices.iter().any(chosen) {
        return Some(Proof::Said);
    }
    let fresh = before.map(|before| diff(before, tree).added_or_changed());
    let around = tree.ancestors(at).take(AROUND).last()?;
    let in_list = |at: At| {
        let listed = |role| matches!(role, Role::Option | Role::Listbox);
        listed(tree.node(at).role()) || tree.ancestors(at).any(|it| listed(tree.node(it).role()))
    };
    let shows = |beside: At| {
        is(tree.node(beside).name())
            && !tree.node(beside).is_hidden()
            && fresh.as_ref().is_none_or(|fresh| fresh.contains(&beside))
            && !in_list(beside)
    };
    tree.inside(around).any(shows).then_some(Proof::Beside)
}

/// What an element holds, as a failure says it: its value, else the options that say they are chosen, else its name.
pub fn held(tree: &Tree, of: Ref, choices: &[Choice]) -> String {
    let Some(node) = tree.node_of(of) else { return String::new() };
    let said: Vec<_> =
        choices.iter().filter(|it| it.option.selected).map(|it| it.option.label.as_str()).collect();
    match node.value() {
        Some(value) => value.to_owned(),
        None if said.is_empty() => node.name().to_owned(),
        None => said.join(", "),
    }
}
