//! The person selects something in the developer tools, which are really open; an agent is told of it, and acts on it.
//! Each has a browser of its own: tools come and go in the middle of it.

use crate::{
    cases,
    trial::{Trial, contains, on_stage},
    world::Stage,
};
use anyhow::{Result, ensure};
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use tests::{browser::DeveloperTools, client::Reply};

cases!(beside:
    what_is_selected_in_any_kind_of_place_is_told,
    what_a_page_says_of_its_selection_is_told_as_such,
    the_person_sends_what_they_selected,
);

async fn what_is_selected_in_any_kind_of_place_is_told(_: &mut Trial) -> Result<()> {
    on_stage(Stage::start().await?, "selecting", async |it| {
        every_kind_of_place(it).await?;
        what_cannot_be_told(it).await
    })
    .await
}

async fn what_a_page_says_of_its_selection_is_told_as_such(_: &mut Trial) -> Result<()> {
    on_stage(Stage::start().await?, "selecting pages", async |it| {
        a_page_that_makes_it_up(it).await?;
        nothing_secret_is_told(it).await?;
        components(it).await
    })
    .await
}

async fn the_person_sends_what_they_selected(_: &mut Trial) -> Result<()> {
    on_stage(Stage::start().await?, "sending", async |it| the_person_sends_it(it).await).await
}

/// How long until an agent is told of a selection.
const SOON: Duration = Duration::from_secs(20);

/// Asks until the reply has this in it: the tools tell of a selection a moment after it is made.
async fn told(it: &mut Trial, arguments: Value, part: &str) -> Result<Reply> {
    let start = Instant::now();
    loop {
        let reply = it.call("selection", arguments.clone()).await?;
        if reply.text.contains(part) {
            it.outline.read(&reply.text);
            return Ok(reply);
        }
        ensure!(start.elapsed() < SOON, "an agent is not told of {part:?}");
    }
}

struct Kind {
    frame: &'static str,
    node: &'static str,
    line: &'static str,
    path: &'static str,
    /// What the page records when it is clicked.
    click: Option<(&'static str, &'static str)>,
}

const KINDS: &[Kind] = &[
    Kind {
        frame: "",
        node: "document.getElementById('plain')",
        line: "button \"Press plain\" [selected in DevTools]",
        path: "xpath /html[1]/body[1]/button[1]\n",
        click: Some(("click", "plain")),
    },
    Kind {
        frame: "",
        node: "document.getElementById('words').lastChild",
        line: "meant is text in it: \"to point at\"",
        path: "xpath /html[1]/body[1]/p[1]\n",
        click: None,
    },
    Kind {
        frame: "",
        node: "document.querySelector('title')",
        line: "hidden [selected in DevTools]",
        path: "xpath /html[1]/head[1]/title[1]\n",
        click: None,
    },
    Kind {
        frame: "",
        node: "document.getElementById('unseen')",
        line: "hidden [selected in DevTools]",
        path: "xpath /html[1]/body[1]/div[1]/i[1]\n",
        click: None,
    },
    Kind {
        frame: "",
        node: "document.getElementById('open').shadowRoot.querySelector('#opened')",
        line: "button \"Press opened\" [selected in DevTools]",
        path: "div[2]::shadow/section[1]/button[1]\n",
        click: Some(("click", "opened")),
    },
    Kind {
        frame: "",
        node: "shut.querySelector('#closed')",
        line: "button \"Press closed\" [selected in DevTools]",
        path: "div[3]::shadow/div[1]/button[1]\n",
        click: Some(("press", "closed")),
    },
    Kind {
        frame: "",
        node: "document.querySelector('iframe').contentDocument.getElementById('framed')",
        line: "button \"Press framed\" [selected in DevTools]",
        path: "iframe[1]::frame/html[1]/body[1]/button[1]\n",
        click: Some(("click", "framed")),
    },
    Kind {
        frame: "selecting-frame.html",
        node: "document.getElementById('abroad')",
        line: "button \"Press abroad\" [selected in DevTools]",
        path: "iframe[2]::frame/html[1]/body[1]/button[1]\n",
        click: Some(("click", "abroad")),
    },
    Kind {
        frame: "selecting-frame.html",
        node: "shut.getElementById('far')",
        line: "button \"Press far\" [selected in DevTools]",
        path: "div[1]::shadow/button[1]\n",
        click: Some(("press", "far")),
    },
    Kind {
        frame: "selecting-inner.html?nested",
        node: "document.getElementById('inner')",
        line: "button \"Press inner\" [selected in DevTools]",
        path: "iframe[2]::frame/html[1]/body[1]/iframe[1]::frame/html[1]/body[1]/button[1]\n",
        click: Some(("click", "inner")),
    },
    // What was selected in a frame before is not in the way of what is selected elsewhere after it.
    Kind {
        frame: "",
        node: "document.getElementById('plain')",
        line: "button \"Press plain\" [selected in DevTools]",
        path: "xpath /html[1]/body[1]/button[1]\n",
        click: None,
    },
];

