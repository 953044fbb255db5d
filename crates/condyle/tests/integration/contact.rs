//! The explanation of a pair and the report of contacts agree with what the engine does.

use std::collections::BTreeSet;
use std::sync::Arc;

use condyle::query::contact_force::contact_force;
use condyle::query::explain_pair::{Rule, Verdict};
use condyle::report::{
    self,
    contact::{body_name, part_name},
};
use condyle::{ContactStatus, Data, LoadOptions, Model, explain_pair, forward, load_str, step};
use condyle_engine::hooks::{Hooks, PairContext};

use crate::models;

fn model(xml: &str) -> Model {
    load_str(xml, &LoadOptions::default()).unwrap_or_else(|error| panic!("{error}")).model
}

fn settled(model: &Model, steps: usize) -> Data {
    let mut data = Data::new(model);
    for _ in 0..steps {
        step(model, &mut data);
    }
    forward(model, &mut data);
    data
}

/// Largest number of geoms for which all pairs are asked.
const MOST_GEOMS: usize = 120;

#[test]
fn a_pair_is_said_to_collide_exactly_when_it_has_contacts() {
    let (mut asked, mut touching) = (0, 0);
    for (name, model) in models::all() {
        for steps in [0, 40, 150] {
            let data = settled(&model, steps);
            let count = model.ngeom.min(MOST_GEOMS);
            for geom1 in 0..count {
                for geom2 in geom1 + 1..count {
                    let found: Vec<_> = data
                        .contacts
                        .iter()
                        .filter(|contact| {
                            let pair = [geom1 as i32, geom2 as i32];
                            contact.geom == pair || contact.geom == [pair[1], pair[0]]
                        })
                        .collect();
                    let said = explain_pair(&model, &data, geom1, geom2).expect("two geoms");
                    let what = format!("{name} after {steps} steps\n{}", report::pair::text(&model, &said));
                    assert_eq!(said.collides(), !found.is_empty(), "{what}");
                    assert_eq!(said.contacts.len(), found.len(), "{what}");
                    for (ours, theirs) in said.contacts.iter().zip(&found) {
                        assert_eq!(ours.dist.to_bits(), theirs.dist.to_bits(), "{what}");
                        assert_eq!((ours.pos, ours.frame), (theirs.pos, theirs.frame), "{what}");
                        assert_eq!((ours.geom, ours.exclude), (theirs.geom, theirs.exclude), "{what}");
                    }
                    assert!(said.collides() || said.reason().is_some(), "{what}");
                    asked += 1;
                    touching += usize::from(said.collides());
                }
            }
        }
    }
    assert!(asked > 5000 && touching > 500, "{asked} pairs, {touching} touching");
}

const RULES: &str = r#"
<mujoco>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 .1"/>
    <geom name="slope" type="plane" size="5 5 .1" euler="0 5 0"/>
    <geom name="wall" type="box" size=".1 2 2" pos="3 0 0"/>
    <body name="a" pos="0 0 .1">
      <freejoint/>
      <geom name="a1" size=".11"/>
      <geom name="a2" size=".11" pos=".05 0 0"/>
      <geom name="ghost" size=".11" contype="0" conaffinity="0"/>
      <body name="fixed" pos="0 .05 0"><geom name="fixed" size=".11"/></body>
      <body name="child" pos=".1 0 0"><joint/><geom name="child" size=".11"/>
        <body name="grandchild"><joint axis="1 0 0"/><geom name="grandchild" size=".11"/></body>
      </body>
    </body>
    <body name="b" pos="0 0 .2"><freejoint/><geom name="b" size=".1" contype="2" conaffinity="2"/></body>
    <body name="c" pos="0 0 .2"><freejoint/><geom name="c" size=".1"/>
      <geom name="odd" size=".1" contype="2" conaffinity="2"/></body>
    <body name="far" pos="0 0 9"><freejoint/><geom name="far" size=".1"/></body>
    <body name="gap" pos="0 1 .15"><freejoint/><geom name="gap" size=".1" margin=".1" gap=".1"/></body>
  </worldbody>
  <contact>
    <exclude body1="a" body2="c"/>
    <pair geom1="a1" geom2="a2"/>
    <pair geom1="floor" geom2="wall"/>
  </contact>
</mujoco>"#;

fn rule(model: &Model, data: &Data, geom1: &str, geom2: &str) -> (bool, Option<Rule>) {
    let find = |name: &str| model.find(condyle::ObjectType::Geom, name).expect(name);
    let said = explain_pair(model, data, find(geom1), find(geom2)).expect("two geoms");
    let muted = said.steps.iter().find(|step| step.verdict == Verdict::Mutes);
    (said.collides(), said.reason().or(muted).map(|step| step.rule))
}

