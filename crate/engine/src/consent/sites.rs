//! Where an agent may be: the person says so once for each site, or for all but those they deny.

use super::{Consent, PERSON, Who};
use crate::{
    address::{self, is_web},
    agent::{Agent, AgentId},
    browser::Core,
    failure::Failure,
    reply,
    tab::Tab,
};
use serde::{Deserialize, Serialize};
use std::{collections::BTreeSet, rc::Rc};

/// What the person decided about the sites of an agent, and what is kept of it. A site is `scheme://host:port`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Sites {
    /// Whether it may be everywhere but where it is denied.
    pub everywhere: bool,
    /// Where it may be.
    pub always: BTreeSet<String>,
    /// Where it may not be.
    pub never: BTreeSet<String>,
    /// Where passwords, and acts that go by their name, need no confirmation.
    pub trusted: BTreeSet<String>,
}

/// That an agent wants to be at a site.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Visit {
    /// The agent.
    #[serde(flatten)]
    pub who: Who,
    /// The site.
    pub site: String,
}

/// What the person says of a visit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Answer {
    /// Until the browser ends.
    Now,
    /// From now on.
    Always,
    /// Not now and not later.
    Never,
}

impl Answer {
    /// As the journal has it.
    pub fn words(self) -> &'static str {
        match self {
            Self::Now => "site now",
            Self::Always => "site always",
            Self::Never => "site never",
        }
    }
}

impl Consent {
    /// Whether an agent may be at an address.
    ///
    /// # Errors
    /// When the address cannot be driven at all, the policy does not list its site, or the person denied it;
    /// [`Failure::AwaitingSite`] when the person has not said yet.
    pub fn site(&self, agent: &Agent, url: &str) -> Result<(), Failure> {
        let Some(site) = self.listed(agent, url)? else { return Ok(()) };
        let decisions = self.decisions.borrow();
        let visit = Visit { who: agent.who(), site };
        let sites = decisions.sites(&visit.who);
        let decided = sites.is_some_and(|sites| sites.everywhere || sites.always.contains(&visit.site));
        if decided || self.visits.borrow().contains(&visit) {
            return Ok(());
        }
        Err(Failure::AwaitingSite { agent: reply::quoted(&visit.who.label), site: visit.site })
    }

    /// Whether an agent may see a frame within a page where it may be: what the person has not been asked about comes
    /// with the page.
    ///
    /// # Errors
    /// When the policy does not list its site, or the person denied it.
    pub fn frame(&self, agent: &Agent, url: &str) -> Result<(), Failure> {
        if is_web(url) { self.listed(agent, url).map(drop) } else { Ok(()) }
    }

    /// The site of an address, if the person is to be asked about it and did not deny it.
    fn listed(&self, agent: &Agent, url: &str) -> Result<Option<String>, Failure> {
        address::drivable(url)?;
        let denied = |site: String| Err(Failure::SiteDenied { site, agent: reply::quoted(&agent.label) });
        let site = match address::site(url) {
            Some(site) => site,
            // An address of the web whose site does not read is nobody's.
            None if is_web(url) => return denied(reply::address(url)),
            None => return Ok(None),
        };
        if let Some(policy) = self.in_force() {
            return if super::fits(&policy.sites, &site) { Ok(None) } else { denied(site) };
        }
        let decisions = self.decisions.borrow();
        if decisions.sites(&agent.who()).is_some_and(|sites| sites.never.contains(&site)) {
            return denied(site);
        }
        // What runs on this machine is its user's own.
        Ok((!address::is_loopback(&site)).then_some(site))
    }

