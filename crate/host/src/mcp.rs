//! The MCP server: the tool table over stdio. Content blocks only: several clients would show the model nothing
//! but the structured part. Failures of tools are results, so that the model reads them.

use crate::{
    client::{Client, Identity},
    descriptor::random_word,
    trouble::Trouble,
};
use rmcp::{
    ErrorData, RoleServer, ServerHandler, ServiceExt,
    model::{
        CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, Implementation, JsonObject,
        ListToolsResult, PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool, ToolAnnotations,
    },
    service::RequestContext,
    transport::io::stdio,
};
use serde_json::Value;
use std::sync::Arc;
use wire::{AgentKey, AgentKind, Content, Reply};

/// What the tools spend at most when `max_tokens` is absent (an act that leads to another page tells that page): only
/// below it does the server's own limit matter.
const DEFAULT_TOKENS: [(&str, u32); 5] =
    [("navigate", 6000), ("snapshot", 6000), ("read", 6000), ("act", 6000), ("diff", 6000)];

/// Serves one client until its stdin ends.
pub async fn run(max_tokens: Option<u32>, label: Option<String>) -> Result<(), Trouble> {
    let server = Server { client: Client::new()?, key: AgentKey(random_word()?), label, max_tokens };
    let running = match server.serve(stdio()).await {
        Ok(running) => running,
        // A client that goes before it said anything is no failure.
        Err(rmcp::service::ServerInitializeError::ConnectionClosed(_)) => {
            return Ok(());
        }
        Err(error) => return Err(Trouble::Mcp(error.to_string())),
    };
    running.waiting().await.map_err(|error| Trouble::Mcp(error.to_string()))?;
    Ok(())
}

struct Server {
    client: Client,
    key: AgentKey,
    label: Option<String>,
    max_tokens: Option<u32>,
}

impl Server {
    fn identity(&self, context: &RequestContext<RoleServer>) -> Identity {
        let label = self.label.clone().or_else(|| context.client_info().map(|client| client.name));
        let label = label.unwrap_or_else(|| "an MCP client".to_owned());
        Identity { key: self.key.clone(), label, kind: AgentKind::Mcp }
    }
}

/// Keeps a call within what the client can show.
fn bounded(limit: Option<u32>, tool: &str, mut arguments: JsonObject) -> JsonObject {
    let default = DEFAULT_TOKENS.iter().find(|(name, _)| *name == tool).map(|(_, tokens)| *tokens);
    // What goes to a file the client does not show.
    let to_file = arguments.get("path").is_some_and(|path| !path.is_null());
    if let (Some(limit), Some(default), false) = (limit, default, to_file) {
        let given = arguments.get("max_tokens").filter(|given| !given.is_null());
        let too_many = match given {
            Some(given) => given.as_u64().is_some_and(|given| given > u64::from(limit)),
            None => default > limit,
        };
        if too_many {
            arguments.insert("max_tokens".to_owned(), limit.into());
        }
    }
    arguments
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let server = Implementation::new("tabwright", env!("CARGO_PKG_VERSION")).with_title("Tabwright");
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(server)
            .with_instructions(tools::INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(tools::table().iter().map(listed).collect()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let arguments = bounded(self.max_tokens, &request.name, request.arguments.unwrap_or_default());
        let who = self.identity(&context);
        let reply = self.client.call(&who, &request.name, Value::Object(arguments), context.ct.clone()).await;
        Ok(result(reply).into())
    }
}

fn listed(tool: &tools::Tool) -> Tool {
    let hints = tool.annotations;
    let mut annotations = ToolAnnotations::new().read_only(hints.read_only);
    if !hints.open_world {
        // That a tool reaches sites is what MCP takes for granted.
        annotations = annotations.open_world(false);
    }
    if !hints.read_only {
        // Of what only reads they say nothing, and cost an agent tokens.
        annotations = annotations.destructive(hints.destructive).idempotent(hints.idempotent);
    }
    Tool::new(tool.name, tool.description, Arc::new(tool.schema()))
        .with_title(tool.title)
        .with_annotations(annotations)
}

fn result(reply: Reply) -> CallToolResult {
    let blocks = reply.content.into_iter().map(|block| match block {
        Content::Text { text } => ContentBlock::text(text),
        Content::Image { data, mime } => ContentBlock::image(data, mime),
    });
    if reply.is_error {
        CallToolResult::error(blocks.collect())
    } else {
        CallToolResult::success(blocks.collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn tokens(limit: Option<u32>, tool: &str, arguments: Value) -> Value {
        let Value::Object(arguments) = arguments else { return arguments };
        bounded(limit, tool, arguments).remove("max_tokens").unwrap_or_default()
    }

    #[test]
    fn replies_are_kept_within_what_the_client_shows() {
        assert_eq!(tokens(None, "snapshot", json!({})), json!(null));
        assert_eq!(tokens(Some(2000), "snapshot", json!({})), 2000);
        assert_eq!(tokens(Some(2000), "snapshot", json!({"max_tokens": null})), 2000);
        assert_eq!(tokens(Some(2000), "snapshot", json!({"max_tokens": 9000})), 2000);
        assert_eq!(tokens(Some(2000), "snapshot", json!({"max_tokens": 900})), 900);
        assert_eq!(tokens(Some(2000), "act", json!({})), 2000, "an act may lead to another page");
        assert_eq!(tokens(Some(9000), "act", json!({})), json!(null), "less is spent anyway");
        assert_eq!(tokens(Some(2000), "read", json!({"path": "x"})), json!(null), "a file has no limit");
        assert_eq!(tokens(Some(2000), "tabs", json!({})), json!(null), "it takes no such argument");
    }
}
