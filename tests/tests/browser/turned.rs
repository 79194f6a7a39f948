//! Frames that a page turns, slants, mirrors or shows in perspective are worked like others, by refs and by points.

use crate::cases;
use crate::trial::{Trial, contains};
use anyhow::{Context as _, Result};
use serde_json::json;

cases!(beside:
    what_is_in_turned_frames_of_this_site_is_pressed,
    what_is_in_turned_frames_of_another_site_is_pressed,
    points_in_turned_frames_are_pressed,
    what_cannot_be_followed_is_said,
);

const PAGE: &str = "turned.html";
const WAYS: [&str; 4] = ["quarter", "slanted", "mirrored", "deep"];

async fn open(it: &mut Trial) -> Result<()> {
    it.open(PAGE).await?;
    let words: Vec<_> = WAYS.iter().map(|way| format!("Press {way}-there")).collect();
    it.done("wait", json!({ "text": words, "timeout_ms": 10_000 })).await?;
    it.done("snapshot", json!({ "max_tokens": 20_000 })).await?;
    Ok(())
}

async fn press(it: &mut Trial, site: &str) -> Result<()> {
    open(it).await?;
    let ids: Vec<_> = WAYS.iter().map(|way| format!("{way}-{site}")).collect();
    for id in &ids {
        it.click("button", &format!("Press {id}")).await?;
    }
    it.clicked(&ids.iter().map(String::as_str).collect::<Vec<_>>()).await
}

async fn what_is_in_turned_frames_of_this_site_is_pressed(it: &mut Trial) -> Result<()> {
    press(it, "here").await
}

async fn what_is_in_turned_frames_of_another_site_is_pressed(it: &mut Trial) -> Result<()> {
    press(it, "there").await
}

async fn points_in_turned_frames_are_pressed(it: &mut Trial) -> Result<()> {
    open(it).await?;
    // The button stands in the lower left of its frame: after a quarter turn that is the upper left.
    let place = "(() => {
        const frame = document.querySelector('.quarter'), box = frame.getBoundingClientRect();
        const button = frame.contentDocument.querySelector('button').getBoundingClientRect();
        const edge = 12;
        return [box.right - edge - (button.top + button.height / 2), box.top + edge + button.left + button.width / 2];
    })()";
    let at = it.page_eval(PAGE, place).await?;
    let (x, y) = at[0].as_f64().zip(at[1].as_f64()).context("the button has no place")?;
    let asked = json!({ "tab": it.tab, "x": x.round(), "y": y.round(), "expect": "Press quarter-here" });
    let reply = it.act("click_at", asked).await?;
    contains(&reply, &["Press quarter-here"])?;
    it.clicked(&["quarter-here"]).await
}

async fn what_cannot_be_followed_is_said(it: &mut Trial) -> Result<()> {
    open(it).await?;
    let button = it.reference("button", "Press quarter-nested")?;
    let reply = it.act_refused("click", json!({ "ref": button }), "frame_unread").await?;
    contains(&reply, &["turned"])?;
    it.clicked(&[]).await
}
