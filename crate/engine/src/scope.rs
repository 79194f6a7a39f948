//! From the words that name a part of a page (a ref, a CSS selector, an XPath, a point) to its element.

use crate::{agent::AgentId, browser::Core, failure::Failure, place::Reach, tab::Tab, tabs};
use cdp::FrameId;
use serde::Deserialize;
use snapshot::{DocumentNo, ElementNo, Ref, Tree, xpath::XPath};
use std::rc::Rc;
use tools::{RefName, TabName, call::Point};

/// An element by its document and number.
pub type Place = (DocumentNo, ElementNo);

fn reference(text: &str) -> Option<Ref> {
    text.parse::<RefName>().ok().map(|name| Ref(name.0))
}

/// The tab a scope is in: a ref's own, else the named or only one.
///
/// # Errors
/// As [`tabs::of_ref`] and [`tabs::choose`].
pub fn tab_of(
    core: &Rc<Core>,
    agent: AgentId,
    scope: Option<&str>,
    named: Option<TabName>,
) -> Result<Rc<Tab>, Failure> {
    tabs::meant(core, agent, scope.and_then(reference), named)
}

/// What a scope means.
pub struct Scope {
    /// The element.
    pub reference: Ref,
    /// How many elements the words match; the first one is meant.
    pub of: usize,
}

/// The element that a scope means, and the tree that knows it: one that had no ref gets one.
///
/// # Errors
/// When nothing matches, or the words do not read.
pub async fn find(
    core: &Rc<Core>,
    tab: &Rc<Tab>,
    tree: Rc<Tree>,
    text: &str,
) -> Result<(Rc<Tree>, Scope), Failure> {
    if let Some(reference) = reference(text) {
        if tree.node_of(reference).is_none() {
            let was = String::new();
            return Err(Failure::Gone { reference, was, candidates: Vec::new() });
        }
        return Ok((tree, Scope { reference, of: 1 }));
    }
    let found = if text.trim_start().starts_with(['/', '(']) {
        by_path(core, tab, &tree, text).await?
    } else {
        by_css(core, tab, &tree, text).await?
    };
    let not_found = || Failure::NotFound { what: text.to_owned() };
    let (tree, refs) = name(core, tab, tree, &found[..found.len().min(1)]);
    let reference = refs.first().copied().ok_or_else(not_found)?;
    Ok((tree, Scope { reference, of: found.len() }))
}

/// Gives refs to elements that someone points at.
pub fn name(core: &Core, tab: &Tab, tree: Rc<Tree>, found: &[Place]) -> (Rc<Tree>, Vec<Ref>) {
    let mut refs = Vec::new();
    let mut pointed: Option<Tree> = None;
    for (document, element) in found {
        let known = core.refs.borrow().get(*document, *element);
        if let Some(reference) = known.filter(|reference| tree.node_of(*reference).is_some()) {
            refs.push(reference);
            continue;
        }
        let pointed = pointed.get_or_insert_with(|| (*tree).clone());
        refs.extend(pointed.point_at(*document, *element, &mut core.refs.borrow_mut()));
        core.touched.borrow_mut().insert(*document);
    }
    let Some(pointed) = pointed else { return (tree, refs) };
    let pointed = Rc::new(pointed);
    if let Some(captured) = &mut tab.state.borrow_mut().captured {
        *captured = pointed.clone();
    }
    (pointed, refs)
}

/// The documents of a tree, the root's first, with the means to ask them.
pub fn reaches(core: &Rc<Core>, tab: &Rc<Tab>, tree: &Tree) -> Vec<(DocumentNo, Reach)> {
    let state = tab.state.borrow();
    let documents =
        tree.page().frames.iter().filter_map(|frame| frame.content.as_ref().ok()).map(|f| f.document());
    documents
        .filter_map(|document| Some((document, Reach::new(core, tab, state.homes.get(&document)?.clone()))))
        .collect()
}

