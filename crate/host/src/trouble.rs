//! Whatever can go wrong on this side of the browser, each with its stable code and its next step. Failures of
//! pages and tools come from the worker and pass through untouched.

use std::{io, path::PathBuf};
use wire::{Closed, Reply, frame::FrameError};

/// What went wrong.
#[derive(Debug, thiserror::Error)]
pub enum Trouble {
    /// No browser runs with the extension connected.
    #[error("no browser is connected: none runs with the Tabwright extension enabled. Nothing done")]
    NoBrowser,
    /// The same, and the host is not registered where browsers usually look.
    #[error("no browser is connected, and Tabwright is registered in none of the usual places. Nothing done")]
    NotInstalled,
    /// The call says not which browser it means, and the one that the agent used is none of them, or one of several.
    #[error("it is not clear which browser is meant; connected: {}. Nothing done", .0.join(", "))]
    SeveralBrowsers(Vec<String>),
    /// The call names a browser that is not connected.
    #[error("no browser {word:?} is connected, but {}. Nothing done", connected.join(", "))]
    UnknownBrowser {
        /// What the call says.
        word: String,
        /// Those that are.
        connected: Vec<String>,
    },
    /// The folder for sockets cannot be trusted.
    #[error("the folder {} {why}. Nothing done", .folder.display())]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// The host of the browser does not answer as it should.
    #[error("the host of {browser} does not answer: {why}. Nothing done")]
    NoHandshake {
        /// The browser.
        browser: String,
        /// How it failed.
        why: String,
    },
    /// The other side ended the connection, and said why.
    #[error("{}. Nothing done", .0.what)]
    Refused(Closed),
    /// The request is larger than can be sent.
    #[error("the request has {size} bytes, over the limit of {limit}. Nothing done")]
    RequestTooLarge {
        /// Its size.
        size: usize,
        /// The limit.
        limit: usize,
    },
    /// The reply was larger than can be received.
    #[error("the reply is over the limit of {limit} bytes; what was asked for may have been done")]
    ReplyTooLarge {
        /// The limit.
        limit: usize,
    },
    /// The connection broke while a request that changes nothing was under way.
    #[error("{why} before it answered {tool}. Nothing was changed")]
    Interrupted {
        /// The tool.
        tool: String,
        /// What happened.
        why: String,
    },
    /// The connection broke, or time ran out, while a request that changes things was under way.
    #[error("{why} before it answered {tool}; it may or may not have been done")]
    OutcomeUnknown {
        /// The tool.
        tool: String,
        /// What happened.
        why: String,
    },
    /// The connection broke before the request was begun.
    #[error("{why} before {tool} was begun. Nothing done")]
    NotStarted {
        /// The tool.
        tool: String,
        /// What happened.
        why: String,
    },
    /// The browser that was given a request cannot be asked what became of it.
    #[error("what became of it is not told: {why}; it may or may not have been done")]
    NotTold {
        /// Why not.
        why: String,
    },
    /// The agent took the request back.
    #[error("{tool} was cancelled; it may have been done in part")]
    Cancelled {
        /// The tool.
        tool: String,
    },
    /// Too many requests of one agent at once.
    #[error("{limit} requests of this agent are under way already. Nothing done")]
    Busy {
        /// How many may be.
        limit: usize,
    },
    /// The extension speaks another version, or not at all.
    #[error("{}. Nothing done", .0.what)]
    Extension(Closed),
    /// A file or folder could not be used.
    #[error("{what} {}: {source}", .path.display())]
    File {
        /// What was tried: "cannot read", …
        what: &'static str,
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The record of what was installed cannot be read.
    #[error("what was installed is not known: {} {why}", .path.display())]
    Record {
        /// The record.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// A client's settings cannot be edited.
    #[error("the settings of {title} cannot be edited: {}: {why}. Nothing done", .path.display())]
    Settings {
        /// What people call the client.
        title: &'static str,
        /// The settings.
        path: PathBuf,
        /// What is wrong with them.
        why: String,
        /// What belongs there.
        line: String,
    },
    /// Chrome started the host for an extension that is not ours.
    #[error("started for {origin}, but only {} may use this host", wire::extension_origin())]
    WrongOrigin {
        /// Who it was started for.
        origin: String,
    },
    /// The system's keyring cannot be used.
    #[error("the system's keyring cannot be used: {why}. Nothing was stored anywhere else")]
    NoKeyring {
        /// Why, in words.
        why: String,
    },
    /// A secret cannot be stored, or is not there.
    #[error("the secret: {why}. Nothing done")]
    BadSecret {
        /// Why, in words.
        why: String,
    },
    /// Something that this system has not.
    #[error("{what}")]
    NotOnThisSystem {
        /// What.
        what: &'static str,
    },
    /// Something else of the system.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// A frame cannot be made or read.
    #[error("{0}")]
    Frame(#[from] FrameError),
    /// The MCP client said something that cannot be served.
    #[error("the MCP client could not be served: {0}")]
    Mcp(String),
}

impl Trouble {
    /// Whether a tool changes no page. A file is written after the reply.
    pub fn is_harmless(tool: &str) -> bool {
        tools::table().iter().any(|known| known.name == tool && !known.annotations.destructive)
    }

    /// What it means that a request that was sent has no answer.
    pub fn unanswered(tool: &str, why: &str) -> Self {
        let (tool, why, harmless) = (tool.to_owned(), why.to_owned(), Self::is_harmless(tool));
        if harmless { Self::Interrupted { tool, why } } else { Self::OutcomeUnknown { tool, why } }
    }

    /// The stable word for it.
    pub fn code(&self) -> &str {
        match self {
            Self::NoBrowser => "extension_missing",
            Self::NotInstalled => "host_missing",
            Self::SeveralBrowsers(_) => "browser_needed",
            Self::UnknownBrowser { .. } => "unknown_browser",
            Self::Folder { .. } => "folder_unsafe",
            Self::NoHandshake { .. } => "host_silent",
            Self::Refused(closed) | Self::Extension(closed) => &closed.code,
            Self::RequestTooLarge { .. } | Self::ReplyTooLarge { .. } => "too_large",
            Self::Interrupted { .. } => "interrupted",
            Self::NotStarted { .. } => "not_started",
            Self::OutcomeUnknown { .. } | Self::NotTold { .. } => "outcome_unknown",
            Self::Cancelled { .. } => "cancelled",
            Self::Busy { .. } => "busy",
            Self::File { .. } | Self::Io(_) => "system",
            Self::Record { .. } => "record_unreadable",
            Self::Settings { .. } => "settings_unreadable",
            Self::WrongOrigin { .. } => "wrong_origin",
            Self::NotOnThisSystem { .. } => "not_supported",
            Self::NoKeyring { .. } => "no_keyring",
            Self::BadSecret { .. } => "bad_secret",
            Self::Frame(_) | Self::Mcp(_) => "protocol",
        }
    }

    /// What to do about it.
    pub fn next(&self) -> String {
        match self {
            Self::NoBrowser => {
                "start the browser with the Tabwright extension enabled (chrome://extensions), then call again; \
                 `tabwright browsers` lists what is connected"
            }
            Self::NotInstalled => {
                "run `tabwright install`, load the extension in the browser (chrome://extensions), then call again"
            }
            Self::SeveralBrowsers(words) | Self::UnknownBrowser { connected: words, .. } => {
                let word = words.first().map_or("browser", String::as_str);
                return format!("name the browser in `tab`: {word}/t3 for a tab of it, {word}/ for the browser alone");
            }
            Self::Folder { folder, .. } => {
                return format!("make it a folder of your own that nobody else enters: chmod 700 {}", folder.display());
            }
            Self::NoHandshake { .. } => "call again; if it stays so, reload the extension (chrome://extensions)",
            Self::Refused(closed) | Self::Extension(closed) => return closed.next.clone(),
            Self::RequestTooLarge { .. } => "send less at once",
            Self::ReplyTooLarge { .. } => "ask for less: a `scope`, a `depth` or a smaller `max_tokens`",
            Self::Interrupted { .. } | Self::NotStarted { .. } => "call it again",
            Self::OutcomeUnknown { .. } | Self::NotTold { .. } => "take a snapshot to see what is there, before doing it again",
            Self::Cancelled { .. } => "take a snapshot to see what is there",
            Self::Busy { .. } => "wait for answers before asking for more",
            Self::File { .. } | Self::Io(_) => "mend that, then call again",
            Self::Record { .. } => "run `tabwright install`, which writes it anew",
            Self::Settings { line, .. } => return format!("mend them, or put this in by hand: {line}"),
            Self::WrongOrigin { .. } => "use the Tabwright extension; others are refused",
            Self::NotOnThisSystem { .. } => "leave --user-data-dir out",
            Self::NoKeyring { .. } => {
                "unlock the keyring; where there is none, install one that speaks the Secret Service (gnome-keyring, \
                 KWallet, KeePassXC) and run it in this session; or have the person type it: secret=ask"
            }
            Self::BadSecret { .. } => "`tabwright secret list` shows what is stored; `tabwright help secret` how to store one",
            Self::Frame(_) | Self::Mcp(_) => "start it again",
        }
        .to_owned()
    }

    /// As the answer to a tool call.
    pub fn reply(&self) -> Reply {
        Reply::failure(self.code(), &format!("{self}."), &self.next())
    }
}
