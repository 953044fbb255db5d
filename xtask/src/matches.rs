//! Matches that must name every variant: a new transmission that a `_ =>` swallows would be ignored in silence, while a match
//! without wildcard does not compile until somebody has decided. The compiler enforces the second half; this finds wildcards.

use std::path::Path;

/// Enumerations whose matches may have no wildcard.
const WATCHED: &[&str] = &["TransmissionType"];

/// Report the wildcards of one source file.
pub fn check(path: &Path, source: &str, problems: &mut Vec<String>) {
    let code = without_text(source);
    for (line, heads) in matches(&code) {
        let watched =
            WATCHED.iter().find(|name| heads.iter().any(|head| head.contains(&format!("{name}::"))));
        if let Some(name) = watched
            && let Some(head) = heads.iter().find(|head| is_wildcard(head))
        {
            problems.push(format!(
                "{}:{line}: a match over {name} has the wildcard '{head}'; name every variant",
                path.display()
            ));
        }
    }
}

/// Whether a pattern takes everything that is left.
fn is_wildcard(head: &str) -> bool {
    head.split('|').map(str::trim).any(|pattern| {
        let name = pattern.chars().all(|c| c == '_' || c.is_ascii_lowercase() || c.is_ascii_digit());
        name || pattern == "Some(_)" || pattern.starts_with("(_")
    })
}

/// The source with comments and literals replaced by spaces, so that braces and words in them do not count.
fn without_text(source: &str) -> Vec<u8> {
    let mut code = source.as_bytes().to_vec();
    let mut at = 0;
    while at < code.len() {
        let rest = &code[at..];
        let end = if rest.starts_with(b"//") {
            at + rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len())
        } else if rest.starts_with(b"r#\"") {
            at + find(rest, b"\"#").map_or(rest.len(), |length| length + 2)
        } else if rest[0] == b'"' {
            at + quoted(rest, b'"')
        } else if rest[0] == b'\'' && (rest.get(1) == Some(&b'\\') || rest.get(2) == Some(&b'\'')) {
            at + quoted(rest, b'\'')
        } else {
            at += 1;
            continue;
        };
        for byte in &mut code[at..end] {
            if *byte != b'\n' {
                *byte = b' ';
            }
        }
        at = end;
    }
    code
}

/// Length of a literal that starts with its quote.
fn quoted(text: &[u8], quote: u8) -> usize {
    let mut at = 1;
    while at < text.len() && text[at] != quote {
        at += if text[at] == b'\\' { 2 } else { 1 };
    }
    (at + 1).min(text.len())
}

fn find(text: &[u8], pattern: &[u8]) -> Option<usize> {
    text.windows(pattern.len()).position(|window| window == pattern)
}

/// Line and patterns of every `match`.
fn matches(code: &[u8]) -> Vec<(usize, Vec<String>)> {
    let word = |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    let mut found = Vec::new();
    for at in 0..code.len() {
        let keyword = code[at..].starts_with(b"match")
            && !word(code.get(at + 5))
            && code.get(at + 5) != Some(&b'!')
            && !(at > 0 && word(code.get(at - 1)));
        if keyword && let Some(open) = opening(code, at) {
            let line = 1 + code[..at].iter().filter(|byte| **byte == b'\n').count();
            found.push((line, patterns(code, open + 1)));
        }
    }
    found
}

/// The brace that opens the arms of the match at `at`.
fn opening(code: &[u8], at: usize) -> Option<usize> {
    let mut depth = 0;
    for (offset, byte) in code[at..].iter().enumerate() {
        match byte {
            b'(' | b'[' => depth += 1,
            b')' | b']' => depth -= 1,
            b'{' if depth == 0 => return Some(at + offset),
            b';' if depth == 0 => return None,
            _ => {}
        }
    }
    None
}

/// The patterns, guards left out, of the arms that begin at `at`.
fn patterns(code: &[u8], mut at: usize) -> Vec<String> {
    let mut found = Vec::new();
    let mut start = at;
    let mut depth = 0;
    let mut in_pattern = true;
    while let Some(byte) = code.get(at) {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' if depth == 0 => break,
            b')' | b']' | b'}' => {
                depth -= 1;
                // A block that ends an arm needs no comma.
                if depth == 0 && *byte == b'}' && !in_pattern {
                    (in_pattern, start) = (true, at + 1);
                }
            }
            b',' if depth == 0 => (in_pattern, start) = (true, at + 1),
            b'=' if depth == 0 && in_pattern && code.get(at + 1) == Some(&b'>') => {
                let head = String::from_utf8_lossy(&code[start..at]);
                let head = head.split(" if ").next().unwrap_or_default();
                found.push(head.trim().trim_start_matches(',').trim().to_owned());
                in_pattern = false;
                at += 1;
            }
            _ => {}
        }
        at += 1;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problems(source: &str) -> usize {
        let mut problems = Vec::new();
        check(Path::new("x.rs"), source, &mut problems);
        problems.len()
    }

    #[test]
    fn wildcards_over_watched_enumerations_are_found() {
        for wildcard in ["_", "Some(_) | None", "other"] {
            let text = format!(
                "fn f() {{ match kind {{ Some(TransmissionType::Joint) => {{ 1 }} {wildcard} => 2, }} }}"
            );
            assert_eq!(problems(&text), 1, "{text}");
        }
        assert_eq!(problems("match (k, t) { (TransmissionType::Body, Some(b)) => f(b), _ => {} }"), 1);
    }

    #[test]
    fn complete_matches_and_other_enumerations_are_left_alone() {
        assert_eq!(problems("match k { TransmissionType::Joint => 1, TransmissionType::Body => g(_x), }"), 0);
        assert_eq!(problems("match k { JointType::Ball => 3, _ => 1 }"), 0);
        assert_eq!(problems("match a { 1 => match b { TransmissionType::Body => 1, }, _ => 2 }"), 0);
        assert_eq!(problems("matches!(kind, TransmissionType::Body | _)"), 0);
        assert_eq!(problems("// match k { TransmissionType::Body => 1, _ => 2 }"), 0);
        assert_eq!(
            problems("match k { TransmissionType::Body => \"_ => \", TransmissionType::Site => '_' }"),
            0
        );
    }
}
