//! Codex's settings, in TOML.

use super::{Found, NotEdited, Removed, SERVER};
use crate::install::record::Made;
use toml_edit::{Array, DocumentMut, Item, Table, value};

/// The table of servers.
const LIST: &str = "mcp_servers";

pub fn snippet(program: &str) -> String {
    format!("[{LIST}.{SERVER}] command = {} args = [\"mcp\"]", value(program))
}

pub fn add(text: Option<&str>, program: &str) -> Result<Option<(String, Made)>, NotEdited> {
    let mut whole = parse(text.unwrap_or_default())?;
    let had_list = whole.contains_key(LIST);
    // Without a header of its own: `[mcp_servers.tabwright]` says it.
    let list = whole.entry(LIST).or_insert_with(|| {
        let mut list = Table::new();
        list.set_implicit(true);
        Item::Table(list)
    });
    let servers = list.as_table_like_mut().ok_or_else(|| NotEdited(format!("{LIST} is no table")))?;
    if let Some(entry) = servers.get_mut(SERVER) {
        let entry =
            entry.as_table_like_mut().ok_or_else(|| NotEdited(format!("{LIST}.{SERVER} is no table")))?;
        if entry.get("command").and_then(Item::as_str) == Some(program) {
            return Ok(None);
        }
        entry.insert("command", value(program));
        return Ok(Some((whole.to_string(), Made::Path)));
    }
    let mut entry = Table::new();
    entry.insert("command", value(program));
    entry.insert("args", value(Array::from_iter(["mcp"])));
    servers.insert(SERVER, Item::Table(entry));
    let made = match (text.is_none(), had_list) {
        (true, _) => Made::File,
        (false, false) => Made::List,
        (false, true) => Made::Entry,
    };
    Ok(Some((whole.to_string(), made)))
}

pub fn remove(text: &str, made: Made) -> Result<Removed, NotEdited> {
    let mut whole = parse(text)?;
    let Some(servers) = whole.get_mut(LIST).and_then(Item::as_table_like_mut) else {
        return Ok(Removed::Gone);
    };
    // An entry that was there before us was for another program.
    if made == Made::Path || servers.remove(SERVER).is_none() {
        return Ok(Removed::Gone);
    }
    if made >= Made::List && servers.is_empty() {
        whole.remove(LIST);
    }
    if made == Made::File && whole.is_empty() {
        return Ok(Removed::Nothing);
    }
    Ok(Removed::Text(whole.to_string()))
}

pub fn find(text: &str) -> Result<Option<Found>, NotEdited> {
    let whole = parse(text)?;
    let servers = whole.get(LIST).and_then(Item::as_table_like);
    let entry = servers.and_then(|servers| servers.get(SERVER)).and_then(Item::as_table_like);
    let program = entry.and_then(|entry| entry.get("command")).and_then(Item::as_str);
    Ok(program.map(|program| Found { program: program.into() }))
}

fn parse(text: &str) -> Result<DocumentMut, NotEdited> {
    text.parse().map_err(|error: toml_edit::TomlError| NotEdited(error.message().to_owned()))
}
