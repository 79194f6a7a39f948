//! What is written down of each call and of each decision of the person. No secrets, and of a page no more than the
//! role and the shortened name of what was worked.

use serde::{Deserialize, Serialize};

/// Who did something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum By {
    /// An agent, by a call.
    Agent,
    /// The person, in the extension.
    Person,
}

/// By what right an agent did it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Right {
    /// The person let the agent in.
    Person,
    /// The unattended policy lists it.
    Policy,
    /// The person allowed this very act.
    Confirmed,
    /// The person was asked about this very act, and refused or did not answer.
    Unconfirmed,
}

/// One line, but for what the host adds: the time and the browser.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// Who did it.
    pub by: By,
    /// The agent's label; of a decision, that of the agent it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// The program that started the agent's front end, where the system tells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub program: Option<String>,
    /// The tab, as in `t3`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tab: Option<String>,
    /// The site, `scheme://host:port`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub site: Option<String>,
    /// What: a tool and its kind (`act click`), or a decision (`allow`, `stop`).
    pub what: String,
    /// What it was done to: `e9 button "Pay"`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub on: Option<String>,
    /// By what right.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub right: Option<Right>,
    /// `ok`, or the code of the failure.
    pub outcome: String,
}
