//! Rules for what the person reads: every language has every message, with the same places; whatever names a message
//! names one that is there; none is left that nobody names; pages hold no words of their own.

use crate::workspace::Workspace;
use anyhow::{Context as _, Result};
use serde_json::Value;
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};
use walkdir::WalkDir;

/// The language that the others are held against.
const FIRST: &str = "en";

/// Before the name of a message in pages, scripts and the manifest.
const SAYING: &[&str] = &["say(\"", "data-say=\"", "data-label=\"", "data-hint=\"", "__MSG_"];

/// Before the name of a message in the engine.
const NAMING: &[&str] = &["Sentence::plain(\"", "Sentence::with(\"", "Standing::well(\""];

/// Names that pages may show as they are.
const NAMES: &[&str] = &["Tabwright"];

type Messages = BTreeMap<String, String>;

/// The same messages in every language, with the same places.
pub fn languages(workspace: &Workspace) -> Result<Vec<String>> {
    let all = read(&workspace.root.join("extension/_locales"))?;
    let first = all.get(FIRST).context("there is no English")?;
    let mut breaches = Vec::new();
    for (language, messages) in &all {
        let keys = |of: &Messages| of.keys().cloned().collect::<BTreeSet<_>>();
        let (ours, theirs) = (keys(messages), keys(first));
        breaches.extend(theirs.difference(&ours).map(|key| format!("{language} lacks {key}")));
        breaches.extend(ours.difference(&theirs).map(|key| format!("{language} alone has {key}")));
        for (key, words) in messages {
            if words.trim().is_empty() {
                breaches.push(format!("{language} says nothing for {key}"));
            }
            if first.get(key).is_some_and(|first| places(first) != places(words)) {
                breaches.push(format!("{key} has other places in {language}"));
            }
        }
    }
    Ok(breaches)
}

/// What is named is there, and what is there is named.
pub fn named(workspace: &Workspace) -> Result<Vec<String>> {
    let all = read(&workspace.root.join("extension/_locales"))?;
    let messages = all.get(FIRST).context("there is no English")?;
    let manifest = fs::read_to_string(workspace.root.join("manifest.json"))?;
    let pages = manifest + &gathered(&workspace.root.join("extension"), &["js", "html"])?;
    let engine = gathered(&workspace.root.join("crate/engine/src"), &["rs"])?;
    let mut breaches = Vec::new();
    for (sources, namings) in [(&pages, SAYING), (&engine, NAMING)] {
        for naming in namings {
            for after in sources.split(naming).skip(1) {
                let key =
                    after.chars().take_while(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || *c == '_');
                let key: String = key.collect();
                let key = key.trim_end_matches("__");
                // Another function of that name says something else.
                if !key.is_empty() && !messages.contains_key(key) {
                    breaches.push(format!("{naming}{key} names no message"));
                }
            }
        }
    }
    let sources = pages + &engine;
    for key in messages.keys() {
        if !sources.contains(&format!("\"{key}\"")) && !sources.contains(&format!("__MSG_{key}__")) {
            breaches.push(format!("nobody says {key}"));
        }
    }
    Ok(breaches)
}

/// What stands between the tags of a page is a name, or nothing.
pub fn pages(workspace: &Workspace) -> Result<Vec<String>> {
    let mut breaches = Vec::new();
    for entry in WalkDir::new(workspace.root.join("extension")).sort_by_file_name() {
        let entry = entry?;
        if entry.path().extension().is_none_or(|ending| ending != "html") {
            continue;
        }
        let page = fs::read_to_string(entry.path())?;
        for text in page.split('>').filter_map(|part| part.split('<').next()) {
            let text = text.trim();
            if text.chars().any(char::is_alphabetic) && !NAMES.contains(&text) {
                breaches.push(format!("{} holds words: {text:?}", entry.file_name().display()));
            }
        }
    }
    Ok(breaches)
}

/// All files below a folder with one of these endings, in one.
fn gathered(folder: &Path, endings: &[&str]) -> Result<String> {
    let mut all = String::new();
    for entry in WalkDir::new(folder) {
        let entry = entry?;
        let ending = entry.path().extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        if endings.contains(&ending) {
            all.push_str(&fs::read_to_string(entry.path())?);
        }
    }
    Ok(all)
}

/// The messages of each language.
fn read(folder: &Path) -> Result<BTreeMap<String, Messages>> {
    let mut all = BTreeMap::new();
    for entry in fs::read_dir(folder).context("there are no messages")? {
        let entry = entry?;
        let text = fs::read_to_string(entry.path().join("messages.json"))?;
        let messages: BTreeMap<String, Value> = serde_json::from_str(&text)?;
        let messages = messages.into_iter().map(|(key, message)| {
            let words = message["message"].as_str().unwrap_or_default().to_owned();
            (key, words)
        });
        all.insert(entry.file_name().to_string_lossy().into_owned(), messages.collect());
    }
    Ok(all)
}

/// The places of a message: `$1` and so on.
fn places(words: &str) -> BTreeSet<char> {
    words.split('$').skip(1).filter_map(|after| after.chars().next()).collect()
}
