//! The person's pages: open to all, in both looks, by mouse and by keyboard, in their language; the reins in them; what
//! is worked, marked where it is seen. Each case has a browser of its own without an unattended policy.

use crate::{
    cases,
    trial::{Trial, contains, on_stage},
    world::Stage,
};
use anyhow::{Context as _, Result, ensure};
use serde_json::{Value, json};
use std::{collections::BTreeSet, path::Path};
use tests::browser::{Beheld, Browser};

cases!(beside:
    our_pages_are_open_to_all,
    the_reins_are_held_in_the_panel,
    a_tab_of_the_persons_is_shared_and_taken_back,
    what_is_worked_is_marked_where_it_is_seen,
    our_pages_speak_chinese,
);

/// Each with a width that people see it in.
const PAGES: &[(&str, u32)] = &[
    ("popup/popup.html", 352),
    ("panel/panel.html", 360),
    ("options/options.html", 900),
    ("welcome/welcome.html", 900),
];

/// The page is read, and its button is among the lines.
const LINES: &str = "[...document.querySelectorAll('#lines [role=option]')].some((it) => /button \"Swap\"/.test(it.textContent))";

/// Its line is the selected one.
const SELECTED: &str =
    "/button \"Swap\"/.test(document.querySelector('#lines [aria-selected=true]')?.textContent)";

/// Lets the agent in, and has it open a page.
async fn let_in(it: &mut Trial, page: &str) -> Result<()> {
    let stage = it.stage();
    let arguments = json!({ "action": "open", "url": it.visit.page(page) });
    let popup = stage.browser.behold("popup/popup.html").await?;
    let (reply, ()) = tokio::try_join!(it.agent().call("tabs", arguments), popup.press("#agents .allow"))?;
    ensure!(!reply.is_error, "it was not let in: {}", reply.text);
    it.outline.read(&reply.text);
    reply.text.split(' ').next().unwrap_or_default().clone_into(&mut it.tab);
    popup.close().await
}

async fn our_pages_are_open_to_all(_: &mut Trial) -> Result<()> {
    on_stage(Stage::attended().await?, "first", async |it| {
        let stage = it.stage();
        let_in(it, "rows.html").await?;
        it.click("button", "Swap").await?;
        for (page, width) in PAGES {
            let beheld = stage.browser.behold(page).await?;
            beheld.size(*width, 800, 1.0).await?;
            if page.starts_with("panel") {
                beheld.press("#agents .tabs .title").await?;
                beheld.until(LINES).await?;
            }
            for dark in [false, true] {
                beheld.look(dark).await?;
                is_open_to_all(&beheld).await.with_context(|| format!("{page}, dark: {dark}"))?;
            }
            is_walked_by_keyboard(&beheld).await.with_context(|| (*page).to_owned())?;
            beheld.close().await?;
        }
        the_lines_are_walked_by_keyboard(it).await
    })
    .await
}

/// No rule of axe-core's is broken.
async fn is_open_to_all(page: &Beheld<'_>) -> Result<()> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("libraries/node_modules/axe-core/axe.min.js");
    let script = std::fs::read_to_string(script)
        .context("axe-core is not installed: `cargo xtask test --only browser` installs it with npm")?;
    page.eval(&format!("{script};0")).await?;
    let broken = page
        .eval(
            "axe.run(document, { resultTypes: ['violations'] }).then(({ violations, passes }) =>
                ({ violations: violations.map(({ id, nodes }) => [id, nodes.map((it) => it.html + it.failureSummary)]), passes: passes.length }))",
        )
        .await?;
    ensure!(broken["violations"] == json!([]), "broken: {:#}", broken["violations"]);
    ensure!(broken["passes"].as_u64() > Some(5), "hardly anything was looked at: {broken}");
    Ok(())
}

/// Tab reaches everything that a mouse can work, in the order in which it stands.
async fn is_walked_by_keyboard(page: &Beheld<'_>) -> Result<()> {
    let all = page
        .eval(
            "const start = document.createElement('span'); start.tabIndex = -1; document.body.prepend(start); start.focus();
            globalThis.all = [...document.querySelectorAll('button, input, [tabindex=\"0\"]')]
                .filter((it) => it.checkVisibility()); all.length",
        )
        .await?
        .as_u64()
        .unwrap_or_default();
    ensure!(all > 1, "nothing can be worked there");
    let mut reached = Vec::new();
    for _ in 0..all {
        page.key("Tab", 9).await?;
        reached.push(page.eval("all.indexOf(document.activeElement)").await?);
    }
    // The view that is drawn again keeps the focus where it was.
    let wanted: Vec<Value> = (0..all).map(Value::from).collect();
    ensure!(reached == wanted, "Tab led to {reached:?} of {all}");
    Ok(())
}

