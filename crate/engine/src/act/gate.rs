//! Before an act that goes beyond the page: finds out whether it is one, has the person asked, and makes sure that what
//! they allowed is still what is there.

use super::{Stage, control::Control};
use crate::{
    address,
    consent::{
        PERSON,
        confirm::{self, Need, Said},
        deed,
    },
    failure::Failure,
    reply,
    target::{self, Target},
};
use serde::Deserialize;
use snapshot::{DocumentNo, Ref, Role};

/// What the person allowed: all that must still be so.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bound {
    document: DocumentNo,
    reference: Ref,
    role: Option<Role>,
    name: String,
    site: String,
    sends: Option<Sends>,
}

/// What pressing something, or Enter in it, would send.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Sends {
    /// Whether a field with a secret goes with it.
    secret: bool,
    /// Where to.
    to: String,
    /// The name of the button that Enter would press.
    by: String,
}

/// How something is worked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Worked {
    /// By a press of the mouse, or a key that does the same.
    Pressed,
    /// By Enter, with the text that it holds or will hold.
    Entered,
}

/// Whether an element has to be looked at more closely before it is pressed.
pub fn needs(target: &Target) -> bool {
    let (role, name) = words(target);
    deed::of(role, &name).is_some() || has_secrets(target)
}

/// Has the person asked where working an element does something beyond the page; says whether they were.
///
/// # Errors
/// When it may not be done, or what is there is no longer what was asked about.
pub async fn pass(stage: &Stage, target: &mut Target, verb: &str, how: Worked) -> Result<bool, Failure> {
    let (role, name) = words(target);
    let by_name = match how {
        Worked::Pressed => deed::of(role, &name).map(Need::Named),
        Worked::Entered => None,
    };
    let sends = if how == Worked::Entered || has_secrets(target) { sends(target).await? } else { None };
    let secret = sends.as_ref().is_some_and(|sends| sends.secret);
    let by_button = sends.as_ref().and_then(|sends| deed::of(Some(Role::Button), &sends.by)).map(Need::Named);
    let Some(need) = by_name.or(secret.then_some(Need::Password)).or(by_button) else { return Ok(false) };
    let mut what = format!("{verb} {}", target.said);
    if let Some(sends) = sends.filter(|sends| sends.secret && !sends.to.is_empty()) {
        what.push_str(&format!(", which sends to {}", reply::address(&sends.to)));
    }
    Ok(ask(stage, target, need, &what).await? != Said::Unasked)
}

/// The same for what is put into a field.
///
/// # Errors
/// As [`pass`].
pub async fn pass_field(
    stage: &Stage,
    target: &mut Target,
    control: &Control,
    verb: &str,
) -> Result<bool, Failure> {
    // Who was asked about this very field for more knows of it.
    let known = stage
        .bound
        .borrow()
        .as_ref()
        .is_some_and(|bound| bound.document == target.document && bound.reference == target.reference);
    if !control.card || known {
        return Ok(false);
    }
    let what = format!("{verb} {}", target.said);
    Ok(ask(stage, target, Need::Card, &what).await? != Said::Unasked)
}

/// Has the person asked about what is done to an element, and makes sure that it still is what they were told.
///
/// # Errors
/// As [`pass`].
pub async fn ask(stage: &Stage, target: &mut Target, need: Need, what: &str) -> Result<Said, Failure> {
    let before = bind(target).await?;
    // What the person takes to answer is none of the act's time.
    let (since, ends) = (stage.core.desk.now(), stage.ends.get());
    stage.ends.set(ends + PERSON + PERSON);
    let asked = confirm::ask(&stage.core, stage.agent, need, &before.site, what).await;
    stage.ends.set(ends + (stage.core.desk.now() - since));
    let asked = asked?;
    if asked == Said::Unasked {
        return Ok(asked);
    }
    *stage.bound.borrow_mut() = Some(before.clone());
    target::confirm(stage, target).await?;
    let now = bind(target).await?;
    if now != before {
        return Err(changed(target, &before));
    }
    Ok(asked)
}

/// Makes sure that an element still reads to the letter as the person allowed it.
///
/// # Errors
/// [`Failure::Changed`] when it does not.
pub fn holds(stage: &Stage, target: &Target) -> Result<(), Failure> {
    let bound = stage.bound.borrow();
    let Some(bound) = &*bound else { return Ok(()) };
    let (role, name) = words(target);
    let same = bound.document == target.document
        && bound.reference == target.reference
        && bound.role == role
        && bound.name == name
        && bound.site == site(target);
    if same { Ok(()) } else { Err(changed(target, bound)) }
}

fn changed(target: &Target, bound: &Bound) -> Failure {
    let role = bound.role.map(Role::as_str).unwrap_or_default();
    Failure::ChangedSinceAllowed {
        was: format!("{role} {}", reply::quoted(&reply::clip(&bound.name))).trim().to_owned(),
        is: target::said(&target.tree, target.reference),
    }
}

async fn bind(target: &Target) -> Result<Bound, Failure> {
    let (role, name) = words(target);
    let (document, reference, site) = (target.document, target.reference, site(target));
    Ok(Bound { document, reference, role, name, site, sends: sends(target).await? })
}

fn site(target: &Target) -> String {
    let url = &target.reach.place.url;
    address::site(url).unwrap_or_else(|| reply::address(url))
}

/// What an element is called: as the tree has it, else as it was found at its point.
fn words(target: &Target) -> (Option<Role>, String) {
    match target.tree.node_of(target.reference) {
        Some(node) => (Some(node.role()), node.name().to_owned()),
        None => (None, target.said.clone()),
    }
}

/// Whether its document has a field whose content must not leave it: such are told by dots alone.
fn has_secrets(target: &Target) -> bool {
    target.tree.iter().any(|(_, node)| {
        node.document() == target.document
            && node.value().is_some_and(|value| !value.is_empty() && value.chars().all(|c| c == '•'))
    })
}

async fn sends(target: &Target) -> Result<Option<Sends>, Failure> {
    target.reach.ask(&format!("sends({})", target.element.0)).await
}
