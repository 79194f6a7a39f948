//! Who finds whom, who is refused, and what happens when a part dies.

use crate::browser::{Browser, call, command, descriptors, failure, folder, mcp, nothing, soon, text};
use serde_json::json;
use std::{
    fs,
    os::unix::fs::{FileTypeExt, PermissionsExt},
    path::{Path, PathBuf},
    process::Stdio,
    time::{Duration, Instant},
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::UnixStream,
};
use wire::{Chunker, Decoder, Envelope, FromHost, Lane, PROTOCOL, REQUEST_LIMIT, RequestId, ToHost, frame};

fn file(folder: &Path, kind: &str) -> PathBuf {
    let mut files = fs::read_dir(folder).unwrap().flatten().map(|entry| entry.path());
    files.find(|path| path.extension().is_some_and(|found| found == kind)).unwrap()
}

#[tokio::test]
async fn no_browser_is_said_soon_and_a_later_one_is_found() {
    let folder = folder();
    let client = mcp(folder.path()).await;
    let began = Instant::now();
    let missing = call(&client, "tabs", nothing()).await;
    assert!(began.elapsed() < Duration::from_secs(2), "{:?}", began.elapsed());
    let said = failure(&missing);
    assert!(
        said.starts_with("error host_missing:") && said.contains("next: run `tabwright install`"),
        "{said}"
    );

    fs::create_dir_all(folder.path().join(".config/chromium/Default")).unwrap();
    let installed = soon("install", command(folder.path()).arg("install").output()).await.unwrap();
    assert!(installed.status.success(), "{installed:?}");
    let said = failure(&call(&client, "tabs", nothing()).await);
    assert!(said.starts_with("error extension_missing:"), "{said}");

    let mut browser = Browser::start(folder.path()).await;
    let (result, _) = tokio::join!(call(&client, "tabs", nothing()), browser.answer("here"));
    assert_eq!(text(&result), "here");
}

#[tokio::test]
async fn a_killed_host_leaves_the_outcome_open_and_the_next_one_serves() {
    let folder = folder();
    let mut browser = Browser::start(folder.path()).await;
    let client = mcp(folder.path()).await;
    let (result, ()) = tokio::join!(call(&client, "act", json!({"kind": "click", "ref": "e1"})), async {
        browser.request().await;
        browser.host.kill().await.unwrap();
    });
    let said = failure(&result);
    assert!(said.starts_with("error outcome_unknown:") && said.contains("next: take a snapshot"), "{said}");

    let mut browser = Browser::start(folder.path()).await;
    let (result, ()) = tokio::join!(call(&client, "snapshot", nothing()), async {
        browser.request().await;
        browser.host.kill().await.unwrap();
    });
    assert!(failure(&result).starts_with("error interrupted:"), "reading leaves nothing open");

    let mut browser = Browser::start(folder.path()).await;
    let (result, _) = tokio::join!(call(&client, "tabs", nothing()), browser.answer("back"));
    assert_eq!(text(&result), "back");
    assert_eq!(descriptors(folder.path()).len(), 1, "what the dead left was removed");
    assert_eq!(
        fs::read_dir(folder.path()).unwrap().filter(|e| e.as_ref().unwrap().path().is_file()).count(),
        2
    );
}

#[tokio::test]
async fn what_the_dead_left_is_removed_and_what_is_not_ours_stays() {
    let folder = folder();
    let dead = "0123456789abcdef0123456789abcdef";
    let half = "ffffffffffffffffffffffffffffffff";
    for name in
        [format!("{dead}.json"), format!("{dead}.sock"), format!("{dead}.lock"), format!("{half}.lock")]
    {
        fs::write(folder.path().join(name), "{}").unwrap();
    }
    fs::write(folder.path().join("notes.json"), "mine").unwrap();
    let mut browser = Browser::start(folder.path()).await;
    let client = mcp(folder.path()).await;
    let (result, _) = tokio::join!(call(&client, "tabs", nothing()), browser.answer("here"));
    assert_eq!(text(&result), "here");
    let left =
        fs::read_dir(folder.path()).unwrap().flatten().map(|entry| entry.file_name().into_string().unwrap());
    let left: Vec<_> = left.filter(|name| name.starts_with(dead) || name.starts_with(half)).collect();
    assert!(left.is_empty(), "{left:?}");
    assert!(folder.path().join("notes.json").exists());
}

