//! `locate`: what an element is, where it is, and whether it can be acted on.

use crate::{
    act::{self, Control},
    agent::AgentId,
    browser::Core,
    capture,
    failure::Failure,
    look, reply, scope,
    tab::Tab,
    tabs,
    target::{self, Care, Target},
};
use snapshot::{Ref, Tree, fingerprint, render, xpath};
use std::rc::Rc;
use tools::call::Locate;
use wire::Reply;

/// How many elements are described in full.
const MOST: usize = 10;

/// Carries out `locate`.
pub async fn locate(core: &Rc<Core>, agent: AgentId, arguments: Locate) -> Reply {
    let reference = arguments.reference.map(|name| Ref(name.0));
    let tab = match tabs::meant(core, agent, reference, arguments.tab) {
        Ok(tab) => tab,
        Err(failure) => return failure.reply(None),
    };
    let _turn = tabs::turn(core, &tab).await;
    match describe_all(core, agent, &tab, &arguments).await {
        Ok(reply) => reply,
        Err(failure) => failure.reply(Some(&tab.to_string())),
    }
}

async fn describe_all(
    core: &Rc<Core>,
    agent: AgentId,
    tab: &Rc<Tab>,
    arguments: &Locate,
) -> Result<Reply, Failure> {
    tabs::ready(core, agent, tab).await?;
    let tree = capture::capture(core, tab).await?;
    let (tree, refs, what) = if let Some(name) = arguments.reference {
        let reference = Ref(name.0);
        if tree.node_of(reference).is_none() {
            // The same words as an act on it would get.
            let found = target::find(core, agent, tab, reference, None, false, Care::Look).await?;
            (tree, vec![found.reference], found.reference.to_string())
        } else {
            (tree, vec![reference], reference.to_string())
        }
    } else {
        let (found, what) = if let Some(path) = &arguments.xpath {
            (scope::by_path(core, tab, &tree, path).await?, path.clone())
        } else if let Some(css) = &arguments.css {
            (scope::by_css(core, tab, &tree, css).await?, css.clone())
        } else if let Some(point) = arguments.point {
            (scope::by_point(core, tab, &tree, point).await?, format!("the point {},{}", point.x, point.y))
        } else {
            return Err(Failure::BadArgument("locate needs one of ref, xpath, css, point".into()));
        };
        let (tree, refs) = scope::name(core, tab, tree, &found);
        (tree, refs, what)
    };
    if refs.is_empty() {
        return Err(Failure::NotFound { what });
    }
    let mut text = format!("{} · {}", reply::heading(tab), count(refs.len()));
    for reference in refs.iter().take(MOST) {
        text.push('\n');
        text.push_str(&describe(core, tab, &tree, *reference).await?);
    }
    if refs.len() > MOST {
        text.push_str(&format!("\n… {} more: narrow the selector", refs.len() - MOST));
    }
    if let Some(view) = core.agents.borrow_mut().view(agent, tab.name) {
        for reference in refs.iter().take(MOST) {
            if let Some(print) = fingerprint::of(&tree, *reference) {
                view.shown.insert(*reference, print);
            }
        }
    }
    let mut reply = Reply::text(text);
    if look::is_shell(core, agent) {
        let nodes: Vec<_> = refs.iter().filter_map(|reference| tree.at(*reference)).collect();
        reply.json = Some(serde_json::json!({
            "tab": tab.to_string(),
            "url": crate::address::bare(tree.url()),
            "nodes": render::flat(&tree, &nodes),
        }));
    }
    Ok(reply)
}

fn count(found: usize) -> String {
    if found == 1 { "1 element".into() } else { format!("{found} elements") }
}

async fn describe(
    core: &Rc<Core>,
    tab: &Rc<Tab>,
    tree: &Rc<Tree>,
    reference: Ref,
) -> Result<String, Failure> {
    let Some(at) = tree.at(reference) else { return Err(Failure::WrongDocument { reference }) };
    let mut text = render::line(tree.node(at));
    if let Some(path) = xpath::of(tree, at) {
        text.push_str(&format!("\n  xpath {path}"));
    }
    if let Some(print) =
        fingerprint::of(tree, reference).and_then(|print| print.context.map(|c| c.to_string()))
    {
        text.push_str(&format!("\n  in {print}"));
    }
    let node = tree.node(at);
    if let Some(bounds) = tree.bounds(node) {
        let (x, y, width, height) = (bounds.x, bounds.y, bounds.width, bounds.height);
        text.push_str(&format!("\n  box {x},{y} {width}x{height} in its frame"));
    }
    let frames: Vec<_> = tree
        .ancestors(at)
        .filter(|outer| tree.node(*outer).role() == snapshot::Role::Iframe)
        .map(|outer| render::line(tree.node(outer)))
        .collect();
    for frame in frames.iter().rev() {
        text.push_str(&format!("\n  within {}", frame.trim()));
    }
    let target = target::target(core, tab, tree.clone(), reference, None)?;
    text.push_str(&format!("\n  {}", standing(&target).await?));
    Ok(text)
}

/// Whether it can be acted on, and why not.
///
/// # Errors
/// When the element or its document went.
pub async fn standing(target: &Target) -> Result<String, Failure> {
    let control = act::read(target).await?;
    let why = refusal(target, &control);
    let why = match why {
        Some(why) => Some(why),
        None => act::cover(target).await?,
    };
    Ok(match why {
        None => "can be acted on".into(),
        Some(why) => format!("cannot be acted on now: {why}"),
    })
}

fn refusal(target: &Target, control: &Control) -> Option<String> {
    if control.inert {
        return Some("it is inert".into());
    }
    if control.disabled {
        let by = control.disabled_by.as_ref().map(|by| act::named(target, Some(by), target.document));
        return Some(by.map_or_else(|| "it is disabled".into(), |by| format!("it is disabled by {by}")));
    }
    None
}
