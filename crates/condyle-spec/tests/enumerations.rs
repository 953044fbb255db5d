//! Contract: the enumerations of the Python module say what those of the library say. The library declares numbers and words once; the
//! Python module has MuJoCo's own names for them, so its file is compared with the declarations, value by value.

use condyle_model::{
    BiasType, ColorSpace, Cone, ConstraintState, ConstraintType, DynamicsType, EqualityType, FlexSelfCollide,
    GainType, GeomType, Integrator, Jacobian, JointType, LengthRangeMode, LightType, ObjectType, Projection,
    SameFrame, SensorDataType, SensorType, SleepPolicy, Solver, Stage, TextureRole, TextureType,
    TrackingMode, TransmissionType, Warning, WrapType,
};
use condyle_spec::{
    AlignFree, GeomInertia, InertiaFromGeom, Limited, MeshBuiltin, MeshInertia, TextureBuiltin, TextureMark,
};

/// Names without what they have in common, and numbers, of a class of `enums.py`; its count (`mjNTIMER`) is not a value.
fn python_values(text: &str, class: &str) -> Vec<(String, i32)> {
    let start = text.find(&format!("class {class}(")).unwrap_or_else(|| panic!("{class} is missing"));
    let body = text[start..].lines().skip(1).take_while(|line| !line.starts_with("class "));
    let rows = body.filter_map(|line| line.trim().split_once(" = ")).filter(|(name, _)| name.contains('_'));
    let rows: Vec<(&str, &str)> = rows.collect();
    let mut prefix = rows.first().map_or("", |row| row.0);
    while !rows.iter().all(|(name, _)| name.starts_with(prefix)) || !prefix.ends_with('_') {
        prefix = &prefix[..prefix.len() - 1];
    }
    let value = |(name, number): &(&str, &str)| {
        let number = number.parse().unwrap_or_else(|_| panic!("{class}.{name} = {number}"));
        (name[prefix.len()..].replace('_', "").to_lowercase(), number)
    };
    rows.iter().map(value).collect()
}

/// What is wrong with one class: values that one side has and the other has not, or calls otherwise. `known` are names that differ
/// on purpose, as the library and the Python module have them; an empty one for a value that only the library has.
fn differences(text: &str, class: &str, ours: &[(String, i32)], known: &[(&str, &str)]) -> Vec<String> {
    let mut theirs = python_values(text, class);
    let mut wrong = Vec::new();
    for (name, number) in ours {
        let name = name.to_lowercase();
        let called = known.iter().find(|(own, _)| *own == name).map_or(name.as_str(), |(_, other)| other);
        if called.is_empty() {
            continue;
        }
        match theirs.iter().position(|row| row.1 == *number) {
            Some(at) if theirs[at].0 == called => _ = theirs.remove(at),
            found => {
                wrong.push(format!("{class}: {name} = {number}, there {:?}", found.map(|at| &theirs[at])))
            }
        }
    }
    wrong.extend(theirs.iter().map(|row| format!("{class}: {row:?} is not declared")));
    wrong
}

#[test]
fn enumerations_of_the_python_module_have_the_declared_values() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../python/condyle/enums.py");
    let text = std::fs::read_to_string(path).unwrap();
    let mut wrong = Vec::new();
    macro_rules! compare {
        ($($kind:ident $class:literal $([$($own:literal $other:literal),*])?;)*) => {$(
            let ours: Vec<(String, i32)> =
                $kind::ALL.iter().map(|value| (format!("{value:?}"), *value as i32)).collect();
            wrong.extend(differences(&text, $class, &ours, &[$($(($own, $other)),*)?]));
        )*};
    }
    compare! {
        JointType "mjtJoint";
        GeomType "mjtGeom";
        TrackingMode "mjtCamLight";
        Projection "mjtProjection";
        Integrator "mjtIntegrator";
        Cone "mjtCone";
        Jacobian "mjtJacobian";
        Solver "mjtSolver";
        EqualityType "mjtEq";
        WrapType "mjtWrap";
        TransmissionType "mjtTrn";
        DynamicsType "mjtDyn" ["hillmuscle" ""];
        GainType "mjtGain" ["hillmuscle" ""];
        BiasType "mjtBias" ["hillmuscle" ""];
        ObjectType "mjtObj";
        SensorType "mjtSensor" [
            "actuatorforce" "actuatorfrc", "jointactuatorforce" "jointactfrc", "tendonactuatorforce" "tendonactfrc",
            "jointlimitforce" "jointlimitfrc", "tendonlimitforce" "tendonlimitfrc", "geomdistance" "geomdist",
            "fiberlength" "", "fibervelocity" "", "fiberforce" "", "tendonforce" "", "pennation" ""
        ];
        Stage "mjtStage";
        SensorDataType "mjtDataType";
        SameFrame "mjtSameFrame" ["bodyrotation" "bodyrot", "inertiarotation" "inertiarot"];
        SleepPolicy "mjtSleepPolicy";
        LengthRangeMode "mjtLRMode";
        LightType "mjtLightType";
        TextureType "mjtTexture" ["flat" "2d"];
        TextureRole "mjtTextureRole";
        ColorSpace "mjtColorSpace";
        FlexSelfCollide "mjtFlexSelf";
        ConstraintType "mjtConstraint";
        ConstraintState "mjtConstraintState";
        Warning "mjtWarning" ["constraintfull" "cnstrfull", "visualgeomfull" "vgeomfull"];
        Limited "mjtLimited";
        AlignFree "mjtAlignFree";
        InertiaFromGeom "mjtInertiaFromGeom";
        GeomInertia "mjtGeomInertia";
        MeshInertia "mjtMeshInertia";
        MeshBuiltin "mjtMeshBuiltin";
        TextureBuiltin "mjtBuiltin";
        TextureMark "mjtMark";
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
