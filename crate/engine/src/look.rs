//! `snapshot` and `diff`, and what a reply tells of the page after an act.

use crate::{
    act::Watch,
    agent::{AgentId, Base},
    browser::Core,
    capture,
    failure::Failure,
    read, reply, scope,
    settle::Settled,
    tab::Tab,
    tabs, wayside,
};
use snapshot::{
    Ref, Tree, diff as changes,
    diff::Counts,
    fingerprint,
    render::{self, Options, Rendered},
};
use std::rc::Rc;
use tools::{DiffMode, call};
use wire::{AgentKind, Content, Reply};

/// Tokens of a page when the agent does not say.
const PAGE_TOKENS: u32 = 6_000;

/// Tokens of a diff when the agent does not say.
const DIFF_TOKENS: u32 = 1_500;

/// How much a reply to an act tells.
#[derive(Default)]
pub struct Telling {
    /// Which changes.
    pub mode: DiffMode,
    /// The budget.
    pub max_tokens: Option<u32>,
    /// What came and went meanwhile, if it was watched.
    pub watch: Option<Watch>,
    /// The part of the page whose changes are told; all of it where none is named.
    pub scope: Option<Ref>,
}

/// Carries out `snapshot`.
pub async fn snapshot(core: &Rc<Core>, agent: AgentId, arguments: call::Snapshot) -> Reply {
    let tab = match scope::tab_of(core, agent, arguments.scope.as_deref(), arguments.tab) {
        Ok(tab) => tab,
        Err(failure) => return failure.reply(None),
    };
    let _turn = tabs::turn(core, &tab).await;
    let place = tab.to_string();
    let taken = async {
        let cursor = match &arguments.cursor {
            Some(text) => {
                Some(text.parse().map_err(|e| Failure::BadArgument(format!("cursor {text:?}: {e}")))?)
            }
            None => None,
        };
        tabs::ready(core, agent, &tab).await?;
        let tree = capture::capture(core, &tab).await?;
        let (tree, scoped) = match &arguments.scope {
            Some(text) => {
                let (tree, scoped) = scope::find(core, &tab, tree, text).await?;
                (tree, Some(scoped))
            }
            None => (tree, None),
        };
        Ok::<_, Failure>((tree, scoped, cursor))
    };
    let (tree, scoped, cursor) = match taken.await {
        Ok(taken) => taken,
        Err(failure) => return failure.reply(Some(&place)),
    };
    let options = Options {
        mode: match arguments.mode {
            call::Mode::Full => render::Mode::Full,
            call::Mode::Interactive => render::Mode::Interactive,
            call::Mode::Verbose => render::Mode::Verbose,
        },
        scope: scoped.as_ref().map(|scoped| scoped.reference),
        depth: arguments.depth,
        max_tokens: match (arguments.max_tokens, &arguments.path) {
            (Some(tokens), _) => Some(tokens as usize),
            (None, Some(_)) => None,
            (None, None) => Some(PAGE_TOKENS as usize),
        },
        cursor,
        links: arguments.links,
        told: core.agents.borrow_mut().view(agent, tab.name).map_or_else(Vec::new, |view| view.told.clone()),
    };
    let several = scoped.filter(|scoped| scoped.of > 1);
    let notes: Vec<_> =
        several.iter().map(|scoped| format!("the first of {} that match", scoped.of)).collect();
    let reply = show(core, agent, &tab, &tree, &options, &notes);
    if arguments.path.is_some() { read::to_file(reply) } else { reply }
}

/// The lines of a tree; those of the last time if neither the tree nor what is asked of it is another.
fn rendered(tab: &Tab, tree: &Rc<Tree>, options: &Options) -> Rc<Rendered> {
    let last = tab.state.borrow().rendered.clone();
    if let Some(last) = last.filter(|last| last.is_of(tree) && last.options == *options) {
        return last.lines;
    }
    let lines = Rc::new(render::page(tree, options));
    let (tree, options) = (tree.clone(), options.clone());
    tab.state.borrow_mut().rendered = Some(LastRendered { tree, options, lines: lines.clone() });
    lines
}

/// What was rendered last of a tab.
#[derive(Debug, Clone)]
pub struct LastRendered {
    tree: Rc<Tree>,
    options: Options,
    lines: Rc<Rendered>,
}

impl LastRendered {
    /// Whether it is of that tree.
    pub fn is_of(&self, tree: &Rc<Tree>) -> bool {
        Rc::ptr_eq(&self.tree, tree)
    }
}

