//! `act kind=drag` and `kind=drag_at`: an element or a point dragged to another. One way for both kinds of page: the
//! button goes down and the mouse moves; if the page begins a drag of HTML's, the drag is carried on by drag events,
//! else by the mouse. Events go to the tab's own session in its coordinates, which reach every frame; in the session
//! of a frame drags cannot be taken over.

use super::{
    Done, Stage,
    aim::{self, Accept, Brief},
    control::{self, named},
    point::{self, mouse},
    spot::{self, Spot},
    turned,
};
use crate::{
    clock::Millis,
    failure::Failure,
    place::Reach,
    session::Session,
    tab::Dialog,
    target::{self, Care, Target},
};
use cdp::{
    Command,
    input::{
        DispatchDragEvent, DispatchMouseEvent, DragData, DragEventType, MouseButton, MouseEventType,
        SetInterceptDrags,
    },
};
use futures::future::{Either, select};
use serde::Deserialize;
use snapshot::ElementNo;
use std::pin::pin;
use tools::{RefName, call::Point};

/// Where one end of a drag is, in CSS pixels of the tab's viewport.
type Pixels = (f64, f64);

/// How many moves there are between the two ends, besides those at the ends. Pages that sort need some.
const MOVES: u32 = 10;

/// How far the mouse goes before a drag must have begun, in CSS pixels.
const LIFT: [f64; 2] = [3.0, 12.0];

/// How long the mouse rests over the goal before it moves once more there and lets go. Who drags by hand rests longer, and
/// the browser repeats its `dragover` for them (HTML, drag-and-drop processing model); libraries that sort look away for
/// a moment after each change.
const REST: Millis = Millis(60);

/// How long that may take at each move.
const CALM: Millis = Millis(400);

/// How long the browser may take to hand a drag over that the page began.
const HANDOVER: Millis = Millis(2_000);

#[derive(Debug, Deserialize)]
struct Lifted {
    started: bool,
}

#[derive(Debug, Deserialize)]
struct Centre {
    x: f64,
    y: f64,
}

/// What an event landed on.
#[derive(Debug, Deserialize)]
struct Landing {
    on: Brief,
    inside: bool,
    around: bool,
}

#[derive(Debug, Deserialize)]
struct Carried {
    drop: Option<Landing>,
    up: Option<Landing>,
}

/// Where a drag ends.
enum Goal<'a> {
    /// At an element, wherever it is by then.
    Element(&'a Target),
    /// At a point.
    Point(&'a Spot),
}

impl Goal<'_> {
    fn target(&self) -> &Target {
        match self {
            Self::Element(target) => target,
            Self::Point(spot) => &spot.target,
        }
    }

    /// Where it is, in view or not.
    async fn whereabouts(&self) -> Result<Pixels, Failure> {
        let target = match self {
            Self::Element(target) => target,
            Self::Point(spot) => return Ok((spot.x, spot.y)),
        };
        let gone = || Failure::Vanished { target: target.said.clone() };
        let centre: Option<Centre> = target.reach.ask(&format!("centre({})", target.element.0)).await?;
        let Centre { mut x, mut y } = centre.ok_or_else(gone)?;
        for (outer, element) in aim::way_out(target) {
            let said = || target.said.clone();
            let passed = turned::outwards(&outer, element, (x, y), said).await?.ok_or_else(gone)?;
            (x, y) = (passed.x, passed.y);
        }
        Ok((x, y))
    }

    /// Where it is now. What lies over it does not matter: what is dragged may.
    async fn place(&self, stage: &Stage) -> Result<Pixels, Failure> {
        match self {
            Self::Element(target) => {
                let careless = Stage { force: true, ..stage.clone() };
                Ok(aim::aim(&careless, target, Accept::Itself).await?.outer)
            }
            Self::Point(spot) => Ok((spot.x, spot.y)),
        }
    }
}

