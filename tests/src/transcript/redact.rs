//! Takes out of a recording what belongs to one machine or one run, or is only long: ports, paths, random words,
//! the page scripts' text, the heads of requests. Inputs and outputs are changed alike, so that a replay still holds.

use super::port;
use anyhow::{Context as _, Result, bail};
use engine::{Answer, Input, Instant};
use serde_json::Value;
use std::fmt::Write as _;
use wire::ToWorker;

/// Stands for the scripts of the isolated world.
pub const PLACEHOLDER: &str = "/* the page scripts */";

/// The port that every server has in a transcript.
const PORT: u16 = 8000;

/// What the browser tells of requests that no one here reads: long, and full of what one machine is.
const NOT_READ: &[&str] = &[
    "associatedCookies",
    "headers",
    "headersText",
    "initiator",
    "protocol",
    "remoteIPAddress",
    "remotePort",
    "requestHeaders",
    "securityDetails",
    "timing",
    "wallTime",
];

/// Numbers of requests begin somewhere above this.
const RANDOM: u64 = 1 << 32;

/// Of what the browser counts, what is read.
const COUNTED: &[&str] = &["RecalcStyleCount", "LayoutCount", "JSEventListeners"];

/// A recording as it is kept: times from 0, nothing of this machine in it. `port` is the site's.
pub fn redact(recorded: &str, port: u16) -> Result<String> {
    let mut lines = Vec::new();
    for line in recorded.lines() {
        lines.push(match line.strip_prefix("< ") {
            None => Recorded::Out(line),
            Some(rest) => {
                let (time, json) = rest.split_once(' ').context("an input without its time")?;
                Recorded::In(Instant(time.parse()?), serde_json::from_str(json)?)
            }
        });
    }
    let words = Words::of(&lines, port)?;
    let mut redacted = String::new();
    let mut zero = None;
    for line in lines {
        match line {
            Recorded::Out(text) => redacted.push_str(&words.replaced(text)),
            Recorded::In(at, input) => {
                let since = at - *zero.get_or_insert(at);
                let text = serde_json::to_string(&trimmed(input)?)?;
                write!(redacted, "< {} {}", since.0, words.replaced(&text))?;
            }
        }
        redacted.push('\n');
    }
    for trace in private() {
        if let Some(at) = redacted.find(&trace) {
            let before = redacted[..at].lines().count();
            bail!("line {before} of the recording still has {trace:?} in it");
        }
    }
    Ok(redacted)
}

enum Recorded<'a> {
    In(Instant, Input),
    Out(&'a str),
}

/// What is replaced, and by what. The first that fits wins.
struct Words(Vec<(String, String)>);

impl Words {
    fn of(lines: &[Recorded], port: u16) -> Result<Self> {
        let mut words = Vec::new();
        let mut instances = 0;
        let mut keys = 0;
        let mut requests: Vec<u64> = Vec::new();
        for line in lines {
            let Recorded::In(_, input) = line else { continue };
            if let Input::Started(started) = input {
                // Within JSON within JSON it is escaped once more each time.
                let (mut script, mut place) = (started.script.clone(), PLACEHOLDER.to_owned());
                for _ in 0..3 {
                    (script, place) = (escaped(&script)?, escaped(&place)?);
                    words.insert(0, (script.clone(), place.clone()));
                }
            }
            let heard = port::heard(input);
            if let Some(ToWorker::Hello(hello)) = heard {
                instances += 1;
                words.push((hello.instance, format!("instance-{instances}")));
                let roots = hello.policy.into_iter().flat_map(|policy| policy.file_roots);
                words.extend(roots.map(|root| (root, "/trial/files".to_owned())));
            } else if let Some(ToWorker::Joined { key, executable, .. }) = heard {
                keys += 1;
                words.push((key.0, format!("agent-key-{keys}")));
                words.extend(executable.map(|path| (path, "agent".to_owned())));
            } else if let Some(ToWorker::Request { id, .. }) = heard
                && id.0 >= RANDOM
                && !requests.contains(&id.0)
            {
                requests.push(id.0);
                words.push((id.0.to_string(), requests.len().to_string()));
            }
        }
        for name in ["127.0.0.1", "localhost"] {
            words.push((format!("{name}:{port}"), format!("{name}:{PORT}")));
        }
        words.retain(|(word, _)| !word.is_empty());
        Ok(Self(words))
    }

