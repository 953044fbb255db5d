//! Mutated model texts: nothing a text can say may panic, hang or take long. Contract: every load returns within two seconds.
//!
//! Mutations are seeded; `MUTATIONS` sets their number (50,000 if it is not set). Seeds are the models of the repository.

use condyle_base::{Diagnostic, Files};
use condyle_mjcf::{LoadOptions, load_bytes, read_bytes};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// A small linear congruential generator; the low bits are dropped.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % bound.max(1)
    }
}

fn seeds() -> Vec<Vec<u8>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let mut folders = vec![root];
    let mut paths: Vec<PathBuf> = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("flexcomp")) {
                // A changed count makes thousands of bodies, whose constants take seconds.
                continue;
            }
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "xml" || extension == "urdf") {
                paths.push(path);
            }
        }
    }
    paths.sort();
    let mut texts: Vec<Vec<u8>> = paths
        .iter()
        .filter_map(|path| std::fs::read(path).ok())
        .filter(|text| text.len() < 20_000 && !SLOW.iter().any(|word| contains(text, word)))
        .collect();
    texts.push(RICH.as_bytes().to_vec());
    texts
}

/// Models that make surfaces or octrees of whole shapes: a fraction of a second each, too much for thousands of loads.
const SLOW: [&[u8]; 2] = [b"mujoco.sdf", b"mesh_sdf"];

fn contains(text: &[u8], word: &[u8]) -> bool {
    text.windows(word.len()).any(|window| window == word)
}

/// A text with something of everything.
const RICH: &str = r#"<mujoco model="rich"><compiler angle="radian" eulerseq="XYZ" boundmass=".1"/>
<option timestep=".01" integrator="RK4"><flag gravity="disable"/></option><size memory="1M" nuser_geom="2"/>
<default><geom rgba="1 0 0 1"/><default class="c"><joint damping="1"/><position kp="7"/></default></default>
<custom><numeric name="n" data="1 2 3"/><text name="t" data="x"/><tuple name="u"><element objtype="body" objname="b0"/></tuple></custom>
<asset><mesh name="m" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/><texture name="tx" builtin="checker" width="8" height="8" type="2d"/>
<material name="ma" texture="tx"/><hfield name="h" nrow="2" ncol="2" size="1 1 1 1" elevation="0 1 2 3"/></asset>
<worldbody><light/><camera name="cam" xyaxes="1 0 0 0 1 0"/><geom type="plane" size="1 1 1"/>
<replicate count="3" offset="1 0 0" euler="0 0 .1"><frame pos="0 0 1"><body name="b" childclass="c"><joint name="j" range="-1 1"/>
<geom name="g" type="capsule" fromto="0 0 0 1 0 0" size=".1" material="ma"/><site name="s"/><body name="d"><freejoint/>
<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/><geom type="mesh" mesh="m"/></body></body></frame></replicate></worldbody>
<contact><exclude body1="b" body2="d"/></contact><tendon><fixed name="te"><joint joint="j" coef="2"/></fixed></tendon>
<equality><joint joint1="j"/></equality><actuator><position joint="j"/><muscle tendon="te"/><general site="s" gear="1 2 3"/></actuator>
<sensor><gyro site="s"/><clock/><contact geom1="g" num="2"/></sensor><keyframe><key name="k" time="1"/></keyframe></mujoco>"#;

const NUMBERS: [&str; 16] = [
    "nan",
    "1e308",
    "-1",
    "",
    "a",
    "0",
    "inf",
    "1e400",
    "99999999999999999999",
    "-0",
    "1 2 3 4 5 6 7 8 9",
    "0x1p4",
    "1000000000",
    "2147483647",
    "-2147483648",
    "1e-320",
];

/// Start and end of something in the text: an element, a value or a stretch of bytes.
fn span(text: &[u8], random: &mut Random, open: u8, close: u8) -> Option<(usize, usize)> {
    let from = random.below(text.len());
    let start = from + text.get(from..)?.iter().position(|&byte| byte == open)?;
    let end = start + 1 + text.get(start + 1..)?.iter().position(|&byte| byte == close)?;
    Some((start, end + 1))
}

