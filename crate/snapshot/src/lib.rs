//! What a page means to an agent: a pure crate without IO.
//!
//! Facts that the in-page collector reports ([`facts`]) are judged ([`role`], [`name`]), stitched over frames into a
//! [`tree`], made short ([`distil`]), given refs ([`refs`]) and said as text or JSON ([`render`]). Two trees compare by
//! identity ([`diff`]). A ref is found again by its [`fingerprint`] and written down as an [`xpath`].
//!
//! Absent on purpose: the protocol, tabs, time, and any knowledge of how facts were fetched.

#![warn(missing_docs)]

pub mod diff;
pub mod distil;
pub mod facts;
pub mod fingerprint;
pub mod ids;
pub mod name;
pub mod page;
pub mod query;
pub mod read;
pub mod refs;
pub mod render;
pub mod role;
pub mod state;
mod text;
pub mod tree;
pub mod visible;
pub mod xpath;

pub use facts::Facts;
pub use ids::{DocumentNo, ElementNo, Ref};
pub use page::{Frame, Owner, Page, Unreadable};
pub use refs::Refs;
pub use role::Role;
pub use text::without_line_numbers;
pub use tree::Tree;
