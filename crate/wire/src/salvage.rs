//! Reads from the beginning of a lost message which request it was about, so that even that one is answered.
//! A best effort on text that may be anything; finds nothing rather than something wrong.

use crate::{ConnectionId, RequestId};

/// The request that a message with this beginning was about; the connection too, if it names one.
pub fn request_in(head: &str) -> Option<(Option<ConnectionId>, RequestId)> {
    let kind = head.trim_start().strip_prefix("{\"type\":\"")?;
    if !kind.starts_with("request\"") && !kind.starts_with("reply\"") {
        return None;
    }
    // Before the payload, or a text inside of it would be taken for ours.
    let end = ["\"tool\":", "\"arguments\":", "\"reply\":"].iter().filter_map(|key| head.find(key)).min();
    let front = head.get(..end.unwrap_or(head.len()))?;
    let id = number(front, "\"id\":")?;
    let connection = number(front, "\"connection\":").and_then(|n| u32::try_from(n).ok()).map(ConnectionId);
    Some((connection, RequestId(id)))
}

fn number(text: &str, key: &str) -> Option<u64> {
    let (_, rest) = text.split_once(key)?;
    let (digits, _) = rest.split_once(|c: char| !c.is_ascii_digit())?;
    digits.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{FromWorker, Reply, ToHost};

    #[test]
    fn our_own_messages_are_recognised() {
        let request = ToHost::Request { id: RequestId(7), tool: "act".into(), arguments: "\"id\":9,".into() };
        let head = serde_json::to_string(&request).unwrap();
        assert_eq!(request_in(&head), Some((None, RequestId(7))));
        let reply = FromWorker::Reply {
            connection: ConnectionId(3),
            id: RequestId(5),
            reply: Reply::text("\"id\":9,"),
        };
        let head = serde_json::to_string(&reply).unwrap();
        assert_eq!(request_in(&head), Some((Some(ConnectionId(3)), RequestId(5))));
    }

    #[test]
    fn anything_else_is_nothing() {
        for head in [
            "",
            "{",
            "{\"type\":\"hello\",\"id\":3,",
            "{\"type\":\"request\",\"tool\":\"\\\"id\\\":4,\"",
            "\u{e9}",
        ] {
            assert_eq!(request_in(head), None, "{head}");
        }
    }
}
