//! The words between our processes: agent front end (`mcp`, shell) ⇄ native-messaging host ⇄ worker.
//! Pure: no sockets, no clocks. What may be said is in `message`; how it travels in `frame` and `chunk`.
#![warn(missing_docs)]

pub mod chunk;
pub mod frame;
pub mod identity;
pub mod journal;
pub mod message;
pub mod policy;
pub mod reply;
pub mod salvage;
pub mod secret;

pub use chunk::{Assembler, ChunkError, Chunker, Envelope, Lane, REPLY_LIMIT, REQUEST_LIMIT, TooLarge};
pub use frame::{Decoder, FrameError};
pub use identity::{EXTENSION_ID, HOST_NAME, extension_origin};
pub use message::{
    AgentKey, AgentKind, Closed, ConnectionId, FoundFile, FromHost, FromWorker, HostHello, PROTOCOL,
    RequestId, ToHost, ToWorker, WorkerHello,
};
pub use policy::Policy;
pub use reply::{Content, Reply, Save};
pub use secret::{Hidden, Keyring, Secret};
