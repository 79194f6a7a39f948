//! Many agents on one browser at once, each with a tab, words and a record of its own: whatever a reply says must be what
//! its page recorded, no word may turn up at another agent, and no agent may wait much longer than another.

use crate::{
    browser::Browser,
    chance::Chance,
    client::{Agent, Reply},
    outline::Outline,
    site::{Site, Visit},
};
use anyhow::{Context as _, Result, ensure};
use futures::future::try_join_all;
use serde_json::json;
use std::{
    fmt,
    path::Path,
    time::{Duration, Instant},
};

/// How many buttons the page has.
const BUTTONS: usize = 12;

/// How much the slowest agent's middle call may take longer than the fastest's.
const FAIR: f64 = 2.0;

/// One call of an agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Call {
    Fill,
    Press,
    Look,
    Find,
    Go,
}

/// Of ten calls.
const MIX: [Call; 10] = [
    Call::Fill,
    Call::Fill,
    Call::Fill,
    Call::Press,
    Call::Press,
    Call::Press,
    Call::Look,
    Call::Look,
    Call::Find,
    Call::Go,
];

/// What came of it.
#[derive(Debug)]
pub struct Figures {
    /// How long each agent's calls took, in order of time.
    times: Vec<Vec<Duration>>,
    elapsed: Duration,
}

impl Figures {
    /// The slowest agent's middle call against the fastest's.
    fn spread(&self) -> f64 {
        let middles = self.times.iter().map(|times| at(times, 50).as_secs_f64());
        let (fastest, slowest) =
            middles.fold((f64::MAX, 0.0_f64), |(low, high), it| (low.min(it), high.max(it)));
        slowest / fastest
    }

    /// # Errors
    /// When one agent had to wait much longer than another.
    pub fn judge(&self) -> Result<()> {
        let spread = self.spread();
        ensure!(spread <= FAIR, "the slowest agent's middle call took {spread:.2} × the fastest's: {self}");
        Ok(())
    }
}

/// The call that so many in a hundred did not take longer than.
fn at(times: &[Duration], percent: usize) -> Duration {
    times.get((times.len() * percent / 100).min(times.len().saturating_sub(1))).copied().unwrap_or_default()
}

impl fmt::Display for Figures {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        #[expect(clippy::cast_precision_loss, reason = "calls are few")]
        let rate = |calls: usize| calls as f64 / self.elapsed.as_secs_f64();
        let mut all: Vec<Duration> = self.times.iter().flatten().copied().collect();
        all.sort();
        write!(
            out,
            "{} agents, {} calls in {:.1} s: {:.1} a second, p50 {} ms, p99 {} ms, slowest agent's p50 {:.2} × the fastest's",
            self.times.len(),
            all.len(),
            self.elapsed.as_secs_f64(),
            rate(all.len()),
            at(&all, 50).as_millis(),
            at(&all, 99).as_millis(),
            self.spread(),
        )
    }
}

/// The agents, each with its tab.
pub struct Crowd(Vec<Member>);

impl Crowd {
    /// Lets so many agents come.
    pub async fn gather(browser: &Browser, host: &Path, site: &Site, agents: usize) -> Result<Self> {
        let runtime = browser.runtime();
        let members = (0..agents).map(|number| Member::join(host, &runtime, site.visit(), number));
        Ok(Self(try_join_all(members).await?))
    }

    /// Plays so many calls of each, all at once.
    pub async fn play(&mut self, calls: usize, seed: u64) -> Result<Figures> {
        let start = Instant::now();
        let times = try_join_all(self.0.iter_mut().map(|member| member.play(calls, seed))).await?;
        Ok(Figures { times, elapsed: start.elapsed() })
    }

    /// Lets them go.
    pub async fn close(self) -> Result<()> {
        try_join_all(self.0.into_iter().map(|member| member.agent.close())).await?;
        Ok(())
    }
}

/// One of the crowd.
struct Member {
    agent: Agent,
    visit: Visit,
    number: usize,
    tab: String,
    outline: Outline,
    /// The words that it brought, each of which the page must have once.
    words: Vec<(&'static str, String)>,
    presses: [usize; BUTTONS],
    /// How many calls it made.
    made: usize,
}

impl Member {
    async fn join(host: &Path, runtime: &Path, visit: Visit, number: usize) -> Result<Self> {
        let agent = Agent::connect(host, runtime, &format!("member {number}")).await?;
        let url = visit.page("nonces.html");
        let reply = agent.call("tabs", json!({ "action": "open", "url": url })).await?;
        ensure!(!reply.is_error, "member {number} gets no tab: {}", reply.text);
        let tab = reply.text.split(' ').next().unwrap_or_default().to_owned();
        let (words, presses) = (Vec::new(), [0; BUTTONS]);
        let mut member =
            Self { agent, visit, number, tab, outline: Outline::default(), words, presses, made: 0 };
        member.outline.read(&reply.text);
        Ok(member)
    }

