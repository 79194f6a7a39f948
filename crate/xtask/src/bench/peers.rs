//! Other tools that an agent could use instead, each driven through its own front door, on the same pages, in turns
//! with us. They come from npm in pinned versions, each starts a browser of its own, and what cannot be run says so in
//! the tables and holds up nothing.

mod family;
mod installed;
mod name;
mod peer;

pub use name::Name;

use super::{figures, series::Series};
use crate::workspace::Workspace;
use anyhow::Result;
use peer::{Peer, Trouble};
use serde::Serialize;
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    time::Instant,
};

/// The most often that a peer is asked on one page: they are slow.
const TIMES: usize = 3;

/// Lists of more elements are shown to peers once.
const MANY: u32 = 20_000;

/// How a peer saw one page. Times in milliseconds, sizes in tokens of `o200k_base`.
#[derive(Debug, Default, Serialize)]
pub struct Figures {
    /// Its snapshot of the whole page, at first sight.
    pub first: Series,
    /// The size of that.
    pub tokens: usize,
    /// Its snapshot of what can be worked, where it has one.
    pub interactive_tokens: Option<usize>,
    /// After one text changed: the cheapest way it has to tell.
    pub change: Series,
    /// The size of that.
    pub change_tokens: Series,
    /// Whether the new words were in it.
    pub is_change_told: bool,
    /// Its click on a ready button, the whole call.
    pub click: Series,
    /// Why it was not asked again.
    pub trouble: Option<String>,
}

/// A peer over the whole run.
#[derive(Debug, Serialize)]
pub struct Standing {
    pub version: &'static str,
    pub state: State,
    /// From its start to its first snapshot, its browser's start included.
    pub cold: Series,
    /// The largest resident size of its own processes together, its browser not counted, in bytes.
    pub peak: Option<u64>,
}

/// Whether it took part.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// Its package is not there.
    NotInstalled,
    /// Its package is there, but it was not asked for.
    NotAsked,
    /// It took part.
    Ran,
    /// It could not be run, or fell silent.
    Failed(String),
}

/// All peers.
#[derive(Default)]
pub struct Peers {
    running: BTreeMap<Name, Peer>,
    standings: BTreeMap<Name, Standing>,
}

impl Peers {
    /// None takes part; the tables say why.
    pub fn absent(workspace: &Workspace) -> Self {
        let state = |name| {
            let is_there = installed::is_there(workspace, name);
            if is_there { State::NotAsked } else { State::NotInstalled }
        };
        let standings = Name::ALL.iter().map(|name| (*name, Standing::new(*name, state(*name)))).collect();
        Self { running: BTreeMap::new(), standings }
    }

    /// Installs them and starts each. `first_page` is what their cold start ends with, `times` how often it is taken.
    pub async fn start(workspace: &Workspace, browser: &Path, first_page: &str, times: usize) -> Self {
        let mut peers = Self::absent(workspace);
        if let Err(error) = installed::install(workspace) {
            eprintln!("{error:#}");
        }
        for name in Name::ALL {
            if !installed::is_there(workspace, *name) {
                continue;
            }
            eprintln!("the cold start of {name}");
            let program = installed::program(workspace, *name);
            let mut cold = Series::default();
            let started =
                peers.start_one(*name, program, browser, first_page, times.min(TIMES), &mut cold).await;
            let standing = peers.standings.entry(*name).or_insert_with(|| Standing::new(*name, State::Ran));
            standing.cold = cold;
            standing.state = started.map_or_else(|error| State::Failed(short(&error)), |()| State::Ran);
        }
        peers
    }

    async fn start_one(
        &mut self,
        name: Name,
        program: PathBuf,
        browser: &Path,
        first_page: &str,
        times: usize,
        cold: &mut Series,
    ) -> Result<()> {
        for _ in 0..times.max(1) {
            if let Some(before) = self.running.remove(&name) {
                before.end().await;
            }
            let start = Instant::now();
            let peer = Peer::start(name, &program, browser).await?;
            peer.first_sight(first_page).await?;
            cold.add_time(start.elapsed());
            self.running.insert(name, peer);
        }
        Ok(())
    }

    /// Each peer's turn at a page. One that is in trouble is not asked again there; one that fell silent is ended.
    pub async fn turn(&mut self, figures: &mut figures::Figures, address: &str, turn: usize) {
        let many = matches!(figures.kind, super::pages::Kind::List(elements) if elements > MANY);
        if turn >= if many { 1 } else { TIMES } {
            return;
        }
        let mut silent = Vec::new();
        for (name, peer) in &self.running {
            let seen = figures.peers.entry(*name).or_default();
            if seen.trouble.is_some() {
                continue;
            }
            let Err(trouble) = peer.turn(seen, address, turn).await else { continue };
            eprintln!("{name}: {trouble}");
            seen.trouble = Some(trouble.to_string());
            if let Trouble::Silent(why) = trouble {
                silent.push((*name, why));
            }
        }
        for (name, why) in silent {
            if let Some(peer) = self.running.remove(&name) {
                peer.end().await;
            }
            if let Some(standing) = self.standings.get_mut(&name) {
                standing.state = State::Failed(why);
            }
        }
    }

    /// Ends them all, and gives what there is to say of each.
    pub async fn end(mut self) -> BTreeMap<Name, Standing> {
        for (name, peer) in std::mem::take(&mut self.running) {
            if let Some(standing) = self.standings.get_mut(&name) {
                standing.peak = peer.peak();
            }
            peer.end().await;
        }
        self.standings
    }
}

impl Standing {
    fn new(name: Name, state: State) -> Self {
        Self { version: name.version(), state, cold: Series::default(), peak: None }
    }
}

/// The whole chain of reasons on one line.
fn short(error: &anyhow::Error) -> String {
    format!("{error:#}").lines().next().unwrap_or_default().to_owned()
}