fn mutate(text: &mut Vec<u8>, random: &mut Random) {
    match random.below(12) {
        0 => {
            if let Some((start, end)) = span(text, random, b'<', b'>') {
                text.drain(start..end);
            }
        }
        1 => {
            if let Some((start, end)) = span(text, random, b'<', b'>') {
                let copy = text[start..end].to_vec();
                let at = random.below(text.len());
                text.splice(at..at, copy);
            }
        }
        2..=5 => {
            if let Some((start, end)) = span(text, random, b'"', b'"') {
                let value = NUMBERS[random.below(NUMBERS.len())];
                text.splice(start + 1..end - 1, value.bytes());
            }
        }
        6 => {
            let at = random.below(text.len());
            text.truncate(at);
        }
        7 => {
            let at = random.below(text.len());
            if let Some(byte) = text.get_mut(at) {
                *byte = random.below(256) as u8;
            }
        }
        8 => {
            if let (Some(one), Some(two)) = (span(text, random, b'"', b'"'), span(text, random, b'"', b'"')) {
                let copy = text[one.0..one.1].to_vec();
                text.splice(two.0..two.1, copy);
            }
        }
        9 => {
            // Two elements change places.
            let pair = (span(text, random, b'<', b'>'), span(text, random, b'<', b'>'));
            if let (Some(one), Some(two)) = pair
                && one.1 <= two.0
            {
                let (first, second) = (text[one.0..one.1].to_vec(), text[two.0..two.1].to_vec());
                text.splice(two.0..two.1, first);
                text.splice(one.0..one.1, second);
            }
        }
        10 => {
            // A name that something may refer to, or a reference, is misspelt.
            if let Some((_, end)) = span(text, random, b'"', b'"') {
                text.insert(end - 1, b'x');
            }
        }
        _ => {
            let at = random.below(text.len());
            text.splice(at..at, *b"<include file='self.xml'/>");
        }
    }
}

#[test]
fn no_mutation_panics_or_takes_long() {
    let count: usize = std::env::var("MUTATIONS").ok().and_then(|text| text.parse().ok()).unwrap_or(50_000);
    let seeds = seeds();
    let mut random = Random(20_260_212);
    let (mut accepted, mut slowest) = (0, 0.0_f64);
    for number in 0..count {
        let mut text = seeds[random.below(seeds.len())].clone();
        for _ in 0..=random.below(3) {
            if !text.is_empty() {
                mutate(&mut text, &mut random);
            }
        }
        let mut files = Files::without_disk();
        files.insert("self.xml", text.clone());
        let options = LoadOptions::default().files(files);
        let compile = || {
            let start = Instant::now();
            // The compiler also looks at what was read with errors.
            let compiled = read_bytes("mutant.xml", &text, &options).compile(&options);
            (compiled, start.elapsed().as_secs_f64())
        };
        let (compiled, mut seconds) = compile();
        // Another program may have had the processor: only a model that takes long every time counts.
        for _ in 0..2 {
            if seconds >= 2.0 {
                seconds = compile().1;
            }
        }
        assert!(
            compiled.is_ok() || compiled.is_err_and(|problems| problems.iter().any(Diagnostic::is_error))
        );
        if let Ok((spec, _)) = load_bytes("mutant.xml", &text, &options) {
            accepted += 1;
            let saved = condyle_mjcf::to_mjcf(&spec);
            if let Err(problems) = load_bytes("saved.xml", saved.as_bytes(), &options) {
                assert!(!problems.is_empty());
            }
        }
        slowest = if seconds > slowest { seconds } else { slowest };
        assert!(seconds < 2.0, "mutation {number} took {seconds} s:\n{}", String::from_utf8_lossy(&text));
    }
    assert!(accepted > count / 50, "only {accepted} of {count} mutations load: the test looks at too little");
    assert!(slowest < 2.0);
}
