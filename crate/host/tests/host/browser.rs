//! A browser and its worker, played by the test: starts the real host with pipes and speaks native messaging.
//! And an MCP client that drives the real server.

use rmcp::{
    RoleClient, ServiceExt,
    model::{CallToolRequestParams, CallToolResult},
    service::RunningService,
    transport::TokioChildProcess,
};
use serde_json::{Value, json};
use std::{
    collections::VecDeque, fs, future::Future, os::unix::fs::PermissionsExt, path::Path, process::Stdio,
    time::Duration,
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    process::{Child, ChildStdin, ChildStdout, Command},
    time::timeout,
};
use wire::{
    Assembler, Chunker, ConnectionId, Decoder, FromWorker, Lane, PROTOCOL, REPLY_LIMIT, REQUEST_LIMIT, Reply,
    RequestId, ToWorker, WorkerHello, extension_origin, frame,
};

/// No wait of a test is longer. A machine that is busy takes its time for 32 MiB, compiled without optimisation; what
/// has to be quick is measured by its test.
const PATIENCE: Duration = Duration::from_secs(30);

/// Waits, but not for ever.
pub async fn soon<T>(what: &str, waited: impl Future<Output = T>) -> T {
    timeout(PATIENCE, waited).await.unwrap_or_else(|_| panic!("{what} did not happen"))
}

/// A fresh folder of our own that nobody else enters.
pub fn folder() -> tempfile::TempDir {
    tempfile::Builder::new().permissions(fs::Permissions::from_mode(0o700)).tempdir().unwrap()
}

pub fn command(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tabwright"));
    command.env("TABWRIGHT_RUNTIME_DIR", folder).env("HOME", folder).kill_on_drop(true);
    // What would lead out of that home.
    for name in ["CLAUDE_CONFIG_DIR", "CODEX_HOME", "TABWRIGHT_EXTENSION", "XDG_CONFIG_HOME", "XDG_DATA_HOME"]
    {
        command.env_remove(name);
    }
    command
}

pub struct Browser {
    pub host: Child,
    stdin: Option<ChildStdin>,
    stdout: ChildStdout,
    decoder: Decoder,
    assembler: Assembler,
    chunker: Chunker,
    waiting: VecDeque<ToWorker>,
    instance: String,
    pub largest_frame: usize,
}

#[derive(Debug)]
pub struct Request {
    pub connection: ConnectionId,
    pub id: RequestId,
    pub tool: String,
    pub arguments: Value,
}

impl Browser {
    /// A browser whose host runs and whose worker has said hello.
    pub async fn start(folder: &Path) -> Self {
        Self::start_as(folder, None).await
    }

