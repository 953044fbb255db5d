//! What a mouse has selected and how it pulls.

use condyle_model::records;

records! {
    Perturbation: "What is selected, and how it is pulled and turned." {
        select: i32 = 0, "Selected body; 0 or less: none.";
        flexselect: i32 = -1, "Selected flex; -1: none.";
        skinselect: i32 = -1, "Selected skin; -1: none.";
        active: i32 = 0, "What is going on (bits of `perturb`).";
        active2: i32 = 0, "What else is going on (bits of `perturb`).";
        refpos: [f64; 3] = [0.0; 3], "Where the body's centre of mass shall be, in the world frame, m.";
        refquat: [f64; 4] = [1.0, 0.0, 0.0, 0.0], "How the body's inertial frame shall be turned.";
        refselpos: [f64; 3] = [0.0; 3], "Where the selected point shall be, in the world frame, m.";
        localpos: [f64; 3] = [0.0; 3], "Selected point in the frame of the body, m.";
        localmass: f64 = 0.0, "Mass that is felt at the selected point, kg.";
        scale: f64 = 1.0, "Metres per motion of the mouse.";
    }
}
