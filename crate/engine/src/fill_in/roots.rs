//! Closed shadow roots: the browser describes what may have one, hands it over, and the collector enters it from then on.

use super::{collector, list, release, resolve, tolerable};
use crate::{failure::Failure, place::Reach, task::all};
use cdp::dom::{self, RootKind};
use snapshot::{ElementNo, Facts};

/// So many are asked for at a time; the rest comes with the next capture.
pub(super) const MOST: u32 = 256;

/// Hands the closed shadow roots of suspects to the collector; says how many.
pub(super) async fn reveal(
    reach: &Reach,
    facts: &Facts,
    unread: &mut Vec<(ElementNo, String)>,
) -> Result<u32, Failure> {
    if facts.suspects() == 0 {
        return Ok(0);
    }
    let document = facts.document();
    let asked = format!("globalThis[Symbol.for(\"collector\")].suspects({MOST})");
    let hosts = list(reach, &asked, document).await?;
    let described = all(hosts.into_iter().flatten().map(|host| {
        let asked = reach.session.call(&dom::DescribeNode { object_id: host.clone() });
        async move { (host, asked.await) }
    }));
    let mut closed = Vec::new();
    for (host, answer) in described.await {
        // A host that went meanwhile has nothing to hide.
        let Ok(described) = tolerable(answer)? else { continue };
        let root = described.node.shadow_roots.iter().find(|root| root.shadow_root_type == RootKind::Closed);
        closed.extend(root.map(|root| (host, root.backend_node_id)));
    }
    let resolved = resolve(reach, document, closed.iter().map(|(_, root)| *root)).await?;
    let mut roots = Vec::new();
    for ((host, _), root) in closed.into_iter().zip(resolved) {
        match root {
            Ok(root) => roots.push(root),
            Err(failure) => {
                let numbers: Vec<u32> = collector(reach, "numbers", vec![host]).await?;
                unread.extend(numbers.get(1).map(|number| (ElementNo(*number), failure.to_string())));
            }
        }
    }
    let told: Vec<u32> =
        if roots.is_empty() { Vec::new() } else { collector(reach, "numbers", roots).await? };
    release(reach, document);
    Ok(told.first().copied().unwrap_or(0))
}
