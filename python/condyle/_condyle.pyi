# Written by `cargo xtask stubs`.
"""The compiled module: models, simulations and the functions of MuJoCo under their own names."""

import os
from collections.abc import Callable, Iterator
from typing import Any, Generic, Literal, TypeVar, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

_T = TypeVar("_T", bound=np.generic)
_Path = str | bytes | os.PathLike[str]

class _Array(Generic[_T]):
    """A live view: reading gives a numpy array, assigning writes all of its elements."""
    @overload
    def __get__(self, instance: None, owner: type) -> Any: ...
    @overload
    def __get__(self, instance: object, owner: type) -> NDArray[_T]: ...
    def __set__(self, instance: object, value: ArrayLike) -> None: ...

class MjModel:
    """A compiled model. Sizes are attributes (`nq`, `nbody`, …), arrays are live numpy views."""
    @staticmethod
    def from_xml_path(filename: _Path, assets: dict[str, bytes] | None = None, *, lenient: bool = False, reference_bugs: bool = False, packages: dict[str, _Path] | None = None, search: bool = True, mimic: bool = False, actuators: str = "none", floating_base: bool = False, repair_inertia: bool = False) -> MjModel: ...
    @staticmethod
    def from_xml_string(xml: str | bytes, assets: dict[str, bytes] | None = None, *, lenient: bool = False, reference_bugs: bool = False, packages: dict[str, _Path] | None = None, search: bool = True, mimic: bool = False, actuators: str = "none", floating_base: bool = False, repair_inertia: bool = False) -> MjModel: ...
    @staticmethod
    def from_binary_path(
        filename: _Path, assets: dict[str, bytes] | None = None, *, reference_bugs: bool = False
    ) -> MjModel: ...
    @staticmethod
    def from_binary(data: bytes, name: str | None = None, reference_bugs: bool = False) -> MjModel: ...
    def to_binary(self) -> bytes: ...
    def to_xml(self, assets: dict[str, bytes] | None = None) -> str: ...
    def bind(self, elements: Any) -> Any: ...
    def bind_scalar(self, elements: Any) -> Any: ...
    @staticmethod
    def _array_table() -> list[tuple[str, str, list[str], int, str]]: ...
    @staticmethod
    def _field_table() -> list[tuple[str, str]]: ...
    def _memory(self, name: str) -> NDArray[np.uint8]: ...
    def _twin(self) -> MjModel: ...
    _all_fields: tuple[str, ...]
    _size_fields: tuple[str, ...]
    @property
    def _sizes(self) -> NDArray[np.int64]: ...
    @property
    def _reference_bugs(self) -> bool: ...
    @property
    def _fingerprint(self) -> int: ...
    @property
    def _address(self) -> int: ...
    @property
    def _named(self) -> dict[int, Any] | None: ...
    def __copy__(self) -> MjModel: ...
    def __deepcopy__(self, _memo: Any) -> MjModel: ...
    @property
    def opt(self) -> MjOption: ...
    @property
    def stat(self) -> MjStatistic: ...
    @property
    def vis(self) -> MjVisual: ...
    @property
    def signature(self) -> int: ...
    def body(self, name: str | int = "") -> _MjModelBodyViews: ...
    def joint(self, name: str | int = "") -> _MjModelJointViews: ...
    def jnt(self, name: str | int = "") -> _MjModelJointViews: ...
    def geom(self, name: str | int = "") -> _MjModelGeomViews: ...
    def site(self, name: str | int = "") -> _MjModelSiteViews: ...
    def camera(self, name: str | int = "") -> _MjModelCameraViews: ...
    def cam(self, name: str | int = "") -> _MjModelCameraViews: ...
    def light(self, name: str | int = "") -> _MjModelLightViews: ...
    def mesh(self, name: str | int = "") -> _MjModelMeshViews: ...
    def skin(self, name: str | int = "") -> _MjModelSkinViews: ...
    def hfield(self, name: str | int = "") -> _MjModelHfieldViews: ...
    def texture(self, name: str | int = "") -> _MjModelTextureViews: ...
    def tex(self, name: str | int = "") -> _MjModelTextureViews: ...
    def material(self, name: str | int = "") -> _MjModelMaterialViews: ...
    def mat(self, name: str | int = "") -> _MjModelMaterialViews: ...
    def pair(self, name: str | int = "") -> _MjModelPairViews: ...
    def exclude(self, name: str | int = "") -> _MjModelExcludeViews: ...
    def equality(self, name: str | int = "") -> _MjModelEqualityViews: ...
    def eq(self, name: str | int = "") -> _MjModelEqualityViews: ...
    def tendon(self, name: str | int = "") -> _MjModelTendonViews: ...
    def ten(self, name: str | int = "") -> _MjModelTendonViews: ...
    def actuator(self, name: str | int = "") -> _MjModelActuatorViews: ...
    def sensor(self, name: str | int = "") -> _MjModelSensorViews: ...
    def numeric(self, name: str | int = "") -> _MjModelNumericViews: ...
    def tuple(self, name: str | int = "") -> _MjModelTupleViews: ...
    def keyframe(self, name: str | int = "") -> _MjModelKeyframeViews: ...
    def key(self, name: str | int = "") -> _MjModelKeyframeViews: ...
    B_colind: _Array[np.int32]
    """Dofs that move each body, from the root outwards. (nB)"""
    B_rowadr: _Array[np.int32]
    """First entry of each body in `B_colind`. (nbody)"""
    B_rownnz: _Array[np.int32]
    """Number of dofs that move each body. (nbody)"""
    D_colind: _Array[np.int32]
    """Column of each entry of that pattern. (nD)"""
    D_diag: _Array[np.int32]
    """Place of the diagonal within each row of that pattern. (nv)"""
    D_rowadr: _Array[np.int32]
    """First entry of each row of that pattern. (nv)"""
    D_rownnz: _Array[np.int32]
    """Entries per row of the pattern with both triangles. (nv)"""
    M_colind: _Array[np.int32]
    """Column of each entry of `M`; the diagonal is the last of its row. (nC)"""
    M_rowadr: _Array[np.int32]
    """First entry of each row of `M`. (nv)"""
    M_rownnz: _Array[np.int32]
    """Entries per row of `M`; a dof's ancestors and itself. (nv)"""
    actuator_acc0: _Array[np.float64]
    """Norm of the joint acceleration unit force causes in `qpos0`. (nu)"""
    actuator_actadr: _Array[np.int32]
    """First activation variable in `act`; -1: none. (nu)"""
    actuator_actearly: _Array[np.uint8]
    """1: force uses the activation at the end of the step. (nu)"""
    actuator_actlimited: _Array[np.uint8]
    """1: `actuator_actrange` is enforced. (nu)"""
    actuator_actnum: _Array[np.int32]
    """Number of activation variables. (nu)"""
    actuator_actrange: _Array[np.float64]
    """Range of the activation. (nu, 2)"""
    actuator_biasprm: _Array[np.float64]
    """Parameters of the bias. (nu, 10)"""
    actuator_biastype: _Array[np.int32]
    """Force without input (`BiasType`). (nu)"""
    actuator_cranklength: _Array[np.float64]
    """Length of the connecting rod of a slider-crank, m. (nu)"""
    actuator_ctrllimited: _Array[np.uint8]
    """1: `actuator_ctrlrange` is enforced. (nu)"""
    actuator_ctrlrange: _Array[np.float64]
    """Range of the control. (nu, 2)"""
    actuator_delay: _Array[np.float64]
    """Delay of the control, s; 0: none. (nu)"""
    actuator_dynprm: _Array[np.float64]
    """Parameters of the activation dynamics; the first is a time constant, s. (nu, 10)"""
    actuator_dyntype: _Array[np.int32]
    """Activation dynamics (`DynamicsType`). (nu)"""
    actuator_forcelimited: _Array[np.uint8]
    """1: `actuator_forcerange` is enforced. (nu)"""
    actuator_forcerange: _Array[np.float64]
    """Range of the force, N or N m. (nu, 2)"""
    actuator_gainprm: _Array[np.float64]
    """Parameters of the gain. (nu, 10)"""
    actuator_gaintype: _Array[np.int32]
    """How force scales with the input (`GainType`). (nu)"""
    actuator_gear: _Array[np.float64]
    """Multiplies length and force; for 3-D joints and sites, force (3) then torque (3) axis. (nu, 6)"""
    actuator_group: _Array[np.int32]
    """Group, for `disableactuator` and visibility. (nu)"""
    actuator_history: _Array[np.int32]
    """Samples kept of past controls and interpolation between them: 0 hold, 1 linear, 2 cubic. (nu, 2)"""
    actuator_historyadr: _Array[np.int32]
    """First number in `history`; -1: none. (nu)"""
    actuator_length0: _Array[np.float64]
    """Length in `qpos0`, m or rad. (nu)"""
    actuator_lengthrange: _Array[np.float64]
    """Minimum and maximum length the mechanism allows, m or rad. (nu, 2)"""
    actuator_plugin: _Array[np.int32]
    """Plugin instance; -1: none. (nu)"""
    actuator_trnid: _Array[np.int32]
    """What it acts on: joint, tendon, site (and reference site), crank and slider site, or body; -1: none. (nu, 2)"""
    actuator_trntype: _Array[np.int32]
    """How the actuator acts (`TransmissionType`). (nu)"""
    actuator_user: _Array[np.float64]
    """User numbers; the engine does not read them. (nu, nuser_actuator)"""
    body_bvhadr: _Array[np.int32]
    """Root of the bounding-volume tree over its geoms; -1: none. (nbody)"""
    body_bvhnum: _Array[np.int32]
    """Nodes of that tree. (nbody)"""
    body_conaffinity: _Array[np.int32]
    """Bitwise or of the geoms' `geom_conaffinity`. (nbody)"""
    body_contype: _Array[np.int32]
    """Bitwise or of the geoms' `geom_contype`. (nbody)"""
    body_dofadr: _Array[np.int32]
    """First dof; -1: no dof. (nbody)"""
    body_dofnum: _Array[np.int32]
    """Number of dofs. (nbody)"""
    body_geomadr: _Array[np.int32]
    """First geom; -1: no geom. (nbody)"""
    body_geomnum: _Array[np.int32]
    """Number of geoms. (nbody)"""
    body_gravcomp: _Array[np.float64]
    """Upward force on the centre of mass in multiples of the body's weight; 1 cancels gravity. (nbody)"""
    body_inertia: _Array[np.float64]
    """Principal moments of inertia about the centre of mass, kg m². (nbody, 3)"""
    body_invweight0: _Array[np.float64]
    """Mean inverse inertia at the centre of mass in `qpos0`: translation 1/kg, rotation 1/(kg m²); 0: static. (nbody, 2)"""
    body_ipos: _Array[np.float64]
    """Centre of mass in the body frame, m. (nbody, 3)"""
    body_iquat: _Array[np.float64]
    """Principal axes of inertia in the body frame, w first. (nbody, 4)"""
    body_jntadr: _Array[np.int32]
    """First joint; -1: no joint. (nbody)"""
    body_jntnum: _Array[np.int32]
    """Number of joints. (nbody)"""
    body_margin: _Array[np.float64]
    """Largest margin of the body's geoms, m. (nbody)"""
    body_mass: _Array[np.float64]
    """Mass, kg. (nbody)"""
    body_mocapid: _Array[np.int32]
    """Row in `mocap_pos` and `mocap_quat`; -1: not a mocap body. (nbody)"""
    body_parentid: _Array[np.int32]
    """Parent body; the world is its own parent. (nbody)"""
    body_plugin: _Array[np.int32]
    """Plugin instance; -1: none. (nbody)"""
    body_pos: _Array[np.float64]
    """Origin in the parent's frame at the reference configuration, m. (nbody, 3)"""
    body_quat: _Array[np.float64]
    """Orientation in the parent's frame at the reference configuration, w first. (nbody, 4)"""
    body_rootid: _Array[np.int32]
    """Ancestor that is a child of the world; 0 for the world. (nbody)"""
    body_sameframe: _Array[np.uint8]
    """How the inertial frame coincides with the body frame (`SameFrame`). (nbody)"""
    body_simple: _Array[np.uint8]
    """1: rows of the inertia are diagonal and constant; 2: and all joints are slides; 0: neither. (nbody)"""
    body_subtreemass: _Array[np.float64]
    """Mass of the body and all its descendants, kg. (nbody)"""
    body_treeid: _Array[np.int32]
    """Kinematic tree; -1: static. (nbody)"""
    body_user: _Array[np.float64]
    """User numbers; the engine does not read them. (nbody, nuser_body)"""
    body_weldid: _Array[np.int32]
    """Highest ancestor the body cannot move relative to; 0 for static bodies. (nbody)"""
    bvh_aabb: _Array[np.float64]
    """Box as centre and half sizes, m, in the inertial frame of the body or in the frame of the mesh. (nbvhstatic, 6)"""
    bvh_child: _Array[np.int32]
    """Children, counted from the root of their tree; -1: none. (nbvh, 2)"""
    bvh_depth: _Array[np.int32]
    """Depth of the node; 0 for a root. (nbvh)"""
    bvh_nodeid: _Array[np.int32]
    """Geom, mesh triangle or flex element of a leaf; -1: inner node. (nbvh)"""
    cam_bodyid: _Array[np.int32]
    """Body the camera belongs to. (ncam)"""
    cam_fovy: _Array[np.float64]
    """Vertical field of view: degrees, or m when orthographic. (ncam)"""
    cam_intrinsic: _Array[np.float32]
    """Focal length x, y and principal point x, y on the image sensor, m. (ncam, 4)"""
    cam_ipd: _Array[np.float64]
    """Distance between the eyes in stereo, m. (ncam)"""
    cam_mat0: _Array[np.float64]
    """Orientation in `qpos0`, world frame, rows of a 3×3 matrix. (ncam, 9)"""
    cam_mode: _Array[np.int32]
    """How the camera follows bodies (`TrackingMode`). (ncam)"""
    cam_output: _Array[np.int32]
    """Kinds of image to render, as bits: 1 colour, 2 depth, 4 distance, 8 normal, 16 segmentation. (ncam)"""
    cam_pos: _Array[np.float64]
    """Position in the body frame, m. (ncam, 3)"""
    cam_pos0: _Array[np.float64]
    """Position minus origin of the body in `qpos0`, world frame, m. (ncam, 3)"""
    cam_poscom0: _Array[np.float64]
    """Position minus centre of mass of the target's (or own) subtree in `qpos0`, world frame, m. (ncam, 3)"""
    cam_projection: _Array[np.int32]
    """Perspective or orthographic (`Projection`). (ncam)"""
    cam_quat: _Array[np.float64]
    """Orientation in the body frame, w first; the camera looks along its -z axis. (ncam, 4)"""
    cam_resolution: _Array[np.int32]
    """Width and height of the image, pixels. (ncam, 2)"""
    cam_sensorsize: _Array[np.float32]
    """Width and height of the image sensor, m; 0: use `cam_fovy`. (ncam, 2)"""
    cam_targetbodyid: _Array[np.int32]
    """Body the camera looks at in the target modes; -1: none. (ncam)"""
    cam_user: _Array[np.float64]
    """User numbers; the engine does not read them. (ncam, nuser_cam)"""
    dof_M0: _Array[np.float64]
    """Diagonal of the inertia in `qpos0`, armature included, kg or kg m². (nv)"""
    dof_Madr: _Array[np.int32]
    """Index of the diagonal entry in `qM`; the entries of the ancestors follow it. (nv)"""
    dof_armature: _Array[np.float64]
    """Inertia added to the diagonal of the joint-space inertia, kg or kg m². (nv)"""
    dof_bodyid: _Array[np.int32]
    """Body the dof moves. (nv)"""
    dof_damping: _Array[np.float64]
    """Linear damping, N s/m or N m s/rad. (nv)"""
    dof_frictionloss: _Array[np.float64]
    """Dry friction: maximum force opposing the motion, N or N m; 0: none. (nv)"""
    dof_invweight0: _Array[np.float64]
    """Diagonal of the inverse inertia in `qpos0`, 1/kg or 1/(kg m²), averaged over the axes of ball and free joints. (nv)"""
    dof_jntid: _Array[np.int32]
    """Joint the dof belongs to. (nv)"""
    dof_length: _Array[np.float64]
    """Length that turns the dof's speed into m/s: 1 for linear dofs, the size of the body (m) for angular ones. (nv)"""
    dof_parentid: _Array[np.int32]
    """Previous dof towards the root; -1: first of its tree. (nv)"""
    dof_simplenum: _Array[np.int32]
    """Number of dofs of simple bodies in a row starting here; 0: not simple. (nv)"""
    dof_solimp: _Array[np.float64]
    """Impedance parameters of friction loss: minimum, maximum, width, midpoint, power. (nv, 5)"""
    dof_solref: _Array[np.float64]
    """Reference parameters of friction loss: time constant s and damping ratio, or -stiffness and -damping. (nv, 2)"""
    dof_treeid: _Array[np.int32]
    """Kinematic tree. (nv)"""
    eq_active0: _Array[np.uint8]
    """1: active after a reset. (neq)"""
    eq_data: _Array[np.float64]
    """Connect: anchor in body 1, in body 2. Weld: anchor in 2, in 1, relative quaternion, torque scale. Else: polynomial. (neq, 11)"""
    eq_obj1id: _Array[np.int32]
    """First body, site, joint, tendon or flex. (neq)"""
    eq_obj2id: _Array[np.int32]
    """Second body, site, joint or tendon; -1: none, the first is held at a constant. (neq)"""
    eq_objtype: _Array[np.int32]
    """Kind of both objects (`ObjectType`). (neq)"""
    eq_solimp: _Array[np.float64]
    """Impedance parameters: minimum, maximum, width (m or rad), midpoint, power. (neq, 5)"""
    eq_solref: _Array[np.float64]
    """Reference parameters: time constant s and damping ratio, or -stiffness and -damping. (neq, 2)"""
    eq_type: _Array[np.int32]
    """Kind of constraint (`EqualityType`). (neq)"""
    exclude_signature: _Array[np.int32]
    """Two bodies in one number, `body1·65536 + body2`; sorted by it. (nexclude)"""
    flex_activelayers: _Array[np.int32]
    """Element layers from the surface inwards that collide; tetrahedra only. (nflex)"""
    flex_bending: _Array[np.float64]
    """Bending of the flap about an edge: 4×4 matrix over its vertices, then the coefficient of rest curvature. (nflexedge, 17)"""
    flex_bvhadr: _Array[np.int32]
    """Root of the bounding-volume tree over its elements; -1: none. (nflex)"""
    flex_bvhnum: _Array[np.int32]
    """Nodes of that tree. (nflex)"""
    flex_centered: _Array[np.uint8]
    """1: every vertex (or node) lies at the origin of its body. (nflex)"""
    flex_conaffinity: _Array[np.int32]
    """Bits of what the flex collides with, as `geom_conaffinity`. (nflex)"""
    flex_condim: _Array[np.int32]
    """Contact dimension: 1, 3, 4 or 6. (nflex)"""
    flex_contype: _Array[np.int32]
    """Bits of what the flex is, as `geom_contype`. (nflex)"""
    flex_damping: _Array[np.float64]
    """Damping of deformation as a multiple of stiffness, s. (nflex)"""
    flex_dim: _Array[np.int32]
    """1: segments, 2: triangles, 3: tetrahedra. (nflex)"""
    flex_edge: _Array[np.int32]
    """The two vertices of an edge, counted from the flex's first vertex. (nflexedge, 2)"""
    flex_edgeadr: _Array[np.int32]
    """First edge. (nflex)"""
    flex_edgedamping: _Array[np.float64]
    """Damping of edge springs, N s/m. (nflex)"""
    flex_edgeequality: _Array[np.int32]
    """What equality constraints hold fixed: 0: nothing, 1: edge lengths, 2: strain at vertices. (nflex)"""
    flex_edgeflap: _Array[np.int32]
    """The vertices opposite an edge in its two triangles, counted from the first vertex; -1: boundary; 2-D only. (nflexedge, 2)"""
    flex_edgenum: _Array[np.int32]
    """Number of edges. (nflex)"""
    flex_edgestiffness: _Array[np.float64]
    """Stiffness of edge springs, N/m. (nflex)"""
    flex_elem: _Array[np.int32]
    """Vertices of the elements, `flex_dim` + 1 each, counted from the flex's first vertex. (nflexelemdata)"""
    flex_elemadr: _Array[np.int32]
    """First element. (nflex)"""
    flex_elemdataadr: _Array[np.int32]
    """First entry in `flex_elem`. (nflex)"""
    flex_elemedge: _Array[np.int32]
    """Edges of the elements, counted from the flex's first edge: 1, 3 or 6 each. (nflexelemedge)"""
    flex_elemedgeadr: _Array[np.int32]
    """First entry in `flex_elemedge`. (nflex)"""
    flex_elemlayer: _Array[np.int32]
    """Layers between the element and the surface; tetrahedra only. (nflexelem)"""
    flex_elemnum: _Array[np.int32]
    """Number of elements. (nflex)"""
    flex_elemtexcoord: _Array[np.int32]
    """Texture coordinates of the element's vertices, counted from the flex's first. (nflexelemdata)"""
    flex_evpair: _Array[np.int32]
    """Element and vertex to test against each other, counted from the flex's first. (nflexevpair, 2)"""
    flex_evpairadr: _Array[np.int32]
    """First pair in `flex_evpair`. (nflex)"""
    flex_evpairnum: _Array[np.int32]
    """Number of pairs in `flex_evpair`. (nflex)"""
    flex_flatskin: _Array[np.uint8]
    """1: drawn with flat shading. (nflex)"""
    flex_friction: _Array[np.float64]
    """Friction coefficients: sliding (1), spinning (m), rolling (m). (nflex, 3)"""
    flex_gap: _Array[np.float64]
    """Contacts act below margin minus gap, m; the gaps of a pair add. (nflex)"""
    flex_group: _Array[np.int32]
    """Visibility group. (nflex)"""
    flex_internal: _Array[np.uint8]
    """1: elements keep their own vertices and the paired ones apart. (nflex)"""
    flex_interp: _Array[np.int32]
    """Order of interpolation from nodes: 0: vertices move by themselves, 1: trilinear, 2: quadratic. (nflex)"""
    flex_margin: _Array[np.float64]
    """Contacts are detected below this distance, m; the margins of a pair add. (nflex)"""
    flex_matid: _Array[np.int32]
    """Material; -1: none. (nflex)"""
    flex_node: _Array[np.float64]
    """Node in the frame of its body, m. (nflexnode, 3)"""
    flex_node0: _Array[np.float64]
    """Node in `qpos0`, world frame, m. (nflexnode, 3)"""
    flex_nodeadr: _Array[np.int32]
    """First node. (nflex)"""
    flex_nodebodyid: _Array[np.int32]
    """Body that carries each node. (nflexnode)"""
    flex_nodenum: _Array[np.int32]
    """Number of nodes. (nflex)"""
    flex_passive: _Array[np.int32]
    """1: its contacts become passive forces instead of constraint rows. (nflex)"""
    flex_priority: _Array[np.int32]
    """The side of higher priority decides the contact parameters. (nflex)"""
    flex_radius: _Array[np.float64]
    """Radius by which the elements are thickened on all sides, m. (nflex)"""
    flex_rgba: _Array[np.float32]
    """Colour when there is no material, 0 to 1. (nflex, 4)"""
    flex_rigid: _Array[np.uint8]
    """1: all vertices belong to one body. (nflex)"""
    flex_selfcollide: _Array[np.int32]
    """How the flex collides with itself (`FlexSelfCollide`). (nflex)"""
    flex_shell: _Array[np.int32]
    """Vertices of the shell fragments, `flex_dim` each, counted from the flex's first vertex. (nflexshelldata)"""
    flex_shelldataadr: _Array[np.int32]
    """First entry in `flex_shell`. (nflex)"""
    flex_shellnum: _Array[np.int32]
    """Number of shell fragments: elements of the boundary. (nflex)"""
    flex_size: _Array[np.float64]
    """Half sizes of the bounding box of the vertices in `qpos0`, m. (nflex, 3)"""
    flex_solimp: _Array[np.float64]
    """Impedance parameters of contacts: minimum, maximum, width (m), midpoint, power. (nflex, 5)"""
    flex_solmix: _Array[np.float64]
    """Weight in the average of contact parameters over a pair. (nflex)"""
    flex_solref: _Array[np.float64]
    """Reference parameters of contacts: time constant s and damping ratio, or -stiffness and -damping. (nflex, 2)"""
    flex_stiffness: _Array[np.float64]
    """Finite-element stiffness of the element as the upper triangle over its edges. (nflexelem, 21)"""
    flex_texcoord: _Array[np.float32]
    """Texture coordinates, 0 to 1. (nflextexcoord, 2)"""
    flex_texcoordadr: _Array[np.int32]
    """First entry in `flex_texcoord`; -1: none. (nflex)"""
    flex_vert: _Array[np.float64]
    """Vertex in the frame of its body, m. (nflexvert, 3)"""
    flex_vert0: _Array[np.float64]
    """Vertex in `qpos0` as a fraction 0 to 1 of the bounding box of the flex. (nflexvert, 3)"""
    flex_vertadr: _Array[np.int32]
    """First vertex. (nflex)"""
    flex_vertbodyid: _Array[np.int32]
    """Body that carries each vertex; -1: interpolated from nodes. (nflexvert)"""
    flex_vertedge: _Array[np.int32]
    """Edges that meet in each vertex as one list, counted from the flex's first edge. (nflexedge, 2)"""
    flex_vertedgeadr: _Array[np.int32]
    """First entry in the list `flex_vertedge` of a vertex. (nflexvert)"""
    flex_vertedgenum: _Array[np.int32]
    """Number of edges that meet in a vertex. (nflexvert)"""
    flex_vertmetric: _Array[np.float64]
    """Inverse of the 2×2 matrix Σ w·dx·dxᵀ over the edges that meet in the vertex at rest; w the neighbour's mass. (nflexvert, 4)"""
    flex_vertnum: _Array[np.int32]
    """Number of vertices. (nflex)"""
    flexedge_J_colind: _Array[np.int32]
    """Dof of each entry of the edge Jacobian. (nJfe)"""
    flexedge_J_rowadr: _Array[np.int32]
    """First entry of each row of the edge Jacobian. (nflexedge)"""
    flexedge_J_rownnz: _Array[np.int32]
    """Entries per row of the edge Jacobian. (nflexedge)"""
    flexedge_invweight0: _Array[np.float64]
    """Inverse inertia along the edge in `qpos0`, 1/kg; 0: rigid. (nflexedge)"""
    flexedge_length0: _Array[np.float64]
    """Length in `qpos0`, m. (nflexedge)"""
    flexedge_rigid: _Array[np.uint8]
    """1: both vertices belong to one body. (nflexedge)"""
    flexvert_J_colind: _Array[np.int32]
    """Dof of each entry of the vertex Jacobian. (nJfv, 2)"""
    flexvert_J_rowadr: _Array[np.int32]
    """First entry of the two rows per vertex of the vertex Jacobian. (nflexvert, 2)"""
    flexvert_J_rownnz: _Array[np.int32]
    """Entries of the two rows per vertex of the vertex Jacobian. (nflexvert, 2)"""
    geom_aabb: _Array[np.float64]
    """Bounding box as centre and half sizes in the geom frame, m. (ngeom, 6)"""
    geom_bodyid: _Array[np.int32]
    """Body the geom is fixed to. (ngeom)"""
    geom_conaffinity: _Array[np.int32]
    """Bits of what the geom collides with. (ngeom)"""
    geom_condim: _Array[np.int32]
    """Contact dimension: 1 normal force only, 3 with sliding, 4 also spinning, 6 also rolling friction. (ngeom)"""
    geom_contype: _Array[np.int32]
    """Bits of what the geom is; a pair collides when one side's bits meet the other's `geom_conaffinity`. (ngeom)"""
    geom_dataid: _Array[np.int32]
    """Mesh or height field; -1: none. (ngeom)"""
    geom_fluid: _Array[np.float64]
    """Ellipsoid model in a medium: on, drag blunt, slender, angular, lift Kutta, Magnus, virtual mass (3), inertia (3). (ngeom, 12)"""
    geom_friction: _Array[np.float64]
    """Friction coefficients: sliding (1), spinning (m), rolling (m). (ngeom, 3)"""
    geom_gap: _Array[np.float64]
    """Contacts act below margin minus gap, m; the gaps of a pair add. (ngeom)"""
    geom_group: _Array[np.int32]
    """Visibility group. (ngeom)"""
    geom_margin: _Array[np.float64]
    """Contacts are detected below this distance, m; the margins of a pair add. (ngeom)"""
    geom_matid: _Array[np.int32]
    """Material; -1: none. (ngeom)"""
    geom_plugin: _Array[np.int32]
    """Plugin instance; -1: none. (ngeom)"""
    geom_pos: _Array[np.float64]
    """Origin in the body frame, m. (ngeom, 3)"""
    geom_priority: _Array[np.int32]
    """The geom of higher priority decides the contact parameters of a pair. (ngeom)"""
    geom_quat: _Array[np.float64]
    """Orientation in the body frame, w first. (ngeom, 4)"""
    geom_rbound: _Array[np.float64]
    """Radius of the bounding sphere about the geom's origin, m; 0: unbounded plane. (ngeom)"""
    geom_rgba: _Array[np.float32]
    """Colour when there is no material, 0 to 1. (ngeom, 4)"""
    geom_sameframe: _Array[np.uint8]
    """How the geom frame coincides with the body frame or the inertial frame (`SameFrame`). (ngeom)"""
    geom_size: _Array[np.float64]
    """Radii, half lengths or half sizes by shape, m; unused entries are 0. (ngeom, 3)"""
    geom_solimp: _Array[np.float64]
    """Impedance parameters of contacts: minimum, maximum, width (m), midpoint, power. (ngeom, 5)"""
    geom_solmix: _Array[np.float64]
    """Weight in the average of `geom_solref` and `geom_solimp` over a pair. (ngeom)"""
    geom_solref: _Array[np.float64]
    """Reference parameters of contacts: time constant s and damping ratio, or -stiffness and -damping. (ngeom, 2)"""
    geom_type: _Array[np.int32]
    """Shape (`GeomType`). (ngeom)"""
    geom_user: _Array[np.float64]
    """User numbers; the engine does not read them. (ngeom, nuser_geom)"""
    hfield_adr: _Array[np.int32]
    """First entry in `hfield_data`. (nhfield)"""
    hfield_data: _Array[np.float32]
    """Height at the grid points as a fraction 0 to 1 of the elevation, row by row. (nhfielddata)"""
    hfield_ncol: _Array[np.int32]
    """Grid points along x. (nhfield)"""
    hfield_nrow: _Array[np.int32]
    """Grid points along y. (nhfield)"""
    hfield_pathadr: _Array[np.int32]
    """Start of the file's path in `paths`; -1: none. (nhfield)"""
    hfield_size: _Array[np.float64]
    """Half width x, half depth y, height of the value 1 and thickness below 0, m. (nhfield, 4)"""
    jnt_actfrclimited: _Array[np.uint8]
    """1: `jnt_actfrcrange` is enforced. (njnt)"""
    jnt_actfrcrange: _Array[np.float64]
    """Range of the total actuator force on the joint, N or N m. (njnt, 2)"""
    jnt_actgravcomp: _Array[np.uint8]
    """1: gravity compensation counts as actuator force instead of passive force. (njnt)"""
    jnt_axis: _Array[np.float64]
    """Unit axis in the body frame; slides and hinges only. (njnt, 3)"""
    jnt_bodyid: _Array[np.int32]
    """Body the joint moves. (njnt)"""
    jnt_dofadr: _Array[np.int32]
    """First dof in `qvel`. (njnt)"""
    jnt_group: _Array[np.int32]
    """Visibility group. (njnt)"""
    jnt_limited: _Array[np.uint8]
    """1: `jnt_range` is enforced. (njnt)"""
    jnt_margin: _Array[np.float64]
    """Distance from a limit below which its constraint row exists, m or rad. (njnt)"""
    jnt_pos: _Array[np.float64]
    """Anchor in the body frame, m. (njnt, 3)"""
    jnt_qposadr: _Array[np.int32]
    """First coordinate in `qpos`. (njnt)"""
    jnt_range: _Array[np.float64]
    """Lower and upper limit, m or rad; for a ball joint the second is the maximum angle. (njnt, 2)"""
    jnt_solimp: _Array[np.float64]
    """Impedance parameters of the limit: minimum, maximum, width (m or rad), midpoint, power. (njnt, 5)"""
    jnt_solref: _Array[np.float64]
    """Reference parameters of the limit: time constant s and damping ratio, or -stiffness and -damping. (njnt, 2)"""
    jnt_springinertia: _Array[np.float64]
    jnt_stiffness: _Array[np.float64]
    """Spring stiffness, N/m or N m/rad. (njnt)"""
    jnt_type: _Array[np.int32]
    """Kind of joint (`JointType`). (njnt)"""
    jnt_user: _Array[np.float64]
    """User numbers; the engine does not read them. (njnt, nuser_jnt)"""
    key_act: _Array[np.float64]
    """Activation: `act`. (nkey, na)"""
    key_ctrl: _Array[np.float64]
    """Controls: `ctrl`. (nkey, nu)"""
    key_mpos: _Array[np.float64]
    """Mocap positions: `mocap_pos`, m. (nkey, nmocap, 3)"""
    key_mquat: _Array[np.float64]
    """Mocap orientations: `mocap_quat`, w first. (nkey, nmocap, 4)"""
    key_qpos: _Array[np.float64]
    """Configuration: `qpos`. (nkey, nq)"""
    key_qvel: _Array[np.float64]
    """Velocity: `qvel`. (nkey, nv)"""
    key_time: _Array[np.float64]
    """Time, s. (nkey)"""
    light_active: _Array[np.uint8]
    """1: on. (nlight)"""
    light_ambient: _Array[np.float32]
    """Ambient colour, 0 to 1. (nlight, 3)"""
    light_attenuation: _Array[np.float32]
    """Constant, linear and quadratic fall-off with distance. (nlight, 3)"""
    light_bodyid: _Array[np.int32]
    """Body the light belongs to. (nlight)"""
    light_bulbradius: _Array[np.float32]
    """Radius of the source for soft shadows, m. (nlight)"""
    light_castshadow: _Array[np.uint8]
    """1: casts shadows. (nlight)"""
    light_cutoff: _Array[np.float32]
    """Half angle of a spot, degrees. (nlight)"""
    light_diffuse: _Array[np.float32]
    """Diffuse colour, 0 to 1. (nlight, 3)"""
    light_dir: _Array[np.float64]
    """Unit direction of the light in the body frame. (nlight, 3)"""
    light_dir0: _Array[np.float64]
    """Unit direction in `qpos0`, world frame. (nlight, 3)"""
    light_exponent: _Array[np.float32]
    """How sharply a spot fades from its axis. (nlight)"""
    light_intensity: _Array[np.float32]
    """Intensity, cd. (nlight)"""
    light_mode: _Array[np.int32]
    """How the light follows bodies (`TrackingMode`). (nlight)"""
    light_pos: _Array[np.float64]
    """Position in the body frame, m. (nlight, 3)"""
    light_pos0: _Array[np.float64]
    """Position minus origin of the body in `qpos0`, world frame, m. (nlight, 3)"""
    light_poscom0: _Array[np.float64]
    """Position minus centre of mass of the target's (or own) subtree in `qpos0`, world frame, m. (nlight, 3)"""
    light_range: _Array[np.float32]
    """Distance beyond which the light has no effect, m. (nlight)"""
    light_specular: _Array[np.float32]
    """Specular colour, 0 to 1. (nlight, 3)"""
    light_targetbodyid: _Array[np.int32]
    """Body the light points at in the target modes; -1: none. (nlight)"""
    light_texid: _Array[np.int32]
    """Texture of an image light; -1: none. (nlight)"""
    light_type: _Array[np.int32]
    """Kind of light (`LightType`). (nlight)"""
    mapD2M: _Array[np.int32]
    """Index in the pattern with both triangles of each entry of `M`. (nC)"""
    mapM2D: _Array[np.int32]
    """Index in `M` of each entry of the pattern with both triangles; -1: not stored in `M`. (nD)"""
    mapM2M: _Array[np.int32]
    """Index in `qM` of each entry of `M`. (nC)"""
    mat_emission: _Array[np.float32]
    """Light given off, as a multiple of the colour. (nmat)"""
    mat_metallic: _Array[np.float32]
    """Metalness, 0 to 1; -1: not set. (nmat)"""
    mat_reflectance: _Array[np.float32]
    """Share of light mirrored, 0 to 1; 0: off. (nmat)"""
    mat_rgba: _Array[np.float32]
    """Colour, 0 to 1. (nmat, 4)"""
    mat_roughness: _Array[np.float32]
    """Roughness, 0 to 1; -1: not set. (nmat)"""
    mat_shininess: _Array[np.float32]
    """Sharpness of highlights, 0 to 1. (nmat)"""
    mat_specular: _Array[np.float32]
    """Strength of highlights, 0 to 1. (nmat)"""
    mat_texid: _Array[np.int32]
    """Texture for each role (`TextureRole`); -1: none. (nmat, 10)"""
    mat_texrepeat: _Array[np.float32]
    """How often a flat texture repeats along x and y. (nmat, 2)"""
    mat_texuniform: _Array[np.uint8]
    """1: a cube texture repeats per metre instead of stretching over the object. (nmat)"""
    mesh_bvhadr: _Array[np.int32]
    """Root of the bounding-volume tree over its triangles; -1: none. (nmesh)"""
    mesh_bvhnum: _Array[np.int32]
    """Nodes of that tree. (nmesh)"""
    mesh_face: _Array[np.int32]
    """Vertices of a triangle, counted from the mesh's first. (nmeshface, 3)"""
    mesh_faceadr: _Array[np.int32]
    """First triangle. (nmesh)"""
    mesh_facenormal: _Array[np.int32]
    """Normals of a triangle's corners, counted from the mesh's first. (nmeshface, 3)"""
    mesh_facenum: _Array[np.int32]
    """Number of triangles. (nmesh)"""
    mesh_facetexcoord: _Array[np.int32]
    """Texture coordinates of a triangle's corners, counted from the mesh's first. (nmeshface, 3)"""
    mesh_graph: _Array[np.int32]
    """Hull graph: vertex and face counts, edge starts, vertex indices, neighbour lists each closed by -1, faces. (nmeshgraph)"""
    mesh_graphadr: _Array[np.int32]
    """Start of the convex hull graph; -1: none. (nmesh)"""
    mesh_normal: _Array[np.float32]
    """Unit normal in the mesh frame. (nmeshnormal, 3)"""
    mesh_normaladr: _Array[np.int32]
    """First normal. (nmesh)"""
    mesh_normalnum: _Array[np.int32]
    """Number of normals. (nmesh)"""
    mesh_octadr: _Array[np.int32]
    """Root of the octree of signed distances; -1: none. (nmesh)"""
    mesh_octnum: _Array[np.int32]
    """Cells of that octree. (nmesh)"""
    mesh_pathadr: _Array[np.int32]
    """Start of the file's path in `paths`; -1: none. (nmesh)"""
    mesh_polyadr: _Array[np.int32]
    """First hull polygon. (nmesh)"""
    mesh_polymap: _Array[np.int32]
    """Hull polygons that meet in each vertex, counted from the mesh's first. (nmeshpolymap)"""
    mesh_polymapadr: _Array[np.int32]
    """First entry of a vertex in `mesh_polymap`. (nmeshvert)"""
    mesh_polymapnum: _Array[np.int32]
    """Number of polygons that meet in a vertex. (nmeshvert)"""
    mesh_polynormal: _Array[np.float64]
    """Outward unit normal of a hull polygon in the mesh frame. (nmeshpoly, 3)"""
    mesh_polynum: _Array[np.int32]
    """Number of hull polygons. (nmesh)"""
    mesh_polyvert: _Array[np.int32]
    """Vertices of the hull polygons, counted from the mesh's first. (nmeshpolyvert)"""
    mesh_polyvertadr: _Array[np.int32]
    """First entry of a polygon in `mesh_polyvert`. (nmeshpoly)"""
    mesh_polyvertnum: _Array[np.int32]
    """Number of vertices of a polygon. (nmeshpoly)"""
    mesh_pos: _Array[np.float64]
    """Origin of the mesh frame in the frame of the file after scaling, m. (nmesh, 3)"""
    mesh_quat: _Array[np.float64]
    """Orientation of the mesh frame in the frame of the file, w first. (nmesh, 4)"""
    mesh_scale: _Array[np.float64]
    """Scale applied to the vertices of the file. (nmesh, 3)"""
    mesh_texcoord: _Array[np.float32]
    """Texture coordinates, 0 to 1. (nmeshtexcoord, 2)"""
    mesh_texcoordadr: _Array[np.int32]
    """First texture coordinate; -1: none. (nmesh)"""
    mesh_texcoordnum: _Array[np.int32]
    """Number of texture coordinates. (nmesh)"""
    mesh_vert: _Array[np.float32]
    """Vertex in the mesh frame (centre of mass, principal axes), m. (nmeshvert, 3)"""
    mesh_vertadr: _Array[np.int32]
    """First vertex. (nmesh)"""
    mesh_vertnum: _Array[np.int32]
    """Number of vertices. (nmesh)"""
    @property
    def nB(self) -> int: ...
    @property
    def nC(self) -> int: ...
    @property
    def nD(self) -> int: ...
    @property
    def nJfe(self) -> int: ...
    @property
    def nJfv(self) -> int: ...
    @property
    def nJmom(self) -> int: ...
    @property
    def nM(self) -> int: ...
    @property
    def na(self) -> int: ...
    name_actuatoradr: _Array[np.int32]
    """Start of the actuator's name in `names`. (nu)"""
    name_bodyadr: _Array[np.int32]
    """Start of the body's name in `names`. (nbody)"""
    name_camadr: _Array[np.int32]
    """Start of the camera's name in `names`. (ncam)"""
    name_eqadr: _Array[np.int32]
    """Start of the equality constraint's name in `names`. (neq)"""
    name_excludeadr: _Array[np.int32]
    """Start of the exclusion's name in `names`. (nexclude)"""
    name_flexadr: _Array[np.int32]
    """Start of the flex's name in `names`. (nflex)"""
    name_geomadr: _Array[np.int32]
    """Start of the geom's name in `names`. (ngeom)"""
    name_hfieldadr: _Array[np.int32]
    """Start of the height field's name in `names`. (nhfield)"""
    name_jntadr: _Array[np.int32]
    """Start of the joint's name in `names`. (njnt)"""
    name_keyadr: _Array[np.int32]
    """Start of the keyframe's name in `names`. (nkey)"""
    name_lightadr: _Array[np.int32]
    """Start of the light's name in `names`. (nlight)"""
    name_matadr: _Array[np.int32]
    """Start of the material's name in `names`. (nmat)"""
    name_meshadr: _Array[np.int32]
    """Start of the mesh's name in `names`. (nmesh)"""
    name_numericadr: _Array[np.int32]
    """Start of the number field's name in `names`. (nnumeric)"""
    name_pairadr: _Array[np.int32]
    """Start of the pair's name in `names`. (npair)"""
    name_pluginadr: _Array[np.int32]
    """Start of the plugin instance's name in `names`. (nplugin)"""
    name_sensoradr: _Array[np.int32]
    """Start of the sensor's name in `names`. (nsensor)"""
    name_siteadr: _Array[np.int32]
    """Start of the site's name in `names`. (nsite)"""
    name_skinadr: _Array[np.int32]
    """Start of the skin's name in `names`. (nskin)"""
    name_tendonadr: _Array[np.int32]
    """Start of the tendon's name in `names`. (ntendon)"""
    name_texadr: _Array[np.int32]
    """Start of the texture's name in `names`. (ntex)"""
    name_textadr: _Array[np.int32]
    """Start of the text field's name in `names`. (ntext)"""
    name_tupleadr: _Array[np.int32]
    """Start of the tuple's name in `names`. (ntuple)"""
    @property
    def names(self) -> bytes: ...
    names_map: _Array[np.int32]
    """Hash table from names to indices, one section per kind of object; -1: free slot. (nnames_map)"""
    @property
    def narena(self) -> int: ...
    @property
    def nbody(self) -> int: ...
    @property
    def nbuffer(self) -> int: ...
    @property
    def nbvh(self) -> int: ...
    @property
    def nbvhdynamic(self) -> int: ...
    @property
    def nbvhstatic(self) -> int: ...
    @property
    def ncam(self) -> int: ...
    @property
    def nconmax(self) -> int: ...
    @property
    def nemax(self) -> int: ...
    @property
    def neq(self) -> int: ...
    @property
    def nexclude(self) -> int: ...
    @property
    def nflex(self) -> int: ...
    @property
    def nflexedge(self) -> int: ...
    @property
    def nflexelem(self) -> int: ...
    @property
    def nflexelemdata(self) -> int: ...
    @property
    def nflexelemedge(self) -> int: ...
    @property
    def nflexevpair(self) -> int: ...
    @property
    def nflexnode(self) -> int: ...
    @property
    def nflexshelldata(self) -> int: ...
    @property
    def nflextexcoord(self) -> int: ...
    @property
    def nflexvert(self) -> int: ...
    @property
    def ngeom(self) -> int: ...
    @property
    def ngravcomp(self) -> int: ...
    @property
    def nhfield(self) -> int: ...
    @property
    def nhfielddata(self) -> int: ...
    @property
    def nhistory(self) -> int: ...
    @property
    def njmax(self) -> int: ...
    @property
    def njnt(self) -> int: ...
    @property
    def nkey(self) -> int: ...
    @property
    def nlight(self) -> int: ...
    @property
    def nmat(self) -> int: ...
    @property
    def nmesh(self) -> int: ...
    @property
    def nmeshface(self) -> int: ...
    @property
    def nmeshgraph(self) -> int: ...
    @property
    def nmeshnormal(self) -> int: ...
    @property
    def nmeshpoly(self) -> int: ...
    @property
    def nmeshpolymap(self) -> int: ...
    @property
    def nmeshpolyvert(self) -> int: ...
    @property
    def nmeshtexcoord(self) -> int: ...
    @property
    def nmeshvert(self) -> int: ...
    @property
    def nmocap(self) -> int: ...
    @property
    def nnames(self) -> int: ...
    @property
    def nnames_map(self) -> int: ...
    @property
    def nnumeric(self) -> int: ...
    @property
    def nnumericdata(self) -> int: ...
    @property
    def noct(self) -> int: ...
    @property
    def npair(self) -> int: ...
    @property
    def npaths(self) -> int: ...
    @property
    def nplugin(self) -> int: ...
    @property
    def npluginattr(self) -> int: ...
    @property
    def npluginstate(self) -> int: ...
    @property
    def nq(self) -> int: ...
    @property
    def nsensor(self) -> int: ...
    @property
    def nsensordata(self) -> int: ...
    @property
    def nsite(self) -> int: ...
    @property
    def nskin(self) -> int: ...
    @property
    def nskinbone(self) -> int: ...
    @property
    def nskinbonevert(self) -> int: ...
    @property
    def nskinface(self) -> int: ...
    @property
    def nskintexvert(self) -> int: ...
    @property
    def nskinvert(self) -> int: ...
    @property
    def ntendon(self) -> int: ...
    @property
    def ntex(self) -> int: ...
    @property
    def ntexdata(self) -> int: ...
    @property
    def ntext(self) -> int: ...
    @property
    def ntextdata(self) -> int: ...
    @property
    def ntree(self) -> int: ...
    @property
    def ntuple(self) -> int: ...
    @property
    def ntupledata(self) -> int: ...
    @property
    def nu(self) -> int: ...
    numeric_adr: _Array[np.int32]
    """First number in `numeric_data`. (nnumeric)"""
    numeric_data: _Array[np.float64]
    """Custom numbers. (nnumericdata)"""
    numeric_size: _Array[np.int32]
    """Number of numbers. (nnumeric)"""
    @property
    def nuser_actuator(self) -> int: ...
    @property
    def nuser_body(self) -> int: ...
    @property
    def nuser_cam(self) -> int: ...
    @property
    def nuser_geom(self) -> int: ...
    @property
    def nuser_jnt(self) -> int: ...
    @property
    def nuser_sensor(self) -> int: ...
    @property
    def nuser_site(self) -> int: ...
    @property
    def nuser_tendon(self) -> int: ...
    @property
    def nuserdata(self) -> int: ...
    @property
    def nv(self) -> int: ...
    @property
    def nwrap(self) -> int: ...
    oct_aabb: _Array[np.float64]
    """Cell as centre and half sizes in the frame of the mesh, m. (noct, 6)"""
    oct_child: _Array[np.int32]
    """Children, counted from the root of their octree; -1: none. (noct, 8)"""
    oct_coeff: _Array[np.float64]
    """Signed distance to the surface at the eight corners, m. (noct, 8)"""
    oct_depth: _Array[np.int32]
    """Depth of the cell; 0 for a root. (noct)"""
    pair_dim: _Array[np.int32]
    """Contact dimension: 1, 3, 4 or 6. (npair)"""
    pair_friction: _Array[np.float64]
    """Friction coefficients: sliding (2), spinning (m), rolling (2, m). (npair, 5)"""
    pair_gap: _Array[np.float64]
    """Contacts act below margin minus gap, m. (npair)"""
    pair_geom1: _Array[np.int32]
    """First geom. (npair)"""
    pair_geom2: _Array[np.int32]
    """Second geom. (npair)"""
    pair_margin: _Array[np.float64]
    """Contacts are detected below this distance, m. (npair)"""
    pair_signature: _Array[np.int32]
    """Bodies of the two geoms in one number, `body1·65536 + body2`; sorted by it. (npair)"""
    pair_solimp: _Array[np.float64]
    """Impedance parameters: minimum, maximum, width (m), midpoint, power. (npair, 5)"""
    pair_solref: _Array[np.float64]
    """Reference parameters along the normal: time constant s and damping ratio, or -stiffness and -damping. (npair, 2)"""
    pair_solreffriction: _Array[np.float64]
    """Reference parameters of the friction directions; zeros: those of the normal. (npair, 2)"""
    @property
    def paths(self) -> bytes: ...
    plugin: _Array[np.int32]
    """Number of the plugin in the registry of the program that wrote the model. (nplugin)"""
    plugin_attr: _Array[np.uint8]
    """Settings of the instances as text. (npluginattr)"""
    plugin_attradr: _Array[np.int32]
    """First byte in `plugin_attr`. (nplugin)"""
    plugin_stateadr: _Array[np.int32]
    """First number in `plugin_state`. (nplugin)"""
    plugin_statenum: _Array[np.int32]
    """Number of state variables. (nplugin)"""
    qpos0: _Array[np.float64]
    """Reference configuration: `qpos` after a reset, m and rad; quaternions w first. (nq)"""
    qpos_spring: _Array[np.float64]
    """Configuration in which joint springs are relaxed, m and rad; quaternions w first. (nq)"""
    sensor_adr: _Array[np.int32]
    """First number in `sensordata`. (nsensor)"""
    sensor_cutoff: _Array[np.float64]
    """Readings are clamped to this magnitude, in their unit; 0: not clamped. (nsensor)"""
    sensor_datatype: _Array[np.int32]
    """What values it can take (`SensorDataType`). (nsensor)"""
    sensor_delay: _Array[np.float64]
    """Delay of the readings, s; 0: none. (nsensor)"""
    sensor_dim: _Array[np.int32]
    """Number of values it writes. (nsensor)"""
    sensor_history: _Array[np.int32]
    """Samples kept of past readings and interpolation between them: 0 hold, 1 linear, 2 cubic. (nsensor, 2)"""
    sensor_historyadr: _Array[np.int32]
    """First number in `history`; -1: none. (nsensor)"""
    sensor_interval: _Array[np.float64]
    """Period and phase of sampling, s; period 0: every step. (nsensor, 2)"""
    sensor_intprm: _Array[np.int32]
    """Integers by kind: fields as bits, reduction and number of matches for contacts; fields for range finders. (nsensor, 3)"""
    sensor_needstage: _Array[np.int32]
    """Stage after which it can be read (`Stage`). (nsensor)"""
    sensor_noise: _Array[np.float64]
    """Standard deviation of noise; kept for the user, not applied. (nsensor)"""
    sensor_objid: _Array[np.int32]
    """Object measured; -1: none. (nsensor)"""
    sensor_objtype: _Array[np.int32]
    """Kind of the object measured (`ObjectType`). (nsensor)"""
    sensor_plugin: _Array[np.int32]
    """Plugin instance; -1: none. (nsensor)"""
    sensor_refid: _Array[np.int32]
    """Object whose frame is used; -1: world frame. (nsensor)"""
    sensor_reftype: _Array[np.int32]
    """Kind of the object whose frame is used (`ObjectType`). (nsensor)"""
    sensor_type: _Array[np.int32]
    """Kind of sensor (`SensorType`). (nsensor)"""
    sensor_user: _Array[np.float64]
    """User numbers; the engine does not read them. (nsensor, nuser_sensor)"""
    site_bodyid: _Array[np.int32]
    """Body the site is fixed to. (nsite)"""
    site_group: _Array[np.int32]
    """Visibility group. (nsite)"""
    site_matid: _Array[np.int32]
    """Material; -1: none. (nsite)"""
    site_pos: _Array[np.float64]
    """Origin in the body frame, m. (nsite, 3)"""
    site_quat: _Array[np.float64]
    """Orientation in the body frame, w first. (nsite, 4)"""
    site_rgba: _Array[np.float32]
    """Colour when there is no material, 0 to 1. (nsite, 4)"""
    site_sameframe: _Array[np.uint8]
    """How the site frame coincides with the body frame or the inertial frame (`SameFrame`). (nsite)"""
    site_size: _Array[np.float64]
    """Radii, half lengths or half sizes by shape, m. (nsite, 3)"""
    site_type: _Array[np.int32]
    """Shape for drawing and for touch and inside tests (`GeomType`). (nsite)"""
    site_user: _Array[np.float64]
    """User numbers; the engine does not read them. (nsite, nuser_site)"""
    skin_boneadr: _Array[np.int32]
    """First bone. (nskin)"""
    skin_bonebindpos: _Array[np.float32]
    """Position of a bone's body in the bind pose, world frame, m. (nskinbone, 3)"""
    skin_bonebindquat: _Array[np.float32]
    """Orientation of a bone's body in the bind pose, world frame, w first. (nskinbone, 4)"""
    skin_bonebodyid: _Array[np.int32]
    """Body of a bone. (nskinbone)"""
    skin_bonenum: _Array[np.int32]
    """Number of bones. (nskin)"""
    skin_bonevertadr: _Array[np.int32]
    """First vertex entry of a bone. (nskinbone)"""
    skin_bonevertid: _Array[np.int32]
    """Vertex a bone moves, counted from the skin's first. (nskinbonevert)"""
    skin_bonevertnum: _Array[np.int32]
    """Number of vertices a bone moves. (nskinbone)"""
    skin_bonevertweight: _Array[np.float32]
    """Share of the bone in the motion of that vertex. (nskinbonevert)"""
    skin_face: _Array[np.int32]
    """Vertices of a triangle, counted from the skin's first. (nskinface, 3)"""
    skin_faceadr: _Array[np.int32]
    """First triangle. (nskin)"""
    skin_facenum: _Array[np.int32]
    """Number of triangles. (nskin)"""
    skin_group: _Array[np.int32]
    """Visibility group. (nskin)"""
    skin_inflate: _Array[np.float32]
    """Distance the skin is pushed out along its normals, m. (nskin)"""
    skin_matid: _Array[np.int32]
    """Material; -1: none. (nskin)"""
    skin_pathadr: _Array[np.int32]
    """Start of the file's path in `paths`; -1: none. (nskin)"""
    skin_rgba: _Array[np.float32]
    """Colour when there is no material, 0 to 1. (nskin, 4)"""
    skin_texcoord: _Array[np.float32]
    """Texture coordinates, 0 to 1. (nskintexvert, 2)"""
    skin_texcoordadr: _Array[np.int32]
    """First texture coordinate; -1: none. (nskin)"""
    skin_vert: _Array[np.float32]
    """Vertex in the bind pose, world frame, m. (nskinvert, 3)"""
    skin_vertadr: _Array[np.int32]
    """First vertex. (nskin)"""
    skin_vertnum: _Array[np.int32]
    """Number of vertices. (nskin)"""
    tendon_actfrclimited: _Array[np.uint8]
    """1: `tendon_actfrcrange` is enforced. (ntendon)"""
    tendon_actfrcrange: _Array[np.float64]
    """Range of the total actuator force on the tendon, N. (ntendon, 2)"""
    tendon_adr: _Array[np.int32]
    """First object on the path. (ntendon)"""
    tendon_armature: _Array[np.float64]
    """Inertia against change of length, kg. (ntendon)"""
    tendon_damping: _Array[np.float64]
    """Linear damping, N s/m. (ntendon)"""
    tendon_frictionloss: _Array[np.float64]
    """Dry friction: maximum force opposing the motion, N; 0: none. (ntendon)"""
    tendon_group: _Array[np.int32]
    """Visibility group. (ntendon)"""
    tendon_invweight0: _Array[np.float64]
    """Inverse inertia along the tendon in `qpos0`, 1/kg. (ntendon)"""
    tendon_length0: _Array[np.float64]
    """Length in `qpos0`, m. (ntendon)"""
    tendon_lengthspring: _Array[np.float64]
    """Range of length without spring force, m. (ntendon, 2)"""
    tendon_limited: _Array[np.uint8]
    """1: `tendon_range` is enforced. (ntendon)"""
    tendon_margin: _Array[np.float64]
    """Distance from a limit below which its constraint row exists, m. (ntendon)"""
    tendon_matid: _Array[np.int32]
    """Material; -1: none. (ntendon)"""
    tendon_num: _Array[np.int32]
    """Number of objects on the path. (ntendon)"""
    tendon_range: _Array[np.float64]
    """Minimum and maximum length, m. (ntendon, 2)"""
    tendon_rgba: _Array[np.float32]
    """Colour when there is no material, 0 to 1. (ntendon, 4)"""
    tendon_solimp_fri: _Array[np.float64]
    """Impedance parameters of friction loss: minimum, maximum, width (m), midpoint, power. (ntendon, 5)"""
    tendon_solimp_lim: _Array[np.float64]
    """Impedance parameters of the limit: minimum, maximum, width (m), midpoint, power. (ntendon, 5)"""
    tendon_solref_fri: _Array[np.float64]
    """Reference parameters of friction loss: time constant s and damping ratio, or -stiffness and -damping. (ntendon, 2)"""
    tendon_solref_lim: _Array[np.float64]
    """Reference parameters of the limit: time constant s and damping ratio, or -stiffness and -damping. (ntendon, 2)"""
    tendon_stiffness: _Array[np.float64]
    """Spring stiffness, N/m. (ntendon)"""
    tendon_treeid: _Array[np.int32]
    """First two trees the path touches; -1: none. (ntendon, 2)"""
    tendon_treenum: _Array[np.int32]
    """Number of kinematic trees the path touches. (ntendon)"""
    tendon_user: _Array[np.float64]
    """User numbers; the engine does not read them. (ntendon, nuser_tendon)"""
    tendon_width: _Array[np.float64]
    """Radius for drawing, m. (ntendon)"""
    tex_adr: _Array[np.int64]
    """First byte in `tex_data`. (ntex)"""
    tex_colorspace: _Array[np.int32]
    """Encoding of the colours (`ColorSpace`). (ntex)"""
    tex_data: _Array[np.uint8]
    """Pixels, row by row. (ntexdata)"""
    tex_height: _Array[np.int32]
    """Rows of pixels. (ntex)"""
    tex_nchannel: _Array[np.int32]
    """Bytes per pixel. (ntex)"""
    tex_pathadr: _Array[np.int32]
    """Start of the file's path in `paths`; -1: none. (ntex)"""
    tex_type: _Array[np.int32]
    """Kind of texture (`TextureType`). (ntex)"""
    tex_width: _Array[np.int32]
    """Columns of pixels. (ntex)"""
    text_adr: _Array[np.int32]
    """First byte in `text_data`. (ntext)"""
    @property
    def text_data(self) -> bytes: ...
    text_size: _Array[np.int32]
    """Bytes, closing zero included. (ntext)"""
    tree_bodyadr: _Array[np.int32]
    """First body. (ntree)"""
    tree_bodynum: _Array[np.int32]
    """Number of bodies. (ntree)"""
    tree_dofadr: _Array[np.int32]
    """First dof. (ntree)"""
    tree_dofnum: _Array[np.int32]
    """Number of dofs. (ntree)"""
    tree_sleep_policy: _Array[np.int32]
    """Whether the tree may fall asleep, and who decided (`SleepPolicy`). (ntree)"""
    tuple_adr: _Array[np.int32]
    """First object of the tuple. (ntuple)"""
    tuple_objid: _Array[np.int32]
    """Object. (ntupledata)"""
    tuple_objprm: _Array[np.float64]
    """Number that goes with the object. (ntupledata)"""
    tuple_objtype: _Array[np.int32]
    """Kind of the object (`ObjectType`). (ntupledata)"""
    tuple_size: _Array[np.int32]
    """Number of objects. (ntuple)"""
    wrap_objid: _Array[np.int32]
    """Joint, site or geom; -1: pulley. (nwrap)"""
    wrap_prm: _Array[np.float64]
    """Joint: coefficient. Pulley: divisor. Geom: site that chooses the side, -1: none. (nwrap)"""
    wrap_type: _Array[np.int32]
    """Kind of object on the path (`WrapType`). (nwrap)"""

