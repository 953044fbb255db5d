//! Mesh, texture, height field and skin readers, convex hulls, mesh inertia, bounding volume trees.
//!
//! Internal: programs depend on the crate `condyle`, which re-exports what they need. Everything here may change in any version.
//!
//! Readers take bytes and return plain data or an [`AssetError`] that says where in the file the trouble is. [`compile_mesh`]
//! turns mesh data into the arrays of a compiled model. Nothing here touches the file system.
//!
//! Files are untrusted: sizes in headers are checked against the bytes that are there before anything is allocated.

#![warn(missing_docs)]
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

pub mod bvh;
mod bytes;
pub mod cache;
mod decimal;
mod distance;
pub mod error;
pub mod gmsh;
mod hash;
pub mod hfield;
pub mod hull;
pub mod image;
pub mod isosurface;
pub mod mesh;
pub mod msh;
pub mod obj;
pub mod octree;
mod png_chunks;
pub mod principal;
pub mod scene;
mod select;
pub mod skin;
mod sort;
pub mod stl;
mod stl_text;
pub mod texture;

pub use bvh::{Bvh, BvhLeaf, build_bvh};
pub use error::{AssetError, Location};
pub use gmsh::GmshData;
pub use mesh::{CompiledMesh, MeshData, MeshInertia, MeshOptions, compile_mesh};
pub use octree::Octree;
