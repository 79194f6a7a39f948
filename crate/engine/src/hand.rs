//! The person's hand in what agents do: all of them paused, a tab taken over or given back, a tab of the person's
//! handed over or taken back. Whatever is ended in the middle leaves nothing pressed, and its agent is told why.

use crate::{
    agent::AgentId,
    browser::Core,
    consent::Who,
    failure::Failure,
    io::{ChromeCall, ChromeTab},
    journal, reply, request,
    tab::Tab,
    tabs,
};
use serde::Deserialize;
use std::rc::Rc;

/// Has all agents wait. They keep their tabs; what is under way ends.
pub fn pause(core: &Rc<Core>) {
    journal::decision(core, "pause", None, None, None);
    core.consent.decisions.borrow_mut().paused = true;
    request::cancel_all(core);
}

/// Keeps the agent of a tab from working it.
pub fn take_over(core: &Rc<Core>, tab: ChromeTab) {
    let Some(tab) = core.tab_of(tab) else { return };
    note(core, "take over", &tab);
    tab.state.borrow_mut().taken = true;
    request::cancel_tab(core, &tab, &Failure::TakenOver { tab: tab.to_string() });
}

/// Lets the agent of a tab go on.
pub fn give_back(core: &Rc<Core>, tab: ChromeTab) {
    let Some(tab) = core.tab_of(tab) else { return };
    note(core, "give back", &tab);
    tab.state.borrow_mut().taken = false;
}

/// Takes a tab away from its agent; the tab stays.
pub fn take_back(core: &Rc<Core>, chrome: ChromeTab) {
    let Some(tab) = core.tab_of(chrome) else { return };
    note(core, "take back", &tab);
    request::cancel_tab(core, &tab, &Failure::TakenOver { tab: tab.to_string() });
    crate::act::let_go(core, &tab);
    // A tab that is not attached, or in no group, is let go all the same.
    drop(core.desk.call(ChromeCall::Detach { tab: chrome }));
    drop(core.desk.call(ChromeCall::Ungroup { tab: chrome }));
    core.drop_tab(&tab);
}

fn note(core: &Rc<Core>, what: &str, tab: &Tab) {
    let (owner, site) = {
        let state = tab.state.borrow();
        (state.owner, crate::address::site(&state.url))
    };
    let agents = core.agents.borrow();
    let label = owner.and_then(|owner| agents.all.get(&owner)).map(|agent| agent.label.clone());
    drop(agents);
    journal::decision(core, what, label.as_deref(), site.as_deref(), Some(&tab.to_string()));
}

/// What the browser says of a tab.
#[derive(Deserialize)]
struct Told {
    #[serde(default)]
    url: String,
    #[serde(default)]
    title: String,
}

/// Hands a tab of the person's over to an agent, at the site that it shows now.
pub fn share(core: &Rc<Core>, tab: ChromeTab, who: Who) {
    let core2 = core.clone();
    core.desk.spawn(async move {
        // A tab that went meanwhile is nobody's.
        let Ok(told) = core2.desk.ask(ChromeCall::GetTab { tab }).await else { return };
        let Ok(told) = reply::read::<Told>(told) else { return };
        let Some((agent, site)) = may_have(&core2, tab, &told.url, &who) else { return };
        journal::decision(&core2, "share", Some(&who.label), Some(&site), Some(&who.program));
        core2.consent.decisions.borrow_mut().by_hand = true;
        let tab = core2.tab_of(tab).unwrap_or_else(|| core2.add_tab(tab));
        {
            let mut state = tab.state.borrow_mut();
            state.owner = Some(agent);
            state.opened = false;
            state.shared = Some(site);
            state.url = told.url;
            state.title = reply::clip(&told.title);
        }
        core2.agents.borrow_mut().view(agent, tab.name);
        core2.consent.changed.raise();
        core2.keep();
        core2.show_state();
        tabs::group(&core2, agent, &tab).await;
    });
}

/// The agent and the site, if that tab can be handed over to them: it is nobody's, can be driven at all, and the agent
/// was let in and is not denied the site.
fn may_have(core: &Core, tab: ChromeTab, url: &str, who: &Who) -> Option<(AgentId, String)> {
    if core.tab_of(tab).is_some_and(|tab| tab.state.borrow().owner.is_some()) {
        return None;
    }
    let agents = core.agents.borrow();
    let agent = agents.all.values().find(|agent| agent.who() == *who && !agent.connections.is_empty())?;
    let entered = matches!(core.consent.entry(who), Some(Ok(())));
    let denied = matches!(
        core.consent.site(agent, url),
        Err(Failure::SiteDenied { .. } | Failure::NotDrivable { .. })
    );
    let site = crate::address::site(url)?;
    (entered && !denied).then_some((agent.id, site))
}
