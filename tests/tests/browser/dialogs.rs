//! The page's dialogs: each is told when it opens, holds other calls up by name, and is answered.

use crate::{
    cases,
    trial::{Trial, contains},
};
use anyhow::{Result, ensure};
use serde_json::json;
use std::time::Duration;

cases!(beside:
    an_alert_is_told_and_accepted,
    a_confirm_is_answered_either_way,
    a_prompt_takes_a_text,
    two_alerts_in_a_row_are_both_told,
    an_open_dialog_holds_other_calls_up_by_name,
    without_a_dialog_there_is_nothing_to_answer,
    a_leave_question_is_told_and_answered,
);

async fn an_alert_is_told_and_accepted(it: &mut Trial) -> Result<()> {
    it.open("dialogs.html").await?;
    let reply = it.click("button", "Alert").await?;
    contains(&reply, &["alert", "Mind the gap"])?;
    let status = it.done("dialog", json!({})).await?;
    contains(&status, &["Mind the gap"])?;
    it.done("dialog", json!({ "action": "accept" })).await?;
    it.recorded_value("answered", "alert", "seen").await
}

async fn a_confirm_is_answered_either_way(it: &mut Trial) -> Result<()> {
    it.open("dialogs.html").await?;
    for (action, outcome) in [("accept", "true"), ("dismiss", "false")] {
        it.click("button", "Confirm").await?;
        it.done("dialog", json!({ "action": action })).await?;
        it.recorded_value("answered", "confirm", outcome).await?;
    }
    Ok(())
}

async fn a_prompt_takes_a_text(it: &mut Trial) -> Result<()> {
    it.open("dialogs.html").await?;
    let reply = it.click("button", "Prompt").await?;
    contains(&reply, &["prompt", "Your name?"])?;
    it.done("dialog", json!({ "action": "accept", "text": "Ada" })).await?;
    it.recorded_value("answered", "prompt", "Ada").await
}

async fn two_alerts_in_a_row_are_both_told(it: &mut Trial) -> Result<()> {
    it.open("dialogs.html").await?;
    let reply = it.click("button", "Two alerts").await?;
    contains(&reply, &["First"])?;
    let second = it.done("dialog", json!({ "action": "accept" })).await?;
    contains(&second, &["Second"])?;
    ensure!(second.elapsed < Duration::from_secs(5), "the second took {:?} to be told", second.elapsed);
    it.done("dialog", json!({ "action": "accept" })).await?;
    it.recorded_value("answered", "two", "both").await
}

async fn an_open_dialog_holds_other_calls_up_by_name(it: &mut Trial) -> Result<()> {
    it.open("dialogs.html").await?;
    it.click("button", "Confirm").await?;
    let refused = it.refused("snapshot", json!({}), "dialog_open").await?;
    contains(&refused, &["Really?"])?;
    let reference = it.reference("button", "Alert")?;
    it.act_refused("click", json!({ "ref": reference }), "dialog_open").await?;
    it.done("dialog", json!({ "action": "dismiss" })).await?;
    let page = it.done("snapshot", json!({})).await?;
    ensure!(page.text.contains("confirm: false"), "the page does not go on");
    it.clicked(&["confirm"]).await
}

async fn without_a_dialog_there_is_nothing_to_answer(it: &mut Trial) -> Result<()> {
    it.open("dialogs.html").await?;
    it.done("dialog", json!({})).await?;
    it.refused("dialog", json!({ "action": "accept" }), "no_dialog").await?;
    Ok(())
}

async fn a_leave_question_is_told_and_answered(it: &mut Trial) -> Result<()> {
    it.open("leave.html").await?;
    let words = it.reference("textbox", "Words")?;
    it.act("type", json!({ "ref": words, "text": "x" })).await?;
    let link = it.reference("link", "Away")?;
    let reply = it.act("click", json!({ "ref": link })).await?;
    contains(&reply, &["a dialog opened: beforeunload", "next: dialog"])?;
    it.done("dialog", json!({ "action": "dismiss" })).await?;
    let held = it.page_eval("leave.html", "document.querySelector('input').value").await?;
    ensure!(held == "x", "the page was left: {held}");
    it.act("click", json!({ "ref": link })).await?;
    let reply = it.done("dialog", json!({ "action": "accept" })).await?;
    contains(&reply, &["ok accepted beforeunload", "\"Rows\""])
}
