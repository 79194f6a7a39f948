//! The agents' programs that we know: where each keeps its MCP servers, and how an entry reads there. Settings are
//! edited in place: what is ours is added or taken away, the rest stays as it is, comments included.

mod json;
mod toml;

use super::record::Made;
use crate::home::{Home, System};
use std::path::{Path, PathBuf};

/// The name of our entry.
const SERVER: &str = "tabwright";

/// A client.
#[derive(Debug)]
pub struct Client {
    /// Its name on the command line.
    pub name: &'static str,
    /// What people call it.
    pub title: &'static str,
    place: fn(&Home) -> PathBuf,
    form: Form,
    /// What to type instead of editing its settings, if it has such a command.
    command: Option<fn(&str) -> String>,
}

/// How its settings read.
#[derive(Debug, Clone, Copy)]
enum Form {
    /// JSON, comments allowed: a list of servers under this name, each with a command and its arguments.
    Json {
        list: &'static str,
        /// What else an entry has: names and values.
        more: &'static [(&'static str, &'static str)],
        command: Command,
    },
    /// Codex's TOML.
    Toml,
}

/// How an entry names the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Command {
    /// `"command": "…", "args": ["mcp"]`
    Apart,
    /// `"command": ["…", "mcp"]`
    Together,
}

const PLAIN: Form = Form::Json { list: "mcpServers", more: &[], command: Command::Apart };

/// All of them.
pub const CLIENTS: [Client; 11] = [
    Client {
        name: "claude-code",
        title: "Claude Code",
        place: |home| home.named("CLAUDE_CONFIG_DIR", "").join(".claude.json"),
        form: Form::Json { list: "mcpServers", more: &[("type", "stdio")], command: Command::Apart },
        command: Some(|program| format!("claude mcp add --scope user tabwright -- {program} mcp")),
    },
    Client {
        name: "codex",
        title: "Codex",
        place: |home| home.named("CODEX_HOME", ".codex").join("config.toml"),
        form: Form::Toml,
        command: Some(|program| format!("codex mcp add tabwright -- {program} mcp")),
    },
    Client {
        name: "cursor",
        title: "Cursor",
        place: |home| home.user().join(".cursor").join("mcp.json"),
        form: PLAIN,
        command: None,
    },
    Client {
        name: "vscode",
        title: "VS Code",
        place: |home| home.settings().join("Code").join("User").join("mcp.json"),
        form: Form::Json { list: "servers", more: &[("type", "stdio")], command: Command::Apart },
        command: None,
    },
    Client {
        name: "gemini",
        title: "Gemini CLI",
        place: |home| home.user().join(".gemini").join("settings.json"),
        form: PLAIN,
        command: Some(|program| format!("gemini mcp add --scope user tabwright {program} mcp")),
    },
    Client {
        name: "windsurf",
        title: "Windsurf",
        place: |home| home.user().join(".codeium").join("windsurf").join("mcp_config.json"),
        form: PLAIN,
        command: None,
    },
    Client {
        name: "zed",
        title: "Zed",
        place: |home| match home.system() {
            System::Linux => home.config().join("zed").join("settings.json"),
            System::Mac => home.user().join(".config").join("zed").join("settings.json"),
            System::Windows => home.settings().join("Zed").join("settings.json"),
        },
        form: Form::Json { list: "context_servers", more: &[("source", "custom")], command: Command::Apart },
        command: None,
    },
    Client {
        name: "claude-desktop",
        title: "Claude Desktop",
        place: |home| home.settings().join("Claude").join("claude_desktop_config.json"),
        form: PLAIN,
        command: None,
    },
    Client {
        name: "copilot",
        title: "Copilot CLI",
        place: |home| home.user().join(".copilot").join("mcp-config.json"),
        form: Form::Json { list: "mcpServers", more: &[("type", "local")], command: Command::Apart },
        command: None,
    },
    Client {
        name: "opencode",
        title: "opencode",
        place: |home| match home.system() {
            System::Linux => home.config().join("opencode").join("opencode.json"),
            System::Mac | System::Windows => {
                home.user().join(".config").join("opencode").join("opencode.json")
            }
        },
        form: Form::Json { list: "mcp", more: &[("type", "local")], command: Command::Together },
        command: None,
    },
    Client {
        name: "lm-studio",
        title: "LM Studio",
        place: |home| home.user().join(".lmstudio").join("mcp.json"),
        form: PLAIN,
        command: None,
    },
];

/// Settings that cannot be edited: why.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NotEdited(pub String);

/// An entry as it stands in a client's settings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The program that it names.
    pub program: PathBuf,
}

impl Client {
    /// The one of this name.
    pub fn named(name: &str) -> Option<&'static Self> {
        CLIENTS.iter().find(|client| client.name == name)
    }

    /// Its settings.
    pub fn file(&self, home: &Home) -> PathBuf {
        (self.place)(home)
    }

    /// What a person types or pastes.
    pub fn line(&self, home: &Home, program: &Path) -> String {
        let quoted = super::quoted(home.system(), program);
        match self.command {
            Some(command) => command(&quoted),
            None => format!("in {}: {}", self.file(home).display(), self.snippet(program)),
        }
    }

    /// What stands in its settings when nothing else does, on one line.
    pub fn snippet(&self, program: &Path) -> String {
        let program = program.display().to_string();
        match self.form {
            Form::Json { list, more, command } => json::snippet(list, more, command, &program),
            Form::Toml => toml::snippet(&program),
        }
    }

    /// Puts the entry in, or this program into the entry that is there. Nothing if that stands there already.
    pub fn add(&self, text: Option<&str>, program: &Path) -> Result<Option<(String, Made)>, NotEdited> {
        let program = program.display().to_string();
        match self.form {
            Form::Json { list, more, command } => json::add(text, list, more, command, &program),
            Form::Toml => toml::add(text, &program),
        }
    }

    /// Takes away what [`Self::add`] made. Nothing left of a file that was made for it: it goes.
    pub fn remove(&self, text: &str, made: Made) -> Result<Removed, NotEdited> {
        match self.form {
            Form::Json { list, .. } => json::remove(text, list, made),
            Form::Toml => toml::remove(text, made),
        }
    }

    /// The entry, if there is one.
    pub fn find(&self, text: &str) -> Result<Option<Found>, NotEdited> {
        match self.form {
            Form::Json { list, command, .. } => json::find(text, list, command),
            Form::Toml => toml::find(text),
        }
    }
}

/// What is left of settings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Removed {
    /// This text.
    Text(String),
    /// Nothing: the file was made for the entry.
    Nothing,
    /// There was no entry any more.
    Gone,
}

#[cfg(test)]
mod tests;
