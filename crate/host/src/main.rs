//! `tabwright`: one program in several roles. Chrome starts it as the native-messaging host; an MCP client starts
//! it as a server; a person calls it on the shell. Logs go to stderr: stdout belongs to the protocol.
#![warn(missing_docs)]

mod client;
mod command;
mod descriptor;
mod files;
mod folder;
mod install;
mod link;
mod mcp;
mod native;
mod relay;
mod save;
mod shell;
mod socket;
mod trouble;

use command::Task;
use std::{env, io::Write, process::ExitCode};
use tracing_subscriber::EnvFilter;
use trouble::Trouble;

fn main() -> ExitCode {
    let words = env::args_os().map(|word| word.to_string_lossy().into_owned()).collect();
    let task = match command::read(words) {
        Ok(task) => task,
        Err(error) => error.exit(),
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
        Task::Install { profiles } => {
            let done = install::install(profiles.as_deref())?;
            if done.is_empty() {
                print(
                    "no browser of this user was found; name its profile folder: tabwright install --user-data-dir DIR",
                )?;
                return Ok(ExitCode::FAILURE);
            }
            done.iter().try_for_each(print)?;
            print(install::NEXT)?;
        }
        Task::Uninstall { profiles } => {
            let done = install::uninstall(profiles.as_deref())?;
            done.iter().try_for_each(print)?;
            if done.is_empty() {
                print("nothing was registered")?;
            }
        }
        Task::Browsers => {
            let living = descriptor::living()?;
            for host in &living {
                print(format!("{} (tabwright {}, process {})", host.label(), host.version, host.pid))?;
            }
            if living.is_empty() {
                print("no browser is connected")?;
                return Ok(ExitCode::FAILURE);
            }
        }
        Task::Tool { tool, arguments, agent, json } => {
            let (shown, succeeded) = shell::call(&agent, &tool, arguments, json).await;
            print(shown)?;
            return Ok(if succeeded { ExitCode::SUCCESS } else { ExitCode::FAILURE });
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn print(line: impl std::fmt::Display) -> Result<(), Trouble> {
    Ok(writeln!(std::io::stdout(), "{line}")?)
}

fn failed(trouble: &Trouble) -> ExitCode {
    eprintln!("error {}: {trouble}.\nnext: {}", trouble.code(), trouble.next());
    ExitCode::FAILURE
}
