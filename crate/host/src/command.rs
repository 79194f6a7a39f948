//! The command line: what may be written, and what it means. Does nothing.

use crate::install::{Wanted, clients::CLIENTS};
use clap::{
    Arg, ArgAction, ArgMatches, Command,
    builder::PossibleValuesParser,
    error::{ContextKind, ContextValue, ErrorKind},
    value_parser,
};
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
    /// Unpack the extension, register with browsers.
    Install {
        /// For this profile folder alone.
        profiles: Option<PathBuf>,
        /// What else.
        wanted: Wanted,
    },
    /// Take that back.
    Uninstall {
        /// For this profile folder alone.
        profiles: Option<PathBuf>,
    },
    /// Find what is wrong with an installation.
    Doctor {
        /// Of this profile folder alone.
        profiles: Option<PathBuf>,
        /// Whether to print JSON.
        json: bool,
    },
    /// List running hosts.
    Browsers,
    /// Show the journal.
    Journal {
        /// How many lines.
        last: usize,
        /// Of which agent alone.
        agent: Option<String>,
        /// Whether to print the lines as they are.
        json: bool,
    },
    /// Store a secret; its value is asked for.
    SetSecret {
        /// Its name.
        name: String,
        /// Where it may be typed.
        origins: Vec<String>,
    },
    /// List what is stored, without values.
    ListSecrets,
    /// Take a secret out.
    RemoveSecret {
        /// Its name.
        name: String,
    },
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
        Some(("install", matches)) => {
            let clients = matches.get_many::<String>("client").into_iter().flatten().cloned().collect();
            let wanted = Wanted { clients, dry_run: matches.get_flag("dry-run") };
            Ok(Task::Install { profiles: profiles(matches), wanted })
        }
        Some(("uninstall", matches)) => Ok(Task::Uninstall { profiles: profiles(matches) }),
        Some(("doctor", matches)) => {
            Ok(Task::Doctor { profiles: profiles(matches), json: matches.get_flag("json") })
        }
        Some(("browsers", _)) => Ok(Task::Browsers),
        Some(("journal", matches)) => Ok(Task::Journal {
            last: matches.get_one("last").copied().unwrap_or(50),
            agent: matches.get_one("agent").cloned(),
            json: matches.get_flag("json"),
        }),
        Some(("secret", matches)) => Ok(secret_task(matches)),
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
        None => Err(command().error(ErrorKind::MissingSubcommand, "say what to do")),
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

/// What is wrong with a command line, in our two lines. Nothing for what only asks to be told something.
pub fn complaint(error: &clap::Error) -> Option<String> {
    let kind = error.kind();
    if [ErrorKind::DisplayHelp, ErrorKind::DisplayVersion].contains(&kind) {
        return None;
    }
    if kind == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        let next = "`tabwright help` lists the commands, `tabwright doctor` says whether all is well";
        return Some(format!("error usage: say what to do.\nnext: {next}"));
    }
    let said = error.to_string();
    let what = said.split("\n\n").next().unwrap_or_default();
    let what: Vec<_> = what.trim_start_matches("error:").split_whitespace().collect();
    let similar = [ContextKind::SuggestedSubcommand, ContextKind::SuggestedArg, ContextKind::SuggestedValue]
        .into_iter()
        .find_map(|kind| error.get(kind));
    let similar = match similar {
        Some(ContextValue::String(word)) => format!("did you mean {word}? "),
        Some(ContextValue::Strings(words)) if !words.is_empty() => {
            format!("did you mean {}? ", words.join(" or "))
        }
        Some(_) | None => String::new(),
    };
    // `Usage: tabwright act --kind <KIND>`
    let usage = said.lines().find_map(|line| line.strip_prefix("Usage: tabwright "));
    let name = usage.and_then(|usage| usage.split_whitespace().next()).filter(|name| is_word(name));
    let help = match name {
        Some(name) => format!("`tabwright help {name}` lists its arguments"),
        None => "`tabwright help` lists the commands".to_owned(),
    };
    Some(format!("error usage: {}.\nnext: {similar}{help}", what.join(" ").trim_end_matches('.')))
}

fn is_word(name: &str) -> bool {
    name.bytes().all(|byte| byte.is_ascii_lowercase())
}

/// What a script learns from how the program ended.
const EXITS: &str = "\
Exit codes: 0 done; 1 it failed, or `doctor` found something, or no browser is connected; 2 the command line is wrong.
Failures are two lines on stderr (of tools: on stdout): `error CODE: what happened`, `next: what to do`.";

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
        let json =
            Arg::new("json").long("json").action(ArgAction::SetTrue).help("Prints JSON instead of text");
        tool.command().arg(agent).arg(json)
    });
    Command::new("tabwright")
        .version(env!("CARGO_PKG_VERSION"))
        .about("Lets agents see and work the browser you use")
        .subcommand_required(true)
        .arg_required_else_help(true)
        .after_help(EXITS)
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
                .about("Unpacks the extension and registers this program with the browsers of this user")
                .long_about(
                    "Unpacks the extension to a folder of this user, registers this program with every browser of \
                     this user as the host that the extension starts, and says what to do next. Doing it again \
                     changes nothing.",
                )
                .arg(profiles())
                .arg(
                    Arg::new("client")
                        .long("client")
                        .value_name("NAME")
                        .action(ArgAction::Append)
                        .value_delimiter(',')
                        .value_parser(PossibleValuesParser::new(CLIENTS.iter().map(|client| client.name)))
                        .help("Writes the MCP server into this client's settings, too; may be given again"),
                )
                .arg(
                    Arg::new("dry-run")
                        .long("dry-run")
                        .action(ArgAction::SetTrue)
                        .help("Shows what would be written, and writes nothing"),
                ),
        )
        .subcommand(
            Command::new("uninstall")
                .about("Takes back exactly what install wrote")
                .arg(profiles()),
        )
        .subcommand(
            Command::new("doctor")
                .about("Finds what is wrong with an installation, and says the command that mends it")
                .arg(profiles())
                .arg(
                    Arg::new("json")
                        .long("json")
                        .action(ArgAction::SetTrue)
                        .help("Prints JSON instead of text"),
                ),
        )
        .subcommand(Command::new("browsers").about("Lists the browsers that are connected"))
        .subcommand(journal())
        .subcommand(secret())
        .subcommands(tools)
}

