//! Frames of every kind: each is read and worked like the page around it, or says why not in its place.

use crate::{
    cases,
    trial::{Trial, contains},
};
use anyhow::{Context as _, Result, ensure};
use serde_json::json;

cases!(beside:
    frames_of_every_kind_are_read_and_clicked,
    frames_that_cannot_be_read_say_why,
    frames_that_come_late_or_move_on_are_read_and_clicked,
    a_lazy_frame_is_read_once_it_is_near,
    a_frame_that_is_not_drawn_is_not_shown,
    framesets_are_read_and_clicked,
);

/// What the button in each is called.
const KINDS: &[&str] = &[
    "of-this-site",
    "of-another-site",
    "behind-a-redirect",
    "sandboxed",
    "in-object",
    "embedded",
    "of-a-source",
    "of-data",
    "of-a-blob",
    "blank",
    "written",
    "of-a-script",
    "in-an-open-root",
    "in-a-closed-root",
];

async fn kinds(it: &mut Trial) -> Result<()> {
    it.open("frame-kinds.html").await?;
    // The slow one comes last.
    it.done("wait", json!({ "text": ["at last"] })).await?;
    it.done("snapshot", json!({ "max_tokens": 20_000 })).await?;
    Ok(())
}

async fn frames_of_every_kind_are_read_and_clicked(it: &mut Trial) -> Result<()> {
    kinds(it).await?;
    for kind in KINDS {
        it.click("button", &format!("Press {kind}")).await?;
    }
    it.clicked(KINDS).await
}

async fn frames_that_cannot_be_read_say_why(it: &mut Trial) -> Result<()> {
    kinds(it).await?;
    let page = it.done("snapshot", json!({ "max_tokens": 20_000 })).await?;
    let lines: Vec<&str> = page.text.lines().collect();
    let within = |title: &str| -> Result<String> {
        let at = lines.iter().position(|line| line.contains(&format!("\"{title}\"")));
        let at = at.with_context(|| format!("no line for {title:?}"))?;
        let depth = |line: &str| line.len() - line.trim_start().len();
        let inner = lines[at + 1..].iter().take_while(|line| depth(line) > depth(lines[at]));
        Ok([lines[at]].iter().chain(inner).copied().collect::<Vec<_>>().join("\n"))
    };
    for (title, reason) in
        [("Not allowed", "is not allowed"), ("Nowhere", "could not be loaded"), ("Lazy", "scroll to it")]
    {
        let said = within(title)?;
        ensure!(said.contains(reason), "{title} says no {reason:?}: {said}");
    }
    // Where no script may run, what there is is read all the same.
    for title in ["Without scripts", "Without scripts abroad", "Sandboxed"] {
        let said = within(title)?;
        ensure!(said.contains("Words in a frame"), "{title} is not read: {said}");
    }
    ensure!(within("Of a drawing")?.contains("Drawn in a frame"), "a drawing is not read");
    ensure!(within("Slow")?.contains("at last"), "what came late is not read");
    Ok(())
}

async fn frames_that_come_late_or_move_on_are_read_and_clicked(it: &mut Trial) -> Result<()> {
    kinds(it).await?;
    it.click("button", "Add late ones").await?;
    it.done("wait", json!({ "text": ["Press late", "Press moved-on"] })).await?;
    let page = it.done("snapshot", json!({ "max_tokens": 20_000 })).await?;
    ensure!(!page.text.contains("Soon another"), "what was there before is shown");
    for kind in ["late", "moved-on"] {
        it.click("button", &format!("Press {kind}")).await?;
        it.recorded("click", kind).await?;
    }
    Ok(())
}

async fn a_lazy_frame_is_read_once_it_is_near(it: &mut Trial) -> Result<()> {
    kinds(it).await?;
    it.act("scroll", json!({ "tab": it.tab, "to": "bottom" })).await?;
    it.done("wait", json!({ "text": ["Press lazy"] })).await?;
    it.done("snapshot", json!({ "max_tokens": 20_000 })).await?;
    it.click("button", "Press lazy").await?;
    it.clicked(&["lazy"]).await
}

async fn a_frame_that_is_not_drawn_is_not_shown(it: &mut Trial) -> Result<()> {
    kinds(it).await?;
    let page = it.done("snapshot", json!({ "max_tokens": 20_000 })).await?;
    for unseen in ["Never drawn", "Folded button"] {
        ensure!(!page.text.contains(unseen), "{unseen:?} is shown");
    }
    let more = it.done("find", json!({ "text": "More" })).await?;
    let summary = more.text.lines().map(str::trim_start).find(|line| line.contains("\"More\""));
    let summary = summary.and_then(|line| line.split(' ').next()).context("no summary")?.to_owned();
    it.act("click", json!({ "ref": summary })).await?;
    it.done("wait", json!({ "text": ["Folded button"] })).await?;
    Ok(())
}

async fn framesets_are_read_and_clicked(it: &mut Trial) -> Result<()> {
    it.open("frameset.html").await?;
    it.done("wait", json!({ "text": ["Press left", "Press above", "Press below"] })).await?;
    let page = it.done("snapshot", json!({})).await?;
    contains(&page, &["\"Left\"", "\"Above\"", "\"Below\""])?;
    for kind in ["above", "below", "left"] {
        it.click("button", &format!("Press {kind}")).await?;
    }
    it.clicked(&["above", "below", "left"]).await
}
