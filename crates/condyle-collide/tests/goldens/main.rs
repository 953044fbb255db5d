//! Contract: contacts, distances and hits of every pair of shapes and every ray have the bits they had when they agreed with MuJoCo's
//! (`cargo xtask collisions` and `cargo xtask rays` compare those), so that a change of any arithmetic here shows without Python.
//!
//! Each line of `goldens.txt` is a test: its name, a hash of all results over random placements, and how many numbers the hash is of.
//! `UPDATE_GOLDENS=1` writes the file anew; do so only after the comparison with MuJoCo has agreed.

mod closed_forms;
mod polyhedra;

use std::fmt::Write as _;

use condyle_collide::convex::{CcdScratch, ConvexShape, Element, SupportTable};
use condyle_collide::hfield::HeightField;
use condyle_collide::pair::convex_convex::{self, ConvexGeom, ConvexOptions};
use condyle_collide::pair::sphere_triangle::Triangle;
use condyle_collide::pair::*;
use condyle_collide::ray::angular::{AngularBounds, Direction};
use condyle_collide::ray::{self, Hit, Ray};
use condyle_collide::sdf::search::{self, PlacedField, SearchSettings};
use condyle_collide::sdf::{Field, Octree, Shape};
use condyle_collide::{ContactBuffer, Pose, Size};
use condyle_math::{Vec3, quat, vec3};
use polyhedra::Polyhedron;

const GOLDENS: &str = include_str!("goldens.txt");

/// Whether sines and their like come from the library the hashes were made with.
const SAME_LIBRARY: bool = cfg!(all(target_os = "linux", target_arch = "x86_64", target_env = "gnu"));

/// SplitMix64, and what is drawn with it.
struct Random(u64);

impl Random {
    fn uniform(&mut self, low: f64, high: f64) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        low + (high - low) * (((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64)
    }

    fn vector(&mut self, reach: f64) -> Vec3 {
        std::array::from_fn(|_| self.uniform(-reach, reach))
    }

    fn size(&mut self) -> Size {
        std::array::from_fn(|_| self.uniform(0.1, 0.6))
    }

    /// Somewhere within reach; one pose in four is aligned with the world, one in four turned a little.
    fn pose(&mut self, reach: f64) -> Pose {
        let position = self.vector(reach);
        let turn = match self.uniform(0.0, 4.0) {
            ..1.0 => [1.0, 0.0, 0.0, 0.0],
            ..2.0 => [1.0, self.uniform(-0.05, 0.05), self.uniform(-0.05, 0.05), 0.0],
            _ => std::array::from_fn(|_| self.uniform(-1.0, 1.0)),
        };
        Pose { position, rotation: quat::to_mat(&quat::normalize(turn).0) }
    }

    fn margin(&mut self) -> f64 {
        if self.uniform(0.0, 1.0) < 0.5 { 0.0 } else { self.uniform(0.0, 0.2) }
    }

    fn element(&mut self) -> Element {
        let middle = self.vector(0.5);
        let vertices = std::array::from_fn(|_| vec3::add(middle, self.vector(0.5)));
        let count = self.uniform(1.0, 5.0) as usize;
        let sum = vertices[..count].iter().fold([0.0; 3], |sum, vertex| vec3::add(sum, *vertex));
        Element {
            vertices,
            count,
            center: vec3::scale(sum, 1.0 / count as f64),
            radius: self.uniform(0.0, 0.1),
        }
    }

    fn ray(&mut self) -> Ray {
        let origin = self.vector(1.5);
        let aim = self.vector(0.4);
        Ray { origin, direction: vec3::scale(vec3::sub(aim, origin), self.uniform(0.2, 2.0)) }
    }
}

/// FNV-1a over words.
struct Hash {
    value: u64,
    count: u32,
}

impl Hash {
    fn add(&mut self, x: f64) {
        // One pattern for every NaN: their signs differ between processors.
        let bits = if x.is_nan() { f64::NAN.to_bits() } else { x.to_bits() };
        let value = (self.value ^ bits).wrapping_mul(0x0100_0000_01b3);
        self.value = value ^ (value >> 29);
        self.count += 1;
    }

