//! The field table of [`Data`](crate::Data): every array and counter of the simulation, declared once and grouped by the stage
//! that produces it.
//!
//! From this table come the group structs, allocation, reset, the Python attributes, the comparison with the reference and the
//! field reference. `fixed` arrays are allocated once with the sizes of the model and never move; `growing` arrays follow the
//! number of contacts and constraints and keep their memory between steps. A row reads
//! `name: element, [sizes that count the rows], "meaning";`.

/// Hand the table to a macro: `data_table!(callback)` expands to `callback! { … }`.
macro_rules! data_table {
    ($callback:ident) => {
        $callback! {
            State state "What a simulation must remember from one step to the next." {
                scalars {
                    time: f64, "";
                }
                fixed {
                    qpos: f64, [nq], "";
                    qvel: f64, [nv], "";
                    act: f64, [na], "";
                    history: f64, [nhistory], "";
                    qacc_warmstart: f64, [nv], "";
                    plugin_state: f64, [npluginstate], "";
                    tree_asleep: i32, [ntree], "";
                    plugin: i32, [nplugin], "";
                }
                growing {
                }
            }
            Inputs inputs "What the user sets: controls, applied forces, mocap poses, active equalities." {
                scalars {
                }
                fixed {
                    ctrl: f64, [nu], "";
                    qfrc_applied: f64, [nv], "";
                    xfrc_applied: [f64; 6], [nbody], "";
                    eq_active: u8, [neq], "";
                    mocap_pos: [f64; 3], [nmocap], "";
                    mocap_quat: [f64; 4], [nmocap], "";
                    userdata: f64, [nuserdata], "";
                }
                growing {
                }
            }
            Awake awake "Which trees, bodies and dofs take part in the step." {
                scalars {
                    ntree_awake: usize, "";
                    nbody_awake: usize, "";
                    nparent_awake: usize, "";
                    nv_awake: usize, "";
                }
                fixed {
                    tree_awake: i32, [ntree], "";
                    body_awake: i32, [nbody], "";
                    body_awake_ind: i32, [nbody], "";
                    parent_awake_ind: i32, [nbody], "";
                    dof_awake_ind: i32, [nv], "";
                }
                growing {
                }
            }
            Kinematics kinematics "Poses in the world frame and what follows from them at each centre of mass." {
                scalars {
                }
                fixed {
                    xpos: [f64; 3], [nbody], "";
                    xquat: [f64; 4], [nbody], "";
                    xmat: [f64; 9], [nbody], "";
                    xipos: [f64; 3], [nbody], "";
                    ximat: [f64; 9], [nbody], "";
                    xanchor: [f64; 3], [njnt], "";
                    xaxis: [f64; 3], [njnt], "";
                    geom_xpos: [f64; 3], [ngeom], "";
                    geom_xmat: [f64; 9], [ngeom], "";
                    site_xpos: [f64; 3], [nsite], "";
                    site_xmat: [f64; 9], [nsite], "";
                    cam_xpos: [f64; 3], [ncam], "";
                    cam_xmat: [f64; 9], [ncam], "";
                    light_xpos: [f64; 3], [nlight], "";
                    light_xdir: [f64; 3], [nlight], "";
                    subtree_com: [f64; 3], [nbody], "";
                    cdof: [f64; 6], [nv], "";
                    cinert: [f64; 10], [nbody], "";
                    bvh_aabb_dyn: [f64; 6], [nbvhdynamic], "";
                    bvh_active: u8, [nbvh], "";
                }
                growing {
                }
            }
            Flexes flexes "Deformable bodies." {
                scalars {
                }
                fixed {
                    flexvert_xpos: [f64; 3], [nflexvert], "";
                    flexelem_aabb: [f64; 6], [nflexelem], "";
                    flexedge_J: f64, [nJfe], "";
                    flexedge_length: f64, [nflexedge], "";
                    flexvert_J: [f64; 2], [nJfv], "";
                    flexvert_length: [f64; 2], [nflexvert], "";
                    flexedge_velocity: f64, [nflexedge], "";
                }
                growing {
                }
            }
            Tendons tendons "Tendon paths, lengths and their Jacobian." {
                scalars {
                }
                fixed {
                    ten_wrapadr: i32, [ntendon], "";
                    ten_wrapnum: i32, [ntendon], "";
                    ten_J_rownnz: i32, [ntendon], "";
                    ten_J_rowadr: i32, [ntendon], "";
                    ten_J_colind: i32, [ntendon, nv], "";
                    ten_J: f64, [ntendon, nv], "";
                    ten_length: f64, [ntendon], "";
                    wrap_obj: [i32; 2], [nwrap], "";
                    wrap_xpos: [f64; 6], [nwrap], "";
                }
                growing {
                }
            }
            Transmission transmission "Actuator lengths and moment arms." {
                scalars {
                }
                fixed {
                    actuator_length: f64, [nu], "";
                    moment_rownnz: i32, [nu], "";
                    moment_rowadr: i32, [nu], "";
                    moment_colind: i32, [nJmom], "";
                    actuator_moment: f64, [nJmom], "";
                }
                growing {
                }
            }
            Inertia inertia "Joint-space inertia and its factorisation." {
                scalars {
                }
                fixed {
                    crb: [f64; 10], [nbody], "";
                    qM: f64, [nM], "";
                    M: f64, [nC], "";
                    qLD: f64, [nC], "";
                    qLDiagInv: f64, [nv], "";
                }
                growing {
                }
            }
            Velocity velocity "Everything that depends on velocity, up to the bias forces." {
                scalars {
                    flg_subtreevel: bool, "";
                }
                fixed {
                    cvel: [f64; 6], [nbody], "";
                    cdof_dot: [f64; 6], [nv], "";
                    ten_velocity: f64, [ntendon], "";
                    actuator_velocity: f64, [nu], "";
                    qfrc_bias: f64, [nv], "";
                    subtree_linvel: [f64; 3], [nbody], "";
                    subtree_angmom: [f64; 3], [nbody], "";
                }
                growing {
                }
            }
            Passive passive "Forces of springs, dampers, gravity compensation and the medium." {
                scalars {
                }
                fixed {
                    qfrc_spring: f64, [nv], "";
                    qfrc_damper: f64, [nv], "";
                    qfrc_gravcomp: f64, [nv], "";
                    qfrc_fluid: f64, [nv], "";
                    qfrc_passive: f64, [nv], "";
                }
                growing {
                }
            }
            Actuation actuation "Actuator forces and activation rates." {
                scalars {
                }
                fixed {
                    act_dot: f64, [na], "";
                    actuator_force: f64, [nu], "";
                    qfrc_actuator: f64, [nv], "";
                }
                growing {
                }
            }
            Acceleration acceleration "Accelerations and the forces that belong to them." {
                scalars {
                    flg_rnepost: bool, "";
                }
                fixed {
                    qfrc_smooth: f64, [nv], "";
                    qacc_smooth: f64, [nv], "";
                    qacc: f64, [nv], "";
                    qfrc_inverse: f64, [nv], "";
                    cacc: [f64; 6], [nbody], "";
                    cfrc_int: [f64; 6], [nbody], "";
                    cfrc_ext: [f64; 6], [nbody], "";
                }
                growing {
                }
            }
            Derivatives derivatives "Velocity derivatives and the factorisations implicit integrators need." {
                scalars {
                }
                fixed {
                    qH: f64, [nC], "";
                    qHDiagInv: f64, [nv], "";
                    qDeriv: f64, [nD], "";
                    qLU: f64, [nD], "";
                }
                growing {
                }
            }
            Constraint constraint "Constraint rows: Jacobian, impedance, reference, forces." {
                scalars {
                    ne: usize, "";
                    nf: usize, "";
                    nl: usize, "";
                    nefc: usize, "";
                    nJ: usize, "";
                    nA: usize, "";
                }
                fixed {
                    qfrc_constraint: f64, [nv], "";
                }
                growing {
                    efc_type: i32, [nefc], "";
                    efc_id: i32, [nefc], "";
                    efc_J_rownnz: i32, [nefc], "";
                    efc_J_rowadr: i32, [nefc], "";
                    efc_J_rowsuper: i32, [nefc], "";
                    efc_J_colind: i32, [nJ], "";
                    efc_J: f64, [nJ], "";
                    efc_pos: f64, [nefc], "";
                    efc_margin: f64, [nefc], "";
                    efc_frictionloss: f64, [nefc], "";
                    efc_diagApprox: f64, [nefc], "";
                    efc_KBIP: [f64; 4], [nefc], "";
                    efc_D: f64, [nefc], "";
                    efc_R: f64, [nefc], "";
                    tendon_efcadr: i32, [ntendon], "";
                    efc_vel: f64, [nefc], "";
                    efc_aref: f64, [nefc], "";
                    efc_b: f64, [nefc], "";
                    efc_state: i32, [nefc], "";
                    efc_force: f64, [nefc], "";
                    efc_AR_rownnz: i32, [nefc], "";
                    efc_AR_rowadr: i32, [nefc], "";
                    efc_AR_colind: i32, [nA], "";
                    efc_AR: f64, [nA], "";
                }
            }
            Islands islands "Groups of trees coupled by constraints, and the problem permuted by group." {
                scalars {
                    nisland: usize, "";
                    nidof: usize, "";
                }
                fixed {
                }
                growing {
                    tree_island: i32, [ntree], "";
                    island_ntree: i32, [nisland], "";
                    island_itreeadr: i32, [nisland], "";
                    map_itree2tree: i32, [ntree], "";
                    dof_island: i32, [nv], "";
                    island_nv: i32, [nisland], "";
                    island_idofadr: i32, [nisland], "";
                    island_dofadr: i32, [nisland], "";
                    map_dof2idof: i32, [nv], "";
                    map_idof2dof: i32, [nv], "";
                    ifrc_smooth: f64, [nidof], "";
                    iacc_smooth: f64, [nidof], "";
                    iM_rownnz: i32, [nidof], "";
                    iM_rowadr: i32, [nidof], "";
                    iM_colind: i32, [nC], "";
                    iM: f64, [nC], "";
                    iLD: f64, [nC], "";
                    iLDiagInv: f64, [nidof], "";
                    iacc: f64, [nidof], "";
                    efc_island: i32, [nefc], "";
                    island_ne: i32, [nisland], "";
                    island_nf: i32, [nisland], "";
                    island_nefc: i32, [nisland], "";
                    island_iefcadr: i32, [nisland], "";
                    map_efc2iefc: i32, [nefc], "";
                    map_iefc2efc: i32, [nefc], "";
                    iefc_type: i32, [nefc], "";
                    iefc_id: i32, [nefc], "";
                    iefc_J_rownnz: i32, [nefc], "";
                    iefc_J_rowadr: i32, [nefc], "";
                    iefc_J_rowsuper: i32, [nefc], "";
                    iefc_J_colind: i32, [nJ], "";
                    iefc_J: f64, [nJ], "";
                    iefc_frictionloss: f64, [nefc], "";
                    iefc_D: f64, [nefc], "";
                    iefc_R: f64, [nefc], "";
                    iefc_aref: f64, [nefc], "";
                    iefc_state: i32, [nefc], "";
                    iefc_force: f64, [nefc], "";
                    ifrc_constraint: f64, [nidof], "";
                }
            }
            Sensors sensors "Sensor readings and energy." {
                scalars {
                    flg_energypos: bool, "";
                    flg_energyvel: bool, "";
                }
                fixed {
                    sensordata: f64, [nsensordata], "";
                    energy: f64, [two], "";
                }
                growing {
                }
            }
        }
    };
}

pub(crate) use data_table;
