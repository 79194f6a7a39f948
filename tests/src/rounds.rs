//! Rounds of killing: two profiles, three agents in each, all at work, and at some moment a browser, a worker, a host or
//! an agent is killed. The pages count each request's word: never above 1; 1 after a success; 0 where a reply says that
//! nothing was done. Afterwards everything must come back by itself, with the tabs and refs that outlive what was killed.

use crate::{
    browser::Browser,
    chance::Chance,
    client::Agent,
    outline::Outline,
    site::{Site, Visit},
};
use anyhow::{Context as _, Result, bail, ensure};
use futures::future::{join_all, try_join_all};
use serde_json::json;
use std::{
    fmt,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

/// How many agents each profile has.
const AGENTS: usize = 3;

/// The requests go out within this time, in milliseconds.
const APART: usize = 60;

/// The kill comes within this time.
const WITHIN: usize = 120;

/// How soon what was killed must be back, where something wakes it.
const BACK: Duration = Duration::from_secs(2);

/// How long it is waited for: a machine that is busy with other things takes its time.
const PATIENCE: Duration = Duration::from_secs(10);

/// What is killed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Victim {
    Host,
    Worker,
    Agent,
    Browser,
}

/// Of ten rounds.
const VICTIMS: [Victim; 10] = [
    Victim::Host,
    Victim::Host,
    Victim::Host,
    Victim::Host,
    Victim::Worker,
    Victim::Worker,
    Victim::Worker,
    Victim::Agent,
    Victim::Agent,
    Victim::Browser,
];

/// What a reply says of its request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Said {
    Done,
    NotDone,
    Unknown,
}

/// What came of it.
#[derive(Debug, Default, Clone)]
pub struct Figures {
    /// Rounds by what was killed: hosts, workers, agents, browsers.
    pub rounds: [u32; 4],
    /// Requests that were answered as done, as not done, and neither.
    pub said: [u32; 3],
    /// Requests that the kill met between begun and done.
    pub between: u32,
    /// The longest until a killed host, and a woken worker, was back.
    pub slowest: [Duration; 2],
}

impl Figures {
    /// # Errors
    /// When something came back too late.
    pub fn judge(&self) -> Result<()> {
        let late = self.slowest.iter().any(|slowest| *slowest > BACK);
        ensure!(!late, "it must be back after {} s: {self}", BACK.as_secs());
        Ok(())
    }

    /// Both together.
    pub fn add(&mut self, other: &Self) {
        for (mine, theirs) in self.rounds.iter_mut().zip(other.rounds) {
            *mine += theirs;
        }
        for (mine, theirs) in self.said.iter_mut().zip(other.said) {
            *mine += theirs;
        }
        self.between += other.between;
        for (mine, theirs) in self.slowest.iter_mut().zip(other.slowest) {
            *mine = theirs.max(*mine);
        }
    }
}

impl fmt::Display for Figures {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [hosts, workers, agents, browsers] = self.rounds;
        let [done, not_done, unknown] = self.said;
        let [host, worker] = self.slowest;
        write!(
            out,
            "killed: {hosts} hosts, {workers} workers, {agents} agents, {browsers} browsers; requests under way: {done} \
             done, {not_done} not begun, {unknown} unknown, {} of them met between begun and done; back at the latest \
             after {} ms (host), {} ms (worker)",
            self.between,
            host.as_millis(),
            worker.as_millis(),
        )
    }
}

/// Plays rounds.
pub async fn play(first: Browser, host: &Path, site: &Site, rounds: u32, seed: u64) -> Result<Figures> {
    let second = first.launch_beside().await?;
    let mut stage = Stage { browsers: [first, second], host: host.to_owned(), players: Vec::new() };
    for browser in 0..2 {
        let word = name(&stage.browsers[browser], browser).await?;
        for number in 0..AGENTS {
            let label = format!("{word} {number}");
            let mut player = Player::new(&stage, browser, &word, &label, site.visit()).await?;
            // The name may not have come to the host yet.
            player.served(BACK).await?;
            stage.players.push(player);
        }
    }
    try_join_all(stage.players.iter_mut().map(Player::open)).await?;
    let mut chance = Chance::of(seed);
    let mut figures = Figures::default();
    let mut victims = Vec::new();
    for round in 0..rounds {
        let victim = victims.pop().unwrap_or_else(|| {
            victims = chance.shuffled(VICTIMS.to_vec());
            victims.pop().unwrap_or(Victim::Host)
        });
        let one = stage.round(round, victim, &mut chance).await;
        figures.add(&one.with_context(|| format!("seed {seed}, round {round}; so far {figures}"))?);
    }
    for player in &stage.players {
        player.judge_all()?;
    }
    Ok(figures)
}