async fn the_lines_are_walked_by_keyboard(it: &Trial) -> Result<()> {
    let stage = it.stage();
    let panel = stage.browser.behold("panel/panel.html").await?;
    panel.press("#agents .tabs .title").await?;
    panel.until(LINES).await?;
    panel.eval("document.querySelector('#search').focus()").await?;
    panel.call("Input.insertText", json!({ "text": "swap" })).await?;
    panel.until("[...document.querySelectorAll('#lines [role=option]')].every((it) => it.hidden === !/swap/i.test(it.textContent))").await?;
    panel.key("Tab", 9).await?;
    panel.key("ArrowDown", 40).await?;
    panel.until("/swap/i.test(document.querySelector('#lines [aria-selected=true]')?.textContent)").await?;
    // From elsewhere, as from the pane in the developer tools.
    let swap = it.reference("button", "Swap")?;
    let reveal = format!(
        "document.querySelector('#search').value = '';
        chrome.runtime.sendMessage({{ intent: 'status' }}).then(({{ agents }}) => chrome.runtime.sendMessage(
            {{ intent: 'reveal', tab: agents[0].tabs[0].tab, reference: {} }})).then(() => true)",
        swap.trim_start_matches('e')
    );
    panel.eval(&reveal).await?;
    panel.until(SELECTED).await?;
    // By keyboard as by mouse: a press of Enter is the person's.
    panel.eval("document.querySelector('#pause').focus()").await?;
    panel.key("Enter", 13).await?;
    panel.shows("All agents are paused.").await?;
    panel.close().await
}

async fn the_reins_are_held_in_the_panel(_: &mut Trial) -> Result<()> {
    on_stage(Stage::attended().await?, "first", async |it| {
        let stage = it.stage();
        let_in(it, "form.html").await?;
        let watch = "globalThis.down = []; for (const [kind, delta] of [['keydown', 1], ['keyup', -1]])
            addEventListener(kind, ({ code }) => { down[code] = (down[code] ?? 0) + delta; down.length += kind === 'keydown' }, true)";
        it.page_eval("form.html", watch).await?;
        let panel = stage.browser.behold("panel/panel.html").await?;
        let reply = reined(it, &panel, "#pause").await?;
        ensure!(reply.contains("error paused:"), "told otherwise: {reply}");
        panel.shows("ended in the middle").await?;
        // What is called meanwhile waits, and goes on when it may.
        let (later, ()) =
            tokio::try_join!(it.agent().call("tabs", json!({})), panel.press("#resume"))?;
        ensure!(!later.is_error, "a call after the pause failed: {}", later.text);

        let reply = reined(it, &panel, "#agents .hold").await?;
        ensure!(reply.contains("error taken_over:"), "told otherwise: {reply}");
        it.refused("snapshot", json!({ "tab": it.tab }), "taken_over").await?;
        panel.press("#agents .hold").await?;
        panel.until("document.querySelector('#agents .hold').textContent === 'Take over'").await?;
        it.done("snapshot", json!({ "tab": it.tab })).await?;

        let reply = reined(it, &panel, "#stop").await?;
        ensure!(reply.contains("error stopped:"), "told otherwise: {reply}");
        it.refused("snapshot", json!({ "tab": it.tab }), "stopped").await?;
        panel.press("#resume").await?;
        panel.shows("You stopped all agents.").await?;
        panel.shows("You took a tab over from “first”.").await?;
        panel.close().await
    })
    .await
}

