//! Accessible name and description, after "Accessible Name and Description Computation 1.2" and HTML-AAM, with Chrome's
//! ways where it differs. The steps bear the letters of the standard's §4.3.2.

use rustc_hash::FxHashSet;
use std::cell::RefCell;

mod content;
mod css;
mod native;
mod relations;

pub(crate) use css::words as generated;
pub use relations::Relations;

use crate::facts::{At, Element, Facts, LiveValue, Namespace, Node};
use crate::role::Role;
use crate::role::explicit::is_editing_host;
use crate::role::html::is_summary;
use crate::text::collapse;
use crate::visible::Hidden;

/// Where a name comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// There is none.
    Nowhere,
    /// `aria-labelledby`.
    LabelledBy,
    /// `aria-label`.
    Label,
    /// A label, legend, caption or the like, or an attribute of the host language.
    Native,
    /// What is inside.
    Content,
    /// `title`.
    Title,
    /// `placeholder`.
    Placeholder,
}

/// A name and where it comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// White space collapsed.
    pub text: String,
    /// Its origin.
    pub source: Source,
}

/// Names elements of one document.
pub struct Namer<'a> {
    facts: &'a Facts,
    roles: &'a [Role],
    hidden: &'a [Option<Hidden>],
    relations: &'a Relations<'a>,
}

/// How a node was come by.
#[derive(Clone, Copy, Debug)]
struct Way<'w> {
    /// Being part of another name: its own value counts, and any role gives its content.
    within: bool,
    /// `aria-labelledby` is not followed from here.
    referenced: bool,
    /// Hidden nodes count: the reference led to one.
    hidden_counts: bool,
    /// The elements that had their part: none has two, and nothing names itself.
    seen: &'w Seen,
    depth: u32,
}

/// Elements that had their part in a name.
type Seen = RefCell<FxHashSet<At>>;

/// Deeper content than this adds nothing to a name: it bounds the stack.
const DEEPEST: u32 = 256;

impl<'w> Way<'w> {
    fn start(seen: &'w Seen) -> Self {
        Self { within: false, referenced: false, hidden_counts: false, seen, depth: 0 }
    }

    /// The way to what is part of this.
    fn inside(self) -> Self {
        Self { within: true, depth: self.depth + 1, ..self }
    }
}

impl<'a> Namer<'a> {
    /// A namer over facts that were judged.
    pub fn new(
        facts: &'a Facts,
        roles: &'a [Role],
        hidden: &'a [Option<Hidden>],
        relations: &'a Relations<'a>,
    ) -> Self {
        Self { facts, roles, hidden, relations }
    }

    /// The accessible name of an element.
    pub fn name(&self, element: Element<'_>) -> Name {
        let seen = Seen::default();
        // What is named though it is kept from assistive technology is named by what is kept away with it.
        let kept_away = self.hidden[element.at()] == Some(Hidden::AriaHidden);
        let way = Way { hidden_counts: kept_away, ..Way::start(&seen) };
        let (text, source) = self.alternative(element, way);
        let text = collapse(&text);
        let source = if text.is_empty() { Source::Nowhere } else { source };
        Name { text, source }
    }

    /// Whether an element of that name may have a description: to ask costs more.
    pub fn may_describe(&self, element: Element<'_>, name: &Name) -> bool {
        let says = ["aria-describedby", "aria-description", "title"];
        says.iter().any(|attribute| element.has_attribute(attribute))
            || (element.namespace() == Namespace::Svg
                && element.children().any(|child| child.name() == "desc"))
            || (matches!(name.source, Source::Label | Source::LabelledBy | Source::Native)
                && (native::is_written_on(element) || is_summary(element)))
    }

    /// The accessible description of an element that has this name.
    pub fn description(&self, element: Element<'_>, name: &Name) -> String {
        let described = if let Some(ids) = element.said("aria-describedby") {
            self.referenced(element, ids, Way::start(&Seen::default()))
        } else if let Some(said) = element.said("aria-description") {
            said.to_owned()
        } else {
            String::new()
        };
        let mut described = collapse(&described);
        if described.is_empty() && name.source != Source::Title {
            described = native::description(self, element).map(|text| collapse(&text)).unwrap_or_default();
        }
        if described == name.text { String::new() } else { described }
    }

