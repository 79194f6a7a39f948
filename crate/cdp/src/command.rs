//! What makes a command: its method, its parameters, how its answer reads.

use serde::{Deserialize, Serialize, de::DeserializeOwned};

/// What came back for a command: JSON, but for the one large thing we ask for. An evaluation that yields a string
/// hands it over as it is, so that a capture is not escaped and unescaped on its way.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// The result object as JSON text.
    Json(String),
    /// The string that an evaluation yielded.
    Text(String),
}

/// An answer that does not read as its command says.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the answer to {method} does not read: {why}")]
pub struct ReadError {
    /// The command's method.
    pub method: &'static str,
    /// What was unexpected.
    pub why: String,
}

/// A command of the protocol. Absent optional parameters are skipped, never sent as `null`: Chrome refuses nulls.
pub trait Command: Serialize {
    /// `Domain.method`.
    const METHOD: &'static str;
    /// Whether the page's main thread answers it: then it hangs while a dialog is open.
    const NEEDS_PAGE: bool;
    /// What it answers.
    type Reply: DeserializeOwned;

    /// The parameters as JSON text.
    fn params(&self) -> String {
        // A struct of strings, numbers and booleans always serialises.
        serde_json::to_string(self).unwrap_or_else(|_| "{}".into())
    }

    /// Reads the answer.
    ///
    /// # Errors
    /// When the answer is not of the shape that the protocol documents.
    fn read(answer: Answer) -> Result<Self::Reply, ReadError> {
        let Answer::Json(json) = answer else {
            return Err(ReadError { method: Self::METHOD, why: "text where JSON was expected".into() });
        };
        serde_json::from_str(&json).map_err(|e| ReadError { method: Self::METHOD, why: e.to_string() })
    }
}

/// The answer of commands that only say they were done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Nothing {}

/// Declares a command: documentation, name, method, whether it needs the page, reply, fields.
macro_rules! command {
    ($(#[$doc:meta])* $name:ident = $method:literal, $needs:literal => $reply:ty { $($(#[$fdoc:meta])* $field:ident : $ty:ty,)* }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, serde::Serialize)]
        #[serde(rename_all = "camelCase")]
        pub struct $name { $($(#[$fdoc])* pub $field: $ty,)* }
        impl $crate::Command for $name {
            const METHOD: &'static str = $method;
            const NEEDS_PAGE: bool = $needs;
            type Reply = $reply;
        }
    };
}
pub(crate) use command;
