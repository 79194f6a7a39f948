//! Captures a tab: the facts of every frame, of one moment, as a tree.

use crate::{
    address::is_web,
    ahead,
    browser::Core,
    clock::Millis,
    failure::Failure,
    place::{Found, Reach, places},
    pointing,
    reading::{self, Mark},
    reply,
    tab::Tab,
    task::all,
};
use cdp::{FrameId, dom};
use litemap::LiteMap;
use snapshot::{DocumentNo, ElementNo, Facts, Frame, Owner, Page, Tree, Unreadable};
use std::{collections::VecDeque, rc::Rc};

/// How often a capture is begun again because a document changed under it.
const TRIES: u32 = 4;

/// One frame, read or not.
struct Read {
    url: String,
    facts: Result<Rc<Facts>, Unreadable>,
    children: LiteMap<ElementNo, FrameId>,
}

/// The tree of the tab as it is now: the one of the last capture when nothing changed since.
///
/// # Errors
/// When the tab is lost, crashed, stopped by a dialog, or its root document cannot be read.
pub async fn capture(core: &Rc<Core>, tab: &Rc<Tab>) -> Result<Rc<Tree>, Failure> {
    for left in (0..TRIES).rev() {
        let documents = tab.state.borrow().documents;
        match take(core, tab, left == 0).await {
            Ok(taken) => {
                let torn = tab.state.borrow().documents != documents;
                if !torn || left == 0 {
                    return Ok(keep(core, tab, taken, torn));
                }
            }
            Err(Failure::DocumentChanged | Failure::FrameGone) if left > 0 => {}
            Err(failure) => return Err(failure),
        }
    }
    Err(Failure::DocumentChanged)
}

struct Taken {
    page: Page,
    reached: LiteMap<DocumentNo, Reach>,
    owners: LiteMap<DocumentNo, (DocumentNo, ElementNo)>,
}

/// Only a capture that is kept is judged: judging binds refs.
fn keep(core: &Rc<Core>, tab: &Rc<Tab>, taken: Taken, torn: bool) -> Rc<Tree> {
    let document = taken.page.facts(0).map(|facts| facts.document());
    core.agents.borrow_mut().turn(tab.name, document);
    let here: Vec<_> = taken.reached.keys().copied().collect();
    let previous = let_go(tab, document, &here);
    let tree = match previous {
        Some(previous) if previous.page().is_same(&taken.page) => previous,
        Some(previous) => Rc::new(Tree::build_after(&taken.page, &mut core.refs.borrow_mut(), &previous)),
        None => Rc::new(Tree::build(&taken.page, &mut core.refs.borrow_mut())),
    };
    let tree = pointing::marked(core, tab, tree);
    for document in taken.reached.keys() {
        let facts = tree.frame_of(*document).and_then(|frame| tree.facts(frame));
        let is_there = |element| facts.is_some_and(|facts| facts.find(element).is_some());
        core.refs.borrow_mut().prune(*document, is_there);
    }
    let mut state = tab.state.borrow_mut();
    state.torn = torn;
    state.title = reply::clip(tree.title());
    let mut documents = core.documents.borrow_mut();
    for document in taken.reached.keys() {
        documents.insert(*document, tab.name);
        core.touched.borrow_mut().insert(*document);
    }
    let counted: Vec<_> = taken
        .reached
        .iter()
        .filter_map(|(document, reach)| {
            Some((reach.clone(), *document, state.known.get(document)?.mark.changes()))
        })
        .collect();
    state.homes = taken.reached.into_iter().map(|(document, reach)| (document, reach.place)).collect();
    state.owners = taken.owners;
    state.rendered.take_if(|rendered| !rendered.is_of(&tree));
    state.captured = Some(tree.clone());
    drop((state, documents));
    for (reach, document, changes) in counted {
        ahead::listen(core, tab, reach, document, changes);
    }
    prune(core, tab, &here);
    tree
}

