//! What a capture brings: the facts of every frame of a tab, and how the frames hang together.

use std::rc::Rc;

use crate::facts::Facts;
use crate::ids::ElementNo;

/// A tab at one moment. The first frame is the root; a frame comes after the one that holds it.
#[derive(Clone, Debug, Default)]
pub struct Page {
    /// All frames.
    pub frames: Vec<Frame>,
}

/// One frame.
#[derive(Clone, Debug)]
pub struct Frame {
    /// Where it hangs; `None` for the root.
    pub owner: Option<Owner>,
    /// What is said of it beside its name: its host, where that differs from its parent's. May be empty.
    pub label: String,
    /// Its facts, or why there are none.
    pub content: Result<Rc<Facts>, Unreadable>,
}

/// The element that holds a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Owner {
    /// Index of the frame the element is in.
    pub frame: usize,
    /// The element.
    pub element: ElementNo,
}

/// Why a frame could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreadable {
    /// In plain words, said in the frame's place.
    pub reason: String,
}

impl Page {
    /// A page of one frame.
    pub fn single(facts: Facts) -> Self {
        Self { frames: vec![Frame { owner: None, label: String::new(), content: Ok(Rc::new(facts)) }] }
    }

    /// Whether another page is made of the very same facts.
    pub fn is_same(&self, other: &Self) -> bool {
        let mut frames = self.frames.iter().zip(&other.frames);
        self.frames.len() == other.frames.len()
            && frames.all(|(one, another)| {
                let content = match (&one.content, &another.content) {
                    (Ok(one), Ok(another)) => Rc::ptr_eq(one, another),
                    (Err(one), Err(another)) => one == another,
                    (Ok(_), Err(_)) | (Err(_), Ok(_)) => false,
                };
                content && one.owner == another.owner && one.label == another.label
            })
    }

    /// The facts of a frame, if it was read.
    pub fn facts(&self, frame: usize) -> Option<&Rc<Facts>> {
        self.frames.get(frame).and_then(|frame| frame.content.as_ref().ok())
    }
}
