//! How long refs last: pages that are rendered anew without end, views of one document, going back and forward, workers
//! that end, agents that take over, elements by the hundred thousand.

use crate::{
    cases,
    trial::{Trial, contains},
};
use anyhow::{Context as _, Result, ensure};
use serde_json::{Value, json};
use std::{
    collections::BTreeSet,
    time::{Duration, Instant},
};

cases!(
    beside:
        a_page_rendered_anew_every_3_ms_is_worked_or_refused_by_name,
        equal_nodes_rendered_anew_are_no_change,
        an_old_ref_of_what_was_found_again_goes_on_working,
        views_of_one_document_keep_its_refs,
        going_back_and_forward_keeps_the_refs_of_each_page,
        no_ref_of_one_document_means_anything_in_another,
        refs_go_with_a_tab_that_is_handed_over,
        what_is_gone_is_pruned,
    ; alone:
        an_agent_goes_on_where_a_worker_ended,
);

/// An act on a page that is never at rest.
const AT_MOST: Duration = Duration::from_secs(12);

async fn a_page_rendered_anew_every_3_ms_is_worked_or_refused_by_name(it: &mut Trial) -> Result<()> {
    it.open("anew.html?3").await?;
    let acts = [
        ("click", it.reference("button", "Add one")?, Value::Null, "added", "add"),
        ("fill", it.reference("textbox", "Note")?, json!("hello"), "noted", "note"),
        ("click", it.reference_under("button", "Drop", "Bob")?, Value::Null, "dropped", "drop-Bob"),
        ("click", it.reference("button", "Add one")?, Value::Null, "added", "add"),
        ("fill", it.reference("textbox", "Note")?, json!("again"), "noted", "note"),
        ("click", it.reference_under("button", "Drop", "Carol")?, Value::Null, "dropped", "drop-Carol"),
    ];
    let named =
        ["missed", "moving", "gone", "changed", "document_changed", "not_taken", "no_focus", "focus_moved"];
    for (kind, reference, value, event, id) in acts {
        let (before, start) = (done(it, event, id), Instant::now());
        let mut arguments = json!({ "kind": kind, "ref": reference });
        if !value.is_null() {
            arguments["value"] = value.clone();
        }
        let reply = it.call("act", arguments).await?;
        ensure!(start.elapsed() < AT_MOST, "{kind} took {:?}", start.elapsed());
        if reply.is_error {
            let code = reply.text.split("error ").nth(1).and_then(|rest| rest.split(':').next());
            ensure!(code.is_some_and(|code| named.contains(&code)), "refused as {code:?}");
            contains(&reply, &["\nnext: "])?;
        } else {
            it.visit.record_once(|_| done(it, event, id) > before).await;
            ensure!(done(it, event, id) > before, "{kind} was reported done and was not");
            ensure!(kind == "fill" || done(it, event, id) == before + 1, "{kind} was done more than once");
        }
    }
    let others: Vec<_> = it
        .visit
        .record()
        .into_iter()
        .filter(|entry| entry.event == "dropped" && entry.id != "drop-Bob" && entry.id != "drop-Carol")
        .collect();
    ensure!(others.is_empty(), "something else was dropped: {others:?}");
    Ok(())
}

/// How often the page recorded this.
fn done(it: &Trial, event: &str, id: &str) -> usize {
    it.visit.record().iter().filter(|entry| entry.event == event && entry.id == id).count()
}

async fn equal_nodes_rendered_anew_are_no_change(it: &mut Trial) -> Result<()> {
    it.open("anew.html?40").await?;
    it.done("snapshot", json!({})).await?;
    let before: BTreeSet<_> = it.outline.refs().into_iter().collect();
    for _ in 0..5 {
        let renders = it.page_eval("anew.html", "renders").await?;
        let on = format!(
            "new Promise((go) => {{ const at = setInterval(() => renders > {renders} + 2 && (clearInterval(at), go(1)), 5); }})"
        );
        it.page_eval("anew.html", &on).await?;
        let reply = it.done("diff", json!({})).await?;
        contains(&reply, &["page unchanged"])?;
    }
    let again = it.done("snapshot", json!({})).await?;
    let mut outline = tests::outline::Outline::default();
    outline.read(&again.text);
    let after: BTreeSet<_> = outline.refs().into_iter().collect();
    ensure!(before == after, "refs were {before:?}, are {after:?}");
    Ok(())
}

