//! `select` on lists that pages make themselves: opened, chosen from, and read back; judged by what the page recorded.

use crate::cases;
use crate::trial::{Trial, contains};
use anyhow::{Result, ensure};
use serde_json::json;

cases!(beside:
    a_listbox_takes_one_option,
    a_listbox_of_several_takes_just_these,
    what_cannot_be_chosen_is_refused,
    a_list_that_does_not_take_it_is_a_failure,
    a_combobox_is_opened_and_chosen_from,
    a_button_that_opens_a_list_is_chosen_from,
    a_combobox_that_wants_keys_is_chosen_from,
);

const PAGE: &str = "choosing.html";

async fn select(it: &mut Trial, role: &str, name: &str, values: &[&str]) -> Result<String> {
    let list = it.reference(role, name)?;
    Ok(it.act("select", json!({ "ref": list, "values": values })).await?.text)
}

async fn a_listbox_takes_one_option(it: &mut Trial) -> Result<()> {
    it.open("widgets.html").await?;
    let said = select(it, "listbox", "Pick", &["green"]).await?;
    ensure!(said.contains("=\"Green\""), "it says {said}");
    it.recorded_value("chosen", "list", "Green").await?;
    let said = select(it, "listbox", "Pick", &["Green"]).await?;
    ensure!(said.contains("was chosen already"), "it says {said}");
    it.clicked(&["o2"]).await
}

async fn a_listbox_of_several_takes_just_these(it: &mut Trial) -> Result<()> {
    it.open(PAGE).await?;
    select(it, "listbox", "Tags", &["New", "Blue"]).await?;
    it.recorded_value("chosen", "tags", "New1,Blue2").await
}

async fn what_cannot_be_chosen_is_refused(it: &mut Trial) -> Result<()> {
    it.open(PAGE).await?;
    let tags = it.reference("listbox", "Tags")?;
    let asked = |values: &[&str]| json!({ "ref": tags, "values": values });
    let reply = it.act_refused("select", asked(&["Red"]), "no_option").await?;
    contains(&reply, &["\"Old\", \"New\", \"Blue\""])?;
    it.act_refused("select", asked(&["New", "Sold out"]), "no_option").await?;
    let reply = it.act_refused("select", asked(&["Twin"]), "no_option").await?;
    contains(&reply, &["\"Twin\" value=\"e"])?;
    it.clicked(&[]).await?;
    let (_, value) = reply.text.rsplit_once("value=\"").unwrap_or_default();
    let (reference, _) = value.split_once('"').unwrap_or_default();
    it.act("select", asked(&[reference])).await?;
    it.recorded_value("chosen", "tags", "Twin5").await?;
    let stubborn = it.reference("listbox", "Stubborn")?;
    let asked = json!({ "ref": stubborn, "values": ["Stays", "Comes"] });
    it.act_refused("select", asked, "bad_value").await?;
    let text = it.reference("combobox", "Size")?;
    let reply = it.act_refused("select", json!({ "ref": text, "values": ["Huge"] }), "no_option").await?;
    contains(&reply, &["\"Small\", \"Medium\", \"Large\""])
}

async fn a_list_that_does_not_take_it_is_a_failure(it: &mut Trial) -> Result<()> {
    it.open(PAGE).await?;
    let stubborn = it.reference("listbox", "Stubborn")?;
    let asked = json!({ "ref": stubborn, "values": ["Comes"] });
    let reply = it.act_refused("select", asked, "not_taken").await?;
    contains(&reply, &["\"Stays\""])?;
    it.recorded_value("pressed", "stubborn", "Comes").await
}

async fn a_combobox_is_opened_and_chosen_from(it: &mut Trial) -> Result<()> {
    it.open(PAGE).await?;
    let said = select(it, "combobox", "Size", &["Large"]).await?;
    ensure!(said.contains("=\"Large\""), "it says {said}");
    it.recorded_value("chosen", "size", "Large").await?;
    // What is open already is not pressed shut.
    it.click("combobox", "Size").await?;
    select(it, "combobox", "Size", &["Medium"]).await?;
    it.recorded_value("chosen", "size", "Medium").await?;
    let size = it.reference("combobox", "Size")?;
    it.act("fill", json!({ "ref": size, "value": "Small" })).await?;
    it.recorded_value("chosen", "size", "Small").await
}

async fn a_button_that_opens_a_list_is_chosen_from(it: &mut Trial) -> Result<()> {
    it.open(PAGE).await?;
    select(it, "button", "Colour", &["Green"]).await?;
    it.recorded_value("chosen", "colour", "Green").await
}

async fn a_combobox_that_wants_keys_is_chosen_from(it: &mut Trial) -> Result<()> {
    it.open(PAGE).await?;
    select(it, "combobox", "Keyed", &["Beech"]).await?;
    it.recorded_value("chosen", "keyed", "Beech").await?;
    select(it, "combobox", "Arrow", &["South"]).await?;
    it.recorded_value("chosen", "arrow", "South").await
}
