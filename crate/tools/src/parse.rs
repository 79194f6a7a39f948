//! How a call is read: strictly, each mistake a sentence that names the argument and what to write. Takes JSON,
//! gives a [`Call`]; what lies past this edge is well formed.

use crate::{
    Act, ActKind, BadCall, Call,
    call::{Dialog, DialogAction, Find, Locate, Navigate, Picture, Read, Screenshot, Tabs, TabsAction, Wait},
    flat::ActArguments,
    table::NAMES,
};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Map, Value};

/// The longest a call may run, in milliseconds: clients give up soon after.
pub const TIMEOUT_LIMIT: u32 = 50_000;

type Arguments = Map<String, Value>;

impl BadCall {
    pub(crate) fn argument(what: impl Into<String>, next: impl Into<String>) -> Self {
        Self { code: "bad_argument", what: format!("{}. Nothing done.", what.into()), next: next.into() }
    }
}

impl Call {
    /// Reads a call.
    ///
    /// # Errors
    /// When the tool or an argument is unknown, missing, of the wrong form, or contradicts another.
    pub fn parse(tool: &str, arguments: Value) -> Result<Self, BadCall> {
        if !NAMES.contains(&tool) {
            return Err(BadCall {
                code: "unknown_tool",
                what: format!("there is no tool {tool:?}. Nothing done."),
                next: format!("call one of {}", NAMES.join(", ")),
            });
        }
        let mut arguments = match arguments {
            Value::Null => Map::new(),
            Value::Object(map) => map,
            other @ (Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_)) => {
                let what = format!("the arguments of {tool} are {}, not an object", kind_of(&other));
                return Err(BadCall::argument(what, "give an object of named arguments"));
            }
        };
        arguments.retain(|_, value| !value.is_null());
        let call = match tool {
            "tabs" => Self::Tabs(read(tool, arguments)?),
            "navigate" => Self::Navigate(read(tool, arguments)?),
            "snapshot" => Self::Snapshot(read(tool, arguments)?),
            "find" => Self::Find(read(tool, arguments)?),
            "read" => Self::Read(read(tool, arguments)?),
            "act" => Self::Act(act(arguments)?),
            "diff" => Self::Diff(read(tool, arguments)?),
            "wait" => Self::Wait(read(tool, arguments)?),
            "locate" => Self::Locate(read(tool, arguments)?),
            "selection" => Self::Selection(read(tool, arguments)?),
            "dialog" => Self::Dialog(read(tool, arguments)?),
            // The last of the names, which were checked above.
            _ => Self::Screenshot(read(tool, arguments)?),
        };
        call.check()?;
        Ok(call)
    }

    fn check(&self) -> Result<(), BadCall> {
        match self {
            Self::Tabs(tabs) => check_tabs(tabs),
            Self::Navigate(navigate) => check_navigate(navigate),
            Self::Act(act) => check_time("timeout_ms", act.timeout_ms),
            Self::Wait(wait) => check_wait(wait),
            Self::Locate(locate) => check_locate(locate),
            Self::Dialog(dialog) => check_dialog(dialog),
            Self::Find(find) => check_find(find),
            Self::Read(read) => check_read(read),
            Self::Screenshot(screenshot) => check_screenshot(screenshot),
            Self::Snapshot(_) | Self::Diff(_) | Self::Selection(_) => Ok(()),
        }
    }
}

impl Call {
    /// Where this call wants its answer written, and whether behind what is there.
    pub fn file(&self) -> Option<(&str, bool)> {
        let (path, append) = match self {
            Self::Snapshot(snapshot) => (&snapshot.path, false),
            Self::Read(read) => (&read.path, read.append),
            Self::Screenshot(screenshot) => (&screenshot.path, false),
            Self::Tabs(_)
            | Self::Navigate(_)
            | Self::Find(_)
            | Self::Act(_)
            | Self::Diff(_)
            | Self::Wait(_)
            | Self::Locate(_)
            | Self::Selection(_)
            | Self::Dialog(_) => return None,
        };
        path.as_deref().map(|path| (path, append))
    }
}