    fn contacts(&mut self, out: &ContactBuffer) {
        self.add(out.len() as f64);
        for contact in out.as_slice() {
            self.add(contact.distance);
            contact.position.iter().chain(&contact.frame).for_each(|x| self.add(*x));
        }
    }

    fn hit(&mut self, hit: Option<Hit>) {
        match hit {
            None => self.add(-1.0),
            Some(hit) => {
                self.add(hit.distance);
                hit.normal.iter().for_each(|x| self.add(*x));
            }
        }
    }
}

/// All lines, and which of them depend on the library's sines.
#[derive(Default)]
struct Lines {
    text: String,
    library: Vec<String>,
}

impl Lines {
    fn add(&mut self, name: &str, cases: usize, mut run: impl FnMut(&mut Random, &mut Hash)) {
        let mut random =
            Random(name.bytes().fold(17, |seed, byte| seed.wrapping_mul(31).wrapping_add(u64::from(byte))));
        let mut hash = Hash { value: 0xcbf2_9ce4_8422_2325, count: 0 };
        for _ in 0..cases {
            run(&mut random, &mut hash);
        }
        let _ = writeln!(self.text, "{name} {:016x} {}", hash.value, hash.count);
    }

    fn add_with_sines(&mut self, name: &str, cases: usize, run: impl FnMut(&mut Random, &mut Hash)) {
        self.library.push(name.to_owned());
        self.add(name, cases, run);
    }
}

type Collide = fn(&Size, &Pose, &Size, &Pose, f64, &mut ContactBuffer) -> usize;

fn closed_forms(lines: &mut Lines) {
    let pairs: [(&str, Collide); 12] = [
        ("plane_sphere", plane_sphere::collide),
        ("plane_capsule", plane_capsule::collide),
        ("plane_cylinder", plane_cylinder::collide),
        ("plane_box", plane_box::collide),
        ("sphere_sphere", sphere_sphere::collide),
        ("sphere_capsule", sphere_capsule::collide),
        ("sphere_cylinder", sphere_cylinder::collide),
        ("sphere_box", sphere_box::collide),
        ("capsule_capsule", capsule_capsule::collide),
        ("capsule_box", capsule_box::collide),
        ("box_box", box_box::collide),
        ("box_box_candidates", box_box::candidates),
    ];
    for (name, collide) in pairs {
        lines.add(name, 4000, |random, hash| {
            let (size1, size2) = (random.size(), random.size());
            let (pose1, pose2, margin) = (random.pose(0.4), random.pose(0.4), random.margin());
            let mut out = ContactBuffer::new();
            collide(&size1, &pose1, &size2, &pose2, margin, &mut out);
            hash.contacts(&out);
        });
    }
}

fn triangles(lines: &mut Lines) {
    let triangle = |random: &mut Random| Triangle {
        vertices: std::array::from_fn(|_| random.vector(0.8)),
        radius: random.uniform(0.0, 0.1),
    };
    lines.add("sphere_triangle", 4000, |random, hash| {
        let (center, radius) = (random.vector(0.4), random.uniform(0.1, 0.4));
        let mut out = ContactBuffer::new();
        sphere_triangle::collide(center, radius, &triangle(random), random.margin(), &mut out);
        hash.contacts(&out);
    });
    type OnTriangle = fn(&Size, &Pose, &Triangle, f64, &mut ContactBuffer) -> usize;
    let pairs: [(&str, OnTriangle); 2] =
        [("capsule_triangle", capsule_triangle::collide), ("box_triangle", box_triangle::collide)];
    for (name, collide) in pairs {
        lines.add(name, 4000, |random, hash| {
            let mut out = ContactBuffer::new();
            collide(&random.size(), &random.pose(0.4), &triangle(random), random.margin(), &mut out);
            hash.contacts(&out);
        });
    }
    lines.add("vertices", 4000, |random, hash| {
        let plane = plane_vertex::contact(&random.pose(0.4), random.vector(0.4), 0.1, random.margin());
        let face = std::array::from_fn(|_| random.vector(0.4));
        for contact in [plane, face_vertex::contact(face, random.vector(0.4), 0.2)].into_iter().flatten() {
            let mut out = ContactBuffer::new();
            out.push(contact);
            hash.contacts(&out);
        }
    });
}

const SHAPES: [&str; 8] =
    ["sphere", "capsule", "ellipsoid", "cylinder", "box", "brick", "crystal", "element"];

/// A shape of that name and its bounding radius.
fn shape<'a>(
    name: &str,
    random: &mut Random,
    solids: &'a [Polyhedron; 2],
    table: bool,
    element: &'a Element,
    meshes: &'a mut [condyle_collide::convex::MeshShape<'a>; 2],
) -> ConvexShape<'a> {
    let size = random.size();
    match name {
        "sphere" => ConvexShape::Sphere(size),
        "capsule" => ConvexShape::Capsule(size),
        "ellipsoid" => ConvexShape::Ellipsoid(size),
        "cylinder" => ConvexShape::Cylinder(size),
        "box" => ConvexShape::Box(size),
        "element" => ConvexShape::Element(element),
        _ => {
            let which = usize::from(name == "crystal");
            meshes[which] = solids[which].shape(table);
            ConvexShape::Mesh(&meshes[which])
        }
    }
}

