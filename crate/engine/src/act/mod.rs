//! `act`: one act on the page, what changed by it, and, where asked for, a second act among what changed.

mod aim;
mod check;
mod click;
mod control;
mod drag;
mod editor;
mod fill;
mod formatted;
mod gate;
mod kept;
pub mod keyboard;
pub mod keys;
mod listbox;
mod options;
mod passing;
mod point;
mod scroll;
mod secret;
mod select;
mod spot;
mod then;
mod turned;
mod typing;
mod upload;

pub use aim::{cover, way_out};
pub use control::{Control, named, read};
pub use fill::js;
use kept::{Held, Kept};
pub use passing::Watch;

use crate::{
    agent::AgentId,
    browser::Core,
    clock::{Instant, Millis},
    consent::sites,
    failure::Failure,
    look, mark,
    session::Session,
    settle::{self, Settled},
    tab::{Choosers, Sequence, Tab},
    tabs,
    target::{self, Care, Target},
};
use cdp::input::{DispatchDragEvent, DragEventType, SetInterceptDrags};
use futures::future::{Either, join, select};
use snapshot::{Ref, Tree};
use std::{
    cell::{Cell, RefCell},
    pin::{Pin, pin},
    rc::Rc,
};
use tools::{Act, RefName, Step};
use wire::Reply;

/// How long an act may take when the agent does not say.
const LIMIT: Millis = Millis(20_000);

/// What more is allowed for each character typed.
const PER_CHARACTER: u64 = 10;

/// What is known about who acts where.
#[derive(Clone)]
pub struct Stage {
    /// The engine's core.
    pub core: Rc<Core>,
    /// The agent.
    pub agent: AgentId,
    /// The tab.
    pub tab: Rc<Tab>,
    /// Words that the element's name or row must contain.
    pub expect: Option<String>,
    /// Whether checks are passed over.
    pub force: bool,
    /// When the whole act must have ended; later by what the person takes to confirm it.
    pub ends: Rc<Cell<Instant>>,
    /// The first event of the tab that can be the act's doing.
    pub begun: Sequence,
    /// Whether the page was touched: until then an act may be begun again.
    pub touched: Rc<Cell<bool>>,
    /// What is waited for to pass now: the reason to tell where the time ends meanwhile.
    pub hindered: Rc<RefCell<Option<Failure>>>,
    /// What the person allowed, where they were asked. It is for one try.
    pub bound: Rc<RefCell<Option<gate::Bound>>>,
}

/// How long something that passes (a cover, a movement, a disabled state) is waited for.
const PATIENCE: Millis = Millis(2_000);

/// What is kept of the time for saying why it did not work.
const RESERVE: Millis = Millis(150);

impl Stage {
    /// From now on the act is not begun again.
    pub fn touch(&self) {
        self.touched.set(true);
    }

    /// Says what is waited for now, or that nothing is.
    pub fn waits_for(&self, hindrance: Option<Failure>) {
        self.hindered.replace(hindrance);
    }

    /// How long something that passes may be waited for, so that the reason can still be told in time.
    pub fn patience(&self) -> Millis {
        let left = self.ends.get() - self.core.desk.now();
        Millis(left.0.saturating_sub(RESERVE.0)).min(PATIENCE)
    }

    /// The element a ref means.
    ///
    /// # Errors
    /// As [`target::find`].
    pub async fn find(&self, name: RefName, care: Care) -> Result<Target, Failure> {
        let expect = self.expect.as_deref();
        let found = target::find(&self.core, self.agent, &self.tab, Ref(name.0), expect, self.force, care);
        let found = found.await?;
        self.core.journal.on(&found.said, found.reference);
        mark::element(&found);
        Ok(found)
    }
}

/// What an act did.
#[derive(Clone, Default)]
pub struct Done {
    /// As the reply's first line says it: `click e9 button "Pay"`.
    pub what: String,
    /// What else matters.
    pub notes: Vec<String>,
    /// What controls must still hold when the page has settled.
    pub kept: Vec<Kept>,
}