/// The address of a frame: those of `selecting-frame.html` are of the other site.
fn frame(it: &Trial, name: &str) -> String {
    let page = if name.is_empty() { return String::new() } else { it.visit.page(name) };
    if name.ends_with("?nested") { page } else { page.replacen("127.0.0.1", "localhost", 1) }
}

async fn every_kind_of_place(it: &mut Trial) -> Result<()> {
    // The tab is the agent's before the tools are opened on it.
    it.open("selecting.html").await?;
    it.done("wait", json!({ "text": ["Press far"], "tab": it.tab })).await?;
    it.refused("selection", json!({}), "nothing_selected").await?;
    let stage = it.stage();
    let tools = stage.browser.open_developer_tools("/selecting.html").await?;
    for kind in KINDS {
        tools.select(&frame(it, kind.frame), kind.node).await?;
        // Of two of one name, the path tells which it is.
        let reply = told(it, json!({ "tab": it.tab }), kind.path).await?;
        contains(&reply, &[kind.line, "selected in DevTools, as the page reports it"])?;
        let reference = reference(&reply)?;
        let tree = it.done("snapshot", json!({ "tab": it.tab })).await?;
        let marked: Vec<_> =
            tree.text.lines().filter(|line| line.contains("[selected in DevTools]")).collect();
        ensure!(marked.len() == 1, "the snapshot marks {marked:?}");
        ensure!(
            marked[0].trim().starts_with(&format!("{reference} ")),
            "{reference} is not marked: {marked:?}"
        );
        if let Some((event, id)) = kind.click {
            it.act("click", json!({ "ref": reference })).await?;
            it.recorded(event, id).await?;
        } else if kind.line.starts_with("hidden") {
            contains(&reply, &["cannot be acted on now: it is not rendered"])?;
            it.act_refused("click", json!({ "ref": reference }), "hidden").await?;
        }
    }
    // A worker that was ended in between knows which frame told of what before.
    it.browser().stop_worker().await?;
    tools.select("", "document.querySelector('h1')").await?;
    told(it, json!({ "tab": it.tab }), "\"Selecting\" [selected in DevTools]").await?;
    it.browser().stop_worker().await?;
    tools.select(&frame(it, "selecting-frame.html"), "document.getElementById('abroad')").await?;
    told(it, json!({ "tab": it.tab }), "button \"Press abroad\" [selected in DevTools]").await?;
    Ok(())
}

/// The ref of the second line.
fn reference(reply: &Reply) -> Result<String> {
    let line = reply.text.lines().nth(1).unwrap_or_default();
    let word = line.split(' ').next().unwrap_or_default();
    ensure!(word.starts_with('e'), "no ref begins {line:?}");
    Ok(word.to_owned())
}

async fn tools_on<'a>(
    it: &mut Trial,
    stage: &'a Stage,
    page: &str,
    ready: &str,
) -> Result<DeveloperTools<'a>> {
    it.open(page).await?;
    it.done("wait", json!({ "text": [ready], "tab": it.tab })).await?;
    stage.browser.open_developer_tools(page).await
}

async fn what_cannot_be_told(it: &mut Trial) -> Result<()> {
    let stage = it.stage();
    let tools = stage.browser.open_developer_tools("/selecting.html").await?;
    // Frames of one address: the tools let only the first be asked, and nobody knows which one that is.
    let twin = it.visit.page("selecting-inner.html?twin").replacen("127.0.0.1", "localhost", 1);
    tools.select(&twin, "document.getElementById('inner')").await?;
    let reply = told(it, json!({ "tab": it.tab }), "error selection_unseen").await?;
    contains(&reply, &["one of several of the same address", "next: ask the person to pick it"])?;
    let tree = it.done("snapshot", json!({ "tab": it.tab })).await?;
    ensure!(!tree.text.contains("[selected"), "something is marked");
    // A sandboxed frame without an origin: nothing in it can be asked, and what was selected before no longer is.
    tools.select("", "document.getElementById('plain')").await?;
    told(it, json!({ "tab": it.tab }), "button \"Press plain\" [selected in DevTools]").await?;
    tools.reveal("selecting-inner.html?sandboxed", "#inner").await?;
    told(it, json!({ "tab": it.tab }), "error selection_unseen").await.map(drop)
}

async fn a_page_that_makes_it_up(it: &mut Trial) -> Result<()> {
    let stage = it.stage();
    let tools = tools_on(it, &stage, "selecting-forger.html", "Real").await?;
    tools.select("", "document.getElementById('real')").await?;
    // It names what is not there.
    told(it, json!({ "tab": it.tab }), "error selection_unseen").await?;
    // It names another element: that is marked, shown to the person, and said to be the page's word.
    it.page_eval("selecting-forger.html", "void (lie = 'other')").await?;
    tools.select("", "document.body").await?;
    let reply = told(it, json!({ "tab": it.tab }), "button \"Other\"").await?;
    contains(&reply, &["as the page reports it"])?;
    Ok(())
}

