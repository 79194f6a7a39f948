//! The mouse: moves, presses and releases, guarded on arrival.

use super::{
    Done, Stage,
    aim::{self, Accept, Aim, Brief},
    control::named,
    gate,
};
use crate::{
    clock::Millis,
    failure::Failure,
    tab::Dialog,
    target::{self, Care, Target},
    task::all,
};
use cdp::input::{DispatchMouseEvent, MouseButton, MouseEventType};
use futures::future::{Either, FutureExt, join, select};
use serde::Deserialize;
use std::{cell::Cell, future::Future, pin::pin};
use tools::RefName;

/// An event of the mouse without a button.
pub fn mouse(r#type: MouseEventType, x: f64, y: f64) -> DispatchMouseEvent {
    DispatchMouseEvent { r#type, x, y, button: MouseButton::None, buttons: 0, click_count: 0, modifiers: 0 }
}

/// The event that lets a button come up.
pub fn release(x: f64, y: f64, button: MouseButton, click_count: u8, modifiers: u8) -> DispatchMouseEvent {
    DispatchMouseEvent { button, click_count, modifiers, ..mouse(MouseEventType::Released, x, y) }
}

#[derive(Debug, Deserialize)]
#[allow(clippy::struct_excessive_bools, reason = "independent facts of one press")]
struct Landed {
    seen: bool,
    clicked: bool,
    stopped: Option<Brief>,
    changed: bool,
    answered: bool,
}

/// How a press is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Press {
    /// The button.
    pub button: MouseButton,
    /// How many times.
    pub count: u8,
    /// Keys held, as bits.
    pub modifiers: u8,
}

/// Whether a press was seen to arrive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Arrival {
    /// On the element.
    Seen,
    /// On the element, but no click followed: the page replaced or moved it under the pointer.
    PressedOnly,
    /// On the element, which answered at once: what it opened lies under the pointer now, and took the click.
    Answered,
    /// The page answered with a dialog or went before it could be asked. It landed nowhere else: that is stopped.
    Unseen,
}

impl Arrival {
    /// The act, with a remark where its arrival was not seen.
    pub fn of(self, done: Done) -> Done {
        match self {
            Self::Seen | Self::PressedOnly => done,
            Self::Answered => done.noting("it answered the press itself; no click followed"),
            Self::Unseen => done.noting("arrival not seen: the page stopped or went at once"),
        }
    }
}

/// Lets the next press land on the element alone, in every document on the way; `still`: and only if nothing changes in
/// the element's own until then.
///
/// # Errors
/// When a document on the way went.
pub async fn arm(aim: &Aim, still: bool) -> Result<(), Failure> {
    let arming = aim.guards.iter().enumerate().map(|(index, (reach, allowed))| {
        let numbers: Vec<_> = allowed.iter().map(|element| element.0).collect();
        let still = still && index == 0;
        let any = aim.instead.is_some();
        async move { reach.ask::<bool>(&format!("guard({numbers:?},{still},{any})")).await }
    });
    for armed in all(arming).await {
        armed?;
    }
    Ok(())
}

/// Takes back a guard that was set for an element that is not pressed.
pub async fn stand_down(reach: &crate::place::Reach) {
    // A document that went guards nothing.
    let _ = reach.ask::<Option<Landed>>("landed()").await;
}

/// Takes back what [`arm`] did: the next press is the person's.
pub async fn disarm(aim: &Aim) {
    let asked = aim.guards.iter().map(|(reach, _)| reach.ask::<Option<Landed>>("landed()"));
    // A document that went guards nothing.
    drop(all(asked).await);
}

/// Whether the mouse was brought to where it presses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mouse {
    /// It comes with the press.
    Away,
    /// The page has seen it there.
    There,
}

/// Presses an element that is ready and guarded, without another question; one that is not, or whose page changed when
/// the mouse came, as [`press`] does.
///
/// # Errors
/// As [`press`].
pub async fn press_ready(
    stage: &Stage,
    target: &mut Target,
    (aim, accept): (Aim, Accept),
    press: Press,
) -> Result<(Aim, Arrival), Failure> {
    match strike(stage, target, &aim, press, Mouse::Away).await? {
        Some(arrival) => Ok((aim, arrival)),
        None => self::press(stage, target, accept, press).await,
    }
}

/// Aims, brings the mouse, makes sure that the element still is what it was, and presses. The press is stopped on
/// arrival if it lands on anything else than the element, or if the page changed since that was made sure: then it is
/// done once more.
///
/// # Errors
/// As [`approach`]; when the press landed elsewhere, or nowhere.
pub async fn press(
    stage: &Stage,
    target: &mut Target,
    accept: Accept,
    press: Press,
) -> Result<(Aim, Arrival), Failure> {
    // What the person allowed is pressed only in a page that stands still.
    let last = stage.bound.borrow().is_some();
    for still in [true, true, last] {
        let aim = approach(stage, target, accept, press.modifiers, still).await?;
        if let Some(arrival) = strike(stage, target, &aim, press, Mouse::There).await? {
            return Ok((aim, arrival));
        }
    }
    Err(Failure::Moving { target: target.said.clone() })
}

