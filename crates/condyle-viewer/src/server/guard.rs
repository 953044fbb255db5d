//! Which requests are answered.
//!
//! - The first part of the path is the token. It is compared in full whatever it begins with, so that the time of the answer tells
//!   nothing.
//! - The host is this machine by one of its own names, unless the server was asked to be reachable from outside: a name that an
//!   attacker lets resolve to 127.0.0.1 is refused.
//! - An origin, which browsers send with every WebSocket and every request of a script, is that of the page itself.
//! - The rest of the path is the name of a file of the page as it stands; nothing is decoded, resolved or looked up on disk.

use axum::http::header::{HOST, ORIGIN};
use axum::http::{HeaderMap, StatusCode, Uri};

/// Why a request gets nothing.
pub(super) type Refusal = (StatusCode, &'static str);

/// The part of the path after the token, if the request may be answered.
pub(super) fn check<'a>(
    uri: &'a Uri,
    headers: &HeaderMap,
    token: &str,
    open: bool,
) -> Result<&'a str, Refusal> {
    let text = |name| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
    let host = text(HOST).ok_or((StatusCode::BAD_REQUEST, "The request names no host.\n"))?;
    if !open && !is_local(host) {
        return Err((StatusCode::FORBIDDEN, "This host name is not served.\n"));
    }
    if let Some(origin) = text(ORIGIN)
        && origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://")) != Some(host)
    {
        return Err((StatusCode::FORBIDDEN, "Requests of other sites are refused.\n"));
    }
    let path = uri.path().strip_prefix('/').unwrap_or_default();
    let (given, rest) = path.split_once('/').unwrap_or((path, ""));
    if !same(given.as_bytes(), token.as_bytes()) {
        return Err((StatusCode::FORBIDDEN, "The address lacks its token; use the one that was printed.\n"));
    }
    Ok(rest)
}

/// Whether a host header names this machine; the port may be that of a tunnel.
fn is_local(host: &str) -> bool {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    };
    matches!(name, "127.0.0.1" | "localhost" | "[::1]")
}

fn same(a: &[u8], b: &[u8]) -> bool {
    a.len() == b.len() && a.iter().zip(b).fold(0, |different, (a, b)| different | (a ^ b)) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(path: &str, headers: &[(&str, &str)]) -> Result<String, StatusCode> {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.insert(axum::http::HeaderName::from_bytes(name.as_bytes()).unwrap(), value.parse().unwrap());
        }
        let uri: Uri = path.parse().unwrap();
        check(&uri, &map, "secret", false).map(str::to_owned).map_err(|refusal| refusal.0)
    }

    #[test]
    fn the_token_opens_the_page() {
        assert_eq!(ask("/secret/", &[("host", "127.0.0.1:8000")]), Ok(String::new()));
        assert_eq!(ask("/secret/a.js", &[("host", "localhost:1")]), Ok("a.js".to_owned()));
        for path in ["/", "/a.js", "/secre/a.js", "/secret2/", "/%73ecret/", "//secret/"] {
            assert_eq!(ask(path, &[("host", "localhost")]), Err(StatusCode::FORBIDDEN), "{path}");
        }
    }

    #[test]
    fn other_hosts_and_origins_are_refused() {
        let refused = Err(StatusCode::FORBIDDEN);
        assert_eq!(ask("/secret/", &[("host", "evil.example")]), refused);
        assert_eq!(ask("/secret/", &[("host", "127.0.0.1.evil.example:80")]), refused);
        for origin in
            ["http://evil.example", "null", "http://localhost:9", "file://", "http://localhost:8.evil"]
        {
            assert_eq!(ask("/secret/", &[("host", "localhost:8"), ("origin", origin)]), refused, "{origin}");
        }
        assert!(ask("/secret/", &[("host", "localhost:8"), ("origin", "http://localhost:8")]).is_ok());
        assert_eq!(ask("/secret/", &[]), Err(StatusCode::BAD_REQUEST));
    }
}