/// Drags an element onto another.
///
/// # Errors
/// When either is not what was shown or cannot be reached, or the page does not take the drop.
pub async fn drag(stage: &Stage, from: RefName, to: RefName) -> Result<Done, Failure> {
    if from == to {
        return Err(Failure::BadArgument("`to_ref` is what is dragged itself".into()));
    }
    let mut source = stage.find(from, Care::Act).await?;
    // What was expected is said of what is dragged.
    let mut goal = Stage { expect: None, ..stage.clone() }.find(to, Care::Act).await?;
    control::enabled(stage, &source).await?;
    // Refused before anything is touched if it cannot be reached at all.
    aim::aim(stage, &goal, Accept::Itself).await?;
    let aim = point::approach(stage, &mut source, Accept::Itself, 0, false).await?;
    target::confirm(stage, &mut goal).await?;
    let pressed = point::arrived(&source, &aim);
    let drag = Drag::new(stage, &source, aim.outer, Goal::Element(&goal));
    let how = drag.haul(pressed).await?;
    let mut done = Done::on("drag", &source).noting(how);
    done.what = format!("{} to {}", done.what, goal.said);
    done.notes.extend(goal.note);
    Ok(done)
}

/// Drags from one point to another.
///
/// # Errors
/// When there is nothing at a point that could be worked, or the page does not take the drop.
pub async fn drag_at(stage: &Stage, from: Point, to: Point) -> Result<Done, Failure> {
    let goal = spot::hit(stage, to).await?;
    let source = spot::approach(stage, from, 0).await?;
    let aim = source.aim();
    let pressed = point::arrived(&source.target, &aim);
    let drag = Drag::new(stage, &source.target, (source.x, source.y), Goal::Point(&goal));
    let how = drag.haul(pressed).await?;
    let what = format!(
        "drag from {},{} on {} to {},{} on {}",
        from.x, from.y, source.target.said, to.x, to.y, goal.target.said
    );
    Ok(Done::plainly(what).noting(how))
}

/// A drag under way, from where it is to where it goes.
struct Drag<'a> {
    stage: &'a Stage,
    /// The tab's own session.
    root: Session,
    source: &'a Target,
    from: Pixels,
    goal: Goal<'a>,
}

impl<'a> Drag<'a> {
    fn new(stage: &'a Stage, source: &'a Target, from: Pixels, goal: Goal<'a>) -> Self {
        Self { stage, root: Session::root(&stage.core, &stage.tab), source, from, goal }
    }

