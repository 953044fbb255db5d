//! What a [`Model`] is made of: its options, its enumerations, the bits of its flags, its binary form.

pub use condyle_model::enums::*;
pub use condyle_model::options::{
    PhysicsOptions, Record, RecordField, Statistic, Visual, VisualGlobal, VisualHeadlight, VisualMap,
    VisualQuality, VisualRgba, VisualScale,
};
pub use condyle_model::{
    ArrayInfo, Column, DType, Element, Fingerprint, Model, REFERENCE_VERSION, Scalar, Values, ValuesMut,
    hill, mjb, widths,
};