fn act(arguments: Arguments) -> Result<Act, BadCall> {
    // The kind first: it decides which arguments are known.
    let kind: Option<ActKind> =
        arguments.get("kind").and_then(|kind| serde_json::from_value(kind.clone()).ok());
    if let Some(kind) = kind {
        let known: Vec<_> = kind.arguments().collect();
        refuse_unknown(&format!("act {}", kind.name()), &arguments, &known)?;
    }
    read::<ActArguments>("act", arguments)?.try_into()
}

fn read<T: Default + Serialize + DeserializeOwned>(tool: &str, arguments: Arguments) -> Result<T, BadCall> {
    let known = known::<T>();
    let known: Vec<_> = known.iter().map(String::as_str).collect();
    refuse_unknown(tool, &arguments, &known)?;
    serde_json::from_value(Value::Object(arguments.clone())).map_err(|error| {
        let (path, complaint) =
            at_fault::<T>(arguments).unwrap_or_else(|| (tool.to_owned(), error.to_string()));
        explain(tool, &path, &complaint)
    })
}

/// The argument at fault, of a list the item, and what is wrong with it: each argument can be read alone.
fn at_fault<T: DeserializeOwned>(arguments: Arguments) -> Option<(String, String)> {
    let wrong = |name: &str, value: Value| {
        let alone = Map::from_iter([(name.to_owned(), value)]);
        serde_json::from_value::<T>(Value::Object(alone)).err().map(|error| error.to_string())
    };
    for (name, value) in arguments {
        let Some(complaint) = wrong(&name, value.clone()) else { continue };
        let items = if let Value::Array(items) = value { items } else { Vec::new() };
        let item = items.into_iter().enumerate().find_map(|(index, item)| {
            let complaint = wrong(&name, Value::Array(vec![item]))?;
            Some((format!("{name}[{index}]"), complaint))
        });
        return Some(item.unwrap_or((name, complaint)));
    }
    None
}

/// The names a tool takes: the fields of its struct, as it writes them itself.
pub(crate) fn known<T: Default + Serialize>() -> Vec<String> {
    match serde_json::to_value(T::default()) {
        Ok(Value::Object(map)) => map.into_iter().map(|(name, _)| name).collect(),
        Ok(_) | Err(_) => Vec::new(),
    }
}

fn refuse_unknown(tool: &str, arguments: &Arguments, known: &[&str]) -> Result<(), BadCall> {
    match arguments.keys().find(|name| !known.contains(&name.as_str())) {
        None => Ok(()),
        Some(name) => Err(BadCall::argument(
            format!("{tool} takes no argument {name:?}"),
            format!("{tool} takes {}", known.join(", ")),
        )),
    }
}

/// Makes a sentence of a reader's complaint: "invalid type: X, expected Y", or one of our own, "X; write Y".
fn explain(tool: &str, path: &str, complaint: &str) -> BadCall {
    let (found, wanted) = match complaint.split_once(", expected ") {
        Some((found, wanted)) if found.starts_with("unknown field") => (found, format!("it takes {wanted}")),
        Some((found, wanted)) => {
            (found, format!("give `{path}` {}", wanted.replace("string or map", "text")))
        }
        None => match complaint.split_once("; ") {
            Some((found, wanted)) => (found, wanted.to_owned()),
            None => (complaint, format!("correct `{path}`")),
        },
    };
    let found = found.replace("unknown variant", "there is no");
    BadCall::argument(format!("`{path}` of {tool}: {found}"), wanted)
}

fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

fn check_time(name: &str, time: Option<u32>) -> Result<(), BadCall> {
    match time {
        Some(time) if time > TIMEOUT_LIMIT => Err(BadCall::argument(
            format!("`{name}` is {time}, over the limit of {TIMEOUT_LIMIT} ms"),
            format!("give `{name}` at most {TIMEOUT_LIMIT}, and call `wait` again if it takes longer"),
        )),
        Some(_) | None => Ok(()),
    }
}

fn check_tabs(tabs: &Tabs) -> Result<(), BadCall> {
    if tabs.url.is_some() && tabs.action != TabsAction::Open {
        let next = "give `action` open, or call navigate for a tab you have";
        return Err(BadCall::argument("`url` goes with `action` open only", next));
    }
    match tabs.action {
        TabsAction::List | TabsAction::Open if tabs.tab.is_some() => {
            Err(BadCall::argument("list and open take no `tab`", "leave `tab` out, or give another `action`"))
        }
        TabsAction::Activate
        | TabsAction::Release
        | TabsAction::Close
        | TabsAction::List
        | TabsAction::Open => Ok(()),
    }
}