    /// The drag itself; says how it was done. `pressed` tells whether the press arrived. Whatever becomes of it, nothing
    /// stays held.
    async fn haul(
        &self,
        pressed: impl Future<Output = Result<point::Arrival, Failure>>,
    ) -> Result<&'static str, Failure> {
        let how = self.held(pressed).await;
        super::let_go(&self.stage.core, &self.stage.tab);
        let how = how?;
        landed(self.source, &self.goal, how == Means::Html).await?;
        Ok(how.said())
    }

    async fn held(
        &self,
        pressed: impl Future<Output = Result<point::Arrival, Failure>>,
    ) -> Result<Means, Failure> {
        let Self { stage, root, source, from, goal } = self;
        stage.touch();
        {
            let held = &mut stage.tab.state.borrow_mut().held;
            held.intercepts = true;
            held.drag = None;
        }
        sent(stage, root, &SetInterceptDrags { enabled: true }).await?;
        for reach in [&source.reach, &goal.target().reach] {
            reach.ask::<bool>("carry()").await?;
        }
        stage.tab.state.borrow_mut().held.button = Some((None, from.0, from.1, MouseButton::Left));
        let press = DispatchMouseEvent {
            button: MouseButton::Left,
            buttons: MouseButton::Left.bit(),
            click_count: 1,
            ..mouse(MouseEventType::Pressed, from.0, from.1)
        };
        sent(stage, root, &press).await?;
        pressed.await?;
        // Without scrolling: the drag must begin where the mouse is.
        let towards = goal.whereabouts().await?;
        for far in LIFT {
            self.moved(ahead(*from, towards, far)).await?;
        }
        // After a drop the button comes up there, too: the browser must not think that it is held.
        if source.reach.ask::<Lifted>("lifted()").await?.started {
            self.carry().await?;
            return Ok(Means::Html);
        }
        let end = goal.place(stage).await?;
        for place in way(*from, end) {
            self.moved(place).await?;
            calm(goal).await?;
        }
        still(goal).await?;
        rest(goal).await?;
        for place in [(end.0 - 1.0, end.1), end] {
            self.moved(place).await?;
        }
        still(goal).await?;
        let up = point::release(end.0, end.1, MouseButton::Left, 1, 0);
        // It goes out at once; whatever keeps its answer away, it is not sent again.
        stage.tab.state.borrow_mut().held.button = None;
        sent(stage, root, &up).await?;
        Ok(Means::Mouse)
    }

    /// Goes on with a drag that the page began. One that crosses over to a frame of another process comes in anew there:
    /// the browser does not say so by itself.
    async fn carry(&self) -> Result<(), Failure> {
        let Self { stage, root, source, from, goal } = self;
        let handed = stage.tab.signal.until(|| stage.tab.state.borrow().held.drag.clone());
        let desk = &stage.core.desk;
        let data = desk.within(HANDOVER, "the browser's drag", async { Ok(handed.await) }).await?;
        // The page may have made room for it by now.
        let end = goal.place(stage).await?;
        let mut kind = DragEventType::DragEnter;
        for place in way(*from, end) {
            event(stage, root, kind, place, &data).await?;
            calm(goal).await?;
            kind = DragEventType::DragOver;
        }
        if source.reach.place.session != goal.target().reach.place.session {
            event(stage, root, DragEventType::DragEnter, end, &data).await?;
            event(stage, root, DragEventType::DragOver, end, &data).await?;
        }
        still(goal).await?;
        rest(goal).await?;
        event(stage, root, DragEventType::DragOver, end, &data).await?;
        still(goal).await?;
        event(stage, root, DragEventType::Drop, end, &data).await?;
        // Dropped: there is nothing left to call off.
        stage.tab.state.borrow_mut().held.drag = None;
        Ok(())
    }

    async fn moved(&self, (x, y): Pixels) -> Result<(), Failure> {
        if let Some(button) = &mut self.stage.tab.state.borrow_mut().held.button {
            (button.1, button.2) = (x, y);
        }
        let event = DispatchMouseEvent {
            button: MouseButton::Left,
            buttons: MouseButton::Left.bit(),
            ..mouse(MouseEventType::Moved, x, y)
        };
        sent(self.stage, &self.root, &event).await
    }
}

/// By what a thing was dragged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Means {
    /// By the page's own drag and drop.
    Html,
    /// By the mouse.
    Mouse,
}

impl Means {
    /// As a reply says it.
    fn said(self) -> &'static str {
        match self {
            Self::Html => "by drag and drop",
            Self::Mouse => "by mouse moves",
        }
    }
}

/// Files dropped on an element, as from the system's file manager.
///
/// # Errors
/// When the element cannot be reached or does not take them.
pub async fn drop_files(stage: &Stage, target: &Target, files: &[String]) -> Result<(), Failure> {
    let root = Session::root(&stage.core, &stage.tab);
    let (x, y) = aim::aim(stage, target, Accept::Itself).await?.outer;
    stage.touch();
    target.reach.ask::<bool>("carry()").await?;
    let data = DragData { files: files.to_vec(), drag_operations_mask: 1, ..DragData::default() };
    stage.tab.state.borrow_mut().held.drag = Some(data.clone());
    for (kind, place) in
        [(DragEventType::DragEnter, (x, y)), (DragEventType::DragOver, (x, y)), (DragEventType::Drop, (x, y))]
    {
        event(stage, &root, kind, place, &data).await?;
    }
    stage.tab.state.borrow_mut().held.drag = None;
    landed(target, &Goal::Element(target), true).await
}

