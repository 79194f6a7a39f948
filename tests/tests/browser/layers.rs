//! What lies over the page for a while, and widgets that answer a press before it is a click.

use crate::cases;
use crate::trial::{Trial, contains};
use anyhow::{Result, ensure};
use serde_json::json;

cases!(beside:
    a_list_that_opens_as_the_button_goes_down_is_chosen_from,
    an_option_that_goes_as_the_button_comes_up_is_chosen,
    a_dialog_that_fades_is_waited_for,
    what_was_behind_a_dialog_is_what_it_was,
    radios_that_nobody_sees_are_set_by_their_labels,
    what_moves_in_a_shadow_root_is_waited_for,
    what_moves_in_a_closed_root_is_waited_for,
);

async fn a_list_that_opens_as_the_button_goes_down_is_chosen_from(it: &mut Trial) -> Result<()> {
    it.open("layers.html").await?;
    let reply = it.click("combobox", "Age").await?;
    contains(&reply, &["it answered the press itself", "option \"Twenty\""])?;
    it.click("option", "Twenty").await?;
    it.recorded_value("chosen", "age", "Twenty").await
}

async fn an_option_that_goes_as_the_button_comes_up_is_chosen(it: &mut Trial) -> Result<()> {
    it.open("layers.html").await?;
    it.click("button", "Quick").await?;
    let reply = it.click("option", "Down").await?;
    contains(&reply, &["it answered the press itself"])?;
    it.recorded_value("chosen", "quick", "Down").await
}

async fn a_dialog_that_fades_is_waited_for(it: &mut Trial) -> Result<()> {
    it.open("layers.html").await?;
    let reply = it.click("button", "Delete…").await?;
    contains(&reply, &["dialog \"Really?\"", "button \"Keep\"", "It cannot be undone."])?;
    let reply = it.click("button", "Keep").await?;
    contains(&reply, &["- e", "dialog \"Really?\""])?;
    it.recorded_value("answer", "ask", "Keep").await
}

async fn what_was_behind_a_dialog_is_what_it_was(it: &mut Trial) -> Result<()> {
    it.open("layers.html").await?;
    let age = it.reference("combobox", "Age")?;
    for answer in ["Keep", "Delete"] {
        let reply = it.click("button", "Delete…").await?;
        ensure!(!reply.text.contains("Words of the page"), "what is behind counts as gone: {}", reply.text);
        it.act_refused("click", json!({ "ref": age, "timeout_ms": 1500 }), "covered").await?;
        let reply = it.click("button", answer).await?;
        ensure!(!reply.text.contains("Words of the page"), "what is behind counts as new: {}", reply.text);
        it.recorded_value("answer", "ask", answer).await?;
    }
    it.click("combobox", "Age").await?;
    it.click("option", "Ten").await?;
    it.recorded_value("chosen", "age", "Ten").await
}

async fn radios_that_nobody_sees_are_set_by_their_labels(it: &mut Trial) -> Result<()> {
    it.open("layers.html").await?;
    for (name, id) in [("3 stars", "three"), ("1 star", "one")] {
        let radio = it.reference("radio", name)?;
        it.act("check", json!({ "ref": radio })).await?;
        it.recorded_value("change", id, "true").await?;
    }
    Ok(())
}

async fn what_moves_in_a_shadow_root_is_waited_for(it: &mut Trial) -> Result<()> {
    moves(it, "moving.html").await
}

async fn what_moves_in_a_closed_root_is_waited_for(it: &mut Trial) -> Result<()> {
    moves(it, "moving.html?closed").await
}

async fn moves(it: &mut Trial, page: &str) -> Result<()> {
    it.open(page).await?;
    it.click("button", "Start").await?;
    it.click("button", "Go").await?;
    it.recorded_value("pressed", "go", "at rest").await?;
    let reply = it.click("button", "Ask").await?;
    contains(&reply, &["dialog \"Really?\"", "button \"Keep\""])
}