impl Done {
    /// An act on an element.
    pub fn on(verb: &str, target: &Target) -> Self {
        let notes = target.note.iter().cloned().collect();
        Self { what: format!("{verb} {}", target.said), notes, kept: Vec::new() }
    }

    /// With what the element holds now.
    #[must_use]
    pub fn holding(mut self, value: &str) -> Self {
        self.what = format!("{} ={}", self.what, crate::reply::quoted(&crate::reply::clip(value)));
        self
    }

    /// Something else than an act on an element of the tree.
    pub fn plainly(what: impl Into<String>) -> Self {
        Self { what: what.into(), ..Self::default() }
    }

    /// With what a control must still hold when the page has settled.
    #[must_use]
    pub fn keeping(mut self, target: &Target, held: Held) -> Self {
        self.kept.push(Kept { target: target.clone(), held });
        self
    }

    /// With a remark.
    #[must_use]
    pub fn noting(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }
}

/// Carries out `act`.
pub async fn act(core: &Rc<Core>, agent: AgentId, act: Act) -> Reply {
    let reference = refs_of(&act.step).first().map(|name| Ref(name.0));
    let tab = match tabs::meant(core, agent, reference, act.tab) {
        Ok(tab) => tab,
        Err(failure) => return failure.reply(None),
    };
    let _turn = tabs::turn(core, &tab).await;
    // What the person takes to answer is none of the act's time.
    if let Err(failure) = sites::wait_at(core, agent, &tab).await {
        return failure.reply(Some(&tab.to_string()));
    }
    let limit =
        act.timeout_ms.map_or(LIMIT, |ms| Millis(ms.into())) + Millis(length(&act.step) * PER_CHARACTER);
    let stage = Stage {
        core: core.clone(),
        agent,
        tab: tab.clone(),
        expect: act.expect.clone(),
        force: act.force,
        ends: Rc::new(Cell::new(core.desk.now() + limit)),
        begun: tab.events().next(),
        touched: Rc::default(),
        hindered: Rc::default(),
        bound: Rc::default(),
    };
    tab.state.borrow_mut().popups.clear();
    match in_time(&stage, limit, both_steps(&stage, &act)).await {
        Ok((head, settled, watch)) => {
            let (mode, max_tokens) = (act.diff, act.max_tokens);
            let telling = look::Telling { mode, max_tokens, watch: Some(watch), scope: None };
            look::told(core, agent, &tab, head, settled, telling).await
        }
        Err(failure) => {
            let_go(core, &tab);
            failure.reply(Some(&tab.to_string()))
        }
    }
}

/// Does the work of an act until its time has run out.
async fn in_time<T>(
    stage: &Stage,
    limit: Millis,
    work: impl Future<Output = Result<T, Failure>>,
) -> Result<T, Failure> {
    let desk = &stage.core.desk;
    let out_of_time = async {
        loop {
            let left = stage.ends.get() - desk.now();
            if left == Millis(0) {
                return;
            }
            desk.sleep(left).await;
        }
    };
    let work: Pin<&mut dyn Future<Output = _>> = pin!(work);
    match select(work, pin!(out_of_time)).await {
        Either::Left((done, _)) => done,
        Either::Right(((), _)) => {
            let hindered = stage.hindered.take().filter(|_| !stage.touched.get());
            Err(hindered.unwrap_or(Failure::TimedOut { what: "the act", after: limit }))
        }
    }
}

