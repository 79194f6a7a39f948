//! What an installation is: from a user's folders and what lies in them to a list of what is to be written. Reads,
//! and writes nothing.

use super::{
    browsers::{self, Browser},
    clients::Client,
    extension::{self, Packed},
    record::{self, Made, Record},
    registry::host_key,
};
use crate::{home::Home, trouble::Trouble};
use serde_json::json;
use std::{
    fs, io,
    path::{Path, PathBuf},
};
use wire::HOST_NAME;

/// What to install from.
#[derive(Debug)]
pub struct Source<'a> {
    /// This program.
    pub program: &'a Path,
    /// The extension's files; none in a build without it.
    pub extension: &'a [Packed],
}

/// For whom a thing is written.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Whom {
    /// The extension.
    Extension,
    /// A browser.
    Browser(String),
    /// A client: its name.
    Client(&'static str),
}

/// Something to write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Write {
    /// For whom.
    pub whom: Whom,
    /// What.
    pub what: What,
}

/// What is to be as it says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum What {
    /// A file with this content, which may be started if it is a program.
    File { path: PathBuf, content: Vec<u8>, program: bool },
    /// A registry key with this path.
    Key { key: String, path: PathBuf },
    /// A client's settings with our entry.
    Settings { path: PathBuf, before: Option<String>, text: String, made: Made },
    /// A client's settings, which have it already.
    SettingsKept { path: PathBuf },
    /// No such file: an earlier version wrote it.
    NoFile { path: PathBuf },
}

/// The manifest that browsers read: which program to start, and for whom.
pub fn manifest(program: &Path) -> Vec<u8> {
    let manifest = json!({
        "name": HOST_NAME,
        "description": "Tabwright: lets agents work this browser, as far as its person allows",
        "path": program,
        "type": "stdio",
        "allowed_origins": [wire::extension_origin()],
    });
    format!("{manifest:#}\n").into_bytes()
}

/// The name of manifests.
pub fn manifest_name() -> String {
    format!("{HOST_NAME}.json")
}

/// The manifests of a browser, or where the one that its key names lies.
pub fn manifests(home: &Home, browser: &Browser) -> Vec<PathBuf> {
    if browser.key.is_some() {
        return vec![home.data().join(manifest_name())];
    }
    browser.hosts.iter().map(|folder| folder.join(manifest_name())).collect()
}

/// Everything, in the order in which it is to be written.
pub fn plan(
    home: &Home,
    source: &Source,
    clients: &[&'static Client],
    before: &Record,
) -> Result<Vec<Write>, Trouble> {
    let mut plan = extension(home, source, before);
    for browser in browsers::found(home) {
        for write in registration(home, source, &browser)? {
            // Two browsers may read one folder.
            if !plan.iter().any(|planned| planned.what == write.what) {
                plan.push(write);
            }
        }
    }
    for client in clients {
        plan.push(settings(home, source.program, client)?);
    }
    Ok(plan)
}

fn extension(home: &Home, source: &Source, before: &Record) -> Vec<Write> {
    let folder = extension::folder(&home.data());
    let write = |what| Write { whom: Whom::Extension, what };
    // Its manifest last: a browser that loads it meanwhile finds the rest.
    let (last, first): (Vec<_>, Vec<_>) =
        source.extension.iter().partition(|(name, _)| name == "manifest.json");
    let mut plan: Vec<Write> = first
        .into_iter()
        .chain(last)
        .map(|(name, content)| {
            let path = name.split('/').fold(folder.clone(), |path, part| path.join(part));
            write(What::File { path, content: content.to_vec(), program: false })
        })
        .collect();
    let old = before.files.keys().filter(|path| path.starts_with(&folder) && !source.extension.is_empty());
    let gone: Vec<Write> = old
        .filter(|old| {
            !plan.iter().any(|planned| matches!(&planned.what, What::File { path, .. } if path == *old))
        })
        .map(|old| write(What::NoFile { path: old.clone() }))
        .collect();
    plan.extend(gone);
    plan
}

fn registration(home: &Home, source: &Source, browser: &Browser) -> Result<Vec<Write>, Trouble> {
    let write = |what| Write { whom: Whom::Browser(browser.name.clone()), what };
    let program = browser.program(source.program);
    let mut plan = Vec::new();
    if browser.cage.is_some() {
        let content = fs::read(source.program).map_err(|error| Trouble::File {
            what: "cannot read",
            path: source.program.to_owned(),
            source: error,
        })?;
        plan.push(write(What::File { path: program.clone(), content, program: true }));
    }
    for path in manifests(home, browser) {
        if let Some(key) = &browser.key {
            plan.push(write(What::File { path: path.clone(), content: manifest(&program), program: false }));
            plan.push(write(What::Key { key: host_key(key), path }));
        } else {
            plan.push(write(What::File { path, content: manifest(&program), program: false }));
        }
    }
    Ok(plan)
}

fn settings(home: &Home, program: &Path, client: &'static Client) -> Result<Write, Trouble> {
    let path = client.file(home);
    let before = match fs::read_to_string(&path) {
        Ok(text) => Some(text),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(source) => return Err(Trouble::File { what: "cannot read", path, source }),
    };
    let what = match client.add(before.as_deref(), program) {
        Ok(Some((text, made))) => What::Settings { path, before, text, made },
        Ok(None) => What::SettingsKept { path },
        Err(why) => {
            let line = client.snippet(program);
            return Err(Trouble::Settings { title: client.title, path, why: why.to_string(), line });
        }
    };
    Ok(Write { whom: Whom::Client(client.name), what })
}

/// What the record says once all this is written.
pub fn record(before: &Record, plan: &[Write], program: &Path) -> Record {
    let mut record = Record { version: env!("CARGO_PKG_VERSION").to_owned(), ..before.clone() };
    for write in plan {
        match (&write.what, &write.whom) {
            (What::File { path, content, .. }, _) => {
                record.files.insert(path.clone(), record::hash(content));
            }
            (What::NoFile { path }, _) => {
                record.files.remove(path);
            }
            (What::Key { key, path }, _) => {
                record.keys.insert(key.clone(), path.display().to_string());
            }
            (What::Settings { path, before, text, made }, Whom::Client(name)) => {
                let known = record.clients.get(*name).filter(|known| known.file == *path);
                let before = before.clone().unwrap_or_default();
                // What was there before us, if that is still known.
                let first = match known {
                    Some(known) => known.undo.as_ref().and_then(|undo| undo.apply(&before)),
                    None => Some(before),
                };
                let entry = record::Entry {
                    file: path.clone(),
                    program: program.to_owned(),
                    made: known.map_or(*made, |known| known.made),
                    undo: first.map(|first| record::Undo::between(&first, text)),
                };
                record.clients.insert((*name).to_owned(), entry);
            }
            (What::Settings { .. } | What::SettingsKept { .. }, _) => {}
        }
    }
    record
}
