//! Things dragged: by HTML's drag and drop and by the pointer, over frames, to what appears or is far below.

use crate::cases;
use crate::trial::{Trial, contains};
use anyhow::{Result, ensure};
use serde_json::json;

cases!(beside:
    what_is_draggable_is_dropped,
    a_drop_goes_into_frames_of_any_site,
    a_zone_far_below_is_scrolled_to,
    a_list_is_sorted_by_the_pointer,
    a_place_that_takes_no_drop_is_a_failure,
    a_drag_to_itself_is_refused,
    the_page_can_be_worked_after_a_drag,
);

async fn dragged(it: &mut Trial, from: (&str, &str), to: (&str, &str)) -> Result<tests::client::Reply> {
    let (from, to) = (it.reference(from.0, from.1)?, it.reference(to.0, to.1)?);
    it.act("drag", json!({ "ref": from, "to_ref": to })).await
}

async fn what_is_draggable_is_dropped(it: &mut Trial) -> Result<()> {
    it.open("drag.html").await?;
    let reply = dragged(it, ("button", "Alpha"), ("group", "Done")).await?;
    contains(&reply, &["ok drag", "by drag and drop"])?;
    let drop = it.recorded("drop", "done").await?;
    ensure!(drop.value == "alpha" && drop.trusted, "dropped was {drop:?}");
    it.recorded_value("overs", "done", "true").await?;
    it.recorded_value("dragend", "alpha", "move").await
}

async fn a_drop_goes_into_frames_of_any_site(it: &mut Trial) -> Result<()> {
    it.open("drag.html").await?;
    it.done("wait", json!({ "text": ["Zone far"] })).await?;
    it.done("snapshot", json!({})).await?;
    dragged(it, ("button", "Alpha"), ("group", "Zone near")).await?;
    it.recorded_value("drop", "near", "alpha").await?;
    dragged(it, ("button", "Alpha"), ("group", "Zone far")).await?;
    it.recorded_value("drop", "far", "alpha").await
}

async fn a_zone_far_below_is_scrolled_to(it: &mut Trial) -> Result<()> {
    it.open("drag.html").await?;
    dragged(it, ("button", "Alpha"), ("group", "Below")).await?;
    it.recorded_value("drop", "below", "alpha").await
}

async fn a_list_is_sorted_by_the_pointer(it: &mut Trial) -> Result<()> {
    it.open("drag.html").await?;
    let reply = dragged(it, ("item", "One"), ("item", "Three")).await?;
    contains(&reply, &["by mouse moves"])?;
    it.recorded_value("sorted", "sort", "two,three,one,four").await?;
    it.recorded_value("moves", "sort", "true").await?;
    dragged(it, ("item", "Four"), ("item", "Two")).await?;
    it.recorded_value("sorted", "sort", "four,two,three,one").await
}

async fn a_place_that_takes_no_drop_is_a_failure(it: &mut Trial) -> Result<()> {
    it.open("drag.html").await?;
    let (alpha, closed) = (it.reference("button", "Alpha")?, it.reference("group", "Closed")?);
    it.act_refused("drag", json!({ "ref": alpha, "to_ref": closed }), "not_dropped").await?;
    it.recorded("dragend", "alpha").await?;
    ensure!(!it.visit.record().iter().any(|entry| entry.event == "drop"), "something was dropped");
    Ok(())
}

async fn a_drag_to_itself_is_refused(it: &mut Trial) -> Result<()> {
    it.open("drag.html").await?;
    let alpha = it.reference("button", "Alpha")?;
    it.act_refused("drag", json!({ "ref": alpha, "to_ref": alpha }), "bad_argument").await?;
    Ok(())
}

async fn the_page_can_be_worked_after_a_drag(it: &mut Trial) -> Result<()> {
    it.open("drag.html").await?;
    let (alpha, closed) = (it.reference("button", "Alpha")?, it.reference("group", "Closed")?);
    it.act_refused("drag", json!({ "ref": alpha, "to_ref": closed }), "not_dropped").await?;
    it.click("button", "Stuck").await?;
    it.clicked(&["stuck"]).await?;
    dragged(it, ("button", "Alpha"), ("group", "Done")).await?;
    it.recorded_value("drop", "done", "alpha").await
}
