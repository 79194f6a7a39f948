//! Which element a ref stands for. One counter per profile; a number is never given twice, whatever is forgotten.

use rustc_hash::FxHashMap;
use std::fmt::Write as _;

use thiserror::Error;

use crate::ids::{DocumentNo, ElementNo, Ref};

/// All refs of a profile.
#[derive(Clone, Debug)]
pub struct Refs {
    next: u32,
    documents: FxHashMap<DocumentNo, FxHashMap<ElementNo, Ref>>,
    elements: FxHashMap<Ref, (DocumentNo, ElementNo)>,
    /// How many a document may have before it is looked for those that are gone.
    room: FxHashMap<DocumentNo, usize>,
}

/// How many elements of a document that are gone keep their refs: those that got theirs last. They may come back, and
/// what they were is told to whoever still means them.
const GONE: usize = 2_000;

/// A saved list of refs that cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the saved refs are not readable")]
pub struct NotRefs;

impl Default for Refs {
    fn default() -> Self {
        Self {
            next: 1,
            documents: FxHashMap::default(),
            elements: FxHashMap::default(),
            room: FxHashMap::default(),
        }
    }
}

impl Refs {
    /// No refs yet; the first will be `e1`.
    pub fn new() -> Self {
        Self::default()
    }

    /// What a ref stands for.
    pub fn lookup(&self, reference: Ref) -> Option<(DocumentNo, ElementNo)> {
        self.elements.get(&reference).copied()
    }

    /// The ref of an element, if it has one.
    pub fn get(&self, document: DocumentNo, element: ElementNo) -> Option<Ref> {
        self.documents.get(&document)?.get(&element).copied()
    }

    /// The ref of an element; a new one if it has none.
    pub fn assign(&mut self, document: DocumentNo, element: ElementNo) -> Ref {
        if let Some(reference) = self.get(document, element) {
            return reference;
        }
        let reference = Ref(self.next);
        self.next = self.next.saturating_add(1);
        self.bind(document, element, reference);
        reference
    }

    /// Gives the ref of an element that is gone to the one that took its place, if that has none yet. True if done.
    pub fn rebind(&mut self, reference: Ref, element: ElementNo) -> bool {
        let Some((document, old)) = self.lookup(reference) else { return false };
        if self.get(document, element).is_some() {
            return false;
        }
        if let Some(elements) = self.documents.get_mut(&document) {
            elements.remove(&old);
        }
        self.bind(document, element, reference);
        true
    }

    /// Lets go of the refs of a document's elements that are gone, but for the last of them. Looks only when there are
    /// many more than the last time.
    pub fn prune(&mut self, document: DocumentNo, is_there: impl Fn(ElementNo) -> bool) {
        let Some(elements) = self.documents.get_mut(&document) else { return };
        let room = self.room.entry(document).or_insert(2 * GONE);
        if elements.len() < *room {
            return;
        }
        let gone = elements.iter().filter(|(element, _)| !is_there(**element));
        let mut gone: Vec<(Ref, ElementNo)> =
            gone.map(|(element, reference)| (*reference, *element)).collect();
        gone.sort_unstable();
        for (reference, element) in &gone[..gone.len().saturating_sub(GONE)] {
            elements.remove(element);
            self.elements.remove(reference);
        }
        *room = elements.len() + GONE;
    }

    /// Lets go of all refs of a document. Their numbers are not given again.
    pub fn forget(&mut self, document: DocumentNo) {
        for reference in self.documents.remove(&document).unwrap_or_default().into_values() {
            self.elements.remove(&reference);
        }
        self.room.remove(&document);
    }

    /// How many refs a document has.
    pub fn count(&self, document: DocumentNo) -> usize {
        self.documents.get(&document).map_or(0, FxHashMap::len)
    }

    /// Documents that have refs, in order.
    pub fn documents(&self) -> Vec<DocumentNo> {
        let mut documents: Vec<_> = self.documents.keys().copied().collect();
        documents.sort_unstable();
        documents
    }

    /// The number the next ref will have: to be kept where it outlives everything.
    pub fn next(&self) -> u32 {
        self.next
    }

    /// Makes sure that no ref below this number is given any more.
    pub fn raise(&mut self, next: u32) {
        self.next = self.next.max(next);
    }

    /// All refs of a document as text: the document's number, then runs `element+ref*length`.
    pub fn save(&self, document: DocumentNo) -> String {
        let mut pairs: Vec<(ElementNo, Ref)> = self
            .documents
            .get(&document)
            .into_iter()
            .flatten()
            .map(|(element, reference)| (*element, *reference))
            .collect();
        pairs.sort_unstable();
        let mut out = document.0.to_string();
        let mut pairs = pairs.into_iter().peekable();
        while let Some((element, reference)) = pairs.next() {
            let mut length = 1;
            while pairs
                .next_if_eq(&(
                    ElementNo(element.0.wrapping_add(length)),
                    Ref(reference.0.wrapping_add(length)),
                ))
                .is_some()
            {
                length += 1;
            }
            // Writing to a string cannot fail.
            let _ = write!(out, " {}+{}", element.0, reference.0);
            if length > 1 {
                let _ = write!(out, "*{length}");
            }
        }
        out
    }

