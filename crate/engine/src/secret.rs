//! Secrets that were put into pages: what they read as is taken out of all that leaves the worker. Knows nothing of where
//! they come from.

use snapshot::Facts;
use std::{cell::RefCell, collections::BTreeSet, rc::Rc};
use wire::{Content, Hidden, Reply, Save, journal::Entry};

/// Shorter ones would take words out of every page; they are kept back in their field alone. In characters.
const SHORTEST: usize = 4;

/// How many are remembered; what is put in then is put in all the same.
const MOST: usize = 64;

/// What stands in place of one.
const MASK: &str = "•••";

/// The values, until the browser ends.
#[derive(Debug, Default)]
pub struct Secrets {
    values: RefCell<BTreeSet<Hidden>>,
    /// As each may read in a text, the longest first.
    forms: RefCell<Vec<Hidden>>,
}

impl Secrets {
    /// From now on this one is taken out.
    pub fn hide(&self, value: &Hidden) {
        let mut values = self.values.borrow_mut();
        if value.0.chars().count() < SHORTEST || values.len() >= MOST || !values.insert(value.clone()) {
            return;
        }
        let mut forms: BTreeSet<Hidden> =
            values.iter().flat_map(|value| forms(&value.0)).map(Hidden).collect();
        let mut forms: Vec<_> = std::mem::take(&mut forms).into_iter().collect();
        forms.sort_by_key(|form| std::cmp::Reverse(form.0.len()));
        *self.forms.borrow_mut() = forms;
    }

    /// Those that are known.
    pub fn all(&self) -> BTreeSet<Hidden> {
        self.values.borrow().clone()
    }

    /// A text without them; none where it has none.
    fn masked(&self, text: &str) -> Option<String> {
        let forms = self.forms.borrow();
        let mut masked: Option<String> = None;
        for Hidden(form) in forms.iter() {
            let now = masked.as_deref().unwrap_or(text);
            if now.contains(form.as_str()) {
                masked = Some(now.replace(form.as_str(), MASK));
            }
        }
        masked
    }

    fn mask(&self, text: &mut String) {
        if let Some(masked) = self.masked(text) {
            *text = masked;
        }
    }

    /// Takes them out of a reply.
    pub fn mask_reply(&self, mut reply: Reply) -> Reply {
        if self.forms.borrow().is_empty() {
            return reply;
        }
        for block in &mut reply.content {
            match block {
                Content::Text { text } => self.mask(text),
                Content::Image { .. } => {}
            }
        }
        match &mut reply.save {
            Some(Save::Text { text }) => self.mask(text),
            Some(Save::Image { .. }) | None => {}
        }
        if let Some(json) = &mut reply.json
            && let Some(masked) = self.masked(&json.to_string())
        {
            // The mask is no sign of JSON's: what was taken out of strings leaves strings.
            *json = serde_json::from_str(&masked).unwrap_or_default();
        }
        reply
    }

    /// Takes them out of a line of the journal.
    pub fn mask_entry(&self, entry: &mut Entry) {
        self.mask(&mut entry.what);
        for text in [&mut entry.site, &mut entry.on].into_iter().flatten() {
            self.mask(text);
        }
    }

    /// Takes them out of what a document reports, before any of it is shortened.
    pub fn mask_facts(&self, facts: &mut Rc<Facts>) {
        if !self.forms.borrow().is_empty() && facts.texts().any(|text| self.masked(text).is_some()) {
            Rc::make_mut(facts).rewrite(|text| self.masked(text));
        }
    }
}

/// How a value may read: as it is, as JSON and replies quote it, in an address, in HTML.
fn forms(value: &str) -> Vec<String> {
    let json = serde_json::to_string(value).unwrap_or_default();
    let within =
        |quoted: &str| quoted.trim_start_matches('"').strip_suffix('"').unwrap_or_default().to_owned();
    let percent = |plain: &str| {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || plain.as_bytes().contains(&byte);
        let signs = value
            .bytes()
            .map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") });
        signs.collect::<String>()
    };
    let html = value.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let mut forms = vec![
        value.to_owned(),
        json.get(1..json.len().saturating_sub(1)).unwrap_or_default().to_owned(),
        within(&crate::reply::quoted(value)),
        // As `encodeURIComponent`, and as forms send it.
        percent("-_.!~*'()"),
        percent("*-._ ").replace(' ', "+"),
        html.replace('"', "&quot;"),
        html,
    ];
    forms.retain(|form| form.chars().count() >= SHORTEST);
    forms
}

#[cfg(test)]
mod tests {
    use super::*;

    fn masked(value: &str, text: &str) -> String {
        let secrets = Secrets::default();
        secrets.hide(&Hidden(value.into()));
        let Some(Content::Text { text }) = secrets.mask_reply(Reply::text(text)).content.pop() else {
            panic!()
        };
        text
    }

    #[test]
    fn a_secret_is_taken_out_however_it_is_written() {
        let value = r#"p"a&s s+w"#;
        for text in [
            value.to_owned(),
            serde_json::to_string(value).unwrap(),
            crate::reply::quoted(value),
            "https://a.example/?q=p%22a%26s%20s%2Bw&r".into(),
            "https://a.example/?q=p%22a%26s+s%2Bw&r".into(),
            "<b>p\"a&amp;s s+w</b>".into(),
            "<input value=\"p&quot;a&amp;s s+w\">".into(),
        ] {
            let masked = masked(value, &format!("before {text} after"));
            assert!(masked.contains("•••"), "{text}: {masked}");
            assert!(masked.starts_with("before ") && masked.ends_with(" after"), "{masked}");
        }
    }

    #[test]
    fn what_is_short_takes_no_words_out() {
        assert_eq!(masked("the", "the text"), "the text");
        assert_eq!(masked("1234", "code 12345"), "code •••5");
    }

    #[test]
    fn one_that_holds_another_goes_whole() {
        let secrets = Secrets::default();
        for value in ["hunter2", "hunter2hunter2"] {
            secrets.hide(&Hidden(value.into()));
        }
        let reply = Reply { json: Some(serde_json::json!({ "a": ["hunter2hunter2"] })), ..Reply::text("x") };
        assert_eq!(secrets.mask_reply(reply).json, Some(serde_json::json!({ "a": ["•••"] })));
        assert!(!format!("{secrets:?}").contains("hunter2"));
    }
}