#[tokio::test]
async fn the_ports_end_answers_what_waits() {
    let folder = folder();
    let mut browser = Browser::start(folder.path()).await;
    let client = mcp(folder.path()).await;
    let (result, ()) = tokio::join!(call(&client, "navigate", json!({"url": "http://localhost/"})), async {
        browser.request().await;
        browser.close().await;
    });
    let said = failure(&result);
    assert!(said.starts_with("error outcome_unknown: the browser or its extension went away"), "{said}");
}

#[tokio::test]
async fn several_browsers_are_named_and_not_guessed() {
    let folder = folder();
    let mut one = Browser::start(folder.path()).await;
    let client = mcp(folder.path()).await;
    let (result, _) = tokio::join!(call(&client, "tabs", nothing()), one.answer("t3 of one"));
    assert_eq!(text(&result), "t3 of one", "where there is one browser its word is not needed");

    let mut two = Browser::start_as(folder.path(), Some("My Work")).await;
    let stranger = mcp(folder.path()).await;
    let said = failure(&call(&stranger, "tabs", nothing()).await);
    assert!(
        said.starts_with(
            "error browser_needed: it is not clear which browser is meant; connected: my-work, testium."
        ),
        "{said}"
    );
    assert!(said.contains("my-work/t3"), "{said}");
    let said = failure(&call(&stranger, "tabs", json!({"action": "close", "tab": "home/t3"})).await);
    assert!(said.starts_with("error unknown_browser: no browser \"home\" is connected"), "{said}");

    let close = json!({"action": "close", "tab": "my-work/t3"});
    let (result, request) = tokio::join!(call(&stranger, "tabs", close), two.answer("t3 ok: closed"));
    assert_eq!(request.arguments, json!({"action": "close", "tab": "t3"}));
    let said = text(&result);
    assert!(
        said.starts_with("of browser my-work: write my-work/t3") && said.ends_with("t3 ok: closed"),
        "{said}"
    );
    // What an agent was shown came from the one browser that it used.
    let click = |reference: &str| json!({"kind": "click", "ref": reference});
    let (_, request) = tokio::join!(call(&stranger, "act", click("e12")), two.answer("ok"));
    assert_eq!(request.arguments["ref"], "e12");
    let (_, request) = tokio::join!(call(&client, "act", click("e12")), one.answer("ok"));
    assert_eq!(request.arguments["ref"], "e12");
    // One that used both says which.
    let (_, request) = tokio::join!(call(&stranger, "act", click("testium/e7")), one.answer("ok"));
    assert_eq!(request.arguments["ref"], "e7");
    let said = failure(&call(&stranger, "act", click("e12")).await);
    assert!(said.starts_with("error browser_needed:"), "{said}");

    let shown = soon("the list", command(folder.path()).arg("browsers").output()).await.unwrap();
    let shown = String::from_utf8(shown.stdout).unwrap();
    assert!(shown.contains("my-work: My Work (Testium 1) (tabwright "), "{shown}");
    one.close().await;
    let (result, _) = tokio::join!(call(&stranger, "tabs", nothing()), two.answer("alone again"));
    assert_eq!(text(&result), "alone again");

    // While the browser that an agent used has no host, its calls go to no other; then they go to the next host of it.
    let newcomer = mcp(folder.path()).await;
    let (result, _) = tokio::join!(call(&newcomer, "tabs", nothing()), two.answer("shown by two"));
    assert_eq!(text(&result), "shown by two");
    let mut three = Browser::start_as(folder.path(), Some("Third")).await;
    two.host.kill().await.unwrap();
    let said = failure(&call(&newcomer, "act", click("e12")).await);
    assert!(said.starts_with("error browser_needed:") && said.contains("connected: third."), "{said}");
    let mut two = Browser::start_as(folder.path(), Some("My Work")).await;
    let (_, request) = tokio::join!(call(&newcomer, "act", click("e12")), two.answer("ok"));
    assert_eq!(request.arguments["ref"], "e12");
    let elsewhere = json!({"action": "open", "tab": "third/"});
    let (result, _) = tokio::join!(call(&newcomer, "tabs", elsewhere), three.answer("opened there"));
    assert!(text(&result).ends_with("opened there"));
}

