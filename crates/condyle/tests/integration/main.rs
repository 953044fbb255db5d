//! Contracts of the whole engine, checked on our own models.

mod allocation;
mod batch;
mod binary;
mod caches;
mod closed_facade;
mod collision_fuzz;
mod contact;
mod determinism;
mod divergences;
mod facade;
mod goldens;
mod mechanics;
mod models;
mod nonfinite;
mod panics;
mod rollout;
mod workshop;