class MjData:
    """One simulation of a model.

Fixed arrays are live numpy views. Arrays that follow the number of contacts or constraints are views that are live until the next
call of a function on this data, and keep what they show then."""
    def __new__(cls, model: MjModel) -> MjData: ...
    def bind(self, elements: Any) -> Any: ...
    def bind_scalar(self, elements: Any) -> Any: ...
    def snapshot(self) -> Snapshot: ...
    def restore(self, snapshot: Snapshot) -> None: ...
    @staticmethod
    def _from_snapshot(model: MjModel, snapshot: Snapshot) -> MjData: ...
    @staticmethod
    def _array_table() -> list[tuple[str, str, list[str], int, str, str, bool]]: ...
    @staticmethod
    def _groups() -> list[str]: ...
    @staticmethod
    def _scalar_table() -> list[tuple[str, str]]: ...
    @staticmethod
    def _field_table() -> list[tuple[str, str]]: ...
    def _contacts(self) -> NDArray[Any]: ...
    def _twin(self) -> MjData: ...
    _all_fields: tuple[str, ...]
    @property
    def _address(self) -> int: ...
    @property
    def _named(self) -> dict[int, Any] | None: ...
    def __copy__(self) -> MjData: ...
    def __deepcopy__(self, _memo: Any) -> MjData: ...
    time: float
    non_finite_policy: Literal["auto_reset", "hold", "error"]
    threads: int
    @property
    def model(self) -> MjModel: ...
    @property
    def contact(self) -> _MjContactList: ...
    @property
    def warning(self) -> _MjWarningStatList: ...
    @property
    def solver(self) -> _MjSolverStatList: ...
    @property
    def timer(self) -> _MjTimerStatList: ...
    @property
    def report(self) -> StepReport: ...
    solver_niter: _Array[np.int32]
    solver_nnz: _Array[np.int32]
    solver_fwdinv: _Array[np.float64]
    @property
    def maxuse_threadstack(self) -> NDArray[np.int64]: ...
    @property
    def plugin_data(self) -> NDArray[np.int64]: ...
    def body(self, name: str | int = "") -> _MjDataBodyViews: ...
    def joint(self, name: str | int = "") -> _MjDataJointViews: ...
    def jnt(self, name: str | int = "") -> _MjDataJointViews: ...
    def geom(self, name: str | int = "") -> _MjDataGeomViews: ...
    def site(self, name: str | int = "") -> _MjDataSiteViews: ...
    def camera(self, name: str | int = "") -> _MjDataCameraViews: ...
    def cam(self, name: str | int = "") -> _MjDataCameraViews: ...
    def light(self, name: str | int = "") -> _MjDataLightViews: ...
    def tendon(self, name: str | int = "") -> _MjDataTendonViews: ...
    def ten(self, name: str | int = "") -> _MjDataTendonViews: ...
    def actuator(self, name: str | int = "") -> _MjDataActuatorViews: ...
    def sensor(self, name: str | int = "") -> _MjDataSensorViews: ...
    M: _Array[np.float64]
    """Joint-space inertia, lower triangle in compressed rows (`M_rownnz`, `M_rowadr`, `M_colind`). (nC)"""
    act: _Array[np.float64]
    """Activation of actuators. (na)"""
    act_dot: _Array[np.float64]
    """Time derivative of `act`. (na)"""
    actuator_force: _Array[np.float64]
    """Force of the actuator along its own length, N or N m. (nu)"""
    actuator_length: _Array[np.float64]
    """Actuator length, m or rad. (nu)"""
    actuator_moment: _Array[np.float64]
    """Rate of actuator length by dof velocity, entries of the sparse matrix. (nJmom)"""
    actuator_velocity: _Array[np.float64]
    """Rate of actuator length, m/s or rad/s. (nu)"""
    body_awake: _Array[np.int32]
    """1: awake, 0: asleep, -1: static. (nbody)"""
    body_awake_ind: _Array[np.int32]
    """Bodies that are awake or static, in order. (nbody)"""
    bvh_aabb_dyn: _Array[np.float64]
    """Boxes of the flex trees as centre and half sizes, world frame, m. (nbvhdynamic, 6)"""
    bvh_active: _Array[np.uint8]
    """1: drawings mark the node beside those that they find collision detection to visit; no stage writes it, so that it is 0 unless a program sets it. (nbvh)"""
    cacc: _Array[np.float64]
    """Acceleration of the body, gravity as upward acceleration included: rotation then translation, as `cvel`. (nbody, 6)"""
    cam_xmat: _Array[np.float64]
    """Orientation of the camera, world frame, rows of a 3×3 matrix. (ncam, 9)"""
    cam_xpos: _Array[np.float64]
    """Position of the camera, world frame, m. (ncam, 3)"""
    cdof: _Array[np.float64]
    """Motion of each dof at unit speed: rotation then translation at `subtree_com` of the tree's root, world axes. (nv, 6)"""
    cdof_dot: _Array[np.float64]
    """Time derivative of `cdof`. (nv, 6)"""
    cfrc_ext: _Array[np.float64]
    """Torque then force from contacts, connect and weld constraints and `xfrc_applied`, as `cfrc_int`. (nbody, 6)"""
    cfrc_int: _Array[np.float64]
    """Torque then force the body receives from its parent at `subtree_com` of the tree's root, world axes. (nbody, 6)"""
    cinert: _Array[np.float64]
    """Inertia about `subtree_com` of the tree's root, world axes: xx yy zz xy xz yz, mass times offset (3), mass. (nbody, 10)"""
    crb: _Array[np.float64]
    """Inertia of the body with its descendants about `subtree_com` of the tree's root, laid out as `cinert`. (nbody, 10)"""
    ctrl: _Array[np.float64]
    """Control, one per actuator; set by the user. (nu)"""
    cvel: _Array[np.float64]
    """Velocity of the body: rotation then translation at `subtree_com` of the tree's root, world axes, rad/s and m/s. (nbody, 6)"""
    dof_awake_ind: _Array[np.int32]
    """Dofs that are awake, in order. (nv)"""
    dof_island: _Array[np.int32]
    """Island of the dof; -1: none. (nv)"""
    efc_AR: _Array[np.float64]
    """Matrix of the dual problem: J·M⁻¹·Jᵀ plus the diagonal `efc_R`. (nA)"""
    efc_AR_colind: _Array[np.int32]
    """Row of each entry of `efc_AR`. (nA)"""
    efc_AR_rowadr: _Array[np.int32]
    """First entry of each row of `efc_AR`. (nefc)"""
    efc_AR_rownnz: _Array[np.int32]
    """Entries per row of `efc_AR`. (nefc)"""
    efc_D: _Array[np.float64]
    """Inverse of `efc_R`, kg or kg m². (nefc)"""
    efc_J: _Array[np.float64]
    """Rate of the constrained quantity by dof velocity. (nJ)"""
    efc_J_colind: _Array[np.int32]
    """Dof of each entry of `efc_J` when sparse. (nJ)"""
    efc_J_rowadr: _Array[np.int32]
    """First entry of each row of `efc_J` when sparse. (nefc)"""
    efc_J_rownnz: _Array[np.int32]
    """Entries per row of `efc_J` when sparse. (nefc)"""
    efc_J_rowsuper: _Array[np.int32]
    """Number of following rows with the same columns, when sparse. (nefc)"""
    efc_KBIP: _Array[np.float64]
    """Stiffness (1/s²), damping (1/s), impedance, and its derivative by position. (nefc, 4)"""
    efc_R: _Array[np.float64]
    """Regulariser: diagonal softness of the row, 1/kg or 1/(kg m²). (nefc)"""
    efc_aref: _Array[np.float64]
    """Acceleration the row aims at, m/s² or rad/s². (nefc)"""
    efc_b: _Array[np.float64]
    """Acceleration along the row without constraints minus `efc_aref`; linear term of the dual problem. (nefc)"""
    efc_diagApprox: _Array[np.float64]
    """Approximate inverse inertia along the row, 1/kg or 1/(kg m²). (nefc)"""
    efc_force: _Array[np.float64]
    """Force along the row, N or N m. (nefc)"""
    efc_frictionloss: _Array[np.float64]
    """Maximum magnitude of the force of a friction-loss row, N or N m. (nefc)"""
    efc_id: _Array[np.int32]
    """Equality, dof, joint, tendon or contact of the row. (nefc)"""
    efc_island: _Array[np.int32]
    """Island of the row. (nefc)"""
    efc_margin: _Array[np.float64]
    """Distance below which the row acts, m or rad. (nefc)"""
    efc_pos: _Array[np.float64]
    """Violation of equalities, signed distance of limits and contacts, m or rad. (nefc)"""
    efc_state: _Array[np.int32]
    """Zone of its cost the row is in (`ConstraintState`). (nefc)"""
    efc_type: _Array[np.int32]
    """What the row stands for (`ConstraintType`). (nefc)"""
    efc_vel: _Array[np.float64]
    """Velocity along the row, m/s or rad/s. (nefc)"""
    energy: _Array[np.float64]
    """Potential and kinetic energy, J. (two)"""
    eq_active: _Array[np.uint8]
    """1: the equality constraint is active. (neq)"""
    flexedge_J: _Array[np.float64]
    """Rate of edge length by dof velocity, entries of the sparse matrix. (nJfe)"""
    flexedge_length: _Array[np.float64]
    """Edge length, m. (nflexedge)"""
    flexedge_velocity: _Array[np.float64]
    """Rate of edge length, m/s. (nflexedge)"""
    flexelem_aabb: _Array[np.float64]
    """Box of the element as centre and half sizes, world frame, m. (nflexelem, 6)"""
    flexvert_J: _Array[np.float64]
    """Rate of the two strain measures of a vertex by dof velocity, entries of the sparse matrix. (nJfv, 2)"""
    flexvert_length: _Array[np.float64]
    """The two strain measures of a vertex. (nflexvert, 2)"""
    flexvert_xpos: _Array[np.float64]
    """Vertex, world frame, m. (nflexvert, 3)"""
    @property
    def flg_energypos(self) -> int: ...
    @property
    def flg_energyvel(self) -> int: ...
    @property
    def flg_rnepost(self) -> int: ...
    @property
    def flg_subtreevel(self) -> int: ...
    geom_xmat: _Array[np.float64]
    """Orientation of the geom, world frame, rows of a 3×3 matrix. (ngeom, 9)"""
    geom_xpos: _Array[np.float64]
    """Origin of the geom, world frame, m. (ngeom, 3)"""
    history: _Array[np.float64]
    """Past controls and sensor readings, one ring buffer per delayed actuator or sensor. (nhistory)"""
    iLD: _Array[np.float64]
    """`qLD` in island order. (nC)"""
    iLDiagInv: _Array[np.float64]
    """`qLDiagInv` in island order. (nidof)"""
    iM: _Array[np.float64]
    """`M` in island order. (nC)"""
    iM_colind: _Array[np.int32]
    """Column of each entry of `iM`, counted in island order from the island's first dof. (nC)"""
    iM_rowadr: _Array[np.int32]
    """First entry of each row of `iM`. (nidof)"""
    iM_rownnz: _Array[np.int32]
    """Entries per row of `iM`. (nidof)"""
    iacc: _Array[np.float64]
    """`qacc` in island order. (nidof)"""
    iacc_smooth: _Array[np.float64]
    """`qacc_smooth` in island order. (nidof)"""
    iefc_D: _Array[np.float64]
    """`efc_D` in island order. (nefc)"""
    iefc_J: _Array[np.float64]
    """`efc_J` in island order. (nJ)"""
    iefc_J_colind: _Array[np.int32]
    """Column of each entry of `iefc_J`, counted in island order from the island's first dof. (nJ)"""
    iefc_J_rowadr: _Array[np.int32]
    """First entry of each row of `iefc_J`. (nefc)"""
    iefc_J_rownnz: _Array[np.int32]
    """Entries per row of `iefc_J`. (nefc)"""
    iefc_J_rowsuper: _Array[np.int32]
    """Number of following rows with the same columns. (nefc)"""
    iefc_R: _Array[np.float64]
    """`efc_R` in island order. (nefc)"""
    iefc_aref: _Array[np.float64]
    """`efc_aref` in island order. (nefc)"""
    iefc_force: _Array[np.float64]
    """`efc_force` in island order. (nefc)"""
    iefc_frictionloss: _Array[np.float64]
    """`efc_frictionloss` in island order. (nefc)"""
    iefc_id: _Array[np.int32]
    """`efc_id` in island order. (nefc)"""
    iefc_state: _Array[np.int32]
    """`efc_state` in island order. (nefc)"""
    iefc_type: _Array[np.int32]
    """`efc_type` in island order. (nefc)"""
    ifrc_constraint: _Array[np.float64]
    """`qfrc_constraint` in island order. (nidof)"""
    ifrc_smooth: _Array[np.float64]
    """`qfrc_smooth` in island order. (nidof)"""
    island_dofadr: _Array[np.int32]
    """Lowest dof of the island. (nisland)"""
    island_idofadr: _Array[np.int32]
    """First dof of the island in island order. (nisland)"""
    island_iefcadr: _Array[np.int32]
    """First row of the island in island order. (nisland)"""
    island_itreeadr: _Array[np.int32]
    """First tree of the island in island order. (nisland)"""
    island_ne: _Array[np.int32]
    """Equality rows in the island. (nisland)"""
    island_nefc: _Array[np.int32]
    """Rows in the island. (nisland)"""
    island_nf: _Array[np.int32]
    """Friction-loss rows in the island. (nisland)"""
    island_ntree: _Array[np.int32]
    """Number of trees in the island. (nisland)"""
    island_nv: _Array[np.int32]
    """Number of dofs in the island. (nisland)"""
    light_xdir: _Array[np.float64]
    """Unit direction of the light, world frame. (nlight, 3)"""
    light_xpos: _Array[np.float64]
    """Position of the light, world frame, m. (nlight, 3)"""
    map_dof2idof: _Array[np.int32]
    """Place of the dof in island order. (nv)"""
    map_efc2iefc: _Array[np.int32]
    """Place of the row in island order. (nefc)"""
    map_idof2dof: _Array[np.int32]
    """Dof at each place of island order; those without island come from place `nidof` on. (nv)"""
    map_iefc2efc: _Array[np.int32]
    """Row at each place of island order. (nefc)"""
    map_itree2tree: _Array[np.int32]
    """Tree at each place of island order. (ntree)"""
    @property
    def maxuse_arena(self) -> int: ...
    @property
    def maxuse_con(self) -> int: ...
    @property
    def maxuse_efc(self) -> int: ...
    @property
    def maxuse_stack(self) -> int: ...
    mocap_pos: _Array[np.float64]
    """Position of each mocap body, world frame, m; set by the user. (nmocap, 3)"""
    mocap_quat: _Array[np.float64]
    """Orientation of each mocap body, world frame, w first; set by the user. (nmocap, 4)"""
    moment_colind: _Array[np.int32]
    """Dof of each entry of `actuator_moment`. (nJmom)"""
    moment_rowadr: _Array[np.int32]
    """First entry of each row of `actuator_moment`. (nu)"""
    moment_rownnz: _Array[np.int32]
    """Entries per row of `actuator_moment`. (nu)"""
    @property
    def nA(self) -> int: ...
    @property
    def nJ(self) -> int: ...
    @property
    def narena(self) -> int: ...
    @property
    def nbody_awake(self) -> int: ...
    @property
    def nbuffer(self) -> int: ...
    @property
    def ncon(self) -> int: ...
    @property
    def ne(self) -> int: ...
    @property
    def nefc(self) -> int: ...
    @property
    def nf(self) -> int: ...
    @property
    def nidof(self) -> int: ...
    @property
    def nisland(self) -> int: ...
    @property
    def nl(self) -> int: ...
    @property
    def nparent_awake(self) -> int: ...
    @property
    def nplugin(self) -> int: ...
    @property
    def ntree_awake(self) -> int: ...
    @property
    def nv_awake(self) -> int: ...
    @property
    def parena(self) -> int: ...
    parent_awake_ind: _Array[np.int32]
    """Bodies whose parent is awake or static, in order. (nbody)"""
    @property
    def pbase(self) -> int: ...
    plugin: _Array[np.int32]
    """Copy of the model's `plugin`. (nplugin)"""
    plugin_state: _Array[np.float64]
    """State of the plugins. (npluginstate)"""
    @property
    def pstack(self) -> int: ...
    qDeriv: _Array[np.float64]
    """Derivative of passive, actuator and minus bias force by dof velocity, both triangles. (nD)"""
    qH: _Array[np.float64]
    """Factor of the inertia that an implicit integrator modified, in the pattern of `M`. (nC)"""
    qHDiagInv: _Array[np.float64]
    """Inverse diagonal of that factor. (nv)"""
    qLD: _Array[np.float64]
    """Factor of `M` = Lᵀ·D·L in the pattern of `M`: L below the diagonal, D on it. (nC)"""
    qLDiagInv: _Array[np.float64]
    """Inverse of D. (nv)"""
    qLU: _Array[np.float64]
    """LU factors of inertia minus time step times `qDeriv`, both triangles. (nD)"""
    qM: _Array[np.float64]
    """Joint-space inertia, lower triangle; per dof the diagonal, then its ancestors towards the root. (nM)"""
    qacc: _Array[np.float64]
    """Acceleration, m/s² and rad/s². (nv)"""
    qacc_smooth: _Array[np.float64]
    """Acceleration without constraints, m/s² and rad/s². (nv)"""
    qacc_warmstart: _Array[np.float64]
    """Acceleration the solver starts from: that of the previous step, m/s² and rad/s². (nv)"""
    qfrc_actuator: _Array[np.float64]
    """Force of all actuators on the dofs, N and N m. (nv)"""
    qfrc_applied: _Array[np.float64]
    """Force on the dofs set by the user, N and N m. (nv)"""
    qfrc_bias: _Array[np.float64]
    """Coriolis, centrifugal and gravitational force that motion must overcome, N and N m. (nv)"""
    qfrc_constraint: _Array[np.float64]
    """Force of all constraints on the dofs, N and N m. (nv)"""
    qfrc_damper: _Array[np.float64]
    """Force of dampers of joints, tendons and flexes, N and N m. (nv)"""
    qfrc_fluid: _Array[np.float64]
    """Force of the medium, N and N m. (nv)"""
    qfrc_gravcomp: _Array[np.float64]
    """Force of gravity compensation, N and N m. (nv)"""
    qfrc_inverse: _Array[np.float64]
    """Force on the dofs that would cause `qacc`, from inverse dynamics, N and N m. (nv)"""
    qfrc_passive: _Array[np.float64]
    """Sum of the passive forces, N and N m; without gravity compensation that counts as actuator force. (nv)"""
    qfrc_smooth: _Array[np.float64]
    """All forces except those of constraints, N and N m. (nv)"""
    qfrc_spring: _Array[np.float64]
    """Force of springs of joints, tendons and flexes, N and N m. (nv)"""
    qpos: _Array[np.float64]
    """Configuration, m and rad; free joint: position then quaternion, ball joint: quaternion, w first. (nq)"""
    qvel: _Array[np.float64]
    """Velocity, m/s and rad/s; free joint: linear in the world frame, then angular in the body frame; ball: body frame. (nv)"""
    sensordata: _Array[np.float64]
    """Readings of all sensors, in the unit and frame of each. (nsensordata)"""
    @property
    def signature(self) -> int: ...
    site_xmat: _Array[np.float64]
    """Orientation of the site, world frame, rows of a 3×3 matrix. (nsite, 9)"""
    site_xpos: _Array[np.float64]
    """Origin of the site, world frame, m. (nsite, 3)"""
    subtree_angmom: _Array[np.float64]
    """Angular momentum of the subtree about `subtree_com`, world frame, kg m²/s. (nbody, 3)"""
    subtree_com: _Array[np.float64]
    """Centre of mass of the body and its descendants, world frame, m. (nbody, 3)"""
    subtree_linvel: _Array[np.float64]
    """Velocity of `subtree_com`, world frame, m/s. (nbody, 3)"""
    ten_J: _Array[np.float64]
    """Rate of tendon length by dof velocity; a dense row per tendon, or the entries of a sparse matrix. (ntendon, nv)"""
    ten_J_colind: _Array[np.int32]
    """Dof of each entry of `ten_J` when the Jacobian is sparse. (ntendon, nv)"""
    ten_J_rowadr: _Array[np.int32]
    """First entry of each row of `ten_J` when the Jacobian is sparse. (ntendon)"""
    ten_J_rownnz: _Array[np.int32]
    """Entries per row of `ten_J` when the Jacobian is sparse. (ntendon)"""
    ten_length: _Array[np.float64]
    """Tendon length, m; for fixed tendons the weighted sum of joint positions. (ntendon)"""
    ten_velocity: _Array[np.float64]
    """Rate of tendon length, m/s. (ntendon)"""
    ten_wrapadr: _Array[np.int32]
    """First point of the path in `wrap_obj` and `wrap_xpos`. (ntendon)"""
    ten_wrapnum: _Array[np.int32]
    """Number of points on the path. (ntendon)"""
    tendon_efcadr: _Array[np.int32]
    """First row in which the tendon takes part; -1: none. (ntendon)"""
    @property
    def threadpool(self) -> int: ...
    tree_asleep: _Array[np.int32]
    """Negative: awake, and -1 minus it slow steps are still missing before sleep. Else: next tree in its sleeping cycle. (ntree)"""
    tree_awake: _Array[np.int32]
    """1: awake, 0: asleep. (ntree)"""
    tree_island: _Array[np.int32]
    """Island of the tree; -1: none. (ntree)"""
    userdata: _Array[np.float64]
    """Numbers for the user; the engine does not touch them. (nuserdata)"""
    wrap_obj: _Array[np.int32]
    """What each point of a path lies on, two points per row: geom, -1: site, -2: pulley. (nwrap, 2)"""
    wrap_xpos: _Array[np.float64]
    """Points of the paths, world frame, m, two per row. (nwrap, 6)"""
    xanchor: _Array[np.float64]
    """Anchor of the joint, world frame, m. (njnt, 3)"""
    xaxis: _Array[np.float64]
    """Unit axis of the joint, world frame. (njnt, 3)"""
    xfrc_applied: _Array[np.float64]
    """Force (N) then torque (N m) on each body at its centre of mass, world frame; set by the user. (nbody, 6)"""
    ximat: _Array[np.float64]
    """Principal axes of inertia of the body, world frame, rows of a 3×3 matrix. (nbody, 9)"""
    xipos: _Array[np.float64]
    """Centre of mass of the body, world frame, m. (nbody, 3)"""
    xmat: _Array[np.float64]
    """Orientation of the body, world frame, rows of a 3×3 matrix. (nbody, 9)"""
    xpos: _Array[np.float64]
    """Origin of the body, world frame, m. (nbody, 3)"""
    xquat: _Array[np.float64]
    """Orientation of the body, world frame, w first. (nbody, 4)"""

