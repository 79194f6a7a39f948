//! Secrets go into the field they are for, in a frame of an origin they are for, by the person's word; the agent is told
//! nothing of them, whatever the page does with them.

use crate::{
    cases, popup,
    trial::{Trial, contains, on_stage},
    world::Stage,
};
use anyhow::{Result, ensure};
use serde_json::{Value, json};
use std::path::Path;
use tests::client::Reply;

cases!(beside: a_secret_goes_into_its_field_and_nowhere_else);

/// What the person types.
const TYPED: &str = "pa\"ss & w<o>rd 7";

/// What the keyring holds.
const STORED: &str = "correct-horse-battery";

async fn a_secret_goes_into_its_field_and_nowhere_else(_: &mut Trial) -> Result<()> {
    on_stage(Stage::attended().await?, "keeper", async |it| {
        a_keyring_stands_in(it).await?;
        popup::open(it).await?;
        let open = json!({ "action": "open", "url": it.visit.page("secrets.html") });
        let (reply, ()) = tokio::try_join!(
            it.agent().call("tabs", open),
            popup::choose(it, "[aria-label='Allow keeper']")
        )?;
        it.outline.read(&reply.text);
        reply.text.split(' ').next().unwrap_or_default().clone_into(&mut it.tab);
        what_the_person_types_goes_into_the_field(it).await?;
        what_the_page_shows_again_is_masked(it).await?;
        a_stored_one_goes_to_its_origin_alone(it).await?;
        what_changed_since_is_not_given_it(it).await?;
        it.browser().stop_worker().await?;
        let reply = it.call("snapshot", json!({ "tab": it.tab, "mode": "verbose" })).await?;
        ensure!(!reply.text.contains(TYPED) && reply.text.contains("•••"), "after a restart: {}", reply.text);
        nothing_is_written_down(&it.browser().runtime())
    })
    .await
}

async fn what_the_person_types_goes_into_the_field(it: &mut Trial) -> Result<()> {
    let token = it.reference("textbox", "Token")?;
    let give = json!({ "kind": "fill", "ref": token, "secret": "ask" });
    let reply = asked(it, &give, "once", async |it| {
        popup::shows(it, "What you type here goes into that field, and not to the agent.").await?;
        // Nothing typed is no answer.
        popup::choose(it, "#questions [data-answer=once]").await?;
        popup::eval(it, "document.querySelector('#questions .typing input').focus()").await?;
        let typed = json!({ "text": TYPED });
        it.browser().page_call("/popup/popup.html?tab", "Input.insertText", typed).await?;
        // It asks how things stand meanwhile.
        popup::eval(it, "new Promise((done) => setTimeout(done, 1100))").await?;
        let held = popup::eval(it, "document.querySelector('#questions .typing input').value").await?;
        ensure!(held == TYPED, "what is being typed was lost: {held}");
        Ok(())
    })
    .await?;
    contains(&reply, &["ok fill", "textbox \"Token\"", "=\"••••"])?;
    hidden(&reply)?;
    let held = it.page_eval("secrets.html", "document.getElementById('token').value").await?;
    ensure!(held == TYPED, "the field holds {held}");
    let remarks = it.reference("textbox", "Remarks")?;
    it.act_refused("fill", json!({ "ref": remarks, "secret": "ask" }), "wrong_kind").await?;
    it.act_refused("type", json!({ "ref": token, "secret": "ask", "submit": true }), "bad_argument").await?;
    let reply =
        asked(it, &json!({ "kind": "type", "ref": token, "secret": "ask" }), "refuse", async |_| Ok(()))
            .await?;
    contains(&reply, &["error refused_by_person:"])
}

async fn what_the_page_shows_again_is_masked(it: &mut Trial) -> Result<()> {
    let reply = it.click("button", "Echo").await?;
    contains(&reply, &["•••"])?;
    hidden(&reply)?;
    let copy = it.reference("textbox", "Copy")?;
    for (tool, arguments) in [
        ("snapshot", json!({ "mode": "verbose", "links": true })),
        ("read", json!({})),
        ("read", json!({ "format": "links" })),
        ("find", json!({ "pattern": "." })),
        ("locate", json!({ "css": "#shown", "detail": "html" })),
        ("locate", json!({ "ref": copy })),
        ("diff", json!({})),
        ("tabs", json!({ "action": "list" })),
    ] {
        let mut arguments = arguments;
        if tool != "tabs" && arguments["ref"].is_null() {
            arguments["tab"] = json!(it.tab);
        }
        let reply = it.call(tool, arguments).await?;
        hidden(&reply)?;
    }
    Ok(())
}

async fn a_stored_one_goes_to_its_origin_alone(it: &mut Trial) -> Result<()> {
    let password = it.reference("textbox", "Password")?;
    let pin = it.reference_under("textbox", "Pin", "Elsewhere")?;
    let boxed = it.reference_under("textbox", "Pin", "Sandboxed")?;
    let with = |field: &str, secret: &str| json!({ "kind": "fill", "ref": field, "secret": secret });
    // By the frame, not by the page around it.
    let reply = it.refused("act", with(&pin, "here"), "no_secret").await?;
    contains(&reply, &["there is no secret \"here\" for http://localhost", "for it: there"])?;
    it.refused("act", with(&password, "there"), "no_secret").await?;
    it.refused("act", with(&password, "unknown"), "no_secret").await?;
    it.refused("act", with(&boxed, "here"), "no_secret").await?;
    let reply = asked(it, &with(&password, "here"), "refuse", async |_| Ok(())).await?;
    contains(&reply, &["error refused_by_person:"])?;
    ensure!(revealed(it).await? == json!([]), "the keyring gave {}", revealed(it).await?);
    for (field, secret, page) in [(&password, "here", false), (&pin, "there", true)] {
        let reply = asked(it, &with(field, secret), "once", async |it| {
            popup::shows(it, &format!("with the secret {secret}")).await?;
            popup::shows(it, "It types a secret that you stored.").await?;
            let frame = "in a frame within a page of http://127.0.0.1";
            if page { popup::shows(it, frame).await } else { popup::lacks(it, frame).await }
        })
        .await?;
        contains(&reply, &["ok fill"])?;
        hidden(&reply)?;
    }
    let held = it.page_eval("secrets.html", "document.getElementById('password').value").await?;
    ensure!(held == STORED, "the field holds {held}");
    ensure!(revealed(it).await? == json!(["here", "there"]), "the keyring gave {}", revealed(it).await?);
    // Each time anew.
    let reply = asked(it, &with(&password, "here"), "refuse", async |_| Ok(())).await?;
    contains(&reply, &["error refused_by_person:"])
}

