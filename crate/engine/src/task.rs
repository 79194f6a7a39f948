//! Procedures as futures, with no runtime and no clock: a desk where calls go out and answers come in, timers that
//! the shell's time fires, and the loop that polls what was woken.

use crate::{
    clock::{Instant, Millis},
    failure::Failure,
    io::{CallError, CallId, CallResult, ChromeCall, Output},
};
use cdp::Answer;
use futures::{
    Future, FutureExt, StreamExt,
    channel::oneshot,
    future::{Either, JoinAll, LocalBoxFuture, join_all, select},
    stream::FuturesUnordered,
    task::{ArcWake, waker},
};
use std::{
    cell::RefCell,
    collections::{BTreeMap, VecDeque},
    pin::{Pin, pin},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll, Waker},
};

/// How long a call may take that should take no time.
pub const PROMPT: Millis = Millis(10_000);

#[derive(Default)]
struct Papers {
    now: Instant,
    next_call: u64,
    next_timer: u64,
    outputs: VecDeque<Output>,
    calls: BTreeMap<CallId, oneshot::Sender<CallResult>>,
    timers: BTreeMap<(Instant, u64), oneshot::Sender<()>>,
    spawned: Vec<LocalBoxFuture<'static, ()>>,
}

/// All of these at once; what they give comes in their order. Boxed, so that it is compiled once for each kind of
/// result, not for each procedure.
pub fn all<'a, T: 'a>(
    work: impl IntoIterator<Item = impl Future<Output = T> + 'a>,
) -> JoinAll<LocalBoxFuture<'a, T>> {
    join_all(work.into_iter().map(FutureExt::boxed_local))
}

/// Where procedures leave calls and find answers. Borrowed for moments only, never across an await.
#[derive(Default)]
pub struct Desk(RefCell<Papers>);

impl Desk {
    /// The time of the input being handled.
    pub fn now(&self) -> Instant {
        self.0.borrow().now
    }

    /// Sends something that has no answer.
    pub fn tell(&self, output: Output) {
        self.0.borrow_mut().outputs.push_back(output);
    }

    /// Calls the browser. A caller that stops waiting drops the answer when it comes. The call goes out now, not
    /// when the future is first polled: several calls made in a row are under way together.
    pub fn call(&self, call: ChromeCall) -> impl Future<Output = CallResult> + use<> {
        let mut papers = self.0.borrow_mut();
        let id = CallId(papers.next_call);
        papers.next_call += 1;
        papers.outputs.push_back(Output::Call { id, call });
        let (sender, receiver) = oneshot::channel();
        papers.calls.insert(id, sender);
        receiver.map(|answer| {
            answer.unwrap_or_else(|_| Err(CallError { code: None, message: "the call was dropped".into() }))
        })
    }

    /// Calls the browser, with a limit: for calls that should take no time.
    pub fn ask(&self, call: ChromeCall) -> impl Future<Output = Result<Answer, Failure>> + use<'_> {
        let answer = self.call(call);
        self.within(PROMPT, "the browser's answer", async move { Ok(answer.await?) })
    }

    /// Waits.
    pub fn sleep(&self, length: Millis) -> impl Future<Output = ()> + use<> {
        let mut papers = self.0.borrow_mut();
        let key = (papers.now + length, papers.next_timer);
        papers.next_timer += 1;
        let (sender, receiver) = oneshot::channel();
        papers.timers.insert(key, sender);
        receiver.map(|_| ())
    }

    /// Does work within a limit.
    ///
    /// # Errors
    /// [`Failure::TimedOut`] at the limit; the work is dropped.
    pub async fn within<T>(
        &self,
        limit: Millis,
        what: &'static str,
        work: impl Future<Output = Result<T, Failure>>,
    ) -> Result<T, Failure> {
        // Whatever the work is, this is compiled once for each kind of result.
        let work: Pin<&mut dyn Future<Output = _>> = pin!(work);
        match select(work, pin!(self.sleep(limit))).await {
            Either::Left((done, _)) => done,
            Either::Right(((), _)) => Err(Failure::TimedOut { what, after: limit }),
        }
    }

    /// Starts a procedure beside the others.
    pub fn spawn(&self, work: impl Future<Output = ()> + 'static) {
        self.0.borrow_mut().spawned.push(work.boxed_local());
    }

    pub(crate) fn set_now(&self, now: Instant) {
        self.0.borrow_mut().now = now;
    }

    /// Hands an answer to its caller; one that nobody waits for any more is dropped.
    pub(crate) fn answered(&self, call: CallId, result: CallResult) {
        if let Some(caller) = self.0.borrow_mut().calls.remove(&call) {
            // A caller that has gone is no error.
            let _ = caller.send(result);
        }
    }

    /// Fires the timers that are due, and drops those that nobody waits for.
    pub(crate) fn fire(&self) {
        let mut papers = self.0.borrow_mut();
        let now = papers.now;
        if papers.timers.first_key_value().is_none_or(|((at, _), _)| *at > now) {
            return;
        }
        papers.calls.retain(|_, caller| !caller.is_canceled());
        let later = papers.timers.split_off(&(now + Millis(1), 0));
        for sleeper in std::mem::replace(&mut papers.timers, later).into_values() {
            let _ = sleeper.send(());
        }
    }

    pub(crate) fn poll(&self) -> Option<Output> {
        self.0.borrow_mut().outputs.pop_front()
    }

    pub(crate) fn next_wake(&self) -> Option<Instant> {
        let mut papers = self.0.borrow_mut();
        while let Some(first) = papers.timers.first_entry() {
            if !first.get().is_canceled() {
                return Some(first.key().0);
            }
            first.remove();
        }
        None
    }
}