    async fn play(&mut self, calls: usize, seed: u64) -> Result<Vec<Duration>> {
        let mut chance = Chance::of(seed ^ (self.number as u64) << 32);
        let mut times = Vec::with_capacity(calls);
        // Each agent makes the same calls, in an order of its own.
        let mix = chance.shuffled((0..calls).map(|n| MIX[n % MIX.len()]).collect());
        for call in mix {
            self.made += 1;
            let turn = self.made;
            let reply = self
                .call(call, turn, &mut chance)
                .await
                .with_context(|| format!("seed {seed}, member {}, call {turn}, {call:?}", self.number))?;
            times.push(reply.elapsed);
        }
        self.judge_record()?;
        times.sort();
        Ok(times)
    }

    async fn call(&mut self, call: Call, turn: usize, chance: &mut Chance) -> Result<Reply> {
        let word = format!("w{}x{turn}z", self.number);
        let button = chance.below(BUTTONS);
        let name = format!("press-{button}");
        let (tool, arguments) = match call {
            Call::Fill => {
                let field = &self.outline.find("textbox", "Word")?.reference;
                ("act", json!({ "kind": "fill", "ref": field, "value": word }))
            }
            Call::Press => {
                ("act", json!({ "kind": "click", "ref": self.outline.find("button", &name)?.reference }))
            }
            Call::Look => ("snapshot", json!({ "tab": self.tab })),
            Call::Find => ("find", json!({ "tab": self.tab, "text": name })),
            Call::Go => {
                let url = format!("{}?word={word}", self.visit.page("nonces.html"));
                ("navigate", json!({ "tab": self.tab, "url": url }))
            }
        };
        let reply = self.agent.call(tool, arguments).await?;
        ensure!(!reply.is_error, "it failed: {}", reply.text);
        self.outline.read(&reply.text);
        self.judge_words(&reply.text)?;
        let recorded = |event: &str, id: &str, value: &str| {
            let record = self.visit.record();
            record
                .iter()
                .filter(|it| it.event == event && it.id == id && (value.is_empty() || it.value == value))
                .count()
        };
        match call {
            Call::Fill => {
                self.visit.record_once(|record| record.iter().any(|it| it.value == word)).await;
                ensure!(
                    recorded("input", "word", &word) == 1,
                    "{word} came {} times",
                    recorded("input", "word", &word)
                );
                self.words.push(("input", word));
            }
            Call::Go => {
                self.visit.record_once(|record| record.iter().any(|it| it.value == word)).await;
                ensure!(recorded("load", "page", &word) == 1, "{word} was loaded otherwise than once");
                self.words.push(("load", word));
            }
            Call::Press => {
                self.presses[button] += 1;
                let wanted = self.presses[button];
                self.visit
                    .record_once(|record| record.iter().filter(|it| it.id == name).count() >= wanted)
                    .await;
                ensure!(
                    recorded("click", &name, "") == wanted,
                    "{name} was pressed {} times, not {wanted}",
                    recorded("click", &name, "")
                );
            }
            Call::Look | Call::Find => {
                ensure!(reply.text.contains(&name) || call == Call::Look, "{name} is not found");
            }
        }
        Ok(reply)
    }

    /// A reply has no words but this agent's.
    fn judge_words(&self, text: &str) -> Result<()> {
        let own = format!("w{}x", self.number);
        for word in text.split(|c: char| !c.is_ascii_alphanumeric()) {
            let inner = word
                .strip_prefix('w')
                .and_then(|rest| rest.strip_suffix('z'))
                .and_then(|rest| rest.split_once('x'));
            let is_word = inner
                .is_some_and(|(agent, turn)| agent.parse::<usize>().is_ok() && turn.parse::<usize>().is_ok());
            ensure!(!is_word || word.starts_with(&own), "{word} is another agent's: {text}");
        }
        Ok(())
    }

    /// The page has what was brought, once each and nothing else.
    fn judge_record(&self) -> Result<()> {
        let record = self.visit.record();
        let mut came: Vec<_> = record
            .iter()
            .filter(|it| it.event == "input" || it.event == "load")
            .map(|it| (it.event.as_str(), it.value.as_str()))
            .collect();
        let mut brought: Vec<_> = self.words.iter().map(|(event, word)| (*event, word.as_str())).collect();
        came.sort_unstable();
        brought.sort_unstable();
        ensure!(came == brought, "brought were {brought:?}, recorded {came:?}");
        Ok(())
    }
}
