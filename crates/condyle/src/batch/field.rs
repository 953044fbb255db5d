//! Which arrays of data and model a batch can show: those whose size does not change from step to step, and, of the model, those that
//! are not assets.

use condyle_engine::Data;
use condyle_engine::data::ScalarValue;
use condyle_engine::state::component;
use condyle_model::options::{PhysicsOptions, Record};
use condyle_model::{DType, Model, Values, ValuesMut};

use super::column;

/// Components of the state, which stand in its rows, by name.
pub const STATE_FIELDS: &[(&str, u32)] = &[
    ("time", component::TIME),
    ("qpos", component::QPOS),
    ("qvel", component::QVEL),
    ("act", component::ACT),
    ("history", component::HISTORY),
    ("qacc_warmstart", component::WARMSTART),
    ("ctrl", component::CTRL),
    ("qfrc_applied", component::QFRC_APPLIED),
    ("xfrc_applied", component::XFRC_APPLIED),
    ("eq_active", component::EQ_ACTIVE),
    ("mocap_pos", component::MOCAP_POS),
    ("mocap_quat", component::MOCAP_QUAT),
    ("userdata", component::USERDATA),
    ("plugin_state", component::PLUGIN),
];

/// Everything a simulation goes on from: what one row of the state holds.
pub const INTEGRATION: u32 = (1 << component::COUNT) - 1;

/// How an array that can be bound is found in the data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    Array,
    /// A number of contacts, rows or the like.
    Count,
    SolverIterations,
    SolverEntries,
    SolverAgreement,
}

/// An array of the data as a batch shows it.
#[derive(Clone, Debug)]
pub(super) struct DataField {
    pub name: &'static str,
    pub source: Source,
    pub dtype: DType,
    /// Shape for one simulation.
    pub shape: Vec<usize>,
    /// Group of the data it stands in.
    pub group: &'static str,
}

impl DataField {
    /// The field of this name, if its size is fixed.
    pub(super) fn find(model: &Model, data: &Data, name: &str) -> Option<Self> {
        let solver = |name, source, dtype, length| {
            Some(Self { name, source, dtype, shape: vec![length], group: "diagnostics" })
        };
        match name {
            "solver_niter" => {
                let length = data.diagnostics.solver_niter.len();
                return solver("solver_niter", Source::SolverIterations, DType::I32, length);
            }
            "solver_nnz" => {
                let length = data.diagnostics.solver_nnz.len();
                return solver("solver_nnz", Source::SolverEntries, DType::I32, length);
            }
            "solver_fwdinv" => {
                return solver("solver_fwdinv", Source::SolverAgreement, DType::F64, 2);
            }
            "ncon" => {
                let (shape, group) = (Vec::new(), "contacts");
                return Some(Self { name: "ncon", source: Source::Count, dtype: DType::I32, shape, group });
            }
            _ => {}
        }
        if let Some(array) = Data::ARRAYS.iter().find(|array| array.info.name == name && !array.grows) {
            let shape = data.shape(model, array);
            let (name, dtype, group) = (array.info.name, array.info.dtype, array.group);
            return Some(Self { name, source: Source::Array, dtype, shape, group });
        }
        let scalar = Data::SCALARS.iter().find(|scalar| scalar.name == name)?;
        matches!(data.scalar(name), Some(ScalarValue::Count(_))).then(|| Self {
            name: scalar.name,
            source: Source::Count,
            dtype: DType::I32,
            shape: Vec::new(),
            group: scalar.group,
        })
    }

    /// Numbers for one simulation.
    pub(super) fn width(&self) -> usize {
        self.shape.iter().product()
    }

    /// Copy the field out of the data.
    pub(super) fn read(&self, data: &Data, out: ValuesMut<'_>) {
        let diagnostics = &data.diagnostics;
        match self.source {
            Source::Array => {
                if let Some(values) = data.array(self.name) {
                    column::copy(out, values);
                }
            }
            Source::Count => {
                if let (ValuesMut::I32(out), Some(ScalarValue::Count(count))) = (out, data.scalar(self.name))
                {
                    out.fill(i32::try_from(count).unwrap_or(i32::MAX));
                }
            }
            Source::SolverIterations => column::copy(out, Values::I32(&diagnostics.solver_niter)),
            Source::SolverEntries => column::copy(out, Values::I32(&diagnostics.solver_nnz)),
            Source::SolverAgreement => column::copy(out, Values::F64(&diagnostics.solver_fwdinv)),
        }
    }

    /// Put into the data what the simulation had there, so that what a call does not compute stays its own.
    pub(super) fn write(&self, data: &mut Data, row: Values<'_>) {
        let diagnostics = &mut data.diagnostics;
        match self.source {
            Source::Array => {
                if let Some(values) = data.array_mut(self.name) {
                    column::copy(values, row);
                }
            }
            // Lists are made anew by the stages that count them.
            Source::Count => {}
            Source::SolverIterations => column::copy(ValuesMut::I32(&mut diagnostics.solver_niter), row),
            Source::SolverEntries => column::copy(ValuesMut::I32(&mut diagnostics.solver_nnz), row),
            Source::SolverAgreement => column::copy(ValuesMut::F64(&mut diagnostics.solver_fwdinv), row),
        }
    }
}

