//! `tabwright`: one program in several roles. Chrome starts it as the native-messaging host; an MCP client starts
//! it as a server; a person calls it on the shell. Logs go to stderr: stdout belongs to the protocol.
#![warn(missing_docs)]

mod address;
mod client;
mod command;
mod descriptor;
mod doctor;
mod files;
mod folder;
mod home;
mod install;
mod journal;
mod link;
mod mcp;
mod native;
#[cfg(any(windows, test))]
mod pipe;
mod pulse;
mod relay;
mod save;
mod secret;
mod shell;
mod socket;
mod trouble;

use command::Task;
use home::{Home, System};
use install::{plan::Source, registry::OfThisUser};
use std::{env, io::Write, path::PathBuf, process::ExitCode};
use tracing_subscriber::EnvFilter;
use trouble::Trouble;

/// The command line is wrong.
const USAGE: u8 = 2;

fn main() -> ExitCode {
    let words = env::args_os().map(|word| word.to_string_lossy().into_owned()).collect();
    let task = match command::read(words) {
        Ok(task) => task,
        Err(error) => match command::complaint(&error) {
            Some(complaint) => {
                eprintln!("{complaint}");
                return ExitCode::from(USAGE);
            }
            None => error.exit(),
        },
    };
    let filter =
        EnvFilter::try_from_env("TABWRIGHT_LOG").unwrap_or_else(|_| EnvFilter::new("warn,tabwright=info"));
    let filter =
        if matches!(task, Task::Native { .. } | Task::Mcp { .. }) { filter } else { EnvFilter::new("error") };
    tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).with_ansi(false).init();

    let runtime = match tokio::runtime::Builder::new_current_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return failed(&Trouble::Io(error)),
    };
    let ended = runtime.block_on(carry_out(task));
    // A read of stdin may still block a thread; nobody waits for it.
    runtime.shutdown_background();
    match ended {
        Ok(code) => code,
        Err(trouble) => failed(&trouble),
    }
}

async fn carry_out(task: Task) -> Result<ExitCode, Trouble> {
    match task {
        Task::Native { origin } => native::run(&origin).await?,
        Task::Mcp { max_tokens, label } => mcp::run(max_tokens, label).await?,
        Task::Install { profiles, wanted } => {
            let home = home(profiles)?;
            let (program, extension) = (install::this_program()?, install::extension::files()?);
            let source = Source { program: &program, extension: &extension };
            let told = install::install(&home, &source, &wanted, &mut OfThisUser)?;
            print(told.trim_end())?;
            if install::browsers::found(&home).is_empty() {
                return Ok(ExitCode::FAILURE);
            }
        }
        Task::Uninstall { profiles } => {
            let (told, all) = install::uninstall(&home(profiles)?, &mut OfThisUser)?;
            print(told.trim_end())?;
            return Ok(if all { ExitCode::SUCCESS } else { ExitCode::FAILURE });
        }
        Task::Doctor { profiles, json } => {
            let (program, extension) = (install::this_program()?, install::extension::files()?);
            let report = doctor::examine(&home(profiles)?, &program, &extension, &OfThisUser).await?;
            print(if json { report.json()? } else { report.text() })?;
            return Ok(if report.is_well() { ExitCode::SUCCESS } else { ExitCode::FAILURE });
        }
        Task::Browsers => {
            let living = descriptor::living()?;
            for (word, host) in descriptor::words(&living).iter().zip(&living) {
                let (label, version, pid) = (host.label(), &host.version, host.pid);
                print(format!("{word}: {label} (tabwright {version}, process {pid})"))?;
            }
            if living.is_empty() {
                return Err(install::why_no_browser());
            }
        }
        Task::Journal { last, agent, json } => {
            for line in journal::Journal::default().last(last, agent.as_deref())? {
                print(if json {
                    serde_json::to_string(&line).map_err(std::io::Error::from)?
                } else {
                    line.to_string()
                })?;
            }
        }
        Task::SetSecret { name, origins } => {
            let secrets = secret::Secrets::of_this_user()?;
            let value = secret::ask_value(&name)?;
            let origins = secrets.set(&name, &origins, value)?;
            print(format!("{name}: stored in the keyring, for {}", origins.join(", ")))?;
        }
        Task::ListSecrets => {
            for wire::Secret { name, origins } in secret::Secrets::of_this_user()?.list()? {
                print(format!("{name}: {}", origins.join(", ")))?;
            }
        }
        Task::RemoveSecret { name } => {
            if !secret::Secrets::of_this_user()?.remove(&name)? {
                return Err(Trouble::BadSecret { why: format!("there is none of the name {name:?}") });
            }
            print(format!("{name}: removed"))?;
        }
        Task::Tool { tool, arguments, agent, json } => {
            let (shown, succeeded) = shell::call(&agent, &tool, arguments, json).await;
            print(shown)?;
            return Ok(if succeeded { ExitCode::SUCCESS } else { ExitCode::FAILURE });
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn home(profiles: Option<PathBuf>) -> Result<Home, Trouble> {
    let home = Home::of_this_user()?;
    match profiles {
        Some(_) if home.system() == System::Windows => Err(Trouble::NotOnThisSystem {
            what: "Windows registers programs for all profile folders at once",
        }),
        Some(profiles) => Ok(home.only(std::path::absolute(profiles)?)),
        None => Ok(home),
    }
}

fn print(line: impl std::fmt::Display) -> Result<(), Trouble> {
    Ok(writeln!(std::io::stdout(), "{line}")?)
}

fn failed(trouble: &Trouble) -> ExitCode {
    eprintln!("error {}: {trouble}.\nnext: {}", trouble.code(), trouble.next());
    ExitCode::FAILURE
}
