//! The tool table, declared once: names, arguments, documentation, annotations. The MCP schema, the shell's
//! flags, the reference page and the checks of arguments derive from it. Pure: it says what may be asked, never
//! how it is done.
#![warn(missing_docs)]

pub mod act;
pub mod call;
#[cfg(feature = "cli")]
pub mod cli;
pub mod flat;
mod lenient;
mod parse;
mod point;
#[cfg(feature = "schema")]
pub mod reference;
#[cfg(feature = "schema")]
pub mod schema;
mod seeing;
pub mod table;
pub mod word;

pub use act::{Act, ActKind, DiffMode, Field, SecretName, Step, Then};
pub use call::{BadCall, Call};
pub use parse::TIMEOUT_LIMIT;
#[cfg(feature = "schema")]
pub use reference::reference;
pub use table::{INSTRUCTIONS, Tool, table};
pub use word::{RefName, TabName};
