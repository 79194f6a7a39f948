//! What a control held after an act, looked at once more when the page has settled: pages set controls back, or write
//! them otherwise, a little later.

use super::{
    Done,
    control::{self, Control},
    fill::same_number,
    formatted::is_formatted,
    options::{self, Proof},
};
use crate::{
    capture,
    failure::Failure,
    reply::{clip, quoted},
    target::Target,
};
use snapshot::Ref;

/// A control, and what it must still hold.
#[derive(Clone)]
pub struct Kept {
    /// The control.
    pub target: Target,
    /// What it held.
    pub held: Held,
}

/// What a control held.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Held {
    /// A text.
    Text {
        /// What it should hold; none where only what was typed is known.
        wanted: Option<String>,
        /// What was put in.
        put: String,
        /// What it held.
        held: String,
    },
    /// A secret of so many characters; it is compared within the page.
    Secret(String),
    /// Chosen options, by label and value.
    Options(Vec<(String, String)>),
    /// Checked, or not.
    Checked(bool),
    /// Options of a list that the page makes itself, by label, and where it showed that they were chosen.
    Chosen {
        /// What they are of.
        of: Ref,
        /// Their labels.
        labels: Vec<String>,
        /// Where it showed.
        proof: Proof,
    },
}

/// Looks again; what a page only formatted is a remark.
///
/// # Errors
/// [`Failure::NotKept`] when a control holds something else by now.
pub async fn check(done: &mut Done) -> Result<(), Failure> {
    for Kept { target, held } in std::mem::take(&mut done.kept) {
        let now = match control::read(&target).await {
            Ok(now) => now,
            Err(Failure::Vanished { .. }) => {
                done.notes.push(format!("{} went; it could not be read again", target.said));
                continue;
            }
            // The page went elsewhere or asks something: the reply tells.
            Err(Failure::DialogOpen { .. } | Failure::DocumentChanged | Failure::FrameGone) => return Ok(()),
            Err(failure) => return Err(failure),
        };
        if let Some(note) = compare(&target, &held, &now).await? {
            done.notes.push(note);
        }
    }
    Ok(())
}

async fn compare(target: &Target, held: &Held, now: &Control) -> Result<Option<String>, Failure> {
    let lost = |wanted: String, is: String| {
        Err(Failure::NotKept { target: target.said.clone(), wanted: clip(&wanted), is: clip(&is) })
    };
    match held {
        Held::Checked(checked) => {
            let word = |checked| if checked { "checked" } else { "unchecked" }.to_owned();
            if now.checked == *checked { Ok(None) } else { lost(word(*checked), word(now.checked)) }
        }
        Held::Chosen { of, labels, proof } => {
            let session = &target.reach.session;
            let tree = capture::capture(&session.core, &session.tab).await?;
            let holds = |label: &String| options::chosen(&tree, None, *of, label).is_some();
            // What only its option said cannot be read once the list is closed.
            let closed = *proof == Proof::Said && options::choices(&tree, &tree, *of).is_empty();
            if closed || labels.iter().all(holds) {
                return Ok(None);
            }
            lost(labels.join(", "), options::held(&tree, *of, &[]))
        }
        Held::Options(options) => {
            let chosen = now.chosen();
            let labels = |of: &[(String, String)]| {
                of.iter().map(|(label, _)| label.as_str()).collect::<Vec<_>>().join(", ")
            };
            if chosen == *options { Ok(None) } else { lost(labels(options), labels(&chosen)) }
        }
        Held::Secret(text) => {
            let compared = control::compare(target, text).await?;
            let dots = "•".repeat(text.chars().count());
            if compared.same || compared.within { Ok(None) } else { lost(dots, now.value.clone()) }
        }
        Held::Text { wanted, put, held } => {
            let is = now.value.trim_end_matches('\n');
            if is == held
                || wanted.as_deref().is_some_and(|wanted| now.kind == "number" && same_number(is, wanted))
            {
                return Ok(None);
            }
            let formatted = match wanted {
                Some(wanted) => is_formatted(is, wanted),
                None => is.contains(put.as_str()),
            };
            if formatted {
                return Ok(Some(format!("now ={} (formatted by the page)", quoted(&clip(is)))));
            }
            lost(wanted.clone().unwrap_or_else(|| held.clone()), is.to_owned())
        }
    }
}
