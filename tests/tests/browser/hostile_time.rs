//! Pages that never rest, never answer or never finish. A call on them ends in time: with what there is, or with a
//! failure by name.

use crate::{
    cases,
    trial::{Trial, contains},
};
use anyhow::{Context as _, Result, ensure};
use serde_json::json;
use std::time::{Duration, Instant};

cases!(
    beside:
        a_page_that_changes_every_millisecond_is_read_and_worked,
        a_busy_page_is_named_and_works_again,
        a_press_that_makes_the_page_busy_is_answered,
        a_busy_frame_holds_nothing_else_up,
        frames_that_come_and_go_hold_nothing_up,
        a_page_that_writes_itself_is_read_and_worked,
        a_page_without_end_is_read_and_worked,
        elements_that_change_the_page_when_touched_are_worked;
    alone:
        a_restless_page_costs_no_memory_for_long,
        large_pages_that_were_left_cost_no_memory_for_long,
);

/// How long a call may take that waits for nothing but its own limits.
const PATIENT: Duration = Duration::from_secs(10);

async fn a_page_that_changes_every_millisecond_is_read_and_worked(it: &mut Trial) -> Result<()> {
    let page = "hostile/churn.html";
    it.open(page).await?;
    for _ in 0..3 {
        let before = it.page_eval(page, "turns").await?;
        let shown = it.done("snapshot", json!({})).await?;
        ensure!(shown.elapsed < PATIENT, "it took {:?}", shown.elapsed);
        ensure!(it.page_eval(page, "turns").await? != before, "the page stood still");
        // Of one moment: the list had three words at any time.
        for word in ["One", "Two", "Three"] {
            let times = shown.text.matches(&format!("\"{word}\"")).count();
            ensure!(times == 1, "{word} is there {times} times");
        }
        let clicked = it.click("button", "Press still").await?;
        ensure!(clicked.elapsed < PATIENT, "it took {:?}", clicked.elapsed);
        ensure!(clicked.tokens() < 2_500, "it costs {} tokens", clicked.tokens());
    }
    it.clicked(&["still", "still", "still"]).await
}

async fn a_busy_page_is_named_and_works_again(it: &mut Trial) -> Result<()> {
    let page = "hostile/stuck.html?ms=14000";
    it.open(page).await?;
    let busy = it.tab.clone();
    let free = it.reference("button", "Press free")?;
    it.open("rows.html").await?;
    let swap = it.reference("button", "Swap")?;
    it.page_eval(page, "void setTimeout(hang, 0)").await?;
    let refused = it.refused("snapshot", json!({ "tab": busy }), "timed_out").await?;
    ensure!(refused.elapsed < Duration::from_secs(13), "it took {:?}", refused.elapsed);
    // Another tab is none the worse for it.
    let swapped = it.act("click", json!({ "ref": swap })).await?;
    ensure!(swapped.elapsed < Duration::from_secs(4), "the other tab took {:?}", swapped.elapsed);
    it.recorded("click", "swap").await?;
    let back = Instant::now();
    loop {
        // It says so, for as long as it is busy.
        let reply = it.call("snapshot", json!({ "tab": busy })).await?;
        if !reply.is_error {
            break;
        }
        contains(&reply, &["timed_out"])?;
        ensure!(back.elapsed() < Duration::from_secs(30), "it does not come back");
    }
    it.act("click", json!({ "ref": free })).await?;
    it.clicked(&["swap", "free"]).await
}

async fn a_press_that_makes_the_page_busy_is_answered(it: &mut Trial) -> Result<()> {
    it.open("hostile/stuck.html?ms=14000").await?;
    let (hang, free) = (it.reference("button", "Hang")?, it.reference("button", "Press free")?);
    let reply = it.call("act", json!({ "kind": "click", "ref": hang })).await?;
    ensure!(reply.elapsed < Duration::from_secs(45), "it took {:?}", reply.elapsed);
    // It was pressed: the answer must not deny it.
    ensure!(!reply.text.contains("Nothing done"), "what was done is denied");
    it.recorded("hanging", "").await?;
    let start = Instant::now();
    while it.call("snapshot", json!({})).await?.is_error {
        ensure!(start.elapsed() < Duration::from_secs(30), "it does not come back");
    }
    it.act("click", json!({ "ref": free })).await?;
    it.clicked(&["hang", "free"]).await
}

async fn a_busy_frame_holds_nothing_else_up(it: &mut Trial) -> Result<()> {
    it.open("hostile/around.html").await?;
    it.done("wait", json!({ "text": ["Press free"] })).await?;
    let frame = it.visit.page("hostile/stuck.html");
    let frame = frame.trim_start_matches("http://127.0.0.1");
    it.browser().frame_eval(frame, "void setTimeout(hang, 0)").await?;
    let begun = Instant::now();
    let shown = it.done("snapshot", json!({})).await?;
    ensure!(shown.elapsed < PATIENT, "it took {:?}", shown.elapsed);
    ensure!(begun.elapsed() < Duration::from_secs(11), "the frame was not busy any more");
    contains(&shown, &["Press outer", "Press inner"])?;
    let line =
        shown.text.lines().find(|line| line.contains("Stuck frame")).context("no line for the frame")?;
    let after: String = shown.text.lines().skip_while(|other| *other != line).take(2).collect();
    ensure!(after.contains("took longer than"), "no reason stands in its place: {after}");
    for name in ["Press inner", "Press outer"] {
        let clicked = it.click("button", name).await?;
        ensure!(clicked.elapsed < PATIENT, "it took {:?}", clicked.elapsed);
    }
    it.recorded("pressed", "inner").await?;
    it.recorded("click", "outer").await?;
    // It is read again a while after it answered.
    let again = it.done("wait", json!({ "text": ["Press free"], "timeout_ms": 30_000 })).await?;
    contains(&again, &["met:"])?;
    it.recorded("free", "again").await?;
    it.done("snapshot", json!({})).await?;
    it.click("button", "Press free").await?;
    it.recorded("click", "free").await?;
    Ok(())
}

