//! glTF 2.0, as JSON text with its buffers beside or inside it, or as one binary file.

use super::json::{Value, parse};
use super::{Transform, Triangles, fan, strip};
use crate::error::AssetError;

/// glTF has y upward; lengths are in metres.
const Y_UP: Transform = Transform([[1.0, 0.0, 0.0, 0.0], [0.0, 0.0, -1.0, 0.0], [0.0, 1.0, 0.0, 0.0]]);
/// Bytes of all buffers together.
const MAX_BYTES: usize = 1 << 30;

fn damaged(message: impl Into<String>) -> AssetError {
    AssetError::new("scene-gltf", message).help("export the file again")
}

pub(super) fn read(
    bytes: &[u8],
    file: &dyn Fn(&str) -> Result<Vec<u8>, String>,
) -> Result<Triangles, AssetError> {
    let (json, binary) = chunks(bytes)?;
    let root = parse(json)?;
    if let Some(extension) = items(&root, "extensionsRequired").iter().filter_map(Value::text).next()
        && !extension.starts_with("KHR_materials")
        && !extension.starts_with("KHR_texture")
    {
        let message = format!("the file needs the glTF extension '{extension}', which is not supported");
        return Err(AssetError::new("scene-gltf", message)
            .help("export without compression and quantisation, or convert the mesh to OBJ"));
    }
    let mut buffers = Vec::new();
    let mut total = 0;
    for (index, buffer) in items(&root, "buffers").iter().enumerate() {
        let data = match buffer.get("uri").and_then(Value::text) {
            None if index == 0 => binary.to_vec(),
            None => Vec::new(),
            Some(uri) => match uri.strip_prefix("data:") {
                Some(data) => data
                    .split_once(";base64,")
                    .and_then(|(_, text)| base64(text.as_bytes()))
                    .ok_or_else(|| damaged("a buffer inside the file is not valid base64"))?,
                None => file(&unescaped(uri)).map_err(|reason| {
                    AssetError::new(
                        "scene-gltf",
                        format!("cannot read the buffer '{uri}' of the file: {reason}"),
                    )
                    .help("buffers are looked for beside the glTF file; a .glb file holds them itself")
                })?,
            },
        };
        total += data.len();
        if total > MAX_BYTES {
            return Err(damaged("the buffers are too large"));
        }
        buffers.push(data);
    }
    let mut reader = Reader { root: &root, buffers, triangles: Triangles::default() };
    let scene = root.get("scene").and_then(Value::index).unwrap_or(0);
    match items(&root, "scenes").get(scene) {
        Some(scene) => {
            for node in items(scene, "nodes").iter().filter_map(Value::index) {
                reader.node(node, Y_UP, 0)?;
            }
        }
        None => {
            for mesh in 0..items(&root, "meshes").len() {
                reader.mesh(mesh, &Y_UP)?;
            }
        }
    }
    Ok(reader.triangles)
}

pub(super) fn files(bytes: &[u8]) -> Vec<String> {
    let Ok(root) = chunks(bytes).and_then(|(json, _)| parse(json)) else { return Vec::new() };
    let all = items(&root, "buffers").iter().chain(items(&root, "images"));
    let named = all.filter_map(|item| item.get("uri").and_then(Value::text));
    named.filter(|uri| !uri.starts_with("data:")).map(unescaped).collect()
}

fn items<'a>(value: &'a Value, name: &str) -> &'a [Value] {
    value.get(name).map_or(&[], Value::items)
}

/// The JSON and the binary chunk of a file.
fn chunks(bytes: &[u8]) -> Result<(&[u8], &[u8]), AssetError> {
    if !bytes.starts_with(b"glTF") {
        return Ok((bytes, &[]));
    }
    let number = |at: usize| {
        let bytes = bytes.get(at..at + 4)?;
        Some(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]) as usize)
    };
    if number(4) != Some(2) {
        return Err(AssetError::new("scene-gltf", "only version 2 of glTF can be read").at_byte(4));
    }
    let (mut json, mut binary): (&[u8], &[u8]) = (&[], &[]);
    let mut at = 12;
    while let (Some(length), Some(kind)) = (number(at), number(at + 4)) {
        let data = at.checked_add(8 + length).and_then(|end| bytes.get(at + 8..end));
        let data = data.ok_or_else(|| damaged("a part of the file is longer than the file").at_byte(at))?;
        match kind {
            0x4e4f_534a if json.is_empty() => json = data,
            0x004e_4942 if binary.is_empty() => binary = data,
            _ => {}
        }
        at += 8 + length;
    }
    Ok((json, binary))
}

struct Reader<'a> {
    root: &'a Value,
    buffers: Vec<Vec<u8>>,
    triangles: Triangles,
}

