//! The XPath that is given for an element leads to that element, whatever tree it stands in: on pages made by chance,
//! judged by a walker of our own in the page, which leaves every step to the browser's XPath.

use crate::{cases, trial::Trial};
use anyhow::{Context as _, Result, bail, ensure};
use serde::Deserialize;
use serde_json::{Value, json};
use std::{
    collections::BTreeMap,
    time::{Duration, Instant},
};

cases!(beside:
    paths_on_even_pages_of_chance_lead_to_their_elements,
    paths_on_odd_pages_of_chance_lead_to_their_elements,
);

/// How many pages each of the two tests makes.
const PAGES: u32 = 12;

/// How many elements of a page are located as well: as many as `locate` describes.
const SAMPLE: usize = 10;

/// What must have been among the elements, each at least so often: else the pages show too little.
const KINDS: &[(&str, usize)] = &[
    ("svg", 20),
    ("mathml", 20),
    ("no namespace", 10),
    ("of HTML by another name", 10),
    ("odd name", 20),
    ("namesake", 40),
    ("slot", 10),
    ("slotted", 20),
    ("one root", 40),
    ("roots in roots", 10),
    ("srcdoc", 40),
    ("srcdoc in a root", 20),
    ("another site", 40),
];

/// Follows paths from a document: `$PATHS` becomes the list of them. It knows what `::frame` and `::shadow` mean and
/// where a step ends; which element a step means is said by the browser's XPath alone.
const WALKER: &str = r#"(() => {
    const split = (text, word) => {
        const parts = [];
        let quote = '', from = 0;
        for (let i = 0; i < text.length; i += 1) {
            if (quote) {
                if (text[i] === quote) quote = '';
            } else if (text[i] === "'" || text[i] === '"') {
                quote = text[i];
            } else if (text.startsWith(word, i)) {
                parts.push(text.slice(from, i));
                from = i + word.length;
                i = from - 1;
            }
        }
        return [...parts, text.slice(from)];
    };
    const one = (context, path) => {
        const found = (context.ownerDocument ?? context).evaluate(path, context, null, 7, null);
        if (found.snapshotLength !== 1) throw new Error(`${found.snapshotLength} elements at ${path}`);
        return found.snapshotItem(0);
    };
    const below = (root, path) => {
        const [, first, ...rest] = split(path, '/');
        const [, test, position] = /^(.*)\[(\d+)\]$/s.exec(first);
        const fits = [...root.children].filter((child) =>
            root.ownerDocument.evaluate(`boolean(self::${test})`, child, null, 3, null).booleanValue);
        const at = fits[position - 1];
        return rest.length > 0 ? one(at, rest.join('/')) : at;
    };
    const NAMESPACES = { 'http://www.w3.org/2000/svg': 'svg', 'http://www.w3.org/1998/Math/MathML': 'mathml' };
    const kinds = (at) => {
        const root = at.getRootNode();
        const within = root instanceof at.ownerDocument.defaultView.ShadowRoot;
        const holder = at.ownerDocument.defaultView.frameElement;
        return [
            NAMESPACES[at.namespaceURI] ?? '',
            at.namespaceURI === null ? 'no namespace' : '',
            at.namespaceURI === 'http://www.w3.org/1999/xhtml' && (at.prefix || /[A-Z]/.test(at.localName)) ?
                'of HTML by another name' : '',
            /^[a-z]+[1-6]?$/.test(at.nodeName.toLowerCase()) ? '' : 'odd name',
            [...at.parentNode.children].some((other) => other !== at && other.nodeName === at.nodeName) ? 'namesake' : '',
            at.localName === 'slot' ? 'slot' : '',
            at.assignedSlot ? 'slotted' : '',
            within ? 'one root' : '',
            within && root.host.getRootNode() !== at.ownerDocument ? 'roots in roots' : '',
            at.ownerDocument !== document ? 'srcdoc' : '',
            holder && at.ownerDocument !== document && holder.getRootNode() !== document ? 'srcdoc in a root' : '',
        ].filter(Boolean);
    };
    const walk = (from, path) => {
        const [here, ...inner] = split(path, '::frame');
        const [light, ...roots] = split(here, '::shadow');
        const at = roots.reduce((host, part) => below(host.shadowRoot, part), one(from, light));
        const rest = inner.join('::frame');
        if (!rest) return { marker: markers.get(at) ?? '', kinds: kinds(at) };
        return at.contentDocument ? walk(at.contentDocument, rest) : { frame: at.src, rest };
    };
    return $PATHS.map((path) => {
        try { return walk(document, path); } catch (error) { return { error: String(error) }; }
    });
})()"#;

/// What the product says of an element.
#[derive(Debug, Clone)]
struct Given {
    /// The element's name, which the page knows it by.
    marker: String,
    path: String,
}

/// How many elements of each kind were judged.
type Tally = BTreeMap<String, usize>;

/// Waits until the page is whole.
const BUILT: &str = "(async () => {
    while (typeof built === 'undefined') await new Promise((done) => setTimeout(done, 5));
    return built;
})()";

/// Where the walker got.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum End {
    At {
        marker: String,
        kinds: Vec<String>,
    },
    /// A frame of another process: the rest must be walked there.
    Onward {
        frame: String,
        rest: String,
    },
    Nowhere {
        error: String,
    },
}