/// Renders a tree and records what was shown.
fn show(
    core: &Rc<Core>,
    agent: AgentId,
    tab: &Rc<Tab>,
    tree: &Rc<Tree>,
    options: &Options,
    notes: &[String],
) -> Reply {
    let rendered = rendered(tab, tree, options);
    let mut head = format!("{} · {}", reply::heading(tab), rendered.extent());
    if let Some(scoped) = options.scope {
        head.push_str(&format!(" in {scoped}"));
    }
    if tab.state.borrow().torn {
        head.push_str(" · its frames kept changing while it was read");
    }
    if tab.state.borrow().known.values().any(|known| !known.filled) {
        head.push_str(" · not all of its closed parts could be asked for yet: look again");
    }
    for note in notes {
        head.push_str(" · ");
        head.push_str(note);
    }
    // What a cursor goes on with is a part: what changed elsewhere is yet to be told.
    let whole = options.scope.is_none() && options.cursor.is_none();
    record(core, agent, tab, tree, &rendered.shown_refs, whole);
    let mut reply = Reply::text(format!("{head}\n{}", rendered.text.trim_end()));
    if is_shell(core, agent) {
        reply.json = Some(serde_json::json!({
            "tab": tab.to_string(),
            "title": tree.title(),
            "url": crate::address::bare(tree.url()),
            "page_state": changes::page_state(tree),
            "nodes": render::json(tree, options.scope),
        }));
    }
    reply
}

pub fn is_shell(core: &Core, agent: AgentId) -> bool {
    core.agents.borrow().all.get(&agent).is_some_and(|agent| agent.kind == AgentKind::Shell)
}

/// What an agent was shown becomes the base of its next diff and of the identity check.
pub fn record(core: &Core, agent: AgentId, tab: &Tab, tree: &Rc<Tree>, shown: &[Ref], whole: bool) {
    let mut agents = core.agents.borrow_mut();
    let Some(view) = agents.view(agent, tab.name) else { return };
    let is_base = matches!(&view.base, Base::Tree(base) if Rc::ptr_eq(base, tree));
    if whole && !is_base {
        view.base = Base::Tree(tree.clone());
        // Refs that are gone are dropped, those that may come back (bfcache) are not of this tree's documents.
        let documents: Vec<_> =
            tree.page().frames.iter().filter_map(|f| f.content.as_ref().ok()).map(|f| f.document()).collect();
        let refs = core.refs.borrow();
        view.shown.retain(|reference| {
            tree.node_of(reference).is_some()
                || refs.lookup(reference).is_some_and(|(document, _)| {
                    documents.contains(&document) || core.documents.borrow().contains_key(&document)
                })
        });
    }
    for reference in shown {
        if let Some(print) = fingerprint::of(tree, *reference) {
            view.shown.insert(*reference, print);
        }
    }
}

/// After all that changed was told, nothing stands for anything else by surprise.
fn all_is_told(core: &Core, agent: AgentId, tab: &Tab, tree: &Tree) {
    let mut agents = core.agents.borrow_mut();
    let Some(view) = agents.view(agent, tab.name) else { return };
    view.shown.renew(|reference| fingerprint::of(tree, reference));
}

/// The page as it is now, as the reply to a navigation.
pub async fn page(
    core: &Rc<Core>,
    agent: AgentId,
    tab: &Rc<Tab>,
    max_tokens: Option<u32>,
    notes: &[String],
) -> Reply {
    let taken = async {
        tabs::ready(core, agent, tab).await?;
        capture::capture(core, tab).await
    };
    match taken.await {
        Ok(tree) => {
            let max_tokens = Some(max_tokens.unwrap_or(PAGE_TOKENS) as usize);
            show(core, agent, tab, &tree, &Options { max_tokens, ..Options::default() }, notes)
        }
        Err(failure) => failure.reply(Some(&tab.to_string())),
    }
}

/// Carries out `diff`.
pub async fn diff(core: &Rc<Core>, agent: AgentId, arguments: call::Diff) -> Reply {
    let reference = arguments.scope.map(|name| Ref(name.0));
    let tab = match tabs::meant(core, agent, reference, arguments.tab) {
        Ok(tab) => tab,
        Err(failure) => return failure.reply(None),
    };
    let _turn = tabs::turn(core, &tab).await;
    let taken = async {
        tabs::ready(core, agent, &tab).await?;
        capture::capture(core, &tab).await
    };
    let tree = match taken.await {
        Ok(tree) => tree,
        Err(failure) => return failure.reply(Some(&tab.to_string())),
    };
    let head = format!("{} · changes since you were last shown it", reply::heading(&tab));
    let telling = Telling { max_tokens: arguments.max_tokens, scope: reference, ..Telling::default() };
    compare(core, agent, &tab, &tree, &head, &telling)
}