/// Takes the reins while a long text is typed: gives the agent's reply. No key is left down in the page.
async fn reined(it: &mut Trial, panel: &Beheld<'_>, css: &str) -> Result<String> {
    it.done("snapshot", json!({ "tab": it.tab })).await?;
    let field = it.reference("textbox", "Name")?;
    it.page_eval("form.html", "void (down.length = 0)").await?;
    let typed = it.agent().call("act", json!({ "kind": "type", "ref": field, "text": "n".repeat(5_000) }));
    let (reply, ()) = tokio::try_join!(typed, async {
        while it.page_eval("form.html", "down.length > 3").await? != true {
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        }
        panel.press(css).await
    })?;
    ensure!(reply.is_error, "it was typed to the end: {}", reply.text);
    let start = std::time::Instant::now();
    while it.page_eval("form.html", "Object.values(down).some((it) => it > 0)").await? != false {
        ensure!(start.elapsed().as_secs() < 5, "a key stays down");
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    Ok(reply.text)
}

async fn a_tab_of_the_persons_is_shared_and_taken_back(_: &mut Trial) -> Result<()> {
    on_stage(Stage::attended().await?, "first", async |it| {
        let stage = it.stage();
        let_in(it, "form.html").await?;
        let own = it.visit.page("rows.html").replace("127.0.0.1", "bank.site.example");
        let popup = stage.browser.behold("popup/popup.html").await?;
        let before: BTreeSet<_> = targets(it.browser()).await?;
        popup.press("#panel").await?;
        let panel = side_panel(it.browser(), &before).await?;
        let panel = stage.browser.behold_target(panel).await?;
        popup.close().await?;
        it.browser().open_in_front(&own).await?;
        panel.shows("It is yours: no agent sees it.").await?;
        let reply = it.done("tabs", json!({})).await?;
        ensure!(!reply.text.contains("bank.site"), "it sees the person's tab: {}", reply.text);
        panel.press("#agents .share").await?;
        panel.shows("“first” works it.").await?;
        let reply = it.done("tabs", json!({})).await?;
        contains(&reply, &["bank.site.example", "the person's, handed over at this site"])?;
        let tab = named(&reply.text, "bank.site.example")?;
        // At this site, in this tab, nobody is asked any more; elsewhere they are.
        let reply = it.done("snapshot", json!({ "tab": tab })).await?;
        contains(&reply, &["\"Swap\""])?;
        let reply = it.agent().call("tabs", json!({ "action": "close", "tab": tab })).await?;
        ensure!(reply.is_error, "an agent closed the person's tab");
        what_is_picked_is_found_in_the_panel(it, &panel).await?;
        panel.press("#take-back").await?;
        panel.shows("It is yours: no agent sees it.").await?;
        it.refused("snapshot", json!({ "tab": tab }), "tab_closed").await?;
        let still = it.browser().page_eval("bank.site.example", "document.title").await?;
        ensure!(still != "", "the person's tab went");
        Ok(())
    })
    .await
}

/// Picks in the page by the panel's button: the page has nothing of the click, the panel its line.
async fn what_is_picked_is_found_in_the_panel(it: &Trial, panel: &Beheld<'_>) -> Result<()> {
    let bank = "bank.site.example";
    let browser = it.browser();
    browser
        .page_eval(bank, "void addEventListener('click', () => (globalThis.clicked = true), true)")
        .await?;
    panel.press("#pick").await?;
    panel
        .until("await chrome.tabs.query({ active: true, currentWindow: true }).then(([{ id }]) => chrome.runtime.sendMessage({ intent: 'pointed', tab: id })).then((it) => it.picking)")
        .await?;
    let middle = "(() => { const box = [...document.querySelectorAll('button')].find((it) => it.textContent === 'Swap').getBoundingClientRect();
        return [box.x + box.width / 2, box.y + box.height / 2]; })()";
    let (x, y): (f64, f64) = serde_json::from_value(browser.page_eval(bank, middle).await?)?;
    browser
        .page_call(bank, "Input.dispatchMouseEvent", json!({ "type": "mouseMoved", "x": x, "y": y }))
        .await?;
    browser.press(bank, x, y).await?;
    panel.until(SELECTED).await?;
    ensure!(browser.page_eval(bank, "globalThis.clicked ?? false").await? == false, "the page had the click");
    Ok(())
}

async fn targets(browser: &Browser) -> Result<BTreeSet<String>> {
    Ok(browser.targets().await?.into_iter().map(|target| target.id).collect())
}

