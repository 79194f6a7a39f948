//! How elements of one document refer to each other: ids, labels, `aria-owns`. Looked up once per document.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::facts::{At, Element, Facts};

/// The relations of one document.
pub struct Relations<'a> {
    facts: &'a Facts,
    /// First element of an id, by shadow root.
    ids: FxHashMap<(Option<At>, &'a str), At>,
    /// Label elements by what they label.
    labels: FxHashMap<At, Vec<At>>,
    /// What an element owns besides, or in another order than, its own children.
    owned: FxHashMap<At, Vec<At>>,
    /// Who owns a node that is not where it stands.
    owner: FxHashMap<At, At>,
}

impl<'a> Relations<'a> {
    /// Looks up all relations.
    pub fn new(facts: &'a Facts) -> Self {
        let mut relations = Self {
            facts,
            ids: FxHashMap::default(),
            labels: FxHashMap::default(),
            owned: FxHashMap::default(),
            owner: FxHashMap::default(),
        };
        let mut labels = Vec::new();
        let mut owners = Vec::new();
        for element in facts.elements() {
            if let Some(id) = element.attribute("id").filter(|id| !id.is_empty()) {
                relations.ids.entry((element.scope(), id)).or_insert(element.at());
            }
            if element.tag() == "label" {
                labels.push(element);
            }
            if element.said("aria-owns").is_some() {
                owners.push(element);
            }
        }
        for label in labels {
            if let Some(target) = relations.labelled(label) {
                relations.labels.entry(target).or_default().push(label.at());
            }
        }
        for owner in owners {
            relations.own(owner);
        }
        relations
    }

    /// Elements named by a list of ids, as seen from an element.
    pub fn targets(&self, from: Element<'_>, ids: &str) -> Vec<At> {
        let scope = from.scope();
        ids.split_ascii_whitespace().filter_map(|id| self.ids.get(&(scope, id)).copied()).collect()
    }

    /// Label elements of an element.
    pub fn labels(&self, at: At) -> &[At] {
        self.labels.get(&at).map_or(&[], Vec::as_slice)
    }

    /// All elements that have labels, with those labels; in no order.
    pub fn all_labels(&self) -> impl Iterator<Item = (&At, &Vec<At>)> {
        self.labels.iter()
    }

    /// Children as assistive technology has them: with those owned, without those owned elsewhere.
    pub fn children(&self, at: At) -> impl Iterator<Item = At> {
        let own = self
            .facts
            .children(at)
            .filter(move |child| self.owner.is_empty() || !self.owner.contains_key(child));
        own.chain(self.owned.get(&at).into_iter().flatten().copied())
    }

    /// Whether a node stands where `aria-owns` put it.
    pub fn is_owned(&self, at: At) -> bool {
        !self.owner.is_empty() && self.owner.contains_key(&at)
    }

    /// What a label labels: the element of its `for`, else the first it holds that can be labelled.
    pub fn labelled(&self, label: Element<'_>) -> Option<At> {
        if let Some(id) = label.attribute("for") {
            let target = *self.ids.get(&(label.scope(), id))?;
            return self
                .facts
                .element(target)
                .filter(|target| is_labelable(*target))
                .map(|target| target.at());
        }
        (label.at() + 1..self.facts.end(label.at()))
            .filter_map(|at| self.facts.element(at))
            .find(|inner| is_labelable(*inner))
            .map(|inner| inner.at())
    }

    fn own(&mut self, owner: Element<'_>) {
        let mut seen = FxHashSet::default();
        for target in self.targets(owner, owner.attribute("aria-owns").unwrap_or_default()) {
            // The first owner wins; nothing owns what it is in, at any remove.
            if self.owner.contains_key(&target) || !seen.insert(target) || self.is_within(owner.at(), target)
            {
                continue;
            }
            self.owner.insert(target, owner.at());
            self.owned.entry(owner.at()).or_default().push(target);
        }
    }

    fn is_within(&self, at: At, ancestor: At) -> bool {
        let mut next = Some(at);
        while let Some(at) = next {
            if at == ancestor {
                return true;
            }
            next = self.owner.get(&at).copied().or_else(|| self.facts.parent(at));
        }
        false
    }
}

fn is_labelable(element: Element<'_>) -> bool {
    match element.tag() {
        "input" => !element.attribute("type").is_some_and(|kind| kind.eq_ignore_ascii_case("hidden")),
        "button" | "meter" | "output" | "progress" | "select" | "textarea" => true,
        _ => element.is_form_associated(),
    }
}
