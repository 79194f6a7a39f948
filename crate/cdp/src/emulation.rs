//! `Emulation`: a tab in the background behaves as if it had the focus, and, where it was never shown, a size.

use crate::{Nothing, command::command};

command!(/// Without it a hidden tab runs no frames: mouse moves and screenshots hang.
SetFocusEmulationEnabled = "Emulation.setFocusEmulationEnabled", false => Nothing {
    /// On or off.
    enabled: bool,
});

command!(/// Gives the page a viewport. One that was revived behind others has an empty one: nothing in it can be pressed.
SetDeviceMetricsOverride = "Emulation.setDeviceMetricsOverride", false => Nothing {
    /// CSS pixels.
    width: u32,
    /// CSS pixels.
    height: u32,
    /// 0: the screen's own.
    device_scale_factor: u32,
    /// Whether it behaves as on a phone.
    mobile: bool,
});

command!(/// Gives the page the size of its window again.
ClearDeviceMetricsOverride = "Emulation.clearDeviceMetricsOverride", false => Nothing {});