/// The person names the profile, so that it keeps its word.
async fn name(browser: &Browser, number: usize) -> Result<String> {
    let word = ["home", "work"][number];
    let popup = format!("chrome-extension://{}/popup/popup.html", browser.extension());
    let page = browser.open_behind(&popup).await?;
    let said = format!("chrome.runtime.sendMessage({{ intent: 'nameProfile', name: {} }})", json!(word));
    let start = Instant::now();
    while browser.page_eval(&popup, &said).await.is_err() {
        ensure!(start.elapsed() < BACK, "the profile cannot be named");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    browser.close_target(&page).await?;
    Ok(word.to_owned())
}

struct Stage {
    browsers: [Browser; 2],
    host: PathBuf,
    players: Vec<Player>,
}

impl Stage {
    async fn round(&mut self, round: u32, victim: Victim, chance: &mut Chance) -> Result<Figures> {
        let (whose, which) = (chance.below(2), chance.below(self.players.len()));
        let after = Duration::from_millis(chance.below(WITHIN) as u64);
        let process = self.players[which].agent.process();
        let browser = &mut self.browsers[whose];
        let mut delays = Vec::new();
        for _ in &self.players {
            delays.push(Duration::from_millis(chance.below(APART) as u64));
        }
        let calls = self.players.iter_mut().zip(delays).map(async |(player, delay)| {
            tokio::time::sleep(delay).await;
            player.fill(round).await
        });
        let calls = join_all(calls);
        let kill = async {
            tokio::time::sleep(after).await;
            match victim {
                Victim::Host => {
                    browser.kill_host().await?;
                }
                Victim::Worker => browser.stop_worker().await?,
                Victim::Agent => kill(process).await?,
                Victim::Browser => browser.kill_and_start().await?,
            }
            anyhow::Ok(Instant::now())
        };
        let (said, killed) = tokio::join!(calls, kill);
        let killed = killed.with_context(|| format!("{victim:?}"))?;
        let mut figures = Figures::default();
        figures.rounds[victim as usize] += 1;
        for ((said, text), player) in said.into_iter().zip(&self.players) {
            figures.said[said as usize] += 1;
            figures.between += u32::from(text.contains("error outcome_unknown:"));
            player.judge(said, &text).await.with_context(|| format!("{victim:?} after {after:?}"))?;
        }
        let slowest = self.back(victim, whose, which, killed).await;
        let slowest = slowest.with_context(|| format!("{victim:?} of {whose}, killed after {after:?}"))?;
        match victim {
            Victim::Host => figures.slowest[0] = slowest,
            Victim::Worker => figures.slowest[1] = slowest,
            Victim::Agent | Victim::Browser => {}
        }
        Ok(figures)
    }

    /// Everything comes back: gives how long it took until all agents of the browser were served.
    async fn back(
        &mut self,
        victim: Victim,
        whose: usize,
        which: usize,
        killed: Instant,
    ) -> Result<Duration> {
        match victim {
            Victim::Host => {}
            Victim::Worker => {
                // Whatever happens in an attached tab wakes it.
                let player =
                    self.players.iter().find(|player| player.browser == whose).context("nobody is there")?;
                let address = player.address();
                let page = address.trim_start_matches("http://");
                self.browsers[whose].page_eval(page, "history.replaceState({}, '', '#awake')").await?;
            }
            Victim::Agent => {
                let player = &self.players[which];
                let (word, label, visit) = (player.word.clone(), player.label.clone(), player.visit.clone());
                let mut fresh = Player::new(self, player.browser, &word, &label, visit).await?;
                fresh.sent.clone_from(&player.sent);
                fresh.opened = player.opened;
                self.players[which] = fresh;
                self.players[which].open().await?;
            }
            Victim::Browser => {
                self.browsers[whose].wait_for_host().await?;
                for player in self.players.iter_mut().filter(|player| player.browser == whose) {
                    player.served(PATIENCE).await?;
                    player.lapsed().await?;
                    player.open().await?;
                }
            }
        }
        // Nothing new is opened: tabs and refs are as they were.
        try_join_all(self.players.iter_mut().map(|player| player.served(PATIENCE))).await?;
        let took = killed.elapsed();
        let said = join_all(self.players.iter_mut().map(|player| player.fill(u32::MAX))).await;
        for ((said, text), player) in said.into_iter().zip(&self.players) {
            ensure!(said == Said::Done, "{} cannot go on with its tab: {text}", player.label);
            player.judge(said, &text).await?;
        }
        Ok(took)
    }
}

async fn kill(process: Option<u32>) -> Result<()> {
    let process = process.context("the agent has no process")?.to_string();
    let status = tokio::process::Command::new("kill").args(["-KILL", &process]).status().await?;
    ensure!(status.success(), "the agent cannot be killed");
    Ok(())
}

struct Player {
    agent: Agent,
    browser: usize,
    word: String,
    label: String,
    visit: Visit,
    outline: Outline,
    field: String,
    /// The words sent so far.
    sent: Vec<String>,
    /// How many tabs it opened.
    opened: u32,
}

impl Player {
    async fn new(stage: &Stage, browser: usize, word: &str, label: &str, visit: Visit) -> Result<Self> {
        let agent = Agent::connect(&stage.host, &stage.browsers[browser].runtime(), label).await?;
        let (word, label) = (word.to_owned(), label.to_owned());
        let (outline, field, sent) = (Outline::default(), String::new(), Vec::new());
        Ok(Self { agent, browser, word, label, visit, outline, field, sent, opened: 0 })
    }

    /// Where its tab is: no other has this in its address.
    fn address(&self) -> String {
        format!("{}?tab={}&", self.visit.page("nonces.html"), self.opened)
    }

    /// Opens a tab of its own in its browser.
    async fn open(&mut self) -> Result<()> {
        self.opened += 1;
        let url = self.address();
        let tab = format!("{}/", self.word);
        let reply = self.agent.call("tabs", json!({ "action": "open", "url": url, "tab": tab })).await?;
        ensure!(!reply.is_error, "{} gets no tab: {}", self.label, reply.text);
        self.outline.read(&reply.text);
        self.field = format!("{}/{}", self.word, self.outline.find("textbox", "Word")?.reference);
        Ok(())
    }

    /// Sends a request with a word of its own.
    async fn fill(&mut self, round: u32) -> (Said, String) {
        let word = format!("{}-{round}-{}", self.label.replace(' ', "-"), self.sent.len());
        self.sent.push(word.clone());
        let arguments = json!({ "kind": "fill", "ref": self.field, "value": word });
        match self.agent.call("act", arguments).await {
            Ok(reply) if !reply.is_error => (Said::Done, reply.text),
            Ok(reply) if reply.text.contains("Nothing done") => (Said::NotDone, reply.text),
            Ok(reply) => (Said::Unknown, reply.text),
            // Its own process was killed: there is nobody to tell it anything.
            Err(error) => (Said::Unknown, format!("{error:#}")),
        }
    }

    async fn judge(&self, said: Said, text: &str) -> Result<()> {
        let word = self.sent.last().context("nothing was sent")?;
        if said == Said::Done {
            self.visit.record_once(|record| record.iter().any(|it| it.value == *word)).await;
        }
        let came = self.came(word);
        let fits = match said {
            Said::Done => came == 1,
            Said::NotDone => came == 0,
            Said::Unknown => came <= 1,
        };
        ensure!(fits, "{word} came {came} times, and {} was told: {text}", self.label);
        Ok(())
    }

    /// How often the page saw a word.
    fn came(&self, word: &str) -> usize {
        self.visit.record().iter().filter(|it| it.event == "input" && it.value == word).count()
    }

    fn judge_all(&self) -> Result<()> {
        for word in &self.sent {
            let came = self.came(word);
            ensure!(came <= 1, "{word} came {came} times in the end");
        }
        Ok(())
    }

    /// Waits until it is served; each refusal until then must say what to do.
    async fn served(&mut self, limit: Duration) -> Result<()> {
        let start = Instant::now();
        loop {
            let reply = self.agent.call("tabs", json!({ "tab": format!("{}/", self.word) })).await?;
            if !reply.is_error {
                return Ok(());
            }
            ensure!(reply.text.contains("\nnext: "), "no next step: {}", reply.text);
            if start.elapsed() > limit {
                bail!("{} is not served after {:?}: {}", self.label, start.elapsed(), reply.text);
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// What it held before its browser ended has lapsed, by name.
    async fn lapsed(&mut self) -> Result<()> {
        let (said, text) = self.fill(u32::MAX).await;
        ensure!(said == Said::NotDone && text.contains("error lapsed:"), "not told as lapsed: {text}");
        Ok(())
    }
}
