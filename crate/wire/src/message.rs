//! What our processes say to each other. Two links, each with its own pair of enums:
//! agent ⇄ host (`ToHost`, `FromHost`) over the local socket, host ⇄ worker (`ToWorker`, `FromWorker`)
//! over native messaging. Both begin with a hello that carries the protocol's version.

use crate::{journal, policy::Policy, reply::Reply, secret::Keyring};
use serde::{Deserialize, Serialize};

/// The version of these messages. Both sides of a link must speak the same one; the side that finds a
/// difference says which half to update.
pub const PROTOCOL: u32 = 3;

/// One agent's connection to a host, numbered by the host: an agent cannot claim another's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ConnectionId(pub u32);

/// One request, numbered by the agent's side: never twice by one agent, also not over another connection. So an agent
/// whose connection broke can ask what became of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct RequestId(pub u64);

/// What makes an agent the same one again after its connection broke: a random word that its process made
/// at its start and shows nobody but the host (`mcp`), or the name given on the command line (shell).
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct AgentKey(pub String);

/// How an agent came in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AgentKind {
    /// An MCP client: it has gone when its connection has.
    Mcp,
    /// A command on the shell: each call is a connection of its own, the agent stays.
    Shell,
}

/// Why a connection is refused or ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Closed {
    /// A stable word, as in the replies of tools: `version_mismatch`, `extension_missing`, …
    pub code: String,
    /// What happened.
    pub what: String,
    /// What to do about it.
    pub next: String,
}

/// Agent → host.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ToHost {
    /// The first message of a connection.
    Hello {
        /// [`PROTOCOL`] of the sender.
        protocol: u32,
        /// Product version of the sender, for the sentence that names a mismatch.
        version: String,
        /// What makes this agent the same one again.
        key: AgentKey,
        /// The name the agent gives itself ("says it is").
        label: String,
        /// How it came in.
        kind: AgentKind,
    },
    /// Carry out a tool.
    Request {
        /// Names the request in its reply.
        id: RequestId,
        /// A name of the tool table.
        tool: String,
        /// The tool's arguments, an object.
        arguments: serde_json::Value,
    },
    /// The agent no longer wants the answer; the page work stops.
    Cancel {
        /// The request to stop.
        id: RequestId,
    },
    /// What became of a request that went out before the connection broke? Carries out nothing; answered by a reply
    /// with that number.
    Inquire {
        /// The request.
        id: RequestId,
    },
}

/// Host → agent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum FromHost {
    /// Answers the agent's hello.
    Hello {
        /// [`PROTOCOL`] of the sender.
        protocol: u32,
        /// Product version of the host.
        version: String,
        /// The random id that the host's descriptor carries, too.
        instance: String,
        /// Version of the extension, once it has said hello.
        extension: Option<String>,
    },
    /// The connection ends, and why.
    Closed(Closed),
    /// Answers a request.
    Reply {
        /// The request it answers.
        id: RequestId,
        /// The answer.
        reply: Reply,
    },
}

/// The host's hello to the worker.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HostHello {
    /// [`PROTOCOL`] of the sender.
    pub protocol: u32,
    /// Product version of the host.
    pub version: String,
    /// The host's random instance id.
    pub instance: String,
    /// The unattended policy that the browser's environment named, if any.
    pub policy: Option<Policy>,
}

/// Host → worker.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ToWorker {
    /// The first message of a port.
    Hello(HostHello),
    /// An agent connected.
    Joined {
        /// The host's number for the connection.
        connection: ConnectionId,
        /// What makes this agent the same one again.
        key: AgentKey,
        /// The name the agent gives itself.
        label: String,
        /// How it came in.
        kind: AgentKind,
        /// The executable of the agent's parent process, where the system tells.
        executable: Option<String>,
    },
    /// An agent's connection ended.
    Left {
        /// The host's number for the connection.
        connection: ConnectionId,
    },
    /// Carry out a tool.
    Request {
        /// The agent's connection.
        connection: ConnectionId,
        /// Names the request in its reply.
        id: RequestId,
        /// A name of the tool table.
        tool: String,
        /// The tool's arguments, an object.
        arguments: serde_json::Value,
    },
    /// The agent no longer wants the answer.
    Cancel {
        /// The agent's connection.
        connection: ConnectionId,
        /// The request to stop.
        id: RequestId,
    },
    /// The agent asks what became of a request that it sent over an earlier connection.
    Inquire {
        /// The agent's present connection.
        connection: ConnectionId,
        /// The request.
        id: RequestId,
    },
    /// Answers [`FromWorker::Look`].
    Looked {
        /// The question's number.
        question: u64,
        /// What each path is, in the order they were asked for.
        files: Vec<FoundFile>,
    },
    /// Answers [`FromWorker::ListSecrets`] and [`FromWorker::Reveal`].
    Secrets {
        /// The question's number.
        question: u64,
        /// What the keyring says.
        keyring: Keyring,
    },
    /// So many more envelopes of the worker were read: as many more may be sent. See [`crate::chunk::CREDIT`].
    Credit {
        /// How many.
        envelopes: u32,
    },
    /// Are you there? Answered with [`FromWorker::Pong`].
    Ping {
        /// Comes back in the answer.
        nonce: u64,
    },
    /// Answers [`FromWorker::Ping`].
    Pong {
        /// The ping's.
        nonce: u64,
    },
}

/// The worker's hello to the host.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkerHello {
    /// [`PROTOCOL`] of the sender.
    pub protocol: u32,
    /// Version of the extension.
    pub version: String,
    /// Name of the browser, e.g. `Chromium 156`.
    pub browser: String,
    /// What the person calls this profile, if anything.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub profile: Option<String>,
    /// What makes this profile the same one again, whatever host it has: the instance of its first host. Nothing before
    /// it had one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
}

/// A file that an agent named, as the host found it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "found", rename_all = "snake_case")]
pub enum FoundFile {
    /// It may be read.
    File {
        /// Its path without links.
        path: String,
        /// Its name.
        name: String,
    },
    /// It may not.
    Refused {
        /// Why, in words: "is a folder", …
        why: String,
    },
}

/// Worker → host.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum FromWorker {
    /// The first message of a port.
    Hello(WorkerHello),
    /// Answers a request.
    Reply {
        /// The agent's connection.
        connection: ConnectionId,
        /// The request it answers.
        id: RequestId,
        /// The answer.
        reply: Reply,
    },
    /// What files are these? Nothing of them is read: the browser does that, once the worker has allowed it.
    Look {
        /// Names the question in its answer.
        question: u64,
        /// Absolute folders that they must be in; the worker decides which.
        roots: Vec<String>,
        /// Absolute paths.
        paths: Vec<String>,
    },
    /// Which secrets are stored?
    ListSecrets {
        /// Names the question in its answer.
        question: u64,
    },
    /// An act that the person allowed types this secret into a frame of this origin: what is its value?
    Reveal {
        /// Names the question in its answer.
        question: u64,
        /// The secret's name.
        name: String,
        /// `scheme://host:port`.
        origin: String,
    },
    /// Write this into the journal. Comes before the reply that it is about.
    Journal(journal::Entry),
    /// Are you there? Answered with [`ToWorker::Pong`].
    Ping {
        /// Comes back in the answer.
        nonce: u64,
    },
    /// Answers a ping.
    Pong {
        /// The ping's.
        nonce: u64,
    },
}
