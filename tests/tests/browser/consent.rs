//! The person decides: who is let in, who is kept out, when all stop; by the buttons of the popup alone. These share
//! one browser without an unattended policy.

use crate::{
    cases, popup,
    trial::{Trial, contains, on_stage},
    world::Stage,
};
use anyhow::{Result, ensure};
use serde_json::json;
use std::time::{Duration, Instant};
use tests::client::Reply;

cases!(beside: a_person_lets_in_keeps_out_and_stops);

async fn a_person_lets_in_keeps_out_and_stops(_: &mut Trial) -> Result<()> {
    on_stage(Stage::attended().await?, "first", async |it| {
        popup::open(it).await?;
        only_a_real_click_lets_in(it).await?;
        each_site_is_asked_about_once(it).await?;
        files_are_given_to_no_page(it).await?;
        who_is_refused_is_told_so(it).await?;
        stop_ends_everything_until_it_is_lifted(it).await?;
        cancel_in_the_bar_stops_all_as_well(it).await?;
        another_program_of_that_name_is_asked_about(it).await?;
        what_was_decided_is_written_down(it).await
    })
    .await
}

async fn only_a_real_click_lets_in(it: &mut Trial) -> Result<()> {
    let allow = "[aria-label='Allow first']";
    let arguments = json!({ "action": "open", "url": it.visit.page("rows.html") });
    let (reply, ()) = tokio::try_join!(it.agent().call("tabs", arguments), async {
        popup::badge(it, "?").await?;
        popup::shows(it, "“first” asks to be let in · connected").await?;
        popup::shows(it, "An agent that says it is “first” wants to use this browser.").await?;
        popup::eval(
            it,
            "addEventListener('click', () => { globalThis.clicks = (globalThis.clicks ?? 0) + 1 }, true)",
        )
        .await?;
        // Neither a script's click counts, nor one that comes too soon.
        popup::eval(it, &format!("document.querySelector({}).click()", json!(allow))).await?;
        popup::eval(it, "void (performance.now = () => 0)").await?;
        popup::press(it, allow).await?;
        popup::eval(it, "delete performance.now").await?;
        ensure!(popup::eval(it, "clicks").await? == 2, "the button was not reached");
        ensure!(popup::standing(it, "first").await? == "waiting", "let in without a real click");
        popup::badge(it, "?").await?;
        popup::armed(it).await?;
        popup::press(it, allow).await
    })?;
    ensure!(!reply.is_error, "the call that waited was not let through: {}", reply.text);
    contains(&reply, &["\"Swap\""])?;
    it.outline.read(&reply.text);
    reply.text.split(' ').next().unwrap_or_default().clone_into(&mut it.tab);
    ensure!(popup::standing(it, "first").await? == "allowed", "not noted as allowed");
    popup::badge(it, "on").await
}

async fn each_site_is_asked_about_once(it: &mut Trial) -> Result<()> {
    // Nothing of a site is asked for before the person said so.
    let (bank, reply) = visit(it, "bank", "now").await?;
    ensure!(!reply.is_error, "the visit that was allowed failed: {}", reply.text);
    contains(&reply, &["\"Swap\"", "bank.site.example"])?;
    let (shop, reply) = visit(it, "shop", "never").await?;
    ended(&reply, "site_denied")?;
    let reply = it.agent().call("navigate", json!({ "url": shop, "tab": it.tab })).await?;
    ended(&reply, "site_denied")?;
    let at = it.browser().page_eval("bank.site.example", "location.href").await?;
    ensure!(at == bank, "a site that was denied was gone to: {at}");
    // What was allowed is not asked again; where the page goes by itself is asked about before it goes there.
    it.done("navigate", json!({ "url": bank, "tab": it.tab })).await?;
    let mail = address(it, "mail");
    it.browser().page_eval("bank.site.example", &format!("void (location.href = {})", json!(mail))).await?;
    popup::shows(it, "“first” wants to be at http://mail.site.example").await?;
    ensure!(!it.visit.asked().iter().any(|asked| asked.contains("mail.site")), "it went there before");
    answer(it, "mail", "always").await?;
    it.done("wait", json!({ "url": "*mail.site.example*", "tab": it.tab })).await?;
    let reply = it.agent().call("snapshot", json!({ "tab": it.tab })).await?;
    ensure!(!reply.is_error, "the page that was allowed was not read: {}", reply.text);
    popup::shows(it, "may be at http://mail.site.example").await?;
    popup::choose(it, "[aria-label='Ask again about sites: first']").await?;
    let (_, reply) = visit(it, "shop", "never").await?;
    ended(&reply, "site_denied")?;
    popup::badge(it, "on").await?;
    it.done("navigate", json!({ "url": it.visit.page("rows.html"), "tab": it.tab })).await?;
    Ok(())
}

