//! Acts at a point of the viewport, for what is not in the tree: what is hit there, in whichever frame, and `click_at`,
//! `type_at`, `hover_at`.

use super::{
    Done, Stage,
    aim::{Aim, Brief},
    click,
    control::{self, Takes, named},
    gate::{self, Worked},
    point::{self, Press},
    turned, typing,
};
use crate::{capture, failure::Failure, place::Reach, session::Session, target::Target};
use snapshot::{DocumentNo, ElementNo, Ref, Tree};
use std::rc::Rc;
use tools::{
    act::{At, Button, Modifier},
    call::Point,
};

/// What is at a point.
pub struct Spot {
    /// The element.
    pub target: Target,
    /// Its local name.
    tag: String,
    /// CSS pixels from the left of the tab's viewport.
    pub x: f64,
    /// CSS pixels from the top of it.
    pub y: f64,
    /// The documents on the way, the element's own first, with what a press may land on there.
    guards: Vec<(Reach, Vec<ElementNo>)>,
}

impl Spot {
    /// To press there: in the tab's own session, which reaches every frame.
    pub fn aim(&self) -> Aim {
        let root = Session { id: None, ..self.target.reach.session.clone() };
        let guards = self.guards.clone();
        Aim { session: root, x: self.x, y: self.y, outer: (self.x, self.y), instead: None, guards }
    }
}

/// What is at a point now.
///
/// # Errors
/// When the point is out of view, or in a frame that is not read; [`Failure::Unexpected`] when it is not as expected.
pub async fn hit(stage: &Stage, point: Point) -> Result<Spot, Failure> {
    let tree = capture::capture(&stage.core, &stage.tab).await?;
    let (x, y) = (f64::from(point.x), f64::from(point.y));
    crate::mark::point(&stage.core, &stage.tab, x, y);
    let outside = || Failure::NoPoint { x: point.x, y: point.y };
    let first = tree.page().frames.first().and_then(|frame| frame.content.as_ref().ok());
    let mut document = first.map(|facts| facts.document()).ok_or(Failure::DocumentChanged)?;
    let mut reach = home(stage, document).ok_or(Failure::DocumentChanged)?;
    let (mut inner_x, mut inner_y) = (x, y);
    let mut guards = Vec::new();
    loop {
        let brief: Option<Brief> = reach.ask(&format!("at({inner_x},{inner_y})")).await?;
        let brief = brief.ok_or_else(outside)?;
        let shown = {
            let known = stage.tab.state.borrow();
            let inner = known.owners.iter().find(|(_, owner)| **owner == (document, brief.element));
            inner.map(|(inner, _)| *inner)
        };
        let Some(inner) = shown else {
            let target = found(stage, tree, reach.clone(), document, &brief);
            if matches!(brief.tag.as_str(), "iframe" | "frame" | "fencedframe") {
                return Err(Failure::FrameUnread { target: target.said });
            }
            expected(stage, &target, &brief)?;
            guards.insert(0, (reach, vec![brief.element]));
            return Ok(Spot { target, tag: brief.tag, x, y, guards });
        };
        let Some(within) = turned::inwards(&reach, brief.element, (inner_x, inner_y)).await? else {
            let target = found(stage, tree, reach, document, &brief);
            return Err(Failure::FrameUnread { target: target.said });
        };
        (inner_x, inner_y) = within;
        guards.insert(0, (reach, Vec::new()));
        document = inner;
        reach = home(stage, document).ok_or(Failure::DocumentChanged)?;
    }
}

fn home(stage: &Stage, document: DocumentNo) -> Option<Reach> {
    let place = stage.tab.state.borrow().homes.get(&document).cloned()?;
    Some(Reach::new(&stage.core, &stage.tab, place))
}

fn found(stage: &Stage, tree: Rc<Tree>, reach: Reach, document: DocumentNo, brief: &Brief) -> Target {
    let known = stage.core.refs.borrow().get(document, brief.element);
    let reference = known.filter(|reference| tree.node_of(*reference).is_some()).unwrap_or(Ref(0));
    let target =
        Target { reach, document, element: brief.element, reference, said: String::new(), note: None, tree };
    let said = named(&target, Some(brief), document);
    Target { said, ..target }
}

/// What was expected must be in what the element says.
fn expected(stage: &Stage, target: &Target, brief: &Brief) -> Result<(), Failure> {
    let plain = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
    match &stage.expect {
        Some(words)
            if !plain(&target.said).contains(&plain(words))
                && !plain(&brief.name).contains(&plain(words)) =>
        {
            Err(Failure::Unexpected { target: target.said.clone(), expected: words.clone() })
        }
        Some(_) | None => Ok(()),
    }
}

