//! What comes and goes under an agent's feet: the service worker, the host, documents, tabs.

use crate::{
    cases,
    trial::{Trial, contains, on_stage},
    world::Stage,
};
use anyhow::{Result, ensure};
use serde_json::json;
use std::time::{Duration, Instant};

cases!(
    beside:
        a_page_kept_for_going_back_keeps_its_refs,
        a_rewritten_document_is_read_and_clicked,
        a_tab_that_was_closed_is_named,
        a_tab_behind_others_is_worked,
        a_crashed_page_is_named_and_comes_back,
        a_hold_that_chrome_ended_is_taken_again_at_once,
        a_page_that_goes_while_it_is_pressed_leaves_nothing_held,
        a_busy_page_is_told_as_such,
        a_host_that_hangs_is_given_up,
        a_stopped_worker_comes_back_by_its_alarm,
        what_was_held_before_the_extension_was_reloaded_has_lapsed,
    ; alone:
        a_tab_that_was_put_to_sleep_is_revived_and_worked,
        refs_outlive_the_service_worker,
        a_killed_host_comes_back,
);

async fn refs_outlive_the_service_worker(it: &mut Trial) -> Result<()> {
    it.open("frames.html").await?;
    it.call("wait", json!({ "text": ["Press third"] })).await?;
    it.done("snapshot", json!({})).await?;
    for name in ["Press third", "Press outer"] {
        it.browser().stop_worker().await?;
        // Whatever happens in an attached tab wakes the worker; it brings a new host with it.
        it.page_eval("frames.html", "history.replaceState({}, '', '#awake')").await?;
        let reference = it.reference("button", name)?;
        click_when_met(it, &reference).await?;
    }
    it.clicked(&["third", "outer"]).await
}

async fn a_killed_host_comes_back(it: &mut Trial) -> Result<()> {
    it.open("rows.html").await?;
    ensure!(it.browser().kill_host().await? > 0, "there was no host to kill");
    let swap = it.reference("button", "Swap")?;
    // A call that is sent while the host dies is told as interrupted. Looking can be repeated; an act could not.
    let first = it.call("snapshot", json!({})).await?;
    ensure!(!first.is_error || first.text.contains("\nnext: "), "no next step");
    click_when_met(it, &swap).await?;
    it.clicked(&["swap"]).await
}

async fn a_host_that_hangs_is_given_up(_: &mut Trial) -> Result<()> {
    on_stage(Stage::start().await?, "patient", async |it| {
        it.open("rows.html").await?;
        let swap = it.reference("button", "Swap")?;
        ensure!(it.browser().freeze_host().await? > 0, "there was no host to stop");
        let start = Instant::now();
        // It goes nowhere, and is told so once the pipe was found dead.
        let reply = it.call("act", json!({ "kind": "click", "ref": swap })).await?;
        contains(&reply, &["error not_started:", "Nothing done", "\nnext: call it again"])?;
        click_when_met(it, &swap).await?;
        ensure!(start.elapsed() < Duration::from_secs(37), "it took {:?}", start.elapsed());
        it.clicked(&["swap"]).await
    })
    .await
}

async fn a_stopped_worker_comes_back_by_its_alarm(_: &mut Trial) -> Result<()> {
    on_stage(Stage::start().await?, "alone", async |it| {
        // No tab is attached: nothing else wakes it.
        it.browser().stop_worker().await?;
        let start = Instant::now();
        loop {
            let reply = it.call("tabs", json!({})).await?;
            if !reply.is_error {
                return Ok(());
            }
            contains(&reply, &["error host_", "\nnext: "])?;
            ensure!(start.elapsed() < Duration::from_secs(35), "it does not come back");
            tokio::time::sleep(Duration::from_millis(250)).await;
        }
    })
    .await
}

