//! Agents, the real host and a played worker: whatever is asked is answered once, in whatever order and size.

use crate::browser::{Browser, call, command, failure, folder, mcp, nothing, params, soon, text};
use rmcp::{
    model::{CancelledNotificationParam, ClientRequest, Request},
    service::PeerRequestOptions,
};
use serde_json::json;
use wire::{AgentKind, Reply, ToWorker};

#[tokio::test]
async fn a_call_goes_there_and_back() {
    let folder = folder();
    let mut browser = Browser::start(folder.path()).await;
    let client = mcp(folder.path()).await;
    let tools = soon("the list", client.list_all_tools()).await.unwrap();
    assert_eq!(tools.iter().map(|tool| tool.name.as_ref()).collect::<Vec<_>>(), tools::table::NAMES);
    assert!(tools.iter().all(|tool| tool.output_schema.is_none() && tool.annotations.is_some()));
    let info = client.peer_info().unwrap();
    assert!(info.instructions.as_ref().is_some_and(|text| text.contains("next:")));

    let arguments = json!({"kind": "click", "ref": "@e12"});
    let (result, ()) = tokio::join!(call(&client, "act", arguments.clone()), async {
        let ToWorker::Joined { label, kind, executable, .. } = browser.hear().await else {
            panic!("no join")
        };
        assert!(!label.is_empty());
        assert_eq!(kind, AgentKind::Mcp);
        if cfg!(target_os = "linux") {
            let me = std::env::current_exe().unwrap();
            assert_eq!(executable.as_deref(), me.to_str(), "the parent of the MCP server is this test");
        }
        let request = browser.answer("t3 ok").await;
        assert_eq!((request.tool.as_str(), request.arguments), ("act", arguments));
    });
    assert_eq!((text(&result).as_str(), result.is_error), ("t3 ok", Some(false)));

    // The agent goes with its stdin.
    client.cancel().await.unwrap();
    assert!(matches!(browser.hear().await, ToWorker::Left { .. }));
    browser.close().await;
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "the host left something");
}

#[tokio::test]
async fn a_large_reply_does_not_hold_up_a_small_one() {
    let folder = folder();
    let mut browser = Browser::start(folder.path()).await;
    let client = mcp(folder.path()).await;
    let order = std::sync::Mutex::new(Vec::new());
    let large = async {
        let result = call(&client, "snapshot", json!({"mode": "full"})).await;
        order.lock().unwrap().push("large");
        text(&result)
    };
    let small = async {
        let result = call(&client, "snapshot", json!({"mode": "interactive"})).await;
        order.lock().unwrap().push("small");
        text(&result)
    };
    // Quotes and wide characters: worse to carry than plain text.
    let page = "é\"\\ 😀\n".repeat(1 << 20);
    let (large, small, ()) = tokio::join!(large, small, async {
        let mut requests = [browser.request().await, browser.request().await];
        requests.sort_by_key(|request| request.arguments["mode"] != "full");
        browser.queue_reply(&requests[0], Reply::text(page.clone()));
        browser.queue_reply(&requests[1], Reply::text("small"));
        browser.flush().await;
    });
    assert!(page.len() >= 10 << 20);
    assert!(large == page && small == "small");
    assert_eq!(*order.lock().unwrap(), ["small", "large"]);
}

#[tokio::test]
async fn a_large_request_arrives_in_parts_and_an_oversize_one_is_refused() {
    let folder = folder();
    let mut browser = Browser::start(folder.path()).await;
    let client = mcp(folder.path()).await;
    let value = "\"é".repeat(700_000);
    let fill = |value: &str| json!({"kind": "fill", "ref": "e1", "value": value});
    let (result, ()) = tokio::join!(call(&client, "act", fill(&value)), async {
        let request = browser.answer("ok").await;
        assert!(request.arguments["value"] == value.as_str());
    });
    assert_eq!(text(&result), "ok");
    assert!(browser.largest_frame < 1 << 20, "Chrome takes 1 MiB: {}", browser.largest_frame);

    let refused = call(&client, "act", fill(&"x".repeat(5 << 20))).await;
    assert!(failure(&refused).starts_with("error too_large: the request has 524"), "{}", failure(&refused));
    let (result, _) = tokio::join!(call(&client, "tabs", nothing()), browser.answer("alive"));
    assert_eq!(text(&result), "alive");
}

#[tokio::test]
async fn an_oversize_reply_is_a_failure_of_its_request_alone() {
    let folder = folder();
    let mut browser = Browser::start(folder.path()).await;
    let client = mcp(folder.path()).await;
    let (result, ()) = tokio::join!(call(&client, "snapshot", nothing()), async {
        let request = browser.request().await;
        // A worker that does not keep to the limit.
        let message = wire::FromWorker::Reply {
            connection: request.connection,
            id: request.id,
            reply: Reply::text("x".repeat(wire::REPLY_LIMIT)),
        };
        let mut chunker = wire::Chunker::new(usize::MAX);
        chunker.push(wire::Lane(0), serde_json::to_string(&message).unwrap()).unwrap();
        while let Some(envelope) = chunker.next_envelope() {
            let payload = serde_json::to_vec(&envelope).unwrap();
            browser.say_raw(&wire::frame::encode(&payload, wire::frame::FROM_PEER).unwrap()).await;
        }
    });
    assert!(failure(&result).starts_with("error too_large: the reply"));
    let (result, _) = tokio::join!(call(&client, "tabs", nothing()), browser.answer("alive"));
    assert_eq!(text(&result), "alive");
}