class MjOption:
    """Physics options."""
    def __init__(self) -> None: ...
    ccd_iterations: int
    """Maximum number of iterations of convex collision detection."""
    ccd_tolerance: float
    """Distance below which convex collision detection counts as converged, m."""
    cone: int
    """Shape of friction cones (`Cone`)."""
    density: float
    """Density of the medium, kg/m³; 0 disables lift and drag."""
    disableactuator: int
    """Actuator groups switched off, one bit per group."""
    disableflags: int
    """Standard features switched off (`disable` bits)."""
    enableflags: int
    """Optional features switched on (`enable` bits)."""
    gravity: _Array[np.float64]
    """Gravitational acceleration in the world frame, m/s²."""
    impratio: float
    """Ratio of frictional to normal impedance of elliptic contacts."""
    integrator: int
    """How a step advances: the integrator (`Integrator`)."""
    iterations: int
    """Maximum number of iterations of the main solver."""
    jacobian: int
    """Storage of the constraint Jacobian (`Jacobian`)."""
    ls_iterations: int
    """Maximum number of iterations of one line search."""
    ls_tolerance: float
    """Relative gradient at which the line search stops."""
    magnetic: _Array[np.float64]
    """Magnetic flux density in the world frame."""
    noslip_iterations: int
    """Maximum number of iterations of the no-slip pass; 0 disables it."""
    noslip_tolerance: float
    """Improvement below which the no-slip pass stops, scaled."""
    o_friction: _Array[np.float64]
    """Contact friction coefficients when overridden."""
    o_margin: float
    """Contact margin when contact parameters are overridden, m."""
    o_solimp: _Array[np.float64]
    """Contact impedance parameters when overridden."""
    o_solref: _Array[np.float64]
    """Contact reference parameters when overridden."""
    sdf_initpoints: int
    """Starting points for contacts between signed distance fields."""
    sdf_iterations: int
    """Descent iterations for contacts between signed distance fields."""
    sleep_tolerance: float
    """Speed below which a tree may fall asleep, in units of its dof lengths."""
    solver: int
    """Constraint solver (`Solver`)."""
    timestep: float
    """Time one step advances, s."""
    tolerance: float
    """Improvement and gradient below which the main solver stops, scaled."""
    viscosity: float
    """Viscosity of the medium, Pa s; 0 disables viscous forces."""
    wind: _Array[np.float64]
    """Velocity of the medium in the world frame, m/s."""

