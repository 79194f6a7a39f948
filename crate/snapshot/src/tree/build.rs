//! Builds the tree of a page: judges each frame and hangs its nodes under the element that holds the frame. No recursion.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::node::{Lead, More, Node};
use super::wants::{self, Standing};
use super::{At, Tree, value};
use crate::facts::{self, Element, Facts};
use crate::ids::ElementNo;
use crate::name::{Name, Namer, Relations, Source};
use crate::page::Page;
use crate::role::{Role, explicit};
use crate::state::{self, State};
use crate::text::{collapse, is_blank};
use crate::visible::{self, Hidden};

/// What was judged of one frame.
struct Judged<'a> {
    facts: &'a Facts,
    roles: Vec<Role>,
    hidden: Vec<Option<Hidden>>,
    relations: Relations<'a>,
}

struct Builder<'a> {
    page: &'a Page,
    frames: Vec<Option<Judged<'a>>>,
    /// The frame that an element holds.
    inner: FxHashMap<(usize, ElementNo), usize>,
    nodes: Vec<Node>,
    places: Vec<Vec<Option<At>>>,
    open: Vec<Open>,
    gap: Lead,
    /// The name of all that has none.
    unnamed: Rc<str>,
}

/// A node whose children are being built.
struct Open {
    at: At,
    frame: usize,
    children: std::vec::IntoIter<facts::At>,
    texts: u32,
    inherited: Inherited,
    /// What its end puts before the text that follows.
    after: Lead,
    /// The frame that comes when its own children are done.
    inner: Option<usize>,
}

/// What is true of all that is inside a node.
#[derive(Clone, Copy, Default)]
#[allow(clippy::struct_excessive_bools)] // independent of each other
struct Inherited {
    /// The frame it is in is not met by a person.
    hidden: bool,
    /// It is part of something that is acted on as a whole.
    target: bool,
    /// It is in a select that shows one option at a time.
    folds: bool,
    /// It was set aside by the author.
    inert: bool,
    /// It is in what cannot be worked, by word of the author (`aria-disabled`).
    disabled: bool,
}

/// The tree without refs, nothing set aside yet.
pub(super) fn build(page: &Page) -> Tree {
    let frames = page.frames.iter().map(|frame| frame.content.as_deref().ok().map(judge)).collect::<Vec<_>>();
    let places = frames
        .iter()
        .map(|frame| vec![None; frame.as_ref().map_or(0, |judged| judged.facts.len())])
        .collect();
    let mut inner = FxHashMap::default();
    for (index, frame) in page.frames.iter().enumerate().skip(1) {
        // A frame comes after the one that holds it: this also makes cycles impossible.
        if let Some(owner) = frame.owner.filter(|owner| owner.frame < index) {
            inner.insert((owner.frame, owner.element), index);
        }
    }
    let most = frames.iter().flatten().map(|judged| judged.facts.len()).sum();
    let mut builder = Builder {
        page,
        frames,
        inner,
        nodes: Vec::with_capacity(most),
        places,
        open: Vec::new(),
        gap: Lead::Broken,
        unnamed: "".into(),
    };
    if !page.frames.is_empty() {
        builder.run();
    }
    let labels = builder.labels();
    builder.nodes.shrink_to_fit();
    Tree {
        page: page.clone(),
        nodes: builder.nodes,
        places: builder.places,
        by_ref: FxHashMap::default(),
        labels,
        rebound: Vec::new(),
        marked: None,
        surroundings: std::cell::OnceCell::new(),
    }
}

fn judge(facts: &Facts) -> Judged<'_> {
    let mut roles = explicit::judge(facts);
    for element in facts.elements() {
        let role = &mut roles[element.at()];
        // What one types into is a text box, whatever it is made of.
        if (explicit::is_editing_host(element) || element.has_attribute(":drawn"))
            && (role.is_plain() || *role == Role::Group)
        {
            *role = Role::Textbox;
        }
    }
    Judged { facts, roles, hidden: visible::judge(facts), relations: Relations::new(facts) }
}

