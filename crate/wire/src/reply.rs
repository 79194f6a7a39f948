//! What a tool answers: content blocks for a model, and the same as JSON for the shell.

use serde::{Deserialize, Serialize};

/// One block of an answer, in the order a model reads it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Content {
    /// Text for the model.
    Text {
        /// The text.
        text: String,
    },
    /// A picture for the model.
    Image {
        /// Base64 of the file.
        data: String,
        /// `image/png`, `image/jpeg` or `image/webp`.
        mime: String,
    },
}

/// What is to go into a file instead of into the blocks. Only the agent's own front end writes it, and only at the
/// path that its call named: no reply can choose where.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Save {
    /// Text.
    Text {
        /// The file's content.
        text: String,
    },
    /// A picture.
    Image {
        /// Base64 of the file.
        data: String,
    },
}

/// The answer to one request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Reply {
    /// The blocks.
    pub content: Vec<Content>,
    /// Whether it is a failure: then the text is `error <code>: …` and `next: …`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_error: bool,
    /// The structured form, for `--json` on the shell; never sent to MCP clients.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub json: Option<serde_json::Value>,
    /// What the call wanted in a file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub save: Option<Save>,
}

impl Reply {
    /// A success of one text block.
    pub fn text(text: impl Into<String>) -> Self {
        Self { content: vec![Content::Text { text: text.into() }], is_error: false, json: None, save: None }
    }

    /// A failure: `error <code>: <what>`, then `next: <next>`.
    pub fn failure(code: &str, what: &str, next: &str) -> Self {
        let text = format!("error {code}: {what}\nnext: {next}");
        Self { content: vec![Content::Text { text }], is_error: true, json: None, save: None }
    }

    /// The code of a failure; none of a success.
    pub fn code(&self) -> Option<&str> {
        let text = self.content.iter().find_map(|block| match block {
            Content::Text { text } => Some(text.as_str()),
            Content::Image { .. } => None,
        });
        let (_, rest) = text.filter(|_| self.is_error)?.split_once("error ")?;
        rest.split(':').next()
    }

    /// The text blocks, joined by line ends.
    pub fn joined_text(&self) -> String {
        let texts = self.content.iter().filter_map(|block| match block {
            Content::Text { text } => Some(text.as_str()),
            Content::Image { .. } => None,
        });
        texts.collect::<Vec<_>>().join("\n")
    }
}
