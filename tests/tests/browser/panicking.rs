//! A panic of the engine ends what is under way, is shown, and harms nothing else; as often as it happens. These
//! have a browser of their own with the recording build, which can be made to panic.

use crate::{
    cases,
    trial::{Trial, contains, on_stage},
    world::Stage,
};
use anyhow::{Result, ensure};
use serde_json::json;
use std::time::{Duration, Instant};
use tests::client::Reply;

cases!(
    beside:
        a_panic_twice_fails_what_is_under_way_and_refs_live_on,
        a_call_that_panics_is_answered_and_the_next_one_works,
);

/// How soon a call that was under way must have its answer: far sooner than it would have ended by itself.
const SOON: Duration = Duration::from_secs(3);

/// Takes the mark of an earlier panic off the toolbar button, so that the next one shows.
const UNMARKED: &str = "chrome.action.setBadgeText({ text: '' })";

/// Panics, and then comes back to the lost instance as a late answer does. Yields what was thrown.
const FORCED: &str = "(() => {
    const { forcePanic } = probe;
    return [1, 2].map(() => { try { forcePanic(); } catch (error) { return String(error); } }).join();
})()";

async fn a_panic_twice_fails_what_is_under_way_and_refs_live_on(_: &mut Trial) -> Result<()> {
    on_a_stage_of_its_own(async |it| {
        it.open("rows.html").await?;
        let tab = it.tab.clone();
        let refs = [it.reference("button", "Swap")?, it.reference_under("button", "Delete", "Bob")?];
        for reference in refs {
            it.browser().worker_eval(UNMARKED).await?;
            let patient = json!({ "text": ["Never"], "timeout_ms": 30_000, "tab": tab });
            let begun = Instant::now();
            let (reply, forced) = tokio::join!(it.agent().call("wait", patient), async {
                recorded(it, "Never").await?;
                let thrown = it.browser().worker_eval(FORCED).await?;
                anyhow::Ok((thrown, Instant::now()))
            });
            let (thrown, at) = forced?;
            let as_wanted = ["RuntimeError", "from previous WASM instance"];
            let thrown = thrown.as_str().unwrap_or_default();
            ensure!(as_wanted.iter().all(|part| thrown.contains(part)), "not lost for good: {thrown}");
            under_way_failed(&reply?)?;
            ensure!(
                at.elapsed() < SOON,
                "answered {:?} after the panic, {:?} in all",
                at.elapsed(),
                begun.elapsed()
            );
            shown_as_panicked(it).await?;
            it.act("click", json!({ "ref": reference })).await?;
            let lines = it.browser().worker_eval("probe.takeRecording()").await?;
            let starts = lines.as_str().unwrap_or_default().matches("{\"input\":\"started\"").count();
            ensure!(starts == 1, "the fresh instance was started {starts} times");
        }
        it.clicked(&["swap", "delete-Bob"]).await
    })
    .await
}

async fn a_call_that_panics_is_answered_and_the_next_one_works(_: &mut Trial) -> Result<()> {
    on_a_stage_of_its_own(async |it| {
        it.open("rows.html").await?;
        let swap = it.reference("button", "Swap")?;
        for _ in 0..2 {
            it.browser().worker_eval(UNMARKED).await?;
            it.browser().worker_eval("probe.panicNext()").await?;
            let reply = it.call("snapshot", json!({})).await?;
            under_way_failed(&reply)?;
            ensure!(reply.elapsed < SOON, "answered after {:?}", reply.elapsed);
            shown_as_panicked(it).await?;
            it.act("click", json!({ "ref": swap })).await?;
        }
        it.clicked(&["swap", "swap"]).await
    })
    .await
}

async fn on_a_stage_of_its_own(test: impl AsyncFnOnce(&mut Trial) -> Result<()>) -> Result<()> {
    on_stage(Stage::recording().await?, "witness", test).await
}

/// The answer names what happened, and says what to do.
fn under_way_failed(reply: &Reply) -> Result<()> {
    ensure!(reply.is_error, "a call under way in a panic was answered with success: {}", reply.text);
    contains(reply, &["error interrupted:", "\nnext: "])
}

/// Waits until the worker has taken in an input with this in it.
async fn recorded(it: &Trial, part: &str) -> Result<()> {
    let start = Instant::now();
    loop {
        let lines = it.browser().worker_eval("probe.takeRecording()").await?;
        if lines.as_str().is_some_and(|lines| lines.contains(part)) {
            return Ok(());
        }
        ensure!(start.elapsed() < SOON, "the worker was given no input with {part:?}");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

/// The toolbar button says that something went wrong.
async fn shown_as_panicked(it: &Trial) -> Result<()> {
    let start = Instant::now();
    loop {
        let badge = it.browser().worker_eval("chrome.action.getBadgeText({})").await?;
        if badge == "!" {
            return Ok(());
        }
        ensure!(start.elapsed() < SOON, "the badge says {badge}");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}
