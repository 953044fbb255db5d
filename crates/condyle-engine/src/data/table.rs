//! The field table of [`Data`](crate::Data): every array and counter of the simulation, declared once and grouped by the stage
//! that produces it.
//!
//! Groups stand in the order of the pipeline, each with the functions that write it; the table of stages in ARCHITECTURE.md is checked
//! against that. From this table come the group structs, allocation, reset, the Python attributes, the comparison with the reference
//! and its order, and the field reference. `fixed` arrays are allocated once with the sizes of the model and never move; `growing` arrays follow the
//! number of contacts and constraints and keep their memory between steps. A row reads
//! `name: element, [sizes that count the rows], "meaning";`.

/// Hand the table to a macro: `data_table!(callback)` expands to `callback! { … }`.
macro_rules! data_table {
    ($callback:ident) => {
        $callback! {
            State state "What a simulation must remember from one step to the next." written by "sleep::wake_changed, sleep::wake_tied, sleep::wake_touched, sleep::wake_equal, actuation::hill_muscle::fiber::place_fibers, integrate::runge_kutta::place, integrate::runge_kutta::rates, actuation::control::advance_history, integrate::advance::activations, sleep::fall_asleep, integrate::advance::motion, integrate::advance::warm_start" {
                scalars {
                    time: f64, "Simulation time, s.";
                }
                fixed {
                    qpos: f64, [nq], "Configuration, m and rad; free joint: position then quaternion, ball joint: quaternion, w first.";
                    qvel: f64, [nv], "Velocity, m/s and rad/s; free joint: linear in the world frame, then angular in the body frame; ball: body frame.";
                    act: f64, [na], "Activation of actuators.";
                    history: f64, [nhistory], "Past controls and sensor readings, one ring buffer per delayed actuator or sensor.";
                    qacc_warmstart: f64, [nv], "Acceleration the solver starts from: that of the previous step, m/s² and rad/s².";
                    plugin_state: f64, [npluginstate], "State of the plugins.";
                    tree_asleep: i32, [ntree], "Negative: awake, and -1 minus it slow steps are still missing before sleep. Else: next tree in its sleeping cycle.";
                    plugin: i32, [nplugin], "Copy of the model's `plugin`.";
                }
                growing {
                }
            }
            Inputs inputs "What the user sets: controls, applied forces, mocap poses, active equalities." written by "the user" {
                scalars {
                }
                fixed {
                    ctrl: f64, [nu], "Control, one per actuator; set by the user.";
                    qfrc_applied: f64, [nv], "Force on the dofs set by the user, N and N m.";
                    xfrc_applied: [f64; 6], [nbody], "Force (N) then torque (N m) on each body at its centre of mass, world frame; set by the user.";
                    eq_active: u8, [neq], "1: the equality constraint is active.";
                    mocap_pos: [f64; 3], [nmocap], "Position of each mocap body, world frame, m; set by the user.";
                    mocap_quat: [f64; 4], [nmocap], "Orientation of each mocap body, world frame, w first; set by the user.";
                    userdata: f64, [nuserdata], "Numbers for the user; the engine does not touch them.";
                }
                growing {
                }
            }
            Awake awake "Which trees, bodies and dofs take part in the step." written by "position::kinematics::bodies_kept, sleep::update" {
                scalars {
                    ntree_awake: usize, "Trees that are awake.";
                    nbody_awake: usize, "Entries used in `body_awake_ind`.";
                    nparent_awake: usize, "Entries used in `parent_awake_ind`.";
                    nv_awake: usize, "Entries used in `dof_awake_ind`.";
                }
                fixed {
                    tree_awake: i32, [ntree], "1: awake, 0: asleep.";
                    body_awake: i32, [nbody], "1: awake, 0: asleep, -1: static.";
                    body_awake_ind: i32, [nbody], "Bodies that are awake or static, in order.";
                    parent_awake_ind: i32, [nbody], "Bodies whose parent is awake or static, in order.";
                    dof_awake_ind: i32, [nv], "Dofs that are awake, in order.";
                }
                growing {
                }
            }
            Kinematics kinematics "Poses in the world frame and what follows from them at each centre of mass." written by "position::kinematics::bodies_kept, position::kinematics::attached_frames_kept, position::kinematics::attached_frames_read, position::com::centers_of_mass, position::camera_light::cameras_and_lights" {
                scalars {
                }
                fixed {
                    xpos: [f64; 3], [nbody], "Origin of the body, world frame, m.";
                    xquat: [f64; 4], [nbody], "Orientation of the body, world frame, w first.";
                    xmat: [f64; 9], [nbody], "Orientation of the body, world frame, rows of a 3×3 matrix.";
                    xipos: [f64; 3], [nbody], "Centre of mass of the body, world frame, m.";
                    ximat: [f64; 9], [nbody], "Principal axes of inertia of the body, world frame, rows of a 3×3 matrix.";
                    xanchor: [f64; 3], [njnt], "Anchor of the joint, world frame, m.";
                    xaxis: [f64; 3], [njnt], "Unit axis of the joint, world frame.";
                    geom_xpos: [f64; 3], [ngeom], "Origin of the geom, world frame, m.";
                    geom_xmat: [f64; 9], [ngeom], "Orientation of the geom, world frame, rows of a 3×3 matrix.";
                    site_xpos: [f64; 3], [nsite], "Origin of the site, world frame, m.";
                    site_xmat: [f64; 9], [nsite], "Orientation of the site, world frame, rows of a 3×3 matrix.";
                    cam_xpos: [f64; 3], [ncam], "Position of the camera, world frame, m.";
                    cam_xmat: [f64; 9], [ncam], "Orientation of the camera, world frame, rows of a 3×3 matrix.";
                    light_xpos: [f64; 3], [nlight], "Position of the light, world frame, m.";
                    light_xdir: [f64; 3], [nlight], "Unit direction of the light, world frame.";
                    subtree_com: [f64; 3], [nbody], "Centre of mass of the body and its descendants, world frame, m.";
                    cdof: [f64; 6], [nv], "Motion of each dof at unit speed: rotation then translation at `subtree_com` of the tree's root, world axes.";
                    cinert: [f64; 10], [nbody], "Inertia about `subtree_com` of the tree's root, world axes: xx yy zz xy xz yz, mass times offset (3), mass.";
                    bvh_active: u8, [nbvh], "1: drawings mark the node beside those that they find collision detection to visit; no stage writes it, so that it is 0 unless a program sets it.";
                }
                growing {
                }
            }
            Flexes flexes "Deformable bodies." written by "position::flex::flexes" {
                scalars {
                }
                fixed {
                    flexvert_xpos: [f64; 3], [nflexvert], "Vertex, world frame, m.";
                    flexelem_aabb: [f64; 6], [nflexelem], "Box of the element as centre and half sizes, world frame, m.";
                    bvh_aabb_dyn: [f64; 6], [nbvhdynamic], "Boxes of the flex trees as centre and half sizes, world frame, m.";
                    flexedge_J: f64, [nJfe], "Rate of edge length by dof velocity, entries of the sparse matrix.";
                    flexedge_length: f64, [nflexedge], "Edge length, m.";
                    flexvert_J: [f64; 2], [nJfv], "Rate of the two strain measures of a vertex by dof velocity, entries of the sparse matrix.";
                    flexvert_length: [f64; 2], [nflexvert], "The two strain measures of a vertex.";
                }
                growing {
                }
            }
            Tendons tendons "Tendon paths, lengths and their Jacobian." written by "position::tendon::path::tendons" {
                scalars {
                }
                fixed {
                    ten_wrapadr: i32, [ntendon], "First point of the path in `wrap_obj` and `wrap_xpos`.";
                    ten_wrapnum: i32, [ntendon], "Number of points on the path.";
                    ten_J_rownnz: i32, [ntendon], "Entries per row of `ten_J` when the Jacobian is sparse.";
                    ten_J_rowadr: i32, [ntendon], "First entry of each row of `ten_J` when the Jacobian is sparse.";
                    ten_J_colind: i32, [ntendon, nv], "Dof of each entry of `ten_J` when the Jacobian is sparse.";
                    ten_J: f64, [ntendon, nv], "Rate of tendon length by dof velocity; a dense row per tendon, or the entries of a sparse matrix.";
                    ten_length: f64, [ntendon], "Tendon length, m; for fixed tendons the weighted sum of joint positions.";
                    wrap_obj: [i32; 2], [nwrap], "What each point of a path lies on, two points per row: geom, -1: site, -2: pulley.";
                    wrap_xpos: [f64; 6], [nwrap], "Points of the paths, world frame, m, two per row.";
                }
                growing {
                }
            }
            Inertia inertia "Joint-space inertia and its factorisation." written by "position::inertia::joint_inertia, position::inertia::factor" {
                scalars {
                }
                fixed {
                    crb: [f64; 10], [nbody], "Inertia of the body with its descendants about `subtree_com` of the tree's root, laid out as `cinert`.";
                    qM: f64, [nM], "Joint-space inertia, lower triangle; per dof the diagonal, then its ancestors towards the root.";
                    M: f64, [nC], "Joint-space inertia, lower triangle in compressed rows (`M_rownnz`, `M_rowadr`, `M_colind`).";
                    qLD: f64, [nC], "Factor of `M` = Lᵀ·D·L in the pattern of `M`: L below the diagonal, D on it.";
                    qLDiagInv: f64, [nv], "Inverse of D.";
                }
                growing {
                }
            }
            Rows rows "Constraint rows: Jacobian, position and softness." written by "constraint::rows::forget, constraint::rows::make, constraint::impedance::make" {
                scalars {
                    ne: usize, "Rows of equality constraints; they come first.";
                    nf: usize, "Rows of friction loss; they follow the equalities.";
                    nl: usize, "Rows of limits; they follow the friction losses, contacts follow them.";
                    nefc: usize, "All constraint rows.";
                    nJ: usize, "Entries of `efc_J`: non-zeros when sparse, `nefc·nv` when dense.";
                }
                fixed {
                }
                growing {
                    efc_type: i32, [nefc], "What the row stands for (`ConstraintType`).";
                    efc_id: i32, [nefc], "Equality, dof, joint, tendon or contact of the row.";
                    efc_J_rownnz: i32, [nefc], "Entries per row of `efc_J` when sparse.";
                    efc_J_rowadr: i32, [nefc], "First entry of each row of `efc_J` when sparse.";
                    efc_J_rowsuper: i32, [nefc], "Number of following rows with the same columns, when sparse.";
                    efc_J_colind: i32, [nJ], "Dof of each entry of `efc_J` when sparse.";
                    efc_J: f64, [nJ], "Rate of the constrained quantity by dof velocity.";
                    efc_pos: f64, [nefc], "Violation of equalities, signed distance of limits and contacts, m or rad.";
                    efc_margin: f64, [nefc], "Distance below which the row acts, m or rad.";
                    efc_frictionloss: f64, [nefc], "Maximum magnitude of the force of a friction-loss row, N or N m.";
                    efc_diagApprox: f64, [nefc], "Approximate inverse inertia along the row, 1/kg or 1/(kg m²).";
                    efc_KBIP: [f64; 4], [nefc], "Stiffness (1/s²), damping (1/s), impedance, and its derivative by position.";
                    efc_D: f64, [nefc], "Inverse of `efc_R`, kg or kg m².";
                    efc_R: f64, [nefc], "Regulariser: diagonal softness of the row, 1/kg or 1/(kg m²).";
                    tendon_efcadr: i32, [ntendon], "First row in which the tendon takes part; -1: none.";
                }
            }
            Islands islands "Groups of trees coupled by constraints, and the problem permuted by group." written by "constraint::island::forget, constraint::island::keep_if_same, constraint::island::discover" {
                scalars {
                    nisland: usize, "Number of islands.";
                    nidof: usize, "Dofs that belong to an island.";
                }
                fixed {
                }
                growing {
                    tree_island: i32, [ntree], "Island of the tree; -1: none.";
                    island_ntree: i32, [nisland], "Number of trees in the island.";
                    island_itreeadr: i32, [nisland], "First tree of the island in island order.";
                    map_itree2tree: i32, [ntree], "Tree at each place of island order.";
                    dof_island: i32, [nv], "Island of the dof; -1: none.";
                    island_nv: i32, [nisland], "Number of dofs in the island.";
                    island_idofadr: i32, [nisland], "First dof of the island in island order.";
                    island_dofadr: i32, [nisland], "Lowest dof of the island.";
                    map_dof2idof: i32, [nv], "Place of the dof in island order.";
                    map_idof2dof: i32, [nv], "Dof at each place of island order; those without island come from place `nidof` on.";
                    iM_rownnz: i32, [nidof], "Entries per row of `iM`.";
                    iM_rowadr: i32, [nidof], "First entry of each row of `iM`.";
                    iM_colind: i32, [nC], "Column of each entry of `iM`, counted in island order from the island's first dof.";
                    iM: f64, [nC], "`M` in island order.";
                    iLD: f64, [nC], "`qLD` in island order.";
                    iLDiagInv: f64, [nidof], "`qLDiagInv` in island order.";
                    efc_island: i32, [nefc], "Island of the row.";
                    island_ne: i32, [nisland], "Equality rows in the island.";
                    island_nf: i32, [nisland], "Friction-loss rows in the island.";
                    island_nefc: i32, [nisland], "Rows in the island.";
                    island_iefcadr: i32, [nisland], "First row of the island in island order.";
                    map_efc2iefc: i32, [nefc], "Place of the row in island order.";
                    map_iefc2efc: i32, [nefc], "Row at each place of island order.";
                    iefc_type: i32, [nefc], "`efc_type` in island order.";
                    iefc_id: i32, [nefc], "`efc_id` in island order.";
                    iefc_J_rownnz: i32, [nefc], "Entries per row of `iefc_J`.";
                    iefc_J_rowadr: i32, [nefc], "First entry of each row of `iefc_J`.";
                    iefc_J_rowsuper: i32, [nefc], "Number of following rows with the same columns.";
                    iefc_J_colind: i32, [nJ], "Column of each entry of `iefc_J`, counted in island order from the island's first dof.";
                    iefc_J: f64, [nJ], "`efc_J` in island order.";
                    iefc_frictionloss: f64, [nefc], "`efc_frictionloss` in island order.";
                    iefc_D: f64, [nefc], "`efc_D` in island order.";
                    iefc_R: f64, [nefc], "`efc_R` in island order.";
                }
            }
            Transmission transmission "Actuator lengths and moment arms." written by "position::transmission::transmissions" {
                scalars {
                }
                fixed {
                    actuator_length: f64, [nu], "Actuator length, m or rad.";
                    moment_rownnz: i32, [nu], "Entries per row of `actuator_moment`.";
                    moment_rowadr: i32, [nu], "First entry of each row of `actuator_moment`.";
                    moment_colind: i32, [nJmom], "Dof of each entry of `actuator_moment`.";
                    actuator_moment: f64, [nJmom], "Rate of actuator length by dof velocity, entries of the sparse matrix.";
                }
                growing {
                }
            }
            Dual dual "Matrix of the dual problem, for the solvers that work on forces." written by "constraint::rows::forget, constraint::rows::make_room, constraint::project::make" {
                scalars {
                    nA: usize, "Entries of `efc_AR`.";
                }
                fixed {
                }
                growing {
                    efc_AR_rownnz: i32, [nefc], "Entries per row of `efc_AR`.";
                    efc_AR_rowadr: i32, [nefc], "First entry of each row of `efc_AR`.";
                    efc_AR_colind: i32, [nA], "Row of each entry of `efc_AR`.";
                    efc_AR: f64, [nA], "Matrix of the dual problem: J·M⁻¹·Jᵀ plus the diagonal `efc_R`.";
                }
            }
            Velocity velocity "Velocities of edges, tendons, actuators and bodies." written by "position::flex::edge::velocities, velocity::path_velocity::tendon_velocities, velocity::path_velocity::actuator_velocities, velocity::com_velocity::body_velocities" {
                scalars {
                }
                fixed {
                    flexedge_velocity: f64, [nflexedge], "Rate of edge length, m/s.";
                    ten_velocity: f64, [ntendon], "Rate of tendon length, m/s.";
                    actuator_velocity: f64, [nu], "Rate of actuator length, m/s or rad/s.";
                    cvel: [f64; 6], [nbody], "Velocity of the body: rotation then translation at `subtree_com` of the tree's root, world axes, rad/s and m/s.";
                    cdof_dot: [f64; 6], [nv], "Time derivative of `cdof`.";
                }
                growing {
                }
            }
            Passive passive "Forces of springs, dampers, gravity compensation and the medium." written by "velocity::passive::passive_forces" {
                scalars {
                }
                fixed {
                    qfrc_spring: f64, [nv], "Force of springs of joints, tendons and flexes, N and N m.";
                    qfrc_damper: f64, [nv], "Force of dampers of joints, tendons and flexes, N and N m.";
                    qfrc_gravcomp: f64, [nv], "Force of gravity compensation, N and N m.";
                    qfrc_fluid: f64, [nv], "Force of the medium, N and N m.";
                    qfrc_passive: f64, [nv], "Sum of the passive forces, N and N m; without gravity compensation that counts as actuator force.";
                }
                growing {
                }
            }
            RowMotion row_motion "Velocity along the constraint rows and the acceleration they aim at." written by "constraint::rows::forget, constraint::rows::make_room, constraint::reference::make, constraint::reference::offset" {
                scalars {
                }
                fixed {
                }
                growing {
                    efc_vel: f64, [nefc], "Velocity along the row, m/s or rad/s.";
                    efc_aref: f64, [nefc], "Acceleration the row aims at, m/s² or rad/s².";
                    efc_b: f64, [nefc], "Acceleration along the row without constraints minus `efc_aref`; linear term of the dual problem.";
                }
            }
            Bias bias "Forces that motion must overcome." written by "velocity::bias_forces" {
                scalars {
                }
                fixed {
                    qfrc_bias: f64, [nv], "Coriolis, centrifugal and gravitational force that motion must overcome, N and N m.";
                }
                growing {
                }
            }
            SubtreeMotion subtree_motion "Momentum of subtrees, computed when a sensor or a program asks." written by "velocity::motion::subtree_velocities" {
                scalars {
                    flg_subtreevel: bool, "Whether `subtree_linvel` and `subtree_angmom` belong to this state.";
                }
                fixed {
                    subtree_linvel: [f64; 3], [nbody], "Velocity of `subtree_com`, world frame, m/s.";
                    subtree_angmom: [f64; 3], [nbody], "Angular momentum of the subtree about `subtree_com`, world frame, kg m²/s.";
                }
                growing {
                }
            }
            Actuation actuation "Actuator forces and activation rates." written by "actuation::begin, actuation::activation::activation_rates, actuation::gain_bias::forces, actuation::forces" {
                scalars {
                }
                fixed {
                    act_dot: f64, [na], "Time derivative of `act`.";
                    actuator_force: f64, [nu], "Force of the actuator along its own length, N or N m.";
                    qfrc_actuator: f64, [nv], "Force of all actuators on the dofs, N and N m.";
                }
                growing {
                }
            }
            Smooth smooth "Forces and acceleration without constraints." written by "acceleration::smooth" {
                scalars {
                }
                fixed {
                    qfrc_smooth: f64, [nv], "All forces except those of constraints, N and N m.";
                    qacc_smooth: f64, [nv], "Acceleration without constraints, m/s² and rad/s².";
                }
                growing {
                }
            }
            Solution solution "Constraint forces." written by "constraint::rows::forget, constraint::rows::make_room, constraint::solver::solve, constraint::inverse::forces, acceleration::inverse::compare_with_forward" {
                scalars {
                }
                fixed {
                    qfrc_constraint: f64, [nv], "Force of all constraints on the dofs, N and N m.";
                }
                growing {
                    efc_state: i32, [nefc], "Zone of its cost the row is in (`ConstraintState`).";
                    efc_force: f64, [nefc], "Force along the row, N or N m.";
                }
            }
            IslandSolution island_solution "What the solver reads and writes per step, in island order." written by "constraint::island::discover, constraint::solver::solve" {
                scalars {
                }
                fixed {
                }
                growing {
                    ifrc_smooth: f64, [nidof], "`qfrc_smooth` in island order.";
                    iacc_smooth: f64, [nidof], "`qacc_smooth` in island order.";
                    iefc_aref: f64, [nefc], "`efc_aref` in island order.";
                    iacc: f64, [nidof], "`qacc` in island order.";
                    ifrc_constraint: f64, [nidof], "`qfrc_constraint` in island order.";
                    iefc_state: i32, [nefc], "`efc_state` in island order.";
                    iefc_force: f64, [nefc], "`efc_force` in island order.";
                }
            }
            Acceleration acceleration "The acceleration." written by "constraint::solver::solve, sleep::fall_asleep, acceleration::inverse::to_continuous_acceleration, acceleration::inverse::sum" {
                scalars {
                }
                fixed {
                    qacc: f64, [nv], "Acceleration, m/s² and rad/s².";
                }
                growing {
                }
            }
            BodyForces body_forces "Accelerations of bodies and forces between them, computed when a sensor or a program asks." written by "acceleration::internal_force::update" {
                scalars {
                    flg_rnepost: bool, "Whether `cacc`, `cfrc_int` and `cfrc_ext` belong to this state.";
                }
                fixed {
                    cacc: [f64; 6], [nbody], "Acceleration of the body, gravity as upward acceleration included: rotation then translation, as `cvel`.";
                    cfrc_int: [f64; 6], [nbody], "Torque then force the body receives from its parent at `subtree_com` of the tree's root, world axes.";
                    cfrc_ext: [f64; 6], [nbody], "Torque then force from contacts, connect and weld constraints and `xfrc_applied`, as `cfrc_int`.";
                }
                growing {
                }
            }
            Inverse inverse "Inverse dynamics." written by "acceleration::inverse::bias, acceleration::inverse::sum" {
                scalars {
                }
                fixed {
                    qfrc_inverse: f64, [nv], "Force on the dofs that would cause `qacc`, from inverse dynamics, N and N m.";
                }
                growing {
                }
            }
            Sensors sensors "Sensor readings and energy." written by "sensor::sensors, sensor::limit_plugin_sensors, sensor::energy::potential_energy, sensor::energy::kinetic_energy" {
                scalars {
                    flg_energypos: bool, "Whether potential energy belongs to this state.";
                    flg_energyvel: bool, "Whether kinetic energy belongs to this state.";
                }
                fixed {
                    sensordata: f64, [nsensordata], "Readings of all sensors, in the unit and frame of each.";
                    energy: f64, [two], "Potential and kinetic energy, J.";
                }
                growing {
                }
            }
            Derivatives derivatives "Velocity derivatives and the factorisations implicit integrators need." written by "integrate::euler::rates, integrate::implicit::factor, derivative::smooth_velocity::velocity_derivative, acceleration::inverse::to_continuous_acceleration" {
                scalars {
                }
                fixed {
                    qH: f64, [nC], "Factor of the inertia that an implicit integrator modified, in the pattern of `M`.";
                    qHDiagInv: f64, [nv], "Inverse diagonal of that factor.";
                    qDeriv: f64, [nD], "Derivative of passive, actuator and minus bias force by dof velocity, both triangles.";
                    qLU: f64, [nD], "LU factors of inertia minus time step times `qDeriv`, both triangles.";
                }
                growing {
                }
            }
        }
    };
}

pub(crate) use data_table;