/// Sizes that count what belongs to assets, names and sparsity patterns: one for all simulations.
const SHARED: &[&str] = &[
    "nbvh",
    "nbvhstatic",
    "noct",
    "nmesh",
    "nmeshvert",
    "nmeshnormal",
    "nmeshtexcoord",
    "nmeshface",
    "nmeshgraph",
    "nmeshpoly",
    "nmeshpolyvert",
    "nmeshpolymap",
    "nskin",
    "nskinvert",
    "nskintexvert",
    "nskinface",
    "nskinbone",
    "nskinbonevert",
    "nhfield",
    "nhfielddata",
    "ntex",
    "ntexdata",
    "nflexnode",
    "nflexvert",
    "nflexelem",
    "nflexelemdata",
    "nflexelemedge",
    "nflexshelldata",
    "nflexevpair",
    "nflextexcoord",
    "nJfe",
    "nJfv",
    "nM",
    "nB",
    "nC",
    "nD",
    "nJmom",
    "nnames",
    "nnames_map",
    "npaths",
    "ntextdata",
    "ntext",
    "npluginattr",
];

/// Constants that follow from other arrays of the model: what [`set_const`](super::Batch::set_const) computes.
pub(super) const DERIVED: &[&str] = &[
    "body_subtreemass",
    "body_invweight0",
    "dof_M0",
    "dof_invweight0",
    "dof_length",
    "tendon_length0",
    "tendon_lengthspring",
    "tendon_invweight0",
    "actuator_length0",
    "actuator_acc0",
    "eq_data",
    "cam_pos0",
    "cam_poscom0",
    "cam_mat0",
    "light_pos0",
    "light_poscom0",
    "light_dir0",
    "flexedge_length0",
    "flexedge_invweight0",
    "flex_vertmetric",
    "tree_sleep_policy",
];

/// An array of the model, or an option, with values for each simulation.
#[derive(Clone, Debug)]
pub(super) struct ModelField {
    /// As the caller names it: `body_mass`, `opt.gravity`.
    pub name: &'static str,
    pub option: bool,
    pub dtype: DType,
    pub shape: Vec<usize>,
}

impl ModelField {
    /// The field of this name, if simulations may differ in it.
    pub(super) fn find(model: &Model, name: &str) -> Option<Self> {
        if let Some(option) = name.strip_prefix("opt.") {
            let field = PhysicsOptions::FIELDS.iter().find(|field| field.name == option)?;
            let shape = if field.width > 1 { vec![field.width] } else { Vec::new() };
            return Some(Self { name: field.name, option: true, dtype: field.dtype, shape });
        }
        let info = Model::ARRAYS.iter().chain(Model::EXTENSIONS).find(|info| info.name == name)?;
        if info.dims.iter().any(|dim| SHARED.contains(dim)) && !DERIVED.contains(&info.name) {
            return None;
        }
        Some(Self { name: info.name, option: false, dtype: info.dtype, shape: model.shape(info) })
    }

    /// Whether the caller means this field.
    pub(super) fn is(&self, name: &str) -> bool {
        match name.strip_prefix("opt.") {
            Some(option) => self.option && option == self.name,
            None => !self.option && name == self.name,
        }
    }

    pub(super) fn width(&self) -> usize {
        self.shape.iter().product()
    }

    /// Whether the numbers choose algorithms or lead into other arrays, so that they must be checked.
    pub(super) fn steers(&self) -> bool {
        !self.option && matches!(self.dtype, DType::I32 | DType::I64)
    }

    pub(super) fn read<'a>(&self, model: &'a Model) -> Option<Values<'a>> {
        if self.option { model.opt.field(self.name) } else { model.array(self.name) }
    }

    /// Write one simulation's values into its model; an array that has them already stays untouched.
    pub(super) fn write(&self, model: &mut Model, row: Values<'_>) {
        if self.read(model) == Some(row) {
            return;
        }
        let target = if self.option { model.opt.field_mut(self.name) } else { model.array_mut(self.name) };
        if let Some(target) = target {
            column::copy(target, row);
        }
    }
}

/// Names of everything [`bind`](super::Batch::bind) takes.
pub fn data_fields() -> Vec<&'static str> {
    let arrays = Data::ARRAYS.iter().filter(|array| !array.grows).map(|array| array.info.name);
    let state = STATE_FIELDS.iter().map(|(name, _)| *name);
    let others = ["ncon", "solver_niter", "solver_nnz", "solver_fwdinv"];
    let model = Model::default();
    let data = Data::new(&model);
    let is_count = |name: &str| matches!(data.scalar(name), Some(ScalarValue::Count(_)));
    let counts = Data::SCALARS.iter().map(|scalar| scalar.name).filter(|name| is_count(name));
    let mut names: Vec<&'static str> = arrays.chain(state).chain(others).chain(counts).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// Names of everything [`expand`](super::Batch::expand) takes; options are `opt.` and their name.
pub fn model_fields() -> Vec<String> {
    let model = Model::default();
    let arrays = Model::ARRAYS.iter().chain(Model::EXTENSIONS).map(|info| info.name.to_owned());
    let options = PhysicsOptions::FIELDS.iter().map(|field| format!("opt.{}", field.name));
    let mut names: Vec<String> =
        arrays.chain(options).filter(|name| ModelField::find(&model, name).is_some()).collect();
    names.sort_unstable();
    names
}
