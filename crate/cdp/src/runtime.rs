//! `Runtime`: evaluation in our isolated world; one question is asked in the page's own, [`CallOn`].

use crate::{Answer, Command, ContextId, Nothing, ObjectId, ReadError, command::command};
use serde::{Deserialize, Serialize};

command!(/// Lets a frame that waits for us go on.
    RunIfWaiting = "Runtime.runIfWaitingForDebugger", false => Nothing {});

command!(/// Lets go of the objects of a group.
ReleaseObjectGroup = "Runtime.releaseObjectGroup", false => Nothing {
    /// The group.
    object_group: String,
});

command!(/// What a list or other object holds.
GetProperties = "Runtime.getProperties", true => Properties {
    /// The object.
    object_id: ObjectId,
    /// Not what it inherits.
    own_properties: bool,
});

/// Answer of [`GetProperties`].
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Properties {
    /// The properties.
    pub result: Vec<Property>,
}

/// One property of an object.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Property {
    /// Its name; a place of a list as digits.
    pub name: String,
    /// What it holds, if it holds anything.
    pub value: Option<RemoteObject>,
}

/// Calls a function of ours with objects; it answers with a string.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CallWith {
    /// The function.
    pub function_declaration: String,
    /// What it is called with.
    pub arguments: Vec<Argument>,
    /// The world it is of.
    pub execution_context_id: ContextId,
}

/// Calls a function of ours on an object of the page's own world, where the page can meet it: its answer, a string, is
/// what the page says.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CallOn {
    /// The function.
    pub function_declaration: String,
    /// Its `this`.
    pub object_id: ObjectId,
}

/// An argument of [`CallWith`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Argument {
    /// The object.
    pub object_id: ObjectId,
}

/// Evaluates an expression to a string.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct EvaluateText {
    /// The expression; its value, or what its promise fulfils with, is a string.
    pub expression: String,
    /// The world to evaluate in.
    pub context_id: ContextId,
    /// Whether to wait for the promise that the expression yields.
    pub await_promise: bool,
}

/// Evaluates an expression to an object that stays in the page.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct EvaluateObject {
    /// The expression.
    pub expression: String,
    /// The world to evaluate in.
    pub context_id: ContextId,
    /// The group to release it with.
    pub object_group: String,
}

/// What threw.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Thrown {
    /// `Uncaught`, mostly.
    pub text: String,
    /// The exception.
    pub exception: Option<RemoteObject>,
}

/// A value of the page.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RemoteObject {
    /// `object`, `string`, …
    #[serde(rename = "type")]
    pub kind: String,
    /// Its handle.
    pub object_id: Option<ObjectId>,
    /// How it prints.
    pub description: Option<String>,
    /// The value itself, where it is a string.
    #[serde(default, deserialize_with = "string_or_nothing")]
    pub value: Option<String>,
}

fn string_or_nothing<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Option<String>, D::Error> {
    Ok(serde_json::Value::deserialize(from)?.as_str().map(str::to_owned))
}

/// Answer of an evaluation.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Evaluated {
    /// The value.
    pub result: RemoteObject,
    /// What it threw instead.
    pub exception_details: Option<Thrown>,
}

/// What an evaluation threw, by its first line.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, thiserror::Error)]
#[error("{0}")]
pub struct Exception(pub String);

/// An evaluation's outcome.
pub type Outcome<T> = Result<T, Exception>;

fn evaluated(json: &str) -> Result<Outcome<RemoteObject>, ReadError> {
    let read: Evaluated = serde_json::from_str(json)
        .map_err(|e| ReadError { method: "Runtime.evaluate", why: e.to_string() })?;
    Ok(match read.exception_details {
        None => Ok(read.result),
        Some(thrown) => {
            let said = thrown.exception.and_then(|e| e.description.or(e.value)).unwrap_or(thrown.text);
            Err(Exception(said.lines().next().unwrap_or_default().to_owned()))
        }
    })
}

/// The outcome of [`EvaluateText`]: the string, or what was thrown.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
pub struct TextOutcome(pub Outcome<String>);

/// The outcome of [`EvaluateObject`]: the handle (none for null and undefined), or what was thrown.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
pub struct ObjectOutcome(pub Outcome<Option<ObjectId>>);

impl Command for EvaluateText {
    const METHOD: &'static str = "Runtime.evaluate";
    const NEEDS_PAGE: bool = true;
    type Reply = TextOutcome;
    fn read(answer: Answer) -> Result<TextOutcome, ReadError> {
        text(answer)
    }
}

impl Command for CallWith {
    const METHOD: &'static str = "Runtime.callFunctionOn";
    const NEEDS_PAGE: bool = true;
    type Reply = TextOutcome;
    fn read(answer: Answer) -> Result<TextOutcome, ReadError> {
        text(answer)
    }
}

impl Command for CallOn {
    const METHOD: &'static str = "Runtime.callFunctionOn";
    const NEEDS_PAGE: bool = true;
    type Reply = TextOutcome;
    fn read(answer: Answer) -> Result<TextOutcome, ReadError> {
        text(answer)
    }
}

fn text(answer: Answer) -> Result<TextOutcome, ReadError> {
    match answer {
        Answer::Text(text) => Ok(TextOutcome(Ok(text))),
        Answer::Json(json) => Ok(TextOutcome(evaluated(&json)?.and_then(|object| {
            object
                .value
                .ok_or_else(|| Exception(format!("yielded {} where a string was expected", object.kind)))
        }))),
    }
}

impl Command for EvaluateObject {
    const METHOD: &'static str = "Runtime.evaluate";
    const NEEDS_PAGE: bool = true;
    type Reply = ObjectOutcome;
    fn read(answer: Answer) -> Result<ObjectOutcome, ReadError> {
        match answer {
            Answer::Text(text) => Ok(ObjectOutcome(Err(Exception(format!("yielded the string {text:?}"))))),
            Answer::Json(json) => Ok(ObjectOutcome(evaluated(&json)?.map(|object| object.object_id))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_throw_is_told_by_its_first_line() {
        let json = r#"{"result":{"type":"object"},"exceptionDetails":{"text":"Uncaught","exception":{"type":"object","description":"SyntaxError: bad selector\n    at x"}}}"#;
        assert_eq!(
            EvaluateText::read(Answer::Json(json.into())),
            Ok(TextOutcome(Err(Exception("SyntaxError: bad selector".into()))))
        );
    }

    #[test]
    fn null_is_no_object() {
        let json = r#"{"result":{"type":"object","subtype":"null","value":null}}"#;
        assert_eq!(EvaluateObject::read(Answer::Json(json.into())), Ok(ObjectOutcome(Ok(None))));
    }
}
