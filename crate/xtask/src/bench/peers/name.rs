//! Which peers there are, and the words in which each is spoken to. Knows nothing of processes.

use serde::Serialize;
use serde_json::{Value, json};
use std::fmt;

/// A peer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub enum Name {
    #[serde(rename = "chrome-devtools-mcp")]
    DevTools,
    #[serde(rename = "@playwright/mcp")]
    Playwright,
    #[serde(rename = "agent-browser")]
    AgentBrowser,
}

/// A call of one of its tools: the tool's name and arguments.
pub type Call = (&'static str, Value);

impl Name {
    pub const ALL: &[Self] = &[Self::DevTools, Self::Playwright, Self::AgentBrowser];

    /// As npm has it.
    pub const fn package(self) -> &'static str {
        match self {
            Self::DevTools => "chrome-devtools-mcp",
            Self::Playwright => "@playwright/mcp",
            Self::AgentBrowser => "agent-browser",
        }
    }

    pub const fn version(self) -> &'static str {
        match self {
            Self::DevTools => "1.11.0",
            Self::Playwright => "0.0.83",
            Self::AgentBrowser => "0.41.2",
        }
    }

    /// The command that its package puts into `.bin`.
    pub const fn program(self) -> &'static str {
        match self {
            Self::DevTools => "chrome-devtools-mcp",
            Self::Playwright => "playwright-mcp",
            Self::AgentBrowser => "agent-browser",
        }
    }

    /// Whether it asks the browser for its accessibility tree.
    pub const fn asks_for_accessibility(self) -> bool {
        match self {
            Self::DevTools | Self::AgentBrowser => true,
            Self::Playwright => false,
        }
    }

    /// Its arguments as an MCP server with a browser of its own: `browser`, without a window, in a profile that is
    /// thrown away.
    pub fn arguments(self, browser: &str, is_root: bool) -> Vec<String> {
        let mut arguments = match self {
            Self::DevTools => vec![
                "--headless",
                "--isolated",
                "--no-usage-statistics",
                "--no-performance-crux",
                "--executablePath",
                browser,
            ],
            Self::Playwright => vec!["--headless", "--isolated", "--executable-path", browser],
            // It takes the rest from its environment.
            Self::AgentBrowser => vec!["mcp"],
        };
        let unconfined = match self {
            Self::DevTools => Some("--chromeArg=--no-sandbox"),
            Self::Playwright => Some("--no-sandbox"),
            Self::AgentBrowser => None,
        };
        // As root, the browser's sandbox refuses to work.
        arguments.extend(unconfined.filter(|_| is_root));
        arguments.into_iter().map(str::to_owned).collect()
    }

    /// What it wants in its environment.
    pub fn environment(self, browser: &str, is_root: bool) -> Vec<(&'static str, String)> {
        let mut environment = match self {
            Self::DevTools => vec![("CHROME_DEVTOOLS_MCP_NO_UPDATE_CHECKS", "1".to_owned())],
            Self::Playwright => Vec::new(),
            Self::AgentBrowser => vec![
                ("AGENT_BROWSER_EXECUTABLE_PATH", browser.to_owned()),
                ("AGENT_BROWSER_SESSION", "bench".to_owned()),
            ],
        };
        if self == Self::AgentBrowser && is_root {
            environment.push(("AGENT_BROWSER_ARGS", "--no-sandbox".to_owned()));
        }
        environment
    }

    /// Goes to an address.
    pub fn open(self, address: &str) -> Call {
        match self {
            Self::DevTools => ("navigate_page", json!({ "pageId": 1, "type": "url", "url": address })),
            Self::Playwright => ("browser_navigate", json!({ "url": address })),
            Self::AgentBrowser => ("agent_browser_open", json!({ "url": address })),
        }
    }

    /// Sees the whole page.
    pub fn see(self) -> Call {
        match self {
            Self::DevTools => ("take_snapshot", json!({ "pageId": 1 })),
            Self::Playwright => ("browser_snapshot", json!({})),
            Self::AgentBrowser => ("agent_browser_snapshot", json!({ "interactive": false })),
        }
    }

    /// Sees the page once more after a change, in the cheapest way it has. Where that tells what differs from last
    /// time, it must have been asked in the same way before.
    pub fn see_change(self) -> Call {
        match self {
            Self::DevTools | Self::Playwright => self.see(),
            Self::AgentBrowser => ("agent_browser_snapshot", json!({ "interactive": false, "delta": true })),
        }
    }

    /// Sees what can be worked, where it has a way.
    pub fn see_interactive(self) -> Option<Call> {
        match self {
            Self::DevTools | Self::Playwright => None,
            Self::AgentBrowser => Some(("agent_browser_snapshot", json!({}))),
        }
    }

    /// Evaluates in the page.
    pub fn evaluate(self, expression: &str) -> Call {
        let function = format!("() => {expression}");
        match self {
            Self::DevTools => {
                let asked = json!({ "pageId": 1, "function": function, "waitForStableDom": false });
                ("evaluate_script", asked)
            }
            Self::Playwright => ("browser_evaluate", json!({ "function": function })),
            Self::AgentBrowser => ("agent_browser_eval", json!({ "script": expression })),
        }
    }

    /// Clicks.
    pub fn click(self, reference: &str) -> Call {
        match self {
            Self::DevTools => ("click", json!({ "pageId": 1, "uid": reference })),
            Self::Playwright => ("browser_click", json!({ "target": reference })),
            Self::AgentBrowser => ("agent_browser_click", json!({ "selector": format!("@{reference}") })),
        }
    }

    /// The ref of the button of that name in what it saw.
    pub fn button<'a>(self, seen: &'a str, words: &str) -> Option<&'a str> {
        let spelled = format!("button {}", json!(words));
        let line = seen.lines().find(|line| line.contains(&spelled))?;
        let (mark, ends): (_, &[char]) = match self {
            Self::DevTools => ("uid=", &[' ']),
            Self::Playwright | Self::AgentBrowser => ("ref=", &[']', ',']),
        };
        line.split_once(mark)?.1.split(ends).next()
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.package())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_button_is_found_in_what_each_of_them_says() {
        let lines = [
            (Name::DevTools, "  uid=1_3 button \"Go on\" focusable", "1_3"),
            (Name::Playwright, "  - button \"Go on\" [active] [ref=e4] [cursor=pointer]:", "e4"),
            (Name::AgentBrowser, "  - button \"Go on\" [pressed=true, ref=e2]", "e2"),
            (Name::AgentBrowser, "- button \"Go on\" [ref=e9, disabled]", "e9"),
        ];
        for (name, line, reference) in lines {
            assert_eq!(name.button(line, "Go on"), Some(reference), "{name}");
            assert_eq!(name.button(line, "Go"), None, "{name}");
        }
    }
}
