//! What changes between the look and the press: the act is refused or told, and never lands on something else.

use crate::{
    cases,
    trial::{Trial, contains},
};
use anyhow::{Result, ensure};
use serde_json::json;

cases!(beside:
    a_row_renamed_under_the_mouse_is_refused,
    a_button_replaced_as_it_is_pressed_is_no_click,
    a_dialog_before_the_press_is_no_click,
    a_row_bound_anew_by_our_own_scrolling_is_refused,
    a_link_to_another_site_is_never_told_as_missed,
);

async fn a_row_renamed_under_the_mouse_is_refused(it: &mut Trial) -> Result<()> {
    it.open("traps.html").await?;
    let delete = it.reference_under("button", "Delete", "Alice")?;
    let reply = it.act_refused("click", json!({ "ref": delete }), "changed").await?;
    contains(&reply, &["Alice", "Zed"])?;
    it.clicked(&[]).await
}

async fn a_button_replaced_as_it_is_pressed_is_no_click(it: &mut Trial) -> Result<()> {
    it.open("traps.html").await?;
    let button = it.reference("button", "Replace")?;
    it.act_refused("click", json!({ "ref": button }), "missed").await?;
    ensure!(!it.visit.record().iter().any(|entry| entry.id == "replaced"), "the page saw a click");
    Ok(())
}

async fn a_dialog_before_the_press_is_no_click(it: &mut Trial) -> Result<()> {
    it.open("traps.html").await?;
    let gate = it.reference("button", "Gate")?;
    it.act_refused("click", json!({ "ref": gate }), "dialog_open").await?;
    it.done("dialog", json!({ "action": "accept" })).await?;
    it.clicked(&[]).await?;
    it.act("click", json!({ "ref": gate })).await?;
    it.clicked(&["gate"]).await
}

async fn a_row_bound_anew_by_our_own_scrolling_is_refused(it: &mut Trial) -> Result<()> {
    it.open("traps.html").await?;
    // The last of the rows that are there is below the edge: bringing it into view binds all of them anew.
    let last = it.reference_under("button", "Remove", "Person H")?;
    let reply = it.call("act", json!({ "kind": "click", "ref": last })).await?;
    let removed: Vec<_> = it
        .visit
        .record()
        .into_iter()
        .filter(|entry| entry.event == "removed")
        .map(|entry| entry.id)
        .collect();
    ensure!(removed.iter().all(|name| name == "Person H"), "{removed:?} was removed: {}", reply.text);
    ensure!(reply.is_error == removed.is_empty(), "told {} and recorded {removed:?}", reply.text);
    Ok(())
}

async fn a_link_to_another_site_is_never_told_as_missed(it: &mut Trial) -> Result<()> {
    for _ in 0..6 {
        it.open("traps.html").await?;
        let reply = it.click("link", "Away").await?;
        contains(&reply, &["links.html"])?;
    }
    Ok(())
}
