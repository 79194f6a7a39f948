//! The part of the `DevTools` protocol we speak, typed. What is not here cannot be sent: the worker carries only
//! commands that this crate declares. Pure (serde): it knows no browser and no transport.
//!
//! Absent on purpose, and to stay so: cookies, storage, response bodies, `Debugger`, `WebAuthn`,
//! `Target.createTarget`, raw commands.
#![warn(missing_docs)]

pub mod accessibility;
mod command;
pub mod dom;
pub mod dom_debugger;
pub mod emulation;
pub mod event;
pub mod fetch;
pub mod id;
pub mod input;
pub mod inspector;
pub mod network;
pub mod overlay;
pub mod page;
pub mod performance;
pub mod runtime;
pub mod target;

pub use command::{Answer, Command, Nothing, ReadError};
pub use event::Event;
pub use id::{
    BackendId, ContextId, FetchRequestId, FoundId, FrameId, LoaderId, NetworkRequestId, ObjectId, ScriptId,
    SearchId, SessionId,
};

/// The commands that do something: what they do a page, a server or a person may notice, and twice is not once. All
/// others look, or prepare. A new command that does something goes here.
pub const DEEDS: &[&str] = &[
    dom::SetFileInputFiles::METHOD,
    input::DispatchDragEvent::METHOD,
    input::DispatchKeyEvent::METHOD,
    input::DispatchMouseEvent::METHOD,
    input::InsertText::METHOD,
    page::HandleDialog::METHOD,
    page::Navigate::METHOD,
    page::NavigateToHistoryEntry::METHOD,
    page::Reload::METHOD,
];
