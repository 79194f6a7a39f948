//! An agent: an MCP client over stdio that starts `tabwright mcp` as agents do, or another server to compare it with.
//! It adds to each reply what it cost in time and in tokens, and has no other way to the browser.

use anyhow::{Context as _, Result, bail};
use base64::{Engine as _, prelude::BASE64_STANDARD};
use rmcp::{
    RoleClient, ServiceExt as _,
    model::{CallToolRequestParams, ClientConfig, Implementation, Tool},
    service::RunningService,
    transport::TokioChildProcess,
};
use serde_json::Value;
use std::{
    path::Path,
    process::Stdio,
    time::{Duration, Instant},
};
use tokio::process::Command;

/// No call may run longer than 50 s; what is still open a while later hangs.
const PATIENCE: Duration = Duration::from_secs(65);

/// What a tool answered.
#[derive(Debug, Clone)]
pub struct Reply {
    /// All text blocks.
    pub text: String,
    /// All pictures: their type and their bytes.
    pub pictures: Vec<(String, Vec<u8>)>,
    /// Whether the tool says it failed.
    pub is_error: bool,
    /// From the request to the reply.
    pub elapsed: Duration,
}

impl Reply {
    /// The size of the text in tokens of `o200k_base`.
    pub fn tokens(&self) -> usize {
        tokens(&self.text)
    }
}

/// The size of a text in tokens of `o200k_base`.
pub fn tokens(text: &str) -> usize {
    tiktoken_rs::o200k_base_singleton().count_ordinary(text)
}

/// One agent with its connection.
pub struct Agent {
    service: RunningService<RoleClient, ClientConfig>,
    process: Option<u32>,
}

impl Agent {
    /// Starts `tabwright mcp` and shakes hands. `runtime` is the folder where the browser's host is met.
    pub async fn connect(host: &Path, runtime: &Path, name: &str) -> Result<Self> {
        let mut command = Command::new(host);
        command.arg("mcp").env("TABWRIGHT_RUNTIME_DIR", runtime);
        Self::start(command, Stdio::inherit(), name).await
    }

    /// Starts any MCP server and shakes hands. What it complains of goes to `complaints`.
    pub async fn start(mut command: Command, complaints: Stdio, name: &str) -> Result<Self> {
        let program = Path::new(command.as_std().get_program()).file_name().unwrap_or_default();
        let program = program.to_string_lossy().into_owned();
        command.kill_on_drop(true);
        let (transport, _) = TokioChildProcess::builder(command)
            .stderr(complaints)
            .spawn()
            .with_context(|| format!("`{program}` could not be started"))?;
        let process = transport.id();
        let mut config = ClientConfig::default();
        config.client_info = Implementation::new(name, env!("CARGO_PKG_VERSION"));
        let service = tokio::time::timeout(PATIENCE, config.serve(transport))
            .await
            .with_context(|| format!("`{program}` does not shake hands"))?
            .with_context(|| format!("`{program}` broke off the handshake"))?;
        Ok(Self { service, process })
    }

    /// The number of the server's process.
    pub fn process(&self) -> Option<u32> {
        self.process
    }

    /// Calls a tool. `Err` when there is no answer at all; a tool that fails answers with `is_error`.
    pub async fn call(&self, tool: &str, arguments: Value) -> Result<Reply> {
        let Value::Object(arguments) = arguments else {
            bail!("the arguments of {tool} are no object: {arguments}");
        };
        let params = CallToolRequestParams::new(tool.to_owned()).with_arguments(arguments);
        let start = Instant::now();
        let result = tokio::time::timeout(PATIENCE, self.service.call_tool(params))
            .await
            .with_context(|| format!("{tool} hangs: no reply within {} s", PATIENCE.as_secs()))?
            .with_context(|| format!("{tool} was not answered"))?;
        let elapsed = start.elapsed();
        let texts: Vec<&str> = result
            .content
            .iter()
            .filter_map(|block| block.as_text())
            .map(|block| block.text.as_str())
            .collect();
        let pictures = result.content.iter().filter_map(|block| block.as_image());
        let pictures = pictures
            .map(|image| Ok((image.mime_type.clone(), BASE64_STANDARD.decode(&image.data)?)))
            .collect::<Result<_>>()?;
        Ok(Reply { text: texts.join("\n"), pictures, is_error: result.is_error.unwrap_or(false), elapsed })
    }

    /// The tools on offer.
    pub async fn tools(&self) -> Result<Vec<Tool>> {
        Ok(self.service.list_all_tools().await?)
    }

    /// Says goodbye: `tabwright mcp` ends.
    pub async fn close(self) -> Result<()> {
        self.service.cancel().await?;
        Ok(())
    }
}