async fn what_was_held_before_the_extension_was_reloaded_has_lapsed(_: &mut Trial) -> Result<()> {
    on_stage(Stage::start().await?, "holder", async |it| {
        it.open("rows.html").await?;
        let (tab, swap) = (it.tab.clone(), it.reference("button", "Swap")?);
        it.browser().reload_extension().await?;
        let start = Instant::now();
        while it.call("tabs", json!({})).await?.is_error {
            ensure!(start.elapsed() < Duration::from_secs(5), "the extension does not come back");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        it.act_refused("click", json!({ "ref": swap }), "lapsed").await?;
        it.refused("snapshot", json!({ "tab": tab }), "lapsed").await?;
        it.clicked(&[]).await?;
        // What is opened now has other names.
        it.open("rows.html").await?;
        ensure!(it.tab != tab && it.reference("button", "Swap")? != swap, "a name was given twice");
        it.click("button", "Swap").await?;
        it.clicked(&["swap"]).await
    })
    .await
}

/// Clicks once there is a host again. Until then each call must say that there is none, and what to do.
async fn click_when_met(it: &mut Trial, reference: &str) -> Result<()> {
    let start = Instant::now();
    loop {
        let reply = it.call("act", json!({ "kind": "click", "ref": reference })).await?;
        if !reply.is_error {
            return Ok(());
        }
        contains(&reply, &["error host_", "next: "])?;
        ensure!(start.elapsed() < Duration::from_secs(15), "the host does not come back");
        tokio::time::sleep(Duration::from_millis(250)).await;
    }
}

async fn a_page_kept_for_going_back_keeps_its_refs(it: &mut Trial) -> Result<()> {
    it.open("history.html").await?;
    let here = it.reference("button", "Press here")?;
    it.click("link", "Go away").await?;
    it.done("navigate", json!({ "to": "back" })).await?;
    let kept = it.visit.record_once(|record| record.iter().any(|entry| entry.value == "kept")).await;
    ensure!(kept.iter().any(|entry| entry.value == "kept"), "the browser did not keep the page: {kept:?}");
    it.act("click", json!({ "ref": here })).await?;
    it.recorded("click", "here").await?;
    Ok(())
}

async fn a_rewritten_document_is_read_and_clicked(it: &mut Trial) -> Result<()> {
    it.open("rewrite.html").await?;
    let reply = it.click("button", "Rewrite").await?;
    contains(&reply, &["Press after"])?;
    it.click("button", "Press after").await?;
    it.recorded("click", "after").await?;
    Ok(())
}

async fn a_tab_that_was_closed_is_named(it: &mut Trial) -> Result<()> {
    let page = it.open("rows.html").await?;
    let swap = it.reference("button", "Swap")?;
    let tab = page.text.split(' ').next().unwrap_or_default().to_owned();
    it.done("tabs", json!({ "action": "close", "tab": tab })).await?;
    it.act_refused("click", json!({ "ref": swap }), "tab_closed").await?;
    it.refused("snapshot", json!({ "tab": tab }), "tab_closed").await?;
    it.refused("snapshot", json!({}), "no_tab").await?;
    Ok(())
}

async fn a_tab_that_was_put_to_sleep_is_revived_and_worked(it: &mut Trial) -> Result<()> {
    it.open("rows.html").await?;
    let old = it.reference("button", "Swap")?;
    let tab = it.chrome_tab("rows.html").await?;
    it.browser().worker_eval(&format!("chrome.tabs.discard({tab})")).await?;
    let start = Instant::now();
    while it.call("snapshot", json!({})).await?.is_error {
        ensure!(start.elapsed() < Duration::from_secs(10), "the tab is not revived");
    }
    it.act_refused("click", json!({ "ref": old }), "wrong_document").await?;
    it.done("snapshot", json!({})).await?;
    it.click("button", "Swap").await?;
    it.clicked(&["swap"]).await?;
    ensure!(!it.is_in_front("rows.html").await?, "it came to the front");
    // Once it is looked at, it has its window's size.
    let width = it.page_eval("rows.html", "innerWidth").await?;
    it.done("tabs", json!({ "action": "activate" })).await?;
    let shown = "new Promise((go) => setTimeout(() => go(innerWidth), 300))";
    let shown = it.page_eval("rows.html", shown).await?;
    ensure!(width == 1280 && shown != 0, "the page is {width} wide behind others, {shown} in front");
    Ok(())
}

/// At every step of a press the page goes elsewhere: the next act finds no button held down.
async fn a_page_that_goes_while_it_is_pressed_leaves_nothing_held(it: &mut Trial) -> Result<()> {
    for event in ["mouseover", "pointerdown", "mousedown", "mouseup", "click"] {
        it.open("rows.html").await?;
        let go = format!(
            "document.getElementById('swap').addEventListener('{event}', () => location.assign('links.html')); 0"
        );
        it.page_eval("rows.html", &go).await?;
        it.done("snapshot", json!({})).await?;
        let swap = it.reference("button", "Swap")?;
        let reply = it.call("act", json!({ "kind": "click", "ref": swap })).await?;
        if reply.is_error {
            contains(&reply, &["\nnext: "])?;
        }
        it.call("wait", json!({ "url": "*links.html" })).await?;
        it.done("snapshot", json!({})).await?;
        let held = "addEventListener('mousemove', (event) => record('held', String(event.buttons)), { capture: true, once: true }); 0";
        it.page_eval("links.html", held).await?;
        let link = it.outline.all("link").first().map(|line| line.reference.clone());
        let link = link.ok_or_else(|| anyhow::anyhow!("no link is shown"))?;
        it.act("hover", json!({ "ref": link })).await?;
        it.recorded("held", "0").await?;
        it.done("tabs", json!({ "action": "close" })).await?;
        it.outline = tests::outline::Outline::default();
    }
    Ok(())
}

async fn a_busy_page_is_told_as_such(it: &mut Trial) -> Result<()> {
    it.open("rows.html").await?;
    let busy = "document.getElementById('swap').addEventListener('mousedown', () => { const end = Date.now() + 12_000; while (Date.now() < end); }); 0";
    it.page_eval("rows.html", busy).await?;
    it.done("snapshot", json!({})).await?;
    let swap = it.reference("button", "Swap")?;
    let reply = it.act_refused("click", json!({ "ref": swap }), "timed_out").await?;
    contains(&reply, &["the page did not answer", "busy", "may still arrive"])?;
    // It arrives once, and the next act works.
    it.clicked(&["swap"]).await?;
    let drop = it.reference("button", "Drop Bob")?;
    it.act("click", json!({ "ref": drop })).await?;
    it.clicked(&["swap", "drop"]).await
}

async fn a_tab_behind_others_is_worked(it: &mut Trial) -> Result<()> {
    it.open("rows.html").await?;
    let seen = it.page_eval("rows.html", "document.visibilityState").await?;
    let start = Instant::now();
    it.click("button", "Swap").await?;
    ensure!(start.elapsed() < Duration::from_secs(5), "a click took {:?}", start.elapsed());
    it.clicked(&["swap"]).await?;
    ensure!(!it.browser().version().is_empty() && seen.is_string(), "the page was not there");
    Ok(())
}

async fn a_crashed_page_is_named_and_comes_back(it: &mut Trial) -> Result<()> {
    it.open("rows.html").await?;
    it.browser().crash(it.visit.page("rows.html").trim_start_matches("http://")).await?;
    it.refused("snapshot", json!({}), "crashed").await?;
    it.done("navigate", json!({ "to": "reload" })).await?;
    it.click("button", "Swap").await?;
    it.clicked(&["swap"]).await
}

async fn a_hold_that_chrome_ended_is_taken_again_at_once(it: &mut Trial) -> Result<()> {
    it.open("rows.html").await?;
    let (swap, bobs) = (it.reference("button", "Swap")?, it.reference_under("button", "Delete", "Bob")?);
    let tab = it.chrome_tab("rows.html").await?;
    for reference in [swap, bobs] {
        let end = format!(
            "chrome.debugger.detach({{ tabId: {tab} }})
                .then(() => chrome.debugger.onDetach.dispatch({{ tabId: {tab} }}, 'target_closed'))"
        );
        it.browser().worker_eval(&end).await?;
        it.act("click", json!({ "ref": reference })).await?;
    }
    it.clicked(&["swap", "delete-Bob"]).await
}
