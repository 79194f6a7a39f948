//! The person picks an element with the mouse, as the shortcut, the menu and our pages let them. The click does not reach
//! the page; what was picked is proven, and sent. These share one browser.

use crate::{
    cases, popup,
    trial::{Trial, contains, on_stage},
    world::Stage,
};
use anyhow::{Context as _, Result, ensure};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

cases!(beside: what_is_picked_is_sent_to_agents);

async fn what_is_picked_is_sent_to_agents(_: &mut Trial) -> Result<()> {
    on_stage(Stage::start().await?, "picking", async |it| {
        // The popup's page stands for all pages of ours: intents are the same.
        popup::open(it).await?;
        it.browser().open_in_front(&it.visit.page(PAGE)).await?;
        loaded(it).await?;
        let picker = Picker { tab: it.chrome_tab(PAGE).await? };
        escape_ends_it(it, &picker).await?;
        every_kind_of_place(it, &picker).await?;
        frames_that_come_meanwhile(it, &picker).await?;
        a_page_of_ours_ends_it(it, &picker).await?;
        the_page_goes_elsewhere(it, &picker).await
    })
    .await
}

const PAGE: &str = "selecting.html";

const SOON: Duration = Duration::from_secs(20);

/// Waits until the page has loaded, with all its frames.
async fn loaded(it: &Trial) -> Result<()> {
    let start = Instant::now();
    loop {
        // The tab is there before its page is.
        let state = it.page_eval(PAGE, "document.readyState").await;
        if state.as_ref().is_ok_and(|state| state == "complete") {
            return Ok(());
        }
        ensure!(start.elapsed() < SOON, "the page does not load: {state:?}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// Picking in one tab.
struct Picker {
    tab: i64,
}

impl Picker {
    /// What our pages are told of the tab.
    async fn view(&self, it: &Trial) -> Result<Value> {
        let asked = format!("chrome.runtime.sendMessage({{ intent: 'pointed', tab: {} }})", self.tab);
        popup::eval(it, &asked).await
    }

    async fn until(&self, it: &Trial, picking: bool) -> Result<Value> {
        let start = Instant::now();
        loop {
            let view = self.view(it).await?;
            if view["picking"] == picking {
                return Ok(view);
            }
            ensure!(start.elapsed() < SOON, "it does not come to picking={picking}: {view}");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    async fn begin(&self, it: &Trial) -> Result<()> {
        let pick =
            format!("void chrome.runtime.sendMessage({{ intent: 'pick', tab: {}, send: true }})", self.tab);
        popup::eval(it, &pick).await?;
        self.until(it, true).await.map(drop)
    }

    /// Moves the mouse there and clicks until something is picked: the browser needs a moment until it picks. Nothing of
    /// that may reach the page, which records its clicks.
    async fn click(&self, it: &Trial, (x, y): (f64, f64)) -> Result<Value> {
        let moved = json!({ "type": "mouseMoved", "x": x, "y": y });
        it.browser().page_call(PAGE, "Input.dispatchMouseEvent", moved).await?;
        it.browser().press(PAGE, x, y).await?;
        self.until(it, false).await
    }
}

/// The middle of what an expression of the page gives.
async fn middle(it: &Trial, node: &str) -> Result<(f64, f64)> {
    let middle = format!(
        "(() => {{ const box = ({node}).getBoundingClientRect(); \
            return [box.x + box.width / 2, box.y + box.height / 2]; }})()"
    );
    Ok(serde_json::from_value(it.page_eval(PAGE, &middle).await?)?)
}

/// A point of a frame, from its corner.
async fn within(it: &Trial, frame: usize, x: f64, y: f64) -> Result<(f64, f64)> {
    let corner = format!(
        "(() => {{ const box = document.querySelectorAll('iframe')[{frame}].getBoundingClientRect(); \
            return [box.x, box.y]; }})()"
    );
    let (left, top): (f64, f64) = serde_json::from_value(it.page_eval(PAGE, &corner).await?)?;
    Ok((left + x, top + y))
}

async fn escape_ends_it(it: &mut Trial, picker: &Picker) -> Result<()> {
    it.page_eval(PAGE, "void (keys = [], addEventListener('keydown', (event) => keys.push(event.key)))")
        .await?;
    picker.begin(it).await?;
    // The documents begin to heed it a moment after picking has begun.
    let start = Instant::now();
    while picker.view(it).await?["picking"] == true {
        ensure!(start.elapsed() < SOON, "Escape ends nothing");
        for kind in ["keyDown", "keyUp"] {
            let key = json!({ "type": kind, "key": "Escape", "code": "Escape", "windowsVirtualKeyCode": 27 });
            it.browser().page_call(PAGE, "Input.dispatchKeyEvent", key).await?;
        }
    }
    let view = picker.view(it).await?;
    ensure!(view["element"].is_null() && view["standing"] == "private", "something was picked: {view}");
    let listed = it.call("tabs", json!({})).await?;
    ensure!(!listed.text.contains(PAGE), "an agent is told of a tab in which nothing was picked");
    Ok(())
}

async fn every_kind_of_place(it: &mut Trial, picker: &Picker) -> Result<()> {
    let places = [
        ("button \"Press plain\"", middle(it, "document.getElementById('plain')").await?),
        (
            "button \"Press opened\"",
            middle(it, "document.getElementById('open')").await.map(|(_, y)| (50.0, y))?,
        ),
        ("button \"Press closed\"", middle(it, "shut.getElementById('closed')").await?),
        ("button \"Press framed\"", within(it, 0, 50.0, 20.0).await?),
        ("button \"Press abroad\"", within(it, 1, 50.0, 20.0).await?),
        ("button \"Press inner\"", within(it, 1, 60.0, 70.0).await?),
        // What developer tools do not let be asked.
        ("button \"Press inner\"", within(it, 2, 50.0, 20.0).await?),
        ("button \"Press inner\"", within(it, 4, 50.0, 20.0).await?),
    ];
    let mut paths = Vec::new();
    for (line, point) in places {
        picker.begin(it).await?;
        let view = picker.click(it, point).await?;
        ensure!(
            view["element"]["how"] == "picked" && view["standing"] != "private",
            "{line}: not picked and sent: {view}"
        );
        let reply = it.done("selection", json!({})).await?;
        contains(&reply, &[line, "[picked by the person]", "· picked by the person"])?;
        let path = reply.text.lines().find(|line| line.contains("xpath")).context("no path")?.to_owned();
        ensure!(!paths.contains(&path), "the same was picked again: {path}");
        paths.push(path);
    }
    ensure!(
        it.visit.record().iter().all(|entry| entry.event != "click" && entry.event != "press"),
        "a click reached the page"
    );
    // And now the mouse reaches the page again; what was picked is what is clicked.
    picker.begin(it).await?;
    picker.click(it, middle(it, "document.getElementById('plain')").await?).await?;
    let reply = it.done("selection", json!({})).await?;
    let reference =
        reply.text.lines().nth(1).and_then(|line| line.split(' ').next()).context("no ref")?.to_owned();
    it.act("click", json!({ "ref": reference })).await?;
    it.recorded("click", "plain").await?;
    Ok(())
}

async fn frames_that_come_meanwhile(it: &mut Trial, picker: &Picker) -> Result<()> {
    picker.begin(it).await?;
    let address = it.visit.page("selecting-inner.html?late").replacen("127.0.0.1", "localhost", 1);
    let add = format!(
        "new Promise((done) => {{ const late = document.createElement('iframe'); late.onload = () => done(true); \
            late.height = 60; late.src = {}; document.body.prepend(late); }})",
        json!(address)
    );
    it.page_eval(PAGE, &add).await?;
    let point = within(it, 0, 50.0, 20.0).await?;
    // Its process takes part in picking a moment after it has come.
    let start = Instant::now();
    let view = loop {
        let moved = json!({ "type": "mouseMoved", "x": point.0, "y": point.1 });
        it.browser().page_call(PAGE, "Input.dispatchMouseEvent", moved).await?;
        it.browser().press(PAGE, point.0, point.1).await?;
        let view = picker.view(it).await?;
        if view["picking"] == false {
            break view;
        }
        ensure!(start.elapsed() < SOON, "nothing can be picked in a frame that came meanwhile");
    };
    ensure!(view["element"]["name"] == "Press inner", "another was picked: {view}");
    Ok(())
}

async fn a_page_of_ours_ends_it(it: &mut Trial, picker: &Picker) -> Result<()> {
    picker.begin(it).await?;
    popup::eval(it, &format!("chrome.runtime.sendMessage({{ intent: 'endPick', tab: {} }})", picker.tab))
        .await?;
    picker.until(it, false).await.map(drop)
}

async fn the_page_goes_elsewhere(it: &mut Trial, picker: &Picker) -> Result<()> {
    picker.begin(it).await?;
    it.page_eval(PAGE, "void (location.search = '?again')").await?;
    let view = picker.until(it, false).await?;
    ensure!(view["note"] == "pane_note_left" && view["element"].is_null(), "it did not end by that: {view}");
    // The mouse reaches the page that came.
    loaded(it).await?;
    let (x, y) = middle(it, "document.getElementById('plain')").await?;
    it.page_eval(PAGE, "void (seen = 0, addEventListener('click', () => seen++, true))").await?;
    it.browser().press(PAGE, x, y).await?;
    ensure!(it.page_eval(PAGE, "seen").await? == 1, "a click does not reach the page");
    it.refused("selection", json!({}), "nothing_selected").await.map(drop)
}
