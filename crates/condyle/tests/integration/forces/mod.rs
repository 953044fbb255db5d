//! Contract: friction without slip, limits of activations, gravity compensation, adhesion, equalities between tendons, contacts that are springs.

mod activation;
mod adhesion;
mod gravity_compensation;
mod noslip;
mod passive_contact;
mod tendon_equality;
