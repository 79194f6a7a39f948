//! Where things stand in a tab's picture: areas of the root document's viewport, through frames of every kind. What
//! is to be painted over errs to the larger side.

use crate::{browser::Core, failure::Failure, place::Reach, tab::Tab};
use serde::{Deserialize, Serialize};
use snapshot::{ElementNo, Ref, Tree, facts::LiveValue};
use std::rc::Rc;

/// A rectangle in CSS pixels, from the root document's viewport.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Area {
    /// Left edge.
    pub x: i32,
    /// Top edge.
    pub y: i32,
    /// Across.
    pub width: i32,
    /// Down.
    pub height: i32,
}

impl Area {
    /// The same elsewhere.
    pub fn moved(self, x: i32, y: i32) -> Self {
        Self { x: self.x.saturating_add(x), y: self.y.saturating_add(y), ..self }
    }

    /// No side longer than this.
    pub fn limited(self, longest: i32) -> Self {
        Self { width: self.width.min(longest), height: self.height.min(longest), ..self }
    }

    fn right(&self) -> i32 {
        self.x.saturating_add(self.width)
    }

    fn bottom(&self) -> i32 {
        self.y.saturating_add(self.height)
    }

    /// Whether the other lies in it.
    pub fn holds(&self, other: &Self) -> bool {
        other.x >= self.x
            && other.y >= self.y
            && other.right() <= self.right()
            && other.bottom() <= self.bottom()
    }

    /// Whether they have a point in common.
    pub fn meets(&self, other: &Self) -> bool {
        self.x < other.right() && other.x < self.right() && self.y < other.bottom() && other.y < self.bottom()
    }
}

/// A ref and the area it is drawn around.
#[derive(Debug, Clone, Serialize)]
pub struct Label {
    /// The ref.
    #[serde(skip)]
    pub reference: Ref,
    text: String,
    #[serde(flatten)]
    area: Area,
}

impl Label {
    /// The same elsewhere.
    pub fn moved(self, x: i32, y: i32) -> Self {
        Self { area: self.area.moved(x, y), ..self }
    }
}

/// How a frame's document lies in the root's viewport.
#[derive(Debug, Clone, Copy)]
struct View {
    x: f64,
    y: f64,
    across: f64,
    down: f64,
    /// Turned or slanted: only the box of its element is known.
    straight: bool,
    /// What can be seen of it; all for the root.
    seen: Option<Rect>,
}

/// A rectangle with its edges.
#[derive(Debug, Clone, Copy)]
struct Rect {
    left: f64,
    top: f64,
    right: f64,
    bottom: f64,
}

impl Rect {
    fn within(self, other: Option<Self>) -> Option<Self> {
        let Some(other) = other else { return Some(self) };
        let both = Self {
            left: self.left.max(other.left),
            top: self.top.max(other.top),
            right: self.right.min(other.right),
            bottom: self.bottom.min(other.bottom),
        };
        (both.left < both.right && both.top < both.bottom).then_some(both)
    }

    /// In whole pixels, outwards.
    #[allow(clippy::cast_possible_truncation, reason = "it saturates, as is meant")]
    fn area(self) -> Area {
        let (x, y) = (self.left.floor() as i32, self.top.floor() as i32);
        let (right, bottom) = (self.right.ceil() as i32, self.bottom.ceil() as i32);
        Area { x, y, width: right.saturating_sub(x), height: bottom.saturating_sub(y) }
    }
}

impl View {
    const ROOT: Self = Self { x: 0.0, y: 0.0, across: 1.0, down: 1.0, straight: true, seen: None };

    /// What a box of the frame covers, if any of it can be seen.
    fn place(&self, bounds: (f64, f64, f64, f64)) -> Option<Rect> {
        if !self.straight {
            return self.seen;
        }
        let (x, y, width, height) = bounds;
        let rect = Rect {
            left: self.x + x * self.across,
            top: self.y + y * self.down,
            right: self.x + (x + width) * self.across,
            bottom: self.y + (y + height) * self.down,
        };
        rect.within(self.seen)
    }
}

/// What the page script answers to `view`.
#[derive(Deserialize)]
struct Seen {
    x: f64,
    y: f64,
    sx: f64,
    sy: f64,
    straight: bool,
    r#box: (f64, f64, f64, f64),
}

/// The view of each frame of a tree, in their order; none for one that cannot be seen. The frames that cannot be
/// read are areas besides.
async fn views(
    core: &Rc<Core>,
    tab: &Rc<Tab>,
    tree: &Tree,
) -> Result<(Vec<Option<View>>, Vec<Rect>), Failure> {
    let mut views: Vec<Option<View>> = Vec::new();
    let mut unread = Vec::new();
    for frame in &tree.page().frames {
        let Some(owner) = frame.owner else {
            views.push(Some(View::ROOT));
            continue;
        };
        let outer = views.get(owner.frame).copied().flatten();
        let view = match outer {
            Some(outer) => view(core, tab, tree, owner.frame, owner.element, &outer).await?,
            None => None,
        };
        if frame.content.is_err() {
            unread.extend(view.and_then(|view| view.seen));
        }
        views.push(view);
    }
    Ok((views, unread))
}