/// Elements that a CSS selector matches, in every frame and open shadow root.
///
/// # Errors
/// When the selector is not valid.
pub async fn by_css(core: &Rc<Core>, tab: &Rc<Tab>, tree: &Tree, css: &str) -> Result<Vec<Place>, Failure> {
    let question = format!("find({})", crate::act::js(css));
    let mut found = Vec::new();
    for (document, reach) in reaches(core, tab, tree) {
        match reach.lookup::<Vec<ElementNo>>(&question).await {
            Ok(elements) => found.extend(elements.into_iter().map(|element| (document, element))),
            Err(Failure::Thrown { message }) => {
                return Err(Failure::BadSelector { selector: css.to_owned(), why: message });
            }
            Err(failure) => return Err(failure),
        }
    }
    Ok(found)
}

/// Elements at the end of a path: one of ours, with its hops, or any XPath of the root document.
///
/// # Errors
/// When the path does not read.
pub async fn by_path(core: &Rc<Core>, tab: &Rc<Tab>, tree: &Tree, text: &str) -> Result<Vec<Place>, Failure> {
    let reaches = reaches(core, tab, tree);
    let Some((mut document, mut reach)) = reaches.first().cloned() else { return Ok(Vec::new()) };
    let path = match text.trim().parse::<XPath>() {
        Ok(path) => path,
        Err(not_a_path) => {
            if text.contains("::frame") || text.contains("::shadow") {
                return Err(Failure::BadPath { path: text.to_owned(), why: not_a_path.to_string() });
            }
            let question = format!("evaluate({})", crate::act::js(text));
            return match reach.lookup::<Vec<ElementNo>>(&question).await {
                Ok(elements) => Ok(elements.into_iter().map(|element| (document, element)).collect()),
                Err(Failure::Thrown { message }) => {
                    Err(Failure::BadPath { path: text.to_owned(), why: message })
                }
                Err(failure) => Err(failure),
            };
        }
    };
    let mut found = ElementNo(0);
    for (index, segment) in path.segments().iter().enumerate() {
        if index > 0 {
            let Some(inner) = inside(tab, document, found) else { return Ok(Vec::new()) };
            let next = reaches.iter().find(|(_, reach)| reach.place.frame == inner);
            let Some((next_document, next_reach)) = next else { return Ok(Vec::new()) };
            (document, reach) = (*next_document, next_reach.clone());
        }
        let segment = serde_json::to_string(segment).unwrap_or_default();
        found = reach.lookup(&format!("resolve({segment})")).await?;
        if found.0 == 0 {
            return Ok(Vec::new());
        }
    }
    Ok(vec![(document, found)])
}

/// The frame that an element shows.
fn inside(tab: &Tab, document: DocumentNo, element: ElementNo) -> Option<FrameId> {
    tab.state.borrow().frames.get(&(document, element)).cloned()
}

#[derive(Deserialize)]
struct Origin {
    x: f64,
    y: f64,
}

/// The deepest element at a point of the tab's viewport.
///
/// # Errors
/// When a document on the way went.
pub async fn by_point(
    core: &Rc<Core>,
    tab: &Rc<Tab>,
    tree: &Tree,
    point: Point,
) -> Result<Vec<Place>, Failure> {
    let reaches = reaches(core, tab, tree);
    let Some((mut document, mut reach)) = reaches.first().cloned() else { return Ok(Vec::new()) };
    let (mut x, mut y) = (f64::from(point.x), f64::from(point.y));
    loop {
        let element: ElementNo = reach.lookup(&format!("at({x},{y})")).await?;
        if element.0 == 0 {
            return Ok(Vec::new());
        }
        let inner = inside(tab, document, element);
        let inner =
            inner.and_then(|frame| reaches.iter().find(|(_, reach)| reach.place.frame == frame).cloned());
        let Some((next_document, next_reach)) = inner else { return Ok(vec![(document, element)]) };
        let origin: Option<Origin> = reach.ask(&format!("through({},0,0)", element.0)).await?;
        let Some(origin) = origin else { return Ok(vec![(document, element)]) };
        (x, y) = (x - origin.x, y - origin.y);
        (document, reach) = (next_document, next_reach);
    }
}
