//! `selection`: what the person points at, for an agent.

use super::{
    Trouble,
    describe::{self, Description, Detail},
    look_up,
};
use crate::{agent::AgentId, browser::Core, failure::Failure, look, reply, tab::Tab, tabs};
use snapshot::tree::Pointed;
use std::rc::Rc;
use tools::call;
use wire::Reply;

/// Tokens of what is in it when the agent does not say.
const TOKENS: u32 = 800;

/// Carries out `selection`.
pub async fn selection(core: &Rc<Core>, agent: AgentId, arguments: call::Selection) -> Reply {
    // The latest, where no tab is named.
    let named = arguments.tab.or_else(|| latest(core, agent));
    let tab = match tabs::choose(core, agent, named) {
        Ok(tab) => tab,
        Err(failure) => return failure.reply(None),
    };
    let _turn = tabs::turn(core, &tab).await;
    match tell(core, agent, &tab, &arguments).await {
        Ok(reply) => reply,
        Err(failure) => failure.reply(Some(&tab.to_string())),
    }
}

/// The tab, of those that the agent holds or may take, in which something was pointed at last.
fn latest(core: &Core, agent: AgentId) -> Option<tools::TabName> {
    let agents = core.agents.borrow();
    let tabs = core.tabs.borrow();
    let pointed = tabs.values().filter_map(|tab| {
        let state = tab.state.borrow();
        let free =
            state.owner.is_none_or(|owner| owner == agent || !agents.is_present(owner, core.desk.now()));
        let at = state.selection.as_ref().map(|selection| selection.at)?;
        (free && !state.private).then_some((at, tab.name))
    });
    pointed.max().map(|(_, name)| name)
}

async fn tell(
    core: &Rc<Core>,
    agent: AgentId,
    tab: &Rc<Tab>,
    arguments: &call::Selection,
) -> Result<Reply, Failure> {
    tabs::ready(core, agent, tab).await?;
    look_up(core, tab).await?;
    let Some(subject) = describe::subject(core, tab).await? else {
        let chrome = tab.state.borrow().chrome;
        let trouble = chrome.and_then(|chrome| core.pointing.trouble(chrome));
        return Err(match trouble {
            None => Failure::NothingSelected,
            Some(Trouble::Unseen) => Failure::SelectionUnseen,
            Some(Trouble::Unproven) => Failure::SelectionUnproven,
        });
    };
    core.journal.on(&crate::target::said(&subject.tree, subject.reference), subject.reference);
    let description = subject.describe(core, tab).await?;
    let detail = if arguments.detail { Some(subject.detail().await?) } else { None };
    let lines = subject.lines(arguments.max_tokens.unwrap_or(TOKENS) as usize);
    let mut text = format!("{} · {}", reply::heading(tab), pointed(&description));
    said(&mut text, &description);
    if let Some(detail) = &detail {
        said_besides(&mut text, detail);
    }
    let inside = lines.text.trim_end();
    text.push_str(&format!("\n{inside}"));
    if let Some(cursor) = &lines.cursor {
        let scope = &description.reference;
        text.push_str(&format!(
            "\n… {} of {} lines; the rest: snapshot scope={scope} cursor={cursor}",
            lines.shown.len(),
            lines.total
        ));
    }
    look::record(core, agent, tab, &subject.tree, &lines.shown_refs, false);
    let mut reply = Reply::text(text);
    if look::is_shell(core, agent) {
        reply.json = Some(serde_json::json!({
            "tab": tab.to_string(),
            "url": crate::address::bare(subject.tree.url()),
            "selection": description,
            "detail": detail,
        }));
    }
    Ok(reply)
}

fn pointed(description: &Description) -> String {
    match description.how {
        // Only the page can tell what its developer tools have selected.
        Pointed::DevTools => format!("{}, as the page reports it", Pointed::DevTools.words()),
        Pointed::Picked => Pointed::Picked.words().to_owned(),
    }
}

fn said(text: &mut String, it: &Description) {
    text.push('\n');
    text.push_str(&it.line);
    if let Some((kind, words)) = &it.part {
        text.push_str(&format!(
            "\n  meant is {} in it: {}",
            kind.trim_start_matches('#'),
            reply::quoted(words)
        ));
    }
    text.push_str(&format!("\n  xpath {}", it.xpath));
    text.push_str(&format!("\n  css {}", reply::quoted(&it.css)));
    if let Some(context) = &it.context {
        text.push_str(&format!("\n  in {context}"));
    }
    if let Some(bounds) = &it.bounds {
        text.push_str(&format!("\n  box {bounds} in its frame"));
    }
    for frame in &it.frames {
        text.push_str(&format!("\n  within {frame}"));
    }
    text.push_str(&format!("\n  {}", it.standing));
}

fn said_besides(text: &mut String, detail: &Detail) {
    if let Some(component) = &detail.component {
        text.push_str(&format!("\n  component, as the page reports it: {component}"));
    }
    let styles: Vec<_> = detail.styles.iter().map(|(name, value)| format!("{name}: {value}")).collect();
    if !styles.is_empty() {
        text.push_str(&format!("\n  styles {}", reply::quoted(&styles.join("; "))));
    }
    text.push_str(&format!("\n  html {}", reply::quoted(&detail.html)));
}
