//! Settling and waiting: a reply tells what an act led to, and `wait` what came later.

use crate::{
    cases,
    trial::{Trial, contains},
};
use anyhow::{Result, ensure};
use serde_json::json;
use std::time::Duration;

cases!(beside:
    an_act_waits_for_the_request_it_started,
    what_came_and_went_is_told,
    a_text_is_waited_for,
    what_does_not_come_is_no_failure,
    a_text_is_waited_for_until_it_goes,
    an_address_is_waited_for,
    a_ticking_page_settles,
);

async fn an_act_waits_for_the_request_it_started(it: &mut Trial) -> Result<()> {
    it.open("busy.html").await?;
    let reply = it.click("button", "Load").await?;
    contains(&reply, &["Loaded at last"])
}

async fn what_came_and_went_is_told(it: &mut Trial) -> Result<()> {
    it.open("busy.html").await?;
    let reply = it.click("button", "Toast").await?;
    contains(&reply, &["Saved for now"])
}

async fn a_text_is_waited_for(it: &mut Trial) -> Result<()> {
    it.open("busy.html").await?;
    it.click("button", "Later").await?;
    let reply = it.done("wait", json!({ "text": ["Never", "At last it came"] })).await?;
    contains(&reply, &["met", "At last it came"])
}

async fn what_does_not_come_is_no_failure(it: &mut Trial) -> Result<()> {
    it.open("busy.html").await?;
    let reply = it.done("wait", json!({ "text": ["Never"], "timeout_ms": 700 })).await?;
    contains(&reply, &["not met"])?;
    ensure!(reply.elapsed < Duration::from_secs(3), "it took {:?}", reply.elapsed);
    Ok(())
}

async fn a_text_is_waited_for_until_it_goes(it: &mut Trial) -> Result<()> {
    it.open("rows.html").await?;
    it.page_eval("rows.html", "setTimeout(() => document.getElementById('row-Bob').remove(), 500); 0")
        .await?;
    let reply = it.done("wait", json!({ "text_gone": "Bob" })).await?;
    contains(&reply, &["met"])
}

async fn an_address_is_waited_for(it: &mut Trial) -> Result<()> {
    it.open("links.html").await?;
    it.page_eval("links.html", "setTimeout(() => { location.href = 'rows.html'; }, 500); 0").await?;
    let reply = it.done("wait", json!({ "url": "*/rows.html" })).await?;
    contains(&reply, &["met"])
}

async fn a_ticking_page_settles(it: &mut Trial) -> Result<()> {
    it.open("rerender.html").await?;
    let reply = it.click("button", "Add one").await?;
    ensure!(reply.elapsed < Duration::from_secs(5), "a page that never rests took {:?}", reply.elapsed);
    contains(&reply, &["1 so far"])
}
