//! Geometry only: shapes and poses in, contacts and ray hits out.
