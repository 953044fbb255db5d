//! The font of pictures, DejaVu Sans: widths for the layout, outlines for PNG files.

use ttf_parser::Face;

/// The font, or nothing should its file be unreadable.
pub(super) fn face() -> Option<Face<'static>> {
    Face::parse(dejavu::sans::regular(), 0).ok()
}

/// Width of a text in units of its size.
pub(super) fn width(text: &str) -> f64 {
    let Some(face) = face() else { return 0.6 * text.chars().count() as f64 };
    let advance = |c| face.glyph_index(c).and_then(|glyph| face.glyph_hor_advance(glyph)).unwrap_or(0);
    text.chars().map(|c| f64::from(advance(c))).sum::<f64>() / f64::from(face.units_per_em())
}

/// A text cut to a width in units of its size, with dots where something is missing.
pub(super) fn cut(text: &str, most: f64) -> String {
    if width(text) <= most {
        return text.to_owned();
    }
    // The ends of names tell more than their middles.
    let characters: Vec<char> = text.chars().collect();
    for kept in (0..characters.len()).rev() {
        let (head, tail) = (kept.div_ceil(2), kept / 2);
        let short: String =
            characters[..head].iter().chain(&['…']).chain(&characters[characters.len() - tail..]).collect();
        if width(&short) <= most {
            return short;
        }
    }
    String::new()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_are_cut_in_the_middle() {
        assert_eq!(cut("knee", 10.0), "knee");
        let short = cut("right_shoulder_abduction_joint", 8.0);
        assert!(width(&short) <= 8.0 && short.starts_with("right") && short.ends_with("joint"), "{short}");
        assert_eq!(cut("abc", 0.0), "");
    }
}