/// How often it is looked again because the mouse's coming brought something else there.
const LOOKS: u32 = 3;

/// Brings the mouse to a point and says what is there then; a press on anything else is stopped.
///
/// # Errors
/// As [`hit`]; [`Failure::Moving`] when something else is there each time.
pub async fn approach(stage: &Stage, point: Point, modifiers: u8) -> Result<Spot, Failure> {
    let mut spot = hit(stage, point).await?;
    for _ in 0..LOOKS {
        point::move_to(stage, &spot.aim(), modifiers).await?;
        let now = hit(stage, point).await?;
        let same = now.target.document == spot.target.document && now.target.element == spot.target.element;
        spot = now;
        if same {
            point::arm(&spot.aim(), false).await?;
            return Ok(spot);
        }
    }
    Err(Failure::Moving { target: spot.target.said })
}

/// Brings the mouse to what is at a point, once the person has allowed what needs it. What is there then must be what
/// they allowed.
async fn allowed(stage: &Stage, at: Point, modifiers: u8, verb: &str) -> Result<Spot, Failure> {
    let mut first = hit(stage, at).await?;
    if gate::needs(&first.target) {
        gate::pass(stage, &mut first.target, verb, Worked::Pressed).await?;
    }
    let spot = approach(stage, at, modifiers).await?;
    let (was, is) = (&first.target, &spot.target);
    let same = was.document == is.document && was.element == is.element && was.said == is.said;
    let failure = match gate::holds(stage, is) {
        Ok(()) if same || !gate::needs(is) => return Ok(spot),
        // The mouse's coming brought it there.
        Ok(()) => Failure::Moving { target: is.said.clone() },
        Err(failure) => failure,
    };
    point::disarm(&spot.aim()).await;
    Err(failure)
}

/// `click_at`: presses whatever is at a point.
///
/// # Errors
/// As [`approach`]; when the press did not arrive there.
pub async fn click_at(
    stage: &Stage,
    at: Point,
    button: Button,
    count: u8,
    modifiers: &[Modifier],
) -> Result<Done, Failure> {
    let press = click::press_of(button, count, modifiers);
    let spot = allowed(stage, at, press.modifiers, click::verb(button, press.count)).await?;
    let arrival = point::press_there(stage, &spot.target, &spot.aim(), press).await?;
    let verb = click::verb(button, press.count);
    Ok(arrival.of(Done::plainly(told(verb, at, &spot))))
}

fn told(verb: &str, at: Point, spot: &Spot) -> String {
    format!("{verb} at {},{} on {}", at.x, at.y, spot.target.said)
}

/// `hover_at`: brings the mouse to a point.
///
/// # Errors
/// As [`hit`].
pub async fn hover_at(stage: &Stage, at: Point) -> Result<Done, Failure> {
    let spot = hit(stage, at).await?;
    point::move_to(stage, &spot.aim(), 0).await?;
    Ok(Done::plainly(told("hover", at, &spot)))
}

/// `type_at`: clicks at a point, then types into what has the focus by that. Where that holds text, it is read back;
/// else the keys go only to what was clicked or what is around or in it, a canvas mostly.
///
/// # Errors
/// As [`click_at`]; when the click gave the focus to nothing there.
pub async fn type_at(stage: &Stage, at: Point, text: &str) -> Result<Done, Failure> {
    let spot = allowed(stage, at, 0, "click").await?;
    let press = Press { button: cdp::input::MouseButton::Left, count: 1, modifiers: 0 };
    let arrival = point::press_there(stage, &spot.target, &spot.aim(), press).await?;
    let what = told("type", at, &spot);
    let focused = typing::with_focus(stage).await?;
    if let Some(focused) = focused {
        let control = control::read(&focused).await?;
        if matches!(control.takes(), Takes::Line | Takes::Lines) {
            let done = typing::type_into(stage, focused, text, At::Caret, None).await?;
            return Ok(Done { what: format!("{what}: {}", done.what), ..done });
        }
        let question = format!("related({},{})", spot.target.element.0, focused.element.0);
        let related =
            focused.document == spot.target.document && spot.target.reach.ask::<bool>(&question).await?;
        if !related {
            return Err(Failure::NoFocus { target: spot.target.said });
        }
    } else if spot.tag != "canvas" {
        // Keys on a page without a focus are shortcuts of the page; only a canvas is known to take them as text.
        return Err(Failure::NoFocus { target: spot.target.said });
    }
    typing::strike_all(stage, text, typing::LineEnd::Text).await?;
    let note =
        format!("{} characters sent as keys; it holds no text that could be read back", text.chars().count());
    Ok(arrival.of(Done::plainly(what).holding(text).noting(note)))
}
