//! Scenes of what is not an act, and of what comes between an agent and its act.

use super::{scene::Scene, takes};
use anyhow::{Result, ensure};
use serde_json::json;

takes! {
    "reading": "navigate, snapshot, diff, locate and wait" by reading,
    "ahead": "a page that changes while its agent thinks is read before the next call" by ahead,
    "frames": "cross-process frames three deep are read, one is clicked into" by frames,
    "dialog": "a dialog opened by a click is told and answered" by dialog,
    "restart": "the worker is ended between two calls; refs go on" by restart,
    "host-killed": "the host ends and comes back" by host_killed,
    "refused-refs": "refs that were never given, of another document, and gone" by refused_refs,
    "refused-changed": "a row that shows something else by now is refused; `expect` goes on" by refused_changed,
    "crash": "a crashed page is told and comes back" by crash,
    "closed-in-act": "the tab is closed in the middle of an act" by closed_in_act,
    "agent-gone": "the agent ends in the middle of an act; another takes the tab" by agent_gone,
}

async fn reading(it: &mut Scene) -> Result<()> {
    let url = it.page("rows.html");
    it.done("navigate", json!({ "url": url })).await?;
    it.done("snapshot", json!({ "mode": "interactive" })).await?;
    it.page_eval("rows.html", "document.getElementById('swap').click()").await?;
    it.done("diff", json!({})).await?;
    let carols = it.reference_under("button", "Delete", "Carol")?;
    it.done("locate", json!({ "ref": carols })).await?;
    it.done("locate", json!({ "css": "#swap" })).await?;
    it.done("wait", json!({ "text": ["Alice"] })).await?;
    it.done("navigate", json!({ "to": "reload" })).await?;
    Ok(())
}

async fn ahead(it: &mut Scene) -> Result<()> {
    it.visit("rows.html").await?;
    it.page_eval("rows.html", "document.getElementById('swap').click()").await?;
    // What is new in the first document is being read; the call waits for that.
    it.recorded(&["c.facts(1,"]).await?;
    it.done("diff", json!({})).await?;
    Ok(())
}

async fn frames(it: &mut Scene) -> Result<()> {
    it.visit("frames.html").await?;
    it.done("wait", json!({ "text": ["Press third"] })).await?;
    it.done("snapshot", json!({})).await?;
    it.act_on("click", "button", "Press third", json!({})).await?;
    Ok(())
}

async fn dialog(it: &mut Scene) -> Result<()> {
    it.visit("dialogs.html").await?;
    let confirm = it.reference("button", "Confirm")?;
    let reply = it.agent().call("act", json!({ "kind": "click", "ref": confirm })).await?;
    ensure!(reply.text.contains("Really?"), "the dialog is not told: {}", reply.text);
    it.refused("snapshot", json!({}), "dialog_open").await?;
    it.done("dialog", json!({ "action": "accept" })).await?;
    Ok(())
}

async fn restart(it: &mut Scene) -> Result<()> {
    it.visit("rows.html").await?;
    let swap = it.reference("button", "Swap")?;
    it.take().await?;
    it.browser().stop_worker().await?;
    // Whatever happens in an attached tab wakes the worker; it brings a new host with it.
    it.page_eval("rows.html", "history.replaceState({}, '', '#awake')").await?;
    it.done_when_met("act", json!({ "kind": "click", "ref": swap })).await?;
    Ok(())
}

async fn host_killed(it: &mut Scene) -> Result<()> {
    it.visit("rows.html").await?;
    let swap = it.reference("button", "Swap")?;
    ensure!(it.browser().kill_host().await? > 0, "there was no host to kill");
    // An act that is sent while the host dies may have been done or not; looking can be repeated.
    it.done_when_met("snapshot", json!({})).await?;
    it.done("act", json!({ "kind": "click", "ref": swap })).await?;
    Ok(())
}

async fn refused_refs(it: &mut Scene) -> Result<()> {
    it.visit("rows.html").await?;
    it.refused("act", json!({ "kind": "click", "ref": "e999" }), "unknown_ref").await?;
    let bobs = it.reference_under("button", "Delete", "Bob")?;
    it.page_eval("rows.html", "document.getElementById('row-Bob').remove()").await?;
    it.refused("act", json!({ "kind": "click", "ref": bobs }), "gone").await?;
    let swap = it.reference("button", "Swap")?;
    it.done("navigate", json!({ "to": "reload" })).await?;
    it.refused("act", json!({ "kind": "click", "ref": swap }), "wrong_document").await?;
    Ok(())
}

async fn refused_changed(it: &mut Scene) -> Result<()> {
    it.visit("recycled.html").await?;
    let archive = it.reference_under("button", "Archive", "Message 3")?;
    it.page_eval("recycled.html", "document.getElementById('on').click()").await?;
    it.refused("act", json!({ "kind": "click", "ref": archive }), "changed").await?;
    it.done("act", json!({ "kind": "click", "ref": archive, "expect": "Message 15" })).await?;
    Ok(())
}

async fn crash(it: &mut Scene) -> Result<()> {
    it.visit("rows.html").await?;
    let address = it.address("rows.html");
    it.browser().crash(&address).await?;
    it.refused("snapshot", json!({}), "crashed").await?;
    it.done("navigate", json!({ "to": "reload" })).await?;
    it.act_on("click", "button", "Swap", json!({})).await?;
    Ok(())
}

async fn closed_in_act(it: &mut Scene) -> Result<()> {
    it.visit("covered.html").await?;
    let agent = it.waiting_click("Off").await?;
    let address = it.address("covered.html");
    let targets = it.browser().targets().await?;
    for page in targets.iter().filter(|page| page.kind == "page" && page.url.contains(&address)) {
        it.browser().close_target(&page.id).await?;
    }
    let reply = agent.await??;
    ensure!(reply.text.contains("error tab_closed:"), "the act was answered: {}", reply.text);
    it.refused("snapshot", json!({}), "no_tab").await?;
    Ok(())
}

async fn agent_gone(it: &mut Scene) -> Result<()> {
    it.visit("covered.html").await?;
    let off = it.reference("button", "Off")?;
    it.waiting_click("Off").await?.abort();
    it.another_agent().await?;
    it.recorded(&["\"port\"", "\"left"]).await?;
    it.refused("act", json!({ "kind": "click", "ref": off }), "unseen").await?;
    Ok(())
}
