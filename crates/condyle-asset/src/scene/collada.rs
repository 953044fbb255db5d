//! Collada 1.4 and 1.5: geometries of triangles and polygons, placed by the nodes of a scene.

use super::xml::{Document, parse};
use super::{Transform, Triangles, fan, strip};
use crate::error::AssetError;
use std::collections::HashMap;

pub(super) fn read(bytes: &[u8]) -> Result<Triangles, AssetError> {
    let text = String::from_utf8_lossy(bytes);
    let document = parse(&text)?;
    if document.get(0).name != "COLLADA" {
        let message =
            format!("the root element of a Collada file is <COLLADA>, not <{}>", document.get(0).name);
        return Err(AssetError::new("scene-xml", message).at_line(document.get(0).line));
    }
    let ids = document.ids().collect();
    let mut reader = Reader { document: &document, ids, triangles: Triangles::default() };
    let base = reader.base();
    match reader.scene() {
        Some(scene) => reader.node(scene, base, 0)?,
        None => reader.all_geometries(base)?,
    }
    Ok(reader.triangles)
}

struct Reader<'a> {
    document: &'a Document<'a>,
    ids: HashMap<&'a str, usize>,
    triangles: Triangles,
}

/// A list of numbers in a text.
fn numbers(text: &str) -> Option<Vec<f64>> {
    text.split_ascii_whitespace().map(|word| word.parse().ok()).collect()
}

