//! What cannot be pressed is said to be so, each for its own reason, and nothing is pressed instead.

use crate::{
    cases,
    trial::{Trial, contains},
};
use anyhow::{Result, ensure};
use serde_json::json;
use std::time::{Duration, Instant};

cases!(beside:
    a_covered_button_names_what_covers_it,
    force_presses_what_is_there,
    a_disabled_button_is_refused,
    a_button_that_is_enabled_soon_is_waited_for,
    a_hidden_button_is_refused,
    a_styled_checkbox_is_checked,
    text_with_a_pointer_is_clicked,
    what_is_far_down_is_scrolled_to,
    hovering_opens_a_menu,
    a_box_is_scrolled,
    a_list_grows_as_it_is_scrolled,
    double_and_right_clicks_arrive,
);

async fn a_covered_button_names_what_covers_it(it: &mut Trial) -> Result<()> {
    it.open("covered.html").await?;
    let under = it.reference("button", "Under the veil")?;
    let start = Instant::now();
    let reply = it.act_refused("click", json!({ "ref": under, "timeout_ms": 1500 }), "covered").await?;
    contains(&reply, &["Veil"])?;
    ensure!(start.elapsed() < Duration::from_secs(5), "it took {:?} to say so", start.elapsed());
    it.clicked(&[]).await
}

async fn force_presses_what_is_there(it: &mut Trial) -> Result<()> {
    it.open("covered.html").await?;
    let under = it.reference("button", "Under the veil")?;
    it.act("click", json!({ "ref": under, "force": true })).await?;
    it.clicked(&["veil"]).await
}

async fn a_disabled_button_is_refused(it: &mut Trial) -> Result<()> {
    it.open("covered.html").await?;
    let off = it.reference("button", "Off")?;
    it.act_refused("click", json!({ "ref": off, "timeout_ms": 1500 }), "disabled").await?;
    it.clicked(&[]).await
}

async fn a_button_that_is_enabled_soon_is_waited_for(it: &mut Trial) -> Result<()> {
    it.open("covered.html").await?;
    it.click("button", "Soon").await?;
    it.clicked(&["soon"]).await
}

async fn a_hidden_button_is_refused(it: &mut Trial) -> Result<()> {
    it.open("covered.html").await?;
    let gone = it.reference("button", "Gone soon")?;
    it.page_eval("covered.html", "document.getElementById('gone').style.display = 'none'").await?;
    it.act_refused("click", json!({ "ref": gone, "timeout_ms": 1500 }), "hidden").await?;
    it.clicked(&[]).await
}

async fn a_styled_checkbox_is_checked(it: &mut Trial) -> Result<()> {
    it.open("covered.html").await?;
    let styled = it.reference("checkbox", "Styled box")?;
    it.act("check", json!({ "ref": styled })).await?;
    it.recorded_value("change", "styled", "true").await
}

async fn text_with_a_pointer_is_clicked(it: &mut Trial) -> Result<()> {
    it.open("covered.html").await?;
    let found = it.done("locate", json!({ "css": "#plain" })).await?;
    it.outline.read(&found.text);
    let shown = it.done("snapshot", json!({})).await?;
    let line = shown.text.lines().find(|line| line.contains("Press this text"));
    let line = line.map(str::trim_start).unwrap_or_default();
    ensure!(line.starts_with('e'), "it has no ref: {line}");
    let reference = line.split(' ').next().unwrap_or_default().to_owned();
    it.act("click", json!({ "ref": reference })).await?;
    it.recorded("pressed", "plain").await?;
    Ok(())
}

async fn what_is_far_down_is_scrolled_to(it: &mut Trial) -> Result<()> {
    it.open("covered.html").await?;
    it.click("button", "Low down").await?;
    it.clicked(&["low"]).await
}

async fn hovering_opens_a_menu(it: &mut Trial) -> Result<()> {
    it.open("hover.html").await?;
    let products = it.reference("button", "Products")?;
    let reply = it.act("hover", json!({ "ref": products })).await?;
    contains(&reply, &["+", "Coffee"])?;
    it.click("link", "Coffee").await?;
    it.clicked(&["coffee"]).await
}

async fn a_box_is_scrolled(it: &mut Trial) -> Result<()> {
    it.open("scroll.html").await?;
    let area = it.reference("region", "Box")?;
    it.act("scroll", json!({ "ref": area, "to": "bottom" })).await?;
    let top = it.page_eval("scroll.html", "document.getElementById('box').scrollTop").await?;
    ensure!(top.as_f64().is_some_and(|top| top > 500.0), "the box is scrolled to {top}");
    it.click("button", "Press inner").await?;
    it.click("button", "Press bottom").await?;
    it.clicked(&["inner", "bottom"]).await
}

async fn a_list_grows_as_it_is_scrolled(it: &mut Trial) -> Result<()> {
    it.open("scroll.html").await?;
    let feed = it.reference("list", "Feed")?;
    let reply = it.act("scroll", json!({ "ref": feed, "to": "bottom" })).await?;
    contains(&reply, &["Post 25"])
}

async fn double_and_right_clicks_arrive(it: &mut Trial) -> Result<()> {
    it.open("rows.html").await?;
    it.page_eval("rows.html", "addEventListener('dblclick', () => record('double', 'swap')); \
        addEventListener('contextmenu', (event) => { event.preventDefault(); record('menu', 'swap', event.ctrlKey); })").await?;
    let swap = it.reference("button", "Swap")?;
    it.act("click", json!({ "ref": swap, "count": 2 })).await?;
    it.recorded("double", "swap").await?;
    it.act("click", json!({ "ref": swap, "button": "right", "modifiers": ["Control"] })).await?;
    it.recorded_value("menu", "swap", "true").await
}
