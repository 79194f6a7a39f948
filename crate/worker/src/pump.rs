//! The one place where the engine runs: an input in, outputs carried out, the next wake planned.

use crate::chrome;
use engine::{CallError, CallResult, ChromeCall, ChromeTab, Engine, Input, Instant, Output};
use gloo_timers::callback::Timeout;
use js_sys::{Date, Error, JSON, Reflect};
use std::cell::{Cell, RefCell};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::spawn_local;

thread_local! {
    static ENGINE: RefCell<Engine> = RefCell::new(Engine::default());
    static TIMER: RefCell<Option<(Instant, Timeout)>> = const { RefCell::new(None) };
    /// Inputs that came while the engine was running: a call that fails at once answers from within.
    static QUEUE: RefCell<Vec<Input>> = const { RefCell::new(Vec::new()) };
    static RUNNING: Cell<bool> = const { Cell::new(false) };
}

/// Milliseconds since 1970, as `chrome.alarms` counts too.
fn now() -> Instant {
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "whole milliseconds after 1970"
    )]
    Instant(Date::now() as u64)
}

/// Feeds the engine and carries out what it asks for.
pub fn feed(input: Input) {
    QUEUE.with_borrow_mut(|queue| queue.push(input));
    if RUNNING.replace(true) {
        return;
    }
    loop {
        let inputs = QUEUE.take();
        if inputs.is_empty() {
            break;
        }
        for input in inputs {
            let now = now();
            #[cfg(feature = "record")]
            crate::record::input(now, &input);
            let outputs: Vec<_> = ENGINE.with_borrow_mut(|engine| {
                engine.handle(now, input);
                std::iter::from_fn(|| engine.poll()).collect()
            });
            for output in outputs {
                #[cfg(feature = "record")]
                crate::record::output(&output);
                carry(output);
            }
        }
    }
    RUNNING.set(false);
    plan();
}

/// Sets the timer for the engine's next wake, unless it is set for that time already.
fn plan() {
    let wanted = ENGINE.with_borrow_mut(|engine| engine.next_wake());
    TIMER.with_borrow_mut(|timer| {
        if timer.as_ref().map(|(at, _)| *at) == wanted {
            return;
        }
        *timer = wanted.map(|at| {
            let wait = u32::try_from((at - now()).0).unwrap_or(u32::MAX).min(i32::MAX as u32);
            (
                at,
                Timeout::new(wait, || {
                    TIMER.with_borrow_mut(|timer| {
                        if let Some((_, fired)) = timer.take() {
                            // It has fired: there is nothing to clear.
                            fired.forget();
                        }
                    });
                    feed(Input::Woke);
                }),
            )
        });
    });
}

fn carry(output: Output) {
    match output {
        // At once: what is posted next goes through the port that it opens.
        Output::Call { id, call: ChromeCall::ConnectHost } => {
            let result = chrome::connect_host().map(|()| JsValue::UNDEFINED);
            feed(Input::Answered { call: id, result: answer(result) });
        }
        // At once as well: a port may be opened next.
        Output::Call { id, call: ChromeCall::DisconnectHost } => {
            chrome::disconnect_host();
            feed(Input::Answered { call: id, result: answer(Ok(JsValue::UNDEFINED)) });
        }
        Output::Call { id, call } => spawn_local(async move {
            let result = perform(call).await;
            feed(Input::Answered { call: id, result: answer(result) });
        }),
        Output::Post { envelope } => {
            // A port that broke meanwhile tells so by itself.
            let _ = chrome::post(&envelope);
        }
        Output::KeepSession { text } => chrome::keep_session(&text),
        Output::KeepRequest { slot, text } => chrome::keep_request(slot.0, &text),
        Output::KeepLocal { text } => chrome::keep_local(&text),
        Output::Badge { text, says } => {
            chrome::set_badge_text(&text);
            chrome::set_title(&serde_json::to_string(&says).unwrap_or_default());
        }
        Output::Answer { question, view } => chrome::answer_page(question, &view),
        #[allow(clippy::cast_precision_loss, reason = "a length of time fits a double")]
        Output::Alarm { every } => chrome::set_alarm(every.0 as f64 / 60_000.0),
    }
}

async fn perform(call: ChromeCall) -> Result<JsValue, JsValue> {
    match call {
        ChromeCall::Send { tab: ChromeTab(tab), session, method, params } => {
            chrome::send_command(tab, session.map(|session| session.0), &method, &params).await
        }
        ChromeCall::Attach { tab: ChromeTab(tab) } => chrome::attach(tab).await,
        ChromeCall::Detach { tab: ChromeTab(tab) } => chrome::detach(tab).await,
        ChromeCall::OpenPage { page } => chrome::open_page(&page).await,
        ChromeCall::GetTab { tab } => chrome::get_tab(tab.0).await,
        ChromeCall::CreateTab { url } => chrome::create_tab(&url).await,
        ChromeCall::RemoveTab { tab: ChromeTab(tab) } => chrome::remove_tab(tab).await,
        ChromeCall::CreateWindow { url } => chrome::create_window(&url).await,
        ChromeCall::FocusWindow { window } => chrome::focus_window(window.0).await,
        ChromeCall::ShowTab { tab: ChromeTab(tab) } => chrome::show_tab(tab).await,
        ChromeCall::EmptyTab { tab: ChromeTab(tab) } => chrome::empty_tab(tab).await,
        ChromeCall::ReloadTab { tab: ChromeTab(tab) } => chrome::reload_tab(tab).await,
        ChromeCall::Group { tab: ChromeTab(tab), group } => {
            chrome::group_tab(tab, group.map(|group| group.0)).await
        }
        ChromeCall::NameGroup { group, title, color } => chrome::name_group(group.0, &title, &color).await,
        ChromeCall::Ungroup { tab: ChromeTab(tab) } => chrome::ungroup_tab(tab).await,
        ChromeCall::Paint { order } => chrome::paint(&order).await,
        ChromeCall::OpenPopup => chrome::open_popup().await,
        ChromeCall::ConnectHost => chrome::connect_host().map(|()| JsValue::UNDEFINED),
        ChromeCall::DisconnectHost => {
            chrome::disconnect_host();
            Ok(JsValue::UNDEFINED)
        }
    }
}

/// What a call answered, as the engine reads it: the string of an evaluation as it is, all else as JSON text.
fn answer(result: Result<JsValue, JsValue>) -> CallResult {
    match result {
        Ok(value) => {
            if let Some(text) = evaluated_string(&value) {
                return Ok(engine::Answer::Text(text));
            }
            let json = JSON::stringify(&value).ok().and_then(|json| json.as_string());
            Ok(engine::Answer::Json(json.unwrap_or_else(|| "null".into())))
        }
        Err(thrown) => {
            let message = thrown.dyn_ref::<Error>().map(|error| String::from(error.message()));
            Err(CallError::read(
                &message.or_else(|| thrown.as_string()).unwrap_or_else(|| "unknown error".into()),
            ))
        }
    }
}

fn evaluated_string(value: &JsValue) -> Option<String> {
    if !value.is_object() {
        return None;
    }
    let result = Reflect::get(value, &"result".into()).ok().filter(JsValue::is_object)?;
    let thrown = Reflect::has(value, &"exceptionDetails".into()).unwrap_or(true);
    if thrown {
        return None;
    }
    Reflect::get(&result, &"value".into()).ok()?.as_string()
}
