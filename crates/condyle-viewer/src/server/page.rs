//! Answers to requests: files of the page, and the socket.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{FromRequestParts, Request, State};
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{Method, StatusCode};
use axum::response::{IntoResponse, Response};

use super::{Shared, guard, host};
use crate::command::MOST_BYTES;

/// Files of the page by name.
const FILES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/page.rs"));

/// What is shown where the page was not built.
const MISSING: &str = "<!doctype html><meta charset=utf-8><title>Condyle</title>\
<p>The viewer's page is not part of this program.<p>In a checkout, <code>cargo xtask viewer</code> builds it (Node.js is needed); \
then build the program again. Released programs and wheels contain it.\n";

/// Scripts and sockets of the page itself, nothing from elsewhere.
const POLICY: &str = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; \
img-src 'self' data: blob:; connect-src 'self' ws: wss:; worker-src 'self' blob:; object-src 'none'; base-uri 'none'";

pub(super) fn is_built() -> bool {
    FILES.iter().any(|(name, _)| *name == "index.html")
}

/// Answers a request.
pub(super) async fn answer(State(shared): State<Arc<Shared>>, request: Request) -> Response {
    let (mut parts, _) = request.into_parts();
    let rest = match guard::check(&parts.uri, &parts.headers, &shared.token, shared.open) {
        Ok(rest) => rest.to_owned(),
        Err(refusal) => return refusal.into_response(),
    };
    if parts.method != Method::GET {
        return (StatusCode::METHOD_NOT_ALLOWED, "Only GET is answered.\n").into_response();
    }
    if rest == "socket" {
        return match WebSocketUpgrade::from_request_parts(&mut parts, &()).await {
            Ok(upgrade) => upgrade
                .max_message_size(4 * MOST_BYTES)
                .max_frame_size(4 * MOST_BYTES)
                .on_upgrade(move |socket| host::attend(socket, shared)),
            Err(refusal) => refusal.into_response(),
        };
    }
    file(if rest.is_empty() { "index.html" } else { &rest })
}

fn file(name: &str) -> Response {
    let found = FILES.iter().find(|(known, _)| *known == name);
    let (kind, bytes): (&str, &'static [u8]) = match found {
        Some((_, bytes)) => (kind(name), bytes),
        None if name == "index.html" => ("text/html; charset=utf-8", MISSING.as_bytes()),
        None => return (StatusCode::NOT_FOUND, "There is no such file.\n").into_response(),
    };
    let headers = [
        (CONTENT_TYPE, kind),
        (CONTENT_SECURITY_POLICY, POLICY),
        (REFERRER_POLICY, "no-referrer"),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (CACHE_CONTROL, "no-store"),
    ];
    (headers, Body::from(bytes)).into_response()
}

fn kind(name: &str) -> &'static str {
    match name.rsplit('.').next().unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "wasm" => "application/wasm",
        "json" => "application/json",
        _ => "application/octet-stream",
    }
}
