//! Contracts of the whole engine, checked on our own models and on small ones made for a question.

mod allocation;
mod batch;
mod binary;
mod caches;
mod closed_facade;
mod collision_fuzz;
mod common;
mod contact;
mod determinism;
mod divergences;
mod facade;
mod forces;
mod goldens;
mod hill_muscle;
mod joints_and_sensors;
mod mechanics;
mod models;
mod nonfinite;
mod panics;
mod pictures;
mod reading;
mod robots;
mod rollout;
mod transmissions;
mod workshop;