/// What `secret` and its word mean.
fn secret_task(matches: &ArgMatches) -> Task {
    let name = |matches: &ArgMatches| matches.get_one("name").cloned().unwrap_or_default();
    match matches.subcommand() {
        Some(("set", matches)) => Task::SetSecret {
            name: name(matches),
            origins: matches.get_many::<String>("origin").into_iter().flatten().cloned().collect(),
        },
        Some(("remove", matches)) => Task::RemoveSecret { name: name(matches) },
        Some(_) | None => Task::ListSecrets,
    }
}

fn secret() -> Command {
    let name = || Arg::new("name").value_name("NAME").required(true);
    let origin = Arg::new("origin")
        .long("origin")
        .value_name("ORIGIN")
        .action(ArgAction::Append)
        .required(true)
        .help("Where it may be typed, and nowhere else: https://bank.example; may be given again");
    Command::new("secret")
        .about("Keeps passwords in the system's keyring, for acts to name; their values go to no agent")
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommand(
            Command::new("set")
                .about("Stores one; its value is asked for, or read from what is piped in")
                .arg(name())
                .arg(origin),
        )
        .subcommand(Command::new("list").about("Lists names and where each may be typed"))
        .subcommand(Command::new("remove").about("Takes one out").arg(name()))
}

fn journal() -> Command {
    let last = Arg::new("last").long("last").value_name("N").value_parser(value_parser!(usize));
    let agent = Arg::new("agent").long("agent").value_name("NAME");
    let json = Arg::new("json").long("json").action(ArgAction::SetTrue);
    Command::new("journal")
        .about("Shows what agents did and what their person decided, the last line last")
        .arg(last.help("How many lines; 50 when absent"))
        .arg(agent.help("Only what is about this agent"))
        .arg(json.help("Prints the lines as they are kept, JSON each"))
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

    #[test]
    fn installing_names_its_clients() {
        let task = read_line("tabwright install --client codex,cursor --client zed --dry-run").unwrap();
        let clients = ["codex", "cursor", "zed"].map(str::to_owned).to_vec();
        let wanted = Wanted { clients, dry_run: true };
        assert_eq!(task, Task::Install { profiles: None, wanted });
        assert!(read_line("tabwright install --client notepad").is_err());
    }

    #[test]
    fn complaints_are_two_lines() {
        let mut said = String::new();
        for line in [
            "tabwright",
            "tabwright snapshott",
            "tabwright act",
            "tabwright act click e12 --fource",
            "tabwright act jump e12",
            "tabwright install --client notepad",
            "tabwright mcp --max-tokens many",
        ] {
            let complaint = complaint(&read_line(line).unwrap_err()).unwrap();
            assert_eq!(complaint.lines().count(), 2, "{complaint}");
            said.push_str(&format!("{line}\n{complaint}\n"));
        }
        expect_test::expect![[r"
            tabwright
            error usage: say what to do.
            next: `tabwright help` lists the commands, `tabwright doctor` says whether all is well
            tabwright snapshott
            error usage: unrecognized subcommand 'snapshott'.
            next: did you mean screenshot or snapshot? `tabwright help` lists the commands
            tabwright act
            error usage: the following required arguments were not provided: --kind <KIND>.
            next: `tabwright help act` lists its arguments
            tabwright act click e12 --fource
            error usage: unexpected argument '--fource' found.
            next: did you mean --force? `tabwright help act` lists its arguments
            tabwright act jump e12
            error usage: invalid value 'jump' for '--kind <KIND>' [possible values: click, fill, type, press, select, check, uncheck, hover, focus, scroll, drag, upload, click_at, type_at, hover_at, drag_at].
            next: `tabwright help` lists the commands
            tabwright install --client notepad
            error usage: invalid value 'notepad' for '--client <NAME>' [possible values: claude-code, codex, cursor, vscode, gemini, windsurf, zed, claude-desktop, copilot, opencode, lm-studio].
            next: did you mean opencode? `tabwright help` lists the commands
            tabwright mcp --max-tokens many
            error usage: invalid value 'many' for '--max-tokens <N>': invalid digit found in string.
            next: `tabwright help` lists the commands
        "]].assert_eq(&said);
        assert_eq!(complaint(&read_line("tabwright help act").unwrap_err()), None);
        assert_eq!(complaint(&read_line("tabwright --version").unwrap_err()), None);
    }
}
