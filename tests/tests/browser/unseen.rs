//! What no script of ours can see, and the browser tells: closed shadow roots, what custom elements are by their class,
//! listeners.

use crate::{
    cases,
    trial::{Trial, contains},
};
use anyhow::{Result, ensure};
use serde_json::json;

cases!(beside:
    closed_roots_of_every_kind_are_read_and_clicked,
    a_root_that_is_closed_later_is_there,
    a_root_that_cannot_be_read_says_so_in_its_place,
    closed_roots_in_frames_are_read_and_worked,
    a_path_into_a_closed_root_leads_back,
    a_point_and_a_selector_find_in_closed_roots,
    custom_elements_are_what_their_class_says,
    a_switch_that_only_its_class_turns_is_seen_to_turn,
    what_listens_gets_a_ref_and_what_listens_for_others_does_not,
    more_listeners_than_are_asked_for_at_a_time_come_with_the_next_looks,
    more_custom_elements_than_are_asked_for_at_a_time_come_with_the_next_looks,
    more_closed_roots_than_are_asked_for_at_a_time_are_said_to_be_missing,
);

async fn closed_roots_of_every_kind_are_read_and_clicked(it: &mut Trial) -> Result<()> {
    let page = it.open("closed.html").await?;
    ensure!(!page.text.contains("No slot takes this"), "what is not drawn is shown");
    let buttons = ["outer", "inner", "instead", "heard", "custom", "light", "declared"];
    for name in buttons {
        it.click("button", &format!("Press {name}")).await?;
        it.recorded("press", name).await?;
    }
    Ok(())
}

async fn a_root_that_is_closed_later_is_there(it: &mut Trial) -> Result<()> {
    it.open("closed.html").await?;
    it.click("button", "Add a root").await?;
    it.done("snapshot", json!({})).await?;
    it.click("button", "Press late").await?;
    it.recorded("press", "late").await?;
    Ok(())
}

async fn a_root_that_cannot_be_read_says_so_in_its_place(it: &mut Trial) -> Result<()> {
    // Chromium hands over every root that is there: so those of this name are refused in its stead.
    let refuse = r#"(() => {
        const send = chrome.debugger.sendCommand;
        const refused = new Set();
        chrome.debugger.sendCommand = async (target, method, params) => {
            if (method === "DOM.resolveNode" && refused.has(params.backendNodeId)) {
                throw new Error('{"code":-32000,"message":"No node with given id found"}');
            }
            const answer = await send.call(chrome.debugger, target, method, params);
            if (answer?.node?.localName === "x-refused") refused.add(answer.node.shadowRoots?.[0]?.backendNodeId);
            return answer;
        };
        globalThis.handOver = () => (chrome.debugger.sendCommand = send);
        return 0;
    })()"#;
    it.browser().worker_eval(refuse).await?;
    it.open("closed.html").await?;
    let add = "(() => {
        const host = document.createElement('x-refused');
        host.attachShadow({ mode: 'closed' }).innerHTML = '<p>Words within</p>';
        document.body.append(host);
    })(), 0";
    it.browser().page_eval(&it.visit.page("closed.html"), add).await?;
    let page = it.done("snapshot", json!({})).await?;
    it.browser().worker_eval("handOver(), 0").await?;
    let said: Vec<&str> = page.text.lines().filter(|line| line.contains("shadow root unreadable")).collect();
    ensure!(said.len() == 1 && said[0].contains("No node with given id"), "{said:?} in {}", page.text);
    ensure!(
        page.text.contains("button \"Press outer\"") && !page.text.contains("Words within"),
        "{}",
        page.text
    );
    Ok(())
}

async fn closed_roots_in_frames_are_read_and_worked(it: &mut Trial) -> Result<()> {
    it.open("closed.html").await?;
    it.done("wait", json!({ "text": ["Press abroad"] })).await?;
    it.done("snapshot", json!({})).await?;
    for name in ["framed", "abroad"] {
        it.click("button", &format!("Press {name}")).await?;
        it.recorded("press", name).await?;
    }
    let field = it.reference("textbox", "Far field")?;
    it.act("fill", json!({ "ref": field, "value": "over there" })).await?;
    it.act("press", json!({ "key": "Tab" })).await?;
    it.recorded_value("change", "far", "over there").await
}

async fn a_path_into_a_closed_root_leads_back(it: &mut Trial) -> Result<()> {
    it.open("closed.html").await?;
    it.done("snapshot", json!({ "mode": "verbose" })).await?;
    let inner = it.reference("button", "Press inner")?;
    let located = it.done("locate", json!({ "ref": inner })).await?;
    contains(&located, &["/html[1]/body[1]/div[1]::shadow/span[1]::shadow/button[1]"])?;
    let path = "/html[1]/body[1]/div[1]::shadow/span[1]::shadow/button[1]";
    let back = it.done("locate", json!({ "xpath": path, "tab": it.tab })).await?;
    contains(&back, &[&inner])
}

