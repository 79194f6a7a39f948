//! A secret put into a field: one that the person stored, or types when they are asked. It goes into one line of an exact
//! origin, in whatever frame, and the field keeps it back from then on. The agent is never told it.

use super::{
    Done, Stage,
    control::{self, Takes},
    fill, gate, typing,
};
use crate::{
    address,
    clock::Millis,
    consent::confirm::{Need, Said},
    failure::Failure,
    host_link, reply,
    target::{Care, Target},
};
use tools::{RefName, SecretName, act::At};
use wire::{Hidden, Keyring};

/// How long the keyring may take: one that is locked asks its person.
const KEYRING: Millis = Millis(30_000);

/// Puts a secret in.
///
/// # Errors
/// When the field takes none, its frame is of another origin, the person says no, or there is no such secret.
pub async fn give(stage: &Stage, into: RefName, name: &SecretName, typed: bool) -> Result<Done, Failure> {
    let mut target = stage.find(into, Care::Act).await?;
    let field = control::enabled(stage, &target).await?;
    if field.read_only {
        return Err(Failure::ReadOnly { target: target.said });
    }
    if field.tag != "input" || field.takes() != Takes::Line {
        return Err(Failure::WrongKind { target: target.said, wanted: "field of one line" });
    }
    let site = site(&target, &target.reach.ask::<String>("origin()").await?)?;
    let value = match name {
        SecretName::Ask => typed_by_person(stage, &mut target, &site).await?,
        SecretName::Stored(name) => stored(stage, &mut target, name, &site).await?,
    };
    // Known before it is anywhere, and kept: it is taken out of replies also after a restart of the worker.
    stage.core.secrets.hide(&value);
    stage.core.keep();
    let origin: Option<String> = target.reach.have_done(&format!("keepBack({})", target.element.0)).await?;
    let origin = origin.ok_or_else(|| Failure::Vanished { target: target.said.clone() })?;
    if self::site(&target, &origin)? != site {
        return Err(Failure::DocumentChanged);
    }
    if typed {
        return typing::put(stage, &target, true, &value.0, At::End, None).await;
    }
    let field = control::enabled(stage, &target).await?;
    field.accepts(&target, &value.0, control::length(&value.0))?;
    fill::replace(stage, &target, &field, &value.0).await
}

/// The origin that a document says it has, as secrets are bound to it. One without (sandboxed, a local file) gets none.
fn site(target: &Target, origin: &str) -> Result<String, Failure> {
    address::site(origin)
        .filter(|_| address::is_web(origin))
        .ok_or_else(|| Failure::NoOrigin { target: target.said.clone(), site: reply::quoted(origin) })
}

async fn typed_by_person(stage: &Stage, target: &mut Target, site: &str) -> Result<Hidden, Failure> {
    let what = format!("fill {}{}", target.said, within(stage, site));
    match gate::ask(stage, target, Need::Typed, &what).await? {
        Said::Typed(value) => Ok(value),
        Said::Unasked | Said::Allowed | Said::Refused => Err(Failure::NobodyToAsk),
    }
}

async fn stored(stage: &Stage, target: &mut Target, name: &str, site: &str) -> Result<Hidden, Failure> {
    let core = &stage.core;
    let listed = core.desk.within(KEYRING, "the keyring", host_link::secrets(core)).await?;
    let secrets = match listed {
        Keyring::Listed { secrets } => secrets,
        Keyring::Unavailable { why, next } => return Err(Failure::NoKeyring { why, next }),
        Keyring::Value { .. } | Keyring::Absent => Vec::new(),
    };
    let of_site = |origins: &[String]| origins.iter().any(|origin| origin == site);
    let known: Vec<_> =
        secrets.into_iter().filter(|secret| of_site(&secret.origins)).map(|secret| secret.name).collect();
    let none = |known| Failure::NoSecret { name: name.to_owned(), site: site.to_owned(), known };
    if !known.iter().any(|it| it == name) {
        return Err(none(known));
    }
    let what = format!("fill {} with the secret {name}{}", target.said, within(stage, site));
    gate::ask(stage, target, Need::Secret, &what).await?;
    let asked = host_link::reveal(core, name.to_owned(), site.to_owned());
    match core.desk.within(KEYRING, "the keyring", asked).await? {
        // The host judged by what it keeps; what is typed is decided here.
        Keyring::Value { value, origins } if of_site(&origins) => Ok(value),
        Keyring::Unavailable { why, next } => Err(Failure::NoKeyring { why, next }),
        Keyring::Value { .. } | Keyring::Listed { .. } | Keyring::Absent => Err(none(known)),
    }
}

/// In whose page the frame is, where that is another's.
fn within(stage: &Stage, site: &str) -> String {
    let page = address::site(&stage.tab.state.borrow().url).unwrap_or_default();
    if page == site { String::new() } else { format!(", in a frame within a page of {page}") }
}
