//! `read`: the content of a page between two lines that nothing in it can forge, or in a file. A content is read anew
//! each time: a cursor is a place in it, and a page that changed meanwhile may repeat or skip a little.

use crate::{agent::AgentId, browser::Core, capture, failure::Failure, look, reply, scope, tab::Tab, tabs};
use snapshot::{
    Tree,
    read::{self as content, Content, Form},
};
use std::rc::Rc;
use tools::call::{Format, Read};
use wire::{Content as Block, Reply, Save};

/// Tokens when the agent does not say.
const TOKENS: u32 = 6_000;

/// Carries out `read`.
pub async fn read(core: &Rc<Core>, agent: AgentId, arguments: Read) -> Reply {
    let tab = match scope::tab_of(core, agent, arguments.scope.as_deref(), arguments.tab) {
        Ok(tab) => tab,
        Err(failure) => return failure.reply(None),
    };
    let _turn = tabs::turn(core, &tab).await;
    match read_tab(core, agent, &tab, &arguments).await {
        Ok(reply) => reply,
        Err(failure) => failure.reply(Some(&tab.to_string())),
    }
}

async fn read_tab(
    core: &Rc<Core>,
    agent: AgentId,
    tab: &Rc<Tab>,
    arguments: &Read,
) -> Result<Reply, Failure> {
    tabs::ready(core, agent, tab).await?;
    let tree = capture::capture(core, tab).await?;
    let (tree, scoped) = match &arguments.scope {
        Some(text) => {
            let (tree, scoped) = scope::find(core, tab, tree, text).await?;
            (tree, Some(scoped))
        }
        None => (tree, None),
    };
    let read = content::read(&tree, scoped.as_ref().map(|scoped| scoped.reference), form(arguments.format));
    let budget = match (arguments.max_tokens, &arguments.path) {
        (Some(tokens), _) => tokens as usize,
        (None, Some(_)) => usize::MAX,
        (None, None) => TOKENS as usize,
    };
    let start = arguments.cursor.unwrap_or(0) as usize;
    if start > 0 && start >= read.text.len() {
        let what = format!("the cursor {start} is past the end of the content ({})", read.text.len());
        return Err(Failure::BadArgument(what));
    }
    let part = content::cut(&read.text, start, budget);
    let mut head = format!("{} · {}", reply::heading(tab), what(&read, arguments.format));
    if read.text.is_empty() {
        head.push_str(": nothing");
    } else if part.start == 0 && part.end == read.text.len() {
        head.push_str(", all of it");
    } else {
        head.push_str(&format!(", bytes {}-{} of {}", part.start, part.end, read.text.len()));
        if part.end < read.text.len() {
            head.push_str(&format!("; next: cursor={}", part.end));
        }
    }
    if let Some(scoped) = scoped.filter(|scoped| scoped.of > 1) {
        head.push_str(&format!(" · the first of {} that match", scoped.of));
    }
    let unread = tree.page().frames.iter().filter(|frame| frame.content.is_err()).count();
    if unread > 0 {
        head.push_str(&format!(" · frames that could not be read: {unread}"));
    }
    if arguments.path.is_some() {
        return Ok(to_file(Reply::text(format!("{head}\n{}", part.text))));
    }
    let mut reply = Reply::text(if part.text.is_empty() { head } else { fenced(&head, part.text, &tree) });
    if look::is_shell(core, agent) {
        let next = (part.end < read.text.len()).then_some(part.end);
        reply.json = Some(serde_json::json!({
            "tab": tab.to_string(), "url": crate::address::bare(tree.url()), "content": part.text, "next": next,
        }));
    }
    Ok(reply)
}

fn form(format: Format) -> Form {
    match format {
        Format::Markdown => Form::Markdown,
        Format::Text => Form::Text,
        Format::Links => Form::Links,
        Format::Csv => Form::Csv,
    }
}

fn what(read: &Content, format: Format) -> String {
    let of = read.part;
    match (format, read.count) {
        (Format::Markdown, _) => format!("{of} as markdown"),
        (Format::Text, _) => format!("{of} as text"),
        (Format::Links, 1) => format!("1 link of {of}"),
        (Format::Links, count) => format!("{count} links of {of}"),
        (Format::Csv, 1) => format!("1 table of {of} as csv"),
        (Format::Csv, count) => format!("{count} tables of {of} as csv"),
    }
}

/// The content between two lines with a word that it does not hold.
fn fenced(head: &str, text: &str, tree: &Tree) -> String {
    let word = content::fence(text);
    let origin = origin(tree.url());
    let end = if text.ends_with('\n') { "" } else { "\n" };
    format!("{head}\n--- content {word} of {origin}\n{text}{end}--- end {word}")
}

/// Scheme, host and port; of an address that has none, its scheme.
fn origin(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once(':') else { return reply::address(url) };
    match rest.strip_prefix("//") {
        Some(rest) => {
            let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
            reply::address(&format!("{scheme}://{}", &rest[..end]))
        }
        None => reply::address(&format!("{scheme}:")),
    }
}

/// All but the first line goes to the file that the call named; the agent's own process writes it.
pub fn to_file(reply: Reply) -> Reply {
    if reply.is_error {
        return reply;
    }
    let whole = reply.joined_text();
    let (head, rest) = whole.split_once('\n').unwrap_or((&whole, ""));
    let end = if rest.is_empty() || rest.ends_with('\n') { "" } else { "\n" };
    let save = Some(Save::Text { text: format!("{rest}{end}") });
    Reply { content: vec![Block::Text { text: head.to_owned() }], save, ..reply }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn origins_end_where_the_path_begins() {
        assert_eq!(origin("https://a.example:8/x?y"), "https://a.example:8");
        assert_eq!(origin("about:blank"), "about:");
    }

    #[test]
    fn the_first_line_stays_and_the_rest_is_saved() {
        let reply = to_file(Reply::text("t1 \"X\" · all 2 lines\na\nb"));
        assert_eq!(reply.joined_text(), "t1 \"X\" · all 2 lines");
        assert_eq!(reply.save, Some(Save::Text { text: "a\nb\n".into() }));
    }
}
