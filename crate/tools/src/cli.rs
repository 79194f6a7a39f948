//! The tools as commands of a shell: flags derived from the same structs, `--kebab-case`; a few leading words
//! without their flags, so that `act click e12` does what it says. Gives the JSON that an agent would have sent.

use crate::{
    Tool,
    call::{Dialog, Diff, Find, Locate, Navigate, Read, Screenshot, Selection, Snapshot, Tabs, Wait},
    flat::ActArguments,
};
use clap::{Args, Command, FromArgMatches};
use serde::Serialize;
use serde_json::{Map, Value};

/// Arguments whose value may be anything, a dash at its start included.
const FREE_TEXT: [&str; 10] = [
    "value",
    "fields",
    "text",
    "pattern",
    "replace",
    "values",
    "expect",
    "then_name",
    "then_value",
    "text_gone",
];

/// The flags that the first words after the tool's name stand for.
pub fn leading_flags(tool: &str) -> &'static [&'static str] {
    match tool {
        "act" => &["--kind", "--ref"],
        "tabs" => &["--action", "--url"],
        "navigate" => &["--url"],
        "snapshot" | "diff" | "read" => &["--scope"],
        "wait" | "find" => &["--text"],
        "locate" | "screenshot" => &["--ref"],
        "dialog" => &["--action", "--text"],
        _ => &[],
    }
}

/// Puts the flags before the leading words: `act click e12` becomes `act --kind click --ref e12`.
/// Words past those that a flag is known for are left as they are.
pub fn with_flags(tool: &str, words: Vec<String>) -> Vec<String> {
    let mut flags = leading_flags(tool).iter();
    let mut leading = true;
    let mut out = Vec::new();
    for word in words {
        leading &= !word.starts_with('-');
        if leading && let Some(flag) = flags.next() {
            out.push((*flag).to_owned());
        }
        out.push(word);
    }
    out
}

impl Tool {
    /// The tool as a subcommand.
    pub fn command(&self) -> Command {
        let command = Command::new(self.name).about(self.description);
        match self.name {
            "tabs" => Tabs::augment_args(command),
            "navigate" => Navigate::augment_args(command),
            "snapshot" => Snapshot::augment_args(command),
            "find" => Find::augment_args(command),
            "read" => Read::augment_args(command),
            "act" => ActArguments::augment_args(command),
            "diff" => Diff::augment_args(command),
            "wait" => Wait::augment_args(command),
            "locate" => Locate::augment_args(command),
            "selection" => Selection::augment_args(command),
            "dialog" => Dialog::augment_args(command),
            // The last of the table.
            _ => Screenshot::augment_args(command),
        }
        // The structs' own documentation is for readers of the code.
        .about(self.description.split(". ").next().unwrap_or_default().trim_end_matches('.').to_owned())
        .long_about(self.description)
        // What is typed into pages may begin with a dash.
        .mut_args(|arg| {
            let free = FREE_TEXT.contains(&arg.get_id().as_str());
            arg.allow_hyphen_values(free)
        })
    }

    /// The arguments that the flags say, as an agent would send them.
    ///
    /// # Errors
    /// When clap finds the matches to be of another command.
    pub fn arguments(&self, matches: &clap::ArgMatches) -> Result<Value, clap::Error> {
        match self.name {
            "tabs" => sent::<Tabs>(matches),
            "navigate" => sent::<Navigate>(matches),
            "snapshot" => sent::<Snapshot>(matches),
            "find" => sent::<Find>(matches),
            "read" => sent::<Read>(matches),
            "act" => sent::<ActArguments>(matches),
            "diff" => sent::<Diff>(matches),
            "wait" => sent::<Wait>(matches),
            "locate" => sent::<Locate>(matches),
            "selection" => sent::<Selection>(matches),
            "dialog" => sent::<Dialog>(matches),
            // The last of the table.
            _ => sent::<Screenshot>(matches),
        }
    }
}

fn sent<T: FromArgMatches + Serialize>(matches: &clap::ArgMatches) -> Result<Value, clap::Error> {
    let arguments = T::from_arg_matches(matches)?;
    let written = serde_json::to_value(arguments)
        .map_err(|error| clap::Error::raw(clap::error::ErrorKind::Format, format!("{error}\n")))?;
    let mut map = match written {
        Value::Object(map) => map,
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => Map::new(),
    };
    // What was not given is not sent.
    map.retain(|_, value| !value.is_null() && value.as_array().is_none_or(|list| !list.is_empty()));
    Ok(Value::Object(map))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Call, table};
    use expect_test::expect;

    fn parsed(line: &str) -> String {
        let mut words = line.split_whitespace().map(str::to_owned);
        let name = words.next().unwrap();
        let tool = table().into_iter().find(|tool| tool.name == name).unwrap();
        let flags = with_flags(tool.name, words.collect());
        let command = tool.command().no_binary_name(true);
        let arguments = tool.arguments(&command.try_get_matches_from(flags).unwrap()).unwrap();
        Call::parse(tool.name, arguments.clone()).unwrap();
        arguments.to_string()
    }

    #[test]
    fn the_commands_are_sound() {
        for tool in table() {
            tool.command().debug_assert();
        }
    }

    #[test]
    fn words_and_flags_become_arguments() {
        let lines = [
            "tabs",
            "tabs open http://localhost/",
            "act click e12",
            "act --kind click --ref e12 --modifiers Shift --modifiers Alt --then-name Save",
            "act fill e12 --value -5 --force",
            "act fill --fields e1=a --fields e2=b=c",
            "act type e1 --text x --submit",
            "act scroll --to 50%",
            "snapshot e4 --mode interactive --links",
            "wait Done --text Failed --timeout-ms 100",
            "locate --point 5,6",
            "dialog accept yes",
            "find Delete --role button",
            "read main --format csv --path people.csv --append",
            "screenshot e4 --format jpeg --quality 60",
        ];
        let seen: Vec<_> = lines.iter().map(|line| parsed(line)).collect();
        expect![[r#"
            {"action":"list"}
            {"action":"open","url":"http://localhost/"}
            {"kind":"click","ref":"e12"}
            {"kind":"click","modifiers":["Shift","Alt"],"ref":"e12","then_name":"Save"}
            {"force":true,"kind":"fill","ref":"e12","value":"-5"}
            {"fields":[{"ref":"e1","value":"a"},{"ref":"e2","value":"b=c"}],"kind":"fill"}
            {"kind":"type","ref":"e1","submit":true,"text":"x"}
            {"kind":"scroll","to":"50%"}
            {"links":true,"mode":"interactive","scope":"e4"}
            {"download":false,"text":["Done","Failed"],"timeout_ms":100}
            {"point":"5,6"}
            {"action":"accept","text":"yes"}
            {"role":"button","text":"Delete"}
            {"append":true,"format":"csv","path":"people.csv","scope":"main"}
            {"annotate":false,"format":"jpeg","full_page":false,"quality":60,"ref":"e4"}"#]]
        .assert_eq(&seen.join("\n"));
    }
}
