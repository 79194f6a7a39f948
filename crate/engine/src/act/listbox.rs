//! `act kind=select` on lists that a page makes itself: a listbox is chosen from where it is, a combobox is opened first.
//! Options are pressed as a person does, and it is read back which are chosen.

use super::{
    Done, Stage,
    aim::Accept,
    control::{self, Control, Takes},
    gate::{self, Worked},
    kept::Held,
    keyboard::{self, Key},
    options::{self, Choice, Proof},
    point::{self, Press},
};
use crate::{
    capture,
    clock::Millis,
    failure::Failure,
    target::{self, Target},
};
use cdp::input::MouseButton;
use snapshot::{Ref, Role, Tree, state::State, tree::Node};
use std::rc::Rc;

/// How often it is looked at.
const PACE: Millis = Millis(40);

/// What it is that is chosen from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// All options are there.
    List,
    /// They are there once it is open.
    Opens,
}

fn kind(node: &Node) -> Option<Kind> {
    let opens = |state: &State| matches!(state, State::HasPopup(what) if **what == *"listbox");
    if node.role() == Role::Listbox {
        return Some(Kind::List);
    }
    (node.role() == Role::Combobox || node.states().iter().any(opens)).then_some(Kind::Opens)
}

/// Chooses options by label in a list that is no native select.
///
/// # Errors
/// When it is no such list, has no such option, or does not take it.
pub async fn choose(
    stage: &Stage,
    on: &Target,
    control: &Control,
    values: &[String],
) -> Result<Done, Failure> {
    let Some((of, kind)) = chosen_from(&on.tree, on.reference) else {
        return Err(Failure::WrongKind { target: on.said.clone(), wanted: "select, listbox or combobox" });
    };
    let list = List { stage, on, of, control, before: on.tree.clone() };
    match kind {
        Kind::List => {
            let several = on.tree.node_of(of).is_some_and(|node| node.is(&State::Multiselectable));
            list.choose(values, several).await
        }
        Kind::Opens => list.open_and_choose(values).await,
    }
}

/// What is chosen from: the element itself, or the combobox that it is the field of (ARIA 1.1 put one in the other).
fn chosen_from(tree: &Tree, on: Ref) -> Option<(Ref, Kind)> {
    let at = tree.at(on)?;
    if let Some(kind) = kind(tree.node(at)) {
        return Some((on, kind));
    }
    let field = matches!(tree.node(at).role(), Role::Textbox | Role::Searchbox);
    let around =
        tree.ancestors(at).map(|at| tree.node(at)).find(|node| field && node.role() == Role::Combobox)?;
    Some((around.reference()?, Kind::Opens))
}

struct List<'a> {
    stage: &'a Stage,
    on: &'a Target,
    /// What its options are of.
    of: Ref,
    control: &'a Control,
    /// The page before anything was done.
    before: Rc<Tree>,
}