/// The panel that appeared.
async fn side_panel(browser: &Browser, before: &BTreeSet<String>) -> Result<String> {
    let start = std::time::Instant::now();
    loop {
        let mut targets = browser.targets().await?.into_iter();
        if let Some(panel) =
            targets.find(|it| it.url.ends_with("/panel/panel.html") && !before.contains(&it.id))
        {
            return Ok(panel.id);
        }
        ensure!(start.elapsed().as_secs() < 10, "no panel opened");
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
}

/// The name of the tab whose line has this.
fn named(text: &str, part: &str) -> Result<String> {
    let line = text.lines().find(|line| line.contains(part)).context("no such line")?;
    Ok(line.split(' ').next().unwrap_or_default().to_owned())
}

async fn what_is_worked_is_marked_where_it_is_seen(_: &mut Trial) -> Result<()> {
    on_stage(Stage::attended().await?, "first", async |it| {
        let stage = it.stage();
        let_in(it, "rows.html").await?;
        let target = it.browser().targets().await?.into_iter().find(|it| it.url.contains("rows.html"));
        let page = target.context("no page")?.id;
        let session = it.browser().attach_to(&page).await?;
        let swap = it.reference("button", "Swap")?;
        // Behind others nobody sees it, and nothing is drawn.
        it.act("click", json!({ "ref": swap })).await?;
        it.done("tabs", json!({ "action": "activate", "tab": it.tab })).await?;
        it.act("hover", json!({ "ref": swap })).await?;
        ensure!(marked(it.browser(), &session).await?, "nothing is drawn around it");
        // A picture for an agent has none of it.
        it.act("hover", json!({ "ref": swap })).await?;
        it.done("screenshot", json!({ "tab": it.tab })).await?;
        ensure!(!marked(it.browser(), &session).await?, "the picture was taken with the mark");
        it.act("click", json!({ "ref": swap })).await?;
        let start = std::time::Instant::now();
        while marked(it.browser(), &session).await? {
            ensure!(start.elapsed().as_secs() < 10, "it never fades");
        }
        it.clicked(&["swap", "swap"]).await?;
        // Off by choice.
        let panel = stage.browser.behold("panel/panel.html").await?;
        panel.eval("chrome.runtime.sendMessage({ intent: 'outline', on: false })").await?;
        panel.close().await?;
        it.done("tabs", json!({ "action": "activate", "tab": it.tab })).await?;
        it.act("hover", json!({ "ref": swap })).await?;
        ensure!(!marked(it.browser(), &session).await?, "it is drawn although it is not wanted");
        Ok(())
    })
    .await
}

/// Whether the colour of marks is in the picture that the browser gives of a page.
async fn marked(browser: &Browser, session: &tests::pipe::SessionId) -> Result<bool> {
    use base64::Engine as _;
    let shot = browser.pipe().call_in(session, "Page.captureScreenshot", json!({ "format": "png" })).await?;
    let bytes = base64::prelude::BASE64_STANDARD.decode(shot["data"].as_str().context("no picture")?)?;
    let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info()?;
    let mut pixels = vec![0; reader.output_buffer_size().context("a picture too large")?];
    let info = reader.next_frame(&mut pixels)?;
    let wide = info.color_type.samples();
    let near = |one: u8, other: u8| one.abs_diff(other) < 12;
    let drawn =
        pixels.chunks_exact(wide).filter(|it| near(it[0], 242) && near(it[1], 113) && near(it[2], 28));
    Ok(drawn.count() > 40)
}

async fn our_pages_speak_chinese(_: &mut Trial) -> Result<()> {
    on_stage(Stage::chinese().await?, "first", async |it| {
        let stage = it.stage();
        for (page, words) in [
            ("popup/popup.html", "停止所有智能体"),
            ("panel/panel.html", "正在进行"),
            ("options/options.html", "外观"),
            ("welcome/welcome.html", "安装程序"),
        ] {
            let beheld = stage.browser.behold(page).await?;
            beheld.shows(words).await?;
            let english =
                beheld.eval("document.body.innerText.match(/\\b(agents?|the|you)\\b/i)?.[0] ?? ''").await?;
            ensure!(english == "", "{page} says {english} besides");
            ensure!(
                beheld.eval("document.documentElement.lang").await? == "zh-CN",
                "{page} does not say its language"
            );
            beheld.close().await?;
        }
        Ok(())
    })
    .await
}