impl Builder<'_> {
    /// Builds the root frame and all in it.
    fn run(&mut self) {
        self.enter_frame(0, None, false);
        while !self.open.is_empty() {
            self.step();
        }
    }

    /// Opens the root element of a frame's document.
    fn enter_frame(&mut self, frame: usize, under: Option<At>, hidden: bool) {
        self.gap = Lead::Broken;
        if self.frames[frame].as_ref().is_some_and(|judged| !judged.facts.is_empty()) {
            self.node(frame, 0, under, Inherited { hidden, ..Inherited::default() });
        }
    }

    /// Builds the next child of the innermost open node, or closes it.
    fn step(&mut self) {
        let Some(open) = self.open.last_mut() else { return };
        if let Some(child) = open.children.next() {
            let (frame, at, inherited) = (open.frame, open.at, open.inherited);
            let Some(judged) = &self.frames[frame] else { return };
            let is_owned = judged.relations.is_owned(child);
            let node = judged.facts.node(child);
            if is_owned {
                self.part(Lead::Spaced);
            }
            match node {
                facts::Node::Text(text) => self.text(frame, child, at, text),
                facts::Node::Element(_) => self.node(frame, child, Some(at), inherited),
            }
        } else if let Some(inner) = open.inner.take() {
            let at = open.at;
            self.enter_frame(inner, Some(at), self.nodes[at.index()].hidden);
        } else if let Some(open) = self.open.pop() {
            self.nodes[open.at.index()].end = At::new(self.nodes.len()).0;
            self.part(open.after);
        }
    }

    /// What stands between the text before and the next one.
    fn part(&mut self, gap: Lead) {
        self.gap = match (self.gap, gap) {
            (Lead::Broken, _) | (_, Lead::Broken) => Lead::Broken,
            (Lead::Spaced, _) | (_, Lead::Spaced) => Lead::Spaced,
            (Lead::Glued, Lead::Glued) => Lead::Glued,
        };
    }

    fn text(&mut self, frame: usize, place: facts::At, parent: At, text: &Rc<str>) {
        let Some(open) = self.open.last_mut() else { return };
        let (order, unseen) = (open.texts, open.inherited.hidden);
        open.texts += 1;
        if is_blank(text) {
            self.part(Lead::Spaced);
            return;
        }
        if text.starts_with(|c: char| c.is_ascii_whitespace()) {
            self.part(Lead::Spaced);
        }
        let Some(judged) = &self.frames[frame] else { return };
        let hidden = judged.hidden[place].is_some() || unseen;
        let at = At::new(self.nodes.len());
        self.nodes.push(Node {
            end: at.0 + 1,
            frame: number(frame),
            document: judged.facts.document(),
            hidden,
            source: Source::Content,
            lead: self.gap,
            ..Node::new(Role::Text, Some(parent), order, text.clone())
        });
        self.places[frame][place] = Some(at);
        if !hidden {
            self.gap = Lead::Glued;
            if text.ends_with(|c: char| c.is_ascii_whitespace()) {
                self.part(Lead::Spaced);
            }
        }
    }

    fn node(&mut self, frame: usize, place: facts::At, parent: Option<At>, inherited: Inherited) {
        let Some(judged) = &self.frames[frame] else { return };
        let Some(element) = judged.facts.element(place) else { return };
        let mut role = judged.roles[place];
        // What is kept from assistive technology can be worked all the same by who sees it.
        let kept_away = !inherited.hidden && is_seen_all_the_same(element, role, judged.hidden[place]);
        let hidden = !kept_away && (inherited.hidden || judged.hidden[place].is_some() || is_data(element));
        let name = judged.name(element, role, hidden);
        if matches!(role, Role::Region | Role::Form) && name.text.is_empty() {
            role = Role::Generic;
        }
        let standing = Standing {
            role,
            named: !name.text.is_empty(),
            hidden,
            within_target: inherited.target,
            folded_option: inherited.folds,
            stands_for_control: !hidden && judged.stands_for_control(element),
        };
        let acts = wants::acts(element, &standing);
        let wants_ref = acts || wants::is_landmark(&standing) || (!hidden && element.unread().is_some());
        let within = Inherited {
            hidden: inherited.hidden,
            target: inherited.target || (acts && !element.scrolls_x() && !element.scrolls_y()),
            folds: inherited.folds || (element.tag() == "select" && role == Role::Combobox),
            inert: inherited.inert || element.has_attribute("inert"),
            disabled: inherited.disabled || element.says_true("aria-disabled"),
        };
        let inner =
            if element.holds_frame() { self.inner.get(&(frame, element.number())).copied() } else { None };

        let value = if hidden { None } else { value::of(judged.facts, &judged.roles, element, role) };
        let mut states = state::of(element, role);
        if inherited.inert && acts && !states.contains(&State::Inert) {
            state::add(&mut states, State::Inert);
        }
        if inherited.disabled && role.is_interactive() && !states.contains(&State::Disabled) {
            state::add(&mut states, State::Disabled);
        }
        if let Some(open) = judged.opens_popover(element) {
            state::add(&mut states, if open { State::Expanded } else { State::Collapsed });
        }
        if hidden && wants_ref {
            state::add(&mut states, State::Hidden);
        }
        if kept_away {
            state::add(&mut states, State::AriaHidden);
        }
        if let Some(said) = judged.error_message(element)
            && let Some(State::Invalid(words)) =
                states.iter_mut().find(|state| matches!(state, State::Invalid(_)))
        {
            *words = said.into();
        }
        let gap = if hidden { Lead::Glued } else { gap_of(element) };
        let inner_frame = inner.map(|inner| &self.page.frames[inner]);
        let mut more = judged.more(element, role, &name, hidden, value, inner_frame);
        more.states = states;
        let named = if name.text.is_empty() { self.unnamed.clone() } else { judged.kept(place, &name.text) };
        let children: Vec<_> = judged.relations.children(place).collect();
        let document = judged.facts.document();
        self.part(gap);
        let at = At::new(self.nodes.len());
        self.nodes.push(Node {
            end: at.0 + 1,
            frame: number(frame),
            document,
            wants_ref,
            acts,
            hidden,
            source: name.source,
            more: (!more.is_empty()).then(|| Box::new(more)),
            ..Node::new(role, parent, element.number().0, named)
        });
        self.places[frame][place] = Some(at);
        self.open.push(Open {
            at,
            frame,
            children: children.into_iter(),
            texts: 0,
            inherited: within,
            after: gap,
            inner,
        });
    }

    /// Labels and what they label, as nodes.
    fn labels(&self) -> Vec<(At, At)> {
        let mut labels = Vec::new();
        for (judged, places) in self.frames.iter().zip(&self.places) {
            let Some(judged) = judged else { continue };
            for (target, named_by) in judged.relations.all_labels() {
                for label in named_by {
                    if let (Some(label), Some(target)) = (places[*label], places[*target]) {
                        labels.push((label, target));
                    }
                }
            }
        }
        labels.sort_unstable();
        labels
    }
}

