//! The end-to-end tests: a real browser with the extension and the host in it, an agent for each test, pages that
//! record what happened to them. They need both halves of the product built, so `cargo xtask test` runs them; by
//! themselves they list as ignored (`--include-ignored` runs them on what `dist/` and `target/` hold).

mod bad_input;
mod choosing;
mod clicking;
mod closed;
mod confirming;
mod consent;
mod content;
mod controls;
mod crowd;
mod dialogs;
mod downloads;
mod dragging;
mod editing;
mod finding;
mod foreground;
mod frame_kinds;
mod frames;
mod honesty;
mod hostile_scripts;
mod hostile_size;
mod hostile_time;
mod hostile_words;
mod hostless;
mod identity;
mod journal;
mod lasting;
mod layers;
mod leading;
mod libraries;
mod lifecycle;
mod locating;
mod matrix;
mod navigation;
mod obstacles;
mod options;
mod panicking;
mod paths;
mod person;
mod picking;
mod picturing;
mod pointing;
mod popup;
mod reaching;
mod reading;
mod rounds;
mod safety;
mod secrets;
mod seeing;
mod selecting;
mod several;
mod traps;
mod trial;
mod turned;
mod two_steps;
mod typing;
mod unseen;
mod uploading;
mod waiting;
mod warm;
mod widgets;
mod workable;
mod world;

use libtest_mimic::{Arguments, Failed};
use std::{process::ExitCode, sync::Arc, thread::available_parallelism};
use world::World;

/// How many more run beside each other than there are processors: most of a test is waiting for the browser.
const BESIDES: usize = 1;

/// Enough to keep any browser busy; more only makes every test slower.
const AT_ONCE: usize = 6;

fn main() -> ExitCode {
    let mut arguments = Arguments::from_args();
    let at_once =
        available_parallelism().map_or(1, |processors| (usize::from(processors) + BESIDES).min(AT_ONCE));
    arguments.test_threads.get_or_insert(at_once);

    let world = match World::new() {
        Ok(world) => Arc::new(world),
        Err(error) => {
            eprintln!("{error:#}");
            return ExitCode::FAILURE;
        }
    };
    let groups = [
        bad_input::cases(),
        confirming::cases(),
        consent::cases(),
        choosing::cases(),
        clicking::cases(),
        closed::cases(),
        content::cases(),
        controls::cases(),
        crowd::cases(),
        dialogs::cases(),
        downloads::cases(),
        dragging::cases(),
        editing::cases(),
        finding::cases(),
        foreground::cases(),
        frame_kinds::cases(),
        frames::cases(),
        honesty::cases(),
        hostile_scripts::cases(),
        hostile_size::cases(),
        hostile_time::cases(),
        hostile_words::cases(),
        hostless::cases(),
        identity::cases(),
        journal::cases(),
        leading::cases(),
        lasting::cases(),
        layers::cases(),
        libraries::cases(),
        lifecycle::cases(),
        locating::cases(),
        matrix::cases(),
        navigation::cases(),
        obstacles::cases(),
        options::cases(),
        panicking::cases(),
        paths::cases(),
        person::cases(),
        picking::cases(),
        picturing::cases(),
        pointing::cases(),
        reaching::cases(),
        reading::cases(),
        rounds::cases(),
        safety::cases(),
        secrets::cases(),
        seeing::cases(),
        selecting::cases(),
        several::cases(),
        traps::cases(),
        turned::cases(),
        two_steps::cases(),
        typing::cases(),
        unseen::cases(),
        uploading::cases(),
        waiting::cases(),
        warm::cases(),
        widgets::cases(),
        workable::cases(),
    ];
    let trials = groups.into_iter().flatten().map(|case| {
        let world = Arc::clone(&world);
        let name = case.name.clone();
        let run = move || world.timed(&name, case.test).map_err(|error| Failed::from(format!("{error:#}")));
        libtest_mimic::Trial::test(case.name, run).with_ignored_flag(!world::is_product_named())
    });
    let conclusion = libtest_mimic::run(&arguments, trials.collect());
    world.tell_slowest();
    // Exiting runs no destructors: the browser must have ended before.
    world.end();
    conclusion.exit_code()
}