    /// Takes the person's answer.
    pub fn answer(&self, visit: &Visit, answer: Answer) {
        {
            let mut decisions = self.decisions.borrow_mut();
            decisions.by_hand = true;
            let sites = decisions.sites_mut(&visit.who);
            match answer {
                Answer::Now => {
                    self.visits.borrow_mut().insert(visit.clone());
                }
                Answer::Always => {
                    sites.always.insert(visit.site.clone());
                }
                Answer::Never => {
                    sites.always.remove(&visit.site);
                    sites.trusted.remove(&visit.site);
                    sites.never.insert(visit.site.clone());
                    self.visits.borrow_mut().remove(visit);
                }
            }
        }
        self.asked.borrow_mut().remove(visit);
    }

    /// Forgets what was decided about a site for an agent: the person is asked again.
    pub fn forget_site(&self, visit: &Visit) {
        let mut decisions = self.decisions.borrow_mut();
        let sites = decisions.sites_mut(&visit.who);
        for decided in [&mut sites.always, &mut sites.never, &mut sites.trusted] {
            decided.remove(&visit.site);
        }
        drop(decisions);
        self.visits.borrow_mut().remove(visit);
    }

    /// Forgets what was decided about the sites of an agent: the person is asked again.
    pub fn forget_sites(&self, who: &Who) {
        *self.decisions.borrow_mut().sites_mut(who) = Sites::default();
        self.visits.borrow_mut().retain(|visit| visit.who != *who);
        self.asked.borrow_mut().retain(|visit| visit.who != *who);
    }
}

/// Whether an agent may be at an address; the person is asked if they have not said yet.
///
/// # Errors
/// As [`Consent::site`].
pub fn ask(core: &Core, agent: AgentId, url: &str) -> Result<(), Failure> {
    core.journal.at(url);
    let asked = {
        let agents = core.agents.borrow();
        let Some(agent) = agents.all.get(&agent) else { return Ok(()) };
        let failure = match core.consent.site(agent, url) {
            Err(failure @ Failure::AwaitingSite { .. }) => failure,
            decided => return decided,
        };
        if let Failure::AwaitingSite { site, .. } = &failure {
            let visit = Visit { who: agent.who(), site: site.clone() };
            core.consent.asked.borrow_mut().insert(visit);
        }
        failure
    };
    core.show_state();
    Err(asked)
}

/// Waits until the person has said whether an agent may be at an address.
///
/// # Errors
/// As [`Consent::site`]; [`Failure::AwaitingSite`] when they do not say in time.
pub async fn wait(core: &Rc<Core>, agent: AgentId, url: &str) -> Result<(), Failure> {
    let asked = match ask(core, agent, url) {
        Err(failure @ Failure::AwaitingSite { .. }) => failure,
        decided => return decided,
    };
    let decided = core.consent.changed.until(|| {
        let agents = core.agents.borrow();
        match agents.all.get(&agent).map(|agent| core.consent.site(agent, url)) {
            Some(Err(Failure::AwaitingSite { .. })) => None,
            Some(decided) => Some(decided),
            None => Some(Ok(())),
        }
    });
    match core.desk.within(PERSON, "the person's answer", decided).await {
        Err(Failure::TimedOut { .. }) => Err(asked),
        decided => decided,
    }
}

