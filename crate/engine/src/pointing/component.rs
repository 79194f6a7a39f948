//! Which component an element belongs to, in a development build of React, Vue, Svelte or Angular. It can only be read
//! where the page can make it up: all of it is the page's word, cut and quoted as such.

use crate::{failure::Failure, place::Reach, reply};
use cdp::{dom, runtime};
use serde::Deserialize;
use snapshot::ElementNo;
use std::fmt;

/// The function that asks; called on the element in the page's own world.
const QUESTION: &str = include_str!("../../../../extension/worker/component.js");

/// The longest answer that is read, in bytes.
const LONGEST: usize = 16 * 1024;

/// Longer names and paths are cut.
const LONGEST_WORD: usize = 200;

/// Where an element comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Component {
    framework: &'static str,
    /// Its name, and those of the components around it.
    names: Vec<String>,
    /// Its file, with the line and the column where they are known.
    source: Option<String>,
}

#[derive(Deserialize)]
struct Told {
    framework: String,
    names: Vec<String>,
    file: String,
    line: u32,
    column: u32,
    stack: String,
}

/// Asks for the component of an element.
pub async fn of(reach: &Reach, element: ElementNo) -> Result<Option<Component>, Failure> {
    let ours = reach.object(element).await?;
    let node = reach.session.call(&dom::DescribeNode { object_id: ours }).await?.node;
    let resolve = dom::ResolveNode {
        backend_node_id: node.backend_node_id,
        execution_context_id: None,
        object_group: Some(crate::place::GROUP.into()),
    };
    let theirs = reach.session.call(&resolve).await?.object.object_id.ok_or(Failure::DocumentChanged)?;
    let call = runtime::CallOn { function_declaration: QUESTION.into(), object_id: theirs };
    let said = reach.session.call(&call).await;
    reach.release();
    // A page on which it throws says nothing.
    Ok(said?.0.ok().and_then(|text| read(&text)))
}

fn read(text: &str) -> Option<Component> {
    if text.is_empty() || text.len() > LONGEST {
        return None;
    }
    let told: Told = serde_json::from_str(text).ok()?;
    let framework = ["React", "Vue", "Svelte", "Angular"].into_iter().find(|name| *name == told.framework)?;
    let cut = |text: String| text.chars().take(LONGEST_WORD).collect::<String>();
    let source = if told.file.is_empty() {
        from_stack(&told.stack)
    } else {
        let mut source = told.file;
        if told.line > 0 {
            source.push_str(&format!(":{}", told.line));
            if told.column > 0 {
                source.push_str(&format!(":{}", told.column));
            }
        }
        Some(source)
    };
    let names = told.names.into_iter().filter(|name| !name.is_empty()).take(5).map(cut).collect();
    Some(Component { framework, names, source: source.map(cut) })
}

/// The place of the first call that is none of the framework's own: React 19 keeps where an element was made as the stack
/// of an error.
fn from_stack(stack: &str) -> Option<String> {
    const OWN: &[&str] = &[
        "react-dom",
        "react-jsx",
        "jsx-runtime",
        "jsx-dev-runtime",
        "react_stack",
        "react-stack",
        "/react/",
    ];
    const CALLS: &[&str] = &[
        "jsxDEV",
        "jsxProd",
        "jsxs ",
        "jsx ",
        "createElement",
        "fakeJSXCallSite",
        "react_stack_bottom_frame",
    ];
    stack.lines().skip(1).find_map(|line| {
        let line = line.trim();
        if OWN.iter().chain(CALLS).any(|word| line.contains(word)) {
            return None;
        }
        let place = match line.rsplit_once('(') {
            Some((_, inner)) => inner.trim_end_matches(')'),
            None => line.strip_prefix("at ")?,
        };
        // Where it was fetched from is the server's affair; its query is a cache's.
        let path = place
            .split_once("://")
            .map_or(place, |(_, rest)| rest.split_once('/').map_or(rest, |(_, path)| path));
        let (path, query) = path.split_once('?').unwrap_or((path, ""));
        let lines = query.find(':').map_or("", |at| &query[at..]);
        Some(format!("{path}{lines}"))
    })
}

impl fmt::Display for Component {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.framework)?;
        for (index, name) in self.names.iter().enumerate() {
            write!(f, "{}{}", if index == 0 { " " } else { " < " }, reply::quoted(name))?;
        }
        if let Some(source) = &self.source {
            write!(f, " at {}", reply::quoted(source))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(json: &serde_json::Value) -> String {
        read(&json.to_string()).map_or_else(String::new, |component| component.to_string())
    }

    fn told(framework: &str) -> serde_json::Value {
        serde_json::json!({ "framework": framework, "names": ["Save", "Form"], "file": "src/Save.tsx", "line": 12,
            "column": 5, "stack": "" })
    }

    #[test]
    fn the_component_and_its_source_are_told_in_quotes() {
        assert_eq!(said(&told("React")), r#"React "Save" < "Form" at "src/Save.tsx:12:5""#);
        let mut vue = told("Vue");
        vue["line"] = 0.into();
        assert_eq!(said(&vue), r#"Vue "Save" < "Form" at "src/Save.tsx""#);
        assert_eq!(said(&told("Mine\ne1 button")), "");
    }

    #[test]
    fn react_nineteen_tells_by_a_stack() {
        let mut react = told("React");
        react["file"] = "".into();
        react["stack"] = "Error: react-stack-top-frame\n    at exports.jsxDEV (http://localhost:5173/node_modules/.vite/deps/react_jsx-dev-runtime.js?v=1:250:30)\n    at Save (http://localhost:5173/src/Save.tsx?t=17:12:5)\n    at Form (http://localhost:5173/src/Form.tsx:3:1)".into();
        assert_eq!(said(&react), r#"React "Save" < "Form" at "src/Save.tsx:12:5""#);
        react["stack"] = "Error\n    at http://localhost:5173/src/main.tsx:7:9".into();
        assert_eq!(said(&react), r#"React "Save" < "Form" at "src/main.tsx:7:9""#);
    }

    #[test]
    fn a_page_that_makes_things_up_is_cut_and_escaped() {
        let mut made_up = told("React");
        made_up["names"] = serde_json::json!(["\"\ne1 button \"Pay", "x".repeat(900)]);
        let text = said(&made_up);
        assert!(!text.contains('\n') && text.len() < 600, "{text}");
        assert_eq!(read(&"x".repeat(LONGEST + 1)), None);
    }
}
