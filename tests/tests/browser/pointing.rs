//! Acts at points of the viewport, where there is no ref: canvases, also in a frame of another site.

use crate::cases;
use crate::trial::{Trial, contains};
use anyhow::{Result, ensure};
use serde_json::json;

cases!(beside:
    a_canvas_is_clicked_at_a_point,
    a_canvas_in_a_frame_of_another_site_is_clicked,
    a_line_is_drawn,
    the_mouse_goes_to_a_point,
    text_is_typed_at_a_point,
    keys_go_to_a_canvas_and_not_to_the_page,
    what_is_not_in_view_or_not_expected_is_refused,
);

async fn a_canvas_is_clicked_at_a_point(it: &mut Trial) -> Result<()> {
    it.open("canvas.html").await?;
    let reply = it.act("click_at", json!({ "x": 120, "y": 90 })).await?;
    contains(&reply, &["click at 120,90 on", "canvas"])?;
    it.recorded_value("mouseup", "board", "100,50").await?;
    it.act("click_at", json!({ "x": 121, "y": 91, "count": 2, "modifiers": ["Shift"] })).await?;
    it.recorded_value("dblclick", "board", "101,51 shift").await?;
    it.act("click_at", json!({ "x": 122, "y": 92, "button": "right" })).await?;
    let menu = it.recorded("contextmenu", "board").await?;
    ensure!(menu.value == "102,52" && menu.trusted, "the menu is {menu:?}");
    Ok(())
}

async fn a_canvas_in_a_frame_of_another_site_is_clicked(it: &mut Trial) -> Result<()> {
    it.open("canvas.html").await?;
    it.done("wait", json!({ "time_ms": 300 })).await?;
    // The frame's corner is at 400,40; its border is 3 and its padding 5 pixels wide.
    it.act("click_at", json!({ "x": 458, "y": 88 })).await?;
    it.recorded_value("inside", "inner", "50,40").await
}

async fn a_line_is_drawn(it: &mut Trial) -> Result<()> {
    it.open("canvas.html").await?;
    let reply = it.act("drag_at", json!({ "x": 40, "y": 60, "to_x": 240, "to_y": 160 })).await?;
    contains(&reply, &["by mouse moves"])?;
    it.recorded_value("mousedown", "board", "20,20").await?;
    it.recorded_value("mouseup", "board", "220,120").await?;
    it.recorded_value("path", "board", "true").await
}

async fn the_mouse_goes_to_a_point(it: &mut Trial) -> Result<()> {
    it.open("canvas.html").await?;
    it.act("hover_at", json!({ "x": 50, "y": 70 })).await?;
    it.recorded_value("over", "board", "30,30").await
}

async fn text_is_typed_at_a_point(it: &mut Trial) -> Result<()> {
    it.open("canvas.html").await?;
    let reply = it.act("type_at", json!({ "x": 150, "y": 310, "text": "cd" })).await?;
    contains(&reply, &["type at 150,310", "\"abcd\""])?;
    it.recorded_value("edited", "note", "abcd").await
}

async fn keys_go_to_a_canvas_and_not_to_the_page(it: &mut Trial) -> Result<()> {
    it.open("canvas.html").await?;
    it.act("type_at", json!({ "x": 120, "y": 90, "text": "Hi" })).await?;
    it.recorded_value("typed", "board", "Hi").await?;
    it.act_refused("type_at", json!({ "x": 700, "y": 500, "text": "no" }), "no_focus").await?;
    ensure!(!it.visit.record().iter().any(|entry| entry.value == "Hin"), "keys went to the page");
    Ok(())
}

async fn what_is_not_in_view_or_not_expected_is_refused(it: &mut Trial) -> Result<()> {
    it.open("canvas.html").await?;
    it.act_refused("click_at", json!({ "x": 5000, "y": 90 }), "outside").await?;
    it.act_refused("click_at", json!({ "x": 120, "y": 90, "expect": "Pay" }), "unexpected").await?;
    it.act("click_at", json!({ "x": 30, "y": 15, "expect": "top" })).await?;
    it.clicked(&["top"]).await
}