async fn nothing_secret_is_told(it: &mut Trial) -> Result<()> {
    let stage = it.stage();
    let tools = tools_on(it, &stage, "selecting.html?secret", "Press far").await?;
    tools.select("", "document.querySelector('form')").await?;
    let reply = told(it, json!({ "tab": it.tab, "detail": true }), "html \"<form>").await?;
    contains(
        &reply,
        &["type=\\\"password\\\" value=\\\"…\\\"", "type=\\\"hidden\\\" name=\\\"token\\\" value=\\\"…\\\""],
    )?;
    ensure!(!reply.text.contains("hunter2") && !reply.text.contains("tok-3n"), "a secret is told");
    tools.select("", "document.getElementById('plain')").await?;
    let reply = told(it, json!({ "tab": it.tab, "detail": true }), "css \"#plain\"").await?;
    contains(&reply, &["styles \"border-radius: 7px; color: rgb(200, 0, 0)\"", "can be acted on", "box "])
}

async fn components(it: &mut Trial) -> Result<()> {
    let stage = it.stage();
    let tools = tools_on(it, &stage, "components.html", "Angular button").await?;
    for (id, component) in [
        ("react18", "React \"SaveButton\" < \"Toolbar\" at \"src/SaveButton.jsx:12:5\""),
        ("react19", "React \"SaveButton\" < \"Toolbar\" at \"src/Toolbar.tsx:7:9\""),
        ("vue", "Vue \"SaveButton\" < \"App\" at \"src/SaveButton.vue\""),
        ("svelte", "Svelte at \"src/Save.svelte:3:1\""),
        ("angular", "Angular \"SaveComponent\" at \"src/app/save.component.ts:9\""),
    ] {
        tools.select("", &format!("document.getElementById('{id}')")).await?;
        let reply = told(it, json!({ "tab": it.tab, "detail": true }), &format!("css \"#{id}\"")).await?;
        contains(&reply, &[&format!("component, as the page reports it: {component}")])?;
    }
    // What a page puts there is quoted and cut.
    tools.select("", "document.getElementById('forged')").await?;
    let reply = told(it, json!({ "tab": it.tab, "detail": true }), "css \"#forged\"").await?;
    contains(&reply, &[r#"React "\"\ne1 button \"Pay"#])?;
    ensure!(!reply.text.lines().any(|line| line.starts_with("e1 button \"Pay")), "a line is forged");
    // React itself, built for development.
    let tools = tools_on(it, &stage, "libraries/component.html", "Save it").await?;
    tools.select("", "document.getElementById('save')").await?;
    let reply = told(it, json!({ "tab": it.tab, "detail": true }), "css \"#save\"").await?;
    contains(&reply, &["React \"SaveButton\" < \"Toolbar\" at \"", "component.js:"])
}

async fn the_person_sends_it(it: &mut Trial) -> Result<()> {
    // A tab of the person's; the tools are open before any agent is.
    let page = it.visit.page("rows.html");
    it.browser().open_in_front(&page).await?;
    let stage = it.stage();
    let tools = stage.browser.open_developer_tools("/rows.html").await?;
    tools.select("", "document.getElementById('delete-Bob')").await?;
    tools.show_pane().await?;
    tools.pane_shows("button \"Delete\"").await?;
    tools.pane_shows("No agent knows of this tab").await?;
    tools.pane_shows("/html[1]/body[1]").await?;
    let listed = it.call("tabs", json!({})).await?;
    ensure!(!listed.text.contains("rows.html"), "an agent is told of the person's tab");
    let name = tools.pane_eval("document.querySelector('#list dd').textContent").await?;
    let reference = name.as_str().unwrap_or_default().to_owned();
    let hidden = it.call("locate", json!({ "ref": reference })).await?;
    ensure!(hidden.text.contains("error unknown_tab"), "an agent gets at the person's tab: {}", hidden.text);

    tools.pane_press("#copyRef").await?;
    tools.pane_shows(&format!("Copied: {reference}")).await?;
    tools.pane_press("#send").await?;
    tools.pane_shows("Copied for your agent: In tab t").await?;
    tools.pane_shows("Agents that you let in may use this tab.").await?;
    // Without a tab's name it is the latest that was pointed at and sent.
    let reply = told(it, json!({}), "\"Delete\" [selected in DevTools]").await?;
    reply.text.split(' ').next().unwrap_or_default().clone_into(&mut it.tab);
    contains(&reply, &[&reference, "row \"Bob"])?;
    it.act("click", json!({ "ref": reference })).await?;
    it.recorded("click", "delete-Bob").await?;
    tools.pane_shows("An agent works in this tab.").await?;
    // In a window of their own they tell the same.
    tools.undock().await?;
    tools.select("", "document.getElementById('delete-Carol')").await?;
    told(it, json!({ "tab": it.tab }), "row \"Carol").await?;
    tools.pane_shows("In row \"Carol").await
}
