//! Every example is a program of its own: `cargo run -p condyle-examples --bin first_simulation`. Here they are run as tests, in one
//! binary. Each has a twin of the same name in `examples/python`.

macro_rules! examples {
    ($($name:ident)*) => {
        $(
            #[cfg(test)]
            #[allow(dead_code)]
            pub mod $name;
        )*

        #[cfg(test)]
        mod tests {
            $(
                #[test]
                fn $name() -> Result<(), Box<dyn std::error::Error>> {
                    super::$name::main()
                }
            )*
        }
    };
}

examples! {
    first_simulation control_by_name contacts_and_forces sensors inverse_dynamics_and_ik batches_and_randomisation record_and_replay
    predictive_control urdf_to_mjcf render_a_picture muscle_arm
    build_a_model callbacks linearise_and_balance balance_a_figure edit_a_robot render_a_video own_plugin train_with_ppo
}
