//! Version 2.2: the count of nodes, then tag and coordinates of each; the count of elements, then tags and corners of each.
//!
//! Nodes are numbered by their order, their tags are dropped. The first element decides whether all are triangles or
//! tetrahedra. Two layouts of binary elements are in use: a header before every element (Gmsh) or one before all (fTetWild);
//! the number of tags in the first header tells them apart.

use super::{File, GmshData, MAX_ELEMENTS, MAX_POINTS, Section, Stream};
use crate::error::AssetError;

/// Bytes of a 32-bit number.
const WORD: usize = 4;
/// Bytes of a node: its tag and three coordinates.
const NODE: usize = WORD + 3 * 8;
/// Bytes that the header of the nodes is taken to have when the section is measured.
const NODE_HEADER: usize = 4;
/// The same for elements, in both layouts.
const GMSH_HEADER: usize = 4;
const FTETWILD_HEADER: usize = 17;
/// Bytes of an element of fTetWild, even for triangles.
const FTETWILD_ELEMENT: usize = 5 * WORD;
/// Words before the corners of an element of Gmsh: type, count, number of tags, tag and two entities.
const GMSH_WORDS: usize = 6;
/// Most bytes of a count in a binary file.
const COUNT_DIGITS: usize = 10;

/// Corners of an element of a type.
fn corners(kind: i32) -> Option<usize> {
    match kind {
        2 => Some(3),
        4 => Some(4),
        _ => None,
    }
}

fn type_error(kind: i32) -> AssetError {
    AssetError::new("gmsh-type", format!("elements of type {kind} cannot be read"))
        .help("only triangles (2) and tetrahedra (4) can; export the surface or the volume alone")
}

fn node_error(tag: i32, most: usize) -> AssetError {
    AssetError::new("gmsh-index", format!("an element names node {tag}"))
        .help(format!("node tags in elements go from 1 to {most} here"))
}

pub(super) fn read_text(file: &File<'_>) -> Result<GmshData, AssetError> {
    let (mut stream, count) = text_header(file, file.nodes, MAX_POINTS, "nodes")?;
    let mut data = GmshData::default();
    for _ in 0..count {
        let tag = stream.unsigned();
        let at = stream.position();
        tag.ok_or_else(|| file.in_text("gmsh-number", "bad or missing node tag", at))?;
        for _ in 0..3 {
            let number = stream.real();
            let at = stream.position();
            data.points.push(
                number
                    .ok_or_else(|| file.in_text("gmsh-number", "bad or missing coordinate of a node", at))?,
            );
        }
    }

    let node_count = count;
    let (mut stream, count) = text_header(file, file.elements, MAX_ELEMENTS, "elements")?;
    let mut first = None;
    // The first element is read even if there is none.
    for index in 0..count.max(1) {
        let header = element_header(&mut stream);
        let at = stream.position();
        let bad = |at| file.in_text("gmsh-number", format!("bad or missing number in element {index}"), at);
        let (kind, tags) = header.ok_or_else(|| bad(at))?;
        let size = match first {
            Some(size) => size,
            None => corners(kind).ok_or_else(|| type_error(kind).at_line(super::line_of(file.bytes, at)))?,
        };
        first = Some(size);
        if index >= count {
            break;
        }
        if tags > 0 {
            let entities = stream.signed().and_then(|_| stream.signed());
            entities.ok_or_else(|| bad(stream.position()))?;
        }
        for _ in 0..size {
            let tag = stream.signed();
            let at = stream.position();
            let tag = tag.ok_or_else(|| bad(at))?;
            if tag < 1 || tag as u64 > node_count {
                return Err(node_error(tag, node_count as usize).at_line(super::line_of(file.bytes, at)));
            }
            data.elements.push(tag - 1);
        }
    }
    data.dim = first.map_or(0, |size| size as i32 - 1);
    Ok(data)
}

/// The count on the first line of a section of a text file, and what follows it.
fn text_header<'a>(
    file: &File<'a>,
    section: Section,
    limit: u64,
    what: &str,
) -> Result<(Stream<'a>, u64), AssetError> {
    let mut stream = file.stream(section);
    let start = stream.position();
    let count = if stream.line_is_digits() { stream.unsigned() } else { None };
    let count = count.ok_or_else(|| {
        file.in_text("gmsh-header", format!("bad header of the {what}"), start)
            .help("the section starts with a line that holds the count alone")
    })?;
    if count >= limit {
        return Err(file.in_text("gmsh-count", format!("invalid number of {what}, {count}"), start));
    }
    Ok((stream, count))
}