fn check_navigate(navigate: &Navigate) -> Result<(), BadCall> {
    let next = "give `url` for an address, or `to` back, forward or reload";
    match (&navigate.url, navigate.to) {
        (None, None) => Err(BadCall::argument("navigate was given neither `url` nor `to`", next)),
        (Some(_), Some(_)) => Err(BadCall::argument("navigate was given both `url` and `to`", next)),
        (Some(_), None) | (None, Some(_)) => check_time("timeout_ms", navigate.timeout_ms),
    }
}

fn check_wait(wait: &Wait) -> Result<(), BadCall> {
    let Wait { text, text_gone, ref_gone, url, download, time_ms, timeout_ms, tab: _ } = wait;
    check_time("time_ms", *time_ms)?;
    check_time("timeout_ms", *timeout_ms)?;
    let looks = !text.is_empty() || text_gone.is_some() || ref_gone.is_some();
    if !(looks || url.is_some() || *download || time_ms.is_some()) {
        let next = "give at least one of `text`, `text_gone`, `ref_gone`, `url`, `download`, `time_ms`";
        return Err(BadCall::argument("wait was given nothing to wait for", next));
    }
    Ok(())
}

fn check_locate(locate: &Locate) -> Result<(), BadCall> {
    let Locate { reference, xpath, css, point, tab: _ } = locate;
    let given = [reference.is_some(), xpath.is_some(), css.is_some(), point.is_some()];
    match given.into_iter().filter(|given| *given).count() {
        1 => Ok(()),
        many => Err(BadCall::argument(
            format!(
                "locate was given {} of `ref`, `xpath`, `css`, `point`",
                if many == 0 { "none" } else { "several" }
            ),
            "give exactly one of them",
        )),
    }
}

fn check_dialog(dialog: &Dialog) -> Result<(), BadCall> {
    if dialog.text.is_some() && dialog.action != DialogAction::Accept {
        return Err(BadCall::argument(
            "`text` answers a prompt",
            "give `action` accept with it, or leave `text` out",
        ));
    }
    Ok(())
}

fn check_find(find: &Find) -> Result<(), BadCall> {
    let next = "give `text` or `pattern`, with or without `role`; or `role` alone";
    match (&find.text, &find.pattern, &find.role) {
        (Some(_), Some(_), _) => Err(BadCall::argument("find was given both `text` and `pattern`", next)),
        (None, None, None) => Err(BadCall::argument("find was given nothing to look for", next)),
        (Some(text), None, _) if text.trim().is_empty() => Err(BadCall::argument("`text` is blank", next)),
        (Some(_), None, _) | (None, Some(_), _) | (None, None, Some(_)) => Ok(()),
    }
}

fn check_read(read: &Read) -> Result<(), BadCall> {
    if read.append && read.path.is_none() {
        return Err(BadCall::argument("`append` goes with `path`", "name the file with `path`"));
    }
    Ok(())
}

