//! Ctrl-C. It ends the program at once, unless something must not be left half-done: then as soon as that is finished
//! or taken back.

use anyhow::Result;
use std::{
    process::exit,
    sync::{Mutex, MutexGuard, PoisonError},
    thread,
};

/// What a shell reports for a program that Ctrl-C ended.
pub const EXIT: u8 = 130;

/// Held by whoever must not be ended now.
static HELD_OFF: Mutex<()> = Mutex::new(());

/// Watches from now on.
pub fn watch() {
    thread::spawn(|| {
        let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_all().build() else { return };
        runtime.block_on(interrupted());
        let _nobody = hold_off();
        exit(EXIT.into());
    });
}

/// Holds the end off until the value is dropped.
pub fn hold_off() -> MutexGuard<'static, ()> {
    HELD_OFF.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs it to its end. When it is interrupted it is dropped, with all that it holds, and none comes back.
pub fn unless_interrupted<T>(work: impl Future<Output = Result<T>>) -> Result<Option<T>> {
    let _held_off = hold_off();
    let runtime = tokio::runtime::Runtime::new()?;
    runtime.block_on(async {
        tokio::select! {
            done = work => done.map(Some),
            () = interrupted() => Ok(None),
        }
    })
}

/// Comes when the person has had enough.
async fn interrupted() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let (Ok(mut terminate), Ok(mut hang_up)) =
            (signal(SignalKind::terminate()), signal(SignalKind::hangup()))
        {
            tokio::select! {
                _ = tokio::signal::ctrl_c() => {}
                _ = terminate.recv() => {}
                _ = hang_up.recv() => {}
            }
            return;
        }
    }
    let _ = tokio::signal::ctrl_c().await;
}