    /// The text that stands for an element: its own name, or its part in another's.
    fn alternative(&self, element: Element<'_>, way: Way<'_>) -> (String, Source) {
        let at = element.at();
        let nothing = (String::new(), Source::Nowhere);
        // 2A: hidden nodes have no part, unless a reference led to them.
        if way.within && self.hidden[at].is_some() && !way.hidden_counts {
            // What is inside an invisible element may be seen all the same.
            if self.hidden[at] == Some(Hidden::Invisible) {
                return (content::of(self, element, way), Source::Content);
            }
            return nothing;
        }
        if way.depth > DEEPEST || !way.seen.borrow_mut().insert(at) {
            return nothing;
        }
        // 2B
        if !way.referenced
            && let Some(ids) = element.said("aria-labelledby")
        {
            let text = self.referenced(element, ids, way);
            if !text.trim().is_empty() {
                return (text, Source::LabelledBy);
            }
        }
        let role = self.roles[at];
        // 2C
        if way.within
            && let Some(value) = self.embedded(element, role, way)
        {
            return (value, Source::Content);
        }
        // 2D
        if let Some(label) = element.said("aria-label") {
            return (label.to_owned(), Source::Label);
        }
        // 2E
        if role != Role::None
            && let Some(found) = native::name(self, element, way)
        {
            return found;
        }
        // 2F
        if way.within || (role.is_named_by_content() && !is_editing_host(element)) {
            let text = content::of(self, element, way);
            // Mere blanks part words, unless there is better.
            let blank = text.trim().is_empty();
            if !blank || (way.within && element.said("title").is_none()) {
                return (text, Source::Content);
            }
        }
        // 2I
        if !way.within && !takes_tooltip(element, role) {
            return nothing;
        }
        native::tooltip(element, role).unwrap_or(nothing)
    }

    /// The alternatives of all elements that a list of ids names.
    fn referenced(&self, from: Element<'_>, ids: &str, way: Way<'_>) -> String {
        let mut parts = Vec::new();
        for target in self.relations.targets(from, ids) {
            let Some(element) = self.facts.element(target) else { continue };
            // A reference counts though its target had its part, as Chrome has it; so an element may name itself.
            way.seen.borrow_mut().remove(&target);
            let way = Way { referenced: true, hidden_counts: self.is_hidden(target), ..way.inside() };
            let (text, _) = self.alternative(element, way);
            let text = collapse(&text);
            if !text.is_empty() {
                parts.push(text);
            }
        }
        parts.join(" ")
    }

    /// What a control says when it is part of another's name: its value.
    fn embedded(&self, element: Element<'_>, role: Role, way: Way<'_>) -> Option<String> {
        if matches!(role, Role::Textbox | Role::Searchbox) {
            return Some(match element.value() {
                // An empty field has its part by what it is called.
                Some(LiveValue::Plain("")) if element.said("aria-label").is_some() => return None,
                Some(LiveValue::Plain(value)) => value.to_owned(),
                Some(LiveValue::Secret(_)) => String::new(),
                None => content::of(self, element, way),
            });
        }
        if matches!(role, Role::Combobox | Role::Listbox) {
            return Some(self.chosen(element, way));
        }
        if !role.is_ranged() {
            return None;
        }
        if let Some(text) = element.said("aria-valuetext").or_else(|| element.said("aria-valuenow")) {
            return Some(text.to_owned());
        }
        match element.value() {
            Some(LiveValue::Plain(value)) => Some(value.to_owned()),
            Some(LiveValue::Secret(_)) | None => element.said("value").map(str::to_owned),
        }
    }

    /// The chosen options of a combobox or listbox, or what is typed in it.
    fn chosen(&self, element: Element<'_>, way: Way<'_>) -> String {
        if let Some(LiveValue::Plain(value)) = element.value() {
            return value.to_owned();
        }
        let mut chosen = Vec::new();
        let mut inside: Vec<At> = self.relations.children(element.at()).collect();
        inside.reverse();
        while let Some(at) = inside.pop() {
            let Some(option) = self.facts.element(at) else { continue };
            if self.roles[at] == Role::Option {
                if option.is_selected() || option.says_true("aria-selected") {
                    chosen.push(self.alternative(option, way.inside()).0);
                }
                continue;
            }
            let from = inside.len();
            inside.extend(self.relations.children(at));
            inside[from..].reverse();
        }
        if chosen.is_empty() && element.tag() != "select" && self.roles[element.at()] == Role::Combobox {
            return content::of(self, element, way);
        }
        chosen.join(" ")
    }

    fn is_hidden(&self, at: At) -> bool {
        self.hidden[at].is_some()
    }

    fn node(&self, at: At) -> Node<'a> {
        self.facts.node(at)
    }
}

/// Whether `title` names an element, as Chrome has it: not what no one would name, nor a picture said to be decoration.
fn takes_tooltip(element: Element<'_>, role: Role) -> bool {
    let is_word = matches!(element.tag(), "abbr" | "acronym");
    (is_word || !role.forbids_name()) && !element.attribute("alt").is_some_and(str::is_empty)
}
