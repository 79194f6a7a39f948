//! Where text goes that is not a plain field: code editors, chat boxes, rich text. A line end never sends anything.

use crate::cases;
use crate::trial::{Trial, contains};
use anyhow::{Result, ensure};
use serde_json::json;

cases!(beside:
    a_code_editor_is_filled_and_typed_into,
    a_line_end_sends_nothing,
    rich_text_is_replaced,
    enter_sends_where_it_is_pressed,
    text_lands_nowhere_else,
    an_editor_with_a_context_of_its_own_is_filled_and_typed_into,
    a_field_that_goes_as_enter_goes_down_has_sent,
);

async fn a_code_editor_is_filled_and_typed_into(it: &mut Trial) -> Result<()> {
    it.open("editor.html").await?;
    let code = it.reference("textbox", "Code")?;
    let reply = it.act("fill", json!({ "ref": code, "value": "let a = 1;\n  b(a);" })).await?;
    contains(&reply, &["as its editor shows it"])?;
    it.recorded_value("code", "editor", "let a = 1;\n  b(a);").await?;
    it.act("type", json!({ "ref": code, "text": "\n// end" })).await?;
    it.recorded_value("code", "editor", "let a = 1;\n  b(a);\n// end").await?;
    it.act("fill", json!({ "ref": code, "value": "" })).await?;
    it.recorded_value("code", "editor", "").await
}

async fn a_line_end_sends_nothing(it: &mut Trial) -> Result<()> {
    it.open("editor.html").await?;
    let (message, chat) = (it.reference("textbox", "Message")?, it.reference("textbox", "Chat")?);
    it.act("type", json!({ "ref": message, "text": "one\ntwo" })).await?;
    it.recorded_value("edited", "message", "one\ntwo").await?;
    it.act("type", json!({ "ref": chat, "text": "one\ntwo" })).await?;
    it.act("fill", json!({ "ref": chat, "value": "three\nfour" })).await?;
    let query = it.reference("textbox", "Query")?;
    it.act_refused("type", json!({ "ref": query, "text": "a\nb" }), "bad_value").await?;
    it.act_refused("fill", json!({ "ref": query, "value": "a\nb" }), "bad_value").await?;
    let record = it.visit.record();
    ensure!(!record.iter().any(|entry| entry.event == "sent"), "something was sent: {record:?}");
    let held = it.page_eval("editor.html", "document.getElementById('chat').innerText.trim()").await?;
    ensure!(held == "three\nfour", "the chat box holds {held}");
    Ok(())
}

async fn rich_text_is_replaced(it: &mut Trial) -> Result<()> {
    it.open("editor.html").await?;
    let rich = it.reference("textbox", "Rich")?;
    it.act("fill", json!({ "ref": rich, "value": "All new" })).await?;
    let held = it.page_eval("editor.html", "document.getElementById('rich').innerText.trim()").await?;
    ensure!(held == "All new", "it holds {held}");
    it.act("type", json!({ "ref": rich, "text": "old", "replace": "new" })).await?;
    it.recorded_value("edited", "rich", "All old").await
}

async fn enter_sends_where_it_is_pressed(it: &mut Trial) -> Result<()> {
    it.open("editor.html").await?;
    let message = it.reference("textbox", "Message")?;
    it.act("type", json!({ "ref": message, "text": "hello", "submit": true })).await?;
    it.recorded_value("sent", "message", "hello").await?;
    let query = it.reference("textbox", "Query")?;
    it.act("type", json!({ "ref": query, "text": "cats" })).await?;
    it.act("press", json!({ "ref": query, "key": "Enter" })).await?;
    it.recorded_value("sent", "form", "cats").await
}

async fn text_lands_nowhere_else(it: &mut Trial) -> Result<()> {
    it.open("editor.html").await?;
    let jumps = it.reference("textbox", "Jumps")?;
    let reply = it.act_refused("type", json!({ "ref": jumps, "text": "abc" }), "focus_moved").await?;
    contains(&reply, &["the focus went from", "\"Danger\""])?;
    it.recorded_value("edited", "jumps", "a").await?;
    let record = it.visit.record();
    ensure!(!record.iter().any(|entry| entry.id == "danger"), "text landed elsewhere: {record:?}");
    // The person's own keys are not stopped afterwards: neither are ours.
    let danger = it.reference("textbox", "Danger")?;
    it.act("type", json!({ "ref": danger, "text": "mine" })).await?;
    it.recorded_value("edited", "danger", "mine").await
}

async fn an_editor_with_a_context_of_its_own_is_filled_and_typed_into(it: &mut Trial) -> Result<()> {
    let reply = it.open("context.html").await?;
    contains(&reply, &["textbox \"Code\" =\"old();\" multiline"])?;
    let code = it.reference("textbox", "Code")?;
    // Lines stay as they are: they are not typed.
    it.act("fill", json!({ "ref": code, "value": "if (a) {\n  b();\n}" })).await?;
    it.recorded_value("code", "editor", "if (a) {\n  b();\n}").await?;
    let reply = it.act("type", json!({ "ref": code, "text": " // end" })).await?;
    it.recorded_value("code", "editor", "if (a) {\n  b();\n} // end").await?;
    contains(&reply, &["~ e", "b();\\n} // end"])?;
    it.act_refused("type", json!({ "ref": code, "text": "c", "replace": "b" }), "bad_argument").await?;
    it.act("fill", json!({ "ref": code, "value": "" })).await?;
    it.recorded_value("code", "editor", "").await
}

async fn a_field_that_goes_as_enter_goes_down_has_sent(it: &mut Trial) -> Result<()> {
    it.open("context.html").await?;
    let find = it.reference("textbox", "Find")?;
    it.act("type", json!({ "ref": find, "text": "cats", "submit": true })).await?;
    it.recorded_value("sent", "find", "cats").await?;
    it.act("press", json!({ "ref": find, "key": "Enter" })).await?;
    Ok(())
}
