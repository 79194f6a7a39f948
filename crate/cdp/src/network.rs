//! `Network`: which requests are under way. Never bodies, headers or cookies.

use crate::{Nothing, command::command};

command!(/// Starts events of this domain. Keeps no bodies.
Enable = "Network.enable", false => Nothing {
    /// Bytes of bodies to keep, in all.
    max_total_buffer_size: u32,
    /// Bytes of bodies to keep, each.
    max_resource_buffer_size: u32,
});
