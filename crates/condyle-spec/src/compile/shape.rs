//! Sizes of the shapes of geoms and sites, and shapes given by their end points.

use condyle_asset::principal::{EPS, normalize_slice};
use condyle_base::diagnostic::Diagnostic;
use condyle_model::GeomType;

use super::pose::{Pose, quat_from_z};
use super::problems::{VALUE, element_error};
use crate::element::Element;

/// Sizes of geoms and sites must be positive.
pub(crate) fn check_size<T: Element>(element: &T, kind: GeomType, size: [f64; 3]) -> Result<(), Diagnostic> {
    if kind == GeomType::Plane {
        return if size[2] <= 0.0 {
            Err(element_error(VALUE, element, "size", "plane size(3) must be positive")
                .help("the third size of a plane is the spacing of its grid lines; use e.g. size=\"0 0 1\""))
        } else {
            Ok(())
        };
    }
    let needed = match kind {
        GeomType::Sphere => 1,
        GeomType::Capsule | GeomType::Cylinder => 2,
        GeomType::Ellipsoid | GeomType::Box => 3,
        _ => 0,
    };
    for (index, value) in size.iter().take(needed).enumerate() {
        if *value <= 0.0 {
            let message = format!("size {index} must be positive, but is {value}");
            return Err(element_error(VALUE, element, "size", message)
                .help(format!("this type of geom needs {needed} positive sizes")));
        }
    }
    Ok(())
}

/// Pose and sizes of a shape given by its end points.
pub(crate) fn from_to<T: Element>(
    element: &T,
    kind: GeomType,
    points: [f64; 6],
    pos: [f64; 3],
    size: &mut [f64; 3],
) -> Result<Pose, Diagnostic> {
    if !matches!(kind, GeomType::Capsule | GeomType::Cylinder | GeomType::Ellipsoid | GeomType::Box) {
        return Err(element_error(
            VALUE,
            element,
            "fromto",
            "fromto requires capsule, cylinder, box or ellipsoid",
        ));
    }
    if pos != [0.0; 3] {
        return Err(element_error(VALUE, element, "fromto", "both pos and fromto are defined"));
    }
    let mut direction = [points[0] - points[3], points[1] - points[4], points[2] - points[5]];
    size[1] = normalize_slice(&mut direction) / 2.0;
    if size[1] < EPS {
        return Err(element_error(VALUE, element, "fromto", "fromto points are too close"));
    }
    if matches!(kind, GeomType::Ellipsoid | GeomType::Box) {
        size[2] = size[1];
        size[1] = size[0];
    }
    let centre =
        [(points[0] + points[3]) / 2.0, (points[1] + points[4]) / 2.0, (points[2] + points[5]) / 2.0];
    Ok(Pose { pos: centre, quat: quat_from_z(direction) })
}
