//! One running peer: its server, spoken to over MCP, and all that it started.

use super::{Figures, Name, family::Family};
use crate::bench::{figures::count, memory, page::REST, script};
use anyhow::{Context as _, Result, bail};
use std::{fmt, fs::File, path::Path};
use tempfile::TempDir;
use tests::{
    browser::is_root,
    client::{Agent, Reply},
};
use tokio::process::Command;

/// Why a turn ended early.
#[derive(Debug)]
pub enum Trouble {
    /// It answered that it could not.
    Refused(String),
    /// It did not answer.
    Silent(String),
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(why) | Self::Silent(why) => f.write_str(why),
        }
    }
}

/// It ends when the value is dropped.
pub struct Peer {
    name: Name,
    agent: Agent,
    browser: String,
    // Dropped in this order: processes first, then the folder they write to.
    family: Family,
    _folder: TempDir,
}

impl Peer {
    /// Starts it, with its files in a folder that is thrown away.
    pub async fn start(name: Name, program: &Path, browser: &Path) -> Result<Self> {
        let folder = tempfile::Builder::new().prefix("tabwright-peer-").tempdir()?;
        let browser = browser.to_str().context("the browser's path is no text")?.to_owned();
        let family = Family::default();
        let mut command = Command::new(program);
        command.args(name.arguments(&browser, is_root())).current_dir(folder.path());
        command.envs(name.environment(&browser, is_root())).env(Family::MARK, family.mark());
        for variable in ["HOME", "TMPDIR", "XDG_RUNTIME_DIR", "XDG_CACHE_HOME", "XDG_CONFIG_HOME"] {
            command.env(variable, folder.path());
        }
        // None of them counts a measurement as a use.
        command.env("CI", "1");
        let complaints = File::create(folder.path().join("complaints.log"))?;
        let agent = Agent::start(command, complaints.into(), "bench").await?;
        Ok(Self { name, agent, browser, family, _folder: folder })
    }

    /// Goes to a page and sees it, for the first time.
    pub async fn first_sight(&self, address: &str) -> Result<()> {
        if self.name == Name::DevTools {
            // Its pages have numbers once it has looked for them.
            self.agent.call("list_pages", serde_json::json!({})).await?;
        }
        for call in [self.name.open(address), self.name.see()] {
            if let Err(trouble) = self.ask(call).await {
                bail!("{trouble}");
            }
        }
        Ok(())
    }

    /// Goes through a page once: sees it, sees a change, clicks.
    pub async fn turn(&self, figures: &mut Figures, address: &str, turn: usize) -> Result<(), Trouble> {
        let name = self.name;
        self.ask(name.open(address)).await?;
        tokio::time::sleep(REST).await;
        if turn == 0
            && let Some(call) = name.see_interactive()
        {
            figures.interactive_tokens = Some(self.ask(call).await?.tokens());
            self.ask(name.open(address)).await?;
            tokio::time::sleep(REST).await;
        }
        let first = self.ask(name.see()).await?;
        figures.first.add_time(first.elapsed);
        figures.tokens = first.tokens();

        if name.see_change() != name.see() {
            self.ask(name.see_change()).await?;
        }
        let words = format!("Renamed in turn {turn}");
        let changed = self.ask(name.evaluate(&script::change(&words))).await?.text;
        if changed.lines().any(|line| line.trim() == "true") {
            tokio::time::sleep(REST).await;
            let change = self.ask(name.see_change()).await?;
            figures.change.add_time(change.elapsed);
            figures.change_tokens.add(count(change.tokens()));
            figures.is_change_told = change.text.contains(&words);
        }
        let button = self.ask(name.evaluate(script::BUTTON)).await?.text;
        let button = button.lines().find_map(quoted);
        // A peer that does not list the button has nothing to click.
        if let Some(reference) = button.and_then(|words| name.button(&first.text, words)) {
            figures.click.add_time(self.ask(name.click(reference)).await?.elapsed);
        }
        Ok(())
    }

    /// The largest resident size of its own processes together, its browser not counted.
    pub fn peak(&self) -> Option<u64> {
        let own = self.family.members().into_iter().filter(|member| !member.runs(&self.browser));
        own.map(|member| memory::peak(member.id)).sum()
    }

    /// Ends it and all that it started.
    pub async fn end(self) {
        if self.name == Name::AgentBrowser {
            // What it left running behind its back is ended below all the same.
            let _ = self.agent.call("agent_browser_close", serde_json::json!({})).await;
        }
        // It may have gone by itself.
        let _ = self.agent.close().await;
    }

    async fn ask(&self, (tool, arguments): super::name::Call) -> Result<Reply, Trouble> {
        let reply = self.agent.call(tool, arguments).await;
        let reply = reply.map_err(|error| Trouble::Silent(super::short(&error)))?;
        if reply.is_error {
            let line = reply.text.lines().next().unwrap_or_default();
            return Err(Trouble::Refused(format!("{tool} failed: {line}")));
        }
        Ok(reply)
    }
}

/// The words of a line that is nothing but a string.
fn quoted(line: &str) -> Option<&str> {
    line.trim().strip_prefix('"')?.strip_suffix('"')
}
