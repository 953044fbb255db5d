//! `springlength` of tendons: one length, a dead band between two, or the length in the spring configuration.

use crate::common::{all_near, model, near, sim};

/// A mass hanging below a point two metres up, on a tendon with the given attributes.
fn hanging(joint: &str, attributes: &str) -> String {
    format!(
        r#"<mujoco><option gravity="0 0 0"/><worldbody><site name="w" pos="0 0 2"/><body><joint type="slide" axis="0 0 1" {joint}/><geom size=".1"/><site name="s"/></body>
        </worldbody><tendon><spatial stiffness="10" {attributes}><site site="w"/><site site="s"/></spatial></tendon></mujoco>"#
    )
}

#[test]
fn one_spring_length_is_both_ends_of_the_dead_band() {
    assert_eq!(model(&hanging("", r#"springlength=".5""#)).tendon_lengthspring[0], [0.5, 0.5]);
    let fixed = r#"<mujoco><worldbody><body><joint name="j"/><geom size=".1"/></body></worldbody>
        <tendon><fixed springlength=".25"><joint joint="j" coef="1"/></fixed></tendon></mujoco>"#;
    assert_eq!(model(fixed).tendon_lengthspring[0], [0.25, 0.25]);
}

#[test]
fn two_spring_lengths_are_a_dead_band() {
    assert_eq!(model(&hanging("", r#"springlength=".3 .7""#)).tendon_lengthspring[0], [0.3, 0.7]);
}

#[test]
fn an_unset_spring_length_is_the_length_at_rest() {
    // Without springref the spring configuration is the initial one.
    all_near(&model(&hanging("", "")).tendon_lengthspring[0], &[2.0, 2.0], 1e-15);
    all_near(&model(&hanging(r#"springref=".25""#, "")).tendon_lengthspring[0], &[1.75, 1.75], 1e-15);
}

#[test]
fn a_tendon_that_starts_too_long_pulls_and_one_too_short_pushes() {
    let force = |attributes: &str| sim(&hanging("", attributes)).data.passive.qfrc_spring[0];
    // The tendon is 2 long; pulling lifts the mass.
    near(force(r#"springlength=".5""#), 10.0 * 1.5, 1e-12);
    near(force(r#"springlength="3""#), -10.0, 1e-12);
    near(force(r#"springlength=".3 .7""#), 10.0 * 1.3, 1e-12);
    near(force(r#"springlength="2.5 3""#), -10.0 * 0.5, 1e-12);
    assert_eq!(force(r#"springlength="1 3""#), 0.0);
    near(force(""), 0.0, 1e-12);
}