fn convex(lines: &mut Lines) {
    let solids = [Polyhedron::brick(), Polyhedron::crystal()];
    let mut scratch = CcdScratch::default();
    for (index, first) in SHAPES.iter().enumerate() {
        for second in &SHAPES[index..] {
            for (algorithm, native, multiple) in
                [("native", true, false), ("many", true, true), ("portal", false, false)]
            {
                let name = format!("{first}_{second}_{algorithm}");
                let options = ConvexOptions { iterations: 35, tolerance: 1e-6, native, multiple };
                let run = |random: &mut Random, hash: &mut Hash| {
                    let elements = [random.element(), random.element()];
                    let (mut meshes1, mut meshes2) = (Default::default(), Default::default());
                    let table = random.uniform(0.0, 1.0) < 0.5;
                    let geom1 = ConvexGeom {
                        shape: shape(first, random, &solids, table, &elements[0], &mut meshes1),
                        pose: random.pose(0.35),
                        bounding_radius: 0.8,
                    };
                    let geom2 = ConvexGeom {
                        shape: shape(second, random, &solids, table, &elements[1], &mut meshes2),
                        pose: random.pose(0.35),
                        bounding_radius: 0.9,
                    };
                    let mut out = ContactBuffer::new();
                    convex_convex::collide(&geom1, &geom2, random.margin(), &options, &mut scratch, &mut out);
                    hash.contacts(&out);
                    if native {
                        let apart = convex_convex::distance(&geom1, &geom2, 0.5, &options, &mut scratch);
                        hash.add(apart.distance);
                        if let Some((a, b)) = apart.witness {
                            a.iter().chain(&b).for_each(|x| hash.add(*x));
                        }
                    }
                };
                // Several contacts are found by turning the shapes by a small angle.
                if multiple {
                    lines.add_with_sines(&name, 250, run);
                } else {
                    lines.add(&name, 250, run);
                }
            }
        }
    }
}