class MjStatistic:
    """Statistics of the model in its reference configuration."""
    def __init__(self) -> None: ...
    center: _Array[np.float64]
    """Centre of the model in the world frame, m."""
    extent: float
    """Radius of the model about its centre, m."""
    meaninertia: float
    """Mean diagonal of the joint-space inertia; scales solver tolerances."""
    meanmass: float
    """Mean body mass, kg."""
    meansize: float
    """Mean body size, m."""

class _MjVisualGlobal:
    """Global view settings."""
    def __init__(self) -> None: ...
    azimuth: float
    """Starting azimuth of the free camera, degrees."""
    bvactive: int
    """Whether bounding volumes that collision detection and rays visit are drawn in a colour of their own."""
    cameraid: int
    """Camera the view starts with; -1: free camera."""
    elevation: float
    """Starting elevation of the free camera, degrees."""
    ellipsoidinertia: int
    """Whether inertia is drawn as ellipsoids instead of boxes."""
    fovy: float
    """Vertical field of view of the free camera: degrees, or m when orthographic."""
    glow: float
    """Extra emission of a selected body, 0 to 1."""
    ipd: float
    """Distance between the eyes of the free camera in stereo, m."""
    linewidth: float
    """Width of lines and rays, pixels."""
    offheight: int
    """Height of the offscreen image, pixels."""
    offwidth: int
    """Width of the offscreen image, pixels."""
    orthographic: int
    """Whether the free camera is orthographic."""
    realtime: float
    """Speed a viewer starts with, in multiples of real time."""

class _MjVisualQuality:
    """Rendering quality."""
    def __init__(self) -> None: ...
    numquads: int
    """Squares along each side of a box."""
    numslices: int
    """Segments around round shapes."""
    numstacks: int
    """Segments along round shapes."""
    offsamples: int
    """Samples per pixel of the offscreen image."""
    shadowsize: int
    """Side of the shadow map, pixels."""

class _MjVisualHeadlight:
    """The light attached to the camera."""
    def __init__(self) -> None: ...
    active: int
    """1: on."""
    ambient: _Array[np.float32]
    """Ambient colour, 0 to 1."""
    diffuse: _Array[np.float32]
    """Diffuse colour, 0 to 1."""
    specular: _Array[np.float32]
    """Specular colour, 0 to 1."""

class _MjVisualMap:
    """Scale factors from physical quantities to what is drawn."""
    def __init__(self) -> None: ...
    actuatortendon: float
    """Width of an actuated tendon, in multiples of its own."""
    alpha: float
    """Opacity factor of geoms drawn see-through."""
    fogend: float
    """Distance at which fog hides everything, in multiples of the model's extent."""
    fogstart: float
    """Distance at which fog begins, in multiples of the model's extent."""
    force: float
    """Length of an arrow per force over mean mass."""
    haze: float
    """Share of the distance to the horizon that haze covers."""
    shadowclip: float
    """Half width of directional shadows, in multiples of the model's extent."""
    shadowscale: float
    """Half angle of spot shadows, in multiples of the light's cutoff."""
    stiffness: float
    """Stiffness of the spring with which a viewer drags a body."""
    stiffnessrot: float
    """Stiffness of the spring with which a viewer turns a body."""
    torque: float
    """Length of an arrow per torque over mean mass."""
    zfar: float
    """Far clipping distance, in multiples of the model's extent."""
    znear: float
    """Near clipping distance, in multiples of the model's extent."""

