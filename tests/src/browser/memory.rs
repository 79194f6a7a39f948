//! How much memory the extension's service worker holds, as the debugger finds it.

use super::Browser;
use crate::pipe::SessionId;
use anyhow::{Context as _, Result};
use serde_json::json;

/// In bytes.
#[derive(Debug, Clone, Copy)]
pub struct WorkerMemory {
    /// The wasm's memory, as large as it has grown; it never shrinks.
    pub wasm: u64,
    /// What JavaScript holds, after garbage was collected.
    pub script: u64,
}

impl Browser {
    /// What the service worker, which must be running, holds now.
    pub async fn worker_memory(&self) -> Result<WorkerMemory> {
        let worker = self.worker().await?.context("the service worker is not running")?;
        let session = self.attach_to(&worker.id).await?;
        let held = self.held(&session).await;
        self.pipe.call("Target.detachFromTarget", json!({ "sessionId": session.0 })).await?;
        held
    }

    async fn held(&self, session: &SessionId) -> Result<WorkerMemory> {
        let call = async |method, params| self.pipe.call_in(session, method, params).await;
        // Its shell keeps the memory to itself; it is found by its prototype.
        let prototype =
            call("Runtime.evaluate", json!({ "expression": "WebAssembly.Memory.prototype" })).await?;
        let asked = json!({ "prototypeObjectId": prototype["result"]["objectId"] });
        let memories = call("Runtime.queryObjects", asked).await?;
        let sum = json!({
            "objectId": memories["objects"]["objectId"],
            "functionDeclaration": "function () { return this.reduce((sum, it) => sum + it.buffer.byteLength, 0) }",
            "returnByValue": true,
        });
        let summed = call("Runtime.callFunctionOn", sum).await?;
        let wasm = summed["result"]["value"].as_u64().context("the worker holds no wasm memory")?;
        call("HeapProfiler.collectGarbage", json!({})).await?;
        let usage = call("Runtime.getHeapUsage", json!({})).await?;
        // A JSON number of the protocol may be written as a fraction.
        let script = usage["usedSize"].as_f64().context("the worker tells no heap")?;
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a size in bytes")]
        Ok(WorkerMemory { wasm, script: script as u64 })
    }
}
