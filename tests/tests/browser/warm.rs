//! A capture that reads only what changed since the last one gives what a capture gives that reads everything: on pages
//! that change by chance, in ways that mutations show and in ways that they do not.

use crate::{cases, trial::Trial};
use anyhow::{Context as _, Result, ensure};
use serde_json::json;

cases!(beside:
    even_changes_of_chance_leave_nothing_stale,
    odd_changes_of_chance_leave_nothing_stale,
    changes_of_chance_in_a_frame_of_another_site_leave_nothing_stale,
    what_came_back_from_the_past_is_not_stale,
    what_the_person_does_is_not_stale,
    what_changed_while_it_was_away_is_not_stale,
);

/// How often each of the two tests changes its page.
const ROUNDS: u32 = 200;

/// The same of the test whose page has a frame with a process of its own.
const FRAMED_ROUNDS: u32 = 80;

/// Keeps the debugging sessions of frames with a process of their own, in the worker.
const WATCH: &str = r#"(() => {
    globalThis.sessions ??= new Set();
    chrome.debugger.onEvent.addListener((source, method, params) => {
        if (method === "Target.attachedToTarget") sessions.add({ tabId: source.tabId, sessionId: params.sessionId });
        if (method === "Target.detachedFromTarget") {
            for (const each of sessions) if (each.sessionId === params.sessionId) sessions.delete(each);
        }
    });
    return 0;
})()"#;

/// How many changes are made between two captures, at most.
const CHANGES: u32 = 4;

async fn even_changes_of_chance_leave_nothing_stale(it: &mut Trial) -> Result<()> {
    changes(it, 0).await
}

async fn odd_changes_of_chance_leave_nothing_stale(it: &mut Trial) -> Result<()> {
    changes(it, 1).await
}

async fn changes(it: &mut Trial, offset: u32) -> Result<()> {
    it.open("chance.html").await?;
    let page = it.visit.page("chance.html");
    let mut told = Vec::new();
    for round in 0..ROUNDS {
        let seed = 2 * round + offset + 1;
        let asked = format!("change({seed}, {})", 1 + seed / 2 % 2 * (seed % CHANGES));
        let names = it.browser().page_eval(&page, &asked).await?;
        told.push(format!("{asked}: {}", names.as_str().context("no names")?));
        // What is under way differs from one moment to the next.
        let ended = "Promise.all(document.getAnimations().map((each) => each.finished.catch(() => {}))).then(() => 0)";
        it.browser().page_eval(&page, ended).await?;
        // Some captures come before the page was drawn again, some after.
        if round % 3 == 0 {
            let drawn = "new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(go, 5, 0))))";
            it.browser().page_eval(&page, drawn).await?;
        }
        if round % 7 == 5 {
            resize(it, &page, 300 + 100 * (seed % 9)).await?;
            told.push("resized".to_owned());
        }
        if round % 31 == 30 {
            it.done("navigate", json!({ "url": it.visit.page("rows.html") })).await?;
            it.done("navigate", json!({ "to": "back" })).await?;
            told.push("away and back".to_owned());
        }
        // What was read in one capture must hold in several: only then all is read anew.
        if round % 4 == 3 {
            fits(it, &page).await.with_context(|| told.join("\n"))?;
        } else {
            it.done("snapshot", json!({})).await?;
        }
    }
    Ok(())
}

async fn changes_of_chance_in_a_frame_of_another_site_leave_nothing_stale(it: &mut Trial) -> Result<()> {
    it.browser().worker_eval(WATCH).await?;
    it.open("chance.html").await?;
    let page = it.visit.page("chance.html");
    let inner = format!("{}?framed", page.replace("127.0.0.1", "localhost"));
    // Beside what chance changes, and without a change that would take it away.
    let frame = format!(
        "delete CHANGES.rewrite; new Promise((loaded) => document.documentElement.append(Object.assign( \
            document.createElement('iframe'), {{ src: '{inner}', width: 900, height: 900, onload: () => loaded(0) }})))"
    );
    it.browser().page_eval(&page, &frame).await?;
    // What is not drawn ends no animation.
    it.browser().frame_eval(&inner, "delete CHANGES.animate; 0").await?;
    let mut told = Vec::new();
    for round in 0..FRAMED_ROUNDS {
        let asked = format!("change({}, {})", 3 * round + 1, 1 + round % 2 * (round % CHANGES));
        let names = it.browser().frame_eval(&inner, &asked).await?;
        told.push(format!("in the frame, {asked}: {}", names.as_str().context("no names")?));
        if round % 5 == 4 {
            let names = it.browser().page_eval(&page, &format!("change({round}, 1)")).await?;
            told.push(format!("in the page: {}", names.as_str().context("no names")?));
        }
        if round % 4 == 3 {
            let seen = fits(it, &page).await.with_context(|| told.join("\n"))?;
            let framed =
                seen.rsplit_once("iframe localhost").is_some_and(|(_, inside)| inside.contains("The end"));
            ensure!(framed, "the frame is not compared: {seen}");
        } else {
            it.done("snapshot", json!({})).await?;
        }
    }
    Ok(())
}