async fn both_steps(stage: &Stage, act: &Act) -> Result<(String, Settled, Watch), Failure> {
    tabs::ready(&stage.core, stage.agent, &stage.tab).await?;
    let before =
        if act.then.is_some() { Some(crate::capture::capture(&stage.core, &stage.tab).await?) } else { None };
    // A session answers in turn, but for the mouse, which goes first: the page is watched before the questions whose
    // answers lead to a press, or what it makes might come and go unseen.
    let (watch, done) = join(passing::watch(stage), one_step(stage, &act.step)).await;
    let (done, settled) = done?;
    let mut head = format!("{} ok {}", stage.tab, said(&done));
    let Some((then, before)) = act.then.as_ref().zip(before) else { return Ok((head, settled, watch)) };
    let (second, settled) = second_step(stage, then, &before, settled).await?;
    head.push_str(" · then ");
    head.push_str(&said(&second));
    Ok((head, settled, watch))
}

/// A step, until the page has reacted to it.
async fn one_step(stage: &Stage, step: &Step) -> Result<(Done, Settled), Failure> {
    let begun = stage.tab.events().next();
    let mut done = keys::ended(stage, persist(stage, step).await).await?;
    let settled = settle::settle(&stage.core, &stage.tab, begun).await?;
    if settled.dialog.is_none() {
        kept::check(&mut done).await?;
    }
    Ok((done, settled))
}

async fn second_step(
    stage: &Stage,
    then: &tools::Then,
    before: &Rc<Tree>,
    first: Settled,
) -> Result<(Done, Settled), Failure> {
    if let Some(prompt) = first.dialog {
        return Err(Failure::DialogOpen { kind: prompt.kind, message: prompt.message });
    }
    let step = then::choose(stage, then, before).await?;
    let stage = Stage { expect: None, touched: Rc::default(), bound: Rc::default(), ..stage.clone() };
    let wrap = |failure: Failure| Failure::ThenFailed {
        code: failure.code(),
        what: failure.to_string(),
        next: failure.next(),
    };
    show_to_agent(&stage, &step).await.map_err(wrap)?;
    let (done, settled) = one_step(&stage, &step).await.map_err(wrap)?;
    Ok((done, settled))
}

fn said(done: &Done) -> String {
    let mut text = done.what.clone();
    for note in &done.notes {
        text.push_str(" · ");
        text.push_str(note);
    }
    text
}

/// The engine itself has just found the element of a second step: it counts as shown.
async fn show_to_agent(stage: &Stage, step: &Step) -> Result<(), Failure> {
    let tree = crate::capture::capture(&stage.core, &stage.tab).await?;
    for name in refs_of(step) {
        let reference = Ref(name.0);
        if let Some(print) = snapshot::fingerprint::of(&tree, reference)
            && let Some(view) = stage.core.agents.borrow_mut().view(stage.agent, stage.tab.name)
        {
            view.shown.insert(reference, print);
        }
    }
    Ok(())
}

/// How often an act is begun at most because the page was rendered anew under it. A page that does so all the time may be
/// quicker than a busy machine.
const TRIES: u32 = 12;

/// Begins an act again as long as the page was not touched and its element went only because the page was rendered
/// anew, and once when the hold on the tab was lost; what the ref means is looked up each time.
async fn persist(stage: &Stage, step: &Step) -> Result<Done, Failure> {
    let limit = stage.core.desk.now() + stage.patience();
    let mut held_again = false;
    let mut tries = 0;
    loop {
        tries += 1;
        let done = perform(stage, step).await;
        let last = tries == TRIES || stage.core.desk.now() >= limit;
        match &done {
            // What the person allowed was this try.
            Err(_) if last || stage.bound.borrow().is_some() => return done,
            Err(Failure::Vanished { .. } | Failure::DocumentChanged | Failure::FrameGone)
                if !stage.touched.get() => {}
            // Stopped before the page saw it: the element was rendered anew between aiming and pressing.
            Err(Failure::Missed { .. }) => {}
            Err(Failure::Detached { .. }) if !stage.touched.get() && !held_again => {
                held_again = true;
                tabs::ready(&stage.core, stage.agent, &stage.tab).await?;
            }
            _ => return done,
        }
    }
}