/// Has the agent go to a site that the person is asked about.
async fn visit(it: &Trial, name: &str, said: &str) -> Result<(String, Reply)> {
    let url = address(it, name);
    let gone = it.agent().call("navigate", json!({ "url": url, "tab": it.tab }));
    let (reply, ()) = tokio::try_join!(gone, answer(it, name, said))?;
    Ok((url, reply))
}

fn address(it: &Trial, name: &str) -> String {
    it.visit.page("rows.html").replace("127.0.0.1", &format!("{name}.site.example"))
}

async fn answer(it: &Trial, name: &str, said: &str) -> Result<()> {
    popup::badge(it, "?").await?;
    popup::shows(it, &format!("“first” wants to be at http://{name}.site.example")).await?;
    popup::choose(it, &format!("#visits [data-answer={said}]")).await
}

/// Without a policy somebody would have to be asked, and nobody can be.
async fn files_are_given_to_no_page(it: &mut Trial) -> Result<()> {
    let file = it.browser().files().join("private.txt");
    std::fs::write(&file, "private")?;
    let swap = it.reference("button", "Swap")?;
    let reply = it.act_refused("upload", json!({ "ref": swap, "files": [file] }), "upload_denied").await?;
    contains(&reply, &["uploads are not allowed", "Nothing done"])
}

async fn who_is_refused_is_told_so(it: &mut Trial) -> Result<()> {
    let second = it.another_agent("second").await?;
    let (reply, ()) = tokio::try_join!(second.call("tabs", json!({})), async {
        popup::badge(it, "?").await?;
        popup::shows(it, "“second” asks to be let in").await?;
        popup::choose(it, "[aria-label='Refuse second']").await
    })?;
    ended(&reply, "not_allowed")?;
    popup::badge(it, "on").await?;
    let again = second.call("tabs", json!({})).await?;
    ended(&again, "not_allowed")?;
    contains(&again, &["error not_allowed:", "\"second\"", "the person refused it"])?;
    ensure!(popup::standing(it, "second").await? == "refused", "not noted as refused");
    second.close().await
}

async fn stop_ends_everything_until_it_is_lifted(it: &mut Trial) -> Result<()> {
    ended(&interrupted(it, popup::choose(it, "#stop")).await?, "stopped")?;
    nothing_goes_until_it_is_lifted(it).await?;
    it.clicked(&["swap"]).await
}

/// Chrome's bar with Cancel is not in the page and takes no clicks here: the worker is told what Chrome tells it then.
async fn cancel_in_the_bar_stops_all_as_well(it: &mut Trial) -> Result<()> {
    let tab = it.chrome_tab("rows.html").await?;
    let cancel = format!(
        "chrome.debugger.detach({{ tabId: {tab} }})
            .then(() => chrome.debugger.onDetach.dispatch({{ tabId: {tab} }}, 'canceled_by_user'))"
    );
    let reply = interrupted(it, it.browser().worker_eval(&cancel)).await?;
    ended(&reply, "stopped").or_else(|_| ended(&reply, "cancelled_by_person"))?;
    nothing_goes_until_it_is_lifted(it).await?;
    it.clicked(&["swap", "swap"]).await
}

