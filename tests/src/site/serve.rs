//! The server's routes: files, records, the shop's few calls, and three awkward ones (a slow answer, a redirect, a page
//! without end).

use crate::{
    record::{Entry, Records},
    shop,
};
use axum::{
    Router,
    body::{Body, Bytes},
    extract::{Path, Query, State as Shared},
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse, Redirect, Response},
    routing::{get, post},
};
use futures::stream;
use serde::Deserialize;
use std::{convert::Infallible, path::Component, sync::Arc, time::Duration};

#[derive(Clone)]
pub struct State {
    /// The folder that holds `pages`, `shop` and `libraries`.
    pub folder: Arc<std::path::Path>,
    pub records: Records,
}

pub fn app(state: State) -> Router {
    Router::new()
        .route("/{run}/pages/{*path}", get(page).post(page))
        .route("/{run}/shop/{*path}", get(shop_file))
        .route("/{run}/libraries/{*path}", get(library_file))
        .route("/{run}/record", post(record))
        .route("/{run}/slow/{milliseconds}", get(slow))
        .route("/{run}/redirect", get(redirect))
        .route("/{run}/pages/endless", get(endless))
        .route("/{run}/shop/api/products", get(shop::products))
        .route("/{run}/shop/api/card", post(shop::card))
        .route("/{run}/shop/api/order", post(shop::order))
        .with_state(state)
}

async fn page(
    Shared(state): Shared<State>,
    Path((run, path)): Path<(String, String)>,
    headers: HeaderMap,
) -> Response {
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
    state.records.write(&run, |run| run.asked.push(format!("{host}/{path}")));
    file(&state, &run, &format!("pages/{path}"), &headers).await
}

async fn shop_file(
    Shared(state): Shared<State>,
    Path((run, path)): Path<(String, String)>,
    headers: HeaderMap,
) -> Response {
    file(&state, &run, &format!("shop/{path}"), &headers).await
}

async fn library_file(
    Shared(state): Shared<State>,
    Path((run, path)): Path<(String, String)>,
    headers: HeaderMap,
) -> Response {
    file(&state, &run, &format!("libraries/{path}"), &headers).await
}

async fn file(state: &State, run: &str, path: &str, headers: &HeaderMap) -> Response {
    let path = std::path::Path::new(path);
    let plain = path.components().all(|part| matches!(part, Component::Normal(_)));
    if !plain {
        return StatusCode::NOT_FOUND.into_response();
    }
    let Ok(bytes) = tokio::fs::read(state.folder.join(path)).await else {
        return (StatusCode::NOT_FOUND, format!("no {}", path.display())).into_response();
    };
    let kind = match path.extension().and_then(|ending| ending.to_str()) {
        Some("html") => "text/html; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("svg") => "image/svg+xml",
        _ => "application/octet-stream",
    };
    let body = if kind.starts_with("text/html") {
        let folder = path.parent().map(|folder| folder.display().to_string()).unwrap_or_default();
        let other = format!("{}/{run}/{folder}", other_origin(headers));
        String::from_utf8_lossy(&bytes).replace("{{other-site}}", &other).into_bytes()
    } else {
        bytes
    };
    // A page that may not be stored is not kept for going back to, either.
    let kept = path.file_stem().is_some_and(|name| name == "history");
    let caching = if kept { "no-cache" } else { "no-store" };
    ([(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, caching)], body).into_response()
}

/// The same server under the name that the request did not use.
fn other_origin(headers: &HeaderMap) -> String {
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
    match host.split_once(':') {
        Some(("127.0.0.1", port)) => format!("http://localhost:{port}"),
        Some((_, port)) => format!("http://127.0.0.1:{port}"),
        None => format!("http://{host}"),
    }
}

async fn record(Shared(state): Shared<State>, Path(run): Path<String>, body: Bytes) -> StatusCode {
    match serde_json::from_slice::<Entry>(&body) {
        Ok(entry) => {
            state.records.write(&run, |run| run.entries.push(entry));
            StatusCode::NO_CONTENT
        }
        Err(_) => StatusCode::BAD_REQUEST,
    }
}

async fn slow(Path((_, milliseconds)): Path<(String, u64)>) -> &'static str {
    tokio::time::sleep(Duration::from_millis(milliseconds)).await;
    "at last"
}

#[derive(Deserialize)]
struct Onward {
    to: String,
}

async fn redirect(Query(onward): Query<Onward>) -> Redirect {
    Redirect::temporary(&onward.to)
}

/// A page that goes on and on: a line every 50 ms for as long as somebody listens.
async fn endless() -> impl IntoResponse {
    const BEGINNING: &str = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Endless</title>\
        <script src=\"recorder.js\"></script><h1>Endless</h1><button id=\"early\">Press early</button>\n";
    let lines = stream::unfold(0_u32, async |n| {
        let line = if n == 0 { BEGINNING.to_owned() } else { format!("<p>Line {n}</p>\n") };
        if n > 0 {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        Some((Ok::<_, Infallible>(line), n + 1))
    });
    ([(header::CONTENT_TYPE, "text/html; charset=utf-8")], Body::from_stream(lines))
}