async fn what_came_back_from_the_past_is_not_stale(it: &mut Trial) -> Result<()> {
    it.open("chance.html").await?;
    let page = it.visit.page("chance.html");
    fits(it, &page).await?;
    let other = it.visit.page("rows.html");
    it.done("navigate", json!({ "url": &other })).await?;
    fits(it, &other).await?;
    it.done("navigate", json!({ "to": "back" })).await?;
    fits(it, &page).await?;
    it.browser().page_eval(&page, "change(3, 5)").await?;
    fits(it, &page).await?;
    it.done("navigate", json!({ "to": "forward" })).await?;
    fits(it, &other).await?;
    Ok(())
}

async fn what_the_person_does_is_not_stale(it: &mut Trial) -> Result<()> {
    it.open("chance.html").await?;
    let page = it.visit.page("chance.html");
    let field =
        "stage.innerHTML = '<input id=f required><p class=low tabindex=0>'+'line <br>'.repeat(9)+'</p>'";
    it.browser().page_eval(&page, field).await?;
    let tree = it.done("snapshot", json!({})).await?;
    let field = it.outline.find("textbox", "").with_context(|| tree.text.clone())?.reference.clone();
    it.done("act", json!({ "kind": "type", "ref": field, "text": "tea" })).await?;
    fits(it, &page).await?;
    it.done("act", json!({ "kind": "press", "key": "Tab" })).await?;
    fits(it, &page).await?;
    it.done("act", json!({ "kind": "scroll", "direction": "down", "amount": 20 })).await?;
    fits(it, &page).await?;
    Ok(())
}

async fn what_changed_while_it_was_away_is_not_stale(it: &mut Trial) -> Result<()> {
    it.open("chance.html").await?;
    let page = it.visit.page("chance.html");
    let steps = [
        "stage.innerHTML = '<section><button>One</button> and <b>two</b></section>'",
        "away = stage.firstChild; away.remove()",
        "away.firstChild.ariaLabel = 'Three'; away.childNodes[1].data = ' or '; away.lastChild.hidden = true",
        "stage.append(away)",
    ];
    for step in steps {
        it.browser().page_eval(&page, &format!("{step}; 0")).await?;
        it.done("snapshot", json!({})).await?;
    }
    fits(it, &page).await?;
    let shown = it.done("snapshot", json!({})).await?;
    ensure!(
        shown.text.contains("button \"Three\"") && shown.text.contains("\"or\""),
        "it is not shown as it is"
    );
    Ok(())
}

/// Gives the page another width.
async fn resize(it: &Trial, page: &str, width: u32) -> Result<()> {
    let size = json!({ "width": width, "height": 600, "deviceScaleFactor": 0, "mobile": false });
    it.debug(page, &format!(r#"await send("Emulation.setDeviceMetricsOverride", {size});"#)).await
}

/// A snapshot, and the same with everything read anew, say the same: this.
async fn fits(it: &mut Trial, page: &str) -> Result<String> {
    let all = json!({ "mode": "verbose", "max_tokens": 1_000_000 });
    let warm = it.done("snapshot", all.clone()).await?;
    forget(it, page).await?;
    let fresh = it.done("snapshot", all).await?;
    let differing = warm.text.lines().zip(fresh.text.lines()).find(|(warm, fresh)| warm != fresh);
    ensure!(
        warm.text == fresh.text,
        "a warm capture differs from a fresh one: {differing:?}, {} and {} lines",
        warm.text.lines().count(),
        fresh.text.lines().count()
    );
    Ok(fresh.text)
}

/// Lets the collector of every document of a page forget what it read; of frames with a process of their own, where they
/// are watched.
async fn forget(it: &Trial, page: &str) -> Result<()> {
    let script = r#"
        const sessions = [...(globalThis.sessions ?? [])].filter((it) => it.tabId === target.tabId);
        for (const session of [{ tabId: target.tabId }, ...sessions]) {
            const ask = (method, params) => chrome.debugger.sendCommand(session, method, params);
            const frames = [(await ask("Page.getFrameTree", {})).frameTree];
            for (const frame of frames) frames.push(...(frame.childFrames ?? []));
            for (const { frame } of frames) {
                const world = await ask("Page.createIsolatedWorld", { frameId: frame.id, worldName: "tabwright" });
                const expression = 'globalThis[Symbol.for("collector")]?.forget()';
                await ask("Runtime.evaluate", { expression, contextId: world.executionContextId });
            }
        }"#;
    it.debug(page, script).await
}