    fn replaced(&self, text: &str) -> String {
        self.0.iter().fold(text.to_owned(), |text, (word, by)| text.replace(word, by))
    }
}

fn escaped(text: &str) -> Result<String> {
    let quoted = serde_json::to_string(text)?;
    Ok(quoted[1..quoted.len() - 1].to_owned())
}

/// Leaves out of events what the engine does not read.
fn trimmed(mut input: Input) -> Result<Input> {
    if let Input::Event { method, params, .. } = &mut input
        && (method.starts_with("Network.") || method.starts_with("Fetch."))
    {
        let mut read: Value = serde_json::from_str(params)?;
        trim(&mut read);
        *params = read.to_string();
    }
    if let Input::Answered { result: Ok(Answer::Json(json)), .. } = &mut input
        && json.starts_with(r#"{"metrics":"#)
    {
        let mut read: Value = serde_json::from_str(json)?;
        if let Some(metrics) = read["metrics"].as_array_mut() {
            metrics.retain(|metric| metric["name"].as_str().is_some_and(|name| COUNTED.contains(&name)));
        }
        *json = read.to_string();
    }
    Ok(input)
}

fn trim(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.retain(|name, _| !NOT_READ.contains(&name.as_str()));
            fields.values_mut().for_each(trim);
        }
        Value::Array(items) => items.iter_mut().for_each(trim),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// What no transcript may hold: the folders and the name of whoever records, and what browsers say of themselves.
fn private() -> Vec<String> {
    let mut traces = vec!["Mozilla/5.0".to_owned(), env!("CARGO_MANIFEST_DIR").to_owned()];
    traces.push(std::env::temp_dir().display().to_string());
    traces.extend(std::env::var("HOME").ok().filter(|home| home.len() > 1));
    traces
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::Started;

    fn input(time: u64, input: &Input) -> String {
        format!("< {time} {}\n", serde_json::to_string(input).unwrap())
    }

    #[test]
    fn what_is_of_one_machine_is_replaced_alike_on_both_sides() {
        let script = "say(\"a\\n\")\n";
        let mut recorded =
            input(1_000, &Input::Started(Started { script: script.into(), ..Started::default() }));
        let source = serde_json::json!({ "source": script, "at": "http://127.0.0.1:41234/" }).to_string();
        writeln!(recorded, "> {}", serde_json::json!({ "params": source })).unwrap();
        let message =
            serde_json::json!({ "type": "hello", "protocol": 1, "version": "1", "instance": "8f3c" });
        let envelope = serde_json::json!({ "whole": message.to_string() }).to_string();
        recorded.push_str(&input(1_010, &Input::Port { envelope }));

        let redacted = redact(&recorded, 41234).unwrap();
        assert!(redacted.starts_with("< 0 {") && redacted.contains("\n< 10 {"), "{redacted}");
        assert_eq!(redacted.matches(PLACEHOLDER).count(), 2, "{redacted}");
        assert!(redacted.contains("http://127.0.0.1:8000/") && redacted.contains("instance-1"), "{redacted}");
        assert!(!redacted.contains("say(") && !redacted.contains("8f3c"), "{redacted}");
    }

    #[test]
    fn the_heads_of_requests_are_left_out() {
        let params = r#"{"request":{"url":"u","headers":{"User-Agent":"Mozilla/5.0 (x)"}},"type":"Fetch"}"#;
        let event = Input::Event {
            tab: engine::ChromeTab(1),
            session: None,
            method: "Network.requestWillBeSent".into(),
            params: params.into(),
        };
        let redacted = redact(&input(5, &event), 1).unwrap();
        assert!(redacted.contains("Fetch") && !redacted.contains("User-Agent"), "{redacted}");
    }
}
