//! Contact pairs, exclusions, equality constraints and tuples: references resolved and checked.

use condyle_model::diagnostic::Diagnostic;
use condyle_model::{EqualityType, JointType, ObjectType};

use super::problems::{REFERENCE, VALUE, element_error, unknown_reference};
use super::work::{EqualityWork, ExcludeWork, PairWork, TupleWork, Work};
use crate::element::{Element, Equality, Exclude, Pair, Tuple, kind_name};

impl<'s> Work<'s> {
    /// Position of an element that must exist.
    pub(super) fn require<T: Element>(
        &self,
        element: &T,
        attribute: &str,
        kind: ObjectType,
        name: &str,
    ) -> Result<usize, Diagnostic> {
        self.find(kind, name)
            .ok_or_else(|| unknown_reference(element, attribute, kind_name(kind), name, self.names.all(kind)))
    }

    /// Resolves the pairs and notes that their geoms take part in physics.
    pub(super) fn compile_pairs(&mut self) {
        self.pairs.clear();
        for source in self.spec.pairs.values() {
            match self.compile_pair(source) {
                Ok(pair) => {
                    for geom in pair.geoms {
                        self.geoms[geom].visual = false;
                    }
                    self.pairs.push(pair);
                }
                Err(problem) => self.problems.push(problem),
            }
        }
    }

    fn compile_pair(&self, source: &'s Pair) -> Result<PairWork<'s>, Diagnostic> {
        if !matches!(source.condim, 1 | 3 | 4 | 6) {
            let message = format!("condim is {}, it must be 1, 3, 4 or 6", source.condim);
            return Err(element_error(VALUE, source, "condim", message));
        }
        let first = self.require(source, "geom1", ObjectType::Geom, &source.geomname1)?;
        let second = self.require(source, "geom2", ObjectType::Geom, &source.geomname2)?;
        // The geom of the earlier body comes first.
        let swapped = self.geoms[first].body > self.geoms[second].body;
        Ok(PairWork { source, geoms: if swapped { [second, first] } else { [first, second] } })
    }

    pub(super) fn compile_excludes(&mut self) {
        for source in self.spec.excludes.values() {
            match self.compile_exclude(source) {
                Ok(exclude) => self.excludes.push(exclude),
                Err(problem) => self.problems.push(problem),
            }
        }
    }

    fn compile_exclude(&self, source: &'s Exclude) -> Result<ExcludeWork<'s>, Diagnostic> {
        let first = self.require(source, "body1", ObjectType::Body, &source.bodyname1)?;
        let second = self.require(source, "body2", ObjectType::Body, &source.bodyname2)?;
        Ok(ExcludeWork { source, bodies: if first > second { [second, first] } else { [first, second] } })
    }

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
            let message = format!("flex '{}' is rigid, it cannot be constrained", source.name1);
            return Err(element_error(VALUE, source, "flex", message)
                .help("give the flex more than one body, or remove the constraint"));
        }
        Ok(EqualityWork { source, objtype: source.objtype, first, second })
    }

    pub(super) fn compile_tuples(&mut self) {
        for source in self.spec.tuples.values() {
            match self.compile_tuple(source) {
                Ok(tuple) => {
                    for (entry, &object) in source.entries.iter().zip(&tuple.objects) {
                        if entry.objtype == ObjectType::Geom {
                            self.geoms[object].visual = false;
                        }
                    }
                    self.tuples.push(tuple);
                }
                Err(problem) => self.problems.push(problem),
            }
        }
    }

    fn compile_tuple(&self, source: &'s Tuple) -> Result<TupleWork<'s>, Diagnostic> {
        if source.entries.is_empty() {
            return Err(element_error(VALUE, source, "", "tuple is empty"));
        }
        let mut objects = Vec::with_capacity(source.entries.len());
        for entry in &source.entries {
            objects.push(self.require(source, "objname", entry.objtype, &entry.objname)?);
        }
        Ok(TupleWork { source, objects })
    }

    /// Checks the custom arrays and texts.
    pub(super) fn check_custom(&mut self) {
        for numeric in self.spec.numerics.values() {
            let size = usize::try_from(numeric.size).unwrap_or(0);
            if numeric.size != 0
                && !numeric.data.is_empty()
                && (numeric.size as i64) < numeric.data.len() as i64
            {
                let message =
                    format!("size is {}, smaller than the {} values given", numeric.size, numeric.data.len());
                self.problems.error(VALUE, numeric, "size", message);
            } else if size == 0 && numeric.data.is_empty() {
                self.problems.error(VALUE, numeric, "size", "size cannot be zero");
            }
        }
        for text in self.spec.texts.values().filter(|text| text.data.is_empty()) {
            self.problems.error(VALUE, text, "data", "text cannot be empty");
        }
    }
}