class _MjVisualScale:
    """Sizes of decorative objects."""
    def __init__(self) -> None: ...
    actuatorlength: float
    """Length of actuator arrows."""
    actuatorwidth: float
    """Width of actuator arrows."""
    camera: float
    """Size of cameras."""
    com: float
    """Radius of centres of mass."""
    connect: float
    """Radius of the lines that connect joints and centres of mass."""
    constraint: float
    """Radius of the lines that show violated constraints."""
    contactheight: float
    """Half height of contact discs."""
    contactwidth: float
    """Radius of contact discs."""
    forcewidth: float
    """Width of force arrows."""
    framelength: float
    """Length of frame axes."""
    framewidth: float
    """Width of frame axes."""
    frustum: float
    """Far end of the camera frustum."""
    jointlength: float
    """Length of joint arrows."""
    jointwidth: float
    """Width of joint arrows."""
    light: float
    """Size of lights."""
    selectpoint: float
    """Radius of the selected point."""
    slidercrank: float
    """Width of slider-cranks."""

class _MjVisualRgba:
    """Colours of decorative objects."""
    def __init__(self) -> None: ...
    actuator: _Array[np.float32]
    """Actuators at rest."""
    actuatornegative: _Array[np.float32]
    """Actuators at their lower limit."""
    actuatorpositive: _Array[np.float32]
    """Actuators at their upper limit."""
    bv: _Array[np.float32]
    """Bounding volumes."""
    bvactive: _Array[np.float32]
    """Bounding volumes that are visited."""
    camera: _Array[np.float32]
    """Cameras."""
    com: _Array[np.float32]
    """Centres of mass."""
    connect: _Array[np.float32]
    """Lines that connect joints and centres of mass."""
    constraint: _Array[np.float32]
    """Violated constraints."""
    contactforce: _Array[np.float32]
    """Contact forces."""
    contactfriction: _Array[np.float32]
    """Friction forces of contacts."""
    contactgap: _Array[np.float32]
    """Contacts inside their gap, without force."""
    contactpoint: _Array[np.float32]
    """Contact points."""
    contacttorque: _Array[np.float32]
    """Torques of contacts."""
    crankbroken: _Array[np.float32]
    """Slider-cranks whose rod is too short."""
    fog: _Array[np.float32]
    """Fog."""
    force: _Array[np.float32]
    """Applied forces."""
    frustum: _Array[np.float32]
    """Camera frustums."""
    haze: _Array[np.float32]
    """Haze."""
    inertia: _Array[np.float32]
    """Shapes that stand for inertia."""
    joint: _Array[np.float32]
    """Joints."""
    light: _Array[np.float32]
    """Lights."""
    rangefinder: _Array[np.float32]
    """Rays of range finders."""
    selectpoint: _Array[np.float32]
    """The selected point."""
    slidercrank: _Array[np.float32]
    """Slider-cranks."""

class MjContact:
    """A contact between two surfaces."""
    def __init__(self) -> None: ...
    H: _Array[np.float64]
    """Hessian of the cone cost in the elliptic middle zone."""
    dim: int
    """Dimension of the contact space: 1, 3, 4 or 6."""
    dist: float
    """Signed distance between the surfaces, m; negative when they overlap."""
    efc_address: int
    """First constraint row; -1 when there is none."""
    elem: _Array[np.int32]
    """Flex elements in contact; -1 for a geom or vertex."""
    exclude: int
    """0: becomes a constraint, 1: inside the gap, 2: bodies fused, 3: nothing can move, 4: passive."""
    flex: _Array[np.int32]
    """Flexes in contact; -1 for a geom."""
    frame: _Array[np.float64]
    """Contact axes in the world frame, as rows: normal, first tangent, second tangent."""
    friction: _Array[np.float64]
    """Friction coefficients: two tangential, one torsional, two rolling."""
    geom: _Array[np.int32]
    """Geoms in contact; -1 for a flex."""
    geom1: int
    """Same as `geom[0]`."""
    geom2: int
    """Same as `geom[1]`."""
    includemargin: float
    """The contact becomes a constraint when `dist` is below this, m."""
    mu: float
    """Friction of the regularised cone."""
    pos: _Array[np.float64]
    """Midpoint between the surfaces in the world frame, m."""
    solimp: _Array[np.float64]
    """Impedance parameters."""
    solref: _Array[np.float64]
    """Reference parameters along the normal."""
    solreffriction: _Array[np.float64]
    """Reference parameters of the friction directions; zeros mean the normal's."""
    vert: _Array[np.int32]
    """Flex vertices in contact; -1 for a geom or element."""

class _MjContactList:
    """The contacts of the last collision detection, in the order of their constraint rows."""
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, index: int) -> MjContact: ...
    @overload
    def __getitem__(self, index: slice) -> _MjContactList: ...
    def __iter__(self) -> Iterator[MjContact]: ...
    H: _Array[np.float64]
    dim: _Array[np.int32]
    dist: _Array[np.float64]
    efc_address: _Array[np.int32]
    elem: _Array[np.int32]
    exclude: _Array[np.int32]
    flex: _Array[np.int32]
    frame: _Array[np.float64]
    friction: _Array[np.float64]
    geom: _Array[np.int32]
    geom1: _Array[np.int32]
    geom2: _Array[np.int32]
    includemargin: _Array[np.float64]
    mu: _Array[np.float64]
    pos: _Array[np.float64]
    solimp: _Array[np.float64]
    solref: _Array[np.float64]
    solreffriction: _Array[np.float64]
    vert: _Array[np.int32]

class MjSolverStat:
    """One iteration of the solver."""
    def __init__(self) -> None: ...
    gradient: float
    """Norm of the gradient, scaled."""
    improvement: float
    """Reduction of the cost, scaled."""
    lineslope: float
    """Slope at the end of the line search."""
    nactive: int
    """Rows that are active."""
    nchange: int
    """Rows whose zone changed."""
    neval: int
    """Cost evaluations in the line search."""
    nupdate: int
    """Rank-one updates of the factor."""

class _MjSolverStatList:
    """Progress of the solver: 200 iterations for each of 20 islands."""
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, index: int) -> MjSolverStat: ...
    @overload
    def __getitem__(self, index: slice) -> _MjSolverStatList: ...
    def __iter__(self) -> Iterator[MjSolverStat]: ...
    gradient: _Array[np.float64]
    improvement: _Array[np.float64]
    lineslope: _Array[np.float64]
    nactive: _Array[np.int32]
    nchange: _Array[np.int32]
    neval: _Array[np.int32]
    nupdate: _Array[np.int32]

class MjWarningStat:
    """How often a warning was raised."""
    def __init__(self) -> None: ...
    lastinfo: int
    """Index of the dof, contact or other thing the last warning was about."""
    number: int
    """How many times since the last reset."""

class _MjWarningStatList:
    """Counters of warnings, by `mjtWarning`."""
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, index: int) -> MjWarningStat: ...
    @overload
    def __getitem__(self, index: slice) -> _MjWarningStatList: ...
    def __iter__(self) -> Iterator[MjWarningStat]: ...
    lastinfo: _Array[np.int32]
    number: _Array[np.int32]

class MjTimerStat:
    """How often a stage ran, and how long."""
    def __init__(self) -> None: ...
    duration: float
    """Total time, in the unit of the function set by `set_mjcb_time`; 0 without one."""
    number: int
    """Number of runs."""

class _MjTimerStatList:
    """Counters and stopwatches of the stages, by `mjtTimer`."""
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, index: int) -> MjTimerStat: ...
    @overload
    def __getitem__(self, index: slice) -> _MjTimerStatList: ...
    def __iter__(self) -> Iterator[MjTimerStat]: ...
    duration: _Array[np.float64]
    number: _Array[np.int32]

class MjLROpt:
    """Options of `mj_setLengthRange`."""
    def __init__(self) -> None: ...
    accel: float
    """Acceleration the force aims for, m/s² or rad/s²."""
    interval: float
    """Final interval over which lengths are measured, s."""
    inttotal: float
    """Duration of the simulation, s."""
    maxforce: float
    """Largest force; 0: no limit."""
    mode: int
    """Which actuators are computed (`mjtLRMode`)."""
    timeconst: float
    """Time constant of the velocity damping, s; 0: none."""
    timestep: float
    """Time step of the simulation; 0: that of the model."""
    tolrange: float
    """Largest spread of lengths in that interval, relative to the range."""
    useexisting: int
    """1: keep a range that is already set."""
    uselimit: int
    """1: take the limits of the joint or tendon where they are defined."""

class MjVisual:
    """View settings by topic: `vis.global_.fovy`, `vis.rgba.fog`."""
    def __init__(self) -> None: ...
    global_: _MjVisualGlobal
    quality: _MjVisualQuality
    headlight: _MjVisualHeadlight
    map: _MjVisualMap
    scale: _MjVisualScale
    rgba: _MjVisualRgba

class _View:
    """Rows of one object."""
    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...

class _MjModelBodyViews(_View):
    bvhadr: _Array[np.int32]
    bvhnum: _Array[np.int32]
    conaffinity: _Array[np.int32]
    contype: _Array[np.int32]
    dofadr: _Array[np.int32]
    dofnum: _Array[np.int32]
    geomadr: _Array[np.int32]
    geomnum: _Array[np.int32]
    gravcomp: _Array[np.float64]
    inertia: _Array[np.float64]
    invweight0: _Array[np.float64]
    ipos: _Array[np.float64]
    iquat: _Array[np.float64]
    jntadr: _Array[np.int32]
    jntnum: _Array[np.int32]
    margin: _Array[np.float64]
    mass: _Array[np.float64]
    mocapid: _Array[np.int32]
    parentid: _Array[np.int32]
    plugin: _Array[np.int32]
    pos: _Array[np.float64]
    quat: _Array[np.float64]
    rootid: _Array[np.int32]
    sameframe: _Array[np.uint8]
    simple: _Array[np.uint8]
    subtreemass: _Array[np.float64]
    treeid: _Array[np.int32]
    user: _Array[np.float64]
    weldid: _Array[np.int32]

class _MjDataBodyViews(_View):
    cacc: _Array[np.float64]
    cfrc_ext: _Array[np.float64]
    cfrc_int: _Array[np.float64]
    cinert: _Array[np.float64]
    crb: _Array[np.float64]
    cvel: _Array[np.float64]
    subtree_angmom: _Array[np.float64]
    subtree_com: _Array[np.float64]
    subtree_linvel: _Array[np.float64]
    xfrc_applied: _Array[np.float64]
    ximat: _Array[np.float64]
    xipos: _Array[np.float64]
    xmat: _Array[np.float64]
    xpos: _Array[np.float64]
    xquat: _Array[np.float64]

class _MjModelJointViews(_View):
    M0: _Array[np.float64]
    Madr: _Array[np.int32]
    actfrclimited: _Array[np.uint8]
    actfrcrange: _Array[np.float64]
    actgravcomp: _Array[np.uint8]
    armature: _Array[np.float64]
    axis: _Array[np.float64]
    bodyid: _Array[np.int32]
    damping: _Array[np.float64]
    dofadr: _Array[np.int32]
    frictionloss: _Array[np.float64]
    group: _Array[np.int32]
    invweight0: _Array[np.float64]
    jntid: _Array[np.int32]
    limited: _Array[np.uint8]
    margin: _Array[np.float64]
    parentid: _Array[np.int32]
    pos: _Array[np.float64]
    qpos0: _Array[np.float64]
    qpos_spring: _Array[np.float64]
    qposadr: _Array[np.int32]
    range: _Array[np.float64]
    simplenum: _Array[np.int32]
    solimp: _Array[np.float64]
    solref: _Array[np.float64]
    stiffness: _Array[np.float64]
    type: _Array[np.int32]
    user: _Array[np.float64]

class _MjDataJointViews(_View):
    cdof: _Array[np.float64]
    cdof_dot: _Array[np.float64]
    qLDiagInv: _Array[np.float64]
    qacc: _Array[np.float64]
    qacc_smooth: _Array[np.float64]
    qacc_warmstart: _Array[np.float64]
    qfrc_actuator: _Array[np.float64]
    qfrc_applied: _Array[np.float64]
    qfrc_bias: _Array[np.float64]
    qfrc_constraint: _Array[np.float64]
    qfrc_inverse: _Array[np.float64]
    qfrc_passive: _Array[np.float64]
    qfrc_smooth: _Array[np.float64]
    qpos: _Array[np.float64]
    qvel: _Array[np.float64]
    xanchor: _Array[np.float64]
    xaxis: _Array[np.float64]

class _MjModelGeomViews(_View):
    aabb: _Array[np.float64]
    bodyid: _Array[np.int32]
    conaffinity: _Array[np.int32]
    condim: _Array[np.int32]
    contype: _Array[np.int32]
    dataid: _Array[np.int32]
    fluid: _Array[np.float64]
    friction: _Array[np.float64]
    gap: _Array[np.float64]
    group: _Array[np.int32]
    margin: _Array[np.float64]
    matid: _Array[np.int32]
    plugin: _Array[np.int32]
    pos: _Array[np.float64]
    priority: _Array[np.int32]
    quat: _Array[np.float64]
    rbound: _Array[np.float64]
    rgba: _Array[np.float32]
    sameframe: _Array[np.uint8]
    size: _Array[np.float64]
    solimp: _Array[np.float64]
    solmix: _Array[np.float64]
    solref: _Array[np.float64]
    type: _Array[np.int32]
    user: _Array[np.float64]

class _MjDataGeomViews(_View):
    xmat: _Array[np.float64]
    xpos: _Array[np.float64]

class _MjModelSiteViews(_View):
    bodyid: _Array[np.int32]
    group: _Array[np.int32]
    matid: _Array[np.int32]
    pos: _Array[np.float64]
    quat: _Array[np.float64]
    rgba: _Array[np.float32]
    sameframe: _Array[np.uint8]
    size: _Array[np.float64]
    type: _Array[np.int32]
    user: _Array[np.float64]

class _MjDataSiteViews(_View):
    xmat: _Array[np.float64]
    xpos: _Array[np.float64]

class _MjModelCameraViews(_View):
    bodyid: _Array[np.int32]
    fovy: _Array[np.float64]
    intrinsic: _Array[np.float32]
    ipd: _Array[np.float64]
    mat0: _Array[np.float64]
    mode: _Array[np.int32]
    output: _Array[np.int32]
    pos: _Array[np.float64]
    pos0: _Array[np.float64]
    poscom0: _Array[np.float64]
    projection: _Array[np.int32]
    quat: _Array[np.float64]
    resolution: _Array[np.int32]
    sensorsize: _Array[np.float32]
    targetbodyid: _Array[np.int32]
    user: _Array[np.float64]

class _MjDataCameraViews(_View):
    xmat: _Array[np.float64]
    xpos: _Array[np.float64]

class _MjModelLightViews(_View):
    active: _Array[np.uint8]
    ambient: _Array[np.float32]
    attenuation: _Array[np.float32]
    bodyid: _Array[np.int32]
    bulbradius: _Array[np.float32]
    castshadow: _Array[np.uint8]
    cutoff: _Array[np.float32]
    diffuse: _Array[np.float32]
    dir: _Array[np.float64]
    dir0: _Array[np.float64]
    exponent: _Array[np.float32]
    intensity: _Array[np.float32]
    mode: _Array[np.int32]
    pos: _Array[np.float64]
    pos0: _Array[np.float64]
    poscom0: _Array[np.float64]
    range: _Array[np.float32]
    specular: _Array[np.float32]
    targetbodyid: _Array[np.int32]
    texid: _Array[np.int32]
    type: _Array[np.int32]

class _MjDataLightViews(_View):
    xdir: _Array[np.float64]
    xpos: _Array[np.float64]

class _MjModelMeshViews(_View):
    bvhadr: _Array[np.int32]
    bvhnum: _Array[np.int32]
    faceadr: _Array[np.int32]
    facenum: _Array[np.int32]
    graphadr: _Array[np.int32]
    normaladr: _Array[np.int32]
    normalnum: _Array[np.int32]
    octadr: _Array[np.int32]
    octnum: _Array[np.int32]
    pathadr: _Array[np.int32]
    polyadr: _Array[np.int32]
    polynum: _Array[np.int32]
    pos: _Array[np.float64]
    quat: _Array[np.float64]
    scale: _Array[np.float64]
    texcoordadr: _Array[np.int32]
    texcoordnum: _Array[np.int32]
    vertadr: _Array[np.int32]
    vertnum: _Array[np.int32]

class _MjModelSkinViews(_View):
    boneadr: _Array[np.int32]
    bonenum: _Array[np.int32]
    faceadr: _Array[np.int32]
    facenum: _Array[np.int32]
    group: _Array[np.int32]
    inflate: _Array[np.float32]
    matid: _Array[np.int32]
    pathadr: _Array[np.int32]
    rgba: _Array[np.float32]
    texcoordadr: _Array[np.int32]
    vertadr: _Array[np.int32]
    vertnum: _Array[np.int32]

class _MjModelHfieldViews(_View):
    adr: _Array[np.int32]
    data: _Array[np.float32]
    ncol: _Array[np.int32]
    nrow: _Array[np.int32]
    pathadr: _Array[np.int32]
    size: _Array[np.float64]

class _MjModelTextureViews(_View):
    adr: _Array[np.int64]
    colorspace: _Array[np.int32]
    data: _Array[np.uint8]
    height: _Array[np.int32]
    nchannel: _Array[np.int32]
    pathadr: _Array[np.int32]
    type: _Array[np.int32]
    width: _Array[np.int32]

class _MjModelMaterialViews(_View):
    emission: _Array[np.float32]
    metallic: _Array[np.float32]
    reflectance: _Array[np.float32]
    rgba: _Array[np.float32]
    roughness: _Array[np.float32]
    shininess: _Array[np.float32]
    specular: _Array[np.float32]
    texid: _Array[np.int32]
    texrepeat: _Array[np.float32]
    texuniform: _Array[np.uint8]

class _MjModelPairViews(_View):
    dim: _Array[np.int32]
    friction: _Array[np.float64]
    gap: _Array[np.float64]
    geom1: _Array[np.int32]
    geom2: _Array[np.int32]
    margin: _Array[np.float64]
    signature: _Array[np.int32]
    solimp: _Array[np.float64]
    solref: _Array[np.float64]
    solreffriction: _Array[np.float64]

class _MjModelExcludeViews(_View):
    signature: _Array[np.int32]

class _MjModelEqualityViews(_View):
    active0: _Array[np.uint8]
    data: _Array[np.float64]
    obj1id: _Array[np.int32]
    obj2id: _Array[np.int32]
    objtype: _Array[np.int32]
    solimp: _Array[np.float64]
    solref: _Array[np.float64]
    type: _Array[np.int32]

class _MjModelTendonViews(_View):
    _actfrclimited: _Array[np.uint8]
    _actfrcrange: _Array[np.float64]
    _adr: _Array[np.int32]
    _armature: _Array[np.float64]
    _damping: _Array[np.float64]
    _frictionloss: _Array[np.float64]
    _group: _Array[np.int32]
    _invweight0: _Array[np.float64]
    _length0: _Array[np.float64]
    _lengthspring: _Array[np.float64]
    _limited: _Array[np.uint8]
    _margin: _Array[np.float64]
    _matid: _Array[np.int32]
    _num: _Array[np.int32]
    _range: _Array[np.float64]
    _rgba: _Array[np.float32]
    _solimp_fri: _Array[np.float64]
    _solimp_lim: _Array[np.float64]
    _solref_fri: _Array[np.float64]
    _solref_lim: _Array[np.float64]
    _stiffness: _Array[np.float64]
    _treeid: _Array[np.int32]
    _treenum: _Array[np.int32]
    _user: _Array[np.float64]
    _width: _Array[np.float64]
    actfrclimited: _Array[np.uint8]
    actfrcrange: _Array[np.float64]
    adr: _Array[np.int32]
    armature: _Array[np.float64]
    damping: _Array[np.float64]
    frictionloss: _Array[np.float64]
    group: _Array[np.int32]
    invweight0: _Array[np.float64]
    length0: _Array[np.float64]
    lengthspring: _Array[np.float64]
    limited: _Array[np.uint8]
    margin: _Array[np.float64]
    matid: _Array[np.int32]
    num: _Array[np.int32]
    range: _Array[np.float64]
    rgba: _Array[np.float32]
    solimp_fri: _Array[np.float64]
    solimp_lim: _Array[np.float64]
    solref_fri: _Array[np.float64]
    solref_lim: _Array[np.float64]
    stiffness: _Array[np.float64]
    treeid: _Array[np.int32]
    treenum: _Array[np.int32]
    user: _Array[np.float64]
    width: _Array[np.float64]

class _MjDataTendonViews(_View):
    J: _Array[np.float64]
    J_colind: _Array[np.int32]
    J_rowadr: _Array[np.int32]
    J_rownnz: _Array[np.int32]
    length: _Array[np.float64]
    velocity: _Array[np.float64]
    wrapadr: _Array[np.int32]
    wrapnum: _Array[np.int32]

class _MjModelActuatorViews(_View):
    acc0: _Array[np.float64]
    actadr: _Array[np.int32]
    actearly: _Array[np.uint8]
    actlimited: _Array[np.uint8]
    actnum: _Array[np.int32]
    actrange: _Array[np.float64]
    biasprm: _Array[np.float64]
    biastype: _Array[np.int32]
    cranklength: _Array[np.float64]
    ctrllimited: _Array[np.uint8]
    ctrlrange: _Array[np.float64]
    delay: _Array[np.float64]
    dynprm: _Array[np.float64]
    dyntype: _Array[np.int32]
    forcelimited: _Array[np.uint8]
    forcerange: _Array[np.float64]
    gainprm: _Array[np.float64]
    gaintype: _Array[np.int32]
    gear: _Array[np.float64]
    group: _Array[np.int32]
    history: _Array[np.int32]
    historyadr: _Array[np.int32]
    length0: _Array[np.float64]
    lengthrange: _Array[np.float64]
    plugin: _Array[np.int32]
    trnid: _Array[np.int32]
    trntype: _Array[np.int32]
    user: _Array[np.float64]

