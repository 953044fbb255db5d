//! Help lines for problems whose message says what is wrong but not what to do.

use super::problems::{
    ASSET, INERTIA, KEYFRAME, LIMIT, NAME, ORIENTATION, REFERENCE, STRUCTURE, TOO_LARGE, VALUE,
};

/// What to do about a problem, by a phrase of its message; the first phrase that fits counts.
const ADVICE: &[(&str, &str)] = &[
    (
        "range[0] should be smaller than range[1]",
        "give the lower end first, or limited=\"false\" for no limit",
    ),
    ("fovy", "fovy is the vertical field of view in degrees"),
    ("error decoding PNG", "the file is damaged or not a PNG image; export it again"),
    ("condim is", "1 is frictionless, 3 adds sliding, 4 torsional and 6 rolling friction"),
    ("axis is too small", "give a direction such as axis=\"0 0 1\""),
    ("spatial path must contain at least two objects", "add the sites the tendon runs through"),
    ("path cannot be empty", "add the joints or sites of the tendon"),
    ("missing transmission target", "give one of joint, jointinparent, tendon, site, cranksite or body"),
    ("actrange specified but dyntype is 'none'", "set dyntype, or remove actrange"),
    ("missing base site", "give slidersite as well as cranksite"),
    ("crank length must be positive", "give cranklength, the length of the rod between the two sites"),
    ("range[0] < range[1] required", "give the lower end first"),
    ("lmin < 1 < lmax required", "lengths are relative to the optimal fibre length, which is 1"),
    ("required in muscle", "leave the value out to use its default"),
    ("cannot flip KTX", "remove hflip and vflip, or convert the image to PNG"),
    ("specified from file and manually", "remove the file or the inline data"),
    ("both skin data and file", "remove the file or the inline data"),
    ("unknown skin file type", "export the skin as .skn, or write it in the model"),
    ("mesh geom must have a mesh", "add mesh=\"…\" with the name of a <mesh> asset"),
    ("belong together", "set type=\"hfield\" and hfield=\"…\" on the geom"),
    ("plane only allowed in static bodies", "use a thin box, or put the plane in a body without joints"),
    ("fromto cannot be used", "use pos and quat to place a mesh"),
    (
        "mass, inertia or density are negative",
        "leave mass out to compute it from density, 1000 kg/m³ by default",
    ),
    ("mass and inertia cannot be negative", "leave <inertial> out to compute it from the geoms"),
    ("cannot be inside a body", "remove the parent of the world"),
    ("size cannot be zero", "give size or data"),
    ("text cannot be empty", "give data a value, or remove the element"),
    ("tuple is empty", "add an <element> to it"),
    ("cutoff cannot be applied", "remove cutoff"),
    ("missing name of sensorized object", "say which object the sensor measures"),
    ("missing name of reference object", "give refname as well as reftype"),
    ("negative noise", "noise is a standard deviation; it has no effect on the simulation"),
    ("width must be positive", "the width is the radius the tendon is drawn with, in metres"),
    ("springlength must not decrease", "give the lower end of the dead band first"),
    ("pulley has negative divisor", "the divisor is the number of branches after the pulley"),
    ("fromto requires", "set type to one of these, or use pos and size"),
    ("both pos and fromto", "remove pos: the end points say where the shape is"),
    ("fromto points are too close", "give six numbers: both end points"),
    ("frame is inside itself", "move the frame out of itself"),
    ("cannot both be specified", "keep one of the two"),
    (
        "ball joint followed by a rotation",
        "a ball joint already has all three rotations; remove the hinge or the ball",
    ),
    ("free joint can only", "put the free joint alone in a body directly below <worldbody>"),
    ("springdamper values must be positive", "give the time constant and the damping ratio, or leave it out"),
    ("range[0] should be 0 in ball joint", "the range of a ball joint is \"0 ANGLE\": the largest rotation"),
    (
        "mocap body is not a fixed child",
        "put the mocap body directly below <worldbody> and remove its joints",
    ),
    ("not allowed in site", "use sphere, capsule, ellipsoid, cylinder or box"),
    ("zero direction", "give a direction such as dir=\"0 0 -1\""),
    ("is not smaller than", "give the lower end first"),
    ("needs a history buffer", "give nsample, the number of past values to keep, as well as delay"),
    ("samples in history buffer", "lower nsample; a delay needs one sample for each time step it covers"),
    (
        "samples in sensor history buffer",
        "lower nsample; a delay needs one sample for each time step it covers",
    ),
    ("invalid transmission type", "give one of joint, jointinparent, tendon, site, cranksite or body"),
    ("inheritrange is only available", "use <position> or <intvelocity>, or give ctrlrange instead"),
    ("inheritrange can only be used", "give ctrlrange instead of inheritrange"),
    ("has no range", "give the joint or tendon a range, or the actuator a ctrlrange"),
    ("actdim > 1 is only allowed", "leave actdim out: the dynamics decides it"),
    ("in stateless actuator", "leave actdim out, or give a dyntype that has an activation"),
    ("in stateful actuator", "leave actdim out: the dynamics decides it"),
    ("texture has", "the data must hold width × height × nchannel bytes"),
    ("unsupported content type", "leave content_type out, so that the end of the file name decides"),
    (
        "size parameters must be positive",
        "size holds half the width, half the depth, the height and the thickness of the base, in metres",
    ),
    ("elevation has", "give nrow × ncol elevations, row by row"),
    (
        "would take more than",
        "shorten inttotal or lengthen timestep in <compiler><lengthrange/></compiler>, or give lengthrange to the actuators",
    ),
    ("invalid type in geom", "use plane, hfield, sphere, capsule, ellipsoid, cylinder, box, mesh or sdf"),
    ("invalid type in site", "use sphere, capsule, ellipsoid, cylinder or box"),
    ("invalid type in equality", "use connect, weld, joint, tendon, flex or flexvert"),
    ("nan size", "give numbers in size"),
    ("cannot be fitted to a mesh", "use sphere, capsule, ellipsoid, cylinder, box or mesh"),
    (
        "inertia should be specified in the mesh asset",
        "write inertia=\"shell\" in the <mesh>, and remove shellinertia here",
    ),
    (
        "inertia must have positive eigenvalues",
        "check fullinertia: xx, yy, zz, xy, xz, yz about the centre of mass",
    ),
    (
        "inertia must satisfy",
        "no moment of inertia can exceed the sum of the other two; balanceinertia=\"true\" in <compiler> corrects it",
    ),
    (
        "larger than 1e-15",
        "give the body a geom or an <inertial>, or set boundmass and boundinertia in <compiler>",
    ),
    ("neither 'plugin' nor 'instance'", "name the plugin, or an instance declared in <extension>"),
    ("unrecognized plugin", "declare it: <extension><plugin plugin=\"…\"/></extension>"),
    ("axisangle too small", "give an axis with a length, then the angle"),
    ("axis too small", "give a direction that is not zero"),
    ("cross(xaxis, yaxis) too small", "the two axes must not be parallel"),
    ("euler sequence", "write three letters, such as eulerseq=\"xyz\"; capitals turn about fixed axes"),
    ("support only sites and bodies", "give body1 and body2, or site1 and site2"),
    (
        "is repeated in equality constraint",
        "tie two different elements together, or leave the second one out",
    ),
    (
        "only hinge and slide joints are allowed",
        "joints with several degrees of freedom are held by connect or weld",
    ),
    ("smaller than the", "raise size, or delete values"),
    ("at most", "make the model smaller"),
    ("sensor has no object", "say which object the sensor measures"),
    ("sensor must be attached to site or camera", "name a site or a camera"),
    ("sensor must be attached to site", "name a site; add one to the body where there is none"),
    ("sensor must be attached to joint", "name a joint"),
    ("sensor must be attached to tendon", "name a tendon"),
    ("sensor must be attached to actuator", "name an actuator"),
    ("sensor must be attached to body or geom", "name a body or a geom"),
    ("sensor must be attached to body", "name a body"),
    ("(x)body, geom", "xbody is the frame of a body, body the frame of its inertia"),
    ("sensor must be associated", "name the object with its own attribute"),
    ("camera resolution", "give the camera a resolution, in pixels"),
    ("joint must be slide or hinge", "for a ball joint use <ballquat> or <ballangvel>"),
    ("joint must be ball", "for a hinge or slide use <jointpos> or <jointvel>"),
    ("joint must be limited", "give the joint a range"),
    ("tendon must be limited", "give the tendon a range"),
    ("must be a Hill-type muscle", "fibre sensors belong to <hillmuscle> actuators"),
    ("sensor dim must be non-negative", "dim is how many numbers the sensor writes"),
    ("requires dim=", "change dim or datatype"),
    ("must be different from", "measure between two different bodies or geoms"),
    ("height fields are not supported", "measure to another geom"),
    ("negative cutoff", "the cutoff is a magnitude; 0 switches it off"),
    ("negative interval", "the interval is the time between readings in seconds, then the phase"),
    (
        "positive phase",
        "the phase lies between minus the period and 0: how long before time 0 the sensor was last read",
    ),
    (
        "phase must be greater",
        "the phase lies between minus the period and 0: how long before time 0 the sensor was last read",
    ),
    ("must choose some of", "name the fields in data, such as data=\"found force\""),
    ("matching criterion", "leave it out to match everything"),
    ("unknown reduction", "use none, mindist, maxforce or netforce"),
    ("num must be positive", "num is how many contacts are reported"),
    ("the model is too large", "split the kinematic tree, or remove degrees of freedom"),
    ("bytes", "make the model smaller: fewer elements, smaller assets, or a smaller <size memory>"),
    ("must contain zero, but is", "the first number is negative or zero, the second positive or zero"),
    ("is not sphere or cylinder", "tendons wrap around spheres and cylinders only"),
    ("spatial object found in fixed path", "use <spatial> for sites and geoms, <fixed> for joints"),
    ("joint found in spatial path", "use <fixed> for joints, <spatial> for sites and geoms"),
    ("armature cannot be negative", "armature is a mass, in kg"),
    ("consecutive pulleys", "put a site between the pulleys, or delete one"),
    ("path ends with pulley", "add the sites of the branch after the pulley, or delete the pulley"),
    ("needs a neighbor", "every branch needs two sites or more"),
    ("site is repeated", "delete one of the two"),
    ("not bracketed by sites", "put a site before and after the geom"),
    ("geom wrapping is not supported", "remove the armature, or the geoms from the path"),
    ("limited'", "add it, or set autolimits=\"true\" in <compiler>"),
    ("user has", "raise the size in <size>, or remove it so that it is computed"),
    ("plane size(3)", "the third number is the spacing of the grid lines in metres"),
    ("must be positive, but is", "sizes are radii and half lengths, in metres"),
    ("joint found in world body", "put the joint inside a <body>"),
    ("focal and principal require", "give sensorsize, the width and height of the image sensor in metres"),
    ("requires positive resolution", "give resolution, the width and height of the image in pixels"),
    ("repeated name", "give one of the two another name"),
    ("invalid", "give as many numbers as the model has, or leave the attribute out"),
    ("sleep policy only allowed", "give sleep to the first body of a tree that can move"),
    ("fusing static body inertias", "check the inertia of the body, or set fusestatic=\"false\""),
    ("inertia of its geoms", "check the sizes and masses of its geoms"),
    ("cannot be negative", "give zero or a positive number"),
    ("must follow one another", "put each body of the cable inside the one before it"),
    ("no actuator uses this plugin", "name the instance in an actuator, or remove it"),
    ("is not a number", "write a plain number, without a unit"),
    ("touch grid must be attached", "give the sensor objtype=\"site\" and the name of a site in objname"),
    ("has actdim", "the number of activation variables follows from the settings of the plugin"),
];

/// What to do about a problem of a kind, where nothing more is known about it.
fn in_general(code: &str) -> &'static str {
    match code {
        NAME => "give every element of a kind a name of its own",
        REFERENCE => "check the spelling of the name",
        VALUE => "check the value given here and in the default class",
        INERTIA => "check masses and inertias of the body and its geoms",
        STRUCTURE => "check where the element is placed",
        ORIENTATION => "check the numbers of the orientation",
        LIMIT => "give the lower end first, or no range",
        ASSET => "check that the file is whole, and export it again if it is not",
        KEYFRAME => "give as many numbers as the model has, or leave the attribute out",
        TOO_LARGE => "make the model smaller",
        _ => {
            "check the masses, inertias, positions and settings of the model for numbers that are not finite"
        }
    }
}

/// Help for a problem without help of its own.
pub(crate) fn advice(code: &str, message: &str) -> &'static str {
    ADVICE.iter().find(|(phrase, _)| message.contains(phrase)).map_or_else(|| in_general(code), |row| row.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_phrase_can_be_reached() {
        for (phrase, help) in ADVICE {
            assert_eq!(advice(VALUE, phrase), *help, "{phrase}");
        }
        assert_eq!(advice(NAME, "something new"), in_general(NAME));
    }
}
