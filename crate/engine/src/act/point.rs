//! The mouse: moves, presses and releases, guarded on arrival.

use super::{
    Done, Stage,
    aim::{self, Accept, Aim, Brief},
    control::named,
};
use crate::{
    failure::Failure,
    tab::Dialog,
    target::{self, Care, Target},
};
use cdp::input::{DispatchMouseEvent, MouseButton, MouseEventType};
use futures::future::{Either, join, join_all, select};
use serde::Deserialize;
use std::pin::pin;
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
struct Landed {
    seen: bool,
    clicked: bool,
    stopped: Option<Brief>,
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
    /// The page answered with a dialog or went before it could be asked. It landed nowhere else: that is stopped.
    Unseen,
}

impl Arrival {
    /// The act, with a remark where its arrival was not seen.
    pub fn of(self, done: Done) -> Done {
        match self {
            Self::Seen | Self::PressedOnly => done,
            Self::Unseen => done.noting("arrival not seen: the page stopped or went at once"),
        }
    }
}

/// Lets the next press land on the element alone, in every document on the way.
///
/// # Errors
/// When a document on the way went.
pub async fn arm(aim: &Aim) -> Result<(), Failure> {
    let arming = aim.guards.iter().map(|(reach, allowed)| {
        let numbers: Vec<_> = allowed.iter().map(|element| element.0).collect();
        async move { reach.ask::<bool>(&format!("guard({numbers:?})")).await }
    });
    for armed in join_all(arming).await {
        armed?;
    }
    Ok(())
}

/// Takes back what [`arm`] did: the next press is the person's.
async fn disarm(aim: &Aim) {
    let asked = aim.guards.iter().map(|(reach, _)| reach.ask::<Option<Landed>>("landed()"));
    // A document that went guards nothing.
    drop(join_all(asked).await);
}

/// Presses at a point that [`approach`] gave. Each press is stopped on arrival if it lands on anything else than the
/// element; of several, the next is made only after the one before has arrived.
///
/// # Errors
/// When one landed elsewhere, or nowhere.
pub async fn press(stage: &Stage, target: &Target, aim: &Aim, press: Press) -> Result<Arrival, Failure> {
    for number in 1..press.count {
        let arrival =
            press_once(stage, target, aim, press, number).await.map_err(|failure| later(failure, number))?;
        if arrival == Arrival::Unseen {
            return Ok(arrival);
        }
        arm(aim).await?;
    }
    press_once(stage, target, aim, press, press.count).await.map_err(|failure| later(failure, press.count))
}

/// What was pressed already is not pressed again.
fn later(failure: Failure, number: u8) -> Failure {
    if number == 1 {
        return failure;
    }
    if let Failure::Missed { target, on } = failure {
        return Failure::MissedLater { target, on, number };
    }
    failure
}

async fn press_once(
    stage: &Stage,
    target: &Target,
    aim: &Aim,
    press: Press,
    click_count: u8,
) -> Result<Arrival, Failure> {
    let Press { button, count: _, modifiers } = press;
    stage.touch();
    let session = &aim.session;
    let (x, y) = (aim.x, aim.y);
    let mut sent =
        vec![session.call(&DispatchMouseEvent { modifiers, ..mouse(MouseEventType::Moved, x, y) })];
    stage.tab.state.borrow_mut().held.button = Some((session.id.clone(), x, y, button));
    sent.push(session.call(&DispatchMouseEvent {
        button,
        buttons: button.bit(),
        click_count,
        modifiers,
        ..mouse(MouseEventType::Pressed, x, y)
    }));
    sent.push(session.call(&release(x, y, button, click_count, modifiers)));
    let dialog =
        stage.tab.signal.until(|| matches!(stage.tab.state.borrow().dialog, Dialog::Open(_)).then_some(()));
    let answers = match select(pin!(join_all(sent)), pin!(dialog)).await {
        Either::Left((answers, _)) => answers,
        // It arrived: nothing else could have opened the dialog past the guard. All events were sent.
        Either::Right(((), _)) => Vec::new(),
    };
    stage.tab.state.borrow_mut().held.button = None;
    for answer in answers {
        match answer {
            // The page that was pressed went: the press did it.
            Ok(_) | Err(Failure::FrameGone | Failure::DocumentChanged) => {}
            Err(failure) => return Err(failure),
        }
    }
    verdict(target, aim).await
}

/// Whether a press arrived on the element; ends the guard.
///
/// # Errors
/// When it landed elsewhere, or nowhere.
pub async fn verdict(target: &Target, aim: &Aim) -> Result<Arrival, Failure> {
    let asked = aim
        .guards
        .iter()
        .map(|(reach, _)| async move { (reach, reach.ask::<Option<Landed>>("landed()").await) });
    let mut own = None;
    for (index, (reach, landed)) in join_all(asked).await.into_iter().enumerate() {
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
                    (0, None) => return Ok(Arrival::Unseen),
                    _ => {}
                }
            }
            // A dialog holds the page, or the page went: both are the press's doing, past the guard.
            Err(Failure::DialogOpen { .. } | Failure::DocumentChanged | Failure::FrameGone) => {
                return Ok(Arrival::Unseen);
            }
            Err(failure) => return Err(failure),
        }
    }
    match own {
        Some(landed) if !landed.seen && !is_frame(target) => {
            Err(Failure::NotArrived { target: target.said.clone() })
        }
        Some(landed) if landed.seen && !landed.clicked => Ok(Arrival::PressedOnly),
        Some(_) | None => Ok(Arrival::Seen),
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
    let stopped = stage.tab.signal.until(|| match &stage.tab.state.borrow().dialog {
        Dialog::None => None,
        Dialog::Open(prompt) => {
            Some(Failure::DialogOpen { kind: prompt.kind.clone(), message: prompt.message.clone() })
        }
    });
    match select(pin!(moved), pin!(stopped)).await {
        Either::Left((moved, _)) => moved.map(|_| ()),
        Either::Right((stopped, _)) => Err(stopped),
    }
}

/// How often it is aimed again because the page changed when the mouse came.
const AIMS: u32 = 3;

/// Aims, moves the mouse there, and makes sure that the element still is what it was: scrolling, waiting and the mouse
/// itself may have made it another. What it gives is guarded, for one press.
///
/// # Errors
/// As [`aim::aim`]; [`Failure::Changed`] when it stands for something else now.
pub async fn approach(
    stage: &Stage,
    target: &mut Target,
    accept: Accept,
    modifiers: u8,
) -> Result<Aim, Failure> {
    for left in (0..AIMS).rev() {
        let aimed = aim::aim(stage, target, accept).await?;
        move_to(stage, &aimed, modifiers).await?;
        let (guarded, confirmed) = join(arm(&aimed), target::confirm(stage, target)).await;
        match (guarded, confirmed) {
            (Ok(()), Ok(changed)) if !changed || left == 0 => return Ok(aimed),
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
