//! What is kept between steps changes no bit, and is dropped when the model is edited.

use condyle::{Data, LoadOptions, Model, load_str, step};

use crate::models;

/// The model with every array exposed: nothing made from it is kept.
fn without_caches(model: &Model) -> Model {
    let model = model.clone();
    for array in Model::ARRAYS {
        model.expose(array.name);
    }
    model
}

#[test]
fn every_own_model_steps_to_the_same_bits_without_anything_kept() {
    for (name, model) in models::all() {
        let bare = without_caches(&model);
        let (mut data, mut other) = (Data::new(&model), Data::new(&bare));
        for count in 0..60 {
            step(&model, &mut data);
            step(&bare, &mut other);
            assert_eq!(data.contacts, other.contacts, "{name}, step {count}");
            let bits = |data: &Data| data.state.qpos.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
            assert_eq!(bits(&data), bits(&other), "{name}, step {count}");
        }
    }
}

#[test]
fn an_edited_collision_mask_counts_in_the_next_step() {
    let xml = r#"<mujoco><worldbody>
        <body pos="0 0 0"><freejoint/><geom size=".1"/></body>
        <body pos=".15 0 0"><freejoint/><geom size=".1"/></body>
        <body pos="5 0 0"><freejoint/><geom size=".1"/></body>
      </worldbody></mujoco>"#;
    let mut model = load_str(xml, &LoadOptions::default()).unwrap_or_else(|error| panic!("{error}")).model;
    let mut data = Data::new(&model);
    step(&model, &mut data);
    assert_eq!(data.contacts.len(), 1);
    model.geom_contype[1] = 0;
    model.geom_conaffinity[1] = 0;
    step(&model, &mut data);
    assert_eq!(data.contacts.len(), 0);
    model.geom_conaffinity[1] = 1;
    step(&model, &mut data);
    assert_eq!(data.contacts.len(), 1);
}