/// Lets go of what is known of documents that a tab shows no longer, before another tree is made: large pages would be
/// held twice. Gives the last tree if it is of the same root document.
fn let_go(tab: &Tab, document: Option<DocumentNo>, here: &[DocumentNo]) -> Option<Rc<Tree>> {
    let mut state = tab.state.borrow_mut();
    state.known.retain(|document, _| here.contains(document));
    state.learnt.retain(|document, _| here.contains(document));
    if state.captured.as_ref().is_some_and(|tree| tree.document() != document) {
        state.captured = None;
        state.rendered = None;
    }
    state.captured.clone()
}

/// How many documents of a tab are remembered that it does not show: those that back and forward may bring again.
const REMEMBERED: usize = 32;

/// How many refs they may have together.
const REMEMBERED_REFS: usize = 20_000;

/// Forgets the documents that a tab showed longest ago.
fn prune(core: &Core, tab: &Tab, here: &[DocumentNo]) {
    let mut documents = core.documents.borrow_mut();
    let mut refs = core.refs.borrow_mut();
    let left = documents.iter().rev().filter(|(document, of)| **of == tab.name && !here.contains(document));
    let gone = outdated(left.map(|(document, _)| (*document, refs.count(*document))));
    for document in gone {
        documents.remove(&document);
        refs.forget(document);
    }
}

/// Of documents, youngest first with how many refs each has, those that are too many. The youngest is one step back
/// away: it stays, however large it is.
fn outdated(left: impl Iterator<Item = (DocumentNo, usize)>) -> Vec<DocumentNo> {
    let mut refs = 0;
    let numbered = left.enumerate().filter(|(place, (_, count))| {
        refs += count;
        *place >= REMEMBERED || (*place > 0 && refs > REMEMBERED_REFS)
    });
    numbered.map(|(_, (document, _))| document).collect()
}

/// Captures once. Frames of a moment that has passed end the try, but for the last one: it says so in their place.
async fn take(core: &Rc<Core>, tab: &Rc<Tab>, last: bool) -> Result<Taken, Failure> {
    tab.state.borrow_mut().stale = false;
    let found = stands(core, tab).await?;
    let root = found.first().map(|found| found.frame.clone()).ok_or(Failure::DocumentChanged)?;
    let read = read_all(core, tab, found).await;
    let mut reads = LiteMap::new();
    let mut reached = LiteMap::new();
    for (frame, result) in read {
        let (url, facts, children) = match result {
            Ok(document) => {
                reached.insert(document.facts.document(), document.reach.clone());
                (document.url, Ok(document.facts), document.children)
            }
            Err((_, failure)) if frame == root => return Err(failure),
            // One that went while it was read belongs to a moment that has passed.
            Err((_, failure @ (Failure::DocumentChanged | Failure::FrameGone))) if !last => {
                return Err(failure);
            }
            Err((url, failure)) => (url, Err(Unreadable { reason: failure.to_string() }), LiteMap::new()),
        };
        reads.insert(frame, Read { url, facts, children });
    }
    let (page, owners) = stitch(&root, reads);
    Ok(Taken { page, reached, owners })
}

/// The frames of the tab: as they stood at the last capture, if nothing was told of the tab since.
async fn stands(core: &Rc<Core>, tab: &Rc<Tab>) -> Result<Vec<Found>, Failure> {
    let at = tab.events();
    let stood = tab.state.borrow().stood.clone();
    if let Some((_, found)) = stood.filter(|(then, _)| *then == at) {
        return Ok(found);
    }
    let found = places(core, tab).await?;
    let whole = found.iter().all(|found| found.place.is_ok());
    tab.state.borrow_mut().stood = whole.then(|| (at, found.clone()));
    Ok(found)
}

