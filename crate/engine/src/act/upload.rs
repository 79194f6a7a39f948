//! `act kind=upload`: files given to a file field, through what opens a chooser, or to a drop zone. Only files that
//! the policy's folders hold; the host says what each path is, and nothing is touched before all of them may be read.

use super::{
    Done, Stage,
    aim::Accept,
    control, drag, gate,
    point::{self, Press},
};
use crate::{
    clock::Millis,
    consent::confirm::{Need, Said},
    failure::Failure,
    host_link,
    place::Reach,
    reply,
    session::Session,
    tab::{Chooser, Choosers},
    target::{Care, Target},
};
use cdp::{ObjectId, dom, input::MouseButton, page, runtime};
use serde::Deserialize;
use snapshot::state::State;
use tools::RefName;
use wire::FoundFile;

/// How long a press may take to open a chooser.
const CHOOSER: Millis = Millis(2_000);

/// How long the host may take to look at files.
const FILES: Millis = Millis(10_000);

/// A file that may be given.
struct Given {
    path: String,
    name: String,
}

#[derive(Debug, Deserialize)]
struct Kind {
    field: bool,
    multiple: bool,
    folder: bool,
}

/// Gives files.
///
/// # Errors
/// When uploads are not allowed, a file may not be read, or what was named takes none.
pub async fn upload(stage: &Stage, on: RefName, paths: &[String]) -> Result<Done, Failure> {
    let roots = stage.core.consent.uploads()?;
    let mut target = stage.find(on, Care::Act).await?;
    let mut given = files(stage, roots.clone(), paths).await?;
    let control = control::enabled(stage, &target).await?;
    let what = format!("upload {} to {}", listed(&given), target.said);
    if gate::ask(stage, &mut target, Need::Upload, &what).await? != Said::Unasked {
        let now = files(stage, roots, paths).await?;
        if now.iter().map(|file| &file.path).ne(given.iter().map(|file| &file.path)) {
            let why = "leads elsewhere than when the person was asked".to_owned();
            return Err(Failure::BadFile { path: reply::clip(&paths.join(", ")), why });
        }
        given = now;
    }
    if control.tag == "input" && control.kind == "file" {
        let object = target.reach.object(target.element).await?;
        return fill(stage, &target, &target.reach, object, &given).await;
    }
    let node = target.tree.node_of(target.reference);
    if node.is_some_and(|node| node.states().contains(&State::DropZone)) {
        let paths: Vec<_> = given.iter().map(|file| file.path.clone()).collect();
        drag::drop_files(stage, &target, &paths).await?;
        return Ok(Done::on("upload", &target).holding(&names(&given)).noting("dropped on it"));
    }
    choose(stage, target, &given).await
}

/// Presses what opens a chooser, and answers the chooser.
async fn choose(stage: &Stage, mut target: Target, files: &[Given]) -> Result<Done, Failure> {
    let session = target.reach.session.clone();
    {
        let mut known = stage.tab.state.borrow_mut();
        known.chooser = None;
        known.held.choosers = Choosers::Of(session.id.clone());
    }
    session.call(&page::SetInterceptFileChooser { enabled: true }).await?;
    let press = Press { button: MouseButton::Left, count: 1, modifiers: 0 };
    point::press(stage, &mut target, Accept::Label, press).await?;
    let opened = async { Ok(stage.tab.signal.until(|| stage.tab.state.borrow_mut().chooser.take()).await) };
    let chooser = match stage.core.desk.within(CHOOSER, "a file chooser", opened).await {
        Ok(chooser) => chooser,
        Err(Failure::TimedOut { .. }) => return Err(Failure::NoChooser { target: target.said }),
        Err(failure) => return Err(failure),
    };
    let Chooser { session: from, frame, field, multiple } = chooser;
    if files.len() > 1 && !multiple {
        return Err(too_many(&target, files));
    }
    let no_field = || Failure::NoChooser { target: target.said.clone() };
    let field = field.ok_or_else(no_field)?;
    let place = {
        let known = stage.tab.state.borrow();
        known.homes.values().find(|place| place.frame == frame && place.session == from).cloned()
    };
    let reach = Reach::new(&stage.core, &stage.tab, place.ok_or(Failure::FrameGone)?);
    let resolve = dom::ResolveNode {
        backend_node_id: field,
        execution_context_id: Some(reach.place.context),
        object_group: Some(crate::place::GROUP.into()),
    };
    let object = reach.session.call(&resolve).await?.object.object_id.ok_or_else(no_field)?;
    let done = fill(stage, &target, &reach, object, files).await?;
    Ok(done.noting("by the chooser that it opens"))
}

