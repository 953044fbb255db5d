//! Contact pairs and exclusions: the geoms and bodies they name, in the order of their signatures.

use condyle_base::diagnostic::Diagnostic;
use condyle_model::{Model, ObjectType};

use super::ids::Ids;
use super::problems::{VALUE, element_error};
use super::work::Work;
use crate::element::{Exclude, Pair};

/// A contact pair while the model is compiled.
pub(crate) struct PairWork<'s> {
    pub source: &'s Pair,
    pub geoms: [usize; 2],
}

/// An exclusion while the model is compiled.
pub(crate) struct ExcludeWork<'s> {
    pub source: &'s Exclude,
    pub bodies: [usize; 2],
}

impl<'s> Work<'s> {
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
            let message = format!("condim is {}, but must be 1, 3, 4 or 6", source.condim);
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

    /// Positions of pairs and exclusions in the order of their signatures, which is that of the model.
    pub(super) fn pair_orders(&self) -> [Vec<usize>; 2] {
        let everything = |count: usize| (0..count).collect::<Vec<usize>>();
        let mut pairs = everything(self.pairs.len());
        let mut excludes = everything(self.excludes.len());
        let unsorted = Ids::new(self, &pairs, &excludes);
        pairs.sort_by_key(|&pair| self.pair_signature(&unsorted, self.bodies_of(&self.pairs[pair])) as u32);
        excludes.sort_by_key(|&pair| self.pair_signature(&unsorted, self.excludes[pair].bodies) as u32);
        [pairs, excludes]
    }

    fn bodies_of(&self, pair: &PairWork<'_>) -> [usize; 2] {
        pair.geoms.map(|geom| self.geoms[geom].body)
    }

    /// Number by which pairs of bodies are ordered.
    fn pair_signature(&self, ids: &Ids, bodies: [usize; 2]) -> i32 {
        let [first, second] = bodies.map(|body| ids.of(ObjectType::Body, body));
        (first << 16).wrapping_add(second)
    }

    pub(super) fn write_pairs(&self, model: &mut Model, ids: &Ids, order: &[usize]) {
        for (at, &pair) in order.iter().enumerate() {
            let pair = &self.pairs[pair];
            pair.source.write_entries(model, at);
            model.pair_geom1[at] = ids.of(ObjectType::Geom, pair.geoms[0]);
            model.pair_geom2[at] = ids.of(ObjectType::Geom, pair.geoms[1]);
            model.pair_signature[at] = self.pair_signature(ids, self.bodies_of(pair));
        }
    }

    pub(super) fn write_excludes(&self, model: &mut Model, ids: &Ids, order: &[usize]) {
        for (at, &exclude) in order.iter().enumerate() {
            model.exclude_signature[at] = self.pair_signature(ids, self.excludes[exclude].bodies);
        }
    }
}