async fn perform(stage: &Stage, step: &Step) -> Result<Done, Failure> {
    match step {
        Step::Click { on, button, count, modifiers } => {
            click::click(stage, *on, *button, *count, modifiers).await
        }
        Step::Fill { fields } => fill::fill(stage, fields).await,
        Step::Type { into, text, at, replace, submit } => {
            typing::type_text(stage, *into, text, *at, replace.as_deref(), *submit).await
        }
        Step::Give { into, secret, typed } => secret::give(stage, *into, secret, *typed).await,
        Step::Press { key, on } => typing::press(stage, key, *on).await,
        Step::Select { on, values } => select::select(stage, *on, values).await,
        Step::Check { on, checked } => check::check(stage, *on, *checked).await,
        Step::Hover { on } => point::hover(stage, *on).await,
        Step::Focus { on } => control::focus(stage, *on).await,
        Step::Scroll { on, by } => scroll::scroll(stage, *on, *by).await,
        Step::Drag { from, to } => drag::drag(stage, *from, *to).await,
        Step::Upload { on, files } => upload::upload(stage, *on, files).await,
        Step::ClickAt { at, button, count, modifiers } => {
            spot::click_at(stage, *at, *button, *count, modifiers).await
        }
        Step::TypeAt { at, text } => spot::type_at(stage, *at, text).await,
        Step::HoverAt { at } => spot::hover_at(stage, *at).await,
        Step::DragAt { from, to } => drag::drag_at(stage, *from, *to).await,
    }
}

fn refs_of(step: &Step) -> Vec<RefName> {
    match step {
        Step::Click { on, .. }
        | Step::Select { on, .. }
        | Step::Check { on, .. }
        | Step::Hover { on }
        | Step::Focus { on }
        | Step::Give { into: on, .. }
        | Step::Upload { on, .. } => vec![*on],
        Step::Drag { from, to } => vec![*from, *to],
        Step::ClickAt { .. } | Step::TypeAt { .. } | Step::HoverAt { .. } | Step::DragAt { .. } => Vec::new(),
        Step::Fill { fields } => fields.iter().map(|field| field.reference).collect(),
        Step::Type { into: on, .. } | Step::Press { on, .. } | Step::Scroll { on, .. } => {
            on.iter().copied().collect()
        }
    }
}

fn length(step: &Step) -> u64 {
    let characters = match step {
        Step::Fill { fields } => fields.iter().map(|field| field.value.chars().count()).sum(),
        Step::Type { text, .. } | Step::TypeAt { text, .. } => text.chars().count(),
        Step::Click { .. }
        | Step::Give { .. }
        | Step::Press { .. }
        | Step::Select { .. }
        | Step::Check { .. }
        | Step::Hover { .. }
        | Step::Focus { .. }
        | Step::Scroll { .. }
        | Step::Drag { .. }
        | Step::Upload { .. }
        | Step::ClickAt { .. }
        | Step::HoverAt { .. }
        | Step::DragAt { .. } => 0,
    };
    characters as u64
}

/// Lets the mouse and the keys of a tab come up, whatever was under way.
pub fn let_go(core: &Rc<Core>, tab: &Rc<Tab>) {
    let held = std::mem::take(&mut tab.state.borrow_mut().held);
    let root = Session::root(core, tab);
    if let Some(data) = held.drag {
        let (x, y) = held.button.as_ref().map_or((0.0, 0.0), |(_, x, y, _)| (*x, *y));
        drop(root.call(&DispatchDragEvent { r#type: DragEventType::DragCancel, x, y, data }));
    }
    if held.intercepts {
        drop(root.call(&SetInterceptDrags { enabled: false }));
    }
    if let Choosers::Of(id) = held.choosers {
        upload::end(&Session { id, ..root.clone() });
    }
    if let Some((session, x, y, button)) = held.button {
        let session = Session { id: session, ..root.clone() };
        // Nobody waits for the answers: the page may be gone.
        drop(session.call(&point::release(x, y, button, 1, 0)));
    }
    for key in held.keys.into_iter().rev() {
        drop(root.call(&keyboard::up(&key, 0)));
    }
}