/// The reply to something that was done: its head, what matters besides, and what changed.
pub async fn told(
    core: &Rc<Core>,
    agent: AgentId,
    tab: &Rc<Tab>,
    mut head: String,
    settled: Settled,
    telling: Telling,
) -> Reply {
    let popups = std::mem::take(&mut tab.state.borrow_mut().popups);
    for popup in popups {
        head.push_str(&format!(" · new tab t{}", popup.0));
    }
    head.push_str(&wayside::told(tab));
    for news in tab.state.borrow_mut().downloads.news() {
        head.push_str(&format!(" · {news}"));
    }
    if let Some(busy) = settled.busy {
        head.push_str(&format!(" · still busy: {busy}"));
    }
    if let Some(prompt) = settled.dialog {
        let described = crate::dialog::describe(&prompt);
        head.push_str(&format!(
            " · a dialog opened: {described}\nnext: dialog action=accept or action=dismiss"
        ));
        return Reply::text(head);
    }
    if telling.mode == DiffMode::None {
        return Reply::text(head);
    }
    let taken = async {
        tabs::ready_at_once(core, agent, tab).await?;
        capture::capture(core, tab).await
    };
    let taken = taken.await;
    // Asked for after the page was read: what is in neither came between.
    if let Some(watch) = &telling.watch {
        for passed in watch.end().await {
            head.push_str(&format!(" · came and went: {passed}"));
        }
    }
    match taken {
        Ok(tree) => compare(core, agent, tab, &tree, &head, &telling),
        // The act is done all the same: that the page cannot be told is a remark, not its failure.
        Err(failure) => {
            Reply::text(format!("{head} · the page cannot be told: {failure}\nnext: {}", failure.next()))
        }
    }
}

/// The reply that tells what changed; on the shell's `--json` with a token that is the same when nothing did.
fn compare(
    core: &Rc<Core>,
    agent: AgentId,
    tab: &Rc<Tab>,
    tree: &Rc<Tree>,
    head: &str,
    telling: &Telling,
) -> Reply {
    let mut reply = changed(core, agent, tab, tree, head, telling);
    if reply.json.is_none() && is_shell(core, agent) {
        reply.json = Some(serde_json::json!({
            "content": reply.content,
            "is_error": reply.is_error,
            "tab": tab.to_string(),
            "title": tree.title(),
            "url": crate::address::bare(tree.url()),
            "page_state": changes::page_state(tree),
        }));
    }
    reply
}

fn changed(
    core: &Rc<Core>,
    agent: AgentId,
    tab: &Rc<Tab>,
    tree: &Rc<Tree>,
    head: &str,
    telling: &Telling,
) -> Reply {
    let scope = telling.scope;
    let page = |note: String| {
        let max_tokens = Some(telling.max_tokens.unwrap_or(PAGE_TOKENS) as usize);
        let page = show(core, agent, tab, tree, &Options { max_tokens, ..Options::default() }, &[]);
        let text = format!("{head} · {note}\n{}", page.joined_text());
        Reply { content: vec![Content::Text { text }], ..page }
    };
    let base = match core.agents.borrow_mut().view(agent, tab.name).map(|view| &view.base) {
        Some(Base::Tree(base)) => Ok(base.clone()),
        Some(Base::Left) => Err(match tab.state.borrow().commit.status.filter(|status| *status >= 400) {
            Some(status) => format!("another page now · status {status}"),
            None => "another page now".into(),
        }),
        Some(Base::Lost) | None => Err("what you were shown before is lost; the page now".into()),
    };
    let base = match base {
        Ok(base) => base,
        Err(note) => return page(note),
    };
    if telling.mode == DiffMode::Page {
        return page("the page now".into());
    }
    let diff = changes::diff(&base, tree);
    let diff = match scope {
        Some(scope) => tree.at(scope).map_or_else(|| diff.clone(), |at| diff.within(tree, at)),
        None => diff,
    };
    let budget = telling.max_tokens.unwrap_or(DIFF_TOKENS) as usize;
    let rendered = render::diff(&diff, tree, budget);
    if rendered.total == 0 {
        record(core, agent, tab, tree, &[], scope.is_none());
        return Reply::text(format!("{head}\npage unchanged"));
    }
    if telling.mode == DiffMode::Summary {
        // What was not told stays for the next diff.
        let Counts { added, removed, changed, moved } = diff.counts();
        return Reply::text(format!(
            "{head}\n{added} added, {removed} removed, {changed} changed, {moved} moved"
        ));
    }
    record(core, agent, tab, tree, &rendered.shown_refs, scope.is_none());
    if scope.is_none() && rendered.shown == rendered.total {
        all_is_told(core, agent, tab, tree);
    }
    if let Some(view) = core.agents.borrow_mut().view(agent, tab.name) {
        view.told = rendered.shown_refs;
    }
    Reply::text(format!("{head}\n{}", rendered.text.trim_end()))
}
