"""Constants, with the names and values of MuJoCo's Python module."""

import math as _math

#: Most contacts of a pair of geoms.
mjMAXCONPAIR = 50
#: Most nodes of an interpolated flex per body.
mjMAXFLEXNODES = 27
#: Largest impedance.
mjMAXIMP = 0.9999
#: Smallest impedance.
mjMINIMP = 0.0001
#: Most lights of a scene.
mjMAXLIGHT = 100
#: Most lines of a figure.
mjMAXLINE = 100
#: Most points of a line of a figure.
mjMAXLINEPNT = 1001
#: Most characters of an overlay.
mjMAXOVERLAY = 500
#: Most divisions of a drawn plane.
mjMAXPLANEGRID = 200
#: Depth of bounding-volume trees in drawings.
mjMAXTREEDEPTH = 50
#: Larger numbers are invalid in a state.
mjMAXVAL = 10000000000.0
#: Steps a tree stays awake at least.
mjMINAWAKE = 10
#: Smallest coefficient of friction.
mjMINMU = 1e-05
#: Smaller divisors count as zero.
mjMINVAL = 1e-15
#: Bias parameters of an actuator.
mjNBIAS = 10
#: Activation parameters of an actuator.
mjNDYN = 10
#: Gain parameters of an actuator.
mjNGAIN = 10
#: Numbers of an equality constraint.
mjNEQDATA = 11
#: Fluid coefficients of a geom.
mjNFLUID = 12
#: Visibility groups.
mjNGROUP = 6
#: Numbers of an impedance.
mjNIMP = 5
#: Numbers of a reference acceleration.
mjNREF = 2
#: Islands with solver statistics.
mjNISLAND = 20
#: Integer parameters of a sensor.
mjNSENS = 3
#: Solver iterations with statistics, per island.
mjNSOLVER = 200
mjPI = _math.pi
#: Version of MuJoCo whose interface this is.
mjVERSION_HEADER = 3005000

#: Names of the flags that switch something off.
mjDISABLESTRING = (
    "Constraint",
    "Equality",
    "Frictionloss",
    "Limit",
    "Contact",
    "Spring",
    "Damper",
    "Gravity",
    "Clampctrl",
    "Warmstart",
    "Filterparent",
    "Actuation",
    "Refsafe",
    "Sensor",
    "Midphase",
    "Eulerdamp",
    "AutoReset",
    "NativeCCD",
    "Island",
)
#: Names of the flags that switch something on.
mjENABLESTRING = (
    "Override",
    "Energy",
    "Fwdinv",
    "InvDiscrete",
    "MultiCCD",
    "Sleep",
)
#: Names of frames to draw.
mjFRAMESTRING = (
    "None",
    "Body",
    "Geom",
    "Site",
    "Camera",
    "Light",
    "Contact",
    "World",
)
#: Names of what to label.
mjLABELSTRING = (
    "None",
    "Body",
    "Joint",
    "Geom",
    "Site",
    "Camera",
    "Light",
    "Tendon",
    "Actuator",
    "Constraint",
    "Flex",
    "Skin",
    "Selection",
    "SelPoint",
    "Contact",
    "ContactForce",
    "Island",
)
#: Names of the timers.
mjTIMERSTRING = (
    "step",
    "forward",
    "inverse",
    "position",
    "velocity",
    "actuation",
    "constraint",
    "advance",
    "pos_kinematics",
    "pos_inertia",
    "pos_collision",
    "pos_make",
    "pos_project",
    "col_broadphase",
    "col_narrowphase",
)
#: Switches of the renderer: name, first value, key.
mjRNDSTRING = (
    ("Shadow", "1", "S"),
    ("Wireframe", "0", "W"),
    ("Reflection", "1", "R"),
    ("Additive", "0", "L"),
    ("Skybox", "1", "K"),
    ("Fog", "0", "G"),
    ("Haze", "1", "/"),
    ("Depth", "0", ""),
    ("Segment", "0", ","),
    ("Id Color", "0", ""),
    ("Cull Face", "1", ""),
)
#: Switches of the scene: name, first value, key.
mjVISSTRING = (
    ("Convex Hull", "0", "H"),
    ("Texture", "1", "X"),
    ("Joint", "0", "J"),
    ("Camera", "0", "Q"),
    ("Actuator", "0", "U"),
    ("Activation", "0", ","),
    ("Light", "0", "Z"),
    ("Tendon", "1", "V"),
    ("Range Finder", "1", "Y"),
    ("Equality", "0", "E"),
    ("Inertia", "0", "I"),
    ("Scale Inertia", "0", "'"),
    ("Perturb Force", "0", "B"),
    ("Perturb Object", "1", "O"),
    ("Contact Point", "0", "C"),
    ("Island", "0", "N"),
    ("Contact Force", "0", "F"),
    ("Contact Split", "0", "P"),
    ("Transparent", "0", "T"),
    ("Auto Connect", "0", "A"),
    ("Center of Mass", "0", "M"),
    ("Select Point", "0", ""),
    ("Static Body", "1", "D"),
    ("Skin", "1", ";"),
    ("Flex Vert", "0", ""),
    ("Flex Edge", "1", ""),
    ("Flex Face", "0", ""),
    ("Flex Skin", "1", ""),
    ("Body Tree", "0", "`"),
    ("Mesh Tree", "0", "\\"),
    ("SDF iters", "0", ""),
)
