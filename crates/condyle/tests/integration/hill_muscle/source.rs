//! Contract: no arm of a match over actuator types is missing or unreachable. The compiler reports both, as long as nothing is
//! suppressed and no wildcard stands for the types; this holds the sources to that.

use std::path::{Path, PathBuf};

fn sources() -> Vec<(PathBuf, String)> {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("..")];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).unwrap().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = std::fs::read_to_string(&path).unwrap();
                files.push((path, text));
            }
        }
    }
    assert!(files.len() > 100);
    files
}

#[test]
fn no_source_suppresses_unreachable_patterns() {
    let lint = concat!("allow(unreachable", "_patterns");
    for (path, text) in sources() {
        assert!(!text.contains(lint), "{}", path.display());
    }
}

#[test]
fn every_match_over_actuator_types_names_the_hill_muscle() {
    let mut seen = 0;
    for (path, text) in sources() {
        for (kind, column) in [
            ("DynamicsType", "actuator_dyntype"),
            ("GainType", "actuator_gaintype"),
            ("BiasType", "actuator_biastype"),
        ] {
            for head in [format!("match {kind}::from_i32("), format!("match model.{column}(")] {
                for (start, _) in text.match_indices(&head) {
                    let body = block(&text[start..]);
                    seen += 1;
                    assert!(body.contains(&format!("{kind}::HillMuscle")), "{}: {body}", path.display());
                    let wildcard = body.lines().any(|line| line.trim_start().starts_with("_ =>"));
                    assert!(!wildcard, "{}: {body}", path.display());
                }
            }
        }
    }
    assert!(seen >= 7, "{seen} matches found");
}

/// The first block in braces of a text.
fn block(text: &str) -> &str {
    let mut depth = 0;
    for (at, character) in text.char_indices() {
        match character {
            '{' => depth += 1,
            '}' => {
                depth -= 1;
                if depth == 0 {
                    return &text[..=at];
                }
            }
            _ => {}
        }
    }
    text
}
