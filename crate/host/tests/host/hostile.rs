//! Bytes that no honest half sends: refused, logged, and the host lives on for the others.

use crate::browser::{Browser, call, command, folder, mcp, nothing, soon, text};
use std::{path::Path, process::Stdio, time::Duration};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::UnixStream,
    process::Child,
};
use wire::{AgentKey, AgentKind, Envelope, PROTOCOL, ToHost, extension_origin, frame};

async fn connect(folder: &Path) -> UnixStream {
    let files = std::fs::read_dir(folder).unwrap().flatten().map(|entry| entry.path());
    let socket = files.into_iter().find(|path| path.extension().is_some_and(|kind| kind == "sock")).unwrap();
    UnixStream::connect(socket).await.unwrap()
}

fn framed(envelope: &Envelope) -> Vec<u8> {
    frame::encode(&serde_json::to_vec(envelope).unwrap(), frame::FROM_PEER).unwrap()
}

fn hello() -> Vec<u8> {
    let hello = ToHost::Hello {
        protocol: PROTOCOL,
        version: "1".into(),
        key: AgentKey("k".into()),
        label: "hostile".into(),
        kind: AgentKind::Mcp,
    };
    framed(&Envelope::Whole(serde_json::to_string(&hello).unwrap()))
}

fn part(stream: u32, seq: u32) -> Vec<u8> {
    framed(&Envelope::Part { stream, seq, last: false, data: "x".into() })
}

/// How long until the host ends the connection.
async fn ended(mut stream: UnixStream) -> Duration {
    let began = std::time::Instant::now();
    let mut rest = Vec::new();
    // Ended, or reset since it was not read to the end.
    let _ = soon("the end", stream.read_to_end(&mut rest)).await;
    began.elapsed()
}

#[tokio::test]
async fn what_is_begun_and_not_finished_ends_that_connection_within_ten_seconds() {
    let folder = folder();
    let mut browser = Browser::start(folder.path()).await;
    let client = mcp(folder.path()).await;
    let mut half_frame = connect(folder.path()).await;
    half_frame.write_all(&[hello(), vec![200, 0, 0, 0, b'{']].concat()).await.unwrap();
    let mut half_message = connect(folder.path()).await;
    half_message.write_all(&[hello(), part(1, 0)].concat()).await.unwrap();
    // It goes on and on, a part each second, and never ends.
    let mut dripping = connect(folder.path()).await;
    dripping.write_all(&hello()).await.unwrap();
    let (mut heard, mut said) = dripping.into_split();
    let drip = tokio::spawn(async move {
        for seq in 0.. {
            if said.write_all(&part(1, seq)).await.is_err() {
                break;
            }
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
    });
    let dripped = async {
        let began = std::time::Instant::now();
        let mut rest = Vec::new();
        let _ = soon("the end", heard.read_to_end(&mut rest)).await;
        began.elapsed()
    };
    // A quiet agent is no half message.
    let mut quiet = connect(folder.path()).await;
    quiet.write_all(&hello()).await.unwrap();
    let (frame, message, drops) = tokio::join!(ended(half_frame), ended(half_message), dripped);
    for (what, time) in [("half a frame", frame), ("half a message", message), ("drops", drops)] {
        assert!((9..14).contains(&time.as_secs()), "{what} ended after {time:?}");
    }
    drip.abort();
    let mut byte = [0; 256];
    let silent = async { while quiet.read(&mut byte).await.is_ok_and(|read| read > 0) {} };
    assert!(tokio::time::timeout(Duration::from_secs(1), silent).await.is_err(), "the quiet one was ended");
    let (result, _) = tokio::join!(call(&client, "tabs", nothing()), browser.answer("alive"));
    assert_eq!(text(&result), "alive");
}

#[tokio::test]
async fn more_than_one_message_in_parts_is_refused_and_the_agent_lives() {
    let folder = folder();
    let mut browser = Browser::start(folder.path()).await;
    let mut stream = connect(folder.path()).await;
    stream.write_all(&[hello(), part(1, 0), part(2, 0)].concat()).await.unwrap();
    let last = |data: &str| framed(&Envelope::Part { stream: 1, seq: 1, last: true, data: data.into() });
    // The first goes on: it is no JSON of ours, so that its end is the connection's.
    stream.write_all(&last("y")).await.unwrap();
    ended(stream).await;
    let client = mcp(folder.path()).await;
    let (result, _) = tokio::join!(call(&client, "tabs", nothing()), browser.answer("alive"));
    assert_eq!(text(&result), "alive");
}

#[tokio::test]
async fn too_large_a_frame_is_refused_before_it_is_read() {
    let folder = folder();
    let mut browser = Browser::start(folder.path()).await;
    for length in [frame::FROM_PEER + 1, 65 << 20, u32::MAX as usize] {
        let mut stream = connect(folder.path()).await;
        stream.write_all(&hello()).await.unwrap();
        stream.write_all(&u32::try_from(length).unwrap().to_ne_bytes()).await.unwrap();
        assert!(ended(stream).await < Duration::from_secs(2));
    }
    let client = mcp(folder.path()).await;
    let (result, _) = tokio::join!(call(&client, "tabs", nothing()), browser.answer("alive"));
    assert_eq!(text(&result), "alive");
}

fn host(folder: &Path) -> Child {
    let mut host = command(folder);
    host.arg(extension_origin()).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    host.spawn().unwrap()
}

#[tokio::test]
async fn what_is_no_frame_on_the_port_ends_the_host_with_a_word_and_nothing_left() {
    let folder = folder();
    let huge = u32::try_from(65 << 20).unwrap().to_ne_bytes();
    for bytes in [b"GET / HTTP/1.1\r\n\r\n".as_slice(), &huge, &[0, 0, 0, 0]] {
        let mut host = host(folder.path());
        let mut port = host.stdin.take().unwrap();
        port.write_all(bytes).await.unwrap();
        // The port stays open: it is the host that ends.
        let output = soon("its end", host.wait_with_output()).await.unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(said.contains("the extension's port cannot be read"), "{said}");
        drop(port);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "the host left something");
    }
}

#[tokio::test]
async fn a_port_that_ends_within_a_frame_ends_the_host_in_two_seconds() {
    let folder = folder();
    let mut host = host(folder.path());
    let mut port = host.stdin.take().unwrap();
    port.write_all(&[200, 0, 0, 0, b'{']).await.unwrap();
    drop(port);
    let ended = tokio::time::timeout(Duration::from_secs(2), host.wait()).await;
    assert!(ended.expect("the host outlived its port").unwrap().success());
}
