//! `Overlay`: marks that the browser itself draws over a page. The page can neither read nor click them.

use crate::{Nothing, ObjectId, command::command};
use serde::Serialize;

command!(/// Marks can be drawn from now on. `DOM.enable` must come before.
Enable = "Overlay.enable", false => Nothing {});

command!(/// A rectangle, in the session's viewport; the one before goes. Without one, none.
SetShowHinge = "Overlay.setShowHinge", false => Nothing {
    /// It.
    #[serde(skip_serializing_if = "Option::is_none")]
    hinge_config: Option<HingeConfig>,
});

command!(/// Four corners, in the session's viewport; what was highlighted before goes. A rectangle stays.
HighlightQuad = "Overlay.highlightQuad", false => Nothing {
    /// The corners, x and y in turn, in CSS pixels.
    quad: [f64; 8],
    /// What it is filled with.
    color: Rgba,
    /// Its edge.
    outline_color: Rgba,
});

command!(/// A node, wherever it goes; what was highlighted before goes.
HighlightNode = "Overlay.highlightNode", true => Nothing {
    /// The node.
    object_id: ObjectId,
    /// How it looks.
    highlight_config: HighlightConfig,
});

command!(/// From now on the mouse picks a node instead of reaching the page, or no longer. The browser tells what was picked,
/// and goes on picking until it is told to end.
SetInspectMode = "Overlay.setInspectMode", false => Nothing {
    /// Which.
    mode: InspectMode,
    /// How what the mouse is over looks; wanted also where nothing is picked.
    highlight_config: InspectConfig,
});

command!(/// What was highlighted goes. A rectangle stays.
HideHighlight = "Overlay.hideHighlight", false => Nothing {});

/// A colour.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Rgba {
    /// Red.
    pub r: u8,
    /// Green.
    pub g: u8,
    /// Blue.
    pub b: u8,
    /// 0 to 1.
    pub a: f64,
}

/// A rectangle with whole numbers from 0 on: others are refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Rect {
    /// CSS pixels from the left.
    pub x: u32,
    /// CSS pixels from the top.
    pub y: u32,
    /// Across.
    pub width: u32,
    /// Down.
    pub height: u32,
}

/// How a rectangle looks.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct HingeConfig {
    /// Where.
    pub rect: Rect,
    /// What it is filled with.
    pub content_color: Rgba,
    /// Its edge.
    pub outline_color: Rgba,
}

/// How a node looks.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct HighlightConfig {
    /// What its content box is filled with.
    pub content_color: Rgba,
    /// What its padding is filled with.
    pub padding_color: Rgba,
    /// What its border is filled with.
    pub border_color: Rgba,
}

/// Whether the mouse picks a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum InspectMode {
    /// It does.
    SearchForNode,
    /// It does not.
    None,
}

/// How what the mouse is over looks while it picks.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct InspectConfig {
    /// With its name and size beside it.
    pub show_info: bool,
    /// With its role and accessible name there.
    pub show_accessibility_info: bool,
    /// What its content box is filled with.
    pub content_color: Rgba,
    /// What its border is filled with.
    pub border_color: Rgba,
}