impl List<'_> {
    /// Chooses in a list that is there: all that is asked, and no more.
    async fn choose(&self, values: &[String], several: bool) -> Result<Done, Failure> {
        if values.len() > 1 && !several {
            let wanted = "one option: it takes no more".to_owned();
            let (target, value) = (self.on.said.clone(), values.join(", "));
            return Err(Failure::BadValue { target, value, wanted });
        }
        let choices = self.choices(&self.before);
        let wanted =
            values.iter().map(|value| self.wanted(&choices, value)).collect::<Result<Vec<_>, _>>()?;
        let labels: Vec<_> = wanted.iter().map(|choice| choice.option.label.clone()).collect();
        let mut pressed = false;
        for choice in &choices {
            let want = wanted.iter().any(|it| it.reference == choice.reference);
            // Of one that takes one alone, the others go by themselves.
            if choice.option.selected != want && (want || several) {
                self.press(choice.reference).await?;
                pressed = true;
            }
        }
        if !pressed {
            return Ok(Done::on("select", self.on).holding(&labels.join(", ")).noting("was chosen already"));
        }
        let same = |now: &[Choice]| {
            let chosen: Vec<_> =
                now.iter().filter(|it| it.option.selected).map(|it| &it.option.label).collect();
            labels.iter().all(|label| chosen.contains(&label)) && (!several || chosen.len() == labels.len())
        };
        self.read_back(&labels, |tree| same(&self.choices(tree)).then_some(Proof::Said)).await
    }

    /// Opens it for each option, presses that, and reads back that it is chosen.
    async fn open_and_choose(&self, values: &[String]) -> Result<Done, Failure> {
        if let ([value], false) = (values, self.control.takes() == Takes::Line)
            && options::chosen(&self.before, None, self.of, value) == Some(Proof::Held)
        {
            return Ok(Done::on("select", self.on).holding(value).noting("was chosen already"));
        }
        let mut labels = Vec::new();
        let mut already = true;
        for value in values {
            let choices = self.opened().await?;
            let choice = match self.wanted(&choices, value) {
                // What is typed brings more of some lists, and less of others.
                Err(Failure::NoOption { .. }) if self.control.takes() == Takes::Line => {
                    self.typed(value).await?
                }
                found => found?,
            };
            labels.push(choice.option.label.clone());
            if !choice.option.selected {
                already = false;
                self.press(choice.reference).await?;
            }
        }
        if already {
            let done = Done::on("select", self.on).holding(&labels.join(", "));
            return Ok(done.noting("was chosen already; its list is open"));
        }
        let proof = |tree: &Tree| {
            let of = |label: &String| options::chosen(tree, Some(&self.before), self.of, label);
            let proofs: Option<Vec<_>> = labels.iter().map(of).collect();
            proofs?.first().copied()
        };
        self.read_back(&labels, proof).await
    }

    /// The options of a list that is open, by then.
    async fn opened(&self) -> Result<Vec<Choice>, Failure> {
        let choices = self.choices(&*self.capture().await?);
        if !choices.is_empty() {
            return Ok(choices);
        }
        self.press(self.on.reference).await?;
        let choices = self.awaited().await?;
        if !choices.is_empty() || self.control.takes() == Takes::Line {
            return Ok(choices);
        }
        // Some open by the keyboard alone (ARIA Authoring Practices, combobox).
        control::give_focus(self.on).await?;
        keyboard::stroke(self.stage, &Key::named("ArrowDown"), 0).await?;
        self.awaited().await
    }

    /// The options that are there when some are, or when the patience has ended.
    async fn awaited(&self) -> Result<Vec<Choice>, Failure> {
        let limit = self.stage.core.desk.now() + self.stage.patience();
        loop {
            let choices = self.choices(&*self.capture().await?);
            if !choices.is_empty() || self.stage.core.desk.now() >= limit {
                return Ok(choices);
            }
            self.stage.core.desk.sleep(PACE).await;
        }
    }

    /// The option that is there once its words are typed.
    async fn typed(&self, value: &str) -> Result<Choice, Failure> {
        self.control.accepts(self.on, value, control::length(value))?;
        control::give_focus(self.on).await?;
        let _: Option<serde::de::IgnoredAny> =
            self.on.reach.ask(&format!("selectAll({})", self.on.element.0)).await?;
        keyboard::insert(self.stage, value).await?;
        let limit = self.stage.core.desk.now() + self.stage.patience();
        loop {
            let found = self.wanted(&self.choices(&*self.capture().await?), value);
            if !matches!(found, Err(Failure::NoOption { .. })) || self.stage.core.desk.now() >= limit {
                return found;
            }
            self.stage.core.desk.sleep(PACE).await;
        }
    }

    async fn press(&self, reference: Ref) -> Result<(), Failure> {
        let (stage, tree) = (self.stage, self.capture().await?);
        let mut option = target::target(&stage.core, &stage.tab, tree, reference, None)?;
        control::enabled(stage, &option).await?;
        if gate::needs(&option) {
            gate::pass(stage, &mut option, "select", Worked::Pressed).await?;
        }
        let press = Press { button: MouseButton::Left, count: 1, modifiers: 0 };
        // What came of it is read back.
        point::press(stage, &mut option, Accept::Itself, press).await.map(drop)
    }

    fn choices(&self, tree: &Tree) -> Vec<Choice> {
        options::choices(tree, &self.before, self.of)
    }

    fn wanted(&self, choices: &[Choice], value: &str) -> Result<Choice, Failure> {
        let options: Vec<_> = choices.iter().map(|choice| choice.option.clone()).collect();
        let place = options::place_of(self.on, &options, value)?;
        if options[place].disabled {
            let value = options[place].label.clone();
            return Err(Failure::OptionDisabled { target: self.on.said.clone(), value });
        }
        Ok(choices[place].clone())
    }

    async fn capture(&self) -> Result<Rc<Tree>, Failure> {
        capture::capture(&self.stage.core, &self.stage.tab).await
    }

    /// Waits until the page shows that it is done.
    async fn read_back(
        &self,
        labels: &[String],
        proof: impl Fn(&Tree) -> Option<Proof>,
    ) -> Result<Done, Failure> {
        let limit = self.stage.core.desk.now() + self.stage.patience();
        let wanted = labels.join(", ");
        loop {
            let tree = self.capture().await?;
            if let Some(proof) = proof(&tree) {
                let held = Held::Chosen { of: self.of, labels: labels.to_vec(), proof };
                return Ok(Done::on("select", self.on).holding(&wanted).keeping(self.on, held));
            }
            if self.stage.core.desk.now() >= limit {
                let is = options::held(&tree, self.of, &self.choices(&tree));
                return Err(Failure::NotTaken { target: self.on.said.clone(), wanted, is });
            }
            self.stage.core.desk.sleep(PACE).await;
        }
    }
}