/// Type and number of tags of an element.
fn element_header(stream: &mut Stream<'_>) -> Option<(i32, i32)> {
    stream.signed()?;
    Some((stream.signed()?, stream.signed()?))
}

pub(super) fn read_binary(file: &File<'_>) -> Result<GmshData, AssetError> {
    let (start, count) = binary_header(file, file.nodes, NODE_HEADER, "nodes")?;
    if count as u64 >= MAX_POINTS {
        let message = format!("invalid number of nodes, {count}");
        return Err(file.in_binary("gmsh-count", message, file.nodes.start));
    }
    if !has_room(file.nodes, NODE_HEADER, count, NODE) {
        return Err(file.in_binary("gmsh-size", "the section of the nodes is too short", file.nodes.end));
    }
    let cut = |at| file.in_binary("gmsh-size", "the file ends too early", at);
    let mut data = GmshData::default();
    data.points.reserve(3 * count);
    for index in 0..count {
        for axis in 0..3 {
            let at = start + index * NODE + WORD + 8 * axis;
            data.points.push(file.f64(at).ok_or_else(|| cut(at))?);
        }
    }
    read_binary_elements(file, count, &mut data)?;
    Ok(data)
}

fn read_binary_elements(file: &File<'_>, nodes: usize, data: &mut GmshData) -> Result<(), AssetError> {
    let (start, count) = binary_header(file, file.elements, GMSH_HEADER, "elements")?;
    let cut = |at| file.in_binary("gmsh-size", "the file ends too early", at);
    let word = |at: usize| file.i32(at).ok_or_else(|| cut(at));
    let kind = word(start)?;
    let tags = word(start + 2 * WORD)?;
    let size = corners(kind).ok_or_else(|| type_error(kind).at_byte(start))?;
    data.dim = size as i32 - 1;
    let element = (GMSH_WORDS + size) * WORD;
    let short = || file.in_binary("gmsh-size", "the section of the elements is too short", file.elements.end);
    // The layout of fTetWild must fit in either case.
    if !has_room(file.elements, FTETWILD_HEADER, count, FTETWILD_ELEMENT)
        || (tags > 0 && !has_room(file.elements, GMSH_HEADER, count, element))
    {
        return Err(short());
    }
    for index in 0..count.max(1) {
        let at = match (tags > 0, index) {
            (true, _) => start + index * element + GMSH_WORDS * WORD,
            (false, 0) => start + 4 * WORD,
            // After the header of twelve bytes and the first element.
            (false, _) => start + 9 * WORD + (index - 1) * FTETWILD_ELEMENT,
        };
        // From the second element on the reference compares node tags with the number of elements.
        let most = if index == 0 { nodes } else { count };
        for corner in 0..size {
            let tag = word(at + corner * WORD)?;
            if tag < 1 || tag as usize > most {
                return Err(node_error(tag, most).at_byte(at + corner * WORD));
            }
            data.elements.push(tag - 1);
        }
    }
    Ok(())
}

/// Where the numbers of a binary section start, and the count before them.
///
/// The count is text and ends with a line break; the zero bytes of the first number end the text.
fn binary_header(
    file: &File<'_>,
    section: Section,
    least: usize,
    what: &str,
) -> Result<(usize, usize), AssetError> {
    let bad = || file.in_binary("gmsh-header", format!("bad header of the {what}"), section.start);
    if section.len() < least {
        return Err(bad());
    }
    let end = section.end.min(section.start + COUNT_DIGITS);
    let text = file.bytes.get(section.start..end).ok_or_else(bad)?;
    let length = text.iter().position(|&byte| byte == 0).unwrap_or(text.len());
    // A closing byte, so that a count may stand at the end.
    let mut padded = text.get(..length).unwrap_or_default().to_vec();
    padded.push(0);
    let count = Stream::new(&padded, 0, padded.len()).signed().ok_or_else(bad)?;
    let count = usize::try_from(count)
        .map_err(|_| file.in_binary("gmsh-count", format!("invalid number of {what}"), section.start))?;
    Ok((section.start + length.saturating_sub(1), count))
}

/// Whether a section is long enough for a header and so many entries.
fn has_room(section: Section, header: usize, count: usize, entry: usize) -> bool {
    count
        .checked_mul(entry)
        .and_then(|bytes| bytes.checked_add(header))
        .is_some_and(|needed| needed <= section.len())
}