async fn paths_on_even_pages_of_chance_lead_to_their_elements(it: &mut Trial) -> Result<()> {
    pages(it, "even", (0..PAGES).map(|n| 2 * n)).await
}

async fn paths_on_odd_pages_of_chance_lead_to_their_elements(it: &mut Trial) -> Result<()> {
    pages(it, "odd", (0..PAGES).map(|n| 2 * n + 1)).await
}

async fn pages(it: &mut Trial, agent: &str, seeds: impl Iterator<Item = u32>) -> Result<()> {
    let mut tally = Tally::new();
    let first = it.visit.page("random.html?seed=1000");
    it.shell(&["tabs", "--action", "open", "--url", &first, "--agent", agent]).await?;
    for seed in seeds {
        page(it, agent, seed, &mut tally).await.with_context(|| format!("random.html?seed={seed}"))?;
    }
    for (kind, least) in KINDS {
        let times = tally.get(*kind).copied().unwrap_or(0);
        ensure!(times >= *least, "only {times} elements were {kind}: {tally:?}");
    }
    Ok(())
}

async fn page(it: &mut Trial, agent: &str, seed: u32, tally: &mut Tally) -> Result<()> {
    let before = it.visit.page("random.html").trim_start_matches("http://").to_owned();
    let address = it.visit.page(&format!("random.html?seed={seed}"));
    it.browser().page_call(&before, "Page.navigate", json!({ "url": address })).await?;
    let start = Instant::now();
    while !it.browser().targets().await?.iter().any(|it| it.kind == "page" && it.url == address) {
        ensure!(start.elapsed() < Duration::from_secs(10), "the browser does not get there");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    it.browser().page_eval(address.trim_start_matches("http://"), BUILT).await?;
    let shown = it.shell(&["snapshot", "--json", "--agent", agent]).await?;
    let shown: Value = serde_json::from_str(&shown)?;
    let mut all = Vec::new();
    collect(&shown["nodes"], &mut all)?;
    ensure!(all.len() > 40, "only {} elements of the page are shown", all.len());
    same_by_locate(it, agent, &all).await?;

    let mut onward: BTreeMap<String, Vec<Given>> = BTreeMap::new();
    let ends = walk(it, "page", address.trim_start_matches("http://"), &all).await?;
    for (given, end) in all.iter().zip(ends) {
        match end {
            End::Onward { frame, rest } => {
                onward.entry(frame).or_default().push(Given { path: rest, ..given.clone() });
            }
            End::At { .. } | End::Nowhere { .. } => judge(given, end, tally)?,
        }
    }
    for (frame, all) in onward {
        let ends = walk(it, "iframe", frame.trim_start_matches("http://"), &all).await?;
        for (given, end) in all.iter().zip(ends) {
            judge(given, end, tally)?;
            *tally.entry("another site".into()).or_default() += 1;
        }
    }
    Ok(())
}

/// Both ways to ask give the same paths.
async fn same_by_locate(it: &mut Trial, agent: &str, all: &[Given]) -> Result<()> {
    let sample: Vec<&Given> = all.iter().step_by(all.len().div_ceil(SAMPLE)).collect();
    let selectors: Vec<String> =
        sample.iter().map(|given| format!("[aria-label=\"{}\"]", given.marker)).collect();
    let located = it.shell(&["locate", "--css", &selectors.join(","), "--agent", agent]).await?;
    for given in sample {
        let shown = format!(" group \"{}\"", given.marker);
        let mut lines = located.lines().skip_while(|line| !(line.starts_with('e') && line.contains(&shown)));
        let path = lines.nth(1).map(|line| line.trim_start().trim_start_matches("xpath "));
        ensure!(path == Some(&given.path), "locate says {path:?} of {given:?}");
    }
    Ok(())
}

/// Takes up every element with a marker for a name, however deep.
fn collect(nodes: &Value, into: &mut Vec<Given>) -> Result<()> {
    for node in nodes.as_array().into_iter().flatten() {
        let name = node["name"].as_str().unwrap_or_default();
        if name.starts_with('m') && node["role"] == "group" {
            let word = |key: &str| node[key].as_str().map(str::to_owned);
            let path = word("xpath").with_context(|| format!("no path is given for {node}"))?;
            into.push(Given { marker: name.to_owned(), path });
        }
        collect(&node["children"], into)?;
    }
    Ok(())
}

async fn walk(it: &Trial, kind: &str, address: &str, all: &[Given]) -> Result<Vec<End>> {
    let list: Vec<&str> = all.iter().map(|given| given.path.as_str()).collect();
    let script = WALKER.replace("$PATHS", &Value::from(list).to_string());
    let ends = match kind {
        "iframe" => it.browser().frame_eval(address, &script).await?,
        _ => it.browser().page_eval(address, &script).await?,
    };
    Ok(serde_json::from_value(ends)?)
}

fn judge(given: &Given, end: End, tally: &mut Tally) -> Result<()> {
    let Given { marker, path, .. } = given;
    match end {
        End::At { marker: found, kinds } => {
            ensure!(found == *marker, "{path} was given for {marker}; {found:?} is there");
            for kind in kinds {
                *tally.entry(kind).or_default() += 1;
            }
            Ok(())
        }
        End::Nowhere { error } => bail!("{path} was given for {marker}: {error}"),
        End::Onward { frame, .. } => bail!("{path}, given for {marker}, leads on into {frame}"),
    }
}