impl Judged<'_> {
    fn name(&self, element: Element<'_>, role: Role, hidden: bool) -> Name {
        // Hidden file fields can be worked: they need a name.
        if role.forbids_name() || role.is_plain() || (hidden && role != Role::FileInput) {
            return Name { text: String::new(), source: Source::Nowhere };
        }
        self.namer().name(element)
    }

    fn namer(&self) -> Namer<'_> {
        Namer::new(self.facts, &self.roles, &self.hidden, &self.relations)
    }

    fn more(
        &self,
        element: Element<'_>,
        role: Role,
        name: &Name,
        hidden: bool,
        value: Option<String>,
        inner: Option<&crate::page::Frame>,
    ) -> More {
        let mut more = More { value: value.map(String::into_boxed_str), ..More::default() };
        let namer = self.namer();
        if !hidden && namer.may_describe(element, name) {
            more.description = namer.description(element, name).into();
        }
        if role.is_text_entry()
            && name.source != Source::Placeholder
            && more.value.as_deref().is_none_or(str::is_empty)
        {
            let hint = element.said("placeholder").or_else(|| element.said("aria-placeholder"));
            more.placeholder = hint.unwrap_or_default().into();
        }
        if role == Role::Link {
            more.href = element.shared("href").or_else(|| element.shared("xlink:href")).cloned();
        }
        if let Some(reason) = element.unread() {
            more.label = format!("shadow root unreadable: {reason}").into();
        }
        more.range = value::range(element, role).into();
        if let Some(frame) = inner {
            more.label = match &frame.content {
                Ok(_) => frame.label.as_str().into(),
                Err(unreadable) if frame.label.is_empty() => {
                    format!("unreadable: {}", unreadable.reason).into()
                }
                Err(unreadable) => format!("{} unreadable: {}", frame.label, unreadable.reason).into(),
            };
        }
        more
    }

    /// An element's name as it is kept: shared with the facts when it is the text that the element begins with.
    fn kept(&self, place: facts::At, name: &str) -> Rc<str> {
        match self.facts.children(place).next().map(|first| self.facts.node(first)) {
            Some(facts::Node::Text(text)) if **text == *name => text.clone(),
            Some(_) | None => name.into(),
        }
    }

    /// Whether the popover that a button works is shown. What the author says of it comes first.
    fn opens_popover(&self, button: Element<'_>) -> Option<bool> {
        let id = button.said("popovertarget").filter(|_| !button.has_attribute("aria-expanded"))?;
        let popover = self.relations.targets(button, id).first().and_then(|at| self.facts.element(*at))?;
        popover.has_attribute("popover").then(|| popover.is_popover_open())
    }

    /// The words of what an element refers to for what is wrong with it (ARIA 1.2 `aria-errormessage`).
    fn error_message(&self, element: Element<'_>) -> Option<String> {
        let targets = self.relations.targets(element, element.said("aria-errormessage")?);
        let mut words = String::new();
        for target in targets.into_iter().filter(|target| self.hidden[*target].is_none()) {
            for at in (target..self.facts.end(target)).filter(|at| self.hidden[*at].is_none()) {
                if let facts::Node::Text(text) = self.facts.node(at) {
                    words.push_str(text);
                    words.push(' ');
                }
            }
        }
        let words = collapse(&words);
        (!words.is_empty()).then_some(words)
    }

    /// Whether it is the label of a control that a person does not meet: then it is what one clicks.
    fn stands_for_control(&self, element: Element<'_>) -> bool {
        element.tag() == "label"
            && self.relations.labelled(element).is_some_and(|control| {
                self.hidden[control].is_some() && self.roles[control] != Role::FileInput
            })
    }
}

