//! The first steps: the page that tells them comes once, after the extension was installed, and each step is told as
//! done when it is.

use crate::{browser::Core, clock::Millis, io::ChromeCall};
use serde::Serialize;
use std::rc::Rc;
use wire::journal::By;

/// What is reached of the way, each step by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[allow(clippy::struct_excessive_bools, reason = "each is a step")]
pub struct Steps {
    /// The program answers.
    connected: bool,
    /// An agent came.
    met: bool,
    /// The person let one in.
    allowed: bool,
    /// An agent did something.
    worked: bool,
}

/// How far it is.
pub fn steps(core: &Core) -> Steps {
    let decisions = core.consent.decisions.borrow();
    let allowed = !decisions.allowed.is_empty() || core.consent.in_force().is_some();
    let tabs = core.tabs.borrow();
    let held = tabs.values().any(|tab| tab.state.borrow().owner.is_some());
    let recent = core.journal.recent.borrow();
    let done = recent.iter().any(|recent| recent.entry.by == By::Agent && recent.entry.outcome == "ok");
    Steps {
        connected: core.host.borrow().port.is_greeted(),
        met: allowed || core.agents.borrow().last > 0,
        allowed,
        worked: held || done,
    }
}

/// How long the host may take to say what it is there for.
const GREETING: Millis = Millis(3_000);

/// The extension was installed: the page of the first steps comes, unless nobody is there to read it.
pub fn installed(core: &Rc<Core>) {
    let core2 = core.clone();
    core.desk.spawn(async move {
        let greeted = core2.consent.changed.until(|| core2.host.borrow().port.is_greeted().then_some(()));
        // Without a host it is needed the more.
        let greeted = async {
            greeted.await;
            Ok(())
        };
        let _ = core2.desk.within(GREETING, "the host's greeting", greeted).await;
        if core2.consent.in_force().is_none() {
            drop(core2.desk.call(ChromeCall::OpenPage { page: "welcome/welcome.html".into() }));
        }
    });
}
