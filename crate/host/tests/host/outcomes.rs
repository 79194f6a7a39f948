//! What becomes of requests when something breaks: the agent is told what the worker knows of it, and nothing is sent
//! twice.

use crate::browser::{Browser, Request, call, failure, folder, mcp, soon, text};
use serde_json::{Value, json};
use wire::{FromWorker, Lane, Reply, RequestId, ToWorker};

fn click() -> Value {
    json!({"kind": "click", "ref": "e1"})
}

/// Until the agent that comes asks what became of a request; nothing else may be asked for.
async fn inquiry(browser: &mut Browser) -> (wire::ConnectionId, RequestId) {
    loop {
        match browser.hear().await {
            ToWorker::Inquire { connection, id } => return (connection, id),
            ToWorker::Request { id, tool, .. } => panic!("{tool} came again as {id:?}"),
            ToWorker::Hello(_)
            | ToWorker::Joined { .. }
            | ToWorker::Left { .. }
            | ToWorker::Cancel { .. }
            | ToWorker::Looked { .. }
            | ToWorker::Secrets { .. }
            | ToWorker::Credit { .. }
            | ToWorker::Ping { .. }
            | ToWorker::Pong { .. } => {}
        }
    }
}

async fn killed_with(browser: &mut Browser) -> Request {
    let request = browser.request().await;
    browser.host.kill().await.unwrap();
    request
}

#[tokio::test]
async fn what_became_of_a_request_is_asked_of_the_next_host_and_nothing_is_sent_twice() {
    let folder = folder();
    let mut browser = Browser::start(folder.path()).await;
    let client = mcp(folder.path()).await;
    let became = [
        Reply::text("t3 ok: clicked"),
        Reply::failure("not_started", "it was not begun. Nothing done.", "call it again"),
        Reply::failure("outcome_unknown", "it may have been done.", "take a snapshot"),
    ];
    for reply in became {
        let expected = reply.joined_text();
        let (result, next) = tokio::join!(call(&client, "act", click()), async {
            let request = killed_with(&mut browser).await;
            let mut next = Browser::start(folder.path()).await;
            let (connection, id) = inquiry(&mut next).await;
            assert_eq!(id, request.id);
            next.say(Lane(1), &FromWorker::Reply { connection, id, reply }).await;
            next
        });
        assert_eq!(text(&result), expected);
        browser = next;
    }
    // Each request has a number of its own, in whatever process of whatever agent.
    let other = mcp(folder.path()).await;
    let (_, first) = tokio::join!(call(&client, "act", click()), browser.answer("ok"));
    let (_, second) = tokio::join!(call(&other, "act", click()), browser.answer("ok"));
    assert!(first.id.0.abs_diff(second.id.0) > 1 << 20, "{:?} and {:?}", first.id, second.id);
}

#[tokio::test]
async fn when_the_browser_goes_every_request_is_told_what_is_known() {
    let folder = folder();
    let mut browser = Browser::start(folder.path()).await;
    let client = mcp(folder.path()).await;
    let calls = futures::future::join_all((0..11).map(|_| call(&client, "act", click())));
    let (results, ()) = tokio::join!(calls, async {
        for _ in 0..8 {
            browser.request().await;
        }
        browser.close().await;
    });
    let said: Vec<_> = results.iter().map(failure).collect();
    let count = |code: &str| said.iter().filter(|said| said.starts_with(code)).count();
    // Of the other three it depends on whether the host had them already: they may have been sent into the end.
    let (not_started, unknown) = (count("error not_started:"), count("error outcome_unknown:"));
    assert!(not_started + unknown == 11 && unknown >= 8, "{said:#?}");
    assert!(said.iter().all(|said| said.contains("the browser or its extension went away")), "{said:#?}");
}

#[tokio::test]
async fn an_agent_that_came_before_the_browser_works_as_soon_as_it_comes() {
    let folder = folder();
    let client = mcp(folder.path()).await;
    // It was called already, in vain.
    let said = failure(&call(&client, "tabs", json!({})).await);
    assert!(said.starts_with("error host_missing:"), "{said}");
    let (result, began) = tokio::join!(call(&client, "tabs", json!({})), async {
        tokio::time::sleep(std::time::Duration::from_millis(300)).await;
        let began = std::time::Instant::now();
        let mut browser = Browser::start(folder.path()).await;
        browser.answer("here").await;
        browser.close().await;
        began
    });
    assert_eq!(text(&result), "here");
    assert!(began.elapsed() < std::time::Duration::from_secs(4), "{:?}", began.elapsed());
}

#[tokio::test]
async fn one_large_reply_is_sent_on_credit() {
    let folder = folder();
    let mut browser = Browser::start(folder.path()).await;
    let client = mcp(folder.path()).await;
    let page = "x".repeat(10 << 20);
    let (result, granted) = tokio::join!(call(&client, "snapshot", json!({})), async {
        let request = browser.request().await;
        browser.reply(&request, Reply::text(page.clone())).await;
        let mut granted = 0;
        // 40 parts and what was said before.
        while granted < 40 {
            if let ToWorker::Credit { envelopes } = soon("credit", browser.hear()).await {
                granted += envelopes;
            }
        }
        granted
    });
    assert_eq!((text(&result).len(), granted), (10 << 20, 40));
}
