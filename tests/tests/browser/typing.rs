//! Text typed with real keys, and text edited in place.

use crate::cases;
use crate::trial::Trial;
use anyhow::{Result, ensure};
use serde_json::json;

cases!(beside:
    contenteditable_is_filled,
    text_is_typed_at_the_end_and_at_the_start,
    a_part_of_the_text_is_replaced,
    a_part_that_is_there_twice_is_refused,
    keys_arrive_as_from_a_keyboard,
    an_unknown_key_lists_the_keys,
    enter_submits,
);

async fn contenteditable_is_filled(it: &mut Trial) -> Result<()> {
    it.open("editable.html").await?;
    let note = it.reference("textbox", "Note")?;
    it.act("fill", json!({ "ref": note, "value": "Just this" })).await?;
    it.recorded_value("edited", "note", "Just this").await
}

async fn text_is_typed_at_the_end_and_at_the_start(it: &mut Trial) -> Result<()> {
    it.open("editable.html").await?;
    let line = it.reference("textbox", "Line")?;
    it.act("type", json!({ "ref": line, "text": " four" })).await?;
    it.recorded_value("edited", "line", "one two three four").await?;
    it.act("type", json!({ "ref": line, "text": "zero ", "at": "start" })).await?;
    it.recorded_value("edited", "line", "zero one two three four").await
}

async fn a_part_of_the_text_is_replaced(it: &mut Trial) -> Result<()> {
    it.open("editable.html").await?;
    let line = it.reference("textbox", "Line")?;
    it.act("type", json!({ "ref": line, "text": "2", "replace": "two" })).await?;
    it.recorded_value("edited", "line", "one 2 three").await
}

async fn a_part_that_is_there_twice_is_refused(it: &mut Trial) -> Result<()> {
    it.open("editable.html").await?;
    let line = it.reference("textbox", "Line")?;
    it.act_refused("type", json!({ "ref": line, "text": "x", "replace": "e" }), "not_once").await?;
    let held = it.page_eval("editable.html", "document.getElementById('line').value").await?;
    ensure!(held == "one two three", "the line holds {held}");
    Ok(())
}

async fn keys_arrive_as_from_a_keyboard(it: &mut Trial) -> Result<()> {
    it.open("editable.html").await?;
    let line = it.reference("textbox", "Line")?;
    it.act("type", json!({ "ref": line, "text": "é" })).await?;
    it.act("press", json!({ "ref": line, "key": "Control+A" })).await?;
    it.act("press", json!({ "key": "Delete" })).await?;
    it.recorded_value("key", "line", "Delete").await?;
    let held = it.page_eval("editable.html", "document.getElementById('line').value").await?;
    ensure!(held == "", "the line holds {held}");
    let untrusted = it.visit.record().iter().any(|entry| entry.event == "key" && !entry.trusted);
    ensure!(!untrusted, "a key came from a script");
    Ok(())
}

async fn an_unknown_key_lists_the_keys(it: &mut Trial) -> Result<()> {
    it.open("editable.html").await?;
    let reply = it.act_refused("press", json!({ "key": "Hyper+Q" }), "unknown_key").await?;
    ensure!(reply.text.contains("Enter"), "the keys are not listed");
    Ok(())
}

async fn enter_submits(it: &mut Trial) -> Result<()> {
    it.open("form.html").await?;
    let name = it.reference("textbox", "Name")?;
    it.act("fill", json!({ "ref": name, "value": "" })).await?;
    it.act("type", json!({ "ref": name, "text": "Ada", "submit": true })).await?;
    let submitted = it.recorded("submit", "form").await?;
    ensure!(submitted.value.contains(r#"["name","Ada"]"#), "submitted was {}", submitted.value);
    Ok(())
}
