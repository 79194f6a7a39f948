//! `dialog`: answering a page's alert, confirm, prompt or leave question.

use crate::{
    agent::AgentId,
    browser::Core,
    failure::Failure,
    look, reply,
    session::{Session, attach},
    settle,
    tab::{Dialog, Prompt, Tab},
    tabs,
};
use cdp::page;
use futures::future::{Either, select};
use std::{pin::pin, rc::Rc};
use tools::call::{Dialog as Arguments, DialogAction};
use wire::Reply;

/// Carries out `dialog`.
pub async fn dialog(core: &Rc<Core>, agent: AgentId, arguments: Arguments) -> Reply {
    let tab = match tabs::choose(core, agent, arguments.tab) {
        Ok(tab) => tab,
        Err(failure) => return failure.reply(None),
    };
    let open = match tab.state.borrow().dialog.clone() {
        Dialog::None => None,
        Dialog::Open(prompt) => Some(prompt),
    };
    let accept = match (arguments.action, &open) {
        (DialogAction::Status, None) => return Reply::text(format!("{tab} no dialog is open")),
        (DialogAction::Status, Some(prompt)) => return Reply::text(format!("{tab} {}", describe(prompt))),
        (DialogAction::Accept | DialogAction::Dismiss, None) => {
            return Failure::NoDialog.reply(Some(&tab.to_string()));
        }
        (DialogAction::Accept, Some(_)) => true,
        (DialogAction::Dismiss, Some(_)) => false,
    };
    let Some(prompt) = open else { return Failure::NoDialog.reply(Some(&tab.to_string())) };
    if arguments.text.is_some() && (prompt.kind != "prompt" || !accept) {
        let what = format!("text is the answer to a prompt; this is {}", describe(&prompt));
        return Failure::BadArgument(what).reply(Some(&tab.to_string()));
    }
    match answer(core, &tab, accept, arguments.text).await {
        Ok(settled) => {
            let verb = if accept { "accepted" } else { "dismissed" };
            let head = format!("{tab} ok {verb} {}", describe(&prompt));
            look::told(core, agent, &tab, head, settled, look::Telling::default()).await
        }
        Err(failure) => failure.reply(Some(&tab.to_string())),
    }
}

/// `confirm "Delete all?"`
pub fn describe(prompt: &Prompt) -> String {
    let text = format!("{} {}", prompt.kind, reply::quoted(&prompt.message));
    if prompt.kind == "prompt" { format!("{text} ={}", reply::quoted(&prompt.default)) } else { text }
}

async fn answer(
    core: &Rc<Core>,
    tab: &Rc<Tab>,
    accept: bool,
    text: Option<String>,
) -> Result<settle::Settled, Failure> {
    if tab.state.borrow().link != crate::tab::Link::Attached {
        // After a restart of the worker; the attachment is still there and so is the dialog.
        attach_under_dialog(core, tab).await?;
    }
    let begun = tab.events().next();
    let answered = Session::root(core, tab).call(&page::HandleDialog { accept, prompt_text: text });
    // The answer waits for the page, and the page for its next dialog.
    let next = tab.signal.until(|| {
        let state = tab.state.borrow();
        (state.dialog_since >= begun && matches!(state.dialog, Dialog::Open(_))).then_some(())
    });
    let closed = match select(pin!(answered), pin!(next)).await {
        Either::Left((closed, _)) => closed.map(|_| ()),
        Either::Right(((), _)) => Ok(()),
    };
    // Answered by the person in the meantime: then it is closed all the same.
    let refused = matches!(&closed, Err(Failure::Refused { message, .. }) if message.contains("No dialog"));
    if refused || closed.is_ok() {
        let mut state = tab.state.borrow_mut();
        // The next dialog may have opened before the answer to this one came back.
        if state.dialog_since < begun {
            state.dialog = Dialog::None;
        }
    }
    if refused {
        tab.signal.raise();
        return Err(Failure::NoDialog);
    }
    closed?;
    tab.signal.raise();
    attach(core, tab).await?;
    settle::settle(core, tab, begun).await
}

/// While a dialog is open the page cannot be set up again; only the hold itself is taken.
async fn attach_under_dialog(core: &Rc<Core>, tab: &Rc<Tab>) -> Result<(), Failure> {
    let chrome = tab.state.borrow().chrome.ok_or(Failure::TabClosed)?;
    match core.desk.ask(crate::io::ChromeCall::Attach { tab: chrome }).await {
        Ok(_) => Ok(()),
        Err(Failure::Browser { message }) if message.contains("already attached") => Ok(()),
        Err(failure) => Err(failure),
    }
}
