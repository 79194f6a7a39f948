//! Names that the protocol gives to things. Each is valid within the session that gave it, but frames, whose ids
//! hold for the whole tab.

use serde::{Deserialize, Serialize};

macro_rules! id {
    ($(#[$doc:meta])* $name:ident($inner:ty)) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub $inner);
    };
}

id!(/// A frame; the same through navigations and process changes.
    FrameId(String));
id!(/// One load of a document in a frame.
    LoaderId(String));
id!(/// The session of a cross-process frame. The tab's own session has none.
    SessionId(String));
id!(/// A request on the network.
    NetworkRequestId(String));
id!(/// A request that was stopped on its way.
    FetchRequestId(String));
id!(/// A value held in the page for us, until its group is released.
    ObjectId(String));
id!(/// A node, within its session.
    #[derive(Copy)] BackendId(i64));
id!(/// A node that a search found, until `DOM` is disabled.
    #[derive(Copy)] FoundId(i64));
id!(/// A search among nodes.
    SearchId(String));
id!(/// A script installed for every new document.
    ScriptId(String));
id!(/// A script's world in one document of one session.
    #[derive(Copy)] ContextId(i64));
