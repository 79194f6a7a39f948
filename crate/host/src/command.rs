//! The command line: what may be written, and what it means. Does nothing.

use clap::{Arg, ArgMatches, Command, value_parser};
use serde_json::Value;
use std::path::PathBuf;
use tools::{cli, table};

/// What to do.
#[derive(Debug, Clone, PartialEq)]
pub enum Task {
    /// Started by Chrome for this origin.
    Native {
        /// The extension's origin.
        origin: String,
    },
    /// The MCP server.
    Mcp {
        /// What the client can show at most.
        max_tokens: Option<u32>,
        /// The agent's name, instead of the client's own.
        label: Option<String>,
    },
    /// Register with browsers.
    Install {
        /// With this profile folder alone.
        profiles: Option<PathBuf>,
    },
    /// Take that back.
    Uninstall {
        /// With this profile folder alone.
        profiles: Option<PathBuf>,
    },
    /// List running hosts.
    Browsers,
    /// Call a tool.
    Tool {
        /// Its name.
        tool: String,
        /// Its arguments.
        arguments: Value,
        /// As which agent.
        agent: String,
        /// Whether to print JSON.
        json: bool,
    },
}

/// Reads the command line; the program's name comes first.
pub fn read(words: Vec<String>) -> Result<Task, clap::Error> {
    // Chrome gives the origin, and on Windows a window after it.
    if let Some(origin) = words.get(1).filter(|word| word.starts_with("chrome-extension://")) {
        return Ok(Task::Native { origin: origin.clone() });
    }
    let matches = command().try_get_matches_from(with_flags(words))?;
    let profiles = |matches: &ArgMatches| matches.get_one::<PathBuf>("user-data-dir").cloned();
    match matches.subcommand() {
        Some(("mcp", matches)) => Ok(Task::Mcp {
            max_tokens: matches.get_one("max-tokens").copied(),
            label: matches.get_one("label").cloned(),
        }),
        Some(("install", matches)) => Ok(Task::Install { profiles: profiles(matches) }),
        Some(("uninstall", matches)) => Ok(Task::Uninstall { profiles: profiles(matches) }),
        Some(("browsers", _)) => Ok(Task::Browsers),
        Some((name, matches)) => {
            let tool = table().into_iter().find(|tool| tool.name == name);
            let arguments = tool.map_or(Ok(Value::Null), |tool| tool.arguments(matches))?;
            Ok(Task::Tool {
                tool: name.to_owned(),
                arguments,
                agent: matches.get_one("agent").cloned().unwrap_or_else(|| "shell".to_owned()),
                json: matches.get_flag("json"),
            })
        }
        None => Err(command().error(clap::error::ErrorKind::MissingSubcommand, "say what to do")),
    }
}

/// `tabwright act click e12`: the tool's leading words get their flags.
fn with_flags(words: Vec<String>) -> Vec<String> {
    let mut words = words.into_iter();
    let (program, first) = (words.next(), words.next());
    let rest: Vec<_> = words.collect();
    let rest = match &first {
        Some(tool) => cli::with_flags(tool, rest),
        None => rest,
    };
    program.into_iter().chain(first).chain(rest).collect()
}

fn command() -> Command {
    let profiles = || {
        let help = "Only with this profile folder (the browser's --user-data-dir)";
        Arg::new("user-data-dir")
            .long("user-data-dir")
            .value_name("DIR")
            .help(help)
            .value_parser(value_parser!(PathBuf))
    };
    let tools = table().into_iter().map(|tool| {
        let agent = Arg::new("agent")
            .long("agent")
            .value_name("NAME")
            .help("Acts as this agent, on its tabs and view");
        let json = Arg::new("json")
            .long("json")
            .action(clap::ArgAction::SetTrue)
            .help("Prints JSON instead of text");
        tool.command().arg(agent).arg(json)
    });
    Command::new("tabwright")
        .version(env!("CARGO_PKG_VERSION"))
        .about("Lets agents see and work the browser you use")
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommand(
            Command::new("mcp")
                .about("Serves the tools over MCP on stdin and stdout")
                .arg(
                    Arg::new("max-tokens")
                        .long("max-tokens")
                        .value_name("N")
                        .value_parser(value_parser!(u32).range(100..))
                        .help("Keeps replies within this, for clients that cut longer ones"),
                )
                .arg(
                    Arg::new("label")
                        .long("label")
                        .value_name("NAME")
                        .help("The agent's name, as its person sees it"),
                ),
        )
        .subcommand(
            Command::new("install")
                .about("Registers the host with the browsers of this user")
                .arg(profiles()),
        )
        .subcommand(Command::new("uninstall").about("Takes back what install wrote").arg(profiles()))
        .subcommand(Command::new("browsers").about("Lists the browsers that are connected"))
        .subcommands(tools)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_line(line: &str) -> Result<Task, clap::Error> {
        read(line.split_whitespace().map(str::to_owned).collect())
    }

    #[test]
    fn the_command_is_sound() {
        command().debug_assert();
    }

    #[test]
    fn chrome_is_recognised() {
        let task = read_line("tabwright chrome-extension://abc/ --parent-window=0").unwrap();
        assert_eq!(task, Task::Native { origin: "chrome-extension://abc/".to_owned() });
    }

    #[test]
    fn tools_take_words_and_flags() {
        let task = read_line("tabwright act click e12 --then-name Save --agent me --json").unwrap();
        let arguments = serde_json::json!({ "kind": "click", "ref": "e12", "then_name": "Save" });
        assert_eq!(task, Task::Tool { tool: "act".into(), arguments, agent: "me".into(), json: true });
        assert!(read_line("tabwright act click e12 e13").is_err());
        assert!(read_line("tabwright act").is_err());
        assert!(read_line("tabwright fly").is_err());
    }
}