/// Nobody answers a dialog before a press that waits behind it counts as late, by the page script's measure and more.
const LATE: Millis = Millis(80);

/// Waits for a dialog.
fn stopped(stage: &Stage) -> impl Future<Output = Failure> + '_ {
    stage.tab.signal.until(|| match &stage.tab.state.borrow().dialog {
        Dialog::None => None,
        Dialog::Open(prompt) => {
            Some(Failure::DialogOpen { kind: prompt.kind.clone(), message: prompt.message.clone() })
        }
    })
}

/// Presses at a guarded point, as often as asked; of several, the next is made only after the one before has arrived.
/// None when the page had changed and saw nothing of it.
async fn strike(
    stage: &Stage,
    target: &Target,
    aim: &Aim,
    press: Press,
    at: Mouse,
) -> Result<Option<Arrival>, Failure> {
    let mut arrival = strike_once(stage, target, aim, (press, 1), at).await?;
    for number in 2..=press.count {
        if !matches!(arrival, Some(Arrival::Seen | Arrival::PressedOnly | Arrival::Answered)) {
            break;
        }
        arm(aim, false).await?;
        let again = strike_once(stage, target, aim, (press, number), Mouse::There).await;
        arrival = again.map_err(|failure| later(failure, number))?;
    }
    Ok(arrival)
}

/// What was pressed already is not pressed again.
fn later(failure: Failure, number: u8) -> Failure {
    if let Failure::Missed { target, on } = failure {
        return Failure::MissedLater { target, on, number };
    }
    failure
}

async fn strike_once(
    stage: &Stage,
    target: &Target,
    aim: &Aim,
    (press, click_count): (Press, u8),
    at: Mouse,
) -> Result<Option<Arrival>, Failure> {
    let Press { button, count: _, modifiers } = press;
    let untouched = !stage.touched.get();
    stage.touch();
    let session = &aim.session;
    let (x, y) = (aim.x, aim.y);
    // What navigates already goes whatever is pressed.
    let leaving = is_leaving(target);
    let came = Cell::new(at == Mouse::There);
    let mut sent = Vec::new();
    if at == Mouse::Away {
        let moved = session.call(&DispatchMouseEvent { modifiers, ..mouse(MouseEventType::Moved, x, y) });
        sent.push(moved.inspect(|answer| came.set(answer.is_ok())).left_future());
    }
    let pressed = session.call(&DispatchMouseEvent {
        button,
        buttons: button.bit(),
        click_count,
        modifiers,
        ..mouse(MouseEventType::Pressed, x, y)
    });
    let released = session.call(&release(x, y, button, click_count, modifiers));
    sent.extend([pressed.right_future(), released.right_future()]);
    let mut sent = pin!(all(sent));
    let answers = match select(sent.as_mut(), pin!(stopped(stage))).await {
        Either::Left((answers, _)) => answers,
        Either::Right((stopped, _)) => {
            if !came.get() {
                // That the mouse has come may be told after the dialog that the press opened.
                select(sent.as_mut(), pin!(stage.core.desk.sleep(LATE))).await;
            }
            if !came.get() {
                // Its coming opened the dialog. The press waits behind that, and is stopped when it comes late.
                return Err(stopped);
            }
            // It arrived: nothing else could have opened the dialog past the guard. All events were sent.
            Vec::new()
        }
    };
    for answer in answers {
        match answer {
            Ok(_) => {}
            // The frame went before it had answered: by the press, or just before it.
            Err(Failure::FrameGone | Failure::DocumentChanged) => return Err(went(target)),
            Err(failure) => return Err(failure),
        }
    }
    let arrival = verdict(target, aim).await?;
    if arrival == Some(Arrival::Unseen) && leaving && !reached_a_dialog(stage) {
        return Err(went(target));
    }
    if arrival.is_none() && untouched {
        stage.touched.set(false);
    }
    Ok(arrival)
}

fn went(target: &Target) -> Failure {
    Failure::WentAsPressed { target: target.said.clone() }
}

/// Whether the document of an element, or one around it, is about to be replaced.
fn is_leaving(target: &Target) -> bool {
    let state = target.reach.session.tab.state.borrow();
    !state.navigating.is_empty()
        && (state.navigating.contains_key(&target.reach.place.frame)
            || aim::way_out(target)
                .iter()
                .any(|(outer, _)| state.navigating.contains_key(&outer.place.frame)))
}

fn reached_a_dialog(stage: &Stage) -> bool {
    matches!(stage.tab.state.borrow().dialog, Dialog::Open(_))
}

/// Presses at a point that is guarded, where the mouse is.
///
/// # Errors
/// When it landed elsewhere, or nowhere.
pub async fn press_there(
    stage: &Stage,
    target: &Target,
    aim: &Aim,
    press: Press,
) -> Result<Arrival, Failure> {
    let pressed = strike(stage, target, aim, press, Mouse::There).await?;
    pressed.ok_or_else(|| Failure::Moving { target: target.said.clone() })
}

