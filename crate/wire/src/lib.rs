//! The words between our processes: agent front end (`mcp`, shell) ⇄ native-messaging host ⇄ worker.
//! Pure: no sockets, no clocks. What may be said is in `message`; how it travels in `frame` and `chunk`.
#![warn(missing_docs)]

pub mod message;
pub mod policy;
pub mod reply;

pub use message::{
    AgentKey, AgentKind, Closed, ConnectionId, FromHost, FromWorker, HostHello, PROTOCOL, RequestId, ToHost,
    ToWorker, WorkerHello,
};
pub use policy::Policy;
pub use reply::{Content, Reply};
