//! The repository's own commands, `cargo xtask …`: put the extension together, show it, test it. Nothing here
//! ships, and nothing here is needed to build a crate with plain `cargo build`.

mod bench;
mod demo;
mod dist;
mod docs;
mod fuzz;
mod interrupt;
mod manifest;
mod pictures;
mod process;
mod record;
mod release;
mod soak;
mod test;
mod tidy;
mod wasm;
mod workspace;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

#[derive(Parser)]
#[command(name = "cargo xtask", about = "Builds, shows and tests Tabwright")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Puts a loadable extension together in dist/
    Dist(dist::Options),
    /// Builds the program that people install, with the extension within
    Release,
    /// Orders something in a small shop, in a real browser, as an agent does
    Demo(demo::Options),
    /// Plays scenes in a real browser and keeps their transcripts for the tests
    Record(record::Options),
    /// Checks everything that must hold
    Test(test::Options),
    /// Measures the product in a real browser, beside the raw cost of the calls it makes
    Bench(bench::Options),
    /// Plays acts by the thousand on pages that change by chance, and counts those that went wrong
    Soak(soak::Options),
    /// Gives the parsers of what others wrote any bytes, by the million
    Fuzz(fuzz::Options),
    /// Checks the rules that no compiler knows
    Tidy,
    /// Takes the pictures of docs/pictures anew
    Pictures,
    /// Writes the pages that are derived from declarations
    Docs,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    interrupt::watch();
    let outcome = match arguments.command {
        Command::Dist(options) => dist::run(&options),
        Command::Release => release::run(),
        Command::Demo(options) => demo::run(&options),
        Command::Record(options) => record::run(&options),
        Command::Test(options) => test::run(&options),
        Command::Bench(options) => bench::run(&options),
        Command::Soak(options) => soak::run(&options),
        Command::Fuzz(options) => fuzz::run(&options),
        Command::Tidy => tidy::run(),
        Command::Pictures => pictures::run(),
        Command::Docs => docs::run(),
    };
    match outcome {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