/// Whether a press arrived on the element; ends the guard.
///
/// # Errors
/// When it landed elsewhere, or nowhere.
pub async fn arrived(target: &Target, aim: &Aim) -> Result<Arrival, Failure> {
    verdict(target, aim).await?.ok_or_else(|| Failure::Moving { target: target.said.clone() })
}

/// What became of a press; none when it was stopped because the page had changed.
async fn verdict(target: &Target, aim: &Aim) -> Result<Option<Arrival>, Failure> {
    let asked = aim
        .guards
        .iter()
        .map(|(reach, _)| async move { (reach, reach.ask::<Option<Landed>>("landed()").await) });
    let mut own = None;
    for (index, (reach, landed)) in all(asked).await.into_iter().enumerate() {
        match landed {
            Ok(landed) => {
                let stopped = landed.as_ref().and_then(|landed| landed.stopped.clone());
                if let Some(stopped) = stopped {
                    let document = target.reach.session.tab.state.borrow();
                    let home = document.homes.iter().find(|(_, place)| **place == reach.place);
                    let on = named(
                        target,
                        Some(&stopped),
                        home.map_or(target.document, |(document, _)| *document),
                    );
                    return Err(Failure::Missed { target: target.said.clone(), on });
                }
                match (index, landed) {
                    (0, Some(landed)) => own = Some(landed),
                    // Another document answers than the one that was pressed: the page went.
                    (0, None) => return Ok(Some(Arrival::Unseen)),
                    _ => {}
                }
            }
            // A dialog holds the page, or the page went: both are the press's doing, past the guard.
            Err(Failure::DialogOpen { .. } | Failure::DocumentChanged | Failure::FrameGone) => {
                return Ok(Some(Arrival::Unseen));
            }
            Err(failure) => return Err(failure),
        }
    }
    match own {
        Some(landed) if landed.changed => Ok(None),
        Some(landed) if !landed.seen && !is_frame(target) => {
            Err(Failure::NotArrived { target: target.said.clone() })
        }
        Some(landed) if landed.answered => Ok(Some(Arrival::Answered)),
        Some(landed) if landed.seen && !landed.clicked => Ok(Some(Arrival::PressedOnly)),
        Some(_) | None => Ok(Some(Arrival::Seen)),
    }
}

/// A press on a frame's element is an event of the frame's own document.
fn is_frame(target: &Target) -> bool {
    target.tree.node_of(target.reference).is_some_and(|node| node.role() == snapshot::Role::Iframe)
}

/// Moves the mouse to a point. A page that answers with a dialog was not pressed.
///
/// # Errors
/// When a dialog opened, or the tab is lost.
pub async fn move_to(stage: &Stage, aim: &Aim, modifiers: u8) -> Result<(), Failure> {
    let moved =
        aim.session.call(&DispatchMouseEvent { modifiers, ..mouse(MouseEventType::Moved, aim.x, aim.y) });
    match select(pin!(moved), pin!(stopped(stage))).await {
        Either::Left((moved, _)) => moved.map(|_| ()),
        Either::Right((stopped, _)) => Err(stopped),
    }
}

/// How often it is aimed again because the page changed when the mouse came.
const AIMS: u32 = 3;

/// Aims, moves the mouse there, and makes sure that the element still is what it was: scrolling, waiting and the mouse
/// itself may have made it another. What it gives is guarded, for one press; `still` as for [`arm`].
///
/// # Errors
/// As [`aim::aim`]; [`Failure::Changed`] when it stands for something else now.
pub async fn approach(
    stage: &Stage,
    target: &mut Target,
    accept: Accept,
    modifiers: u8,
    still: bool,
) -> Result<Aim, Failure> {
    for left in (0..AIMS).rev() {
        let aimed = aim::aim(stage, target, accept).await?;
        move_to(stage, &aimed, modifiers).await?;
        let (guarded, confirmed) = join(arm(&aimed, still), target::confirm(stage, target)).await;
        match (guarded, confirmed) {
            // Whatever changes from here on is met on arrival.
            (Ok(()), Ok(changed)) if !changed || left == 0 => match gate::holds(stage, target) {
                Ok(()) => return Ok(aimed),
                Err(failure) => {
                    disarm(&aimed).await;
                    return Err(failure);
                }
            },
            // Armed anew with the next aim.
            (Ok(()), Ok(_)) => {}
            (Err(failure), _) | (Ok(()), Err(failure)) => {
                disarm(&aimed).await;
                return Err(failure);
            }
        }
    }
    Err(Failure::Moving { target: target.said.clone() })
}

/// `act kind=hover`.
///
/// # Errors
/// When the element cannot be reached by the mouse.
pub async fn hover(stage: &Stage, on: RefName) -> Result<Done, Failure> {
    let target = stage.find(on, Care::Look).await?;
    let aim = aim::aim(stage, &target, Accept::Itself).await?;
    move_to(stage, &aim, 0).await?;
    Ok(Done::on("hover", &target))
}