#[tokio::test]
async fn another_extension_is_refused() {
    let folder = folder();
    let mut other = command(folder.path());
    other.arg("chrome-extension://aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/").stdin(Stdio::null());
    let output = soon("the refusal", other.output()).await.unwrap();
    assert!(!output.status.success() && output.stdout.is_empty());
    assert!(
        String::from_utf8(output.stderr)
            .unwrap()
            .contains("error wrong_origin: started for chrome-extension://aaa")
    );
}

#[tokio::test]
async fn a_folder_that_others_enter_is_refused_by_both_halves() {
    let folder = folder();
    let open = folder.path().join("open");
    fs::create_dir(&open).unwrap();
    fs::set_permissions(&open, fs::Permissions::from_mode(0o777)).unwrap();
    let link = folder.path().join("link");
    fs::create_dir(folder.path().join("real")).unwrap();
    std::os::unix::fs::symlink(folder.path().join("real"), &link).unwrap();
    for (place, why) in [(&open, "can be entered by others (mode 777)"), (&link, "is no real folder")] {
        let mut host = command(place);
        host.arg(wire::extension_origin()).stdin(Stdio::null());
        let output = soon("the refusal", host.output()).await.unwrap();
        assert!(!output.status.success());
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(said.contains("error folder_unsafe") && said.contains(why), "{said}");
        let client = mcp(place).await;
        let said = failure(&call(&client, "tabs", nothing()).await);
        assert!(
            said.starts_with("error folder_unsafe:") && said.contains(why) && said.contains("chmod 700"),
            "{said}"
        );
    }
}

#[tokio::test]
async fn the_socket_is_the_owners_alone() {
    let folder = folder();
    let inner = folder.path().join("made/by/the/host");
    let _browser = Browser::start(&inner).await;
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&inner), 0o700);
    let socket = file(&inner, "sock");
    assert!(fs::metadata(&socket).unwrap().file_type().is_socket());
    assert_eq!(mode(&socket), 0o600);
    assert_eq!(mode(&file(&inner, "json")), 0o600);
}

#[tokio::test]
async fn garbage_on_the_socket_ends_that_connection_alone() {
    let folder = folder();
    let mut browser = Browser::start(folder.path()).await;
    let client = mcp(folder.path()).await;
    let (result, _) = tokio::join!(call(&client, "tabs", nothing()), browser.answer("first"));
    assert_eq!(text(&result), "first");

    let socket = file(folder.path(), "sock");
    let no_json = frame::encode(b"hello", 100).unwrap();
    let no_hello = frame::encode(&envelope(&ToHost::Cancel { id: RequestId(1) }), 1000).unwrap();
    for garbage in [b"GET / HTTP/1.1\r\n\r\n".as_slice(), &[0, 0, 0, 0], &no_json, &no_hello] {
        let mut stream = UnixStream::connect(&socket).await.unwrap();
        stream.write_all(garbage).await.unwrap();
        let mut rest = Vec::new();
        // Ended, or reset since it was not read to the end.
        let _ = soon("the refusal", stream.read_to_end(&mut rest)).await;
        assert!(rest.is_empty());
    }
    // Half a frame, and silence: others are served meanwhile.
    let mut half = UnixStream::connect(&socket).await.unwrap();
    half.write_all(&[200, 0, 0, 0, b'{']).await.unwrap();
    let (result, _) = tokio::join!(call(&client, "tabs", nothing()), browser.answer("alive"));
    assert_eq!(text(&result), "alive");
}