    /// The same, in a profile with this name.
    pub async fn start_as(folder: &Path, profile: Option<&str>) -> Self {
        let mut browser = Self::start_silent(folder).await;
        let hello = WorkerHello {
            protocol: PROTOCOL,
            version: "9.9.9".into(),
            browser: "Testium 1".into(),
            profile: profile.map(str::to_owned),
            // A profile that the person named had a host before.
            id: profile.map(|name| format!("id of {name}")),
        };
        browser.say(Lane(0), &FromWorker::Hello(hello)).await;
        // The descriptor names the browser once the host has heard it.
        let named = async {
            let known = |text: &String| text.contains("Testium") && text.contains(&browser.instance);
            while !descriptors(folder).iter().any(known) {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        soon("the descriptor", named).await;
        browser
    }

    pub async fn start_silent(folder: &Path) -> Self {
        let mut host = command(folder)
            .arg(extension_origin())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (stdin, stdout) = (host.stdin.take(), host.stdout.take().unwrap());
        let mut browser = Self {
            host,
            stdin,
            stdout,
            decoder: Decoder::new(frame::TO_CHROME),
            assembler: Assembler::new(REQUEST_LIMIT),
            chunker: Chunker::new(REPLY_LIMIT),
            waiting: VecDeque::new(),
            instance: String::new(),
            largest_frame: 0,
        };
        let ToWorker::Hello(hello) = browser.hear().await else { panic!("no hello") };
        assert_eq!(hello.protocol, PROTOCOL);
        browser.instance = hello.instance;
        browser
    }

    pub async fn hello(&mut self, protocol: u32) {
        let hello = WorkerHello {
            protocol,
            version: "9.9.9".into(),
            browser: "Testium 1".into(),
            profile: None,
            id: None,
        };
        self.say(Lane(0), &FromWorker::Hello(hello)).await;
    }

    pub async fn say(&mut self, lane: Lane, message: &FromWorker) {
        self.queue(lane, message);
        self.flush().await;
    }

    pub fn queue(&mut self, lane: Lane, message: &FromWorker) {
        self.chunker.push(lane, serde_json::to_string(message).unwrap()).unwrap();
    }

    pub async fn flush(&mut self) {
        while let Some(envelope) = self.chunker.next_envelope() {
            let bytes = frame::encode(&serde_json::to_vec(&envelope).unwrap(), frame::FROM_PEER).unwrap();
            let stdin = self.stdin.as_mut().unwrap();
            soon("writing to the host", stdin.write_all(&bytes)).await.unwrap();
        }
    }

    /// Bytes as they are.
    pub async fn say_raw(&mut self, bytes: &[u8]) {
        self.stdin.as_mut().unwrap().write_all(bytes).await.unwrap();
    }

    pub fn queue_reply(&mut self, request: &Request, reply: Reply) {
        let lane = Lane(u64::from(request.connection.0) << 32 | request.id.0);
        self.queue(lane, &FromWorker::Reply { connection: request.connection, id: request.id, reply });
    }

    pub async fn reply(&mut self, request: &Request, reply: Reply) {
        self.queue_reply(request, reply);
        self.flush().await;
    }

    /// The next thing the host says.
    pub async fn hear(&mut self) -> ToWorker {
        if let Some(message) = self.waiting.pop_front() {
            return message;
        }
        let mut buffer = vec![0; 65536];
        loop {
            while let Some(payload) = self.decoder.next_frame().unwrap() {
                self.largest_frame = self.largest_frame.max(payload.len());
                if let Some(text) = self.assembler.take(serde_json::from_slice(&payload).unwrap()).unwrap() {
                    self.waiting.push_back(serde_json::from_str(&text).unwrap());
                }
            }
            if let Some(message) = self.waiting.pop_front() {
                return message;
            }
            let read = soon("a message of the host", self.stdout.read(&mut buffer)).await.unwrap();
            assert!(read > 0, "the host ended");
            self.decoder.feed(&buffer[..read]);
        }
    }

    /// The next request; what comes and goes meanwhile is passed over.
    pub async fn request(&mut self) -> Request {
        loop {
            if let ToWorker::Request { connection, id, tool, arguments } = self.hear().await {
                return Request { connection, id, tool, arguments };
            }
        }
    }

    /// Answers the next request with a text.
    pub async fn answer(&mut self, text: &str) -> Request {
        let request = self.request().await;
        self.reply(&request, Reply::text(text)).await;
        request
    }

    /// The port goes; the host must end by itself.
    pub async fn close(mut self) {
        drop(self.stdin.take());
        let ended = timeout(Duration::from_secs(2), self.host.wait()).await;
        assert!(ended.expect("the host outlived its port").unwrap().success());
    }
}

pub fn descriptors(folder: &Path) -> Vec<String> {
    let files = fs::read_dir(folder).unwrap().flatten().map(|entry| entry.path());
    files
        .filter(|path| path.extension().is_some_and(|kind| kind == "json"))
        .flat_map(fs::read_to_string)
        .collect()
}

pub type Client = RunningService<RoleClient, ()>;

pub async fn mcp(folder: &Path) -> Client {
    let mut server = command(folder);
    server.arg("mcp");
    soon("the MCP handshake", ().serve(TokioChildProcess::new(server).unwrap())).await.unwrap()
}

pub fn params(tool: &str, arguments: Value) -> CallToolRequestParams {
    let Value::Object(arguments) = arguments else { panic!("arguments are an object") };
    CallToolRequestParams::new(tool.to_owned()).with_arguments(arguments)
}

pub async fn call(client: &Client, tool: &str, arguments: Value) -> CallToolResult {
    soon("the reply", client.call_tool(params(tool, arguments))).await.unwrap()
}

pub fn text(result: &CallToolResult) -> String {
    assert_eq!(result.structured_content, None);
    result.content.iter().filter_map(|block| block.as_text()).map(|text| text.text.as_str()).collect()
}

/// The text of a failure.
pub fn failure(result: &CallToolResult) -> String {
    assert_eq!(result.is_error, Some(true), "{result:?}");
    let text = text(result);
    assert!(text.starts_with("error ") && text.contains("\nnext: "), "{text}");
    text
}

pub fn nothing() -> Value {
    json!({})
}
