//! General convex collision: support functions, GJK, EPA, several contacts per pair, and MPR.
//!
//! Two convex sets overlap when their Minkowski difference `A − B` contains the origin. Everything here sees the sets only through
//! support functions (the farthest point in a direction), so one algorithm serves every pair of convex shapes:
//!
//! | file | computes |
//! |---|---|
//! | `object` | a convex shape at a pose, with the memory of its last support point |
//! | `mesh` | vertices, hull graph and face polygons of a mesh |
//! | `support` | support points of each shape and of the Minkowski difference |
//! | `support_table` | support vertices of a hull from a table of directions |
//! | `subdistance` | the point of a simplex closest to the origin |
//! | `gjk` | closest points of two separated sets, or a simplex around the origin |
//! | `polytope` | faces, adjacency and horizon of the expanding polytope |
//! | `seed` | the first polytope around the origin, from GJK's simplex |
//! | `epa` | penetration depth and witness points |
//! | `features`, `clip`, `multicontact` | several contacts between aligned faces of boxes and meshes |
//! | `detection` | the sequence of the above for one pair |
//! | `mpr_support`, `mpr`, `normal` | Minkowski portal refinement and its normal correction |
//!
//! The order of operations follows the reference (`mjc_ccd` and libccd's `ccdMPRPenetration`), so equal poses give equal bits.
//! All loops are bounded and memory lives in a [`CcdScratch`] owned by the caller.

mod clip;
pub mod detection;
mod epa;
mod features;
mod gjk;
pub mod mesh;
pub mod mpr;
mod mpr_support;
mod multicontact;
pub mod normal;
pub mod object;
mod polytope;
mod seed;
mod subdistance;
mod support;
mod support_table;

pub use detection::{CcdConfig, CcdScratch, CcdStatus, EpaOutcome, Troubles, detect, elements_apart};
pub use mesh::{HullGraph, MeshShape, PolygonTable};
pub use object::{ConvexObject, ConvexShape, Element};
pub use support_table::SupportTable;

pub(crate) use mpr_support::mpr_support;
pub(crate) use support::{project, support};

/// Smallest squared length that still counts as non-zero.
pub(crate) const MIN_SQUARED: f64 = condyle_math::MIN_VALUE * condyle_math::MIN_VALUE;
