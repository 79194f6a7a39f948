//! `Inspector`: tells of crashes.

use crate::{Nothing, command::command};

command!(/// Starts events of this domain.
    Enable = "Inspector.enable", false => Nothing {});