async fn frames_that_come_and_go_hold_nothing_up(it: &mut Trial) -> Result<()> {
    it.open("hostile/shuffled.html").await?;
    for _ in 0..4 {
        let shown = it.done("snapshot", json!({})).await?;
        ensure!(shown.elapsed < PATIENT * 2, "it took {:?}", shown.elapsed);
        contains(&shown, &["Press still", "Press staying"])?;
    }
    it.click("button", "Press still").await?;
    it.recorded("click", "still").await?;
    it.click("button", "Press staying").await?;
    let pressed = it.recorded("pressed", "staying").await?;
    ensure!(pressed.trusted, "no mouse pressed it");
    Ok(())
}

async fn a_page_that_writes_itself_is_read_and_worked(it: &mut Trial) -> Result<()> {
    let page = it.open("hostile/written.html").await?;
    contains(&page, &["First writing", "Second writing", "After the pause"])?;
    for name in ["Press first", "Press third", "Press end"] {
        it.click("button", name).await?;
    }
    it.clicked(&["first", "third", "end"]).await?;
    it.click("button", "Write again").await?;
    let again = it.done("snapshot", json!({})).await?;
    contains(&again, &["Rewritten"])?;
    ensure!(!again.text.contains("First writing"), "what was written over is shown");
    it.click("button", "Press new").await?;
    it.recorded("pressed", "new").await?;
    Ok(())
}

async fn a_page_without_end_is_read_and_worked(it: &mut Trial) -> Result<()> {
    let page = it.open("endless").await?;
    ensure!(page.elapsed < Duration::from_secs(15), "it took {:?}", page.elapsed);
    contains(&page, &["still busy", "Line 1"])?;
    let clicked = it.click("button", "Press early").await?;
    ensure!(clicked.elapsed < PATIENT, "it took {:?}", clicked.elapsed);
    it.clicked(&["early"]).await?;
    it.done("wait", json!({ "text": ["Line 150"] })).await?;
    let found = it.done("find", json!({ "text": "Line 150" })).await?;
    contains(&found, &["Line 150"])
}

async fn elements_that_change_the_page_when_touched_are_worked(it: &mut Trial) -> Result<()> {
    let page = it.open("hostile/restless.html").await?;
    contains(&page, &["Box 0", "Box 20"])?;
    for name in ["Press swapped", "Press later"] {
        it.click("button", name).await?;
    }
    // Bringing it into view makes it another of the same name, which is found again.
    it.click("button", "Press low").await?;
    it.clicked(&["swapped", "later", "low"]).await
}

const MEBI: u64 = 1 << 20;

async fn a_restless_page_costs_no_memory_for_long(it: &mut Trial) -> Result<()> {
    let page = "hostile/churn.html";
    it.open(page).await?;
    let still = it.reference("button", "Press still")?;
    let mut held = Vec::new();
    // The first round is for what grows once.
    for _ in 0..2 {
        for _ in 0..8 {
            it.done("snapshot", json!({ "mode": "verbose" })).await?;
            it.act("click", json!({ "ref": still })).await?;
        }
        it.browser().page_call(page, "HeapProfiler.collectGarbage", json!({})).await?;
        let (heap, _) = it.browser().page_call(page, "Runtime.getHeapUsage", json!({})).await?;
        let page = heap["usedSize"].as_f64().context("the page tells no heap")?;
        held.push((it.browser().worker_memory().await?, page));
    }
    let [(first, page_first), (last, page_last)] = held.as_slice() else { unreachable!("two rounds") };
    ensure!(last.wasm <= first.wasm + MEBI, "the wasm grew from {} to {}", first.wasm, last.wasm);
    ensure!(last.script <= first.script + MEBI, "the worker grew from {} to {}", first.script, last.script);
    ensure!(*page_last <= page_first + 1_048_576.0, "the page grew from {page_first} to {page_last}");
    Ok(())
}

async fn large_pages_that_were_left_cost_no_memory_for_long(it: &mut Trial) -> Result<()> {
    it.open("rows.html").await?;
    let mut held = Vec::new();
    // Refs of pages that were left are kept for a while: the first round is for that, too.
    for round in 0..2 {
        for n in 0..6 {
            let page = format!("hostile/siblings.html?n=20000&round={round}&page={n}");
            it.done("navigate", json!({ "url": it.visit.page(&page) })).await?;
        }
        held.push(it.browser().worker_memory().await?);
    }
    let [first, last] = held.as_slice() else { unreachable!("two rounds") };
    ensure!(last.wasm <= first.wasm + 16 * MEBI, "the wasm grew from {} to {}", first.wasm, last.wasm);
    ensure!(
        last.script <= first.script + 2 * MEBI,
        "the worker grew from {} to {}",
        first.script,
        last.script
    );
    Ok(())
}
