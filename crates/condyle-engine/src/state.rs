//! Reading and writing the state as one flat vector, component by component.
//!
//! Reference: `mj_stateSize`, `mj_getState`, `mj_setState`.
//!
//! Whole data: a state vector may set any part of the state and the inputs.

use condyle_model::Model;

use crate::Data;

/// Bits that select state components, in the order in which they are laid out.
pub mod component {
    /// `time`
    pub const TIME: u32 = 1 << 0;
    /// `qpos`
    pub const QPOS: u32 = 1 << 1;
    /// `qvel`
    pub const QVEL: u32 = 1 << 2;
    /// `act`
    pub const ACT: u32 = 1 << 3;
    /// Past controls and sensor readings, for delays.
    pub const HISTORY: u32 = 1 << 4;
    /// `qacc_warmstart`
    pub const WARMSTART: u32 = 1 << 5;
    /// `ctrl`
    pub const CTRL: u32 = 1 << 6;
    /// `qfrc_applied`
    pub const QFRC_APPLIED: u32 = 1 << 7;
    /// `xfrc_applied`
    pub const XFRC_APPLIED: u32 = 1 << 8;
    /// `eq_active`
    pub const EQ_ACTIVE: u32 = 1 << 9;
    /// `mocap_pos`
    pub const MOCAP_POS: u32 = 1 << 10;
    /// `mocap_quat`
    pub const MOCAP_QUAT: u32 = 1 << 11;
    /// `userdata`
    pub const USERDATA: u32 = 1 << 12;
    /// State of plugins.
    pub const PLUGIN: u32 = 1 << 13;
    /// Number of components.
    pub const COUNT: u32 = 14;
    /// What a simulation goes on from, its inputs apart.
    pub const FULL_PHYSICS: u32 = TIME | QPOS | QVEL | ACT | HISTORY | PLUGIN;
    /// What a user sets.
    pub const USER: u32 = CTRL | QFRC_APPLIED | XFRC_APPLIED | EQ_ACTIVE | MOCAP_POS | MOCAP_QUAT | USERDATA;
}

/// A component: a run of numbers, or the byte flags of the equalities.
enum Part<'a> {
    Numbers(&'a [f64]),
    Flags(&'a [u8]),
}

/// A component to be written.
enum PartMut<'a> {
    Numbers(&'a mut [f64]),
    Flags(&'a mut [u8]),
}

/// Where the component `bit` of `data` lies, for reading or for writing.
macro_rules! part {
    ($data:ident, $bit:expr, $part:ident, $from_one:ident, $flattened:ident $(, $mutable:tt)?) => {{
        use component::*;
        $part::Numbers(match $bit {
            TIME => std::slice::$from_one(&$($mutable)? $data.state.time),
            QPOS => &$($mutable)? $data.state.qpos,
            QVEL => &$($mutable)? $data.state.qvel,
            ACT => &$($mutable)? $data.state.act,
            HISTORY => &$($mutable)? $data.state.history,
            WARMSTART => &$($mutable)? $data.state.qacc_warmstart,
            CTRL => &$($mutable)? $data.inputs.ctrl,
            QFRC_APPLIED => &$($mutable)? $data.inputs.qfrc_applied,
            XFRC_APPLIED => $data.inputs.xfrc_applied.$flattened(),
            EQ_ACTIVE => return $part::Flags(&$($mutable)? $data.inputs.eq_active),
            MOCAP_POS => $data.inputs.mocap_pos.$flattened(),
            MOCAP_QUAT => $data.inputs.mocap_quat.$flattened(),
            USERDATA => &$($mutable)? $data.inputs.userdata,
            PLUGIN => &$($mutable)? $data.state.plugin_state,
            _ => &$($mutable)? [],
        })
    }};
}

fn part(data: &Data, bit: u32) -> Part<'_> {
    part!(data, bit, Part, from_ref, as_flattened)
}

fn part_mut(data: &mut Data, bit: u32) -> PartMut<'_> {
    part!(data, bit, PartMut, from_mut, as_flattened_mut, mut)
}