impl Reader<'_> {
    fn error(&self, element: usize, message: impl Into<String>) -> AssetError {
        AssetError::new("scene-collada", message)
            .at_line(self.document.get(element).line)
            .help("export the file again, with triangles")
    }

    /// The element an attribute refers to by `#id`.
    fn target(&self, element: usize, attribute: &str) -> Option<usize> {
        self.ids.get(self.document.get(element).attribute(attribute)?.strip_prefix('#')?).copied()
    }

    /// Unit and upward axis.
    fn base(&self) -> Transform {
        let asset = self.document.child(0, "asset");
        let unit = asset.and_then(|asset| self.document.child(asset, "unit"));
        let meter = unit.and_then(|unit| self.document.get(unit).attribute("meter")?.parse::<f64>().ok());
        let meter = meter.filter(|&meter| meter > 0.0 && meter.is_finite()).unwrap_or(1.0);
        let up = asset.and_then(|asset| self.document.child(asset, "up_axis"));
        let rotation = match up.map(|up| self.document.get(up).text.trim()) {
            Some("Z_UP") => Transform::IDENTITY,
            Some("X_UP") => Transform([[0.0, 0.0, -1.0, 0.0], [0.0, 1.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0]]),
            // The format's default is y.
            _ => Transform([[1.0, 0.0, 0.0, 0.0], [0.0, 0.0, -1.0, 0.0], [0.0, 1.0, 0.0, 0.0]]),
        };
        rotation.then(&Transform::scaling([meter; 3]))
    }

    /// The visual scene that is shown, or the first one.
    fn scene(&self) -> Option<usize> {
        let shown = self
            .document
            .child(0, "scene")
            .and_then(|scene| self.document.child(scene, "instance_visual_scene"))
            .and_then(|instance| self.target(instance, "url"));
        shown
            .or_else(|| self.document.child(self.document.child(0, "library_visual_scenes")?, "visual_scene"))
    }

    fn all_geometries(&mut self, base: Transform) -> Result<(), AssetError> {
        let document = self.document;
        for library in document.children(0, "library_geometries") {
            for geometry in document.children(library, "geometry") {
                self.geometry(geometry, &base)?;
            }
        }
        Ok(())
    }

    /// Adds everything below a node or scene; its own transformations come first, in the order of the text.
    fn node(&mut self, node: usize, around: Transform, depth: usize) -> Result<(), AssetError> {
        self.triangles.place(depth)?;
        let document = self.document;
        let mut transform = around;
        for &child in &document.get(node).children {
            let element = document.get(child);
            let wrong =
                || self.error(child, format!("<{}> does not have the numbers it needs", element.name));
            match element.name {
                "matrix" | "translate" | "rotate" | "scale" => {
                    let values = numbers(&element.text).ok_or_else(wrong)?;
                    transform = transform.then(&placement(element.name, &values).ok_or_else(wrong)?);
                }
                "instance_geometry" | "instance_controller" => {
                    if let Some(target) = self.target(child, "url") {
                        self.geometry(target, &transform)?;
                    }
                }
                "instance_node" => {
                    if let Some(target) = self.target(child, "url") {
                        self.node(target, transform, depth + 1)?;
                    }
                }
                "node" => self.node(child, transform, depth + 1)?,
                _ => {}
            }
        }
        Ok(())
    }

    fn geometry(&mut self, geometry: usize, transform: &Transform) -> Result<(), AssetError> {
        self.triangles.place(0)?;
        let document = self.document;
        // A controller bends a geometry; at rest it is that geometry.
        if let Some(skin) = document.child(geometry, "skin") {
            return match self.target(skin, "source").filter(|&source| document.get(source).name == "geometry")
            {
                Some(source) => self.geometry(source, transform),
                None => Ok(()),
            };
        }
        let Some(mesh) = document.child(geometry, "mesh") else { return Ok(()) };
        for &part in &document.get(mesh).children {
            let kind = document.get(part).name;
            if !matches!(kind, "triangles" | "polylist" | "polygons" | "tristrips" | "trifans") {
                continue;
            }
            let Some((offset, stride, positions)) = self.inputs(part)? else { continue };
            let mut corners = Vec::new();
            let counts = match document.child(part, "vcount") {
                Some(vcount) => Some(self.indices(vcount)?),
                None => None,
            };
            for list in document.children(part, "p") {
                let indices: Vec<usize> =
                    self.indices(list)?.iter().skip(offset).step_by(stride).copied().collect();
                match kind {
                    "triangles" => corners.extend(indices),
                    "tristrips" => corners.extend(strip(&indices)),
                    "polygons" | "trifans" => corners.extend(fan(&indices)),
                    _ => {
                        let mut rest = indices.as_slice();
                        for &count in counts.iter().flatten() {
                            let Some((polygon, tail)) = rest.split_at_checked(count) else {
                                return Err(
                                    self.error(list, "a polygon has fewer corners than its count says")
                                );
                            };
                            corners.extend(fan(polygon));
                            rest = tail;
                        }
                    }
                }
            }
            self.triangles.add(transform, &positions, &corners)?;
        }
        Ok(())
    }

    fn indices(&self, element: usize) -> Result<Vec<usize>, AssetError> {
        let words = self.document.get(element).text.split_ascii_whitespace();
        let indices: Option<Vec<usize>> = words.map(|word| word.parse().ok()).collect();
        indices.ok_or_else(|| self.error(element, "an index is not a whole number"))
    }

    /// Offset of the vertex among the indices of a corner, how many indices a corner has, and the positions.
    #[allow(clippy::type_complexity)]
    fn inputs(&self, part: usize) -> Result<Option<(usize, usize, Vec<[f64; 3]>)>, AssetError> {
        let document = self.document;
        let (mut vertex, mut stride) = (None, 1);
        for input in document.children(part, "input") {
            let element = document.get(input);
            let offset = element.attribute("offset").and_then(|text| text.parse::<usize>().ok()).unwrap_or(0);
            if offset > 64 {
                return Err(self.error(input, "an offset is out of range"));
            }
            stride = std::cmp::max(stride, offset + 1);
            if element.attribute("semantic") == Some("VERTEX") {
                vertex = self.target(input, "source").map(|source| (offset, source));
            }
        }
        let Some((offset, vertices)) = vertex else { return Ok(None) };
        let position = document
            .children(vertices, "input")
            .find(|&input| document.get(input).attribute("semantic") == Some("POSITION"));
        let Some(source) = position.and_then(|input| self.target(input, "source")) else { return Ok(None) };
        Ok(Some((offset, stride, self.positions(source)?)))
    }

    fn positions(&self, source: usize) -> Result<Vec<[f64; 3]>, AssetError> {
        let document = self.document;
        let Some(array) = document.child(source, "float_array") else {
            return Err(self.error(source, "a source of positions has no <float_array>"));
        };
        let values = numbers(&document.get(array).text)
            .ok_or_else(|| self.error(array, "a coordinate is not a number"))?;
        let accessor = document
            .child(source, "technique_common")
            .and_then(|technique| document.child(technique, "accessor"))
            .map(|accessor| document.get(accessor));
        let number = |name: &str, default: usize| {
            accessor.and_then(|accessor| accessor.attribute(name)?.parse().ok()).unwrap_or(default)
        };
        let stride = number("stride", 3);
        if stride < 3 {
            return Err(self.error(source, "positions have fewer than three coordinates"));
        }
        let values = values.get(number("offset", 0)..).unwrap_or_default();
        Ok(values
            .chunks(stride)
            .filter_map(|vertex| Some([*vertex.first()?, *vertex.get(1)?, *vertex.get(2)?]))
            .collect())
    }
}

/// The map of one transformation element.
fn placement(kind: &str, values: &[f64]) -> Option<Transform> {
    Some(match (kind, values) {
        ("matrix", &[a, b, c, d, e, f, g, h, i, j, k, l, ..]) if values.len() == 16 => {
            Transform([[a, b, c, d], [e, f, g, h], [i, j, k, l]])
        }
        ("translate", &[x, y, z]) => Transform::translation([x, y, z]),
        ("scale", &[x, y, z]) => Transform::scaling([x, y, z]),
        ("rotate", &[x, y, z, degrees]) => {
            let length = (x * x + y * y + z * z).sqrt();
            let half = degrees * (std::f64::consts::PI / 360.0);
            let axis = [x, y, z].map(|part| if length > 0.0 { part / length * half.sin() } else { 0.0 });
            Transform::rotation([half.cos(), axis[0], axis[1], axis[2]])
        }
        _ => return None,
    })
}
