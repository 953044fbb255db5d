//! Contract: friction without slip, limits of activations, gravity compensation, adhesion, equalities between tendons.

#[path = "../common/mod.rs"]
mod common;

mod activation;
mod adhesion;
mod gravity_compensation;
mod noslip;
mod tendon_equality;
