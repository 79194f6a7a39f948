//! Settings in JSON, also with comments and trailing commas.

use super::{Command, Found, NotEdited, Removed, SERVER};
use crate::install::record::Made;
use jsonc_parser::{
    ParseOptions,
    cst::{CstInputValue, CstObject, CstRootNode},
};
use serde_json::{Value, json};

/// What an entry has beside its command.
type More = &'static [(&'static str, &'static str)];

pub fn snippet(list: &str, more: More, command: Command, program: &str) -> String {
    let mut entry = serde_json::Map::new();
    for (name, value) in more {
        entry.insert((*name).to_owned(), (*value).into());
    }
    match command {
        Command::Apart => {
            entry.insert("command".to_owned(), program.into());
            entry.insert("args".to_owned(), json!(["mcp"]));
        }
        Command::Together => {
            entry.insert("command".to_owned(), json!([program, "mcp"]));
        }
    }
    json!({ list: { SERVER: Value::Object(entry) } }).to_string()
}

pub fn add(
    text: Option<&str>,
    list: &str,
    more: More,
    command: Command,
    program: &str,
) -> Result<Option<(String, Made)>, NotEdited> {
    // An empty file is how some clients begin.
    let blank = text.is_none_or(|text| text.trim().is_empty());
    let root = parse(if blank { "{}\n" } else { text.unwrap_or_default() })?;
    let whole = object(&root)?;
    let had_list = whole.get(list).is_some();
    let servers =
        whole.object_value_or_create(list).ok_or_else(|| NotEdited(format!("{list} is no object")))?;
    if let Some(entry) = servers.object_value(SERVER) {
        return Ok(put_program(&entry, command, program)?.then(|| (root.to_string(), Made::Path)));
    }
    if servers.get(SERVER).is_some() {
        return Err(NotEdited(format!("{SERVER} in {list} is no object")));
    }
    let mut entry: Vec<(String, CstInputValue)> =
        more.iter().map(|(name, value)| ((*name).to_owned(), (*value).into())).collect();
    match command {
        Command::Apart => {
            entry.push(("command".to_owned(), program.into()));
            entry.push(("args".to_owned(), vec!["mcp"].into()));
        }
        Command::Together => entry.push(("command".to_owned(), vec![program, "mcp"].into())),
    }
    servers.append(SERVER, CstInputValue::Object(entry));
    let made = match (text.is_none(), had_list) {
        (true, _) => Made::File,
        (false, false) => Made::List,
        (false, true) => Made::Entry,
    };
    Ok(Some((root.to_string(), made)))
}

/// Puts the program into an entry; whether that changed it.
fn put_program(entry: &CstObject, command: Command, program: &str) -> Result<bool, NotEdited> {
    if found(entry, command)?.as_deref() == Some(program) {
        return Ok(false);
    }
    match command {
        Command::Apart => match entry.get("command") {
            Some(property) => property.set_value(program.into()),
            None => drop(entry.append("command", program.into())),
        },
        Command::Together => {
            let words = entry.array_value_or_set("command");
            match words.elements().into_iter().next().and_then(|word| word.as_string_lit()) {
                Some(word) => drop(word.replace_with(program.into())),
                None => drop(words.insert(0, program.into())),
            }
        }
    }
    Ok(true)
}

pub fn remove(text: &str, list: &str, made: Made) -> Result<Removed, NotEdited> {
    let root = parse(text)?;
    let whole = object(&root)?;
    let Some(servers) = whole.object_value(list) else { return Ok(Removed::Gone) };
    let Some(entry) = servers.get(SERVER) else { return Ok(Removed::Gone) };
    if made == Made::Path {
        // The entry was there before us, for another program.
        return Ok(Removed::Gone);
    }
    entry.remove();
    if made >= Made::List && servers.properties().is_empty() {
        if let Some(property) = whole.get(list) {
            property.remove();
        }
        if made == Made::File && whole.properties().is_empty() {
            return Ok(Removed::Nothing);
        }
    }
    Ok(Removed::Text(root.to_string()))
}

pub fn find(text: &str, list: &str, command: Command) -> Result<Option<Found>, NotEdited> {
    if text.trim().is_empty() {
        return Ok(None);
    }
    let root = parse(text)?;
    let entry = object(&root)?.object_value(list).and_then(|servers| servers.object_value(SERVER));
    let program = entry.map(|entry| found(&entry, command)).transpose()?.flatten();
    Ok(program.map(|program| Found { program: program.into() }))
}

fn found(entry: &CstObject, command: Command) -> Result<Option<String>, NotEdited> {
    let word = match command {
        Command::Apart => entry.get("command").and_then(|property| property.value()),
        Command::Together => {
            entry.array_value("command").and_then(|words| words.elements().into_iter().next())
        }
    };
    let word = word.and_then(|word| word.as_string_lit());
    word.map(|word| word.decoded_value().map_err(|error| NotEdited(error.to_string()))).transpose()
}

fn parse(text: &str) -> Result<CstRootNode, NotEdited> {
    CstRootNode::parse(text, &ParseOptions::default()).map_err(|error| NotEdited(error.to_string()))
}

fn object(root: &CstRootNode) -> Result<CstObject, NotEdited> {
    root.object_value().ok_or_else(|| NotEdited("it holds no object".to_owned()))
}