class _MjDataActuatorViews(_View):
    ctrl: _Array[np.float64]
    force: _Array[np.float64]
    length: _Array[np.float64]
    velocity: _Array[np.float64]

class _MjModelSensorViews(_View):
    adr: _Array[np.int32]
    cutoff: _Array[np.float64]
    datatype: _Array[np.int32]
    delay: _Array[np.float64]
    dim: _Array[np.int32]
    history: _Array[np.int32]
    historyadr: _Array[np.int32]
    interval: _Array[np.float64]
    intprm: _Array[np.int32]
    needstage: _Array[np.int32]
    noise: _Array[np.float64]
    objid: _Array[np.int32]
    objtype: _Array[np.int32]
    plugin: _Array[np.int32]
    refid: _Array[np.int32]
    reftype: _Array[np.int32]
    type: _Array[np.int32]
    user: _Array[np.float64]

class _MjDataSensorViews(_View):
    data: _Array[np.float64]

class _MjModelNumericViews(_View):
    adr: _Array[np.int32]
    data: _Array[np.float64]
    size: _Array[np.int32]

class _MjModelTupleViews(_View):
    adr: _Array[np.int32]
    objid: _Array[np.int32]
    objprm: _Array[np.float64]
    objtype: _Array[np.int32]
    size: _Array[np.int32]

class _MjModelKeyframeViews(_View):
    act: _Array[np.float64]
    ctrl: _Array[np.float64]
    mpos: _Array[np.float64]
    mquat: _Array[np.float64]
    qpos: _Array[np.float64]
    qvel: _Array[np.float64]
    time: _Array[np.float64]

class IslandReport:
    """How the solver ended on one island."""
    @property
    def island(self) -> int:
        """Number of the island; 0 when the model was solved as a whole."""
    @property
    def iterations(self) -> int: ...
    @property
    def improvement(self) -> float:
        """Scaled reduction of the cost in the last iteration."""
    @property
    def gradient(self) -> float:
        """Scaled norm of the gradient at the end."""
    @property
    def end(self) -> Literal["converged", "stalled", "iteration_limit"]:
        """'converged', 'stalled' or 'iteration_limit'."""

class NonFinite:
    """The invalid value found in a step."""
    @property
    def stage(self) -> str:
        """'position', 'velocity' or 'acceleration'."""
    @property
    def quantity(self) -> str:
        """The array: 'qpos', 'qvel' or 'qacc'."""
    @property
    def index(self) -> int:
        """Index in the array."""
    @property
    def value(self) -> float: ...
    @property
    def joint(self) -> int:
        """Joint the number belongs to."""
    @property
    def body(self) -> int:
        """Body the number belongs to."""
    @property
    def step(self) -> int: ...
    @property
    def time(self) -> float: ...
    @property
    def cause(self) -> tuple[str, int | None]:
        """What the number comes from, and the index of the joint, body, actuator, sensor or plugin."""
    @property
    def contributions(self) -> list[tuple[str, int, float]]:
        """The largest forces on the kinematic tree, largest first: where each comes from, the dof it acts on, and its size."""

class StepReport:
    """What happened in the latest step, as it was when it was read."""
    @property
    def step(self) -> int:
        """Number of the step since the data was made or reset."""
    @property
    def time(self) -> float:
        """Time at which the step began."""
    @property
    def tolerance(self) -> float:
        """The tolerance that improvement and gradient are compared with."""
    @property
    def converged(self) -> bool:
        """Whether the solver converged on every island."""
    @property
    def solved(self) -> int:
        """Problems solved in this step."""
    @property
    def unconverged(self) -> int:
        """Problems that ran out of iterations."""
    @property
    def stalled(self) -> int:
        """Problems that stalled above the tolerance."""
    @property
    def worst(self) -> IslandReport | None:
        """The unconverged problem that was still improving most."""
    @property
    def islands(self) -> list[IslandReport]:
        """How the solver ended on each island."""
    @property
    def warnings(self) -> dict[str, int]:
        """Warnings raised in this step, by name."""
    @property
    def issues(self) -> dict[str, int]:
        """Issues met in this step, by name."""
    @property
    def resets(self) -> int:
        """Resets by policy in this step."""
    @property
    def held(self) -> bool:
        """Whether the policy kept the step from being taken."""
    @property
    def bad_control(self) -> int | None:
        """The actuator whose control was invalid."""
    @property
    def non_finite(self) -> NonFinite | None:
        """The invalid value of this step."""

class PairStep:
    """A rule of collision detection and its verdict on a pair."""
    @property
    def rule(self) -> str:
        """Short name of the rule."""
    @property
    def verdict(self) -> str:
        """"passes", "stops" (no contact) or "mutes" (a contact without force)."""
    @property
    def message(self) -> str:
        """The verdict in words."""
    @property
    def help(self) -> str | None:
        """What to change to get another verdict."""
    @property
    def numbers(self) -> dict[str, float]:
        """The numbers the verdict rests on."""

class PairExplanation:
    """How the rules of collision detection treat two geoms, one after the other; `print` shows it."""
    @property
    def geoms(self) -> tuple[int, int]:
        """The two geoms in the order of their contacts."""
    @property
    def collides(self) -> bool:
        """Whether the pair makes contacts."""
    @property
    def active(self) -> bool:
        """Whether one of the contacts can carry force."""
    @property
    def stopped_by(self) -> str | None:
        """Name of the first rule that stops the pair, or None."""
    @property
    def summary(self) -> str:
        """The outcome as a sentence."""
    @property
    def steps(self) -> list[PairStep]:
        """All rules in their order."""
    @property
    def contacts(self) -> list[MjContact]:
        """The contacts of the pair."""
    def to_json(self) -> str: ...

class ContactReport:
    """One contact with names, world forces and friction."""
    @property
    def index(self) -> int:
        """Number of the contact in `data.contact`."""
    @property
    def dimension(self) -> int:
        """1, 3, 4 or 6."""
    @property
    def geom1(self) -> int | None:
        """First geom; None for a flex."""
    @property
    def geom2(self) -> int | None:
        """Second geom; None for a flex."""
    @property
    def body1(self) -> int | None:
        """Body of the first geom or vertex; None for an element of a flex."""
    @property
    def body2(self) -> int | None:
        """Body of the second geom or vertex; None for an element of a flex."""
    @property
    def geom1_name(self) -> str:
        """Name of the first geom, or # and its number; the element or vertex of a flex."""
    @property
    def geom2_name(self) -> str:
        """Name of the second geom, or # and its number; the element or vertex of a flex."""
    @property
    def body1_name(self) -> str:
        """Name of the first body, or # and its number."""
    @property
    def body2_name(self) -> str:
        """Name of the second body, or # and its number."""
    @property
    def status(self) -> str:
        """"sticking", "slipping", "frictionless", "separating", "in gap", "passive" or "not a constraint"."""
    @property
    def distance(self) -> float:
        """Distance of the surfaces, m; negative when they overlap."""
    @property
    def depth(self) -> float:
        """How deeply the surfaces overlap, m."""
    @property
    def normal_force(self) -> float:
        """Force along the normal, N."""
    @property
    def friction_force(self) -> float:
        """Size of the force in the tangent plane, N."""
    @property
    def normal_velocity(self) -> float:
        """Velocity of the second surface relative to the first along the normal, m/s; positive when they separate."""
    @property
    def cone_usage(self) -> float:
        """Share of the friction cone in use, 0 to 1."""
    @property
    def coulomb_margin(self) -> float:
        """Additional tangential force at which the contact would slip, N."""
    @property
    def point(self) -> NDArray[np.float64]:
        """Midpoint between the surfaces, world frame, m."""
    @property
    def normal(self) -> NDArray[np.float64]:
        """Unit vector from the first geom to the second, world axes."""
    @property
    def force_on_geom1(self) -> NDArray[np.float64]:
        """Force on the first geom, world axes, N."""
    @property
    def force_on_geom2(self) -> NDArray[np.float64]:
        """Force on the second geom, world axes, N."""
    @property
    def torque_on_geom1(self) -> NDArray[np.float64]:
        """Torque on the first geom about the contact point, world axes, N·m."""
    @property
    def torque_on_geom2(self) -> NDArray[np.float64]:
        """Torque on the second geom about the contact point, world axes, N·m."""
    @property
    def friction(self) -> NDArray[np.float64]:
        """Friction coefficients: two sliding, spinning, two rolling."""
    @property
    def slip(self) -> NDArray[np.float64]:
        """Velocity of the second surface relative to the first in the tangent plane, world axes, m/s."""

class MjvCamera:
    """A camera as the user controls it."""
    def __init__(self) -> None: ...
    azimuth: float
    """Angle about the vertical axis, degrees."""
    distance: float
    """Distance to the point that is looked at, m."""
    elevation: float
    """Angle above the horizon, degrees."""
    fixedcamid: int
    """Camera of the model, for fixed cameras."""
    lookat: _Array[np.float64]
    """Point that is looked at, in the world frame, m."""
    orthographic: int
    """1: orthographic, 0: perspective."""
    trackbodyid: int
    """Body that is followed, for tracking cameras."""
    type: int
    """Where the pose comes from (`CameraType`)."""
    def __copy__(self) -> MjvCamera: ...
    def __deepcopy__(self, memo: Any, /) -> MjvCamera: ...

class MjvFigure:
    """A 2D figure of lines."""
    def __init__(self) -> None: ...
    figurergba: _Array[np.float32]
    """Colour of the figure."""
    flg_barplot: int
    """1: lines are isolated segments."""
    flg_extend: int
    """1: extend the axes to fit the data."""
    flg_legend: int
    """1: show the legend."""
    flg_selection: int
    """1: show a vertical line at `selection`."""
    flg_symmetric: int
    """1: make the y axis symmetric."""
    flg_ticklabel: _Array[np.int32]
    """1: show the labels of ticks, along x and y."""
    gridrgb: _Array[np.float32]
    """Colour of grid lines."""
    gridsize: _Array[np.int32]
    """Number of grid points along x and y."""
    gridwidth: float
    """Width of grid lines, pixels."""
    highlight: _Array[np.int32]
    """Point in pixels; the line whose legend entry is there is highlighted."""
    highlightid: int
    """Line that is highlighted without a point; -1: none."""
    legendoffset: int
    """Lines by which the legend is moved down."""
    legendrgba: _Array[np.float32]
    """Colour of the legend."""
    linedata: _Array[np.float32]
    """Points of each line, x and y alternating."""
    linename: _Array[np.bytes_]
    """Names of lines in the legend, 100 bytes each."""
    linepnt: _Array[np.int32]
    """Number of points of each line; 0: not shown."""
    linergb: _Array[np.float32]
    """Colours of lines, one after the other."""
    linewidth: float
    """Width of lines, pixels."""
    minwidth: str
    """Text as wide as the narrowest tick label of y."""
    panergba: _Array[np.float32]
    """Colour of the pane."""
    range: _Array[np.float32]
    """Least and greatest x, least and greatest y; automatic if not increasing."""
    selection: float
    """x of the selection line."""
    subplot: int
    """Subplot whose title is shown."""
    textrgb: _Array[np.float32]
    """Colour of text."""
    title: str
    """Title; two or more spaces separate subplots."""
    xaxisdata: _Array[np.float32]
    """Ends of the x axis in units of the data; set by who draws."""
    xaxispixel: _Array[np.int32]
    """Ends of the x axis in pixels; set by who draws."""
    xformat: str
    """How ticks of x are written, as for C's printf."""
    xlabel: str
    """Label of the x axis."""
    yaxisdata: _Array[np.float32]
    """Ends of the y axis in units of the data; set by who draws."""
    yaxispixel: _Array[np.int32]
    """Ends of the y axis in pixels; set by who draws."""
    yformat: str
    """How ticks of y are written, as for C's printf."""
    def __copy__(self) -> MjvFigure: ...
    def __deepcopy__(self, memo: Any, /) -> MjvFigure: ...

class MjvGLCamera:
    """A camera as the picture is drawn with it."""
    def __init__(self) -> None: ...
    forward: _Array[np.float32]
    """Direction of view."""
    frustum_bottom: float
    """Lower edge of the near plane."""
    frustum_center: float
    """Horizontal centre of the near plane; its edges follow from the picture's shape."""
    frustum_far: float
    """Far clipping distance, m."""
    frustum_near: float
    """Near clipping distance, m."""
    frustum_top: float
    """Upper edge of the near plane."""
    frustum_width: float
    """Half width of the near plane, for cameras with a sensor size; pictures do not use it."""
    orthographic: int
    """1: orthographic, 0: perspective."""
    pos: _Array[np.float32]
    """Position in the world frame, m."""
    up: _Array[np.float32]
    """Upward direction."""
    def __copy__(self) -> MjvGLCamera: ...
    def __deepcopy__(self, memo: Any, /) -> MjvGLCamera: ...

class MjvGeom:
    """One drawable element."""
    def __init__(self) -> None: ...
    camdist: float
    """Distance to the camera, for sorting; set by who draws."""
    category: int
    """What moves it (`Category`)."""
    dataid: int
    """Height field, number of the plane, or twice the mesh plus 1 for its hull; -1: none."""
    emission: float
    """Emission coefficient."""
    label: str
    """Text beside the element, ends with a zero."""
    mat: _Array[np.float32]
    """Rotation to the world frame, rows one after the other."""
    matid: int
    """Material with textures; -1: none."""
    modelrbound: float
    """Radius of the bounding sphere of a geom of the model; 0 for other elements."""
    objid: int
    """Number of the model element."""
    objtype: int
    """Kind of model element (`ObjectType`); unknown for decoration."""
    pos: _Array[np.float32]
    """Position in the world frame, m."""
    reflectance: float
    """Reflectance coefficient."""
    rgba: _Array[np.float32]
    """Colour and opacity."""
    segid: int
    """Number in segmentation pictures; -1: not shown."""
    shininess: float
    """Shininess coefficient."""
    size: _Array[np.float32]
    """Scale along the three axes, m."""
    specular: float
    """Specular coefficient."""
    texcoord: int
    """1: mesh or flex with texture coordinates."""
    transparent: int
    """1: drawn as transparent; set by who draws."""
    type: int
    """Shape (`GeomType`)."""
    def __copy__(self) -> MjvGeom: ...
    def __deepcopy__(self, memo: Any, /) -> MjvGeom: ...

class MjvLight:
    """One light of a scene."""
    def __init__(self) -> None: ...
    ambient: _Array[np.float32]
    """Ambient colour."""
    attenuation: _Array[np.float32]
    """Constant, linear and quadratic attenuation."""
    bulbradius: float
    """Radius of the bulb, for soft shadows, m."""
    castshadow: int
    """1: casts shadows."""
    cutoff: float
    """Half angle of a spot light, degrees."""
    diffuse: _Array[np.float32]
    """Diffuse colour."""
    dir: _Array[np.float32]
    """Direction in the world frame."""
    exponent: float
    """How a spot light fades towards its edge."""
    headlight: int
    """1: the light attached to the camera."""
    id: int
    """Light of the model; -1 for the headlight."""
    intensity: float
    """Intensity, cd."""
    pos: _Array[np.float32]
    """Position in the world frame, m."""
    range: float
    """Distance at which the light ends, m."""
    specular: _Array[np.float32]
    """Specular colour."""
    texid: int
    """Texture of an image light."""
    type: int
    """Kind of light (`LightType`)."""
    def __copy__(self) -> MjvLight: ...
    def __deepcopy__(self, memo: Any, /) -> MjvLight: ...

class MjvOption:
    """What is shown."""
    def __init__(self) -> None: ...
    actuatorgroup: _Array[np.uint8]
    """Groups of actuators that are shown."""
    bvh_depth: int
    """Level of bounding volumes that is shown."""
    flags: _Array[np.uint8]
    """What else is shown, by `VisualFlag`."""
    flex_layer: int
    """Layer of elements of solid flexes that is shown."""
    flexgroup: _Array[np.uint8]
    """Groups of flexes that are shown."""
    frame: int
    """What gets frames (`FrameKind`)."""
    geomgroup: _Array[np.uint8]
    """Groups of geoms that are shown."""
    jointgroup: _Array[np.uint8]
    """Groups of joints that are shown."""
    label: int
    """What gets labels (`LabelKind`)."""
    sitegroup: _Array[np.uint8]
    """Groups of sites that are shown."""
    skingroup: _Array[np.uint8]
    """Groups of skins that are shown."""
    tendongroup: _Array[np.uint8]
    """Groups of tendons that are shown."""
    def __copy__(self) -> MjvOption: ...
    def __deepcopy__(self, memo: Any, /) -> MjvOption: ...

class MjvPerturb:
    """What is selected, and how it is pulled and turned."""
    def __init__(self) -> None: ...
    active: int
    """What is going on (bits of `perturb`)."""
    active2: int
    """What else is going on (bits of `perturb`)."""
    flexselect: int
    """Selected flex; -1: none."""
    localmass: float
    """Mass that is felt at the selected point, kg."""
    localpos: _Array[np.float64]
    """Selected point in the frame of the body, m."""
    refpos: _Array[np.float64]
    """Where the body's centre of mass shall be, in the world frame, m."""
    refquat: _Array[np.float64]
    """How the body's inertial frame shall be turned."""
    refselpos: _Array[np.float64]
    """Where the selected point shall be, in the world frame, m."""
    scale: float
    """Metres per motion of the mouse."""
    select: int
    """Selected body; 0 or less: none."""
    skinselect: int
    """Selected skin; -1: none."""
    def __copy__(self) -> MjvPerturb: ...
    def __deepcopy__(self, memo: Any, /) -> MjvPerturb: ...

class MjvScene:
    """The list of drawable elements with its lights and cameras."""
    @overload
    def __init__(self) -> None: ...
    @overload
    def __init__(self, model: MjModel, maxgeom: int) -> None: ...
    @property
    def camera(self) -> tuple[MjvGLCamera, MjvGLCamera]:
        """Cameras of the left and of the right eye."""
    enabletransform: int
    """1: the model is moved, turned and scaled into the room."""
    flags: _Array[np.uint8]
    """How the scene is drawn, by `RenderFlag`."""
    flexedge: _Array[np.int32]
    """Two vertices of each edge."""
    flexedgeadr: _Array[np.int32]
    """First edge of each flex."""
    flexedgenum: _Array[np.int32]
    """Number of edges of each flex."""
    flexedgeopt: int
    """1: edges of flexes are shown."""
    flexface: _Array[np.float32]
    """Positions of the three vertices of each face, nine numbers, m."""
    flexfaceadr: _Array[np.int32]
    """First face of each flex."""
    flexfacenum: _Array[np.int32]
    """Room for faces of each flex."""
    flexfaceopt: int
    """1: faces of flexes are shown."""
    flexfaceused: _Array[np.int32]
    """Faces of each flex in use."""
    flexnormal: _Array[np.float32]
    """Normals at the three vertices of each face, nine numbers."""
    flexskinopt: int
    """1: smooth surfaces of flexes are shown."""
    flextexcoord: _Array[np.float32]
    """Texture coordinates of the three vertices of each face, six numbers."""
    flexvert: _Array[np.float32]
    """Positions of vertices, three numbers each, m."""
    flexvertadr: _Array[np.int32]
    """First vertex of each flex."""
    flexvertnum: _Array[np.int32]
    """Number of vertices of each flex."""
    flexvertopt: int
    """1: vertices of flexes are shown."""
    framergb: _Array[np.float32]
    """Colour of the frame."""
    framewidth: int
    """Width of the frame around the picture, pixels; 0: none."""
    geomorder: _Array[np.int32]
    """Order of elements by distance; set by who draws."""
    @property
    def geoms(self) -> tuple[MjvGeom, ...]:
        """Elements; the first `ngeom` are in use."""
    @property
    def lights(self) -> tuple[MjvLight, ...]:
        """Lights; the first `nlight` are in use."""
    @property
    def maxgeom(self) -> int: ...
    @property
    def nflex(self) -> int: ...
    ngeom: int
    """Elements in use."""
    nlight: int
    """Lights in use."""
    @property
    def nskin(self) -> int: ...
    rotate: _Array[np.float32]
    """How the model is turned in the room."""
    scale: float
    """Scale of the model in the room."""
    skinfacenum: _Array[np.int32]
    """Number of faces of each skin."""
    skinnormal: _Array[np.float32]
    """Normals at vertices, three numbers each."""
    skinvert: _Array[np.float32]
    """Positions of vertices, three numbers each, m."""
    skinvertadr: _Array[np.int32]
    """First vertex of each skin."""
    skinvertnum: _Array[np.int32]
    """Number of vertices of each skin."""
    status: int
    """1: there were more elements than room."""
    stereo: int
    """How pictures of two eyes are shown (`Stereo`)."""
    translate: _Array[np.float32]
    """Where the model's origin is in the room, m."""
    def __copy__(self) -> MjvScene: ...
    def __deepcopy__(self, memo: Any, /) -> MjvScene: ...

_spec: Any
__version__: str
# Which processors the module runs on.
_compiled_for: str

class MjrRect:
    """A rectangle of a picture, pixels."""
    def __new__(cls, left: int, bottom: int, width: int, height: int) -> MjrRect: ...
    left: int
    bottom: int
    width: int
    height: int
    def __copy__(self) -> MjrRect: ...
    def __deepcopy__(self, memo: Any, /) -> MjrRect: ...

class MjrContext:
    """What a model needs to be drawn, and the pictures that are drawn into. No graphics driver takes part."""
    def __new__(cls, model: MjModel | None = None, fontscale: int | None = None) -> MjrContext: ...
    def free(self) -> None: ...
    def __getattr__(self, name: str) -> Any: ...
    def __setattr__(self, name: str, value: Any) -> None: ...

class Snapshot:
    """A simulation set aside. Made by `data.snapshot()`; `bytes(snapshot)` and `Snapshot(bytes)` take it to files and other processes."""
    def __new__(cls, bytes: bytes) -> Snapshot: ...
    def __bytes__(self) -> bytes: ...
    def __len__(self) -> int: ...
    @property
    def model_fingerprint(self) -> int: ...

class FatalError(Exception): ...

class EngineError(RuntimeError):
    """The engine failed where it should not have. The data it worked on is in no defined state: make a new one."""

class _Field:
    """An attribute of a class."""
    def __new__(cls, name: str, doc: str) -> _Field: ...

class NonFiniteError(ArithmeticError):
    """A step met an invalid value under the policy 'error'; `report` of the data has the details."""

class _Batch:
    nsim: int
    nthread: int
    nstate: int
    persistent: bool
    non_finite_policy: str
    def __new__(cls, model: MjModel, nsim: int, nthread: int = ..., persistent: bool = ...) -> _Batch: ...
    def __getattr__(self, name: str) -> Any: ...

