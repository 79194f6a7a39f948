//! Frames and shadow roots: what stands in them is seen and worked like the rest, at any depth.

use crate::{
    cases,
    trial::{Trial, contains},
};
use anyhow::{Result, ensure};
use serde_json::json;

cases!(beside:
    frames_of_another_site_are_read_and_clicked_three_deep,
    a_field_three_frames_deep_is_filled,
    a_frame_added_after_load_is_there,
    nested_open_shadow_roots_are_read_and_clicked,
    a_field_in_a_shadow_root_is_filled,
);

async fn frames_of_another_site_are_read_and_clicked_three_deep(it: &mut Trial) -> Result<()> {
    it.open("frames.html").await?;
    it.call("wait", json!({ "text": ["Press fourth"] })).await?;
    have_targets_of_their_own(it, &["frames-2.html", "frames-3.html", "frames-4.html"]).await?;
    it.done("snapshot", json!({})).await?;
    for name in ["Press fourth", "Press third", "Press second", "Press outer"] {
        it.click("button", name).await?;
    }
    it.clicked(&["fourth", "third", "second", "outer"]).await
}

/// The browser itself has these frames as targets: each is of another process than the one around it.
async fn have_targets_of_their_own(it: &Trial, pages: &[&str]) -> Result<()> {
    let targets = it.browser().targets().await?;
    for page in pages {
        let address = it.visit.page(page);
        let under_either_name = address.trim_start_matches("http://127.0.0.1");
        let frames = targets.iter().filter(|it| it.kind == "iframe" && it.url.ends_with(under_either_name));
        ensure!(frames.count() == 1, "{page} is no target of its own: {targets:?}");
    }
    Ok(())
}

async fn a_field_three_frames_deep_is_filled(it: &mut Trial) -> Result<()> {
    it.open("frames.html").await?;
    it.call("wait", json!({ "text": ["Deep field"] })).await?;
    it.done("snapshot", json!({})).await?;
    let field = it.reference("textbox", "Deep field")?;
    it.act("fill", json!({ "ref": field, "value": "down here" })).await?;
    // Leaving the field tells the page.
    it.act("press", json!({ "key": "Tab" })).await?;
    it.recorded_value("change", "deep", "down here").await
}

async fn a_frame_added_after_load_is_there(it: &mut Trial) -> Result<()> {
    it.open("frames.html").await?;
    it.click("button", "Add a frame").await?;
    it.done("wait", json!({ "text": ["Press late"] })).await?;
    it.done("snapshot", json!({})).await?;
    it.click("button", "Press late").await?;
    it.recorded("click", "late").await?;
    Ok(())
}

async fn nested_open_shadow_roots_are_read_and_clicked(it: &mut Trial) -> Result<()> {
    let page = it.open("shadow.html").await?;
    contains(&page, &["Press one", "Press slotted", "Press two", "Press three"])?;
    for name in ["Press three", "Press slotted", "Press two", "Press one"] {
        it.click("button", name).await?;
    }
    it.clicked(&["three", "slotted", "two", "one"]).await
}

async fn a_field_in_a_shadow_root_is_filled(it: &mut Trial) -> Result<()> {
    it.open("shadow.html").await?;
    let field = it.reference("textbox", "Inner field")?;
    it.act("fill", json!({ "ref": field, "value": "inside" })).await?;
    let path = "document.getElementById('first').shadowRoot.getElementById('second').shadowRoot\
        .getElementById('third').shadowRoot.getElementById('inner').value";
    ensure!(it.page_eval("shadow.html", path).await? == "inside", "the field does not hold the text");
    Ok(())
}
