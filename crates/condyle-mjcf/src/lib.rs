//! MJCF and URDF text to the editable model and back, with diagnostics.