fn envelope(message: &ToHost) -> Vec<u8> {
    serde_json::to_vec(&Envelope::Whole(serde_json::to_string(message).unwrap())).unwrap()
}

async fn speak(stream: &mut UnixStream, message: &ToHost, limit: usize) {
    let mut chunker = Chunker::new(limit);
    chunker.push(Lane(0), serde_json::to_string(message).unwrap()).unwrap();
    while let Some(envelope) = chunker.next_envelope() {
        let bytes = frame::encode(&serde_json::to_vec(&envelope).unwrap(), frame::FROM_PEER).unwrap();
        stream.write_all(&bytes).await.unwrap();
    }
}

async fn listen(stream: &mut UnixStream, decoder: &mut Decoder) -> FromHost {
    let mut buffer = [0; 4096];
    loop {
        if let Some(payload) = decoder.next_frame().unwrap() {
            let Envelope::Whole(text) = serde_json::from_slice(&payload).unwrap() else { panic!("in parts") };
            return serde_json::from_str(&text).unwrap();
        }
        let read = soon("the host's word", stream.read(&mut buffer)).await.unwrap();
        assert!(read > 0);
        decoder.feed(&buffer[..read]);
    }
}

fn hello(protocol: u32) -> ToHost {
    ToHost::Hello {
        protocol,
        version: "0.0.1".into(),
        key: wire::AgentKey("k".into()),
        label: "raw".into(),
        kind: wire::AgentKind::Mcp,
    }
}

#[tokio::test]
async fn an_agent_that_ignores_the_limit_is_answered_and_lives() {
    let folder = folder();
    let mut browser = Browser::start(folder.path()).await;
    let mut stream = UnixStream::connect(file(folder.path(), "sock")).await.unwrap();
    let mut decoder = Decoder::new(frame::FROM_PEER);
    speak(&mut stream, &hello(PROTOCOL), REQUEST_LIMIT).await;
    assert!(matches!(listen(&mut stream, &mut decoder).await, FromHost::Hello { extension: Some(_), .. }));
    let request = |id, size| ToHost::Request {
        id: RequestId(id),
        tool: "act".into(),
        arguments: "x".repeat(size).into(),
    };
    speak(&mut stream, &request(7, 5 << 20), usize::MAX).await;
    let FromHost::Reply { id, reply } = listen(&mut stream, &mut decoder).await else { panic!("no reply") };
    assert_eq!(id, RequestId(7));
    assert!(reply.is_error && reply.joined_text().starts_with("error too_large"));
    speak(&mut stream, &request(8, 5), usize::MAX).await;
    browser.answer("alive").await;
    let FromHost::Reply { id, reply } = listen(&mut stream, &mut decoder).await else { panic!("no reply") };
    assert_eq!((id, reply.joined_text().as_str()), (RequestId(8), "alive"));
}

#[tokio::test]
async fn other_versions_are_told_what_to_update() {
    let folder = folder();
    let mut browser = Browser::start_silent(folder.path()).await;
    let mut stream = UnixStream::connect(file(folder.path(), "sock")).await.unwrap();
    speak(&mut stream, &hello(PROTOCOL - 1), REQUEST_LIMIT).await;
    let FromHost::Closed(closed) = listen(&mut stream, &mut Decoder::new(1 << 20)).await else {
        panic!("not closed")
    };
    assert_eq!(closed.code, "version_mismatch");
    assert!(closed.next.contains("start the agent again"), "{closed:?}");

    // The extension's version is no reason to refuse the agent, but its calls.
    browser.hello(PROTOCOL + 1).await;
    let client = mcp(folder.path()).await;
    let said = failure(&call(&client, "tabs", nothing()).await);
    assert!(said.starts_with("error version_mismatch: the extension is version 9.9.9"), "{said}");
    assert!(said.contains("next: install the new tabwright"), "{said}");
}