#[tokio::test]
async fn cancelling_reaches_the_worker() {
    let folder = folder();
    let mut browser = Browser::start(folder.path()).await;
    let client = mcp(folder.path()).await;
    let request = ClientRequest::CallToolRequest(Request::new(params("wait", json!({"time_ms": 40_000}))));
    let handle = client.send_cancellable_request(request, PeerRequestOptions::no_options()).await.unwrap();
    let request = browser.request().await;
    let cancelled = CancelledNotificationParam::new(Some(handle.id.clone()), Some("no longer".into()));
    client.notify_cancelled(cancelled).await.unwrap();
    let ToWorker::Cancel { connection, id } = browser.hear().await else { panic!("no cancel") };
    assert_eq!((connection, id), (request.connection, request.id));
    // A late answer harms nobody.
    browser.reply(&request, Reply::text("late")).await;
    let (result, _) = tokio::join!(call(&client, "tabs", nothing()), browser.answer("alive"));
    assert_eq!(text(&result), "alive");
}

#[tokio::test]
async fn mistakes_are_answered_without_a_browser() {
    let folder = folder();
    let client = mcp(folder.path()).await;
    let unknown = call(&client, "evaluate", nothing()).await;
    assert!(failure(&unknown).starts_with("error unknown_tool: there is no tool \"evaluate\""));
    let bad = call(&client, "act", json!({"kind": "click", "ref": "e1", "value": "x"})).await;
    assert!(failure(&bad).contains("next: act click takes ref, button"));
}

#[tokio::test]
async fn the_shell_does_the_same() {
    let folder = folder();
    let mut browser = Browser::start(folder.path()).await;
    let shell = |words: &'static str| command(folder.path()).args(words.split(' ')).output();
    let (output, ()) = tokio::join!(soon("the shell", shell("act click e12 --agent me")), async {
        let ToWorker::Joined { key, kind, .. } = browser.hear().await else { panic!("no join") };
        assert_eq!((key.0.as_str(), kind), ("me", AgentKind::Shell));
        let request = browser.answer("t3 ok").await;
        assert_eq!(request.arguments, json!({"kind": "click", "ref": "e12"}));
    });
    let output = output.unwrap();
    assert!(output.status.success());
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "t3 ok\n");

    let (output, ()) = tokio::join!(soon("the shell", shell("snapshot --json")), async {
        let request = browser.request().await;
        let reply = Reply { json: Some(json!({"lines": 1})), is_error: true, ..Reply::text("error x: y") };
        browser.reply(&request, reply).await;
    });
    let output = output.unwrap();
    assert!(!output.status.success());
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "{\"lines\":1}\n");

    let output = soon("the shell", shell("browsers")).await.unwrap();
    assert!(String::from_utf8(output.stdout).unwrap().starts_with("testium: Testium 1 (tabwright "));
}

#[tokio::test]
async fn older_and_newer_clients_are_spoken_to() {
    use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
    let folder = folder();
    for version in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
        let mut server = command(folder.path())
            .arg("mcp")
            .stdin(std::process::Stdio::piped())
            .stdout(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdin = server.stdin.take().unwrap();
        let hello = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
            "protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "old", "version": "1"}}});
        stdin.write_all(format!("{hello}\n").as_bytes()).await.unwrap();
        let mut lines = BufReader::new(server.stdout.take().unwrap()).lines();
        let answer = soon("the answer", lines.next_line()).await.unwrap().unwrap();
        let answer: serde_json::Value = serde_json::from_str(&answer).unwrap();
        assert_eq!(answer["result"]["protocolVersion"], version);
        drop(stdin);
        assert!(soon("the server's end", server.wait()).await.unwrap().success(), "stdin's end ends it");
    }
}

#[tokio::test]
async fn agents_and_requests_at_once_get_their_own_answers() {
    let folder = folder();
    let mut browser = Browser::start(folder.path()).await;
    let mut clients = Vec::new();
    for _ in 0..5 {
        clients.push(mcp(folder.path()).await);
    }
    let calls = clients.iter().enumerate().flat_map(|(agent, client)| {
        (0..20).map(move |n| async move {
            let word = format!("{agent}-{n}");
            let result = call(client, "wait", json!({ "text": word })).await;
            assert_eq!(text(&result), format!("met: {word}"));
        })
    });
    let all = futures::future::join_all(calls);
    tokio::join!(all, async {
        // Of each agent eight at once; then as many as were answered.
        for batch in [40, 40, 20] {
            let mut requests = Vec::new();
            for _ in 0..batch {
                requests.push(browser.request().await);
            }
            let mut of_each = std::collections::BTreeMap::new();
            for request in &requests {
                *of_each.entry(request.connection).or_insert(0) += 1;
            }
            assert!(of_each.len() == 5 && of_each.values().all(|count| *count == batch / 5), "{of_each:?}");
            // Answered in another order than asked.
            for request in requests.iter().rev() {
                let word = request.arguments["text"].as_str().unwrap();
                browser.queue_reply(request, Reply::text(format!("met: {word}")));
            }
            browser.flush().await;
        }
    });
}

#[tokio::test]
#[ignore = "a measurement, not a check: cargo test --release -p host -- --ignored --nocapture"]
async fn how_long_it_takes() {
    let folder = folder();
    let mut browser = Browser::start(folder.path()).await;
    let client = mcp(folder.path()).await;
    let mut times = Vec::new();
    for (size, rounds) in [(100, 500), (10 << 20, 5)] {
        times.clear();
        let page = "x".repeat(size);
        for _ in 0..rounds {
            let began = std::time::Instant::now();
            let (result, _) = tokio::join!(call(&client, "snapshot", nothing()), browser.answer(&page));
            times.push(began.elapsed());
            assert_eq!(text(&result).len(), size);
        }
        times.sort();
        println!("{size} bytes: median {:?}, slowest {:?}", times[times.len() / 2], times[times.len() - 1]);
    }
}
