//! What cannot be done is said in a sentence with the next step, and the next call works.

use crate::{
    cases,
    trial::{Trial, contains},
};
use anyhow::{Context as _, Result, ensure};
use serde_json::json;
use std::time::{Duration, Instant};

cases!(beside:
    an_unknown_tool_is_named,
    an_unknown_argument_lists_the_known_ones,
    a_malformed_ref_is_named,
    a_ref_that_was_never_given_is_named,
    without_a_tab_there_is_no_snapshot,
    a_tab_of_another_agent_is_held,
    a_ref_that_was_never_shown_needs_expect,
    a_tab_given_back_takes_its_refs_along,
    null_counts_as_absent,
    an_argument_over_the_limit_is_refused_and_one_below_it_works,
    before_a_snapshot_nothing_is_taken_for_shown,
    all_tools_are_listed_within_their_budget,
);

async fn an_unknown_tool_is_named(it: &mut Trial) -> Result<()> {
    // Clients may get this as an error of the protocol or as a failed call; either names the tool.
    match it.call("teleport", json!({})).await {
        Ok(reply) => {
            ensure!(reply.is_error, "there is no such tool");
            contains(&reply, &["teleport"])?;
        }
        Err(error) => {
            ensure!(format!("{error:#}").contains("teleport"), "the error does not name it: {error:#}");
        }
    }
    it.open("rows.html").await?;
    Ok(())
}

async fn an_unknown_argument_lists_the_known_ones(it: &mut Trial) -> Result<()> {
    it.open("rows.html").await?;
    let reply = it.refused("snapshot", json!({ "colour": "red" }), "bad_argument").await?;
    contains(&reply, &["colour", "max_tokens"])?;
    let swap = it.reference("button", "Swap")?;
    let reply = it.act_refused("hover", json!({ "ref": swap, "values": ["x"] }), "bad_argument").await?;
    contains(&reply, &["values"])?;
    it.act_refused("click", json!({}), "bad_argument").await?;
    it.act_refused("wave", json!({ "ref": swap }), "bad_argument").await?;
    it.clicked(&[]).await
}

async fn a_malformed_ref_is_named(it: &mut Trial) -> Result<()> {
    it.open("rows.html").await?;
    for bad in ["12", "button", "e", "e-1", "#swap"] {
        let reply = it.act_refused("click", json!({ "ref": bad }), "bad_argument").await?;
        contains(&reply, &[bad])?;
    }
    let swap = it.reference("button", "Swap")?;
    it.act("click", json!({ "ref": format!("@{swap}") })).await?;
    it.act("click", json!({ "ref": format!("ref={swap}") })).await?;
    it.clicked(&["swap", "swap"]).await
}

async fn a_ref_that_was_never_given_is_named(it: &mut Trial) -> Result<()> {
    it.open("rows.html").await?;
    let reply = it.act_refused("click", json!({ "ref": "e999999999" }), "unknown_ref").await?;
    contains(&reply, &["e999999999"])
}

async fn without_a_tab_there_is_no_snapshot(it: &mut Trial) -> Result<()> {
    it.refused("snapshot", json!({}), "no_tab").await?;
    let list = it.done("tabs", json!({})).await?;
    contains(&list, &["without_a_tab_there_is_no_snapshot"])
}

async fn a_tab_of_another_agent_is_held(it: &mut Trial) -> Result<()> {
    let page = it.open("rows.html").await?;
    let tab = page.text.split(' ').next().unwrap_or_default().to_owned();
    let other = it.another_agent("the other").await?;
    let reply = other.call("snapshot", json!({ "tab": tab })).await?;
    let list = other.call("tabs", json!({})).await?;
    other.close().await?;
    ensure!(reply.is_error && reply.text.contains("error held:"), "another agent got {:?}", reply.text);
    ensure!(
        reply.text.contains("a_tab_of_another_agent_is_held"),
        "the holder is not named: {:?}",
        reply.text
    );
    // Tabs that agents of other tests left behind are free and listed; this one is not.
    let address = it.visit.page("rows.html");
    ensure!(!list.text.contains(&address), "another agent sees the tab: {:?}", list.text);
    Ok(())
}

