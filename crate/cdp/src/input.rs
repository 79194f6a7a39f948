//! `Input`: real mouse and keyboard events.

use crate::{Nothing, command::command};
use serde::Serialize;

command!(/// A mouse event at a point of the session's viewport.
DispatchMouseEvent = "Input.dispatchMouseEvent", false => Nothing {
    /// Which.
    r#type: MouseEventType,
    /// CSS pixels from the left.
    x: f64,
    /// CSS pixels from the top.
    y: f64,
    /// The button that changed.
    button: MouseButton,
    /// The buttons that are down, as `MouseEvent.buttons`.
    buttons: u8,
    /// 1 for a click, 2 for a double click, …
    click_count: u8,
    /// Keys held, as [`modifiers`].
    modifiers: u8,
});

command!(/// A key event to what has the focus.
DispatchKeyEvent = "Input.dispatchKeyEvent", false => Nothing {
    /// Which.
    r#type: KeyEventType,
    /// Keys held, as [`modifiers`].
    modifiers: u8,
    /// `KeyboardEvent.key`
    key: String,
    /// `KeyboardEvent.code`
    code: String,
    /// `KeyboardEvent.keyCode`
    windows_virtual_key_code: u16,
    /// The text it makes.
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    /// The text it would make without modifiers.
    #[serde(skip_serializing_if = "Option::is_none")]
    unmodified_text: Option<String>,
    /// `KeyboardEvent.location`
    location: u8,
    /// Editing commands that the platform binds to it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    commands: Vec<String>,
});

command!(/// Puts text in where the caret is, as an input method does.
InsertText = "Input.insertText", false => Nothing {
    /// The text.
    text: String,
});

/// The kinds of mouse event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum MouseEventType {
    /// A button goes down.
    #[serde(rename = "mousePressed")]
    Pressed,
    /// A button comes up.
    #[serde(rename = "mouseReleased")]
    Released,
    /// The pointer moves.
    #[serde(rename = "mouseMoved")]
    Moved,
}

/// A button.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum MouseButton {
    /// None.
    None,
    /// The primary one.
    Left,
    /// The wheel.
    Middle,
    /// The one that opens context menus.
    Right,
}

impl MouseButton {
    /// Its bit in `MouseEvent.buttons`.
    pub fn bit(self) -> u8 {
        match self {
            Self::None => 0,
            Self::Left => 1,
            Self::Right => 2,
            Self::Middle => 4,
        }
    }
}

/// The kinds of key event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum KeyEventType {
    /// Goes down and makes text.
    KeyDown,
    /// Goes down and makes none.
    RawKeyDown,
    /// Comes up.
    KeyUp,
}

/// Bits of the keys held.
pub mod modifiers {
    /// Alt, Option.
    pub const ALT: u8 = 1;
    /// Control.
    pub const CONTROL: u8 = 2;
    /// Meta, Command, Windows.
    pub const META: u8 = 4;
    /// Shift.
    pub const SHIFT: u8 = 8;
}
