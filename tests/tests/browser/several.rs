//! Several browsers at once: the person names a profile, and agents say which browser they mean.

use crate::{
    cases, popup,
    trial::{Trial, contains, on_stage},
    world::Stage,
};
use anyhow::{Context as _, Result, ensure};
use serde_json::json;
use std::time::{Duration, Instant};
use tests::client::Agent;

cases!(beside: a_profile_that_the_person_named_is_called_so);

/// How long a name may take to be known.
const SOON: Duration = Duration::from_secs(3);

async fn a_profile_that_the_person_named_is_called_so(_: &mut Trial) -> Result<()> {
    on_stage(Stage::start().await?, "first", async |it| {
        let other = it.browser().launch_beside().await?;
        other.wait_for_hosts(2).await?;
        popup::open(it).await?;
        write_name(it, "My Work").await?;

        // An agent that has used no browser is told the words; which is the other's goes with its random id.
        let agent = Agent::connect(&it.stage().product.host, &it.browser().runtime(), "second").await?;
        let start = Instant::now();
        let words = loop {
            let reply = agent.call("tabs", json!({})).await?;
            if reply.text.contains("my-work") {
                break reply;
            }
            ensure!(start.elapsed() < SOON, "the name is not known: {}", reply.text);
            tokio::time::sleep(Duration::from_millis(20)).await;
        };
        contains(
            &words,
            &[
                "error browser_needed: it is not clear which browser is meant; connected: ",
                "\nnext: name the browser",
            ],
        )?;
        let url = it.visit.page("rows.html");
        let opened = agent.call("tabs", json!({ "action": "open", "url": url, "tab": "my-work/" })).await?;
        contains(&opened, &["of browser my-work: write my-work/t", "button \"Swap\""])?;
        it.outline.read(&opened.text);
        let swap = format!("my-work/{}", it.reference("button", "Swap")?);
        let clicked = agent.call("act", json!({ "kind": "click", "ref": swap })).await?;
        ensure!(!clicked.is_error, "{}", clicked.text);
        it.clicked(&["swap"]).await?;
        ensure!(it.chrome_tabs("rows.html").await?.len() == 1, "it was opened elsewhere");

        // The name outlives the browser's worker.
        it.browser().stop_worker().await?;
        it.page_eval("rows.html", "history.replaceState({}, '', '#awake')").await?;
        let start = Instant::now();
        loop {
            let reply = agent.call("tabs", json!({ "tab": "my-work/" })).await?;
            if !reply.is_error {
                break;
            }
            ensure!(start.elapsed() < SOON, "the name is lost: {}", reply.text);
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        agent.close().await
    })
    .await
}

/// Types it into the popup, as a person does.
async fn write_name(it: &Trial, name: &str) -> Result<()> {
    const POPUP: &str = "/popup/popup.html";
    popup::press(it, "#profile").await?;
    it.browser().page_call(POPUP, "Input.insertText", json!({ "text": name })).await?;
    let enter = json!({ "type": "keyDown", "key": "Enter", "code": "Enter", "text": "\r",
        "windowsVirtualKeyCode": 13 });
    it.browser().page_call(POPUP, "Input.dispatchKeyEvent", enter).await?;
    let start = Instant::now();
    loop {
        let view = popup::eval(it, "chrome.runtime.sendMessage({ intent: 'status' })").await?;
        let known = view["profile"].as_str().context("the view has no profile")?;
        if known == name {
            return Ok(());
        }
        let field = popup::eval(it, "`${document.activeElement.id} ${profile.value}`").await?;
        ensure!(start.elapsed() < SOON, "the profile is called {known:?}, in the popup stands {field}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}