#[tokio::test]
async fn the_policy_file_reaches_the_worker() {
    let folder = folder();
    let good = folder.path().join("policy");
    fs::write(&good, r#"{"agents": ["*"], "sites": ["http://localhost:*"]}"#).unwrap();
    let bad = folder.path().join("bad");
    fs::write(&bad, r#"{"agent": ["*"]}"#).unwrap();
    for (path, sites) in [(&good, 1), (&bad, 0)] {
        let runtime = folder.path().join("run");
        let mut host = command(&runtime);
        host.arg(wire::extension_origin()).env("TABWRIGHT_POLICY", path);
        let mut host =
            host.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut stdout = host.stdout.take().unwrap();
        let mut header = [0; 4];
        soon("the hello", stdout.read_exact(&mut header)).await.unwrap();
        let mut payload = vec![0; u32::from_ne_bytes(header) as usize];
        soon("the hello", stdout.read_exact(&mut payload)).await.unwrap();
        let Envelope::Whole(said) = serde_json::from_slice(&payload).unwrap() else { panic!("in parts") };
        let wire::ToWorker::Hello(hello) = serde_json::from_str(&said).unwrap() else { panic!("no hello") };
        assert_eq!(hello.policy.map_or(0, |policy| policy.sites.len()), sites);
        drop(host.stdin.take());
        let output = soon("its end", host.wait_with_output()).await.unwrap();
        assert_eq!(
            String::from_utf8(output.stderr).unwrap().contains("the policy file is not in force"),
            sites == 0
        );
    }
}

/// Names the socket to the other user's process: this test program again.
const OTHER_USER: &str = "TABWRIGHT_TEST_SOCKET";

#[tokio::test]
async fn another_user_is_refused_even_where_the_files_let_them_in() {
    if let Some(socket) = std::env::var_os(OTHER_USER) {
        // The other user's part: connects, says hello, and hears nothing but the end.
        let mut stream = UnixStream::connect(socket).await.unwrap();
        let _ = stream.write_all(&frame::encode(&envelope(&hello(PROTOCOL)), 1000).unwrap()).await;
        let mut heard = Vec::new();
        let _ = soon("the end", stream.read_to_end(&mut heard)).await;
        assert!(heard.is_empty(), "the host spoke to another user");
        return;
    }
    let folder = folder();
    let mut browser = Browser::start(folder.path()).await;
    let socket = file(folder.path(), "sock");
    let copy = folder.path().join("other");
    fs::copy(std::env::current_exe().unwrap(), &copy).unwrap();
    let name = "meeting::another_user_is_refused_even_where_the_files_let_them_in";
    let mut other = tokio::process::Command::new(&copy);
    other.args(["--exact", name]).env(OTHER_USER, &socket).current_dir("/").uid(65_534).gid(65_534);
    for (path, mode) in [(folder.path(), 0o755), (socket.as_path(), 0o666), (copy.as_path(), 0o755)] {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    }
    let output = match soon("the other user", other.output()).await {
        Ok(output) => output,
        Err(error) if error.kind() == std::io::ErrorKind::PermissionDenied => {
            return eprintln!("skipped: only root can be another user");
        }
        Err(error) => panic!("{error}"),
    };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    assert!(String::from_utf8_lossy(&output.stdout).contains("1 passed"));
    // Nothing of it reached the worker: the next to join is one of ours.
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o700)).unwrap();
    let client = mcp(folder.path()).await;
    let (result, ()) = tokio::join!(call(&client, "tabs", nothing()), async {
        let wire::ToWorker::Joined { label, .. } = browser.hear().await else { panic!("no join") };
        assert_ne!(label, "raw");
        browser.answer("alive").await;
    });
    assert_eq!(text(&result), "alive");
}
