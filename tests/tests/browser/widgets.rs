//! Widgets that pages make themselves, worked by mouse and keyboard as a person does.

use crate::cases;
use crate::trial::{Trial, contains};
use anyhow::Result;
use serde_json::json;

cases!(beside:
    sliders_and_spinbuttons_take_keys,
    a_listbox_is_chosen_from,
    a_combobox_is_typed_into_and_chosen_from,
    a_menu_is_opened_worked_and_closed,
    a_tree_is_unfolded,
    tabs_are_shown,
    a_grid_is_sorted_by_its_headers,
);

async fn sliders_and_spinbuttons_take_keys(it: &mut Trial) -> Result<()> {
    it.open("widgets.html").await?;
    let slider = it.reference("slider", "Loud")?;
    it.act("press", json!({ "ref": slider, "key": "ArrowRight" })).await?;
    it.act("press", json!({ "key": "ArrowRight" })).await?;
    it.recorded_value("value", "slider", "7").await?;
    let spin = it.reference("spinbutton", "Guests")?;
    it.act("press", json!({ "ref": spin, "key": "ArrowDown" })).await?;
    it.recorded_value("value", "spin", "1").await
}

async fn a_listbox_is_chosen_from(it: &mut Trial) -> Result<()> {
    it.open("widgets.html").await?;
    it.click("option", "Green").await?;
    it.recorded_value("chosen", "list", "Green").await?;
    let list = it.reference("listbox", "Pick")?;
    it.act("press", json!({ "ref": list, "key": "ArrowDown" })).await?;
    it.recorded_value("chosen", "list", "Red").await
}

async fn a_combobox_is_typed_into_and_chosen_from(it: &mut Trial) -> Result<()> {
    it.open("widgets.html").await?;
    let combo = it.reference("combobox", "Fruit")?;
    let asked = json!({ "ref": combo, "text": "b", "then_role": "option", "then_name": "Bilberry" });
    it.act("type", asked).await?;
    it.recorded_value("chosen", "combo", "Bilberry").await
}

async fn a_menu_is_opened_worked_and_closed(it: &mut Trial) -> Result<()> {
    it.open("widgets.html").await?;
    let more = it.reference("button", "More")?;
    it.act("click", json!({ "ref": more, "then_role": "menuitem", "then_name": "Copy" })).await?;
    it.recorded("command", "copy").await?;
    it.act("click", json!({ "ref": more })).await?;
    it.act("press", json!({ "key": "ArrowDown" })).await?;
    it.act("press", json!({ "key": "Enter" })).await?;
    it.recorded("command", "paste").await?;
    it.act("click", json!({ "ref": more })).await?;
    it.act("press", json!({ "key": "Escape" })).await?;
    it.recorded("closed", "menu").await?;
    Ok(())
}

async fn a_tree_is_unfolded(it: &mut Trial) -> Result<()> {
    it.open("widgets.html").await?;
    let src = it.reference("treeitem", "src")?;
    it.act("press", json!({ "ref": src, "key": "ArrowRight" })).await?;
    it.click("treeitem", "main.rs").await?;
    it.recorded("opened", "main").await?;
    Ok(())
}

async fn tabs_are_shown(it: &mut Trial) -> Result<()> {
    it.open("widgets.html").await?;
    it.click("tab", "Two").await?;
    it.recorded("shown", "t2").await?;
    it.act("press", json!({ "key": "ArrowLeft" })).await?;
    it.recorded("shown", "t1").await?;
    Ok(())
}

async fn a_grid_is_sorted_by_its_headers(it: &mut Trial) -> Result<()> {
    let reply = it.open("widgets.html").await?;
    // Cells that its keys go to are worked one by one.
    contains(&reply, &["gridcell \"Ada\"", "gridcell \"36\""])?;
    it.click("gridcell", "Ada").await?;
    it.recorded("click", "ada").await?;
    it.click("columnheader", "Age").await?;
    it.recorded("sorted", "by-age").await?;
    it.click("columnheader", "Name").await?;
    it.recorded("sorted", "by-name").await?;
    Ok(())
}
