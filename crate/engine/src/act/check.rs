//! `act kind=check` and `kind=uncheck`: idempotent, and the state is read back.

use super::{
    Done, Stage,
    aim::Accept,
    control::{self, Control},
    kept::Held,
    point::{self, Press},
};
use crate::{
    clock::Millis,
    failure::Failure,
    target::{Care, Target},
};
use cdp::input::MouseButton;
use snapshot::Role;
use tools::RefName;

/// Makes a checkbox, radio or switch checked or not.
///
/// # Errors
/// When it is none, or does not take the state.
pub async fn check(stage: &Stage, on: RefName, checked: bool) -> Result<Done, Failure> {
    let target = stage.find(on, Care::Act).await?;
    set(stage, &target, checked).await
}

/// Does it for an element that was found.
///
/// # Errors
/// As [`check`].
pub async fn set(stage: &Stage, target: &Target, checked: bool) -> Result<Done, Failure> {
    let verb = if checked { "check" } else { "uncheck" };
    let role = target.tree.node_of(target.reference).map(snapshot::tree::Node::role);
    let checkable = [Role::Checkbox, Role::Switch, Role::Radio, Role::MenuItemCheckbox, Role::MenuItemRadio];
    if !role.is_some_and(|role| checkable.contains(&role)) {
        return Err(Failure::WrongKind { target: target.said.clone(), wanted: "checkbox, radio or switch" });
    }
    let before = control::enabled(stage, target).await?;
    if is(&before, checked) {
        return Ok(Done::on(verb, target).noting(if checked {
            "was checked already"
        } else {
            "was unchecked already"
        }));
    }
    if !checked && role.is_some_and(|role| [Role::Radio, Role::MenuItemRadio].contains(&role)) {
        let wanted = "another radio of its group, checked".into();
        return Err(Failure::BadValue { target: target.said.clone(), value: "unchecked".into(), wanted });
    }
    let press = Press { button: MouseButton::Left, count: 1, modifiers: 0 };
    let target = &mut target.clone();
    let (_, arrival) = point::press(stage, target, Accept::Label, press).await?;
    // Some switches turn only once a server has answered.
    let limit = stage.core.desk.now() + stage.patience();
    loop {
        match control::read(target).await {
            Ok(now) if is(&now, checked) => {
                return Ok(Done::on(verb, target).keeping(target, Held::Checked(checked)));
            }
            Ok(_) if stage.core.desk.now() >= limit => break,
            Ok(_) => stage.core.desk.sleep(PACE).await,
            Err(Failure::Vanished { .. }) => {
                return Ok(arrival
                    .of(Done::on(verb, target))
                    .noting("the page made it anew; its state could not be read back"));
            }
            // The page answered the press by going elsewhere: the reply tells.
            Err(Failure::DialogOpen { .. } | Failure::DocumentChanged | Failure::FrameGone) => {
                return Ok(arrival.of(Done::on(verb, target)).noting("its state could not be read back"));
            }
            Err(failure) => return Err(failure),
        }
    }
    let (wanted, is) = if checked { ("checked", "unchecked") } else { ("unchecked", "checked") };
    Err(Failure::NotTaken { target: target.said.clone(), wanted: wanted.into(), is: is.into() })
}

/// How often it is looked at.
const PACE: Millis = Millis(30);

fn is(control: &Control, checked: bool) -> bool {
    control.checked == checked && !control.indeterminate
}
