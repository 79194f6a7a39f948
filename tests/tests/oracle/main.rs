//! What we judge of a page, compared with the browser's own accessibility tree, element by element: role, name, value
//! and states, on pages that cover HTML and ARIA. The browser is the oracle; where we differ on purpose, or cannot know
//! better, `expected.txt` says so with the reason. Needs no extension: the collector is evaluated over the pipe.

mod agreement;
mod capture;
mod compare;
mod coverage;
mod expected;
mod exposed;
mod world;

use libtest_mimic::{Arguments, Failed, Trial};
use std::{process::ExitCode, sync::Arc};
use world::World;

fn main() -> ExitCode {
    let mut arguments = Arguments::from_args();
    arguments.test_threads.get_or_insert(2);
    let world = match World::new() {
        Ok(world) => Arc::new(world),
        Err(error) => {
            eprintln!("{error:#}");
            return ExitCode::FAILURE;
        }
    };
    let mut trials = Vec::new();
    for page in world.pages() {
        let shared = Arc::clone(&world);
        let name = page.clone();
        trials.push(Trial::test(format!("page::{page}"), move || {
            shared.judge(&name).map_err(|error| Failed::from(format!("{error:#}")))
        }));
    }
    let shared = Arc::clone(&world);
    trials.push(Trial::test("agreement", move || {
        shared.agreement().map_err(|error| Failed::from(format!("{error:#}")))
    }));
    let asked = tests::bare::is_asked_for();
    let mut trials: Vec<_> = trials.into_iter().map(|trial| trial.with_ignored_flag(!asked)).collect();
    let shared = Arc::clone(&world);
    trials.push(Trial::test("coverage", move || {
        shared.coverage().map_err(|error| Failed::from(format!("{error:#}")))
    }));
    let conclusion = libtest_mimic::run(&arguments, trials);
    // Exiting runs no destructors: the browser must have ended before.
    world.end();
    conclusion.exit_code()
}
