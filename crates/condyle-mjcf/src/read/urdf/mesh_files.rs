//! Where the mesh files of a URDF are.
//!
//! MuJoCo takes the last part of a file name and looks for it in `meshdir`. Robots of ROS name files by their package,
//! `package://NAME/rest`, or by a path from their own folder. Where MuJoCo finds nothing, a file is looked for
//!
//! - in the folder given for the package,
//! - in `DIR/NAME` for the folders of `ROS_PACKAGE_PATH`, and in `DIR/share/NAME` for those of `AMENT_PREFIX_PATH`,
//! - in the folders around the model: one that is called like the package, one beside them that is, or any in which the rest exists,
//! - along the path as it is written.

use super::options::UrdfOptions;
use condyle_base::{Files, files};
use std::path::{Path, PathBuf};

/// Folders around the model that are looked at.
const MOST_FOLDERS: usize = 16;

/// A file name taken apart.
#[derive(Debug, PartialEq, Eq)]
enum Name<'a> {
    /// Package and path inside it.
    Package(&'a str, &'a str),
    Path(&'a str),
}

fn parse(written: &str) -> Name<'_> {
    fn inside(rest: &str) -> Option<Name<'_>> {
        let (package, path) = rest.split_once('/')?;
        Some(Name::Package(package, path.trim_start_matches('/')))
    }
    for scheme in ["package://", "model://"] {
        if let Some(name) = written.strip_prefix(scheme).and_then(inside) {
            return name;
        }
    }
    if let Some((package, path)) = written.strip_prefix("$(find ").and_then(|rest| rest.split_once(')')) {
        return Name::Package(package.trim(), path.trim_start_matches('/'));
    }
    Name::Path(written.strip_prefix("file://").unwrap_or(written))
}

/// The package a file name starts with.
pub(super) fn package(written: &str) -> Option<&str> {
    match parse(written) {
        Name::Package(name, _) => Some(name),
        Name::Path(_) => None,
    }
}

/// The path of a file that is not where MuJoCo looks, or all places where it was looked for.
pub(super) fn locate(
    written: &str,
    model_folder: &str,
    mesh_folder: &str,
    given: &Files,
    options: &UrdfOptions,
) -> Result<String, Vec<String>> {
    let places = places(written, model_folder, mesh_folder, given, options);
    match places.iter().find(|place| given.exists(place)) {
        Some(found) => Ok(found.clone()),
        None => Err(places),
    }
}

fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

fn places(
    written: &str,
    model_folder: &str,
    mesh_folder: &str,
    given: &Files,
    options: &UrdfOptions,
) -> Vec<String> {
    let mut places = Vec::new();
    let mut add = |folder: &Path, path: &str| {
        let place = files::join(&text(folder), path);
        if !places.contains(&place) {
            places.push(place);
        }
    };
    let name = parse(written);
    if let Name::Package(package, path) = name {
        for (_, folder) in options.packages.iter().filter(|(known, _)| known == package) {
            add(folder, path);
        }
    }
    let (Name::Package(_, path) | Name::Path(path)) = name;
    if let Name::Path(path) = name {
        add(Path::new(mesh_folder), path);
        add(Path::new(model_folder), path);
    }
    if !options.search || !given.has_disk() {
        return places;
    }
    let above = folders_above(model_folder);
    if let Name::Package(package, path) = name {
        for folder in paths_of("ROS_PACKAGE_PATH") {
            if folder.file_name().is_some_and(|last| last == package) {
                add(&folder, path);
            }
            add(&folder.join(package), path);
        }
        for folder in paths_of("AMENT_PREFIX_PATH") {
            add(&folder.join("share").join(package), path);
        }
        for folder in &above {
            if folder.file_name().is_some_and(|last| last == package) {
                add(folder, path);
            }
            add(&folder.join(package), path);
        }
    }
    // The folder of the package may be called otherwise, and a path may start at any folder around the model.
    if !files::is_absolute(path) {
        for folder in &above {
            add(folder, path);
        }
    }
    places
}

fn paths_of(variable: &str) -> Vec<PathBuf> {
    let value = std::env::var_os(variable).unwrap_or_default();
    std::env::split_paths(&value).filter(|path| !path.as_os_str().is_empty()).collect()
}

/// The folder of the model and those around it, innermost first.
fn folders_above(model_folder: &str) -> Vec<PathBuf> {
    let start = Path::new(if model_folder.is_empty() { "." } else { model_folder });
    let start = std::path::absolute(start).unwrap_or_else(|_| start.to_owned());
    start.ancestors().take(MOST_FOLDERS).map(Path::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_taken_apart() {
        assert_eq!(parse("package://arm/meshes/a.stl"), Name::Package("arm", "meshes/a.stl"));
        assert_eq!(parse("model://arm//meshes/a.stl"), Name::Package("arm", "meshes/a.stl"));
        assert_eq!(parse("$(find arm)/meshes/a.stl"), Name::Package("arm", "meshes/a.stl"));
        assert_eq!(parse("file:///tmp/a.stl"), Name::Path("/tmp/a.stl"));
        assert_eq!(parse("package://arm"), Name::Path("package://arm"));
        assert_eq!(parse("../meshes/a.stl"), Name::Path("../meshes/a.stl"));
        assert_eq!((package("package://arm/a.stl"), package("a.stl")), (Some("arm"), None));
    }

    #[test]
    fn given_packages_come_first_and_without_search_nothing_else_is_tried() {
        let mut options = UrdfOptions::default().packages(vec![("arm".into(), "/opt/arm".into())]);
        let all = places(
            "package://arm/m/a.stl",
            "/w/robots/arm/urdf/",
            "/w/robots/arm/urdf/",
            &Files::new(),
            &options,
        );
        assert_eq!(all.first().map(String::as_str), Some("/opt/arm/m/a.stl"));
        assert!(all.contains(&"/w/robots/arm/m/a.stl".to_owned()), "{all:?}");
        options.search = false;
        let given = places("package://arm/m/a.stl", "/w/urdf/", "/w/urdf/", &Files::new(), &options);
        assert_eq!(given, ["/opt/arm/m/a.stl"]);
        assert_eq!(
            places("package://leg/a.stl", "/w/", "/w/", &Files::new(), &options),
            Vec::<String>::new()
        );
    }
}