/// Flat sides on each other, turned against each other by nothing or by little, which give a contact at each corner of their overlap.
fn faces_on_faces(lines: &mut Lines) {
    let solids = [Polyhedron::brick(), Polyhedron::crystal()];
    let options = ConvexOptions { iterations: 35, tolerance: 1e-6, native: true, multiple: true };
    let mut scratch = CcdScratch::default();
    for (first, second) in
        [("box", "box"), ("box", "brick"), ("brick", "box"), ("brick", "brick"), ("box", "crystal")]
    {
        lines.add_with_sines(&format!("{first}_on_{second}"), 1000, |random, hash| {
            let element = random.element();
            let (mut meshes1, mut meshes2) = (Default::default(), Default::default());
            let turn: [f64; 4] = std::array::from_fn(|_| random.uniform(-1.0, 1.0));
            let tilt = if random.uniform(0.0, 1.0) < 0.5 { 0.0 } else { 2e-3 };
            let turned: [f64; 4] = std::array::from_fn(|i| turn[i] + random.uniform(-tilt, tilt));
            let [rotation1, rotation2] = [turn, turned].map(|turn| quat::to_mat(&quat::normalize(turn).0));
            let geom1 = ConvexGeom {
                shape: shape(first, random, &solids, false, &element, &mut meshes1),
                pose: Pose { position: random.vector(0.3), rotation: rotation1 },
                bounding_radius: 0.8,
            };
            let geom2 = ConvexGeom {
                shape: shape(second, random, &solids, false, &element, &mut meshes2),
                pose: Pose { position: random.vector(0.3), rotation: rotation2 },
                bounding_radius: 0.9,
            };
            let mut out = ContactBuffer::new();
            convex_convex::collide(&geom1, &geom2, 0.0, &options, &mut scratch, &mut out);
            hash.contacts(&out);
        });
    }
}

fn fields_of_heights(lines: &mut Lines) {
    let solids = [Polyhedron::brick(), Polyhedron::crystal()];
    let mut scratch = CcdScratch::default();
    for name in SHAPES {
        for (algorithm, native) in [("native", true), ("portal", false)] {
            let options = ConvexOptions { iterations: 35, tolerance: 1e-6, native, multiple: false };
            lines.add(&format!("hfield_{name}_{algorithm}"), 200, |random, hash| {
                let heights: [f32; 30] = std::array::from_fn(|_| random.uniform(0.0, 1.0) as f32);
                let field =
                    HeightField { rows: 5, columns: 6, size: [1.0, 0.8, 0.3, 0.1], heights: &heights };
                let (pose, margin) = (random.pose(0.3), random.margin());
                let element = random.element();
                let mut out = ContactBuffer::new();
                if name == "element" {
                    hfield_element::collide(
                        &field,
                        &pose,
                        &element,
                        margin,
                        &options,
                        &mut scratch,
                        &mut out,
                    );
                } else {
                    let mut meshes = Default::default();
                    let geom = ConvexGeom {
                        shape: shape(name, random, &solids, true, &element, &mut meshes),
                        pose: random.pose(0.3),
                        bounding_radius: 1.0,
                    };
                    hfield_convex::collide(&field, &pose, &geom, margin, &options, &mut scratch, &mut out);
                }
                hash.contacts(&out);
            });
        }
    }
}

fn planes_and_elements(lines: &mut Lines) {
    let solids = [Polyhedron::brick(), Polyhedron::crystal()];
    let mut scratch = CcdScratch::default();
    for name in &SHAPES[..7] {
        lines.add(&format!("plane_{name}_support"), 1000, |random, hash| {
            let element = random.element();
            let mut meshes = Default::default();
            let shape = shape(name, random, &solids, true, &element, &mut meshes);
            let mesh = if let ConvexShape::Mesh(mesh) = shape { Some(mesh) } else { None };
            let (plane, pose) = (random.pose(0.3), random.pose(0.3));
            let mut out = ContactBuffer::new();
            plane_convex::collide(&plane, shape, &pose, mesh, 0.9, random.margin(), &mut out);
            hash.contacts(&out);
        });
        for native in [true, false] {
            let options = ConvexOptions { iterations: 35, tolerance: 1e-6, native, multiple: false };
            lines.add(&format!("{name}_element_flat_{native}"), 500, |random, hash| {
                let (element, other) = (random.element(), random.element());
                let mut meshes = Default::default();
                let shape = shape(name, random, &solids, true, &other, &mut meshes);
                let (pose, margin, flat) =
                    (random.pose(0.3), random.margin(), random.uniform(0.0, 1.0) < 0.5);
                let mut out = ContactBuffer::new();
                convex_element::collide(
                    shape,
                    &pose,
                    &element,
                    flat,
                    margin,
                    &options,
                    &mut scratch,
                    &mut out,
                );
                convex_element::collide_elements(
                    &element,
                    &other,
                    flat,
                    margin,
                    &options,
                    &mut scratch,
                    &mut out,
                );
                hash.contacts(&out);
            });
        }
    }
}