fn component_size(model: &Model, bit: u32) -> usize {
    use component::*;
    match bit {
        TIME => 1,
        QPOS => model.nq,
        QVEL | WARMSTART | QFRC_APPLIED => model.nv,
        ACT => model.na,
        HISTORY => model.nhistory,
        CTRL => model.nu,
        XFRC_APPLIED => 6 * model.nbody,
        EQ_ACTIVE => model.neq,
        MOCAP_POS => 3 * model.nmocap,
        MOCAP_QUAT => 4 * model.nmocap,
        USERDATA => model.nuserdata,
        PLUGIN => model.npluginstate,
        _ => 0,
    }
}

fn selected(signature: u32) -> impl Iterator<Item = u32> {
    (0..component::COUNT).map(|shift| 1 << shift).filter(move |bit| signature & bit != 0)
}

/// Whether `signature` names components that exist.
pub const fn is_valid_signature(signature: u32) -> bool {
    signature < 1 << component::COUNT
}

/// Length of the state vector `signature` selects.
pub fn size(model: &Model, signature: u32) -> usize {
    selected(signature).map(|bit| component_size(model, bit)).sum()
}

/// Copy the selected components out. `state` must hold [`size`] numbers.
pub fn get(data: &Data, state: &mut [f64], signature: u32) {
    let mut rest = state;
    for bit in selected(signature) {
        match part(data, bit) {
            Part::Numbers(numbers) => {
                let (target, tail) = rest.split_at_mut(numbers.len());
                target.copy_from_slice(numbers);
                rest = tail;
            }
            Part::Flags(flags) => {
                let (target, tail) = rest.split_at_mut(flags.len());
                for (value, &flag) in target.iter_mut().zip(flags) {
                    *value = f64::from(flag);
                }
                rest = tail;
            }
        }
    }
}

/// Copy the selected components in. `state` must hold [`size`] numbers.
pub fn set(data: &mut Data, state: &[f64], signature: u32) {
    let mut rest = state;
    for bit in selected(signature) {
        match part_mut(data, bit) {
            PartMut::Numbers(numbers) => {
                let (source, tail) = rest.split_at(numbers.len());
                numbers.copy_from_slice(source);
                rest = tail;
            }
            PartMut::Flags(flags) => {
                let (source, tail) = rest.split_at(flags.len());
                for (flag, &value) in flags.iter_mut().zip(source) {
                    *flag = flag_from(value);
                }
                rest = tail;
            }
        }
    }
}

/// The byte a number becomes where the reference casts it: the lowest one of the integer part, 0 beyond 32 bits.
fn flag_from(value: f64) -> u8 {
    let whole = value.trunc();
    if whole >= f64::from(i32::MIN) && whole <= f64::from(i32::MAX) { whole as i32 as u8 } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flag_is_the_lowest_byte_of_the_integer_part() {
        let values = [0.5, 2.0, -1.5, -0.5, 256.0, 4_294_967_297.0, f64::NAN, f64::INFINITY];
        assert_eq!(values.map(flag_from), [0, 2, 255, 0, 0, 0, 0, 0]);
    }

    #[test]
    fn what_is_read_can_be_written_back() {
        let mut model = Model { nq: 2, nv: 2, neq: 1, nbody: 1, ..Model::default() };
        model.allocate();
        model.body_mocapid.fill(-1);
        model.body_treeid.fill(-1);
        let mut data = Data::new(&model);
        let everything = (1 << component::COUNT) - 1;
        let values: Vec<f64> =
            (0..size(&model, everything)).map(|i| if i == 15 { 1.0 } else { i as f64 }).collect();
        set(&mut data, &values, everything);
        let mut back = vec![0.0; values.len()];
        get(&data, &mut back, everything);
        assert_eq!(back[0], 0.0);
        assert_eq!(data.state.qpos[..], [1.0, 2.0]);
        assert_eq!(data.inputs.eq_active[0], 1);
        assert_eq!(back, values);
    }
}
