//! Working memory that stages reuse from step to step, so that stepping does not allocate.

/// Buffers of the stages. Contents mean nothing between stages.
#[derive(Clone, Debug, Default)]
pub struct Scratch {}