/// Whether the drop, or the release, landed where it should.
async fn landed(source: &Target, goal: &Goal<'_>, dropped: bool) -> Result<(), Failure> {
    let goal = goal.target();
    let (from, to) = (told(&source.reach, source, goal).await?, told(&goal.reach, source, goal).await?);
    // The document of the goal tells last where both are one: the first question ended the watch.
    let all = [from, to].into_iter().flatten();
    let mut strayed = None;
    let mut any = false;
    for carried in all {
        let landing = if dropped { carried.drop } else { carried.up };
        let Some(landing) = landing else { continue };
        any = true;
        // The mouse may be captured by what holds the goal.
        if landing.inside || (!dropped && landing.around) {
            return Ok(());
        }
        strayed = Some(named(goal, Some(&landing.on), goal.document));
    }
    match strayed {
        Some(on) => Err(Failure::Strayed { target: goal.said.clone(), on }),
        None if dropped && !any => Err(Failure::NotDropped { target: goal.said.clone() }),
        // A page that went, or that keeps the release to itself: the reply tells what changed.
        None => Ok(()),
    }
}

async fn told(reach: &Reach, source: &Target, goal: &Target) -> Result<Option<Carried>, Failure> {
    let fits: Vec<ElementNo> = [source, goal]
        .into_iter()
        .filter(|target| target.reach.place == reach.place)
        .map(|target| target.element)
        .collect();
    let numbers: Vec<_> = fits.iter().map(|element| element.0).collect();
    match reach.ask::<Carried>(&format!("carried({numbers:?})")).await {
        Ok(carried) => Ok(Some(carried)),
        // The page answered the drop by going elsewhere, or by a dialog.
        Err(Failure::DialogOpen { .. } | Failure::DocumentChanged | Failure::FrameGone) => Ok(None),
        Err(failure) => Err(failure),
    }
}

/// [`REST`] by the clock of the goal's page: what the page does a moment after a change, it has done before.
async fn rest(goal: &Goal<'_>) -> Result<(), Failure> {
    goal.target().reach.ask::<bool>(&format!("later({})", REST.0)).await?;
    Ok(())
}

/// What the page does about a move comes to rest before the next one: a list that is sorted meanwhile looks where its
/// items are on their way.
async fn calm(goal: &Goal<'_>) -> Result<(), Failure> {
    let target = goal.target();
    target.reach.ask::<bool>(&format!("calm({},{})", target.element.0, CALM.0)).await?;
    Ok(())
}

/// Two frames of the goal's page: pages look where a drag is when they draw.
async fn still(goal: &Goal<'_>) -> Result<(), Failure> {
    let target = goal.target();
    target.reach.ask::<Option<serde::de::IgnoredAny>>(&format!("still({})", target.element.0)).await?;
    Ok(())
}

fn ahead(from: Pixels, to: Pixels, far: f64) -> Pixels {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let length = dx.hypot(dy);
    if length < 1.0 {
        (from.0 + far, from.1)
    } else {
        (from.0 + dx / length * far, from.1 + dy / length * far)
    }
}

/// The points on the way, the end twice: some pages look only at the second event over them.
fn way(from: Pixels, to: Pixels) -> Vec<Pixels> {
    let mut points: Vec<_> = (1..MOVES)
        .map(|step| {
            let share = f64::from(step) / f64::from(MOVES);
            (from.0 + (to.0 - from.0) * share, from.1 + (to.1 - from.1) * share)
        })
        .collect();
    points.extend([(to.0 - 1.0, to.1), to]);
    points
}

async fn event(
    stage: &Stage,
    root: &Session,
    r#type: DragEventType,
    (x, y): Pixels,
    data: &DragData,
) -> Result<(), Failure> {
    sent(stage, root, &DispatchDragEvent { r#type, x, y, data: data.clone() }).await
}

/// Sends one event; a page that answers with a dialog ends the drag.
async fn sent<C: Command>(stage: &Stage, root: &Session, event: &C) -> Result<(), Failure> {
    let stopped = stage.tab.signal.until(|| match &stage.tab.state.borrow().dialog {
        Dialog::None => None,
        Dialog::Open(prompt) => {
            Some(Failure::DialogOpen { kind: prompt.kind.clone(), message: prompt.message.clone() })
        }
    });
    match select(pin!(root.call(event)), pin!(stopped)).await {
        Either::Left((answer, _)) => answer.map(|_| ()),
        Either::Right((stopped, _)) => Err(stopped),
    }
}