/// The agent that was let in is one that this test started; a shell that starts one of the same name is another.
async fn another_program_of_that_name_is_asked_about(it: &mut Trial) -> Result<()> {
    let mut shell = tokio::process::Command::new("sh");
    shell.arg("-c").arg("\"$0\" tabs list --agent first; exit $?").arg(it.host());
    shell.env("TABWRIGHT_RUNTIME_DIR", it.browser().runtime()).kill_on_drop(true);
    let (output, ()) = tokio::try_join!(async { Ok(shell.output().await?) }, async {
        popup::badge(it, "?").await?;
        popup::shows(it, "You allowed one of that name, but it was another program.").await?;
        popup::shows(it, "started by /").await?;
        popup::choose(it, "[aria-label='Allow first']:not([hidden])").await
    })?;
    let told = String::from_utf8_lossy(&output.stdout);
    ensure!(output.status.success() && told.contains("\"first\" has no tab"), "it was not let in: {told}");
    // Both come in now, each as it was let in.
    it.done("tabs", json!({ "action": "list" })).await.map(drop)
}

async fn what_was_decided_is_written_down(it: &mut Trial) -> Result<()> {
    let journal = it.shell(&["journal", "--last", "1000"]).await?;
    for line in [
        "the person: allow \"first\" /",
        "the person: site now \"first\" http://bank.site.example",
        "the person: site never \"first\" http://shop.site.example",
        "the person: refuse \"second\" · ok",
        "the person: stop · ok",
        "the person: go on · ok",
        "\"second\" tabs · not_allowed",
        "\"first\" act upload",
    ] {
        ensure!(journal.contains(line), "the journal does not say {line:?}:\n{journal}");
    }
    Ok(())
}

/// Interrupts a call that is under way, in a tab of its own, and gives its answer back.
async fn interrupted<T>(it: &Trial, interrupt: impl Future<Output = Result<T>>) -> Result<Reply> {
    let arguments = json!({ "action": "open", "url": it.visit.page("../slow/30000") });
    let loading = "chrome.tabs.query({ status: 'loading' }).then((tabs) => tabs.some((it) => it.pendingUrl?.includes('/slow/')))";
    let (reply, ()) = tokio::try_join!(it.agent().call("tabs", arguments), async {
        let start = Instant::now();
        while it.browser().worker_eval(loading).await? != true {
            ensure!(start.elapsed() < Duration::from_secs(5), "the slow page is not being loaded");
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        interrupt.await.map(drop)
    })?;
    ensure!(reply.elapsed < Duration::from_secs(10), "it went on for {:?}", reply.elapsed);
    Ok(reply)
}

async fn nothing_goes_until_it_is_lifted(it: &mut Trial) -> Result<()> {
    let (tab, swap) = (it.tab.clone(), it.reference("button", "Swap")?);
    let before = it.visit.record().len();
    popup::badge(it, "stop").await?;
    popup::shows(it, "All agents are stopped.").await?;
    it.refused("snapshot", json!({ "tab": tab }), "stopped").await?;
    it.act_refused("click", json!({ "ref": swap }), "stopped").await?;
    ensure!(it.visit.record().len() == before, "a stopped agent reached the page");
    popup::shows(it, "Let agents go on").await?;
    popup::choose(it, "#stop").await?;
    popup::badge(it, "on").await?;
    it.act("click", json!({ "ref": swap })).await?;
    Ok(())
}

/// The call failed with this code, and says what to do.
fn ended(reply: &Reply, code: &str) -> Result<()> {
    ensure!(reply.is_error, "it was to fail with {code}, but: {}", reply.text);
    contains(reply, &[&format!("error {code}:"), "\nnext: "])
}
