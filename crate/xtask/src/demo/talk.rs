//! A conversation between an agent and its browser, shown as it happens: each call, its reply, its time and its
//! size. What the agent may use later is only what it read here.

use anyhow::{Result, bail};
use serde_json::{Value, json};
use std::{
    io::IsTerminal as _,
    time::{Duration, Instant},
};
use tests::{
    client::{Agent, Reply},
    outline::Outline,
};

/// The conversation.
pub struct Talk {
    agent: Agent,
    /// What the replies so far have shown.
    pub outline: Outline,
    start: Instant,
    calls: usize,
    waited: Duration,
    tokens: usize,
}

impl Talk {
    /// Begins one.
    pub fn new(agent: Agent) -> Self {
        let (outline, start) = (Outline::default(), Instant::now());
        Self { agent, outline, start, calls: 0, waited: Duration::ZERO, tokens: 0 }
    }

    /// Calls a tool and reads the reply; a failed one ends the story.
    pub async fn call(&mut self, tool: &str, arguments: Value) -> Result<Reply> {
        println!("\n{}", emphasised(&format!("{tool} {arguments}")));
        let reply = self.agent.call(tool, arguments).await?;
        for line in reply.text.lines() {
            println!("  {line}");
        }
        let tokens = reply.tokens();
        println!("  {}", quiet(&format!("{} ms, {tokens} tokens", reply.elapsed.as_millis())));
        self.calls += 1;
        self.waited += reply.elapsed;
        self.tokens += tokens;
        if reply.is_error {
            bail!("{tool} failed: {}", reply.text.lines().next().unwrap_or_default());
        }
        self.outline.read(&reply.text);
        Ok(reply)
    }

    /// Calls `act` with a kind and more arguments.
    pub async fn act(&mut self, kind: &str, more: Value) -> Result<Reply> {
        let mut arguments = json!({ "kind": kind });
        if let (Some(all), Value::Object(more)) = (arguments.as_object_mut(), more) {
            all.extend(more);
        }
        self.call("act", arguments).await
    }

    /// The ref of what has this role and name.
    pub fn reference(&self, role: &str, name: &str) -> Result<String> {
        Ok(self.outline.find(role, name)?.reference.clone())
    }

    /// What it cost.
    pub fn sum(&self) -> String {
        format!(
            "{} calls, {} tokens, {:.1} s waiting for replies, {:.1} s in all",
            self.calls,
            self.tokens,
            self.waited.as_secs_f32(),
            self.start.elapsed().as_secs_f32()
        )
    }

    /// Ends it.
    pub async fn close(self) -> Result<()> {
        self.agent.close().await
    }
}

fn emphasised(text: &str) -> String {
    styled(text, "1")
}

fn quiet(text: &str) -> String {
    styled(text, "2")
}

fn styled(text: &str, style: &str) -> String {
    if std::io::stdout().is_terminal() { format!("\x1b[{style}m{text}\x1b[0m") } else { text.to_owned() }
}