    /// Takes in what [`Refs::save`] wrote, and raises the counter above it.
    ///
    /// # Errors
    ///
    /// When the text is not of that form; nothing is taken in then.
    pub fn load(&mut self, text: &str) -> Result<DocumentNo, NotRefs> {
        let mut words = text.split(' ');
        let document = DocumentNo(number(words.next().unwrap_or_default())?);
        let mut runs = Vec::new();
        for word in words {
            let (element, rest) = word.split_once('+').ok_or(NotRefs)?;
            let (reference, length) = rest.split_once('*').unwrap_or((rest, "1"));
            let (element, reference, length) = (number(element)?, number(reference)?, number(length)?);
            let fits = |first: u32| first.checked_add(length).is_some();
            if !fits(element) || !fits(reference) || length > 10_000_000 {
                return Err(NotRefs);
            }
            runs.push((element, reference, length));
        }
        for (element, reference, length) in runs {
            for n in 0..length {
                self.bind(document, ElementNo(element + n), Ref(reference + n));
            }
            self.raise(reference + length);
        }
        Ok(document)
    }

    fn bind(&mut self, document: DocumentNo, element: ElementNo, reference: Ref) {
        self.documents.entry(document).or_default().insert(element, reference);
        self.elements.insert(reference, (document, element));
    }
}

fn number(text: &str) -> Result<u32, NotRefs> {
    text.parse().map_err(|_| NotRefs)
}

#[cfg(test)]
mod tests {
    use super::*;

    const DOC: DocumentNo = DocumentNo(7);

    #[test]
    fn a_number_is_never_given_twice() {
        let mut refs = Refs::new();
        assert_eq!(refs.assign(DOC, ElementNo(5)), Ref(1));
        assert_eq!(refs.assign(DOC, ElementNo(5)), Ref(1));
        refs.forget(DOC);
        assert_eq!(refs.lookup(Ref(1)), None);
        assert_eq!(refs.assign(DOC, ElementNo(5)), Ref(2));
        refs.raise(100);
        refs.raise(50);
        assert_eq!(refs.assign(DOC, ElementNo(6)), Ref(100));
    }

    #[test]
    fn saved_refs_come_back() {
        let mut refs = Refs::new();
        for element in [4, 5, 6, 20, 2] {
            refs.assign(DOC, ElementNo(element));
        }
        let saved = refs.save(DOC);
        assert_eq!(saved, "7 2+5 4+1*3 20+4");
        let mut back = Refs::new();
        assert_eq!(back.load(&saved), Ok(DOC));
        assert_eq!(back.lookup(Ref(2)), Some((DOC, ElementNo(5))));
        assert_eq!(back.next(), 6);
        assert_eq!(back.save(DOC), saved);
        assert_eq!(back.load("7 2-5"), Err(NotRefs));
        assert_eq!(back.load("7 2+4294967295*9"), Err(NotRefs));
    }

    #[test]
    fn a_document_that_lives_long_keeps_the_refs_of_what_is_there() {
        let mut refs = Refs::new();
        let stays = refs.assign(DOC, ElementNo(1));
        let mut most = 0;
        // 100,000 elements come and go, 500 at a time.
        for batch in 0..200 {
            let there = 2 + batch * 500..2 + (batch + 1) * 500;
            for element in there.clone() {
                refs.assign(DOC, ElementNo(element));
            }
            refs.prune(DOC, |element| element == ElementNo(1) || there.contains(&element.0));
            most = most.max(refs.elements.len());
            assert!(there.clone().all(|element| refs.get(DOC, ElementNo(element)).is_some()));
        }
        assert!(most < 3 * GONE, "{most} are kept");
        assert_eq!(refs.documents[&DOC].len(), refs.elements.len());
        assert_eq!(refs.lookup(stays), Some((DOC, ElementNo(1))));
        // What went last is still known; its number is nobody else's.
        assert_eq!(refs.lookup(Ref(refs.next() - 600)).map(|(document, _)| document), Some(DOC));
        assert_eq!(refs.lookup(Ref(2)), None);
        assert_eq!(refs.assign(DOC, ElementNo(2)), Ref(100_002));
    }

    #[test]
    fn a_ref_passes_on_only_to_an_element_without_one() {
        let mut refs = Refs::new();
        let old = refs.assign(DOC, ElementNo(1));
        refs.assign(DOC, ElementNo(2));
        assert!(!refs.rebind(old, ElementNo(2)));
        assert!(refs.rebind(old, ElementNo(3)));
        assert_eq!(refs.lookup(old), Some((DOC, ElementNo(3))));
        assert_eq!(refs.get(DOC, ElementNo(1)), None);
    }
}