async fn view(
    core: &Rc<Core>,
    tab: &Rc<Tab>,
    tree: &Tree,
    frame: usize,
    element: ElementNo,
    outer: &View,
) -> Result<Option<View>, Failure> {
    let document = tree.facts(frame).map(|facts| facts.document()).ok_or(Failure::DocumentChanged)?;
    let place = tab.state.borrow().homes.get(&document).cloned().ok_or(Failure::DocumentChanged)?;
    let seen: Option<Seen> = Reach::new(core, tab, place).ask(&format!("view({})", element.0)).await?;
    let Some(seen) = seen else { return Ok(None) };
    let Some(area) = outer.place(seen.r#box) else { return Ok(None) };
    Ok(Some(View {
        x: outer.x + seen.x * outer.across,
        y: outer.y + seen.y * outer.down,
        across: outer.across * seen.sx,
        down: outer.down * seen.sy,
        straight: outer.straight && seen.straight,
        seen: Some(area),
    }))
}

/// What is in view, and the whole document.
///
/// # Errors
/// When there is no root document.
pub fn sizes(tree: &Tree) -> Result<(Area, Area), Failure> {
    let facts = tree.facts(0).ok_or(Failure::DocumentChanged)?;
    let (view, scroll) = (facts.viewport(), facts.scroll());
    let view = Area { x: 0, y: 0, width: view.width.max(1), height: view.height.max(1) };
    let content = Area {
        x: -scroll.left,
        y: -scroll.top,
        width: scroll.content.width.max(1),
        height: scroll.content.height.max(1),
    };
    Ok((view, content))
}

/// What must be painted over: fields that hold a secret, and frames that could not be read.
///
/// # Errors
/// When a document went meanwhile.
pub async fn masks(core: &Rc<Core>, tab: &Rc<Tab>, tree: &Tree) -> Result<Vec<Area>, Failure> {
    let (views, unread) = views(core, tab, tree).await?;
    let mut masks: Vec<Area> = unread.into_iter().map(Rect::area).collect();
    for (frame, view) in views.iter().enumerate() {
        let (Some(view), Some(facts)) = (view, tree.facts(frame)) else { continue };
        for element in facts.elements() {
            if !matches!(element.value(), Some(LiveValue::Secret(length)) if length > 0) {
                continue;
            }
            let Some(b) = element.bounds() else { continue };
            // A pixel more on each side: boxes are told in whole pixels.
            let (x, y) = (f64::from(b.x) - 1.0, f64::from(b.y) - 1.0);
            let bounds = (x, y, f64::from(b.width) + 2.0, f64::from(b.height) + 2.0);
            masks.extend(view.place(bounds).map(Rect::area));
        }
    }
    Ok(masks)
}

/// Where the element of a ref stands, if it can be seen.
///
/// # Errors
/// When a document went meanwhile.
pub async fn area(
    core: &Rc<Core>,
    tab: &Rc<Tab>,
    tree: &Tree,
    reference: Ref,
) -> Result<Option<Area>, Failure> {
    let (views, _) = views(core, tab, tree).await?;
    Ok(tree.node_of(reference).and_then(|node| placed(&views, tree, node)))
}

fn placed(views: &[Option<View>], tree: &Tree, node: &snapshot::tree::Node) -> Option<Area> {
    let b = tree.bounds(node)?;
    let view = views.get(node.frame()).copied().flatten()?;
    let bounds = (f64::from(b.x), f64::from(b.y), f64::from(b.width), f64::from(b.height));
    view.place(bounds).map(Rect::area)
}

/// The refs of what can be acted on in an area.
///
/// # Errors
/// When a document went meanwhile.
pub async fn labels(
    core: &Rc<Core>,
    tab: &Rc<Tab>,
    tree: &Tree,
    within: &Area,
    most: usize,
) -> Result<Vec<Label>, Failure> {
    let (views, _) = views(core, tab, tree).await?;
    let acting = tree.shown().filter(|(_, node)| node.acts() && !node.is_hidden());
    let labels = acting.filter_map(|(_, node)| {
        let reference = node.reference()?;
        let area = placed(&views, tree, node)?;
        let fits = area.width > 1 && area.height > 1 && area.meets(within);
        fits.then(|| Label { reference, text: reference.to_string(), area })
    });
    Ok(labels.take(most).collect())
}