class _BatchRenderer:
    """Pictures of many simulations; `condyle.render_batch` is the convenient way to use it."""
    def __new__(cls, model: MjModel, width: int, height: int, threads: int) -> _BatchRenderer: ...
    def __getattr__(self, name: str) -> Any: ...

class _Rollout:
    """Threads for batches of trajectories. `condyle.rollout` is the comfortable way to use them."""
    def __new__(cls, *, nthread: int) -> _Rollout: ...
    def rollout(self, model: list[MjModel], data: list[MjData], nstep: int, control_spec: int, state0: NDArray[np.float64], warmstart0: NDArray[np.float64] | None = None, control: NDArray[np.float64] | None = None, state: NDArray[np.float64] | None = None, sensordata: NDArray[np.float64] | None = None, chunk_size: int | None = None) -> None: ...

class _ViewerSession:
    """A simulation with the pages that show it. `condyle.viewer` is the comfortable way to use it."""
    url: str | None
    pages: int
    def __new__(cls, model: MjModel, data: MjData, name: str, passive: bool, host: str, port: int) -> _ViewerSession: ...
    @staticmethod
    def has_page() -> bool: ...
    def show(self, model: MjModel, data: MjData) -> None: ...
    def sync(self, model: MjModel, data: MjData, camera: MjvCamera, options: MjvOption, perturbation: MjvPerturb, scene: MjvScene, state_only: bool) -> list[int]: ...
    def fetch(self, data: MjData) -> None: ...
    def tell(self, kind: str, text: str) -> None: ...
    def take_reload(self) -> bool: ...
    def command(self, line: str) -> None: ...
    def close(self) -> None: ...

_add_contact: Callable[..., Any]
_asset_cache: Callable[..., Any]
_batch_fields: Callable[..., Any]
_batch_row_size: Callable[..., Any]
_check_places: Callable[..., Any]
_command: Callable[..., Any]
def _contacts(model: MjModel, data: MjData) -> tuple[list[ContactReport], str, str]:
    """Reports of all contacts, and the same as a table and as JSON."""
_drawing_fields: Callable[..., Any]
_found_contact_layout: Callable[..., Any]
_length_range: Callable[..., Any]
_measure_time: Callable[..., Any]
_mjcf_table: Callable[..., Any]
_read_sensor: Callable[..., Any]
_record_layouts: Callable[..., Any]
_set_records: Callable[..., Any]
def explain_pair(model: MjModel, data: MjData, geom1: int | str, geom2: int | str) -> PairExplanation:
    """Why two geoms, given by name or number, do or do not collide at the poses in `data`."""
def get_mjcb_act_bias() -> Callable[[MjModel, MjData, int], float] | None:
    """The current callback: the function `f(model, data, actuator)` that gives the bias, or `None`."""
def get_mjcb_act_dyn() -> Callable[[MjModel, MjData, int], float] | None:
    """The current callback: the function `f(model, data, actuator)` that gives the rate of activation, or `None`."""
def get_mjcb_act_gain() -> Callable[[MjModel, MjData, int], float] | None:
    """The current callback: the function `f(model, data, actuator)` that gives the gain, or `None`."""
def get_mjcb_contactfilter() -> Callable[[MjModel, MjData, int, int], object] | None:
    """The current callback: the function `f(model, data, geom1, geom2)` that is true for pairs to leave out, or `None`."""
def get_mjcb_control() -> Callable[[MjModel, MjData], object] | None:
    """The current callback: the function `f(model, data)` that sets controls, or `None`."""
def get_mjcb_passive() -> Callable[[MjModel, MjData], object] | None:
    """The current callback: the function `f(model, data)` that adds to `qfrc_passive`, or `None`."""
def get_mjcb_sensor() -> Callable[[MjModel, MjData, int], object] | None:
    """The current callback: the function `f(model, data, stage)` that writes user sensors into `sensordata`, or `None`."""
def get_mjcb_time() -> Callable[[], float] | None:
    """The current callback: the function `f()` that tells the time, in any unit, for `data.timer`, or `None`."""
def mj_Euler(m: MjModel, d: MjData) -> None:
    """Advance with semi-implicit Euler."""
def mj_RungeKutta(m: MjModel, d: MjData, N: int) -> None:
    """Advance by a Runge–Kutta step; the only order is 4."""
def mj_angmomMat(m: MjModel, d: MjData, mat: NDArray[np.float64], body: int) -> None:
    """Matrix from `qvel` to the angular momentum of a subtree."""
def mj_applyFT(m: MjModel, d: MjData, force: ArrayLike, torque: ArrayLike, point: ArrayLike, body: int, qfrc_target: NDArray[np.float64]) -> None:
    """Add the generalised force of a force and a torque at a point of a body."""
def mj_camlight(m: MjModel, d: MjData) -> None:
    """Poses of cameras and lights."""
def mj_checkAcc(m: MjModel, d: MjData) -> None:
    """Reset when an acceleration is not finite."""
def mj_checkPos(m: MjModel, d: MjData) -> None:
    """Reset when a position is not finite."""
def mj_checkVel(m: MjModel, d: MjData) -> None:
    """Reset when a velocity is not finite."""
def mj_collision(m: MjModel, d: MjData) -> None:
    """Contacts."""
def mj_comPos(m: MjModel, d: MjData) -> None:
    """Centres of mass, inertias about them and dof axes."""
def mj_comVel(m: MjModel, d: MjData) -> None:
    """Spatial velocities of the bodies."""
def mj_compareFwdInv(m: MjModel, d: MjData) -> None:
    """Disagreement of forward and inverse dynamics, into `solver_fwdinv`."""
def mj_constraintUpdate(m: MjModel, d: MjData, jar: ArrayLike, cost: NDArray[np.float64] | None, flg_coneHessian: int) -> None:
    """Constraint states and forces for the residuals `jar`, and their cost."""
def mj_contactForce(m: MjModel, d: MjData, id: int, result: NDArray[np.float64]) -> None:
    """Force and torque of a contact in its own frame."""
def mj_copyData(dest: MjData, m: MjModel, src: MjData) -> None:
    """Make `dest` equal to `src`."""
def mj_copyState(m: MjModel, src: MjData, dst: MjData, sig: int) -> None:
    """Copy the selected state from one simulation to another of the same model."""
def mj_crb(m: MjModel, d: MjData) -> None:
    """Composite inertias of subtrees and the joint-space inertia without tendons."""
def mj_differentiatePos(m: MjModel, qvel: NDArray[np.float64], dt: float, qpos1: ArrayLike, qpos2: ArrayLike) -> None:
    """The velocity that takes `qpos1` to `qpos2` in the time `dt`."""
def mj_energyPos(m: MjModel, d: MjData) -> None:
    """Potential energy."""
def mj_energyVel(m: MjModel, d: MjData) -> None:
    """Kinetic energy."""
def mj_extractState(m: MjModel, src: ArrayLike, srcsig: int, dst: NDArray[np.float64], dstsig: int) -> None:
    """Take the components `dstsig` out of a state vector with the components `srcsig`."""
def mj_factorM(m: MjModel, d: MjData) -> None:
    """Factor the joint-space inertia."""
def mj_flex(m: MjModel, d: MjData) -> None:
    """Vertices and edges of deformable bodies."""
def mj_forward(m: MjModel, d: MjData) -> None:
    """Everything up to accelerations, without advancing time."""
def mj_forwardSkip(m: MjModel, d: MjData, skipstage: int, skipsensor: int) -> None:
    """`mj_forward` without the stages before and including `skipstage`, and without sensors if asked."""
def mj_fullM(m: MjModel, dst: NDArray[np.float64], M: ArrayLike) -> None:
    """The inertia matrix in full from its sparse form `qM`."""
def mj_fwdAcceleration(m: MjModel, d: MjData) -> None:
    """Unconstrained acceleration."""
def mj_fwdActuation(m: MjModel, d: MjData) -> None:
    """Actuator forces."""
def mj_fwdConstraint(m: MjModel, d: MjData) -> None:
    """Constraint forces and acceleration."""
def mj_fwdKinematics(m: MjModel, d: MjData) -> None:
    """Poses, centres of mass, cameras, lights, flexes and tendons."""
def mj_fwdPosition(m: MjModel, d: MjData) -> None:
    """Position-dependent stages."""
def mj_fwdVelocity(m: MjModel, d: MjData) -> None:
    """Velocity-dependent stages."""
def mj_geomDistance(m: MjModel, d: MjData, geom1: int, geom2: int, distmax: float, fromto: NDArray[np.float64] | None) -> float:
    """Smallest distance between two geoms, at most `distmax`; the segment goes to `fromto`."""
def mj_getState(m: MjModel, d: MjData, state: NDArray[np.float64], sig: int) -> None:
    """Copy the selected state into `state`."""
def mj_getTotalmass(m: MjModel) -> float:
    """Sum of all masses."""
def mj_id2name(m: MjModel, type: int, id: int) -> str | None:
    """Name of an element, or nothing."""
def mj_implicit(m: MjModel, d: MjData) -> None:
    """Advance with an integrator implicit in velocity."""
def mj_integratePos(m: MjModel, qpos: NDArray[np.float64], qvel: ArrayLike, dt: float) -> None:
    """Move `qpos` with `qvel` for the time `dt`."""
def mj_invConstraint(m: MjModel, d: MjData) -> None:
    """Constraint forces of the present accelerations."""
def mj_invPosition(m: MjModel, d: MjData) -> None:
    """Position stages of inverse dynamics."""
def mj_invVelocity(m: MjModel, d: MjData) -> None:
    """Velocity stages of inverse dynamics."""
def mj_inverse(m: MjModel, d: MjData) -> None:
    """Applied forces that produce the present accelerations."""
def mj_inverseSkip(m: MjModel, d: MjData, skipstage: int, skipsensor: int) -> None:
    """`mj_inverse` without the stages before and including `skipstage`, and without sensors if asked."""
def mj_isDual(m: MjModel) -> int:
    """Whether the solver works on constraint forces."""
def mj_isPyramidal(m: MjModel) -> int:
    """Whether friction cones are pyramids."""
def mj_isSparse(m: MjModel) -> int:
    """Whether constraint Jacobians are sparse."""
def mj_island(m: MjModel, d: MjData) -> None:
    """Islands of the constraint rows."""
def mj_jac(m: MjModel, d: MjData, jacp: NDArray[np.float64] | None, jacr: NDArray[np.float64] | None, point: ArrayLike, body: int) -> None:
    """Jacobians of the world point `point` moving with `body`."""
def mj_jacBody(m: MjModel, d: MjData, jacp: NDArray[np.float64] | None, jacr: NDArray[np.float64] | None, body: int) -> None:
    """Jacobians of the frame of a body."""
def mj_jacBodyCom(m: MjModel, d: MjData, jacp: NDArray[np.float64] | None, jacr: NDArray[np.float64] | None, body: int) -> None:
    """Jacobians of the centre of mass of a body."""
def mj_jacDot(m: MjModel, d: MjData, jacp: NDArray[np.float64] | None, jacr: NDArray[np.float64] | None, point: ArrayLike, body: int) -> None:
    """Time derivative of the Jacobians of a point."""
def mj_jacGeom(m: MjModel, d: MjData, jacp: NDArray[np.float64] | None, jacr: NDArray[np.float64] | None, geom: int) -> None:
    """Jacobians of a geom."""
def mj_jacPointAxis(m: MjModel, d: MjData, jacPoint: NDArray[np.float64] | None, jacAxis: NDArray[np.float64] | None, point: ArrayLike, axis: ArrayLike, body: int) -> None:
    """Jacobians of a world point and of a direction, both moving with a body."""
def mj_jacSite(m: MjModel, d: MjData, jacp: NDArray[np.float64] | None, jacr: NDArray[np.float64] | None, site: int) -> None:
    """Jacobians of a site."""
def mj_jacSubtreeCom(m: MjModel, d: MjData, jacp: NDArray[np.float64] | None, body: int) -> None:
    """Jacobian of the centre of mass of the subtree of a body."""
def mj_kinematics(m: MjModel, d: MjData) -> None:
    """Poses of bodies, geoms and sites."""
def mj_makeConstraint(m: MjModel, d: MjData) -> None:
    """Constraint rows, their softness and islands."""
def mj_makeM(m: MjModel, d: MjData) -> None:
    """Joint-space inertia."""
def mj_mulJacTVec(m: MjModel, d: MjData, res: NDArray[np.float64], vec: ArrayLike) -> None:
    """`res = Jᵀ vec` with the constraint Jacobian."""
def mj_mulJacVec(m: MjModel, d: MjData, res: NDArray[np.float64], vec: ArrayLike) -> None:
    """`res = J vec` with the constraint Jacobian."""
def mj_mulM(m: MjModel, d: MjData, res: NDArray[np.float64], vec: ArrayLike) -> None:
    """`res = M vec`."""
def mj_mulM2(m: MjModel, d: MjData, res: NDArray[np.float64], vec: ArrayLike) -> None:
    """`res = M^(1/2) vec`."""
def mj_multiRay(m: MjModel, d: MjData, pnt: ArrayLike, vec: ArrayLike, geomgroup: ArrayLike | None, flg_static: int, bodyexclude: int, geomid: NDArray[np.int32], dist: NDArray[np.float64], normal: NDArray[np.float64] | None, nray: int, cutoff: float) -> None:
    """Distances along many rays from one point."""
def mj_name2id(m: MjModel, type: int, name: str | bytes) -> int:
    """Number of the element of that type and name, −1 for none."""
def mj_normalizeQuat(m: MjModel, qpos: NDArray[np.float64]) -> None:
    """Normalise the quaternions in `qpos`."""
def mj_objectAcceleration(m: MjModel, d: MjData, objtype: int, objid: int, res: NDArray[np.float64], flg_local: int) -> None:
    """Angular and linear acceleration of an object, in world axes or its own; needs `mj_rnePostConstraint`."""
def mj_objectVelocity(m: MjModel, d: MjData, objtype: int, objid: int, res: NDArray[np.float64], flg_local: int) -> None:
    """Angular and linear velocity of an object, in world axes or its own."""
def mj_passive(m: MjModel, d: MjData) -> None:
    """Springs, dampers, gravity compensation and fluid forces."""
def mj_printSchema(flg_html: bool = False, flg_pad: bool = False) -> str:
    """All elements and attributes of MJCF as text, one element per line, indented by nesting."""
def mj_projectConstraint(m: MjModel, d: MjData) -> None:
    """Dual matrix of the constraint rows."""
def mj_ray(m: MjModel, d: MjData, pnt: ArrayLike, vec: ArrayLike, geomgroup: ArrayLike | None, flg_static: int, bodyexclude: int, geomid: NDArray[np.int32] | None, normal: NDArray[np.float64] | None = None) -> float:
    """Distance to the nearest geom along a ray, −1 for none."""
def mj_rayFlex(m: MjModel, d: MjData, flex_layer: int, flg_vert: int, flg_edge: int, flg_face: int, flg_skin: int, flexid: int, pnt: ArrayLike, vec: ArrayLike, vertid: NDArray[np.int32] | None = None, normal: NDArray[np.float64] | None = None) -> float:
    """Distance to the shown parts of a flex along a ray; the vertex nearest to a hit goes to `vertid`."""
def mj_rayHfield(m: MjModel, d: MjData, geomid: int, pnt: ArrayLike, vec: ArrayLike, normal: NDArray[np.float64] | None = None) -> float:
    """Distance to a height field along a ray."""
def mj_rayMesh(m: MjModel, d: MjData, geomid: int, pnt: ArrayLike, vec: ArrayLike, normal: NDArray[np.float64] | None = None) -> float:
    """Distance to a mesh along a ray."""
def mj_readCtrl(m: MjModel, d: MjData, id: int, time: float, interp: int) -> float:
    """Control of an actuator at a past time, from its buffer if it has one. `interp`: 0 holds, 1 linear, 2 cubic, -1 as the model says."""
def mj_referenceConstraint(m: MjModel, d: MjData) -> None:
    """Reference accelerations of the constraint rows."""
def mj_resetData(m: MjModel, d: MjData) -> None:
    """Reset to the reference configuration."""
def mj_resetDataKeyframe(m: MjModel, d: MjData, key: int) -> None:
    """Reset to keyframe `key`; a key that does not exist resets to the reference configuration."""
def mj_rne(m: MjModel, d: MjData, flg_acc: int, result: NDArray[np.float64]) -> None:
    """Forces for the accelerations of the data, or bias forces alone."""
def mj_rnePostConstraint(m: MjModel, d: MjData) -> None:
    """Body accelerations and interaction forces with constraints."""
def mj_saveLastXML(filename: _Path, m: MjModel) -> None:
    """Write the model as MJCF, with the files it refers to beside it."""
def mj_saveModel(m: MjModel, filename: _Path | None = None, buffer: NDArray[np.uint8] | None = None) -> None:
    """Write the model as a binary file."""
def mj_sensorAcc(m: MjModel, d: MjData) -> None:
    """Sensors that need accelerations and forces."""
def mj_sensorPos(m: MjModel, d: MjData) -> None:
    """Sensors that need positions."""
def mj_sensorVel(m: MjModel, d: MjData) -> None:
    """Sensors that need velocities."""
def mj_setConst(m: MjModel, d: MjData) -> None:
    """Recompute the constants that depend on the model's reference configuration after the model was edited. The data serves as workspace:
its `qpos` and what follows from it change; its velocities, inputs and time do not."""
def mj_setState(m: MjModel, d: MjData, state: ArrayLike, sig: int) -> None:
    """Copy `state` into the selected state."""
def mj_sizeModel(m: MjModel) -> int:
    """Bytes of the binary form of the model."""
def mj_solveM(m: MjModel, d: MjData, x: NDArray[np.float64], y: ArrayLike) -> None:
    """`x = M⁻¹ y`, row by row."""
def mj_solveM2(m: MjModel, d: MjData, x: NDArray[np.float64], y: ArrayLike, sqrtInvD: ArrayLike) -> None:
    """`x = sqrt(D⁻¹) L⁻ᵀ y`, row by row."""
def mj_stateSize(m: MjModel, sig: int) -> int:
    """Length of the state vector selected by `sig`."""
def mj_step(m: MjModel, d: MjData, nstep: int = 1) -> None:
    """Advance the simulation by `nstep` steps. Under the policy 'error', an invalid value raises a `NonFiniteError`."""
def mj_step1(m: MjModel, d: MjData) -> None:
    """First half of a step, before the controls are read."""
def mj_step2(m: MjModel, d: MjData) -> None:
    """Second half of a step."""
def mj_subtreeVel(m: MjModel, d: MjData) -> None:
    """Linear velocity and angular momentum of subtrees."""
def mj_tendon(m: MjModel, d: MjData) -> None:
    """Paths, lengths and Jacobians of tendons."""
def mj_transmission(m: MjModel, d: MjData) -> None:
    """Lengths and moment arms of actuators."""
def mjd_inverseFD(m: MjModel, d: MjData, eps: float, flg_actuation: int, DfDq: NDArray[np.float64] | None = None, DfDv: NDArray[np.float64] | None = None, DfDa: NDArray[np.float64] | None = None, DsDq: NDArray[np.float64] | None = None, DsDv: NDArray[np.float64] | None = None, DsDa: NDArray[np.float64] | None = None, DmDq: NDArray[np.float64] | None = None) -> None:
    """Jacobians of inverse dynamics; rows belong to the perturbed dof."""
def mjd_quatIntegrate(vel: ArrayLike, scale: float, Dquat: NDArray[np.float64], Dvel: NDArray[np.float64], Dscale: NDArray[np.float64]) -> None:
    """Derivatives of turning a quaternion with an angular velocity."""
def mjd_subQuat(qa: ArrayLike, qb: ArrayLike, Da: NDArray[np.float64] | None, Db: NDArray[np.float64] | None) -> None:
    """Derivatives of the rotation vector from `qb` to `qa`."""
def mjd_transitionFD(m: MjModel, d: MjData, eps: float, flg_centered: int, A: NDArray[np.float64] | None = None, B: NDArray[np.float64] | None = None, C: NDArray[np.float64] | None = None, D: NDArray[np.float64] | None = None) -> None:
    """Matrices of the linearised step: `x' = A x + B u`, `sensors = C x + D u`."""
def mjr_addAux(index: int, width: int, height: int, samples: int, con: MjrContext) -> None:
    """Adds an auxiliary picture, in place of the one of that number."""
def mjr_blitAux(index: int, src: MjrRect, left: int, bottom: int, con: MjrContext) -> None:
    """Copies a rectangle of an auxiliary picture to the offscreen one."""
def mjr_blitBuffer(src: MjrRect, dst: MjrRect, flg_color: int, flg_depth: int, con: MjrContext) -> None:
    """Copies between the window and the offscreen picture; there is no window, so nothing happens."""
def mjr_changeFont(fontscale: int, con: MjrContext) -> None:
    """Changes the size of text."""
def mjr_drawPixels(rgb: NDArray[np.uint8] | None, depth: NDArray[np.float32] | None, viewport: MjrRect, con: MjrContext) -> None:
    """Writes colours and depths from arrays into a rectangle."""
def mjr_figure(viewport: MjrRect, fig: MjvFigure, con: MjrContext) -> None:
    """Draws a 2D figure."""
def mjr_findRect(x: int, y: int, nrect: int, rect: MjrRect) -> int:
    """0 if a point lies in the rectangle, -1 if not."""
def mjr_finish() -> None:
    """Waits for drawing to finish; it always has."""
def mjr_getError() -> int:
    """The last error of OpenGL; there is none."""
def mjr_label(viewport: MjrRect, font: int, txt: str | bytes, r: float, g: float, b: float, a: float, rt: float, gt: float, bt: float, con: MjrContext) -> None:
    """Blends a rectangle with text in its middle over the picture."""
def mjr_maxViewport(con: MjrContext) -> MjrRect:
    """The largest rectangle of the picture that is drawn into."""
def mjr_overlay(font: int, gridpos: int, viewport: MjrRect, overlay: str | bytes, overlay2: str | bytes | None, con: MjrContext) -> None:
    """Writes one or two columns of text on a dark background."""
def mjr_readPixels(rgb: NDArray[np.uint8] | None, depth: NDArray[np.float32] | None, viewport: MjrRect, con: MjrContext) -> None:
    """Reads colours and depths of a rectangle into arrays; rows from the lowest up."""
def mjr_rectangle(viewport: MjrRect, r: float, g: float, b: float, a: float) -> None:
    """Blends a rectangle over the picture drawn into last."""
