//! Equality constraints: the objects they tie. Reference: mjCEquality::Compile.

use condyle_base::diagnostic::Diagnostic;
use condyle_model::{EqualityType, JointType, Model, ObjectType};

use super::ids::Ids;
use super::problems::{REFERENCE, VALUE, element_error};
use super::work::Work;
use crate::element::{Equality, kind_name};

/// An equality constraint while the model is compiled.
pub(crate) struct EqualityWork<'s> {
    pub source: &'s Equality,
    pub objtype: ObjectType,
    pub first: usize,
    pub second: Option<usize>,
}

impl<'s> Work<'s> {
    pub(super) fn compile_equalities(&mut self) {
        for source in self.spec.equalities.values() {
            match self.compile_equality(source) {
                Ok(equality) => self.equalities.push(equality),
                Err(problem) => self.problems.push(problem),
            }
        }
    }

    fn compile_equality(&self, source: &'s Equality) -> Result<EqualityWork<'s>, Diagnostic> {
        let objtype = match source.kind {
            EqualityType::Connect | EqualityType::Weld => {
                if !matches!(source.objtype, ObjectType::Body | ObjectType::Site) {
                    let message = "connect and weld constraints support only sites and bodies";
                    return Err(element_error(VALUE, source, "", message));
                }
                source.objtype
            }
            EqualityType::Joint => ObjectType::Joint,
            EqualityType::Tendon => ObjectType::Tendon,
            EqualityType::Flex | EqualityType::FlexVert => ObjectType::Flex,
            EqualityType::Distance => {
                return Err(element_error(VALUE, source, "", "invalid type in equality constraint"));
            }
        };
        let kind = kind_name(objtype);
        let attribute = if objtype == ObjectType::Flex { kind.to_owned() } else { format!("{kind}1") };
        let first = self.require(source, &attribute, objtype, &source.name1)?;
        let mut second = None;
        if !source.name2.is_empty() {
            second = Some(self.require(source, &format!("{kind}2"), objtype, &source.name2)?);
        } else if objtype == ObjectType::Body {
            second = Some(0);
        }
        if second == Some(first) {
            let message = format!("element '{}' is repeated in equality constraint", source.name1);
            return Err(element_error(REFERENCE, source, &format!("{kind}2"), message));
        }
        if source.kind == EqualityType::Joint {
            for joint in std::iter::once(first).chain(second) {
                let joint = self.joints[joint].source;
                if !matches!(joint.kind, JointType::Hinge | JointType::Slide) {
                    let message = "only hinge and slide joints are allowed in a joint constraint";
                    return Err(element_error(VALUE, source, "joint1", message));
                }
            }
        }
        let flex = self
            .flexes
            .iter()
            .find(|flex| objtype == ObjectType::Flex && flex.source.info.name == source.name1);
        if flex.is_some_and(|flex| flex.rigid) {
            let message = format!("flex '{}' is rigid and cannot be constrained", source.name1);
            return Err(element_error(VALUE, source, "flex", message)
                .help("give the flex more than one body, or remove the constraint"));
        }
        Ok(EqualityWork { source, objtype: source.objtype, first, second })
    }

    pub(super) fn write_equalities(&self, model: &mut Model, ids: &Ids) {
        for (at, equality) in self.equalities.iter().enumerate() {
            let source = equality.source;
            let kind = match source.kind {
                EqualityType::Joint => ObjectType::Joint,
                EqualityType::Tendon => ObjectType::Tendon,
                EqualityType::Flex | EqualityType::FlexVert => ObjectType::Flex,
                _ => source.objtype,
            };
            source.write_entries(model, at);
            model.eq_obj1id[at] = ids.of(kind, equality.first);
            model.eq_obj2id[at] = ids.maybe(kind, equality.second);
            model.eq_objtype[at] = equality.objtype as i32;
        }
    }
}