#[test]
fn every_rule_is_named_where_it_decides() {
    let mut model = model(RULES);
    let data = settled(&model, 0);
    let expected = [
        ("floor", "a1", true, None),
        ("a1", "ghost", false, Some(Rule::SameBody)),
        ("a1", "fixed", false, Some(Rule::WeldGroup)),
        ("floor", "wall", true, None),
        ("floor", "slope", false, Some(Rule::SameBody)),
        ("a1", "child", false, Some(Rule::ParentAndChild)),
        ("fixed", "child", false, Some(Rule::ParentAndChild)),
        ("child", "grandchild", false, Some(Rule::ParentAndChild)),
        ("a1", "b", false, Some(Rule::BodyMasks)),
        ("floor", "ghost", false, Some(Rule::GeomMasks)),
        ("child", "odd", false, Some(Rule::GeomMasks)),
        ("a1", "c", false, Some(Rule::Exclude)),
        ("child", "c", true, None),
        ("a1", "a2", true, None),
        ("child", "far", false, Some(Rule::BodyBoxes)),
        ("floor", "far", false, Some(Rule::GeomBoxes)),
        ("floor", "gap", true, Some(Rule::Gap)),
    ];
    for (geom1, geom2, collides, decides) in expected {
        assert_eq!(rule(&model, &data, geom1, geom2), (collides, decides), "{geom1} {geom2}");
        assert_eq!(rule(&model, &data, geom2, geom1), (collides, decides), "{geom2} {geom1}");
    }
    // Sparse rows know that nothing can move.
    model.opt.jacobian = condyle::model::Jacobian::Sparse as i32;
    let data = settled(&model, 0);
    assert_eq!(rule(&model, &data, "floor", "wall"), (true, Some(Rule::Immobile)));
    model.opt.disableflags |= condyle::model::disable::CONTACT;
    assert_eq!(rule(&model, &data, "floor", "a1"), (false, Some(Rule::Flags)));
    assert!(explain_pair(&model, &data, 0, 0).is_none());
    assert!(explain_pair(&model, &data, 0, model.ngeom).is_none());
}

