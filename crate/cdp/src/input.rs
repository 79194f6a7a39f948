//! `Input`: real mouse and keyboard events.

use crate::{Nothing, command::command};
use serde::{Deserialize, Serialize};

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

command!(/// Hands drags of HTML's drag and drop over to us instead of the system. For the tab's own session: it covers frames
/// of other processes as well, whose own sessions do not.
SetInterceptDrags = "Input.setInterceptDrags", false => Nothing {
    /// Whether.
    enabled: bool,
});

command!(/// An event of a drag that was intercepted, or of one that brings files, at a point of the tab's viewport.
DispatchDragEvent = "Input.dispatchDragEvent", false => Nothing {
    /// Which.
    r#type: DragEventType,
    /// CSS pixels from the left.
    x: f64,
    /// CSS pixels from the top.
    y: f64,
    /// What is dragged.
    data: DragData,
});

/// The kinds of drag event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum DragEventType {
    /// The drag comes in.
    DragEnter,
    /// It moves.
    DragOver,
    /// It is let go there.
    Drop,
    /// It is called off.
    DragCancel,
}

/// What is dragged.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DragData {
    /// What the page gave along.
    pub items: Vec<DragItem>,
    /// Files, by their paths.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<String>,
    /// What may be done with it: 1 copy, 2 link, 16 move, added.
    pub drag_operations_mask: i64,
}

/// A piece of what is dragged, in one form.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DragItem {
    /// Its form.
    pub mime_type: String,
    /// It.
    pub data: String,
    /// The title of a link.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The address that addresses in HTML are relative to.
    #[serde(rename = "baseURL", skip_serializing_if = "Option::is_none")]
    pub base_url: Option<String>,
}

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
