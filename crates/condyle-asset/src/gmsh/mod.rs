//! Gmsh files, versions 2.2 and 4.1, as text or binary: points and the lines, triangles or tetrahedra between them.
//!
//! Only the sections `$Nodes` and `$Elements` are read, tags and entities are dropped. All elements must be of one kind, which
//! gives the dimension; version 4.1 must hold them in one block. Counts and sizes are checked as the reference checks them,
//! whose rules are narrower than the format: what it refuses is refused here.

mod stream;
mod version_22;
mod version_41;

use crate::error::AssetError;
use stream::Stream;

/// Most points, so that three coordinates each can be counted in 31 bits.
const MAX_POINTS: u64 = i32::MAX as u64 / 3;
/// Most elements, so that four corners each can be counted in 31 bits.
const MAX_ELEMENTS: u64 = i32::MAX as u64 / 4;

const MAGIC: &[u8] = b"$MeshFormat";

/// What a file holds.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct GmshData {
    /// 1 for lines, 2 for triangles, 3 for tetrahedra.
    pub dim: i32,
    /// Coordinates, three per point.
    pub points: Vec<f64>,
    /// Indices of points, `dim + 1` per element. They are not checked against the number of points.
    pub elements: Vec<i32>,
}

/// A file with the places of its sections.
struct File<'a> {
    bytes: &'a [u8],
    nodes: Section,
    elements: Section,
}

/// Where the content of a section starts and ends.
#[derive(Clone, Copy)]
struct Section {
    start: usize,
    end: usize,
}

impl Section {
    fn len(self) -> usize {
        self.end - self.start
    }
}

impl<'a> File<'a> {
    fn stream(&self, section: Section) -> Stream<'a> {
        Stream::new(self.bytes, section.start, section.end)
    }

    /// A problem at an offset of a text file.
    fn in_text(&self, code: &'static str, message: impl Into<String>, offset: usize) -> AssetError {
        AssetError::new(code, message).at_line(line_of(self.bytes, offset))
    }

    fn in_binary(&self, code: &'static str, message: impl Into<String>, offset: usize) -> AssetError {
        AssetError::new(code, message).at_byte(offset)
    }

    /// Little-endian bytes at an offset.
    fn array<const N: usize>(&self, offset: usize) -> Option<[u8; N]> {
        self.bytes.get(offset..offset.checked_add(N)?)?.try_into().ok()
    }

    fn i32(&self, offset: usize) -> Option<i32> {
        self.array(offset).map(i32::from_le_bytes)
    }

    fn u64(&self, offset: usize) -> Option<u64> {
        self.array(offset).map(u64::from_le_bytes)
    }

    fn f64(&self, offset: usize) -> Option<f64> {
        self.array(offset).map(f64::from_le_bytes)
    }
}

/// Line of an offset, counted from one.
fn line_of(bytes: &[u8], offset: usize) -> usize {
    1 + bytes.iter().take(offset).filter(|&&byte| byte == b'\n').count()
}

/// Reads a Gmsh file.
pub fn read(bytes: &[u8]) -> Result<GmshData, AssetError> {
    if bytes.is_empty() {
        return Err(AssetError::new("gmsh-empty", "Gmsh file is empty"));
    }
    if !bytes.starts_with(MAGIC) {
        return Err(AssetError::new("gmsh-format", "a Gmsh file must begin with $MeshFormat")
            .at_byte(0)
            .help("export the mesh from Gmsh as version 2.2 or 4.1"));
    }
    let (version, binary) = format(bytes).ok_or_else(|| {
        AssetError::new("gmsh-format", "could not read the header of the Gmsh file")
            .at_line(line_of(bytes, MAGIC.len() + 1))
            .help("after $MeshFormat come the version, 0 for text or 1 for binary, and the size of a number")
    })?;
    let hundredths = round(100.0 * version);
    if hundredths != 220.0 && hundredths != 410.0 {
        let message = format!("version {version} of the Gmsh format is not supported");
        return Err(AssetError::new("gmsh-version", message)
            .at_line(line_of(bytes, MAGIC.len() + 1))
            .help("export the mesh as version 2.2 or 4.1"));
    }
    let file = File {
        bytes,
        nodes: section(bytes, "$Nodes", "$EndNodes")?,
        elements: section(bytes, "$Elements", "$EndElements")?,
    };
    match (hundredths == 410.0, binary) {
        (true, false) => version_41::read_text(&file),
        (true, true) => version_41::read_binary(&file),
        (false, false) => version_22::read_text(&file),
        (false, true) => version_22::read_binary(&file),
    }
}

/// Version, and whether numbers are binary.
fn format(bytes: &[u8]) -> Option<(f64, bool)> {
    let mut stream = Stream::new(bytes, MAGIC.len(), bytes.len());
    Some((stream.real()?, stream.signed()? != 0))
}

/// The nearest whole number, upward from the middle.
fn round(x: f64) -> f64 {
    if x - x.floor() < x.ceil() - x { x.floor() } else { x.ceil() }
}

/// The content between two markers, without the line break after the first. A marker at the very end is not seen.
fn section(bytes: &[u8], opening: &str, closing: &str) -> Result<Section, AssetError> {
    let find = |marker: &str| {
        let searched = bytes.get(..bytes.len().saturating_sub(1)).unwrap_or_default();
        searched.windows(marker.len()).position(|window| window == marker.as_bytes())
    };
    let missing = |message: String| {
        AssetError::new("gmsh-section", message).help("the file is incomplete or damaged; export it again")
    };
    let start = find(opening).ok_or_else(|| missing(format!("Gmsh file has no {opening}")))?;
    let start = start + opening.len() + 1;
    match find(closing) {
        Some(end) if end >= start => Ok(Section { start, end }),
        _ => Err(missing(format!("Gmsh file has no {closing} after {opening}"))),
    }
}

#[cfg(test)]
mod tests;