/// Gives files to a field, and reads back which it says it got.
async fn fill(
    stage: &Stage,
    target: &Target,
    reach: &Reach,
    object: ObjectId,
    files: &[Given],
) -> Result<Done, Failure> {
    let kind: Kind = ask_with(reach, "expectFiles", &object).await?;
    if kind.folder || !kind.field {
        return Err(Failure::WrongKind { target: target.said.clone(), wanted: "file field" });
    }
    if files.len() > 1 && !kind.multiple {
        return Err(too_many(target, files));
    }
    stage.touch();
    let paths = files.iter().map(|file| file.path.clone()).collect();
    match reach.session.call(&dom::SetFileInputFiles { files: paths, object_id: object }).await {
        Ok(_) => {}
        Err(Failure::Refused { message, .. }) if message.contains("Not allowed") => {
            return Err(Failure::FilesForbidden);
        }
        Err(failure) => return Err(failure),
    }
    let given = match reach.ask::<Option<Vec<String>>>("given()").await {
        Ok(given) => given,
        Err(Failure::DialogOpen { .. } | Failure::DocumentChanged | Failure::FrameGone) => {
            let done = Done::on("upload", target).holding(&names(files));
            return Ok(done.noting("the page answered before it could be read back"));
        }
        Err(failure) => return Err(failure),
    };
    reach.release();
    let given = given.unwrap_or_default();
    if given.iter().ne(files.iter().map(|file| &file.name)) {
        let (wanted, is) = (names(files), given.join(", "));
        return Err(Failure::NotTaken { target: target.said.clone(), wanted, is });
    }
    Ok(Done::on("upload", target).holding(&names(files)))
}

async fn ask_with<T: serde::de::DeserializeOwned>(
    reach: &Reach,
    question: &str,
    object: &ObjectId,
) -> Result<T, Failure> {
    let command = runtime::CallWith {
        function_declaration: format!(
            "function(e){{return JSON.stringify(globalThis[Symbol.for(\"witness\")].{question}(e))}}"
        ),
        arguments: vec![runtime::Argument { object_id: object.clone() }],
        execution_context_id: reach.place.context,
    };
    let text =
        reach.session.call(&command).await?.0.map_err(|thrown| Failure::Thrown { message: thrown.0 })?;
    serde_json::from_str(&text).map_err(|e| Failure::Unreadable(format!("the answer to {question}: {e}")))
}

/// As the person is asked about them: where they lie, and all of them.
fn listed(files: &[Given]) -> String {
    files.iter().map(|file| reply::quoted(&file.path)).collect::<Vec<_>>().join(", ")
}

fn names(files: &[Given]) -> String {
    files.iter().map(|file| file.name.as_str()).collect::<Vec<_>>().join(", ")
}

fn too_many(target: &Target, files: &[Given]) -> Failure {
    let wanted = "one file: it takes no more".to_owned();
    Failure::BadValue { target: target.said.clone(), value: names(files), wanted }
}

/// What the paths lead to; all of them must be readable.
async fn files(stage: &Stage, roots: Vec<String>, paths: &[String]) -> Result<Vec<Given>, Failure> {
    let asked = host_link::look(&stage.core, roots, paths.to_vec());
    let found = stage.core.desk.within(FILES, "looking at the files", asked).await?;
    let all = paths.iter().zip(found).map(|(path, found)| match found {
        FoundFile::File { path, name } => Ok(Given { path, name }),
        FoundFile::Refused { why } => {
            Err(Failure::BadFile { path: reply::clip(path), why: reply::clip(&why) })
        }
    });
    all.collect()
}

/// Ends what was taken over of a session.
pub fn end(session: &Session) {
    // Its answer tells nothing; a session that went takes nothing over.
    drop(session.call(&page::SetInterceptFileChooser { enabled: false }));
}