#[test]
fn explanations_are_valid_text_and_carry_their_numbers() {
    let model = model(RULES);
    let data = settled(&model, 0);
    let (floor, ghost) = (0, model.find(condyle::ObjectType::Geom, "ghost").expect("ghost"));
    let said = explain_pair(&model, &data, floor, ghost).expect("two geoms");
    let reason = said.reason().expect("a reason");
    assert!(reason.numbers.contains(&("contype2", 0.0)), "{reason:?}");
    assert!(
        report::pair::help(&model, &said, reason).is_some_and(|help| help.contains("'ghost'")),
        "{reason:?}"
    );
    let text = report::pair::text(&model, &said);
    assert!(
        text.contains("geom 'floor' (plane, body 'world') and geom 'ghost' (sphere, body 'a')"),
        "{text}"
    );
    assert!(report::pair::json(&model, &said).contains(r#""stopped_by":"geom masks""#));
}

/// What is said of the floor and geom `b` of [`RULES`], to the letter.
const FLOOR_AND_B: &str = "\
geom 'floor' (plane, body 'world') and geom 'b' (sphere, body 'b')
  passes flags            contacts and constraints are enabled
  passes weld group       bodies 'world' and 'b' can move relative to each other
  stops  body masks       contype and conaffinity of the bodies' geoms share no bit: 1 & 2 and 2 & 1
                          help: give the geoms a common bit: contype of one in conaffinity of the other
  passes parent and child neither body is the parent of the other
  passes body boxes       the boxes around the two bodies overlap
  passes exclude          no exclude names the two bodies
  stops  geom boxes       the boxes around the two geoms are 0.100000 m apart
                          help: nothing is wrong with the pair: move the geoms closer, or raise their margin
  passes shapes           a plane can collide with a sphere
  stops  geom masks       contype & conaffinity share no bit: 1 & 2 = 0, 2 & 1 = 0
                          help: set conaffinity=\"3\" on geom 'b'
  stops  spheres          height of the centre above the plane 0.200000 m > bounding radius 0.100000 m + margin 0.000000 m
                          help: nothing is wrong with the pair: the geoms are too far apart
  stops  distance         the surfaces are 0.100000 m apart, the margin is 0.000000 m
                          help: nothing is wrong with the pair: move the geoms closer, or raise their margin
no contact: contype and conaffinity of the bodies' geoms share no bit: 1 & 2 and 2 & 1
";

#[test]
fn findings_become_sentences() {
    let model = model(RULES);
    let data = settled(&model, 0);
    let geom = |name: &str| model.find(condyle::ObjectType::Geom, name).expect(name);
    let said = explain_pair(&model, &data, geom("floor"), geom("b")).expect("two geoms");
    assert_eq!(report::pair::text(&model, &said), FLOOR_AND_B);
}

/// Lets nothing collide with geom 0.
struct Untouchable;

impl Hooks for Untouchable {
    fn may_collide(&self, _: &Model, _: PairContext<'_>, geoms: [usize; 2]) -> bool {
        !geoms.contains(&0)
    }
}

#[test]
fn a_contact_filter_decides_in_place_of_the_masks_but_not_for_explicit_pairs() {
    let model = model(RULES);
    let mut data = Data::new(&model);
    data.hooks.set(Some(Arc::new(Untouchable)));
    forward(&model, &mut data);
    let pairs: BTreeSet<_> = data.contacts.iter().map(|contact| contact.geom).collect();
    let geom = |name: &str| model.find(condyle::ObjectType::Geom, name).expect(name) as i32;
    // The filter allows what the masks forbid, and the other way round; the pair of floor and wall is explicit.
    assert!(pairs.contains(&[geom("child"), geom("odd")]), "{pairs:?}");
    assert!(pairs.contains(&[geom("floor"), geom("wall")]), "{pairs:?}");
    assert_eq!(pairs.iter().filter(|pair| pair.contains(&0)).count(), 1, "{pairs:?}");
    assert_eq!(rule(&model, &data, "floor", "a1"), (false, Some(Rule::UserFilter)));
}

#[test]
fn reports_give_opposite_forces_that_carry_the_weight() {
    let model = model(
        r#"<mujoco>
          <worldbody>
            <geom name="floor" type="plane" size="5 5 .1"/>
            <body name="block" pos="0 0 .1"><freejoint/><geom name="block" type="box" size=".2 .1 .1"/></body>
          </worldbody>
        </mujoco>"#,
    );
    let data = settled(&model, 500);
    let reports = data.contact_reports(&model);
    assert_eq!(reports.len(), 4);
    let weight = 9.81 * model.body_mass[1];
    let up: f64 = reports.iter().map(|report| report.sides[1].force[2]).sum();
    assert!((up - weight).abs() < 1e-6 * weight, "{up} {weight}");
    for report in &reports {
        let parts = report.sides.map(|side| part_name(&model, &side));
        let bodies = report.sides.map(|side| body_name(&model, &side));
        assert_eq!(
            (parts, bodies),
            (["floor", "block"].map(String::from), ["world", "block"].map(String::from))
        );
        assert_eq!(report.normal, [0.0, 0.0, 1.0]);
        assert_eq!(report.sides[0].force, report.sides[1].force.map(|x| -x));
        assert_eq!(report.status, ContactStatus::Sticking);
        assert!(report.depth > 0.0 && report.depth == -report.distance);
        assert!(report.cone_usage < 0.01 && report.coulomb_margin > 0.0, "{report:?}");
    }
}

#[test]
fn a_block_pushed_over_the_floor_slips_and_uses_its_whole_cone() {
    let model = model(
        r#"<mujoco>
          <option cone="elliptic"/>
          <worldbody>
            <geom name="floor" type="plane" size="5 5 .1" friction=".5"/>
            <body name="block" pos="0 0 .1"><freejoint/><geom type="box" size=".2 .2 .1" friction=".5"/></body>
          </worldbody>
        </mujoco>"#,
    );
    let mut data = settled(&model, 300);
    data.state.qvel[0] = 1.0;
    forward(&model, &mut data);
    let reports = data.contact_reports(&model);
    assert!(!reports.is_empty());
    for report in &reports {
        assert_eq!(report.status, ContactStatus::Slipping);
        assert!((report.slip[0] - 1.0).abs() < 1e-3 && report.slip[2].abs() < 1e-12, "{report:?}");
        assert!((report.cone_usage - 1.0).abs() < 1e-9 && report.sides[1].force[0] < 0.0, "{report:?}");
        assert!(report.coulomb_margin.abs() < 1e-9 * (1.0 + report.normal_force), "{report:?}");
    }
}

#[test]
fn reports_of_all_models_have_the_size_of_the_contact_forces() {
    let mut reported = 0;
    for (name, model) in models::all() {
        let data = settled(&model, 100);
        for (report, contact) in data.contact_reports(&model).iter().zip(&data.contacts) {
            let local = contact_force(&model, &data.solution, contact);
            let size = |v: &[f64]| v.iter().map(|x| x * x).sum::<f64>().sqrt();
            let (inside, world) = (size(&local[..3]), size(&report.sides[1].force));
            assert!((inside - world).abs() <= 1e-9 * (1.0 + inside), "{name}: {report:?}");
            assert!(report.slip.iter().zip(report.normal).map(|(s, n)| s * n).sum::<f64>().abs() < 1e-9);
            assert_eq!(report.status == ContactStatus::InGap, contact.exclude == 1, "{name}");
            reported += 1;
        }
    }
    assert!(reported > 300, "{reported}");
}
