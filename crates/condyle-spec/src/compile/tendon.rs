//! Tendons: the objects on their paths, and whether the path makes sense.

use condyle_model::diagnostic::Diagnostic;
use condyle_model::{GeomType, ObjectType, WrapType};

use super::problems::{LIMIT, STRUCTURE, VALUE, element_error};
use super::tree::{check_limited, check_user, is_limited};
use super::work::{TendonWork, Work, WrapWork};
use crate::element::{Tendon, Wrap};

impl<'s> Work<'s> {
    pub(super) fn compile_tendons(&mut self) {
        for source in self.spec.tendons.values() {
            match self.compile_tendon(source) {
                Ok(tendon) => {
                    for wrap in &tendon.path {
                        if let (WrapType::Sphere | WrapType::Cylinder, Some(geom)) = (wrap.kind, wrap.object)
                        {
                            self.geoms[geom].visual = false;
                        }
                    }
                    self.tendons.push(tendon);
                }
                Err(problem) => self.problems.push(problem),
            }
        }
    }

    fn compile_tendon(&self, source: &'s Tendon) -> Result<TendonWork<'s>, Diagnostic> {
        let compiler = self.spec.compiler_of(source.info.origin);
        check_user(source, source.userdata.len(), self.nuser.tendon, "nuser_tendon")?;
        let Some((first, _)) = source.path.first() else {
            return Err(element_error(STRUCTURE, source, "", "path cannot be empty"));
        };
        let spatial = !matches!(first, Wrap::Joint { .. });
        if spatial && source.path.len() < 2 {
            let message = "spatial path must contain at least two objects";
            return Err(element_error(STRUCTURE, source, "", message));
        }
        if spatial && source.width <= 0.0 {
            return Err(element_error(VALUE, source, "width", "width must be positive"));
        }
        let mut path = Vec::with_capacity(source.path.len());
        for (wrap, place) in &source.path {
            let resolved = self.compile_wrap(source, wrap);
            path.push(resolved.map_err(|problem| match place {
                Some(place) => problem.at(Some(place)),
                None => problem,
            })?);
        }
        for position in 0..path.len() {
            let place = source.path.get(position).and_then(|(_, place)| place.as_ref());
            if let Err(message) = check_wrap(&path, position, spatial, source.armature) {
                let problem =
                    element_error(STRUCTURE, source, "", format!("{message} (position {position})"));
                return Err(if place.is_some() { problem.at(place) } else { problem });
            }
        }
        check_limited(source, compiler, "", source.limited, source.range)?;
        let limited = is_limited(source.limited, source.range);
        if source.range[0] >= source.range[1] && limited {
            let message = format!(
                "range[0] should be smaller than range[1], it is {} {}",
                source.range[0], source.range[1]
            );
            return Err(element_error(LIMIT, source, "range", message));
        }
        check_limited(source, compiler, "actuatorfrc", source.actfrclimited, source.actfrcrange)?;
        let actfrclimited = is_limited(source.actfrclimited, source.actfrcrange);
        let [low, high] = source.actfrcrange;
        if actfrclimited && (low >= high || low > 0.0 || high < 0.0) {
            let message = format!("actuatorfrcrange must hold zero between its bounds, it is {low} {high}");
            return Err(element_error(LIMIT, source, "actuatorfrcrange", message));
        }
        if source.springlength[0] > source.springlength[1] {
            return Err(element_error(VALUE, source, "springlength", "springlength must not decrease"));
        }
        Ok(TendonWork { source, material: None, path, limited, actfrclimited })
    }

    fn compile_wrap(&self, tendon: &Tendon, wrap: &Wrap) -> Result<WrapWork, Diagnostic> {
        let plain = |kind, object, prm| WrapWork { kind, object, side: None, prm };
        match wrap {
            Wrap::Joint { joint, coef } => {
                let joint = self.require(tendon, "joint", ObjectType::Joint, joint)?;
                Ok(plain(WrapType::Joint, Some(joint), *coef))
            }
            Wrap::Site { site } => {
                let site = self.require(tendon, "site", ObjectType::Site, site)?;
                Ok(plain(WrapType::Site, Some(site), 0.0))
            }
            Wrap::Pulley { divisor } => {
                if *divisor < 0.0 {
                    return Err(element_error(VALUE, tendon, "divisor", "pulley has negative divisor"));
                }
                Ok(plain(WrapType::Pulley, None, *divisor))
            }
            Wrap::Geom { geom, sidesite } => {
                let index = self.require(tendon, "geom", ObjectType::Geom, geom)?;
                let kind = match self.geoms[index].source.kind {
                    GeomType::Cylinder => WrapType::Cylinder,
                    GeomType::Sphere => WrapType::Sphere,
                    _ => {
                        let message = format!("geom '{geom}' is not sphere or cylinder");
                        return Err(element_error(VALUE, tendon, "geom", message));
                    }
                };
                let side = if sidesite.is_empty() {
                    None
                } else {
                    Some(self.require(tendon, "sidesite", ObjectType::Site, sidesite)?)
                };
                Ok(WrapWork { kind, object: Some(index), side, prm: 0.0 })
            }
        }
    }
}

/// Whether the object at a position of the path may stand there.
fn check_wrap(path: &[WrapWork], position: usize, spatial: bool, armature: f64) -> Result<(), &'static str> {
    let kind =
        |position: Option<usize>| position.and_then(|position| path.get(position)).map(|wrap| wrap.kind);
    let here = &path[position];
    let before = kind(position.checked_sub(1));
    let after = kind(Some(position + 1));
    let last = position + 1 == path.len();
    if !spatial {
        return if here.kind == WrapType::Joint { Ok(()) } else { Err("spatial object found in fixed path") };
    }
    if armature < 0.0 {
        return Err("tendon armature cannot be negative");
    }
    let ends = |neighbour: Option<WrapType>| matches!(neighbour, None | Some(WrapType::Pulley));
    match here.kind {
        WrapType::Pulley if before == Some(WrapType::Pulley) => Err("consecutive pulleys"),
        WrapType::Pulley if last => Err("path ends with pulley"),
        WrapType::Site if ends(before) && ends(after) => Err("site needs a neighbor that is not a pulley"),
        WrapType::Site if after == Some(WrapType::Site) && path[position + 1].object == here.object => {
            Err("site is repeated")
        }
        WrapType::Sphere | WrapType::Cylinder
            if before != Some(WrapType::Site) || after != Some(WrapType::Site) =>
        {
            Err("geom is not bracketed by sites")
        }
        WrapType::Sphere | WrapType::Cylinder if armature > 0.0 => {
            Err("geom wrapping is not supported by tendon armature")
        }
        WrapType::Joint => Err("joint found in spatial path"),
        _ => Ok(()),
    }
}
