//! A number for all that a context takes from a model, to tell whether the model was changed since.

use condyle_model::Model;

/// Four sums side by side, each of every fourth number.
struct Sums {
    sums: [u64; 4],
    /// Which of them the next single number goes into.
    next: usize,
}

/// An odd number without order in its bits, so that every bit of a number changes many of the product.
const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

/// Adds a number. For each sum, no two numbers give the same result.
const fn add(sum: u64, number: u64) -> u64 {
    (sum ^ number).wrapping_mul(FACTOR).rotate_left(29)
}

impl Sums {
    fn number(&mut self, number: u64) {
        self.sums[self.next] = add(self.sums[self.next], number);
        self.next = (self.next + 1) % 4;
    }

    /// Adds an array; `join` makes one number of `N` values.
    fn array<T: Copy, const N: usize>(&mut self, values: &[T], join: impl Fn([T; N]) -> u64, fill: T) {
        self.number(values.len() as u64);
        let (parts, rest) = values.as_chunks::<N>();
        let (fours, last) = parts.as_chunks::<4>();
        for four in fours {
            for (sum, part) in self.sums.iter_mut().zip(four) {
                *sum = add(*sum, join(*part));
            }
        }
        for part in last {
            self.number(join(*part));
        }
        if !rest.is_empty() {
            let mut part = [fill; N];
            part[..rest.len()].copy_from_slice(rest);
            self.number(join(part));
        }
    }

    fn bytes(&mut self, values: &[u8]) {
        self.array(values, u64::from_le_bytes, 0);
    }

    fn floats(&mut self, values: &[f32]) {
        self.array(values, |[a, b]: [f32; 2]| u64::from(a.to_bits()) | u64::from(b.to_bits()) << 32, 0.0);
    }

    fn doubles(&mut self, values: &[f64]) {
        self.array(values, |[value]: [f64; 1]| value.to_bits(), 0.0);
    }

    fn integers(&mut self, values: &[i32]) {
        self.array(
            values,
            |[a, b]: [i32; 2]| u64::from(a.cast_unsigned()) | u64::from(b.cast_unsigned()) << 32,
            0,
        );
    }
}

/// The number of a model. Models from which different contexts are made have different ones, but for a chance of one in 2⁶⁴.
pub(crate) fn of(model: &Model) -> u64 {
    let mut sums = Sums { sums: [1, 2, 3, 4], next: 0 };
    settings(model, &mut sums);
    sums.bytes(&model.mat_texuniform);
    sums.floats(model.mat_texrepeat.as_flattened());
    sums.integers(model.mat_texid.as_flattened());
    // Planes.
    sums.integers(&model.geom_type);
    sums.integers(&model.geom_matid);
    sums.doubles(model.geom_size.as_flattened());
    for array in
        [&model.tex_type, &model.tex_colorspace, &model.tex_height, &model.tex_width, &model.tex_nchannel]
    {
        sums.integers(array);
    }
    sums.array(&model.tex_adr, |[value]: [i64; 1]| value.cast_unsigned(), 0);
    sums.bytes(&model.tex_data);
    for array in [&model.hfield_nrow, &model.hfield_ncol, &model.hfield_adr] {
        sums.integers(array);
    }
    sums.doubles(model.hfield_size.as_flattened());
    sums.floats(&model.hfield_data);
    meshes(model, &mut sums);
    for array in [&model.skin_vertnum, &model.skin_texcoordadr, &model.skin_faceadr, &model.skin_facenum] {
        sums.integers(array);
    }
    sums.integers(model.skin_face.as_flattened());
    sums.floats(model.skin_texcoord.as_flattened());
    let [a, b, c, d] = sums.sums;
    add(add(add(a, b), c), d)
}

fn settings(model: &Model, sums: &mut Sums) {
    let visual = &model.vis;
    sums.number(model.stat.extent.to_bits());
    sums.integers(&[
        visual.quality.numslices,
        visual.quality.numstacks,
        visual.quality.numquads,
        visual.quality.shadowsize,
        visual.quality.offsamples,
        visual.global.offwidth,
        visual.global.offheight,
    ]);
    sums.floats(&[
        visual.global.linewidth,
        visual.map.shadowclip,
        visual.map.shadowscale,
        visual.map.fogstart,
        visual.map.fogend,
        visual.map.haze,
        visual.map.zfar,
    ]);
    sums.floats(&visual.rgba.fog);
    sums.floats(&visual.rgba.haze);
}

fn meshes(model: &Model, sums: &mut Sums) {
    for array in [
        &model.mesh_vertadr,
        &model.mesh_faceadr,
        &model.mesh_facenum,
        &model.mesh_normaladr,
        &model.mesh_texcoordadr,
        &model.mesh_graphadr,
        &model.mesh_graph,
    ] {
        sums.integers(array);
    }
    for array in [&model.mesh_face, &model.mesh_facenormal, &model.mesh_facetexcoord] {
        sums.integers(array.as_flattened());
    }
    sums.floats(model.mesh_vert.as_flattened());
    sums.floats(model.mesh_normal.as_flattened());
    sums.floats(model.mesh_texcoord.as_flattened());
}