fn check_screenshot(screenshot: &Screenshot) -> Result<(), BadCall> {
    if screenshot.reference.is_some() && screenshot.full_page {
        let next = "give `ref` for an element, or `full_page` for the page";
        return Err(BadCall::argument("screenshot was given both `ref` and `full_page`", next));
    }
    match screenshot.quality {
        Some(_) if screenshot.format == Picture::Png => {
            return Err(BadCall::argument(
                "png has no `quality`",
                "leave it out, or give `format` jpeg or webp",
            ));
        }
        Some(quality) if !(1..=100).contains(&quality) => {
            let what = format!("`quality` is {quality}");
            return Err(BadCall::argument(what, "give `quality` from 1 to 100"));
        }
        Some(_) | None => {}
    }
    match screenshot.max_side {
        Some(side) if !(16..=8192).contains(&side) => {
            Err(BadCall::argument(format!("`max_side` is {side}"), "give `max_side` from 16 to 8192 pixels"))
        }
        Some(_) | None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;
    use serde_json::json;
    use std::fmt::Write as _;

    fn shown(tool: &str, arguments: &Value) -> String {
        match Call::parse(tool, arguments.clone()) {
            Ok(call) => format!("{call:?}"),
            Err(bad) => format!("{}: {}\n  next: {}", bad.code, bad.what, bad.next),
        }
    }

    fn all(cases: &[(&str, Value)]) -> String {
        cases.iter().fold(String::new(), |mut text, (tool, arguments)| {
            let _ = writeln!(text, "{}", shown(tool, arguments));
            text
        })
    }

    #[test]
    fn mistakes_are_named() {
        let cases = [
            ("evaluate", json!({})),
            ("snapshot", json!({"selector": "x"})),
            ("snapshot", json!({"mode": "all"})),
            ("snapshot", json!({"mode": 3})),
            ("snapshot", json!({"max_tokens": "lots"})),
            ("snapshot", json!({"max_tokens": -1})),
            ("snapshot", json!({"links": "true"})),
            ("snapshot", json!({"tab": "3"})),
            ("snapshot", json!([1])),
            ("tabs", json!({"action": "request"})),
            ("tabs", json!({"url": "x"})),
            ("tabs", json!({"action": "open", "tab": "t1"})),
            ("navigate", json!({})),
            ("navigate", json!({"url": "x", "to": "back"})),
            ("wait", json!({"timeout_ms": 5})),
            ("locate", json!({})),
            ("locate", json!({"ref": "e1", "css": "a"})),
            ("locate", json!({"point": "5"})),
            ("locate", json!({"point": {"x": 5}})),
            ("dialog", json!({"text": "x"})),
            ("find", json!({})),
            ("find", json!({"text": "a", "pattern": "b"})),
            ("read", json!({"append": true})),
            ("screenshot", json!({"ref": "e1", "full_page": true})),
            ("screenshot", json!({"quality": 50})),
            ("screenshot", json!({"max_side": 4})),
        ];
        expect![[r#"
            unknown_tool: there is no tool "evaluate". Nothing done.
              next: call one of tabs, navigate, snapshot, find, read, act, diff, wait, locate, selection, dialog, screenshot
            bad_argument: snapshot takes no argument "selector". Nothing done.
              next: snapshot takes cursor, depth, links, max_tokens, mode, path, scope, tab
            bad_argument: `mode` of snapshot: there is no `all`. Nothing done.
              next: give `mode` one of `full`, `interactive`, `verbose`
            bad_argument: `mode` of snapshot: invalid type: integer `3`. Nothing done.
              next: give `mode` text
            bad_argument: `max_tokens` of snapshot: invalid value: string "lots". Nothing done.
              next: give `max_tokens` a whole number, 0 or more
            bad_argument: `max_tokens` of snapshot: invalid value: integer `-1`. Nothing done.
              next: give `max_tokens` a whole number, 0 or more
            bad_argument: `links` of snapshot: invalid type: string "true". Nothing done.
              next: give `links` a boolean
            bad_argument: `tab` of snapshot: "3" is no tab. Nothing done.
              next: a tab reads t3, as `tabs` lists them
            bad_argument: the arguments of snapshot are a list, not an object. Nothing done.
              next: give an object of named arguments
            bad_argument: `action` of tabs: there is no `request`. Nothing done.
              next: give `action` one of `list`, `open`, `activate`, `release`, `close`
            bad_argument: `url` goes with `action` open only. Nothing done.
              next: give `action` open, or call navigate for a tab you have
            bad_argument: list and open take no `tab`. Nothing done.
              next: leave `tab` out, or give another `action`
            bad_argument: navigate was given neither `url` nor `to`. Nothing done.
              next: give `url` for an address, or `to` back, forward or reload
            bad_argument: navigate was given both `url` and `to`. Nothing done.
              next: give `url` for an address, or `to` back, forward or reload
            bad_argument: wait was given nothing to wait for. Nothing done.
              next: give at least one of `text`, `text_gone`, `ref_gone`, `url`, `download`, `time_ms`
            bad_argument: locate was given none of `ref`, `xpath`, `css`, `point`. Nothing done.
              next: give exactly one of them
            bad_argument: locate was given several of `ref`, `xpath`, `css`, `point`. Nothing done.
              next: give exactly one of them
            bad_argument: `point` of locate: "5" is no point. Nothing done.
              next: write x,y in CSS pixels, like 120,45
            bad_argument: `point` of locate: missing field `y`. Nothing done.
              next: correct `point`
            bad_argument: `text` answers a prompt. Nothing done.
              next: give `action` accept with it, or leave `text` out
            bad_argument: find was given nothing to look for. Nothing done.
              next: give `text` or `pattern`, with or without `role`; or `role` alone
            bad_argument: find was given both `text` and `pattern`. Nothing done.
              next: give `text` or `pattern`, with or without `role`; or `role` alone
            bad_argument: `append` goes with `path`. Nothing done.
              next: name the file with `path`
            bad_argument: screenshot was given both `ref` and `full_page`. Nothing done.
              next: give `ref` for an element, or `full_page` for the page
            bad_argument: png has no `quality`. Nothing done.
              next: leave it out, or give `format` jpeg or webp
            bad_argument: `max_side` is 4. Nothing done.
              next: give `max_side` from 16 to 8192 pixels
        "#]]
        .assert_eq(&all(&cases));
    }

    #[test]
    fn mistakes_of_acts_are_named() {
        let cases = [
            ("act", json!({})),
            ("act", json!({"kind": "tap"})),
            ("act", json!({"kind": "click"})),
            ("act", json!({"kind": "click", "ref": "12"})),
            ("act", json!({"kind": "click", "ref": "e1", "value": "x"})),
            ("act", json!({"kind": "click", "ref": "e1", "count": 4})),
            ("act", json!({"kind": "fill", "ref": "e1"})),
            ("act", json!({"kind": "fill", "value": "x"})),
            ("act", json!({"kind": "drag", "ref": "e1"})),
            ("act", json!({"kind": "upload", "ref": "e1"})),
            ("act", json!({"kind": "click_at", "x": 1})),
            ("act", json!({"kind": "click_at", "x": 1, "y": 2, "ref": "e1"})),
            ("act", json!({"kind": "drag_at", "x": 1, "y": 2, "to_x": 3})),
            ("act", json!({"kind": "fill", "ref": "e1", "fields": [{"ref": "e2", "value": "x"}]})),
            ("act", json!({"kind": "fill", "fields": [{"ref": "e2", "text": "x"}]})),
            (
                "act",
                json!({"kind": "fill", "fields": [{"ref": "e1", "value": "x"}, {"ref": "x", "value": "x"}]}),
            ),
            ("act", json!({"kind": "type", "ref": "e1"})),
            ("act", json!({"kind": "type", "text": "x", "at": "end", "replace": "y"})),
            ("act", json!({"kind": "select", "ref": "e1", "values": []})),
            ("act", json!({"kind": "scroll", "to": "middle"})),
            ("act", json!({"kind": "scroll", "to": "top", "amount": 5})),
            ("act", json!({"kind": "click", "ref": "e1", "timeout_ms": 60000})),
            ("act", json!({"kind": "click", "ref": "e1", "then_value": "x"})),
            ("act", json!({"kind": "click", "ref": "e1", "then_kind": "scroll", "then_name": "x"})),
            ("act", json!({"kind": "click", "ref": "e1", "then_kind": "fill", "then_name": "x"})),
            ("act", json!({"kind": "click", "ref": "e1", "then_name": "x", "then_value": "x"})),
        ];
        expect![[r#"
            bad_argument: `kind` of act is missing. Nothing done.
              next: give `kind` one of click, fill, type, press, select, check, uncheck, hover, focus, scroll, drag, upload, click_at, type_at, hover_at, drag_at
            bad_argument: `kind` of act: there is no `tap`. Nothing done.
              next: give `kind` one of `click`, `fill`, `type`, `press`, `select`, `check`, `uncheck`, `hover`, `focus`, `scroll`, `drag`, `upload`, `click_at`, `type_at`, `hover_at`, `drag_at`
            bad_argument: click was given no `ref`. Nothing done.
              next: give `ref`: the element, e.g. e12 as snapshots show it
            bad_argument: `ref` of act: "12" is no ref. Nothing done.
              next: a ref reads e12, as snapshots show it
            bad_argument: act click takes no argument "value". Nothing done.
              next: act click takes ref, button, count, modifiers, kind, expect, diff, max_tokens, force, then_kind, then_role, then_name, then_value, timeout_ms, tab
            bad_argument: `count` of click is 4. Nothing done.
              next: give `count` 1, 2 or 3
            bad_argument: fill was given no `value`. Nothing done.
              next: give `value`: the new content; "" empties the field
            bad_argument: fill was given no `ref`. Nothing done.
              next: give `ref`: the field, e.g. e12 (or `fields` for several)
            bad_argument: drag was given no `to_ref`. Nothing done.
              next: give `to_ref`: what it is dropped on, e.g. e12
            bad_argument: upload was given no `files`. Nothing done.
              next: give `files`: a list of absolute paths
            bad_argument: click_at was given no `y`. Nothing done.
              next: give `y`: CSS pixels from the top of the viewport
            bad_argument: act click_at takes no argument "ref". Nothing done.
              next: act click_at takes x, y, button, count, modifiers, kind, expect, diff, max_tokens, force, then_kind, then_role, then_name, then_value, timeout_ms, tab
            bad_argument: drag_at was given no `to_y`. Nothing done.
              next: give `to_y`: CSS pixels from the top of the viewport
            bad_argument: fill was given both `fields` and `ref` or `value`. Nothing done.
              next: put the field into `fields`, or leave `fields` out
            bad_argument: `fields[0]` of act: unknown field `text`. Nothing done.
              next: it takes `ref` or `value`
            bad_argument: `fields[1]` of act: "x" is no ref. Nothing done.
              next: a ref reads e12, as snapshots show it
            bad_argument: type was given no `text`. Nothing done.
              next: give `text`: the text to type
            bad_argument: type was given both `at` and `replace`. Nothing done.
              next: give `replace` to type over a text, or `at` to insert, not both
            bad_argument: select was given no `values`. Nothing done.
              next: give `values`: a list of labels or values of options
            bad_argument: `to` of act: "middle" is no place to scroll to. Nothing done.
              next: write `top`, `bottom` or a percent like `50%`
            bad_argument: scroll was given both `to` and `direction` or `amount`. Nothing done.
              next: give `to` for a place, or `direction` and `amount` for a distance
            bad_argument: `timeout_ms` is 60000, over the limit of 50000 ms. Nothing done.
              next: give `timeout_ms` at most 50000, and call `wait` again if it takes longer
            bad_argument: the second step names no element. Nothing done.
              next: give `then_role`, `then_name` or both: what the second element is
            bad_argument: `then_kind` of act: there is no `scroll`. Nothing done.
              next: give `then_kind` one of `click`, `fill`, `type`, `press`, `check`, `uncheck`, `hover`, `focus`
            bad_argument: the second step is fill without `then_value`. Nothing done.
              next: give `then_value`: the content, the text or the key
            bad_argument: the second step is click and takes no `then_value`. Nothing done.
              next: leave `then_value` out, or give `then_kind` fill, type or press
        "#]].assert_eq(&all(&cases));
    }

    #[test]
    fn harmless_spellings_are_understood() {
        let cases = [
            ("tabs", Value::Null),
            ("snapshot", json!({"max_tokens": "500", "tab": null, "scope": "@e4", "cursor": "e9"})),
            ("act", json!({"kind": "fill", "ref": "@e1", "value": 42})),
            ("act", json!({"kind": "fill", "fields": {"ref": "e1", "value": true}})),
            ("act", json!({"kind": "select", "ref": "e1", "values": "A"})),
            ("act", json!({"kind": "select", "ref": "e1", "values": 7})),
            ("act", json!({"kind": "click", "ref": "e1", "modifiers": "Shift", "then_role": "option"})),
            ("act", json!({"kind": "press", "key": 1})),
            ("act", json!({"kind": "scroll"})),
            ("act", json!({"kind": "scroll", "ref": "e1"})),
            ("act", json!({"kind": "scroll", "to": 50})),
            ("act", json!({"kind": "scroll", "to": "50%", "ref": "e1"})),
            ("act", json!({"kind": "scroll", "direction": "up", "amount": 100.0})),
            ("act", json!({"kind": "drag", "ref": "e1", "to_ref": "@e2"})),
            ("act", json!({"kind": "upload", "ref": "e1", "files": "/a/b.txt"})),
            ("act", json!({"kind": "drag_at", "x": "1", "y": 2, "to_x": 3.0, "to_y": 4})),
            ("wait", json!({"text": "Done"})),
            ("locate", json!({"point": "5, 6"})),
            ("locate", json!({"point": ["5", 6]})),
            ("locate", json!({"point": {"x": "5", "y": 6}})),
        ];
        expect![[r#"
            Tabs(Tabs { action: List, url: None, tab: None })
            Snapshot(Snapshot { mode: Full, scope: Some("@e4"), depth: None, max_tokens: Some(500), cursor: Some("e9"), links: false, path: None, tab: None })
            Act(Act { step: Fill { fields: [Field { reference: RefName(1), value: "42" }] }, expect: None, diff: Full, max_tokens: None, force: false, then: None, timeout_ms: None, tab: None })
            Act(Act { step: Fill { fields: [Field { reference: RefName(1), value: "true" }] }, expect: None, diff: Full, max_tokens: None, force: false, then: None, timeout_ms: None, tab: None })
            Act(Act { step: Select { on: RefName(1), values: ["A"] }, expect: None, diff: Full, max_tokens: None, force: false, then: None, timeout_ms: None, tab: None })
            Act(Act { step: Select { on: RefName(1), values: ["7"] }, expect: None, diff: Full, max_tokens: None, force: false, then: None, timeout_ms: None, tab: None })
            Act(Act { step: Click { on: RefName(1), button: Left, count: 1, modifiers: [Shift] }, expect: None, diff: Full, max_tokens: None, force: false, then: Some(Then { kind: Click, role: Some("option"), name: None, value: None }), timeout_ms: None, tab: None })
            Act(Act { step: Press { key: "1", on: None }, expect: None, diff: Full, max_tokens: None, force: false, then: None, timeout_ms: None, tab: None })
            Act(Act { step: Scroll { on: None, by: Amount(Down, None) }, expect: None, diff: Full, max_tokens: None, force: false, then: None, timeout_ms: None, tab: None })
            Act(Act { step: Scroll { on: Some(RefName(1)), by: IntoView }, expect: None, diff: Full, max_tokens: None, force: false, then: None, timeout_ms: None, tab: None })
            Act(Act { step: Scroll { on: None, by: To(Percent(50)) }, expect: None, diff: Full, max_tokens: None, force: false, then: None, timeout_ms: None, tab: None })
            Act(Act { step: Scroll { on: Some(RefName(1)), by: To(Percent(50)) }, expect: None, diff: Full, max_tokens: None, force: false, then: None, timeout_ms: None, tab: None })
            Act(Act { step: Scroll { on: None, by: Amount(Up, Some(100)) }, expect: None, diff: Full, max_tokens: None, force: false, then: None, timeout_ms: None, tab: None })
            Act(Act { step: Drag { from: RefName(1), to: RefName(2) }, expect: None, diff: Full, max_tokens: None, force: false, then: None, timeout_ms: None, tab: None })
            Act(Act { step: Upload { on: RefName(1), files: ["/a/b.txt"] }, expect: None, diff: Full, max_tokens: None, force: false, then: None, timeout_ms: None, tab: None })
            Act(Act { step: DragAt { from: Point { x: 1, y: 2 }, to: Point { x: 3, y: 4 } }, expect: None, diff: Full, max_tokens: None, force: false, then: None, timeout_ms: None, tab: None })
            Wait(Wait { text: ["Done"], text_gone: None, ref_gone: None, url: None, download: false, time_ms: None, timeout_ms: None, tab: None })
            Locate(Locate { reference: None, xpath: None, css: None, point: Some(Point { x: 5, y: 6 }), tab: None })
            Locate(Locate { reference: None, xpath: None, css: None, point: Some(Point { x: 5, y: 6 }), tab: None })
            Locate(Locate { reference: None, xpath: None, css: None, point: Some(Point { x: 5, y: 6 }), tab: None })
        "#]].assert_eq(&all(&cases));
    }
}
