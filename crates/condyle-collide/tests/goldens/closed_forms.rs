//! Contract: the pairs of shapes and the ray casts give the same bits as ever in thousands of seeded placements, so that a change of any
//! arithmetic in them shows without Python. `python/tests/test_collide_pairs.py`, `test_collide_triangles.py` and `test_rays.py` compare
//! the same functions with MuJoCo.
//!
//! After a change that those tests confirm, take over the hashes that the failing test prints.

use condyle_collide::pair::sphere_triangle::Triangle;
use condyle_collide::pair::*;
use condyle_collide::ray::{self, Cast, Ray};
use condyle_collide::{ContactBuffer, Pose, Size};
use condyle_math::quat;

type Collide = fn(&Size, &Pose, &Size, &Pose, f64, &mut ContactBuffer) -> usize;

const PLACEMENTS: usize = 4000;

const PAIRS: [(&str, Collide, u64); 11] = [
    ("plane_sphere", plane_sphere::collide, 0x6906_5084_6173_d67e),
    ("plane_capsule", plane_capsule::collide, 0x1fb2_fccb_da08_e837),
    ("plane_cylinder", plane_cylinder::collide, 0x75a4_cfe9_e059_dc31),
    ("plane_box", plane_box::collide, 0x3546_0b00_aa62_b78b),
    ("sphere_sphere", sphere_sphere::collide, 0xed17_bc50_3891_0f1a),
    ("sphere_capsule", sphere_capsule::collide, 0x19fc_d01f_4a1f_0b5f),
    ("sphere_cylinder", sphere_cylinder::collide, 0xda4b_a294_9927_98d7),
    ("sphere_box", sphere_box::collide, 0x0426_b115_6178_8426),
    ("capsule_capsule", capsule_capsule::collide, 0xad69_7dc0_25d6_57fa),
    ("capsule_box", capsule_box::collide, 0x1abf_32fd_a99a_fe4b),
    ("box_box", box_box::collide, 0xd8f0_6279_5c56_4b13),
];

const TRIANGLES: [(&str, u64); 3] = [
    ("sphere_triangle", 0xc0d3_a675_7c57_e921),
    ("capsule_triangle", 0x300a_3c69_28ce_a16e),
    ("box_triangle", 0x2e7d_ddd4_3a17_e044),
];

const CASTS: [(&str, Cast, u64); 6] = [
    ("plane", ray::plane::cast, 0x27e8_760c_da19_4f58),
    ("sphere", ray::sphere::cast, 0x576f_c0f8_cdec_6898),
    ("capsule", ray::capsule::cast, 0x83e5_c151_9162_bc66),
    ("ellipsoid", ray::ellipsoid::cast, 0x6009_3379_3a0b_ed02),
    ("cylinder", ray::cylinder::cast, 0xb158_deff_f819_9deb),
    ("box", ray::cuboid::cast, 0xe337_1bba_41f5_b1e0),
];

/// SplitMix64.
struct Random(u64);

impl Random {
    /// From 0 to 1.
    fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    fn between<const N: usize>(&mut self, low: f64, high: f64) -> [f64; N] {
        std::array::from_fn(|_| low + (high - low) * self.uniform())
    }

    /// A pose near the origin; every fourth is along the axes.
    fn pose(&mut self, reach: f64) -> Pose {
        let turns = if self.uniform() < 0.25 { [1.0, 0.0, 0.0, 0.0] } else { self.between(-1.0, 1.0) };
        Pose { position: self.between(-reach, reach), rotation: quat::to_mat(&quat::normalize(turns).0) }
    }
}

/// FNV-1a, with words in the place of bytes.
struct Hash(u64);

impl Hash {
    const fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    fn add(&mut self, numbers: &[f64]) {
        for number in numbers {
            // Zeros of both signs and all numbers that are none count as one: no later result depends on which it is.
            let word = if number.is_nan() { 1 } else { (number + 0.0).to_bits() };
            self.0 = (self.0 ^ word).wrapping_mul(0x0100_0000_01b3);
            self.0 ^= self.0 >> 29;
        }
    }

    fn add_contacts(&mut self, contacts: &ContactBuffer) {
        self.add(&[contacts.len() as f64]);
        for contact in contacts.as_slice() {
            self.add(&[contact.distance]);
            self.add(&contact.position);
            self.add(&contact.frame);
        }
    }
}

/// Compare hashes with those kept, and say at once which differ.
fn compare(found: &[(&str, u64, u64)]) {
    let wrong: Vec<String> = found
        .iter()
        .filter(|(_, now, kept)| now != kept)
        .map(|(name, now, _)| format!("(\"{name}\", 0x{now:016x})"))
        .collect();
    assert!(wrong.is_empty(), "other bits than before:\n{}", wrong.join("\n"));
}

#[test]
fn pairs_of_shapes_give_the_bits_they_gave() {
    let found = PAIRS.map(|(name, collide, kept)| {
        let (mut random, mut hash) = (Random(7), Hash::new());
        let mut touching = 0;
        for _ in 0..PLACEMENTS {
            let (size1, size2) = (random.between(0.05, 0.5), random.between(0.05, 0.5));
            let (pose1, pose2) = (random.pose(0.4), random.pose(0.4));
            let mut contacts = ContactBuffer::new();
            collide(&size1, &pose1, &size2, &pose2, 0.1 * random.uniform(), &mut contacts);
            touching += usize::from(!contacts.is_empty());
            hash.add_contacts(&contacts);
        }
        assert!(touching > PLACEMENTS / 10 && touching < PLACEMENTS, "{name}: {touching} touch");
        (name, hash.0, kept)
    });
    compare(&found);
}

#[test]
fn shapes_on_triangles_give_the_bits_they_gave() {
    let found = TRIANGLES.map(|(name, kept)| {
        let (mut random, mut hash) = (Random(11), Hash::new());
        for _ in 0..PLACEMENTS {
            let vertices = [random.between(-0.5, 0.5), random.between(-0.5, 0.5), random.between(-0.5, 0.5)];
            let triangle = Triangle { vertices, radius: 0.05 * random.uniform() };
            let (size, pose, margin): (Size, _, _) =
                (random.between(0.05, 0.4), random.pose(0.4), 0.1 * random.uniform());
            let mut contacts = ContactBuffer::new();
            match name {
                "sphere_triangle" => {
                    sphere_triangle::collide(pose.position, size[0], &triangle, margin, &mut contacts)
                }
                "capsule_triangle" => {
                    capsule_triangle::collide(&size, &pose, &triangle, margin, &mut contacts)
                }
                _ => box_triangle::collide(&size, &pose, &triangle, margin, &mut contacts),
            };
            hash.add_contacts(&contacts);
        }
        (name, hash.0, kept)
    });
    compare(&found);
}

#[test]
fn rays_give_the_bits_they_gave() {
    let found = CASTS.map(|(name, cast, kept)| {
        let (mut random, mut hash) = (Random(13), Hash::new());
        let mut hits = 0;
        for _ in 0..PLACEMENTS {
            let (size, pose) = (random.between(0.1, 0.6), random.pose(0.3));
            let ray = Ray { origin: random.between(-1.0, 1.0), direction: random.between(-1.0, 1.0) };
            if let Some(hit) = cast(&size, &pose, &ray) {
                hits += 1;
                hash.add(&[hit.distance]);
                hash.add(&hit.normal);
            } else {
                hash.add(&[-1.0]);
            }
        }
        assert!(hits > PLACEMENTS / 100 && hits < PLACEMENTS, "{name}: {hits} hit");
        (name, hash.0, kept)
    });
    compare(&found);
}
