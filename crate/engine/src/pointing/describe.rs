//! What is told of the element that the person points at: to an agent as text, to our pane as a view.

use super::{
    Selection, component,
    selector::{self, Step},
    style,
};
use crate::{browser::Core, capture, failure::Failure, locate, place::Reach, tab::Tab, target};
use serde::Serialize;
use snapshot::{
    Ref, Tree, fingerprint,
    render::{self, Options, Rendered},
    tree::Pointed,
    xpath,
};
use std::rc::Rc;

/// How much of an element's HTML is told, in characters.
const HTML: usize = 2_000;

/// What is told of it besides what a tree says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Detail {
    /// Styles that differ from the default.
    pub styles: Vec<(&'static str, String)>,
    /// Its HTML, cut, without what is secret.
    pub html: String,
    /// Its component, as the page says.
    pub component: Option<String>,
}

/// The element that is pointed at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Description {
    /// How it is pointed at.
    pub how: Pointed,
    /// Where it is a text or the like in the element: its kind, and what it says.
    pub part: Option<(String, String)>,
    /// Its ref.
    pub reference: String,
    /// Its line.
    pub line: String,
    /// Its role.
    pub role: &'static str,
    /// Its accessible name.
    pub name: String,
    /// The states that hold.
    pub states: Vec<String>,
    /// Its path.
    pub xpath: String,
    /// A selector that finds it in its document or shadow root.
    pub css: String,
    /// What it stands in.
    pub context: Option<String>,
    /// Its box in its frame's viewport.
    pub bounds: Option<String>,
    /// The frames around it, outermost first.
    pub frames: Vec<String>,
    /// Whether it can be acted on, and why not.
    pub standing: String,
}

/// An element with all that its telling needs.
pub struct Subject {
    /// Its tab's tree.
    pub tree: Rc<Tree>,
    /// Its ref.
    pub reference: Ref,
    /// The way to its document.
    reach: Reach,
    selection: Selection,
}

/// The element that is pointed at in a tab, where it is still there.
pub async fn subject(core: &Rc<Core>, tab: &Rc<Tab>) -> Result<Option<Subject>, Failure> {
    let tree = capture::capture(core, tab).await?;
    let Some((reference, _)) = tree.pointed() else { return Ok(None) };
    let Some(selection) = tab.state.borrow().selection.clone() else { return Ok(None) };
    let home = tab.state.borrow().homes.get(&selection.document).cloned();
    let Some(place) = home else { return Ok(None) };
    Ok(Some(Subject { tree, reference, reach: Reach::new(core, tab, place), selection }))
}

impl Subject {
    /// What a tree says of it, and its selector.
    ///
    /// # Errors
    /// When its document went.
    pub async fn describe(&self, core: &Rc<Core>, tab: &Rc<Tab>) -> Result<Description, Failure> {
        let tree = &self.tree;
        let gone = || Failure::WrongDocument { reference: self.reference };
        let at = tree.at(self.reference).ok_or_else(gone)?;
        let node = tree.node(at);
        let css = self.selector().await?;
        let context =
            fingerprint::of(tree, self.reference).and_then(|print| print.context.map(|c| c.to_string()));
        let frames = tree.ancestors(at).filter(|outer| tree.node(*outer).role() == snapshot::Role::Iframe);
        let mut frames: Vec<_> =
            frames.map(|outer| render::line(tree.node(outer)).trim().to_owned()).collect();
        frames.reverse();
        let target = target::target(core, tab, tree.clone(), self.reference, None)?;
        let hidden = node.is_hidden() && node.role() != snapshot::Role::FileInput;
        let standing = if hidden {
            "cannot be acted on now: it is not rendered".into()
        } else {
            match locate::standing(&target).await {
                Ok(standing) => standing,
                Err(failure) => format!("cannot be acted on now: {failure}"),
            }
        };
        let bounds = tree.bounds(node).map(|b| format!("{},{} {}x{}", b.x, b.y, b.width, b.height));
        Ok(Description {
            how: self.selection.how,
            part: self.selection.part.clone(),
            reference: self.reference.to_string(),
            line: render::line(node),
            role: node.role().as_str(),
            name: node.name().to_owned(),
            states: node.states().iter().map(ToString::to_string).collect(),
            xpath: xpath::of(tree, at).map(|path| path.to_string()).unwrap_or_default(),
            css,
            context,
            bounds,
            frames,
            standing,
        })
    }

    /// What who writes the page wants to know besides.
    ///
    /// # Errors
    /// When its document went.
    pub async fn detail(&self) -> Result<Detail, Failure> {
        let element = self.selection.element;
        let names = serde_json::to_string(&style::names()).unwrap_or_default();
        let values: Vec<(String, String)> =
            self.reach.portrait(&format!("styles({},{names})", element.0)).await?;
        let html: String = self.reach.portrait(&format!("html({},{HTML})", element.0)).await?;
        let tag = self.tree.frame_of(self.selection.document).and_then(|frame| self.tree.facts(frame));
        let tag = tag.and_then(|facts| facts.find(element)).map_or("", |element| element.tag()).to_owned();
        let component = component::of(&self.reach, element).await?.map(|component| component.to_string());
        Ok(Detail { styles: style::telling(&tag, &values), html, component })
    }

    /// A selector that finds it alone among those of its document or shadow root.
    async fn selector(&self) -> Result<String, Failure> {
        let element = self.selection.element.0;
        let names = serde_json::to_string(&selector::TELLING).unwrap_or_default();
        let way: Vec<Step> = self.reach.portrait(&format!("way({element},{names})")).await?;
        let mut candidates = selector::candidates(&way);
        let tried = serde_json::to_string(&candidates).unwrap_or_default();
        let first: Option<usize> = self.reach.portrait(&format!("first({element},{tried})")).await?;
        let last = candidates.pop().unwrap_or_default();
        Ok(first.and_then(|first| candidates.get(first).cloned()).unwrap_or(last))
    }

    /// The lines of what is in it.
    pub fn lines(&self, max_tokens: usize) -> Rendered {
        let options =
            Options { scope: Some(self.reference), max_tokens: Some(max_tokens), ..Options::default() };
        render::page(&self.tree, &options)
    }
}