/// An octree of two cells, one above the other, with their values at the corners.
struct Cells {
    boxes: [[f64; 6]; 3],
    children: [[i32; 8]; 3],
    values: [[f64; 8]; 3],
}

fn two_cells() -> Cells {
    let boxes =
        [[0.0, 0.0, 0.0, 0.5, 0.5, 0.5], [0.0, 0.0, -0.25, 0.5, 0.5, 0.25], [0.0, 0.0, 0.25, 0.5, 0.5, 0.25]];
    let children = [[1, 1, 1, 1, 2, 2, 2, 2], [-1; 8], [-1; 8]];
    let value = |cell: [f64; 6]| {
        std::array::from_fn(|corner| {
            let side = |axis: usize| if corner & (1 << axis) == 0 { -1.0 } else { 1.0 };
            let point: Vec3 = std::array::from_fn(|axis| cell[axis] + side(axis) * cell[axis + 3]);
            vec3::norm([point[0], 1.2 * point[1], 0.8 * point[2]]) - 0.8
        })
    };
    Cells { boxes, children, values: boxes.map(value) }
}

fn distance_fields(lines: &mut Lines) {
    let Cells { boxes, children, values } = two_cells();
    let octree = Octree { node_aabb: &boxes, node_child: &children, node_value: &values };
    let fields = |size: Size| {
        [
            ("sphere", Field::Sphere(size)),
            ("capsule", Field::Capsule(size)),
            ("ellipsoid", Field::Ellipsoid(size)),
            ("cylinder", Field::Cylinder(size)),
            ("box", Field::Box(size)),
            ("octree", Field::Octree(octree)),
            ("torus", Field::Shape(Shape::Torus { major: 0.35, minor: 0.15 })),
            ("bowl", Field::Shape(Shape::Bowl { height: 0.4, radius: 1.0, thickness: 0.02 })),
            ("bolt", Field::Shape(Shape::Bolt { radius: 0.26 })),
            ("nut", Field::Shape(Shape::Nut { radius: 0.26 })),
            (
                "gear",
                Field::Shape(Shape::Gear {
                    alpha: 0.1,
                    diameter: 2.8,
                    teeth: 25.0,
                    thickness: 0.2,
                    inner_diameter: -1.0,
                }),
            ),
        ]
    };
    let aabb = [0.0, 0.0, 0.0, 0.6, 0.6, 0.6];
    for (first, (name, _)) in fields([0.3; 3]).iter().enumerate() {
        lines.add_with_sines(&format!("field_{name}"), 60, |random, hash| {
            let (size1, size2) = (random.size(), random.size());
            let (pose1, pose2) = (random.pose(0.3), random.pose(0.3));
            let settings = SearchSettings { starts: 8, iterations: 10 };
            for (_, second) in &fields(size2) {
                let mut out = ContactBuffer::new();
                let field = &fields(size1)[first].1;
                let placed = PlacedField { field, pose: &pose1, aabb: &aabb };
                let other = PlacedField { field: second, pose: &pose2, aabb: &aabb };
                search::collide(placed, other, settings, &mut out);
                hash.contacts(&out);
            }
            let point = random.vector(0.7);
            hash.add(fields(size1)[first].1.distance(point));
            fields(size1)[first].1.gradient(point).iter().for_each(|x| hash.add(*x));
        });
    }
}