async fn a_point_and_a_selector_find_in_closed_roots(it: &mut Trial) -> Result<()> {
    it.open("closed.html").await?;
    let custom = it.reference("button", "Press custom")?;
    let by_css = it.done("locate", json!({ "css": "#custom", "tab": it.tab })).await?;
    contains(&by_css, &[&custom])?;
    let boxed = by_css.text.lines().find_map(|line| line.trim().strip_prefix("box ")).unwrap_or_default();
    let numbers: Vec<f64> = boxed
        .split(|c: char| !c.is_ascii_digit() && c != '.')
        .filter_map(|number| number.parse().ok())
        .collect();
    ensure!(numbers.len() >= 4, "no box is told: {}", by_css.text);
    let point = format!("{},{}", numbers[0] + 3.0, numbers[1] + 3.0);
    let by_point = it.done("locate", json!({ "point": point, "tab": it.tab })).await?;
    contains(&by_point, &[&custom])
}

async fn custom_elements_are_what_their_class_says(it: &mut Trial) -> Result<()> {
    let page = it.open("inner-semantics.html").await?;
    contains(
        &page,
        &[
            "switch \"Wifi\"",
            "switch \"Own word\" checked",
            "switch \"Off one\" disabled",
            "textbox \"Named within\" required",
            "Plain words",
        ],
    )
}

async fn a_switch_that_only_its_class_turns_is_seen_to_turn(it: &mut Trial) -> Result<()> {
    it.open("inner-semantics.html").await?;
    let turned = it.click("switch", "Wifi").await?;
    it.recorded_value("switch", "wifi", "true").await?;
    contains(&turned, &["switch \"Wifi\" +checked"])
}

async fn more_listeners_than_are_asked_for_at_a_time_come_with_the_next_looks(it: &mut Trial) -> Result<()> {
    it.open("listeners.html").await?;
    let page = it.visit.page("listeners.html");
    let many = "for (let i = 0; i < 400; i++) { const e = document.createElement('div'); e.textContent = `Many ${i}.`; \
        e.addEventListener('click', () => {}); document.body.append(e); }";
    it.browser().page_eval(&page, many).await?;
    let all = json!({ "max_tokens": 100_000 });
    for _ in 0..2 {
        it.done("snapshot", all.clone()).await?;
    }
    let shown = it.done("snapshot", all).await?;
    let listed = shown.text.lines().filter(|line| line.contains("generic \"Many ")).count();
    ensure!(listed == 400, "{listed} of 400 that listen are listed");
    Ok(())
}

async fn more_closed_roots_than_are_asked_for_at_a_time_are_said_to_be_missing(it: &mut Trial) -> Result<()> {
    it.open("closed.html").await?;
    let page = it.visit.page("closed.html");
    let many = "for (let i = 0; i < 2100; i++) { const e = document.createElement('x-closed'); document.body.append(e); \
        e.attachShadow({ mode: 'closed' }).innerHTML = `<button>Many ${i}</button>`; }";
    it.browser().page_eval(&page, many).await?;
    let all = json!({ "max_tokens": 100_000 });
    let first = it.done("snapshot", all.clone()).await?;
    let said = first.text.lines().next().unwrap_or_default().contains("look again");
    let listed = first.text.lines().filter(|line| line.contains("button \"Many ")).count();
    ensure!(
        said && listed > 1000,
        "{listed} of 2,100 are listed, and nothing is said: {}",
        first.text.lines().next().unwrap_or_default()
    );
    let then = it.done("snapshot", all).await?;
    let listed = then.text.lines().filter(|line| line.contains("button \"Many ")).count();
    ensure!(listed == 2100, "{listed} of 2,100 buttons are listed");
    ensure!(!then.text.contains("look again"), "what is complete is said to be none");
    Ok(())
}

async fn more_custom_elements_than_are_asked_for_at_a_time_come_with_the_next_looks(
    it: &mut Trial,
) -> Result<()> {
    it.open("inner-semantics.html").await?;
    let page = it.visit.page("inner-semantics.html");
    let many = "for (let i = 0; i < 300; i++) { const e = document.createElement('x-switch'); e.textContent = `Many ${i}.`; \
        document.body.append(e); }";
    it.browser().page_eval(&page, many).await?;
    let all = json!({ "max_tokens": 100_000 });
    for _ in 0..3 {
        it.done("snapshot", all.clone()).await?;
    }
    let shown = it.done("snapshot", all).await?;
    let listed = shown.text.lines().filter(|line| line.contains("switch \"Many ")).count();
    ensure!(listed == 300, "{listed} of 300 switches are listed");
    Ok(())
}

async fn what_listens_gets_a_ref_and_what_listens_for_others_does_not(it: &mut Trial) -> Result<()> {
    let page = it.open("listeners.html").await?;
    let line = |words: &str| page.text.lines().find(|line| line.contains(words)).unwrap_or_default().trim();
    for (words, listens) in
        [("Plain word", true), ("Silent word", false), ("Put it here", true), ("Or there", true)]
    {
        ensure!(line(words).starts_with('e') == listens, "{words}: {:?}", line(words));
    }
    ensure!(
        line("Put it here").contains("dropzone") && line("Or there").contains("dropzone"),
        "no drop zones"
    );
    let first = line("First");
    let indent =
        page.text.lines().find(|line| line.contains("First")).map_or(0, |l| l.len() - l.trim_start().len());
    ensure!(indent == 0, "what listens for others is shown around {first}");
    Ok(())
}
