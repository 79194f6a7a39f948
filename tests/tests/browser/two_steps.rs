//! Two steps in one call: a press, and a choice among what it brought.

use crate::{
    cases,
    trial::{Trial, contains},
};
use anyhow::Result;
use serde_json::json;

cases!(beside:
    a_custom_dropdown_is_chosen_from_in_one_call,
    an_exact_name_wins_over_a_part,
    a_choice_of_two_is_refused_with_the_candidates,
    a_choice_of_none_is_refused_with_the_candidates,
    what_was_there_before_is_no_choice,
);

async fn a_custom_dropdown_is_chosen_from_in_one_call(it: &mut Trial) -> Result<()> {
    it.open("dropdown.html").await?;
    let fruit = it.reference("combobox", "Fruit")?;
    let reply =
        it.act("click", json!({ "ref": fruit, "then_role": "option", "then_name": "Banana" })).await?;
    contains(&reply, &["Chose Banana"])?;
    it.recorded_value("chose", "option", "Banana").await
}

async fn an_exact_name_wins_over_a_part(it: &mut Trial) -> Result<()> {
    it.open("dropdown.html").await?;
    let fruit = it.reference("combobox", "Fruit")?;
    it.act("click", json!({ "ref": fruit, "then_role": "option", "then_name": "Orange" })).await?;
    it.recorded_value("chose", "option", "Orange").await
}

async fn a_choice_of_two_is_refused_with_the_candidates(it: &mut Trial) -> Result<()> {
    it.open("dropdown.html").await?;
    let menu = it.reference("button", "Menu")?;
    let step = json!({ "ref": menu, "then_role": "menuitem", "then_name": "Copy" });
    let reply = it.act_refused("click", step, "then_many").await?;
    contains(&reply, &["Copy"])?;
    it.clicked(&["menu"]).await
}

async fn a_choice_of_none_is_refused_with_the_candidates(it: &mut Trial) -> Result<()> {
    it.open("dropdown.html").await?;
    let fruit = it.reference("combobox", "Fruit")?;
    let step = json!({ "ref": fruit, "then_role": "option", "then_name": "Turnip" });
    let reply = it.act_refused("click", step, "then_none").await?;
    contains(&reply, &["Apple", "Banana"])?;
    it.clicked(&["box"]).await
}

async fn what_was_there_before_is_no_choice(it: &mut Trial) -> Result<()> {
    it.open("dropdown.html").await?;
    let fruit = it.reference("combobox", "Fruit")?;
    let step = json!({ "ref": fruit, "then_role": "button", "then_name": "Menu" });
    it.act_refused("click", step, "then_none").await?;
    it.clicked(&["box"]).await
}