fn rays(lines: &mut Lines) {
    let casts: [(&str, ray::Cast); 6] = [
        ("plane", ray::plane::cast),
        ("sphere", ray::sphere::cast),
        ("capsule", ray::capsule::cast),
        ("ellipsoid", ray::ellipsoid::cast),
        ("cylinder", ray::cylinder::cast),
        ("box", ray::cuboid::cast),
    ];
    for (name, cast) in casts {
        lines.add(&format!("ray_{name}"), 4000, |random, hash| {
            hash.hit(cast(&random.size(), &random.pose(0.3), &random.ray()));
        });
    }
    lines.add("ray_hfield", 2000, |random, hash| {
        let data: [f32; 30] = std::array::from_fn(|_| random.uniform(0.0, 1.0) as f32);
        let field = ray::hfield::HeightField { size: [1.0, 0.8, 0.3, 0.1], rows: 5, columns: 6, data: &data };
        hash.hit(ray::hfield::cast(&field, &random.pose(0.3), &random.ray()));
    });
    lines.add_with_sines("ray_angular", 4000, |random, hash| {
        let (middle, half) = (random.vector(0.2), random.size());
        let aabb = [middle[0], middle[1], middle[2], half[0], half[1], half[2]];
        let bounds = AngularBounds::of_box(&aabb, &random.pose(0.3), random.vector(2.0));
        bounds.azimuth.iter().chain(&bounds.elevation).for_each(|x| hash.add(*x));
        hash.add(f64::from(u8::from(bounds.contains(Direction::of(random.vector(1.0))))));
    });
    let solid = Polyhedron::crystal();
    lines.add("ray_flex", 2000, |random, hash| {
        let vertices: [Vec3; 4] = std::array::from_fn(|_| random.vector(0.6));
        let flex = ray::flex::Flex {
            dimension: 3,
            radius: 0.05,
            vertices: &vertices,
            edges: &[[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]],
            elements: &[0, 1, 2, 3],
            element_layers: &[0],
        };
        let shown = |part: usize| ray::flex::Shown {
            vertices: part == 0,
            edges: part == 1,
            faces: part == 2,
            skin: part == 3,
            layer: 0,
        };
        let ray = random.ray();
        for part in 0..4 {
            let found = ray::flex::cast(&flex, shown(part), &ray);
            hash.hit(found.map(|(hit, _)| hit));
            hash.add(found.map_or(-1.0, |(_, vertex)| vertex as f64));
        }
        hash.add(
            ray::skin::cast(&solid.vertices, &solid.triangles(), &ray).map_or(-1.0, |(distance, _)| distance),
        );
    });
}

#[test]
fn contacts_distances_and_hits_have_the_bits_that_agreed_with_mujoco() {
    let mut lines = Lines::default();
    closed_forms(&mut lines);
    triangles(&mut lines);
    convex(&mut lines);
    faces_on_faces(&mut lines);
    fields_of_heights(&mut lines);
    planes_and_elements(&mut lines);
    distance_fields(&mut lines);
    rays(&mut lines);
    if std::env::var_os("UPDATE_GOLDENS").is_some() {
        std::fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/goldens/goldens.txt"), &lines.text)
            .unwrap();
        return;
    }
    let compared = |text: &str| {
        let depends = |line: &&str| lines.library.iter().any(|name| line.split(' ').next() == Some(name));
        text.lines().filter(|line| SAME_LIBRARY || !depends(line)).map(str::to_owned).collect::<Vec<_>>()
    };
    let (found, wanted) = (compared(&lines.text), compared(GOLDENS));
    let changed: Vec<_> = found.iter().filter(|line| !wanted.contains(line)).collect();
    assert!(changed.is_empty() && found.len() == wanted.len(), "other results than before: {changed:#?}");
}

/// Hashes say nothing about placements that never touch.
#[test]
fn every_golden_line_has_contacts_or_hits() {
    for line in GOLDENS.lines() {
        let count: u32 = line.rsplit(' ').next().and_then(|word| word.parse().ok()).expect(line);
        assert!(count > 700, "{line}");
    }
    assert!(GOLDENS.lines().count() > 170);
    assert!(SupportTable::new(&Polyhedron::crystal().shape(false)).is_some());
}