/// Whether anything was woken since it was last asked.
#[derive(Default)]
struct Woken(AtomicBool);

impl ArcWake for Woken {
    fn wake_by_ref(this: &Arc<Self>) {
        this.0.store(true, Ordering::Relaxed);
    }
}

/// The procedures under way. Each is polled only when something it waits for has come.
#[derive(Default)]
pub struct Tasks {
    running: FuturesUnordered<LocalBoxFuture<'static, ()>>,
    woken: Arc<Woken>,
}

impl Tasks {
    /// Runs until every procedure waits for something outside.
    pub fn run(&mut self, desk: &Desk) {
        let waker = waker(self.woken.clone());
        let mut cx = Context::from_waker(&waker);
        loop {
            let spawned = std::mem::take(&mut desk.0.borrow_mut().spawned);
            let fresh = !spawned.is_empty();
            self.running.extend(spawned);
            let woken = self.woken.0.swap(false, Ordering::Relaxed);
            if !fresh && !woken && desk.0.borrow().spawned.is_empty() {
                return;
            }
            while let Poll::Ready(Some(())) = self.running.poll_next_unpin(&mut cx) {}
        }
    }
}

/// Something that changes, and those who wait for it to be as they want.
#[derive(Default)]
pub struct Signal(RefCell<Vec<Waker>>);

impl Signal {
    /// Lets all who wait look again.
    pub fn raise(&self) {
        for waker in self.0.take() {
            waker.wake();
        }
    }

    /// Waits until the check yields something; it is asked now and after each [`Signal::raise`].
    pub fn until<'a, T>(&'a self, mut check: impl FnMut() -> Option<T> + 'a) -> impl Future<Output = T> + 'a {
        futures::future::poll_fn(move |cx| {
            if let Some(found) = check() {
                Poll::Ready(found)
            } else {
                let mut waiting = self.0.borrow_mut();
                if !waiting.iter().any(|waker| waker.will_wake(cx.waker())) {
                    waiting.push(cx.waker().clone());
                }
                Poll::Pending
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::rc::Rc;

    fn step(desk: &Desk, tasks: &mut Tasks, now: u64) {
        desk.set_now(Instant(now));
        desk.fire();
        tasks.run(desk);
    }

    #[test]
    fn equal_deadlines_are_distinct() {
        let (desk, mut tasks) = (Rc::new(Desk::default()), Tasks::default());
        let done = Rc::new(RefCell::new(0));
        for _ in 0..3 {
            let (desk2, done) = (desk.clone(), done.clone());
            desk.spawn(async move {
                desk2.sleep(Millis(5)).await;
                *done.borrow_mut() += 1;
            });
        }
        step(&desk, &mut tasks, 0);
        assert_eq!(desk.next_wake(), Some(Instant(5)));
        step(&desk, &mut tasks, 5);
        assert_eq!(*done.borrow(), 3);
        assert_eq!(desk.next_wake(), None);
    }

    #[test]
    fn a_late_answer_is_dropped() {
        let (desk, mut tasks) = (Rc::new(Desk::default()), Tasks::default());
        let failed = Rc::new(RefCell::new(None));
        let (desk2, failed2) = (desk.clone(), failed.clone());
        desk.spawn(async move {
            let work = desk2.call(ChromeCall::ConnectHost);
            let limited = desk2.within(Millis(10), "connecting", async { work.await.map_err(Failure::from) });
            *failed2.borrow_mut() = limited.await.err();
        });
        step(&desk, &mut tasks, 0);
        assert!(desk.poll().is_some());
        step(&desk, &mut tasks, 10);
        assert!(matches!(*failed.borrow(), Some(Failure::TimedOut { .. })));
        desk.answered(CallId(0), Ok(Answer::Json("{}".into())));
        step(&desk, &mut tasks, 11);
        assert!(desk.0.borrow().calls.is_empty());
    }

    #[test]
    fn hundreds_of_calls_in_flight_are_polled_once_each() {
        let (desk, mut tasks) = (Rc::new(Desk::default()), Tasks::default());
        let polls = Rc::new(RefCell::new(0_u32));
        for _ in 0..500 {
            let (desk2, polls) = (desk.clone(), polls.clone());
            desk.spawn(async move {
                let mut call = Box::pin(desk2.call(ChromeCall::ConnectHost));
                futures::future::poll_fn(|cx| {
                    *polls.borrow_mut() += 1;
                    call.as_mut().poll(cx)
                })
                .await
                .ok();
            });
        }
        step(&desk, &mut tasks, 0);
        for id in 0..500 {
            desk.answered(CallId(id), Ok(Answer::Json("{}".into())));
            step(&desk, &mut tasks, 1);
        }
        assert_eq!(*polls.borrow(), 1000);
    }
}
