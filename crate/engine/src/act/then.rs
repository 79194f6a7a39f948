//! The second step of an act: chosen without a model, only among what the first step's diff added or changed.

use super::Stage;
use crate::{capture, clock::Millis, failure::Failure, reply, target};
use snapshot::{
    Ref, Tree, diff,
    query::{self, Query},
};
use std::rc::Rc;
use tools::{
    ActKind, Field, RefName, Step, Then,
    act::{At, Button},
};

/// The second step, or why there is none. What has not appeared yet is waited for a little.
///
/// # Errors
/// When no element, or more than one, fits.
pub async fn choose(stage: &Stage, then: &Then, before: &Rc<Tree>) -> Result<Step, Failure> {
    let start = stage.core.desk.now();
    loop {
        let chosen = choose_now(stage, then, before).await;
        let waits = matches!(chosen, Err(Failure::ThenNone { .. }))
            && stage.core.desk.now() - start < stage.patience();
        if !waits {
            return chosen;
        }
        stage.core.desk.sleep(PACE).await;
    }
}

/// How often it is looked for meanwhile.
const PACE: Millis = Millis(80);

async fn choose_now(stage: &Stage, then: &Then, before: &Rc<Tree>) -> Result<Step, Failure> {
    let after = capture::capture(&stage.core, &stage.tab).await?;
    let changes = diff::diff(before, &after);
    let among = changes.added_or_changed();
    let role = match &then.role {
        Some(word) => {
            Some(query::role(word).map_err(|_| Failure::BadArgument(format!("{word:?} is no ARIA role")))?)
        }
        None => None,
    };
    let query = Query { role, name: then.name.clone() };
    let fits = query.among(&after, among.iter().copied());
    let wanted = wanted(then);
    match fits.as_slice() {
        [only] => step(then, *only),
        [] => Err(Failure::ThenNone { wanted, candidates: list(&after, &changes.refs(&after)) }),
        several => Err(Failure::ThenMany { wanted, candidates: list(&after, several) }),
    }
}

fn list(tree: &Tree, refs: &[Ref]) -> Vec<String> {
    refs.iter().take(12).map(|reference| target::said(tree, *reference)).collect()
}

fn wanted(then: &Then) -> String {
    let role = then.role.as_deref().unwrap_or("element");
    then.name.as_deref().map_or_else(|| role.to_owned(), |name| format!("{role} {}", reply::quoted(name)))
}

fn step(then: &Then, on: Ref) -> Result<Step, Failure> {
    let on = RefName(on.0);
    let value = || {
        let missing = || Failure::BadArgument("this then_kind needs then_value".into());
        then.value.clone().ok_or_else(missing)
    };
    Ok(match then.kind {
        ActKind::Click => Step::Click { on, button: Button::Left, count: 1, modifiers: Vec::new() },
        ActKind::Fill => Step::Fill { fields: vec![Field { reference: on, value: value()? }] },
        ActKind::Type => {
            Step::Type { into: Some(on), text: value()?, at: At::End, replace: None, submit: false }
        }
        ActKind::Press => Step::Press { key: value()?, on: Some(on) },
        ActKind::Select => Step::Select { on, values: vec![value()?] },
        ActKind::Check => Step::Check { on, checked: true },
        ActKind::Uncheck => Step::Check { on, checked: false },
        ActKind::Hover => Step::Hover { on },
        ActKind::Focus => Step::Focus { on },
        ActKind::Scroll
        | ActKind::Drag
        | ActKind::Upload
        | ActKind::ClickAt
        | ActKind::TypeAt
        | ActKind::HoverAt
        | ActKind::DragAt => {
            return Err(Failure::BadArgument(format!("then_kind cannot be {}", then.kind.name())));
        }
    })
}
