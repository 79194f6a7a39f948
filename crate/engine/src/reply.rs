//! How replies are worded: headings, quoting, and reading what the browser answers.

use crate::{failure::Failure, tab::Tab};
use cdp::Answer;
use serde::de::DeserializeOwned;

/// Quotes a text of the page: it can forge no line.
pub fn quoted(text: &str) -> String {
    snapshot::render::quote(text)
}

/// An address as it stands in a heading: no white space, no credentials, and not without end.
pub fn address(url: &str) -> String {
    const MOST: usize = 200;
    let clean: String = crate::address::bare(url)
        .chars()
        .filter(|c| !c.is_whitespace() && !c.is_control())
        .take(MOST + 1)
        .collect();
    if clean.chars().count() > MOST {
        format!("{}…", clean.chars().take(MOST).collect::<String>())
    } else {
        clean
    }
}

/// A text of the page as far as a reply needs it.
pub fn clip(text: &str) -> String {
    const MOST: usize = 200;
    match text.char_indices().nth(MOST) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}… ({} characters)", &text[..end], text.chars().count()),
    }
}

/// The first words of a reply: `t3 "Checkout" https://shop.example/pay`.
pub fn heading(tab: &Tab) -> String {
    let state = tab.state.borrow();
    format!("{tab} {} {}", quoted(&state.title), address(&state.url))
}

/// Reads the JSON that a call of ours answers.
///
/// # Errors
/// When it is of another shape.
pub fn read<T: DeserializeOwned>(answer: Answer) -> Result<T, Failure> {
    let (Answer::Json(text) | Answer::Text(text)) = answer;
    serde_json::from_str(&text)
        .map_err(|e| Failure::Unreadable(format!("the browser's answer does not read: {e}")))
}
