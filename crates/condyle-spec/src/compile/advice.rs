//! Help lines for problems whose message says what is wrong but not what to do.

/// What to do about a problem, by a phrase of its message.
const ADVICE: [(&str, &str); 47] = [
    (
        "range[0] should be smaller than range[1]",
        "give the lower end first, or limited=\"false\" for no limit",
    ),
    ("fovy", "fovy is the vertical field of view in degrees"),
    ("error decoding PNG", "the file is damaged or no PNG image; export it again"),
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
    ("ball joint followed by a rotation", "three rotations are all there are; remove the hinge or the ball"),
    ("free joint can only", "put the free joint alone in a body directly below <worldbody>"),
    ("springdamper values must be positive", "give the time constant and the damping ratio, or leave it out"),
    ("range[0] should be 0 in ball joint", "the range of a ball joint is \"0 ANGLE\": the largest rotation"),
    (
        "mocap body is not a fixed child",
        "put the mocap body directly below <worldbody> and remove its joints",
    ),
    ("not allowed in site", "use sphere, capsule, ellipsoid, cylinder or box"),
    ("zero direction", "give a direction such as dir=\"0 0 -1\""),
];

/// Help for a problem without help of its own.
pub(crate) fn advice(message: &str) -> Option<&'static str> {
    ADVICE.iter().find(|(phrase, _)| message.contains(phrase)).map(|&(_, help)| help)
}
