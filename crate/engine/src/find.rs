//! `find`: the lines of a page that match, without the rest. What it finds counts as shown.

use crate::{agent::AgentId, browser::Core, capture, failure::Failure, look, reply, tab::Tab, tabs};
use regex_lite::{Regex, RegexBuilder};
use snapshot::{Role, Tree, query, render};
use std::rc::Rc;
use tools::call::Find;
use wire::Reply;

/// Matches shown when the agent does not say.
const USUAL: u32 = 20;

/// Matches shown at most.
const MOST: u32 = 200;

/// A pattern's program may be so large, in bytes.
const LARGEST: usize = 1 << 20;

/// What is looked for in a text.
enum Wanted {
    Anything,
    Words(String),
    Pattern(Regex),
}

impl Wanted {
    fn holds(&self, text: &str) -> bool {
        match self {
            Self::Anything => true,
            Self::Words(words) => text.to_lowercase().contains(words),
            Self::Pattern(pattern) => pattern.is_match(text),
        }
    }

    /// Where in a text it begins, in bytes.
    fn spot(&self, text: &str) -> Option<usize> {
        match self {
            Self::Words(words) => {
                let (mut lower, mut origins) = (String::new(), Vec::new());
                for (at, sign) in text.char_indices() {
                    lower.extend(sign.to_lowercase());
                    origins.resize(lower.len(), at);
                }
                origins.get(lower.find(words.as_str())?).copied()
            }
            Self::Anything => None,
            Self::Pattern(pattern) => pattern.find(text).map(|found| found.start()),
        }
    }
}

/// Carries out `find`.
pub async fn find(core: &Rc<Core>, agent: AgentId, arguments: Find) -> Reply {
    let tab = match tabs::choose(core, agent, arguments.tab) {
        Ok(tab) => tab,
        Err(failure) => return failure.reply(None),
    };
    let _turn = tabs::turn(core, &tab).await;
    match search(core, agent, &tab, &arguments).await {
        Ok(reply) => reply,
        Err(failure) => failure.reply(Some(&tab.to_string())),
    }
}

async fn search(core: &Rc<Core>, agent: AgentId, tab: &Rc<Tab>, arguments: &Find) -> Result<Reply, Failure> {
    let (wanted, role) = (wanted(arguments)?, role(arguments)?);
    tabs::ready(core, agent, tab).await?;
    let tree = capture::capture(core, tab).await?;
    let matching = query::matching(&tree, role, &|text| wanted.holds(text));
    let limit = arguments.limit.unwrap_or(USUAL).clamp(1, MOST) as usize;
    let shown = &matching[..matching.len().min(limit)];
    let found = render::found(&tree, shown, &|text| wanted.spot(text));
    let mut text = format!("{} · {}", reply::heading(tab), extent(matching.len(), shown.len(), arguments));
    for note in notes(&tree) {
        text.push_str(" · ");
        text.push_str(&note);
    }
    look::record(core, agent, tab, &tree, &found.shown_refs, false);
    let mut reply = Reply::text(format!("{text}\n{}", found.text).trim_end());
    if look::is_shell(core, agent) {
        reply.json = Some(serde_json::json!({
            "tab": tab.to_string(),
            "matches": matching.len(),
            "nodes": render::flat(&tree, shown),
        }));
    }
    Ok(reply)
}

fn wanted(arguments: &Find) -> Result<Wanted, Failure> {
    if let Some(pattern) = &arguments.pattern {
        let built = RegexBuilder::new(pattern).size_limit(LARGEST).build();
        return built
            .map(Wanted::Pattern)
            .map_err(|why| Failure::BadArgument(format!("the pattern {pattern:?} does not read: {why}")));
    }
    Ok(match &arguments.text {
        Some(text) => Wanted::Words(text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()),
        None => Wanted::Anything,
    })
}

fn role(arguments: &Find) -> Result<Option<Role>, Failure> {
    let read = |word: &String| query::role(word).map_err(|why| Failure::BadArgument(why.to_string()));
    arguments.role.as_ref().map(read).transpose()
}

fn extent(matching: usize, shown: usize, arguments: &Find) -> String {
    let words = arguments.pattern.as_ref().or(arguments.text.as_ref());
    let sought = match (&arguments.role, words) {
        (Some(role), Some(words)) => format!("{role} with {}", reply::quoted(words)),
        (Some(role), None) => role.clone(),
        (None, Some(words)) => reply::quoted(words),
        (None, None) => "that".into(),
    };
    match matching {
        0 => format!("nothing matches {sought}"),
        1 => "1 match".into(),
        all if all == shown => format!("{all} matches"),
        all => format!("the first {shown} of {all} matches; narrow it, or give limit"),
    }
}

/// What could not be searched.
fn notes(tree: &Tree) -> Vec<String> {
    let mut notes = render::partial(tree);
    let unread = tree.page().frames.iter().filter(|frame| frame.content.is_err()).count();
    match unread {
        0 => {}
        1 => notes.push("one frame could not be read".into()),
        many => notes.push(format!("{many} frames could not be read")),
    }
    notes
}
