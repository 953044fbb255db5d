//! Version 4.1: one block of nodes and one of elements, with tags that count up from the smallest.
//!
//! The header of either section has the counts of blocks and of entries, the smallest and largest tag, and then those of the
//! block: dimension, entity, parametric flag or element type, and count.

use super::{File, GmshData, MAX_ELEMENTS, MAX_POINTS, Section};
use crate::error::AssetError;

/// Bytes of the header of a binary section.
const HEADER: usize = 52;
/// Bytes of a tag, an index or a coordinate.
const NUMBER: usize = 8;

/// Header of a section.
struct Header {
    blocks: u64,
    count: u64,
    first_tag: u64,
    last_tag: u64,
    dim: i32,
    /// Parametric flag of nodes, type of elements.
    kind: i32,
    block_count: u64,
}

const EXPORT: &str = "mesh a single volume or surface and export it alone";

impl Header {
    fn in_text(file: &File<'_>, section: Section, what: &str) -> Result<(Self, usize), AssetError> {
        let mut stream = file.stream(section);
        let mut read = || {
            let [blocks, count, first_tag, last_tag] =
                [stream.unsigned()?, stream.unsigned()?, stream.unsigned()?, stream.unsigned()?];
            let [dim, _, kind] = [stream.signed()?, stream.signed()?, stream.signed()?];
            Some(Self { blocks, count, first_tag, last_tag, dim, kind, block_count: stream.unsigned()? })
        };
        let header = read();
        let at = stream.position();
        let header =
            header.ok_or_else(|| file.in_text("gmsh-header", format!("bad header of the {what}"), at))?;
        Ok((header, at))
    }

    fn in_binary(file: &File<'_>, section: Section, what: &str) -> Result<Self, AssetError> {
        let at = section.start;
        let read = || {
            if section.len() < HEADER {
                return None;
            }
            Some(Self {
                blocks: file.u64(at)?,
                count: file.u64(at + 8)?,
                first_tag: file.u64(at + 16)?,
                last_tag: file.u64(at + 24)?,
                dim: file.i32(at + 32)?,
                kind: file.i32(at + 40)?,
                block_count: file.u64(at + 44)?,
            })
        };
        read().ok_or_else(|| {
            file.in_binary("gmsh-header", format!("the header of the {what} is incomplete"), at)
        })
    }

    /// What nodes must fulfil.
    fn check_nodes(&self) -> Result<(), AssetError> {
        if self.blocks != 1 || self.count != self.block_count {
            return Err(AssetError::new("gmsh-blocks", "all nodes must be in a single block").help(EXPORT));
        }
        if !(1..=3).contains(&self.dim) {
            let message = format!("the nodes belong to an entity of dimension {}, not 1, 2 or 3", self.dim);
            return Err(AssetError::new("gmsh-dim", message).help(EXPORT));
        }
        if self.count >= MAX_POINTS {
            return Err(AssetError::new("gmsh-count", format!("invalid number of nodes, {}", self.count)));
        }
        Ok(())
    }

    /// What elements must fulfil, given the dimension of the nodes.
    fn check_elements(&self, dim: i32) -> Result<(), AssetError> {
        if self.blocks != 1 || self.count != self.block_count {
            return Err(AssetError::new("gmsh-blocks", "all elements must be in a single block").help(EXPORT));
        }
        if self.dim != dim {
            let message = format!("the elements have dimension {}, the nodes {dim}", self.dim);
            return Err(AssetError::new("gmsh-dim", message).help(EXPORT));
        }
        let simplex = match dim {
            1 => 1,
            2 => 2,
            _ => 4,
        };
        if self.kind != simplex {
            let message = format!("elements of type {} do not fit dimension {dim}", self.kind);
            return Err(AssetError::new("gmsh-type", message)
                .help("lines, triangles and tetrahedra of first order can be read"));
        }
        if self.count >= MAX_ELEMENTS {
            return Err(AssetError::new("gmsh-count", format!("invalid number of elements, {}", self.count)));
        }
        Ok(())
    }

    fn check_tag(&self, index: u64, tag: u64) -> Result<(), String> {
        let expected = self.first_tag.wrapping_add(index);
        if tag == expected { Ok(()) } else { Err(format!("node tag {tag} where {expected} was expected")) }
    }
}

const SEQUENTIAL: &str = "node tags must count up without gaps; renumber the mesh in Gmsh";

