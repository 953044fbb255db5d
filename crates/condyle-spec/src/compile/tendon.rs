//! Tendons: the objects on their paths, and whether the path makes sense.

use condyle_base::diagnostic::Diagnostic;
use condyle_model::{GeomType, Model, ObjectType, WrapType};

use super::ids::Ids;
use super::limits::{check_limited, is_limited};
use super::problems::{LIMIT, STRUCTURE, VALUE, element_error};
use super::user_values::check_user;
use super::work::Work;
use crate::element::{Tendon, Wrap};

/// An object on the path of a tendon while the model is compiled.
pub(crate) struct WrapWork {
    pub kind: WrapType,
    pub object: Option<usize>,
    pub side: Option<usize>,
    pub prm: f64,
}

/// A tendon while the model is compiled.
pub(crate) struct TendonWork<'s> {
    pub source: &'s Tendon,
    pub material: Option<usize>,
    pub path: Vec<WrapWork>,
    pub limited: bool,
    pub actfrclimited: bool,
}

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
                "range[0] should be smaller than range[1], but the range is {} {}",
                source.range[0], source.range[1]
            );
            return Err(element_error(LIMIT, source, "range", message));
        }
        check_limited(source, compiler, "actuatorfrc", source.actfrclimited, source.actfrcrange)?;
        let actfrclimited = is_limited(source.actfrclimited, source.actfrcrange);
        let [low, high] = source.actfrcrange;
        if actfrclimited && (low >= high || low > 0.0 || high < 0.0) {
            let message = format!("actuatorfrcrange must contain zero, but is {low} {high}");
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

    /// Connects tendons with their materials.
    pub(super) fn connect_tendons(&mut self) {
        for index in 0..self.tendons.len() {
            let source = self.tendons[index].source;
            match self.material(source, &source.material) {
                Ok(material) => self.tendons[index].material = material,
                Err(problem) => self.problems.push(problem),
            }
        }
    }

    pub(super) fn write_tendons(&self, model: &mut Model, ids: &Ids) {
        let mut address = 0;
        for (at, tendon) in self.tendons.iter().enumerate() {
            tendon.source.write_entries(model, at);
            model.tendon_adr[at] = address as i32;
            model.tendon_num[at] = tendon.path.len() as i32;
            model.tendon_matid[at] = ids.maybe(ObjectType::Material, tendon.material);
            model.tendon_limited[at] = u8::from(tendon.limited);
            model.tendon_actfrclimited[at] = u8::from(tendon.actfrclimited);
            for wrap in &tendon.path {
                let kind = match wrap.kind {
                    WrapType::Joint => ObjectType::Joint,
                    WrapType::Site => ObjectType::Site,
                    _ => ObjectType::Geom,
                };
                model.wrap_type[address] = wrap.kind as i32;
                model.wrap_objid[address] = ids.maybe(kind, wrap.object);
                model.wrap_prm[address] = match wrap.kind {
                    WrapType::Sphere | WrapType::Cylinder => {
                        f64::from(ids.maybe(ObjectType::Site, wrap.side))
                    }
                    _ => wrap.prm,
                };
                address += 1;
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