/// What an element's edges put between words.
fn gap_of(element: Element<'_>) -> Lead {
    if element.tag() == "br" {
        return Lead::Broken;
    }
    match element.display() {
        "inline" | "contents" | "none" | "ruby" | "ruby-base" | "ruby-text" => Lead::Glued,
        "inline-block" | "inline-flex" | "inline-grid" | "inline-table" => Lead::Spaced,
        _ => Lead::Broken,
    }
}

/// Whether it is hidden by `aria-hidden` alone, and is there to be worked with the mouse: by its own kind, and drawn.
fn is_seen_all_the_same(element: Element<'_>, role: Role, hidden: Option<Hidden>) -> bool {
    hidden == Some(Hidden::AriaHidden)
        && role.is_interactive()
        && role != Role::Option
        && !element.is_disabled()
        && !element.is_invisible()
        && !element.is_transparent()
        && !element.ignores_pointer()
        && element.bounds().is_some_and(|bounds| bounds.width > 1 && bounds.height > 1)
}

/// Whether it is a field for data that no one is meant to see.
fn is_data(element: Element<'_>) -> bool {
    element.tag() == "input"
        && element.attribute("type").is_some_and(|kind| kind.eq_ignore_ascii_case("hidden"))
}

/// An index as it is stored.
fn number(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}