/// As [`wait`], of the address that a tab shows: where the person handed that tab over at its site, that is allowed.
///
/// # Errors
/// As [`wait`].
pub async fn wait_at(core: &Rc<Core>, agent: AgentId, tab: &Tab) -> Result<(), Failure> {
    let (url, shared) = {
        let state = tab.state.borrow();
        (state.url.clone(), state.is_shared_at(&state.url))
    };
    if shared {
        core.journal.at(&url);
        return Ok(());
    }
    wait(core, agent, &url).await
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{agent::Agents, clock::Instant};
    use wire::{AgentKey, AgentKind, ConnectionId};

    fn agent(agents: &mut Agents) -> &Agent {
        let (key, kind) = (AgentKey("k".into()), AgentKind::Mcp);
        let id = agents.joined(ConnectionId(1), key, "me", kind, None, Instant(0));
        &agents.all[&id]
    }

    #[test]
    fn another_program_of_the_same_name_has_no_share_in_it() {
        let (consent, mut agents) = (Consent::default(), Agents::default());
        let (node, other) = (agent_of(&mut agents, "/usr/bin/node"), agent_of(&mut agents, "/tmp/node"));
        let (node, other) = (&agents.all[&node], &agents.all[&other]);
        let bank = asks(&consent, node, "https://bank.example/");
        consent.answer(&bank, Answer::Always);
        consent.answer(&Visit { site: "https://shop.example:443".into(), ..bank.clone() }, Answer::Now);
        assert!(consent.site(node, "https://bank.example/").is_ok());
        assert!(consent.site(node, "https://shop.example/").is_ok());
        asks(&consent, other, "https://shop.example/");
        let asked = asks(&consent, other, "https://bank.example/");
        consent.answer(&asked, Answer::Never);
        assert!(consent.site(node, "https://bank.example/").is_ok());
        consent.forget_sites(&node.who());
        assert!(matches!(consent.site(other, "https://bank.example/"), Err(Failure::SiteDenied { .. })));
    }

    fn agent_of(agents: &mut Agents, program: &str) -> AgentId {
        let (key, kind) = (AgentKey(program.into()), AgentKind::Mcp);
        agents.joined(ConnectionId(1), key, "me", kind, Some(program.to_owned()), Instant(0))
    }

    #[track_caller]
    fn asks(consent: &Consent, agent: &Agent, url: &str) -> Visit {
        match consent.site(agent, url) {
            Err(Failure::AwaitingSite { site, .. }) => Visit { who: agent.who(), site },
            decided => panic!("{url}: {decided:?}"),
        }
    }

    #[test]
    fn each_site_is_asked_about_once() {
        let (consent, mut agents) = (Consent::default(), Agents::default());
        let agent = agent(&mut agents);
        let bank = asks(&consent, agent, "https://bank.example/login");
        assert_eq!(bank.site, "https://bank.example:443");
        consent.answer(&bank, Answer::Always);
        assert!(consent.site(agent, "https://bank.example/other").is_ok());
        asks(&consent, agent, "http://bank.example/");
        asks(&consent, agent, "https://bank.example.evil.example/");
        consent.answer(&bank, Answer::Never);
        assert!(matches!(consent.site(agent, "https://bank.example/"), Err(Failure::SiteDenied { .. })));
        assert!(matches!(consent.frame(agent, "https://bank.example/"), Err(Failure::SiteDenied { .. })));
        consent.forget_site(&bank);
        asks(&consent, agent, "https://bank.example/");
        consent.answer(&bank, Answer::Never);
        consent.forget_sites(&agent.who());
        asks(&consent, agent, "https://bank.example/");
    }

    #[test]
    fn what_is_denied_stays_so_for_who_may_be_everywhere() {
        let (consent, mut agents) = (Consent::default(), Agents::default());
        let agent = agent(&mut agents);
        let bank = asks(&consent, agent, "https://bank.example/");
        consent.answer(&bank, Answer::Never);
        consent.decisions.borrow_mut().sites_mut(&agent.who()).everywhere = true;
        assert!(consent.site(agent, "https://news.example/").is_ok());
        assert!(matches!(consent.site(agent, "https://bank.example/"), Err(Failure::SiteDenied { .. })));
    }

    #[test]
    fn this_machine_and_frames_are_not_asked_about() {
        let (consent, mut agents) = (Consent::default(), Agents::default());
        let agent = agent(&mut agents);
        for url in ["http://localhost:8080/", "http://127.0.0.1/", "http://[::1]:3000/x", "about:blank"] {
            assert!(consent.site(agent, url).is_ok(), "{url}");
        }
        asks(&consent, agent, "http://localhost.example/");
        asks(&consent, agent, "http://127.0.0.1.example/");
        assert!(consent.frame(agent, "https://ads.example/").is_ok());
    }
}