impl Reader<'_> {
    fn node(&mut self, index: usize, around: Transform, depth: usize) -> Result<(), AssetError> {
        self.triangles.place(depth)?;
        let root = self.root;
        let node =
            items(root, "nodes").get(index).ok_or_else(|| damaged(format!("there is no node {index}")))?;
        let numbers3 = |name: &str, default| node.get(name).and_then(Value::numbers::<3>).unwrap_or(default);
        let transform = match node.get("matrix").and_then(Value::numbers::<16>) {
            // Column by column.
            Some(m) => around.then(&Transform([
                [m[0], m[4], m[8], m[12]],
                [m[1], m[5], m[9], m[13]],
                [m[2], m[6], m[10], m[14]],
            ])),
            None => {
                let [x, y, z, w] =
                    node.get("rotation").and_then(Value::numbers::<4>).unwrap_or([0.0, 0.0, 0.0, 1.0]);
                around
                    .then(&Transform::translation(numbers3("translation", [0.0; 3])))
                    .then(&Transform::rotation([w, x, y, z]))
                    .then(&Transform::scaling(numbers3("scale", [1.0; 3])))
            }
        };
        if let Some(mesh) = node.get("mesh").and_then(Value::index) {
            self.mesh(mesh, &transform)?;
        }
        for child in items(node, "children").iter().filter_map(Value::index) {
            self.node(child, transform, depth + 1)?;
        }
        Ok(())
    }

    fn mesh(&mut self, index: usize, transform: &Transform) -> Result<(), AssetError> {
        self.triangles.place(0)?;
        let root = self.root;
        let mesh =
            items(root, "meshes").get(index).ok_or_else(|| damaged(format!("there is no mesh {index}")))?;
        for primitive in items(mesh, "primitives") {
            let mode = primitive.get("mode").map_or(Some(4), Value::index);
            let Some(mode @ 4..=6) = mode else { continue };
            let Some(position) =
                primitive.get("attributes").and_then(|list| list.get("POSITION")).and_then(Value::index)
            else {
                continue;
            };
            let positions = self.positions(position)?;
            let indices = match primitive.get("indices").and_then(Value::index) {
                Some(accessor) => self.indices(accessor)?,
                None => (0..positions.len()).collect(),
            };
            let corners: Vec<usize> = match mode {
                5 => strip(&indices).collect(),
                6 => fan(&indices).collect(),
                _ => indices,
            };
            self.triangles.add(transform, &positions, &corners)?;
        }
        Ok(())
    }

    /// The bytes of every element of an accessor, each `size` long, and the accessor itself.
    fn elements(
        &self,
        index: usize,
        size: impl Fn(usize) -> Option<usize>,
    ) -> Result<(usize, Vec<&[u8]>), AssetError> {
        let wrong = |what: &str| damaged(format!("accessor {index}: {what}"));
        let accessor = items(self.root, "accessors").get(index).ok_or_else(|| wrong("it does not exist"))?;
        if accessor.get("sparse").is_some() {
            return Err(wrong("sparse accessors are not supported"));
        }
        let number = |value: &Value, name: &str| value.get(name).and_then(Value::index);
        let component = number(accessor, "componentType").unwrap_or(0);
        let size = size(component).ok_or_else(|| wrong("its numbers have an unexpected type"))?;
        let view = number(accessor, "bufferView").and_then(|view| items(self.root, "bufferViews").get(view));
        let view = view.ok_or_else(|| wrong("its buffer view does not exist"))?;
        let buffer = number(view, "buffer").and_then(|buffer| self.buffers.get(buffer));
        let buffer = buffer.ok_or_else(|| wrong("its buffer does not exist"))?;
        let start = number(view, "byteOffset").unwrap_or(0) + number(accessor, "byteOffset").unwrap_or(0);
        let stride = number(view, "byteStride").unwrap_or(size);
        let count = number(accessor, "count").unwrap_or(0);
        if stride < size || count > buffer.len() {
            return Err(wrong("it reaches beyond its buffer"));
        }
        let element = |element: usize| {
            let at = start.checked_add(element.checked_mul(stride)?)?;
            buffer.get(at..at.checked_add(size)?)
        };
        let found: Option<Vec<&[u8]>> = (0..count).map(element).collect();
        found.map(|found| (component, found)).ok_or_else(|| wrong("it reaches beyond its buffer"))
    }

    fn positions(&self, accessor: usize) -> Result<Vec<[f64; 3]>, AssetError> {
        let (_, elements) = self.elements(accessor, |component| (component == 5126).then_some(12))?;
        let number = |bytes: &[u8], at: usize| {
            f64::from(f32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]))
        };
        Ok(elements.into_iter().map(|bytes| [number(bytes, 0), number(bytes, 4), number(bytes, 8)]).collect())
    }

    fn indices(&self, accessor: usize) -> Result<Vec<usize>, AssetError> {
        let size = |component| match component {
            5121 => Some(1),
            5123 => Some(2),
            5125 => Some(4),
            _ => None,
        };
        let (_, elements) = self.elements(accessor, size)?;
        let number =
            |bytes: &[u8]| bytes.iter().rev().fold(0, |number, &byte| number << 8 | usize::from(byte));
        Ok(elements.into_iter().map(number).collect())
    }
}

/// A path with `%20` and the like replaced.
fn unescaped(uri: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = uri.as_bytes();
    while let [byte, tail @ ..] = rest {
        rest = tail;
        let code = (*byte == b'%')
            .then(|| {
                std::str::from_utf8(tail.get(..2)?)
                    .ok()
                    .and_then(|digits| u8::from_str_radix(digits, 16).ok())
            })
            .flatten();
        match code {
            Some(code) => {
                bytes.push(code);
                rest = tail.get(2..).unwrap_or_default();
            }
            None => bytes.push(*byte),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn base64(text: &[u8]) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let (mut bits, mut held) = (0_u32, 0);
    for &letter in text.iter().filter(|letter| !letter.is_ascii_whitespace() && **letter != b'=') {
        let value = match letter {
            b'A'..=b'Z' => letter - b'A',
            b'a'..=b'z' => letter - b'a' + 26,
            b'0'..=b'9' => letter - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => return None,
        };
        bits = bits << 6 | u32::from(value);
        held += 6;
        if held >= 8 {
            held -= 8;
            bytes.push((bits >> held) as u8);
        }
    }
    Some(bytes)
}