async fn an_old_ref_of_what_was_found_again_goes_on_working(it: &mut Trial) -> Result<()> {
    it.open("rows.html").await?;
    let swap = it.reference("button", "Swap")?;
    // Another node of the same kind elsewhere: no longer the same to a tree that is built after the old one.
    let anew = "{ const old = document.getElementById('swap'); const main = document.createElement('main');
        const made = document.createElement('button'); made.id = 'swap'; made.textContent = 'Swap';
        made.addEventListener('click', () => rows.append(rows.firstElementChild));
        old.remove(); main.append(made); document.body.append(main); } 0";
    for times in 1..=3 {
        it.page_eval("rows.html", anew).await?;
        it.act("click", json!({ "ref": swap })).await?;
        it.clicked(&vec!["swap"; times]).await?;
    }
    Ok(())
}

async fn views_of_one_document_keep_its_refs(it: &mut Trial) -> Result<()> {
    it.open("rows.html").await?;
    let bobs = it.reference_under("button", "Delete", "Bob")?;
    for view in
        ["history.pushState({}, '', '?view=2')", "location.hash = 'three'", "history.back()", "history.go(1)"]
    {
        it.page_eval("rows.html", &format!("{view}; 0")).await?;
        it.done("snapshot", json!({})).await?;
        ensure!(it.reference_under("button", "Delete", "Bob")? == bobs, "{view} made another ref");
    }
    it.act("click", json!({ "ref": bobs })).await?;
    it.clicked(&["delete-Bob"]).await
}

async fn going_back_and_forward_keeps_the_refs_of_each_page(it: &mut Trial) -> Result<()> {
    it.open("history.html").await?;
    let here = it.reference("button", "Press here")?;
    it.click("link", "Go away").await?;
    let rows = it.reference("link", "Rows")?;
    it.act_refused("click", json!({ "ref": here }), "wrong_document").await?;
    it.done("navigate", json!({ "to": "back" })).await?;
    it.act_refused("click", json!({ "ref": rows }), "wrong_document").await?;
    it.act("click", json!({ "ref": here })).await?;
    it.recorded("click", "here").await?;
    it.done("navigate", json!({ "to": "forward" })).await?;
    it.act_refused("click", json!({ "ref": here }), "wrong_document").await?;
    it.act("click", json!({ "ref": rows })).await?;
    it.recorded("click", "plain").await?;
    Ok(())
}

async fn no_ref_of_one_document_means_anything_in_another(it: &mut Trial) -> Result<()> {
    it.open("rows.html").await?;
    let mut old = it.outline.refs();
    for step in 0..3 {
        // The same page again, and another one: the same elements under the same numbers within them.
        let page = if step == 1 { "form.html" } else { "rows.html" };
        let url = it.visit.page(page);
        it.outline = tests::outline::Outline::default();
        it.done("navigate", json!({ "url": format!("{url}?{step}") })).await?;
        for reference in &old {
            it.refused("act", json!({ "kind": "click", "ref": reference }), "wrong_document").await?;
            it.refused("act", json!({ "kind": "click", "ref": reference, "force": true }), "wrong_document")
                .await?;
        }
        old.extend(it.outline.refs());
    }
    it.clicked(&[]).await
}