def mjr_render(viewport: MjrRect, scn: MjvScene, con: MjrContext) -> None:
    """Draws a scene."""
def mjr_resizeOffscreen(width: int, height: int, con: MjrContext) -> None:
    """Changes the size of the offscreen picture."""
def mjr_restoreBuffer(con: MjrContext) -> None:
    """Goes back to drawing into the offscreen picture."""
def mjr_setAux(index: int, con: MjrContext) -> None:
    """Draws into an auxiliary picture until the buffer is restored."""
def mjr_setBuffer(framebuffer: int, con: MjrContext) -> None:
    """Chooses the picture to draw into; the offscreen one is the only one there is."""
def mjr_text(font: int, txt: str | bytes, con: MjrContext, x: float, y: float, r: float, g: float, b: float) -> None:
    """Writes text at a place in parts of the last rectangle drawn."""
def mjr_uploadHField(m: MjModel, con: MjrContext, hfieldid: int) -> None:
    """Reads a height field of the model again."""
def mjr_uploadMesh(m: MjModel, con: MjrContext, meshid: int) -> None:
    """Reads a mesh of the model again."""
def mjr_uploadTexture(m: MjModel, con: MjrContext, texid: int) -> None:
    """Reads a texture of the model again."""
def mju_Halton(index: int, base: int) -> float:
    """Element of the Halton sequence."""
def mju_L1(vec: ArrayLike) -> float:
    """Sum of the magnitudes."""
def mju_add(res: NDArray[np.float64], vec1: ArrayLike, vec2: ArrayLike) -> None:
    """`res = vec1 + vec2`"""
def mju_add3(res: NDArray[np.float64], vec1: ArrayLike, vec2: ArrayLike) -> None:
    """`res = vec1 + vec2`"""
def mju_addScl(res: NDArray[np.float64], vec1: ArrayLike, vec2: ArrayLike, scl: float) -> None:
    """`res = vec1 + vec2 * scl`"""
def mju_addScl3(res: NDArray[np.float64], vec1: ArrayLike, vec2: ArrayLike, scl: float) -> None:
    """`res = vec1 + vec2 * scl`"""
def mju_addTo(res: NDArray[np.float64], vec: ArrayLike) -> None:
    """`res += vec`"""
def mju_addTo3(res: NDArray[np.float64], vec: ArrayLike) -> None:
    """`res += vec`"""
def mju_addToScl(res: NDArray[np.float64], vec: ArrayLike, scl: float) -> None:
    """`res += vec * scl`"""
def mju_addToScl3(res: NDArray[np.float64], vec: ArrayLike, scl: float) -> None:
    """`res += vec * scl`"""
def mju_axisAngle2Quat(res: NDArray[np.float64], axis: ArrayLike, angle: float) -> None:
    """Rotation about an axis."""
def mju_band2Dense(res: NDArray[np.float64], mat: ArrayLike, ntotal: int, nband: int, ndense: int, flg_sym: int) -> None:
    """Band matrix to dense matrix."""
def mju_bandDiag(i: int, ntotal: int, nband: int, ndense: int) -> int:
    """Address of diagonal element `i` in a band matrix."""
def mju_bandMulMatVec(res: NDArray[np.float64], mat: ArrayLike, vec: ArrayLike, ntotal: int, nband: int, ndense: int, nvec: int, flg_sym: int) -> None:
    """Band matrix times vector."""
def mju_boxQP(res: NDArray[np.float64], R: NDArray[np.float64], index: NDArray[np.int32] | None, H: ArrayLike, g: ArrayLike, lower: ArrayLike | None, upper: ArrayLike | None) -> int:
    """Minimise `0.5 x'Hx + x'g` in a box, from the starting point `res`; returns the number of free coordinates or -1."""
def mju_cholFactor(mat: NDArray[np.float64], mindiag: float) -> int:
    """Cholesky factorisation in place; returns the rank."""
def mju_cholFactorBand(mat: NDArray[np.float64], ntotal: int, nband: int, ndense: int, diagadd: float, diagmul: float) -> float:
    """Factorise a band matrix; returns the smallest pivot, or 0 if it is rank-deficient."""
def mju_cholSolve(res: NDArray[np.float64], mat: ArrayLike, vec: ArrayLike) -> None:
    """Solve with a Cholesky factor."""
def mju_cholSolveBand(res: NDArray[np.float64], mat: ArrayLike, vec: ArrayLike, ntotal: int, nband: int, ndense: int) -> None:
    """Solve with the factor of a band matrix."""
def mju_cholUpdate(mat: NDArray[np.float64], x: NDArray[np.float64], flg_plus: int) -> int:
    """Rank-one change of a Cholesky factor; `x` is used up. Returns the rank."""
def mju_clip(x: float, min: float, max: float) -> float:
    """`x` limited to the range from `min` to `max`."""
def mju_copy(res: NDArray[np.float64], vec: ArrayLike) -> None:
    """`res = vec`"""
def mju_copy3(res: NDArray[np.float64], data: ArrayLike) -> None:
    """`res = data`"""
def mju_copy4(res: NDArray[np.float64], data: ArrayLike) -> None:
    """`res = data`"""
def mju_cross(res: NDArray[np.float64], a: ArrayLike, b: ArrayLike) -> None:
    """Vector product."""
def mju_d2n(res: NDArray[np.float64], vec: ArrayLike) -> None:
    """`res = vec`"""
def mju_decodePyramid(force: NDArray[np.float64], pyramid: ArrayLike, mu: ArrayLike) -> None:
    """Pyramid to contact force. As in MuJoCo's module, the last friction direction is left out."""
def mju_dense2Band(res: NDArray[np.float64], mat: ArrayLike, ntotal: int, nband: int, ndense: int) -> None:
    """Dense matrix to band matrix."""
def mju_dense2sparse(res: NDArray[np.float64], mat: ArrayLike, rownnz: NDArray[np.int32], rowadr: NDArray[np.int32], colind: NDArray[np.int32]) -> int:
    """Dense matrix to compressed rows; returns 1 if there is not enough room, else 0."""
def mju_derivQuat(res: NDArray[np.float64], quat: ArrayLike, vel: ArrayLike) -> None:
    """Time derivative of a quaternion."""
def mju_dist3(pos1: ArrayLike, pos2: ArrayLike) -> float:
    """Distance."""
def mju_dot(vec1: ArrayLike, vec2: ArrayLike) -> float:
    """Scalar product."""
def mju_dot3(vec1: ArrayLike, vec2: ArrayLike) -> float:
    """Scalar product."""
def mju_eig3(eigval: NDArray[np.float64], eigvec: NDArray[np.float64], quat: NDArray[np.float64], mat: ArrayLike) -> int:
    """Eigenvalues and principal axes of a symmetric 3×3 matrix; returns the number of iterations."""
def mju_encodePyramid(pyramid: NDArray[np.float64], force: ArrayLike, mu: ArrayLike) -> None:
    """Contact force to pyramid. As in MuJoCo's module, the last friction direction is left out."""
def mju_euler2Quat(quat: NDArray[np.float64], euler: ArrayLike, seq: str | bytes) -> None:
    """Quaternion of three rotations about the axes `seq`: lower case moving, upper case fixed."""
def mju_eye(mat: NDArray[np.float64]) -> None:
    """Identity."""
def mju_f2n(res: NDArray[np.float64], vec: ArrayLike) -> None:
    """Single to double precision."""
def mju_fill(res: NDArray[np.float64], val: float) -> None:
    """`res = val`"""
def mju_insertionSort(list: NDArray[np.float64]) -> None:
    """Sort in increasing order."""
def mju_insertionSortInt(list: NDArray[np.int32]) -> None:
    """Sort in increasing order."""
def mju_isBad(x: float) -> int:
    """1 if `x` is NaN or larger in magnitude than 1e10, else 0."""
def mju_isZero(vec: ArrayLike) -> int:
    """1 if every element is zero, else 0."""
def mju_mat2Quat(quat: NDArray[np.float64], mat: ArrayLike) -> None:
    """Rotation matrix to quaternion."""
def mju_mat2Rot(quat: NDArray[np.float64], mat: ArrayLike) -> int:
    """Refine `quat` to the rotational part of a matrix; returns the number of iterations."""
def mju_max(a: float, b: float) -> float:
    """The larger number."""
def mju_min(a: float, b: float) -> float:
    """The smaller number."""
def mju_mulMatMat(res: NDArray[np.float64], mat1: ArrayLike, mat2: ArrayLike) -> None:
    """`res = mat1 @ mat2`"""
def mju_mulMatMatT(res: NDArray[np.float64], mat1: ArrayLike, mat2: ArrayLike) -> None:
    """`res = mat1 @ mat2.T`"""
def mju_mulMatTMat(res: NDArray[np.float64], mat1: ArrayLike, mat2: ArrayLike) -> None:
    """`res = mat1.T @ mat2`"""
def mju_mulMatTVec(res: NDArray[np.float64], mat: ArrayLike, vec: ArrayLike) -> None:
    """`res = mat.T @ vec`"""
def mju_mulMatTVec3(res: NDArray[np.float64], mat: ArrayLike, vec: ArrayLike) -> None:
    """`res = mat.T @ vec` for a 3×3 matrix."""
def mju_mulMatVec(res: NDArray[np.float64], mat: ArrayLike, vec: ArrayLike) -> None:
    """`res = mat @ vec`"""
def mju_mulMatVec3(res: NDArray[np.float64], mat: ArrayLike, vec: ArrayLike) -> None:
    """`res = mat @ vec` for a 3×3 matrix."""
def mju_mulPose(posres: NDArray[np.float64], quatres: NDArray[np.float64], pos1: ArrayLike, quat1: ArrayLike, pos2: ArrayLike, quat2: ArrayLike) -> None:
    """Compose two poses."""
def mju_mulQuat(res: NDArray[np.float64], quat1: ArrayLike, quat2: ArrayLike) -> None:
    """Product of quaternions."""
def mju_mulQuatAxis(res: NDArray[np.float64], quat: ArrayLike, axis: ArrayLike) -> None:
    """Product of a quaternion and a vector."""
def mju_mulVecMatVec(vec1: ArrayLike, mat: ArrayLike, vec2: ArrayLike) -> float:
    """`vec1 @ mat @ vec2`"""
def mju_muscleBias(len: float, lengthrange: ArrayLike, acc0: float, prm: ArrayLike) -> float:
    """Passive muscle force."""
def mju_muscleDynamics(ctrl: float, act: float, prm: ArrayLike) -> float:
    """Rate of change of the activation."""
def mju_muscleGain(len: float, vel: float, lengthrange: ArrayLike, acc0: float, prm: ArrayLike) -> float:
    """Active muscle force."""
def mju_n2d(res: NDArray[np.float64], vec: ArrayLike) -> None:
    """`res = vec`"""
def mju_n2f(res: NDArray[np.float32], vec: ArrayLike) -> None:
    """Double to single precision."""
def mju_negPose(posres: NDArray[np.float64], quatres: NDArray[np.float64], pos: ArrayLike, quat: ArrayLike) -> None:
    """Invert a pose."""
def mju_negQuat(res: NDArray[np.float64], quat: ArrayLike) -> None:
    """The inverse rotation."""
def mju_norm(res: ArrayLike) -> float:
    """Length."""
def mju_norm3(vec: ArrayLike) -> float:
    """Length."""
def mju_normalize(res: NDArray[np.float64]) -> float:
    """Normalise in place and return the former length."""
def mju_normalize3(vec: NDArray[np.float64]) -> float:
    """Normalise in place and return the former length."""
def mju_normalize4(vec: NDArray[np.float64]) -> float:
    """Normalise in place and return the former length."""
def mju_quat2Mat(res: NDArray[np.float64], quat: ArrayLike) -> None:
    """Quaternion to rotation matrix."""
def mju_quat2Vel(res: NDArray[np.float64], quat: ArrayLike, dt: float) -> None:
    """Angular velocity that makes a rotation in the time `dt`."""
def mju_quatIntegrate(quat: NDArray[np.float64], vel: ArrayLike, scale: float) -> None:
    """Turn a quaternion with an angular velocity for the time `scale`."""
def mju_quatZ2Vec(quat: NDArray[np.float64], vec: ArrayLike) -> None:
    """Rotation that takes the z axis to `vec`."""
def mju_rayGeom(pos: ArrayLike, mat: ArrayLike, size: ArrayLike, pnt: ArrayLike, vec: ArrayLike, geomtype: int, normal: NDArray[np.float64] | None = None) -> float:
    """Distance to a primitive shape along a ray."""
def mju_rotVecQuat(res: NDArray[np.float64], vec: ArrayLike, quat: ArrayLike) -> None:
    """Rotate a vector by a quaternion."""
def mju_round(x: float) -> int:
    """Nearest integer."""
def mju_scl(res: NDArray[np.float64], vec: ArrayLike, scl: float) -> None:
    """`res = vec * scl`"""
def mju_scl3(res: NDArray[np.float64], vec: ArrayLike, scl: float) -> None:
    """`res = vec * scl`"""
def mju_sigmoid(x: float) -> float:
    """Smooth step from 0 to 1."""
def mju_sign(x: float) -> float:
    """-1, 0 or 1."""
def mju_sparse2dense(res: NDArray[np.float64], mat: ArrayLike, rownnz: ArrayLike, rowadr: ArrayLike, colind: ArrayLike) -> None:
    """Compressed rows to dense matrix."""
def mju_springDamper(pos0: float, vel0: float, Kp: float, Kv: float, dt: float) -> float:
    """Position of a damped spring after the time `dt`."""
def mju_sqrMatTD(res: NDArray[np.float64], mat: ArrayLike, diag: ArrayLike | None) -> None:
    """`res = mat.T @ diag(diag) @ mat`, or `mat.T @ mat` without `diag`."""
def mju_sub(res: NDArray[np.float64], vec1: ArrayLike, vec2: ArrayLike) -> None:
    """`res = vec1 - vec2`"""
def mju_sub3(res: NDArray[np.float64], vec1: ArrayLike, vec2: ArrayLike) -> None:
    """`res = vec1 - vec2`"""
def mju_subFrom(res: NDArray[np.float64], vec: ArrayLike) -> None:
    """`res -= vec`"""
def mju_subFrom3(res: NDArray[np.float64], vec: ArrayLike) -> None:
    """`res -= vec`"""
def mju_subQuat(res: NDArray[np.float64], qa: ArrayLike, qb: ArrayLike) -> None:
    """Rotation vector from `qb` to `qa`."""
def mju_sum(vec: ArrayLike) -> float:
    """Sum of the elements."""
def mju_symmetrize(res: NDArray[np.float64], mat: ArrayLike) -> None:
    """`res = (mat + mat.T) / 2`"""
def mju_transformSpatial(res: NDArray[np.float64], vec: ArrayLike, flg_force: int, newpos: ArrayLike, oldpos: ArrayLike, rotnew2old: ArrayLike) -> None:
    """Move a motion or force vector to another point and frame."""
def mju_transpose(res: NDArray[np.float64], mat: ArrayLike) -> None:
    """`res = mat.T`"""
def mju_trnVecPose(res: NDArray[np.float64], pos: ArrayLike, quat: ArrayLike, vec: ArrayLike) -> None:
    """Transform a vector by a pose."""
def mju_unit4(res: NDArray[np.float64]) -> None:
    """`res = (1, 0, 0, 0)`"""
def mju_zero(res: NDArray[np.float64]) -> None:
    """`res = 0`"""
def mju_zero3(res: NDArray[np.float64]) -> None:
    """`res = 0`"""
def mju_zero4(res: NDArray[np.float64]) -> None:
    """`res = 0`"""
def mjv_addGeoms(m: MjModel, d: MjData, opt: MjvOption, pert: MjvPerturb, catmask: int, scn: MjvScene) -> None:
    """Append the elements of the categories in a mask."""
def mjv_alignToCamera(res: NDArray[np.float64], vec: ArrayLike, forward: ArrayLike) -> None:
    """Turn a vector about the vertical axis with the camera."""
def mjv_applyPerturbForce(m: MjModel, d: MjData, pert: MjvPerturb) -> None:
    """Set the force and torque of a spring that pulls the selected body to the reference pose."""
def mjv_applyPerturbPose(m: MjModel, d: MjData, pert: MjvPerturb, flg_paused: int) -> None:
    """Move the selected body to the reference pose."""
def mjv_averageCamera(cam1: MjvGLCamera, cam2: MjvGLCamera) -> MjvGLCamera:
    """The camera between two."""
def mjv_cameraFrame(headpos: NDArray[np.float64], forward: NDArray[np.float64], up: NDArray[np.float64], right: NDArray[np.float64], d: MjData, cam: MjvCamera) -> None:
    """Position and axes of a camera."""
def mjv_cameraFrustum(zver: NDArray[np.float32], zhor: NDArray[np.float32], zclip: NDArray[np.float32], m: MjModel, cam: MjvCamera) -> None:
    """What a camera sees at its near clipping distance."""
def mjv_cameraInModel(headpos: NDArray[np.float64], forward: NDArray[np.float64], up: NDArray[np.float64], scn: MjvScene) -> None:
    """Position, forward and up of the camera between both eyes, in the model."""
def mjv_cameraInRoom(headpos: NDArray[np.float64], forward: NDArray[np.float64], up: NDArray[np.float64], scn: MjvScene) -> None:
    """Position, forward and up of the camera between both eyes, in the room."""
def mjv_connector(geom: MjvGeom, type: int, width: float, from_: ArrayLike, to: ArrayLike) -> None:
    """Make an element go from one point to another."""
def mjv_defaultCamera(cam: MjvCamera) -> None:
    """Set a camera to its default."""
def mjv_defaultFigure(fig: MjvFigure) -> None:
    """Set a figure to its default."""
def mjv_defaultFreeCamera(m: MjModel, cam: MjvCamera) -> None:
    """Set a camera to the free camera of a model."""
def mjv_defaultOption(opt: MjvOption) -> None:
    """Set options to their defaults."""
def mjv_defaultPerturb(pert: MjvPerturb) -> None:
    """Set a perturbation to its default."""
def mjv_frustumHeight(scn: MjvScene) -> float:
    """Height of the view at distance 1."""
def mjv_initGeom(geom: MjvGeom, type: int, size: ArrayLike, pos: ArrayLike, mat: ArrayLike, rgba: ArrayLike) -> None:
    """Set shape, size, pose and colour of an element."""
def mjv_initPerturb(m: MjModel, d: MjData, scn: MjvScene, pert: MjvPerturb) -> None:
    """Start a perturbation of the selected body."""
def mjv_makeLights(m: MjModel, d: MjData, scn: MjvScene) -> None:
    """Fill the list of lights."""
def mjv_model2room(roompos: NDArray[np.float64], roomquat: NDArray[np.float64], modelpos: ArrayLike, modelquat: ArrayLike, scn: MjvScene) -> None:
    """A pose in the model as a pose in the room."""
def mjv_moveCamera(m: MjModel, action: int, reldx: float, reldy: float, scn: MjvScene, cam: MjvCamera) -> None:
    """Move a camera with the mouse."""
def mjv_moveModel(m: MjModel, action: int, reldx: float, reldy: float, roomup: ArrayLike, scn: MjvScene) -> None:
    """Move the model in the room with the mouse."""
def mjv_movePerturb(m: MjModel, d: MjData, action: int, reldx: float, reldy: float, scn: MjvScene, pert: MjvPerturb) -> None:
    """Move the reference pose of a perturbation with the mouse."""
def mjv_room2model(modelpos: NDArray[np.float64], modelquat: NDArray[np.float64], roompos: ArrayLike, roomquat: ArrayLike, scn: MjvScene) -> None:
    """A pose in the room as a pose in the model."""
def mjv_select(m: MjModel, d: MjData, vopt: MjvOption, aspectratio: float, relx: float, rely: float, scn: MjvScene, selpnt: NDArray[np.float64], geomid: NDArray[np.int32], flexid: NDArray[np.int32], skinid: NDArray[np.int32]) -> int:
    """Body under the cursor, −1 for none."""
def mjv_updateCamera(m: MjModel, d: MjData, cam: MjvCamera, scn: MjvScene) -> None:
    """Set the cameras of a scene."""
def mjv_updateScene(m: MjModel, d: MjData, opt: MjvOption, pert: MjvPerturb | None, cam: MjvCamera, catmask: int, scn: MjvScene) -> None:
    """Make the whole scene anew."""
def mjv_updateSkin(m: MjModel, d: MjData, scn: MjvScene) -> None:
    """Update the vertices of all skins of the first groups."""
def muscle_curves(m: MjModel, actuator: int | str) -> dict[str, Any]:
    """Parameters and curves of an actuator that is a muscle, standard or of Hill's type. `parameters` maps a name to value, unit and
meaning; `diagrams` is a list with the labels `x` and `y` and `curves`, which maps a name to an array of points."""
def muscle_state(m: MjModel, d: MjData, actuator: int | str) -> dict[str, Any]:
    """The state of a Hill-type muscle after `mj_forward` or a step: lengths in m, velocity in m/s, forces in N, pennation in rad."""
def set_mjcb_act_bias(callback: Callable[[MjModel, MjData, int], float] | None) -> None:
    """Set the function `f(model, data, actuator)` that gives the bias, or remove it with `None`."""
def set_mjcb_act_dyn(callback: Callable[[MjModel, MjData, int], float] | None) -> None:
    """Set the function `f(model, data, actuator)` that gives the rate of activation, or remove it with `None`."""
def set_mjcb_act_gain(callback: Callable[[MjModel, MjData, int], float] | None) -> None:
    """Set the function `f(model, data, actuator)` that gives the gain, or remove it with `None`."""
def set_mjcb_contactfilter(callback: Callable[[MjModel, MjData, int, int], object] | None) -> None:
    """Set the function `f(model, data, geom1, geom2)` that is true for pairs to leave out, or remove it with `None`."""
def set_mjcb_control(callback: Callable[[MjModel, MjData], object] | None) -> None:
    """Set the function `f(model, data)` that sets controls, or remove it with `None`."""
def set_mjcb_passive(callback: Callable[[MjModel, MjData], object] | None) -> None:
    """Set the function `f(model, data)` that adds to `qfrc_passive`, or remove it with `None`."""
def set_mjcb_sensor(callback: Callable[[MjModel, MjData, int], object] | None) -> None:
    """Set the function `f(model, data, stage)` that writes user sensors into `sensordata`, or remove it with `None`."""
def set_mjcb_time(callback: Callable[[], float] | None) -> None:
    """Set the function `f()` that tells the time, in any unit, for `data.timer`, or remove it with `None`."""
