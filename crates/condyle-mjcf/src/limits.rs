//! Caps on what an untrusted file may ask for. Everything is refused before it is allocated.

/// Upper bounds enforced while text is read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Bytes of one text file.
    pub file_bytes: usize,
    /// Bytes of all included text files of one model together.
    pub total_bytes: usize,
    /// Files included in one another.
    pub include_depth: usize,
    /// Elements open in one another in one file; the reference's parser stops at the same depth.
    pub element_depth: usize,
    /// Elements open in one another over all files.
    pub total_depth: usize,
    /// Attributes of one element.
    pub attributes: usize,
    /// Elements in all files of one model together.
    pub elements: usize,
    /// Models loaded by `<asset><model>` inside one another.
    pub model_depth: usize,
    /// Problems reported before the rest is left out.
    pub diagnostics: usize,
}

condyle_base::setters!(Limits {
    file_bytes: usize,
    total_bytes: usize,
    include_depth: usize,
    element_depth: usize,
    total_depth: usize,
    attributes: usize,
    elements: usize,
    model_depth: usize,
    diagnostics: usize,
});

impl Default for Limits {
    fn default() -> Self {
        Self {
            file_bytes: 64 << 20,
            total_bytes: 256 << 20,
            include_depth: 32,
            element_depth: 498,
            total_depth: 1000,
            attributes: 256,
            elements: 5_000_000,
            model_depth: 8,
            diagnostics: 200,
        }
    }
}