pub(super) fn read_text(file: &File<'_>) -> Result<GmshData, AssetError> {
    let (nodes, at) = Header::in_text(file, file.nodes, "nodes")?;
    let here = |error: AssetError, at| error.at_line(super::line_of(file.bytes, at));
    nodes.check_nodes().map_err(|error| here(error, at))?;
    if nodes.last_tag != nodes.block_count {
        let message =
            format!("the largest node tag is {}, but there are {} nodes", nodes.last_tag, nodes.count);
        return Err(file.in_text("gmsh-tags", message, at).help(SEQUENTIAL));
    }
    let mut data = GmshData { dim: nodes.dim, ..GmshData::default() };
    let mut stream = file.stream(Section { start: at, ..file.nodes });
    for index in 0..nodes.count {
        let tag = stream.unsigned();
        let at = stream.position();
        let tag = tag.ok_or_else(|| file.in_text("gmsh-number", "bad or missing node tag", at))?;
        nodes
            .check_tag(index, tag)
            .map_err(|message| file.in_text("gmsh-tags", message, at).help(SEQUENTIAL))?;
    }
    for _ in 0..3 * nodes.count {
        let number = stream.real();
        let at = stream.position();
        data.points.push(
            number.ok_or_else(|| file.in_text("gmsh-number", "bad or missing coordinate of a node", at))?,
        );
    }

    let (elements, at) = Header::in_text(file, file.elements, "elements")?;
    elements.check_elements(data.dim).map_err(|error| here(error, at))?;
    let mut stream = file.stream(Section { start: at, ..file.elements });
    for index in 0..elements.count {
        // The tag of the element is dropped, whatever it is.
        let mut usable = stream.unsigned().is_some();
        for _ in 0..=data.dim {
            let tag = stream.unsigned();
            usable &= tag.is_some();
            let (Some(tag), true) = (tag, usable) else {
                let message = format!("bad or missing number in element {index}");
                return Err(file.in_text("gmsh-number", message, stream.position()));
            };
            data.elements.push(tag.wrapping_sub(nodes.first_tag) as i32);
        }
    }
    Ok(data)
}

pub(super) fn read_binary(file: &File<'_>) -> Result<GmshData, AssetError> {
    let nodes = Header::in_binary(file, file.nodes, "nodes")?;
    nodes.check_nodes().map_err(|error| error.at_byte(file.nodes.start))?;
    let count = entries(file.nodes, nodes.count, 4).ok_or_else(|| {
        file.in_binary("gmsh-size", "the section of the nodes is too short", file.nodes.end)
    })?;
    let mut data = GmshData { dim: nodes.dim, ..GmshData::default() };
    let tags = file.nodes.start + HEADER;
    let cut = |at| file.in_binary("gmsh-size", "the file ends too early", at);
    for index in 0..count {
        let at = tags + NUMBER * index;
        let tag = file.u64(at).ok_or_else(|| cut(at))?;
        nodes
            .check_tag(index as u64, tag)
            .map_err(|message| file.in_binary("gmsh-tags", message, at).help(SEQUENTIAL))?;
    }
    data.points.reserve(3 * count);
    let coordinates = tags + NUMBER * count;
    for index in 0..3 * count {
        let at = coordinates + NUMBER * index;
        data.points.push(file.f64(at).ok_or_else(|| cut(at))?);
    }

    let elements = Header::in_binary(file, file.elements, "elements")?;
    elements.check_elements(data.dim).map_err(|error| error.at_byte(file.elements.start))?;
    let corners = data.dim.unsigned_abs() as usize + 1;
    let count = entries(file.elements, elements.count, corners + 1).ok_or_else(|| {
        file.in_binary("gmsh-size", "the section of the elements is too short", file.elements.end)
    })?;
    data.elements.reserve(corners * count);
    let mut at = file.elements.start + HEADER;
    for _ in 0..count {
        at += NUMBER;
        for _ in 0..corners {
            let tag = file.u64(at).ok_or_else(|| cut(at))?;
            data.elements.push(tag.wrapping_sub(nodes.first_tag) as i32);
            at += NUMBER;
        }
    }
    Ok(data)
}

/// The count as an index, if the section has room for so many entries of `numbers` numbers.
fn entries(section: Section, count: u64, numbers: usize) -> Option<usize> {
    let count = usize::try_from(count).ok()?;
    let needed = count.checked_mul(numbers * NUMBER)?.checked_add(HEADER)?;
    (needed <= section.len()).then_some(count)
}