async fn a_ref_that_was_never_shown_needs_expect(it: &mut Trial) -> Result<()> {
    // The list is folded; the cursor names the last element that was shown before the fold.
    let page = it.open("large.html").await?;
    let cursor = page.text.split("cursor=e").nth(1).context("the page is shown whole")?;
    let last: String = cursor.chars().take_while(char::is_ascii_digit).collect();
    let unseen = format!("e{}", last.parse::<u32>()? + 1);
    it.act_refused("click", json!({ "ref": unseen }), "unseen").await?;
    it.clicked(&[]).await?;
    it.act("click", json!({ "ref": unseen, "expect": "1" })).await?;
    Ok(())
}

async fn a_tab_given_back_takes_its_refs_along(it: &mut Trial) -> Result<()> {
    it.open("rows.html").await?;
    let (swap, tab) = (it.reference("button", "Swap")?, it.tab.clone());
    it.done("tabs", json!({ "action": "release", "tab": tab })).await?;
    it.act_refused("click", json!({ "ref": swap }), "tab_released").await?;
    it.refused("snapshot", json!({ "tab": tab }), "tab_released").await?;
    it.clicked(&[]).await
}

async fn null_counts_as_absent(it: &mut Trial) -> Result<()> {
    it.open("rows.html").await?;
    it.done("snapshot", json!({ "scope": null, "depth": null, "cursor": null, "tab": null })).await?;
    Ok(())
}

async fn an_argument_over_the_limit_is_refused_and_one_below_it_works(it: &mut Trial) -> Result<()> {
    it.open("form.html").await?;
    let notes = it.reference("textbox", "Notes")?;
    // One is more than a request may be, the other more than one message of native messaging may carry.
    let (over, below) = ("all work and no play ".repeat(220_000), "all work and no play ".repeat(80_000));
    ensure!(over.len() > 4 * 1024 * 1024 && below.len() > 1024 * 1024, "the sizes are not what they were");
    let reply = it.act_refused("fill", json!({ "ref": notes, "value": over }), "too_large").await?;
    contains(&reply, &["4194304"])?;
    let field = "document.querySelector('textarea').value";
    ensure!(it.page_eval("form.html", field).await? == "first line", "the refused text is there");
    it.act("fill", json!({ "ref": notes, "value": below, "diff": "none" })).await?;
    let length = it.page_eval("form.html", &format!("{field}.length")).await?;
    ensure!(length == below.len(), "{length} of {} characters arrived", below.len());
    it.done("snapshot", json!({ "scope": notes, "max_tokens": 1000 })).await?;
    Ok(())
}

async fn all_tools_are_listed_within_their_budget(it: &mut Trial) -> Result<()> {
    let tools = it.another_agent("reader").await?.tools().await?;
    let listed = serde_json::to_string(&tools)?;
    let tokens = tests::client::tokens(&listed);
    ensure!(tokens <= 3_000, "the list of tools costs {tokens} tokens");
    for tool in &tools {
        let length = tool.description.as_deref().unwrap_or_default().len();
        ensure!(length > 0 && length <= 2_000, "the description of {} has {length} characters", tool.name);
        ensure!(tool.annotations.is_some(), "{} has no annotations", tool.name);
    }
    Ok(())
}

async fn before_a_snapshot_nothing_is_taken_for_shown(it: &mut Trial) -> Result<()> {
    // A tab that another agent left behind was never shown to this one.
    let before = it.another_agent("the one before").await?;
    let shown = before.call("tabs", json!({ "action": "open", "url": it.visit.page("rows.html") })).await?;
    let tab = shown.text.split(' ').next().unwrap_or_default().to_owned();
    it.outline.read(&shown.text);
    before.close().await?;
    let start = Instant::now();
    while !it.done("tabs", json!({})).await?.text.contains("free: name it to take it") {
        ensure!(start.elapsed() < Duration::from_secs(5), "the tab that was left behind is not free");
    }

    it.refused("diff", json!({}), "no_tab").await?;
    let swap = it.reference("button", "Swap")?;
    let reply = it.act_refused("click", json!({ "ref": swap }), "unseen").await?;
    contains(&reply, &[&swap, "button \"Swap\"", "was not shown to you", "next: take a snapshot"])?;
    it.clicked(&[]).await?;
    let reply = it.done("diff", json!({ "tab": tab })).await?;
    contains(&reply, &["what you were shown before is lost; the page now", "\"Swap\""])?;
    it.act("click", json!({ "ref": swap })).await?;
    it.clicked(&["swap"]).await
}