/// A page or frame of a site that the tab's agent may not be at is not read.
fn allowed(core: &Core, tab: &Tab, found: &Found) -> Result<(), Failure> {
    let (owner, is_root) = {
        let state = tab.state.borrow();
        if state.is_shared_at(&found.url) {
            return Ok(());
        }
        (state.owner, state.root.as_ref() == Some(&found.frame))
    };
    let agents = core.agents.borrow();
    match owner.and_then(|owner| agents.all.get(&owner)) {
        Some(agent) if is_root && is_web(&found.url) => core.consent.site(agent, &found.url),
        Some(agent) => core.consent.frame(agent, &found.url),
        None => Ok(()),
    }
}

/// How long a frame may take that holds up the page's own document.
pub const FRAME: Millis = Millis(2_500);

struct Document {
    url: String,
    facts: Rc<Facts>,
    reach: Reach,
    children: LiteMap<ElementNo, FrameId>,
}

type Outcome = Result<Document, (String, Failure)>;

/// Reads all frames at once.
async fn read_all(core: &Rc<Core>, tab: &Rc<Tab>, found: Vec<Found>) -> Vec<(FrameId, Outcome)> {
    let reaches: Vec<_> = found.iter().map(|found| reach(core, tab, found)).collect();
    let asked: Vec<_> = reaches.iter().filter_map(|reach| reach.as_ref().ok().cloned()).collect();
    let mut marks = reading::marks(core, tab, &asked).await.into_iter();
    let read: Vec<_> = found
        .into_iter()
        .zip(reaches)
        .map(|(found, reach)| {
            let marked = reach.and_then(|reach| {
                let mark = marks.next().unwrap_or(Err(Failure::DocumentChanged))?;
                Ok((reach, mark))
            });
            read(core, tab, found, &asked, marked)
        })
        .collect();
    all(read).await
}

/// The way to a frame's document, if it may be read.
fn reach(core: &Rc<Core>, tab: &Rc<Tab>, found: &Found) -> Result<Reach, Failure> {
    if tab.is_silent(&found.frame, core.desk.now()) {
        return Err(Failure::TimedOut { what: "reading the frame", after: FRAME });
    }
    allowed(core, tab, found)?;
    Ok(Reach::new(core, tab, found.place.clone()?))
}

async fn read(
    core: &Rc<Core>,
    tab: &Rc<Tab>,
    found: Found,
    beside: &[Reach],
    marked: Result<(Reach, Mark), Failure>,
) -> (FrameId, Outcome) {
    let Found { frame, url, .. } = found;
    let own = tab.state.borrow().root.as_ref() == Some(&frame);
    let document = async {
        let (reach, mark) = marked?;
        let known = reading::at_place(tab, &reach);
        let read = reading::document(core, &reach, beside, known.as_ref(), mark).await?;
        let facts = read.facts.clone();
        let children = children(&reach, &facts).await?;
        tab.state.borrow_mut().known.insert(facts.document(), read);
        Ok((facts, reach, children))
    };
    let document =
        if own { document.await } else { core.desk.within(FRAME, "reading the frame", document).await };
    if matches!(document, Err(Failure::TimedOut { .. })) {
        tab.fell_silent(&frame, core.desk.now());
    }
    let read = match document {
        Ok((facts, reach, children)) => Ok(Document { url, facts, reach, children }),
        Err(failure) => Err((url, failure)),
    };
    (frame, read)
}

/// Which frame each frame element of a document shows.
async fn children(reach: &Reach, facts: &Facts) -> Result<LiteMap<ElementNo, FrameId>, Failure> {
    let tab = &reach.session.tab;
    let document = facts.document();
    let (known, unknown): (Vec<_>, Vec<_>) = {
        let state = tab.state.borrow();
        facts
            .frames()
            .into_iter()
            .map(|element| (element, state.frames.get(&(document, element)).cloned()))
            .partition(|(_, frame)| frame.is_some())
    };
    let mut children: LiteMap<_, _> =
        known.into_iter().filter_map(|(element, frame)| Some((element, frame?))).collect();
    if unknown.is_empty() {
        return Ok(children);
    }
    let asked = all(unknown.into_iter().map(|(element, _)| async move {
        let object = reach.object(element).await?;
        let node = reach.session.call(&dom::DescribeNode { object_id: object }).await?.node;
        Ok::<_, Failure>((element, node.frame_id))
    }));
    for answer in asked.await {
        // An element that went meanwhile shows nothing; one that shows no frame is told as such.
        if let Ok((element, Some(frame))) = answer {
            tab.state.borrow_mut().frames.insert((document, element), frame.clone());
            children.insert(element, frame);
        }
    }
    reach.release();
    Ok(children)
}

