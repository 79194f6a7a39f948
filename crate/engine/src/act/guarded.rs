//! Text that reaches the element it is for, or none: a page may move the focus while it is typed.

use super::{
    aim::{Brief, way_out},
    control::named,
};
use crate::{failure::Failure, place::Reach, target::Target};
use futures::future::join_all;

/// Does `typing` while what is typed can reach `target` alone, in its own document and those around it.
///
/// # Errors
/// As the typing; [`Failure::TypedElsewhere`] when something was stopped.
pub async fn typed(
    target: &Target,
    typing: impl Future<Output = Result<(), Failure>>,
) -> Result<(), Failure> {
    let around = way_out(target).into_iter().map(|(reach, _)| (reach, 0));
    let all: Vec<(Reach, u32)> =
        std::iter::once((target.reach.clone(), target.element.0)).chain(around).collect();
    let armed = all
        .iter()
        .map(|(reach, element)| async move { reach.ask::<bool>(&format!("expectText({element})")).await });
    for armed in join_all(armed).await {
        armed?;
    }
    let done = typing.await;
    let asked = all.iter().map(|(reach, _)| reach.ask::<Option<Brief>>("strayed()"));
    for strayed in join_all(asked).await {
        // A page that went, or asks something, stopped nothing.
        if let Ok(Some(strayed)) = strayed {
            let on = named(target, Some(&strayed), target.document);
            return Err(Failure::TypedElsewhere { target: target.said.clone(), on });
        }
    }
    done
}
