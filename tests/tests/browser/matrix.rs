//! Each kind of control, wherever it stands, takes each act that is for it: judged by what the page recorded.

use crate::{cases, trial::Trial};
use anyhow::{Context as _, Result};
use serde_json::{Value, json};

cases!(beside:
    controls_in_the_page_are_worked,
    controls_in_a_frame_of_the_same_site_are_worked,
    controls_three_frames_of_other_sites_deep_are_worked,
    controls_in_an_open_root_are_worked,
    controls_in_a_closed_root_are_worked,
);

async fn controls_in_the_page_are_worked(it: &mut Trial) -> Result<()> {
    all(it, "matrix.html").await
}

async fn controls_in_a_frame_of_the_same_site_are_worked(it: &mut Trial) -> Result<()> {
    all(it, "matrix.html?same=1").await
}

async fn controls_three_frames_of_other_sites_deep_are_worked(it: &mut Trial) -> Result<()> {
    all(it, "matrix.html?deep=3").await
}

async fn controls_in_an_open_root_are_worked(it: &mut Trial) -> Result<()> {
    all(it, "matrix.html?root=open").await
}

async fn controls_in_a_closed_root_are_worked(it: &mut Trial) -> Result<()> {
    all(it, "matrix.html?root=closed").await
}

/// Role and name of a control, the act, what else the act needs, and the record that must come of it: event, id, value.
type Row = (&'static str, &'static str, &'static str, fn() -> Value, [&'static str; 3]);

const ACTS: &[Row] = &[
    ("button", "Button", "click", || json!({}), ["click", "button", ""]),
    ("link", "Link", "click", || json!({}), ["click", "link", ""]),
    ("generic", "Plain text", "click", || json!({}), ["click", "plain", ""]),
    ("checkbox", "Box", "check", || json!({}), ["change", "box", "true"]),
    ("checkbox", "Box", "uncheck", || json!({}), ["change", "box", "false"]),
    ("radio", "Radio", "check", || json!({}), ["change", "radio", "true"]),
    ("switch", "Switch", "check", || json!({}), ["switched", "switch", "true"]),
    ("textbox", "Text", "focus", || json!({}), ["focus", "text", ""]),
    ("textbox", "Text", "fill", || json!({ "value": "tea & milk" }), ["input", "text", "tea & milk"]),
    ("textbox", "Secret", "fill", || json!({ "value": "s3cret" }), ["input", "secret", "s3cret"]),
    ("spinbutton", "Number", "fill", || json!({ "value": "42" }), ["input", "number", "42"]),
    ("date", "Date", "fill", || json!({ "value": "2026-11-30" }), ["input", "date", "2026-11-30"]),
    ("slider", "Range", "fill", || json!({ "value": "7" }), ["input", "range", "7"]),
    ("color", "Colour", "fill", || json!({ "value": "#102030" }), ["input", "colour", "#102030"]),
    ("textbox", "Area", "fill", || json!({ "value": "one\ntwo" }), ["input", "area", "one\ntwo"]),
    ("textbox", "Rich", "fill", || json!({ "value": "words" }), ["input", "rich", "words"]),
    ("combobox", "Choice", "select", || json!({ "values": ["Two"] }), ["change", "choice", "Two"]),
    ("listbox", "Many", "select", || json!({ "values": ["Red", "Blue"] }), ["change", "many", "Red,Blue"]),
    ("inputtime", "Time", "fill", || json!({ "value": "09:45" }), ["input", "time", "09:45"]),
    ("listbox", "Tints", "select", || json!({ "values": ["Deep"] }), ["chosen", "tints", "Deep"]),
    ("combobox", "Shade", "select", || json!({ "values": ["Dark"] }), ["chosen", "shade", "Dark"]),
    ("textbox", "Typed", "type", || json!({ "text": "abc" }), ["input", "typed", "abc"]),
    ("textbox", "Keyed", "press", || json!({ "key": "Enter" }), ["keydown", "keyed", "Enter"]),
    ("button", "Twice", "click", || json!({ "count": 2 }), ["dblclick", "twice", ""]),
    ("button", "Menu", "click", || json!({ "button": "right" }), ["contextmenu", "menu", ""]),
    ("button", "Over", "hover", || json!({}), ["mouseenter", "over", ""]),
    ("summary", "Summary", "click", || json!({}), ["click", "summary", ""]),
    ("region", "Scroller", "scroll", || json!({ "direction": "down" }), ["scroll", "scroller", ""]),
];

async fn all(it: &mut Trial, page: &str) -> Result<()> {
    it.open(page).await?;
    // Frames come in their own time.
    it.done("wait", json!({ "text": ["Summary"], "timeout_ms": 8000 })).await?;
    it.done("snapshot", json!({ "max_tokens": 60_000 })).await?;
    for (role, name, kind, more, [event, id, value]) in ACTS {
        let reference = it.reference(role, name)?;
        let mut arguments = more();
        arguments["ref"] = reference.into();
        it.act(kind, arguments).await.with_context(|| format!("{kind} {role} {name}"))?;
        it.recorded_value(event, id, value).await.with_context(|| format!("{kind} {role} {name}"))?;
    }
    let (card, zone) = (it.reference("generic", "Card")?, it.reference("generic", "Zone")?);
    it.act("drag", json!({ "ref": card, "to_ref": zone })).await?;
    it.recorded_value("dropped", "zone", "card").await?;
    let folder = it.browser().files().join(it.visit.name());
    std::fs::create_dir_all(&folder)?;
    let file = folder.join("given.txt");
    std::fs::write(&file, "given")?;
    it.act("upload", json!({ "ref": it.reference("file", "File")?, "files": [file] })).await?;
    it.recorded_value("change", "file", "given.txt").await
}
