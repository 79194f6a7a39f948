//! The tools on the shell: one call, its text (or JSON) on stdout, and whether it succeeded.

use crate::client::{Client, Identity};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;
use wire::{AgentKey, AgentKind, Content, Reply};

/// Calls a tool as the named agent. Gives what to print, and whether it succeeded.
pub async fn call(agent: &str, tool: &str, arguments: Value, as_json: bool) -> (String, bool) {
    let who = Identity { key: AgentKey(agent.to_owned()), label: agent.to_owned(), kind: AgentKind::Shell };
    let cancel = CancellationToken::new();
    let client = match Client::new() {
        Ok(client) => client,
        Err(trouble) => return (as_text(&trouble.reply()), false),
    };
    let calling = client.call(&who, tool, arguments, cancel.clone());
    tokio::pin!(calling);
    let reply = tokio::select! {
        reply = &mut calling => reply,
        _ = tokio::signal::ctrl_c() => {
            cancel.cancel();
            calling.await
        }
    };
    let succeeded = !reply.is_error;
    let shown = if as_json { as_one_json(reply) } else { as_text(&reply) };
    (shown, succeeded)
}

fn as_text(reply: &Reply) -> String {
    let blocks = reply.content.iter().map(|block| match block {
        Content::Text { text } => text.clone(),
        Content::Image { data, mime } => format!("[{mime}, {} bytes; --json has it]", data.len() / 4 * 3),
    });
    blocks.collect::<Vec<_>>().join("\n")
}

fn as_one_json(reply: Reply) -> String {
    let Reply { content, is_error, json, save: _ } = reply;
    json.unwrap_or_else(|| json!({ "content": content, "is_error": is_error })).to_string()
}
