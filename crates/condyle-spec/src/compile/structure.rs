//! The signature of a model's structure: a hash of how many elements of each kind sit where. A spec and the model compiled from it have the
//! same one, which tells whether they still belong together.

use std::fmt::Write as _;

use condyle_model::JointType;

use super::joint::qpos_count;
use super::names::hash;

/// What a body holds.
pub(crate) struct BodyContent<B> {
    pub(crate) joints: Vec<JointType>,
    pub(crate) geoms: usize,
    pub(crate) sites: usize,
    pub(crate) cameras: usize,
    pub(crate) lights: usize,
    pub(crate) children: Vec<B>,
}

/// How many elements there are outside of bodies.
pub(crate) struct Counts {
    pub(crate) flexes: usize,
    pub(crate) meshes: usize,
    pub(crate) skins: usize,
    pub(crate) hfields: usize,
    pub(crate) textures: usize,
    pub(crate) materials: usize,
    pub(crate) pairs: usize,
    pub(crate) excludes: usize,
    pub(crate) equalities: usize,
    pub(crate) tendons: usize,
    pub(crate) actuators: usize,
    pub(crate) keys: usize,
}

/// The signature of the structure below `world`; `content` looks into a body, and `sensors` are the numbers of their types.
pub(crate) fn signature<B: Copy>(
    world: B,
    content: impl Fn(B) -> Option<BodyContent<B>>,
    counts: &Counts,
    sensors: impl Iterator<Item = i32>,
) -> u64 {
    let mut text = String::from("\n");
    // Bodies open and close in depth-first order.
    let mut stack = vec![(world, 0_usize, false)];
    while let Some((body, depth, closing)) = stack.pop() {
        if closing {
            add_line(&mut text, depth, "</body>");
            continue;
        }
        let Some(content) = content(body) else { continue };
        add_line(&mut text, depth, "<body>");
        for joint in content.joints {
            add_line(&mut text, depth + 1, &format!("<joint>{}</joint>", qpos_count(joint)));
        }
        let parts = [
            (content.geoms, "<geom/>"),
            (content.sites, "<site/>"),
            (content.cameras, "<camera/>"),
            (content.lights, "<light/>"),
        ];
        for (count, line) in parts {
            (0..count).for_each(|_| add_line(&mut text, depth + 1, line));
        }
        stack.push((body, depth, true));
        stack.extend(content.children.into_iter().rev().map(|child| (child, depth + 1, false)));
    }
    let lines = [
        (counts.flexes, "<flex/>"),
        (counts.meshes, "<mesh/>"),
        (counts.skins, "<skin/>"),
        (counts.hfields, "<heightfield/>"),
        (counts.textures, "<texture/>"),
        (counts.materials, "<material/>"),
        (counts.pairs, "<pair/>"),
        (counts.excludes, "<exclude/>"),
        // One less than there are, as MuJoCo has it.
        (counts.equalities.saturating_sub(1), "<equality/>"),
        (counts.tendons, "<tendon/>"),
        (counts.actuators, "<actuator/>"),
    ];
    for (count, line) in lines {
        (0..count).for_each(|_| add_line(&mut text, 0, line));
    }
    for kind in sensors {
        let _ = writeln!(text, "<sensor>{kind}<sensor/>");
    }
    (0..counts.keys).for_each(|_| add_line(&mut text, 0, "<key/>"));
    hash(text.as_bytes()) % u64::MAX
}

fn add_line(text: &mut String, depth: usize, line: &str) {
    text.extend(std::iter::repeat_n(' ', (2 * depth).min(1024)));
    text.push_str(line);
    text.push('\n');
}
