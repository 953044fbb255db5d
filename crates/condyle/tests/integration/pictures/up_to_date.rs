//! A context knows when its model was changed in a way that shows.

use condyle::pictures::Context;
use condyle::{LoadOptions, Model, load_str};
use condyle_model::ValuesMut;

const EVERYTHING: &str = "<mujoco><visual><quality numslices='4' numstacks='4' numquads='1'/></visual><asset>
    <texture name='flat' type='2d' builtin='checker' width='4' height='4'/><texture type='skybox' builtin='flat' width='4' height='4'/>
    <texture name='cube' type='cube' builtin='flat' width='4' height='4'/><material name='floor' texture='flat' texuniform='true'/>
    <material name='box' texture='cube' texrepeat='2 3'/><hfield name='hills' nrow='2' ncol='3' size='1 1 1 .1' elevation='0 1 2 1 0 1'/>
    <mesh name='wedge' vertex='0 0 0 1 0 0 0 1 0 0 0 1' texcoord='0 0 1 0 0 1 1 1'/></asset>
    <deformable><skin vertex='0 0 0 1 0 0 0 1 0' texcoord='0 0 1 0 0 1' face='0 1 2'>
    <bone body='bone' bindpos='0 0 0' bindquat='1 0 0 0' vertid='0 1 2' vertweight='1 1 1'/></skin></deformable>
    <worldbody><geom type='plane' size='1 2 .5' material='floor'/><geom type='hfield' hfield='hills'/>
    <body name='bone'><freejoint/><geom type='mesh' mesh='wedge'/><geom type='box' size='.1 .1 .1' material='box'/></body></worldbody></mujoco>";

fn change(values: ValuesMut<'_>, index: usize) -> bool {
    match values {
        ValuesMut::F64(values) if index < values.len() => values[index] += 0.25,
        ValuesMut::F32(values) if index < values.len() => values[index] += 0.25,
        ValuesMut::I32(values) if index < values.len() => values[index] ^= 1,
        ValuesMut::I64(values) if index < values.len() => values[index] ^= 1,
        ValuesMut::U8(values) if index < values.len() => values[index] ^= 1,
        _ => return false,
    }
    true
}

/// All that a context holds, its fingerprint aside.
fn contents(context: &Context) -> String {
    let text = format!("{context:?}");
    let (before, after) = text.split_once("fingerprint: ").expect("a context has a fingerprint");
    let after = after.trim_start_matches(|character: char| character.is_ascii_digit());
    format!("{before}{after}")
}

#[test]
fn every_change_of_a_model_that_shows_in_a_context_is_noticed() {
    let mut model = load_str(EVERYTHING, &LoadOptions::default()).expect("the model loads").model;
    let context = Context::new(&model).expect("a context");
    let before = contents(&context);
    assert!(context.is_of(&model));
    let mut seen = std::collections::BTreeSet::new();
    let mut check = |model: &Model, name: &str| {
        if contents(&Context::new(model).expect("a context")) != before {
            seen.insert(name.split('_').next().unwrap_or_default().to_owned());
            assert!(!context.is_of(model), "a change of {name} is not noticed");
        }
    };
    for info in Model::ARRAYS {
        for index in [0, 1, 2, 5, 11, 40] {
            let kept = model.clone();
            if model.array_mut(info.name).is_some_and(|values| change(values, index)) {
                check(&model, info.name);
            }
            model = kept;
        }
    }
    let settings: [fn(&mut Model); 15] = [
        |model| model.stat.extent *= 2.0,
        |model| model.vis.quality.numslices += 1,
        |model| model.vis.quality.numstacks += 1,
        |model| model.vis.quality.numquads += 1,
        |model| model.vis.quality.shadowsize /= 2,
        |model| model.vis.quality.offsamples = 0,
        |model| model.vis.global.offwidth += 1,
        |model| model.vis.global.offheight += 1,
        |model| model.vis.global.linewidth += 1.0,
        |model| model.vis.map.shadowclip += 1.0,
        |model| model.vis.map.shadowscale += 0.1,
        |model| model.vis.map.fogstart += 1.0,
        |model| model.vis.map.fogend += 1.0,
        |model| model.vis.map.haze += 0.1,
        |model| model.vis.rgba.haze[1] += 0.1,
    ];
    for (number, change) in settings.iter().enumerate() {
        let mut changed = model.clone();
        change(&mut changed);
        check(&changed, &format!("setting {number}"));
        assert!(!context.is_of(&changed), "setting {number} is not noticed");
    }
    let expected = ["geom", "hfield", "mat", "mesh", "skin", "tex"];
    assert!(expected.iter().all(|name| seen.contains(*name)), "only {seen:?} show");
}
