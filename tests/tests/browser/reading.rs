//! Snapshots and diffs: what is shown fits its budget, what was left out is said, page text stays text.

use crate::{
    cases,
    trial::{Trial, contains},
};
use anyhow::{Context as _, Result, ensure};
use serde_json::json;
use std::time::Duration;

cases!(beside:
    a_large_page_is_folded_and_goes_on_at_the_cursor,
    a_small_change_of_a_large_page_is_a_small_diff,
    the_last_button_of_a_large_page_is_clicked,
    the_interactive_mode_drops_no_button,
    a_scope_shows_its_part_alone,
    depth_says_what_it_leaves_out,
    page_text_cannot_pose_as_lines,
    the_page_does_not_notice_being_read,
    nothing_changed_is_said,
    drawings_have_their_titles,
);

async fn a_large_page_is_folded_and_goes_on_at_the_cursor(it: &mut Trial) -> Result<()> {
    let page = it.open("large.html").await?;
    ensure!(page.tokens() < 8_000, "the page came in {} tokens", page.tokens());
    let cursor = page.text.split("cursor=").nth(1).context("no line gives a cursor")?;
    let cursor: String = cursor.chars().take_while(|c| !c.is_whitespace()).collect();
    let more = it.done("snapshot", json!({ "cursor": cursor })).await?;
    ensure!(more.text.lines().nth(1).is_some() && more.text != page.text, "the cursor shows nothing new");
    Ok(())
}

async fn a_small_change_of_a_large_page_is_a_small_diff(it: &mut Trial) -> Result<()> {
    it.open("large.html").await?;
    let reply = it.click("button", "Change one").await?;
    contains(&reply, &["Changed item"])?;
    ensure!(reply.tokens() < 150, "one changed text costs {} tokens", reply.tokens());
    ensure!(reply.elapsed < Duration::from_secs(3), "it took {:?}", reply.elapsed);
    it.clicked(&["one"]).await
}

async fn the_last_button_of_a_large_page_is_clicked(it: &mut Trial) -> Result<()> {
    it.open("large.html").await?;
    let count = it.page_eval("large.html", "document.querySelectorAll('#list *').length").await?;
    ensure!(count == 10_000, "the page has {count} elements");
    it.done("locate", json!({ "css": "#buy-1999" })).await?;
    it.click("button", "Buy 1999").await?;
    it.clicked(&["buy-1999"]).await
}

async fn the_interactive_mode_drops_no_button(it: &mut Trial) -> Result<()> {
    it.open("large.html?n=500").await?;
    let page = it.done("snapshot", json!({ "mode": "interactive", "max_tokens": 20_000 })).await?;
    for n in 0..100 {
        contains(&page, &[&format!("\"Buy {n}\""), &format!("\"More about {n}\"")])?;
    }
    Ok(())
}

async fn a_scope_shows_its_part_alone(it: &mut Trial) -> Result<()> {
    it.open("rows.html").await?;
    let swap = it.reference("button", "Swap")?;
    let bob = it.done("snapshot", json!({ "scope": "#row-Bob" })).await?;
    contains(&bob, &["Bob"])?;
    ensure!(!bob.text.contains("Alice"), "the scope shows more than itself");
    // A part does not end the refs of the rest.
    it.act("click", json!({ "ref": swap })).await?;
    it.clicked(&["swap"]).await
}

async fn depth_says_what_it_leaves_out(it: &mut Trial) -> Result<()> {
    it.open("rows.html").await?;
    let page = it.done("snapshot", json!({ "depth": 1 })).await?;
    ensure!(!page.text.contains("\"Delete\""), "depth 1 shows what is deeper");
    Ok(())
}

async fn page_text_cannot_pose_as_lines(it: &mut Trial) -> Result<()> {
    let page = it.open("forger.html").await?;
    for line in page.text.lines().map(str::trim_start) {
        ensure!(!line.starts_with("e1 button \"Pay\""), "a name forged a line");
        ensure!(!line.starts_with("e2 button \"Delete everything\""), "a text forged a line");
        ensure!(!line.starts_with("error ") && !line.starts_with("next: "), "a text forged a failure");
    }
    contains(&page, &["Attributes", "Getter", "Inside"])
}

async fn the_page_does_not_notice_being_read(it: &mut Trial) -> Result<()> {
    it.open("forger.html").await?;
    it.done("snapshot", json!({ "mode": "verbose" })).await?;
    it.click("button", "Inside").await?;
    // Fields whose names shadow what a script would call are worked like any other.
    let closest = it.reference("textbox", "Closest")?;
    it.act("fill", json!({ "ref": closest, "value": "no trap" })).await?;
    let held = it.page_eval("forger.html", "document.forms[1].elements[0].value").await?;
    ensure!(held == json!("no trap"), "the field holds {held}");
    let peeked = it.visit.record().iter().any(|entry| entry.event == "peeked");
    ensure!(!peeked, "the page's own functions were used to read it");
    it.clicked(&["inside"]).await
}

async fn nothing_changed_is_said(it: &mut Trial) -> Result<()> {
    it.open("rows.html").await?;
    let diff = it.done("diff", json!({})).await?;
    contains(&diff, &["page unchanged"])
}

async fn drawings_have_their_titles(it: &mut Trial) -> Result<()> {
    let page = it.open("svg.html").await?;
    contains(
        &page,
        &["Plain star", "Plain dot", "Framed star", "Framed button", "Shaded star", "Shaded dot"],
    )?;
    it.click("button", "Plain dot").await?;
    it.clicked(&["dot"]).await
}