async fn refs_go_with_a_tab_that_is_handed_over(it: &mut Trial) -> Result<()> {
    let opened = it.open("rows.html").await?;
    let (bobs, swap) = (it.reference_under("button", "Delete", "Bob")?, it.reference("button", "Swap")?);
    let tab = opened.text.split(' ').next().context("no tab")?.to_owned();
    // The first agent goes on under another name: another agent, that was shown nothing.
    let second = it.another_agent("second").await?;
    let held = second.call("act", json!({ "kind": "click", "ref": bobs })).await?;
    ensure!(held.is_error && held.text.contains("error held:"), "worked by another: {}", held.text);
    it.done("tabs", json!({ "action": "release", "tab": tab })).await?;
    second.close().await?;
    it.act_refused("click", json!({ "ref": swap }), "tab_released").await?;
    it.clicked(&[]).await?;

    let third = it.another_agent("third").await?;
    let url = it.visit.page("rows.html?third");
    let page = third.call("tabs", json!({ "action": "open", "url": url })).await?;
    let mut outline = tests::outline::Outline::default();
    outline.read(&page.text);
    let bobs = outline.find_under("button", "Delete", "Bob")?.reference.clone();
    third.close().await?;
    // Its agent has gone: whoever names it takes it. What this one was not shown it must say.
    let unseen = it.act_refused("click", json!({ "ref": bobs }), "unseen").await?;
    contains(&unseen, &["expect"])?;
    it.act("click", json!({ "ref": bobs, "expect": "Bob" })).await?;
    it.clicked(&["delete-Bob"]).await
}

/// Elements that come and go by the hundred thousand cost no memory: what is kept is what is there.
async fn what_is_gone_is_pruned(it: &mut Trial) -> Result<()> {
    it.open("rows.html").await?;
    let swap = it.reference("button", "Swap")?;
    let heap = "chrome.storage.session.getBytesInUse(null)";
    let mut kept = Vec::new();
    for round in 0..20 {
        // 5,000 buttons, all with refs, in place of those before.
        let make = format!(
            "{{ let feed = document.getElementById('feed');
                if (!feed) document.body.append(feed = Object.assign(document.createElement('div'), {{ id: 'feed' }}));
                feed.replaceChildren(...Array.from({{ length: 5000 }}, (_, n) => Object.assign(document.createElement('button'), {{ textContent: 'b{round}-' + n }}))); }} 0"
        );
        it.page_eval("rows.html", &make).await?;
        it.done("snapshot", json!({ "max_tokens": 500 })).await?;
        let bytes = it.browser().worker_eval(heap).await?.as_f64().context("no count of bytes")?;
        kept.push(bytes);
    }
    let (early, last) = (kept[2], kept[kept.len() - 1]);
    ensure!(last < early * 1.5, "what is kept grows: {kept:?}");
    // The first of them went long ago; what it was is no longer known, only that it is gone.
    let number: u32 = swap.trim_start_matches('e').parse()?;
    it.act_refused("click", json!({ "ref": format!("e{}", number + 40) }), "gone").await?;
    it.act("click", json!({ "ref": swap })).await?;
    it.clicked(&["swap"]).await
}

async fn an_agent_goes_on_where_a_worker_ended(it: &mut Trial) -> Result<()> {
    it.open("rows.html").await?;
    let (alices, bobs) =
        (it.reference_under("button", "Delete", "Alice")?, it.reference_under("button", "Delete", "Bob")?);
    it.browser().stop_worker().await?;
    // While no worker is there the rows change their places and one goes.
    it.page_eval(
        "rows.html",
        "document.getElementById('swap').click(); document.getElementById('drop').click(); 0",
    )
    .await?;
    let start = Instant::now();
    let refused = loop {
        let reply = it.call("act", json!({ "kind": "click", "ref": bobs })).await?;
        if !reply.text.contains("error host_") {
            break reply;
        }
        ensure!(start.elapsed() < Duration::from_secs(15), "no worker comes back");
        tokio::time::sleep(Duration::from_millis(250)).await;
    };
    ensure!(
        refused.is_error && refused.text.contains("error gone:"),
        "not refused as gone: {}",
        refused.text
    );
    it.act("click", json!({ "ref": alices })).await?;
    it.recorded("click", "delete-Alice").await?;
    Ok(())
}