/// Hangs the frames together, a frame after the one that holds it.
fn stitch(
    root: &FrameId,
    mut reads: LiteMap<FrameId, Read>,
) -> (Page, LiteMap<DocumentNo, (DocumentNo, ElementNo)>) {
    let mut page = Page::default();
    let mut owners = LiteMap::new();
    let mut queue = VecDeque::from([(root.clone(), None::<Owner>, String::new())]);
    while let Some((frame, owner, parent_host)) = queue.pop_front() {
        let mut read = reads.remove(&frame).unwrap_or_else(|| Read {
            url: String::new(),
            facts: Err(Unreadable { reason: "the frame has not loaded".into() }),
            children: LiteMap::new(),
        });
        let owning = owner.and_then(|owner| page.facts(owner.frame)?.find(owner.element));
        // What it is to show is asked for later: it still shows the blank document that it began with.
        if is_blank(&read) && owning.is_some_and(|element| element.has_attribute(":lazy")) {
            let reason = "it loads once it is near what is in view: scroll to it".into();
            read.facts = Err(Unreadable { reason });
        }
        let own = host(&read.url);
        let label = if owner.is_some() && own != parent_host { own.clone() } else { String::new() };
        let index = page.frames.len();
        if let (Some(owner), Ok(facts)) = (owner, &read.facts)
            && let Some(outer) = page.facts(owner.frame)
        {
            owners.insert(facts.document(), (outer.document(), owner.element));
        }
        for (element, child) in read.children {
            let host = if own.is_empty() { parent_host.clone() } else { own.clone() };
            queue.push_back((child, Some(Owner { frame: index, element }), host));
        }
        page.frames.push(Frame { owner, label, content: read.facts });
    }
    (page, owners)
}

/// Whether it is the empty document that every frame begins with: an `<html>` and a `<body>` at most.
fn is_blank(read: &Read) -> bool {
    let is_empty = |facts: &Rc<Facts>| facts.element(0).is_none() || facts.end(0) <= 2;
    (read.url.is_empty() || read.url == "about:blank") && read.facts.as_ref().is_ok_and(is_empty)
}

/// Host and port of an address; empty for those that have none (srcdoc, blank, data).
fn host(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else { return String::new() };
    if scheme != "http" && scheme != "https" {
        return String::new();
    }
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let authority = &rest[..end];
    authority.rsplit('@').next().unwrap_or(authority).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_read_without_user_and_path() {
        assert_eq!(host("https://a.example/x"), "a.example");
        assert_eq!(host("http://user@127.0.0.1:80?q"), "127.0.0.1:80");
        assert_eq!(host("about:srcdoc"), "");
    }

    fn outdated_of(counts: &[usize]) -> Vec<u32> {
        let left = (1..).map(DocumentNo).zip(counts.iter().copied());
        outdated(left).into_iter().map(|document| document.0).collect()
    }

    #[test]
    fn few_documents_are_remembered_and_few_refs_but_always_the_youngest() {
        assert_eq!(outdated_of(&[10; REMEMBERED]), [0; 0]);
        assert_eq!(outdated_of(&[10; REMEMBERED + 2]), [33, 34]);
        assert_eq!(outdated_of(&[REMEMBERED_REFS + 1]), [0; 0]);
        assert_eq!(outdated_of(&[REMEMBERED_REFS + 1, 1, 1]), [2, 3]);
        assert_eq!(outdated_of(&[REMEMBERED_REFS / 2, REMEMBERED_REFS / 2, 1]), [3]);
    }
}
