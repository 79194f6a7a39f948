//! `Emulation`: a tab in the background behaves as if it had the focus.

use crate::{Nothing, command::command};

command!(/// Without it a hidden tab runs no frames: mouse moves and screenshots hang.
SetFocusEmulationEnabled = "Emulation.setFocusEmulationEnabled", false => Nothing {
    /// On or off.
    enabled: bool,
});
