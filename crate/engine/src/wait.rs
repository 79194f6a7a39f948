//! `wait`: until a text, an address or an element comes or goes. Looks again only when something changed.

use crate::{
    agent::AgentId,
    browser::Core,
    capture,
    clock::Millis,
    failure::Failure,
    look,
    settle::Settled,
    tab::{Dialog, Tab},
    tabs,
};
use snapshot::{Ref, Tree, query, render};
use std::rc::Rc;
use tools::call::Wait;
use wildmatch::WildMatch;
use wire::Reply;

/// How long when the agent does not say.
const LIMIT: Millis = Millis(10_000);

/// How often it is looked whether anything changed.
const PACE: Millis = Millis(80);

/// Carries out `wait`.
pub async fn wait(core: &Rc<Core>, agent: AgentId, arguments: Wait) -> Reply {
    let tab = match arguments.ref_gone {
        Some(name) => tabs::of_ref(core, agent, Ref(name.0), arguments.tab),
        None => tabs::choose(core, agent, arguments.tab),
    };
    let tab = match tab {
        Ok(tab) => tab,
        // Its document, or the whole tab, has gone: that is what was waited for.
        Err(
            Failure::WrongDocument { .. }
            | Failure::Forgotten { .. }
            | Failure::ClosedTab { .. }
            | Failure::ReleasedTab { .. }
            | Failure::Lapsed { .. },
        ) if arguments.ref_gone.is_some() => {
            let gone = arguments.ref_gone.map(|name| Ref(name.0).to_string()).unwrap_or_default();
            return Reply::text(format!("met: {gone} is gone"));
        }
        Err(failure) => return failure.reply(None),
    };
    let _turn = tabs::turn(core, &tab).await;
    let limit = arguments.timeout_ms.map_or(LIMIT, |ms| Millis(ms.into()));
    let met = match until(core, agent, &tab, &arguments, limit).await {
        Ok(Outcome::Met(met)) => format!("met: {met}"),
        Ok(Outcome::NotMet) => format!("not met after {limit}"),
        Ok(Outcome::Stopped) => "not met: a dialog stopped the page".to_owned(),
        Err(failure) => return failure.reply(Some(&tab.to_string())),
    };
    let dialog = match &tab.state.borrow().dialog {
        Dialog::None => None,
        Dialog::Open(prompt) => Some(prompt.clone()),
    };
    look::told(
        core,
        agent,
        &tab,
        format!("{tab} {met}"),
        Settled { busy: None, dialog },
        look::Telling::default(),
    )
    .await
}

/// How waiting ended.
enum Outcome {
    /// What was waited for holds.
    Met(String),
    /// The time is up.
    NotMet,
    /// A dialog keeps the page from being looked at.
    Stopped,
}

async fn until(
    core: &Rc<Core>,
    agent: AgentId,
    tab: &Rc<Tab>,
    arguments: &Wait,
    limit: Millis,
) -> Result<Outcome, Failure> {
    let start = core.desk.now();
    let pause = arguments.time_ms.map(|ms| Millis(ms.into()));
    let looks = !arguments.text.is_empty() || arguments.text_gone.is_some() || arguments.ref_gone.is_some();
    loop {
        if let Some(pattern) = &arguments.url {
            let url = tab.state.borrow().url.clone();
            if WildMatch::new(pattern).matches(&url) {
                return Ok(Outcome::Met(format!("the address is {}", crate::reply::address(&url))));
            }
        }
        if arguments.download {
            let ended = tab.state.borrow_mut().downloads.ended();
            if let Some(ended) = ended {
                return Ok(Outcome::Met(ended));
            }
        }
        if looks {
            match tabs::ready_at_once(core, agent, tab).await {
                Ok(()) => {}
                Err(Failure::DialogOpen { .. }) => return Ok(Outcome::Stopped),
                Err(failure) => return Err(failure),
            }
            match capture::capture(core, tab).await {
                Ok(tree) => {
                    if let Some(met) = holds(core, &tree, arguments) {
                        return Ok(Outcome::Met(met));
                    }
                }
                // Between two documents there is nothing to look at.
                Err(Failure::DocumentChanged | Failure::FrameGone) => {}
                Err(Failure::DialogOpen { .. }) => return Ok(Outcome::Stopped),
                Err(failure) => return Err(failure),
            }
        }
        let waited = core.desk.now() - start;
        if let Some(pause) = pause.filter(|pause| waited >= *pause) {
            return Ok(Outcome::Met(format!("{pause} have passed")));
        }
        if waited >= limit {
            return Ok(Outcome::NotMet);
        }
        let left = Millis(limit.0 - waited.0)
            .min(pause.map_or(PACE, |pause| Millis((pause.0 - waited.0).min(PACE.0))));
        core.desk.sleep(left).await;
    }
}

fn holds(core: &Core, tree: &Tree, arguments: &Wait) -> Option<String> {
    for text in &arguments.text {
        if let Some(at) = query::text(tree, text).first() {
            return Some(render::line(tree.node(*at)));
        }
    }
    if let Some(text) = &arguments.text_gone
        && query::text(tree, text).is_empty()
    {
        return Some(format!("{} is gone", crate::reply::quoted(text)));
    }
    if let Some(name) = arguments.ref_gone {
        let reference = Ref(name.0);
        let known = core.refs.borrow().lookup(reference).is_some();
        if !known || tree.node_of(reference).is_none_or(snapshot::tree::Node::is_hidden) {
            return Some(format!("{reference} is gone"));
        }
    }
    None
}