async fn what_changed_since_is_not_given_it(it: &mut Trial) -> Result<()> {
    let before = revealed(it).await?;
    for change in [
        "document.querySelector('[title=Elsewhere]').src = 'secrets-frame.html'",
        "document.querySelector('[title=Elsewhere]').remove()",
    ] {
        it.done("navigate", json!({ "url": it.visit.page("secrets.html"), "tab": it.tab })).await?;
        let pin = it.reference_under("textbox", "Pin", "Elsewhere")?;
        let reply =
            asked(it, &json!({ "kind": "fill", "ref": pin, "secret": "there" }), "once", async |it| {
                it.page_eval("secrets.html", &format!("void ({change})")).await.map(drop)
            })
            .await?;
        ensure!(reply.is_error, "it was typed although the frame changed: {}", reply.text);
        hidden(&reply)?;
    }
    ensure!(revealed(it).await? == before, "the keyring gave {}", revealed(it).await?);
    it.done("navigate", json!({ "url": it.visit.page("secrets.html"), "tab": it.tab })).await?;
    // For what comes next: it is in the page as plain text.
    it.page_eval(
        "secrets.html",
        &format!("void (document.getElementById('shown').textContent = {})", json!(TYPED)),
    )
    .await?;
    Ok(())
}

/// The trial's machine may have no keyring: what the worker asks of it is answered in the worker's own port, and counted.
async fn a_keyring_stands_in(it: &Trial) -> Result<()> {
    let (here, there) = (origin(it, "127.0.0.1"), origin(it, "localhost"));
    let stand_in = format!(
        "(() => {{
            globalThis.revealed = [];
            const secrets = [{{ name: 'here', origins: [{here}] }}, {{ name: 'there', origins: [{there}] }}];
            const connect = chrome.runtime.connectNative.bind(chrome.runtime);
            chrome.runtime.connectNative = (name) => {{
                const port = connect(name);
                const hear = [];
                const listen = port.onMessage.addListener.bind(port.onMessage);
                port.onMessage.addListener = (listener) => {{ hear.push(listener); listen(listener); }};
                const post = port.postMessage.bind(port);
                port.postMessage = (envelope) => {{
                    const said = envelope.whole ? JSON.parse(envelope.whole) : {{}};
                    let keyring = null;
                    if (said.type === 'list_secrets') keyring = {{ answer: 'listed', secrets }};
                    if (said.type === 'reveal') {{
                        const found = secrets.find((it) => it.name === said.name && it.origins.includes(said.origin));
                        globalThis.revealed.push(said.name);
                        keyring = found ? {{ answer: 'value', value: {value}, origins: found.origins }} : {{ answer: 'absent' }};
                    }}
                    if (!keyring) return post(envelope);
                    // What the host does not get to read it cannot give credit for.
                    const answers = [{{ type: 'secrets', question: said.question, keyring }}, {{ type: 'credit', envelopes: 1 }}];
                    queueMicrotask(() => answers.forEach((it) => hear.forEach((listener) => listener({{ whole: JSON.stringify(it) }}))));
                }};
                return port;
            }};
        }})()",
        value = json!(STORED),
    );
    it.browser().worker_eval(&stand_in).await?;
    ensure!(it.browser().kill_host().await? > 0, "there was no host to kill");
    it.browser().wait_for_host().await
}

fn origin(it: &Trial, host: &str) -> Value {
    let page = it.visit.page("");
    let port = page.split(':').nth(2).and_then(|rest| rest.split('/').next()).unwrap_or_default();
    json!(format!("http://{host}:{port}"))
}

async fn revealed(it: &Trial) -> Result<Value> {
    it.browser().worker_eval("globalThis.revealed").await
}

/// The reply has nothing of what is secret, in no way of writing it.
fn hidden(reply: &Reply) -> Result<()> {
    let json = json!(TYPED).to_string();
    for form in [TYPED, json.trim_matches('"'), STORED, "pa%22ss", "pa&quot;ss", "pa\"ss", "pa\\\"ss"] {
        ensure!(!reply.text.contains(form), "the reply has {form}: {}", reply.text);
    }
    Ok(())
}

/// The journal, and whatever else lies where the host is met.
fn nothing_is_written_down(folder: &Path) -> Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            nothing_is_written_down(&path)?;
        } else if let Ok(text) = std::fs::read_to_string(&path) {
            ensure!(!text.contains("pa\\\"ss") && !text.contains(STORED), "{} has it", path.display());
        }
    }
    Ok(())
}

/// Has the agent do what the person is asked about; something else happens before they answer.
async fn asked(
    it: &mut Trial,
    act: &Value,
    answer: &str,
    meanwhile: impl AsyncFnOnce(&Trial) -> Result<()>,
) -> Result<Reply> {
    let button = format!("#questions [aria-label*='keeper'][data-answer={answer}]");
    popup::answered(it, act, &button, meanwhile).await
}
