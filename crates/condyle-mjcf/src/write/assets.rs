//! Assets, custom fields and plugins.

use super::Writer;
use crate::read::asset::CUBE_FILES;
use crate::read::sensor::OBJECT_TYPES;
use condyle_base::files;
use condyle_model::TextureType;
use condyle_spec::{HField, Info, Material, Mesh, MeshBuiltin, Skin, Texture};

/// The index of the texture a material's `texture` attribute sets.
const RGB: usize = 1;

/// The arrays of a mesh.
const CONTENT: [&str; 4] = ["vertex", "normal", "texcoord", "face"];

/// Whether default classes have this attribute of meshes.
fn in_classes(name: &str) -> bool {
    matches!(name, "scale" | "maxhullvert" | "inertia")
}

impl Writer<'_> {
    pub(super) fn extension(&mut self) {
        let spec = self.spec;
        let declared: Vec<_> =
            spec.plugins.values().filter(|instance| !instance.info.name.is_empty()).collect();
        self.text.section("extension", |text| {
            // Instances keep their order: a plugin is written again when others stand between its instances.
            for run in declared.chunk_by(|a, b| a.plugin_name == b.plugin_name) {
                text.start("plugin");
                text.text("plugin", &run[0].plugin_name);
                text.open("plugin");
                for instance in run {
                    text.start("instance");
                    text.text("name", &instance.info.name);
                    text.open("instance");
                    for (key, value) in &instance.config {
                        text.start("config");
                        text.text("key", key);
                        text.text("value", value);
                        text.empty();
                    }
                    text.close();
                }
                text.close();
            }
            for name in &spec.active_plugins {
                if !declared.iter().any(|instance| instance.plugin_name == *name) {
                    text.start("plugin");
                    text.text("plugin", name);
                    text.empty();
                }
            }
        });
    }

    pub(super) fn custom(&mut self) {
        let spec = self.spec;
        self.text.section("custom", |text| {
            for numeric in spec.numerics.values() {
                text.start("numeric");
                text.text("name", &numeric.info.name);
                text.number("size", numeric.size, 0);
                text.list("data", &numeric.data);
                text.empty();
            }
            for custom in spec.texts.values() {
                text.start("text");
                text.text("name", &custom.info.name);
                text.attributes(custom, &condyle_spec::Text::default(), |_| true);
                text.empty();
            }
            for tuple in spec.tuples.values() {
                text.start("tuple");
                text.text("name", &tuple.info.name);
                text.open("tuple");
                for entry in &tuple.entries {
                    text.start("element");
                    let kind = OBJECT_TYPES.iter().find(|(_, kind)| *kind == entry.objtype);
                    text.text("objtype", kind.map_or("", |(name, _)| name));
                    text.text("objname", &entry.objname);
                    text.number("prm", entry.prm, 0.0);
                    text.empty();
                }
                text.close();
            }
        });
    }

    /// Folder the files of an element are in.
    fn asset_folder(&self, info: &Info, texture: bool) -> String {
        let compiler = self.spec.compiler_of(info.origin);
        let inner = if texture { &compiler.texturedir } else { &compiler.meshdir };
        let folder = self.spec.folder_of(info.origin).unwrap_or(&self.spec.modelfiledir);
        files::join(&folder.to_string_lossy(), inner)
    }

    /// The one folder all files are in, if there is one, seen from the folder of the model where possible.
    pub(super) fn common_folder(&self, texture: bool) -> Option<String> {
        let spec = self.spec;
        let textures = spec
            .textures
            .values()
            .filter(|item| !item.file.is_empty() || item.cubefiles.iter().any(|file| !file.is_empty()));
        let meshes = spec.meshes.values().filter(|item| !item.file.is_empty());
        let hfields = spec.hfields.values().filter(|item| !item.file.is_empty());
        let skins = spec.skins.values().filter(|item| !item.file.is_empty());
        let mut folders: Vec<String> = if texture {
            textures.map(|item| self.asset_folder(&item.info, true)).collect()
        } else {
            let infos = meshes.map(|item| &item.info).chain(hfields.map(|item| &item.info));
            infos.chain(skins.map(|item| &item.info)).map(|info| self.asset_folder(info, false)).collect()
        };
        folders.dedup();
        let [folder] = folders.as_slice() else { return None };
        let own = files::join(&spec.modelfiledir.to_string_lossy(), "");
        Some(folder.strip_prefix(&own).unwrap_or(folder).to_owned())
    }

    /// A file name; with its folder if it belongs to an attached spec whose files are elsewhere.
    fn asset_file(&self, info: &Info, file: &str, texture: bool) -> String {
        if let (Some(relocate), false) = (self.relocate, file.is_empty()) {
            let file = if self.spec.strippath { files::last_part(file) } else { file };
            return relocate(&files::join(&self.asset_folder(info, texture), file));
        }
        let common = if texture { &self.texture_folder } else { &self.mesh_folder };
        if file.is_empty() || common.is_some() || self.spec.folder_of(info.origin).is_none() {
            return file.to_owned();
        }
        files::join(&self.asset_folder(info, texture), file)
    }

    pub(super) fn assets(&mut self) {
        let spec = self.spec;
        let before = self.text.out.len();
        self.text.start("asset");
        self.text.open("asset");
        let inside = self.text.out.len();
        spec.textures.values().for_each(|texture| self.texture(texture));
        spec.materials.values().for_each(|material| self.material(material));
        spec.meshes.values().for_each(|mesh| self.mesh(mesh));
        spec.hfields.values().for_each(|hfield| self.hfield(hfield));
        let empty = self.text.out.len() == inside;
        self.text.close();
        if empty {
            self.text.out.truncate(before);
        }
    }

    pub(super) fn deformables(&mut self) {
        let spec = self.spec;
        if spec.skins.is_empty() && spec.flexes.is_empty() {
            return;
        }
        self.text.start("deformable");
        self.text.open("deformable");
        spec.flexes.values().for_each(|flex| self.flex(flex));
        spec.skins.values().for_each(|skin| self.skin(skin));
        self.text.close();
    }

    fn texture(&mut self, texture: &Texture) {
        let default = Texture::default();
        self.text.start("texture");
        self.text.text_unless("name", &texture.info.name, "");
        // Pixels that are in the spec become pictures. A file gives its name to a texture without one, so a cube without a name
        // has a file for each face.
        let is_cube = texture.kind != TextureType::Flat && texture.height == 6 * texture.width;
        let faces = if is_cube && texture.info.name.is_empty() { 6 } else { 1 };
        let folder = self.texture_folder.as_ref().unwrap_or(&self.spec.compiler.texturedir);
        let pictures =
            if texture.data.is_empty() { Vec::new() } else { self.beside.pictures(texture, folder, faces) };
        let file = match pictures.as_slice() {
            [picture] => picture.clone(),
            _ => self.asset_file(&texture.info, &texture.file, true),
        };
        let cube: Vec<String> = if pictures.len() > 1 {
            pictures
        } else {
            texture.cubefiles.iter().map(|file| self.asset_file(&texture.info, file, true)).collect()
        };
        let text = &mut self.text;
        let is_head = |name: &str| matches!(name, "type" | "colorspace" | "content_type");
        text.attributes(texture, &default, is_head);
        text.text_unless("file", &file, "");
        for (name, file) in CUBE_FILES.iter().zip(&cube) {
            text.text_unless(name, file, "");
        }
        // A picture has its own size, and its faces lie as they do in memory.
        let by_picture =
            |name: &str| !texture.data.is_empty() && matches!(name, "width" | "height" | "gridsize");
        text.attributes(texture, &default, |name| !is_head(name) && !by_picture(name));
        if !texture.data.is_empty() && is_cube && faces == 1 {
            // The six faces of a cube, one below the other.
            text.numbers("gridsize", &[6, 1]);
            text.text("gridlayout", "RLUDFB");
        }
        if texture.data.is_empty() && texture.gridlayout != default.gridlayout {
            let cells = usize::try_from(texture.gridsize[0].saturating_mul(texture.gridsize[1])).unwrap_or(0);
            let layout = texture.gridlayout.get(..cells).unwrap_or(&texture.gridlayout);
            text.text("gridlayout", &String::from_utf8_lossy(layout));
        }
        text.empty();
    }

    fn material(&mut self, material: &Material) {
        self.text.start("material");
        let main = self.spec.main_class();
        self.identity(&material.info, main);
        let class = &self.class_of(&material.info).material;
        self.material_values(material, class);
    }

    pub(super) fn class_material(&mut self, material: &Material, around: &Material) {
        let before = self.text.out.len();
        self.text.start("material");
        let inside = self.text.out.len();
        self.material_values(material, around);
        if self.text.out.get(inside..) == Some("/>\n") {
            self.text.out.truncate(before);
        }
    }

    /// Attributes, layers and the end of the element.
    fn material_values(&mut self, material: &Material, default: &Material) {
        let text = &mut self.text;
        text.attributes(material, default, |_| true);
        let changed: Vec<usize> = (0..material.textures.len())
            .filter(|&role| material.textures.get(role) != default.textures.get(role))
            .collect();
        match changed.as_slice() {
            [] => text.empty(),
            [RGB] => {
                text.text("texture", &material.textures[RGB]);
                text.empty();
            }
            _ => {
                text.open("material");
                for role in changed {
                    let Some(texture) = material.textures.get(role) else { continue };
                    text.start("layer");
                    text.word_always("role", "role", role as i32);
                    text.text("texture", texture);
                    text.empty();
                }
                text.close();
            }
        }
    }

    fn mesh(&mut self, mesh: &Mesh) {
        self.text.start("mesh");
        let main = self.spec.main_class();
        self.identity(&mesh.info, main);
        let folder = self.mesh_folder.as_ref().unwrap_or(&self.spec.compiler.meshdir);
        let beside = if self.large_meshes_beside { self.beside.mesh(mesh, folder) } else { None };
        let file = match &beside {
            Some(file) => file.clone(),
            None => self.asset_file(&mesh.info, &mesh.file, false),
        };
        self.text.attributes(mesh, &Mesh::default(), |name| name == "content_type");
        self.text.text_unless("file", &file, "");
        self.mesh_values(mesh, &self.class_of(&mesh.info).mesh, false);
        if beside.is_none() {
            self.mesh_content(mesh);
        }
        if mesh.plugin.active {
            self.text.open("mesh");
            self.plugin(&mesh.plugin);
            self.text.close();
        } else {
            self.text.empty();
        }
    }

    /// A class has only the values that meshes of any content share.
    pub(super) fn mesh_values(&mut self, mesh: &Mesh, default: &Mesh, in_class: bool) {
        let text = &mut self.text;
        text.attributes(mesh, default, in_classes);
        if in_class {
            return;
        }
        text.attributes(mesh, &Mesh::default(), |name| {
            !in_classes(name) && name != "content_type" && !CONTENT.contains(&name)
        });
        if mesh.builtin != MeshBuiltin::None {
            text.word_always("builtin", "meshbuiltin", mesh.builtin as i32);
            text.list("params", &mesh.params);
        }
    }

    /// The arrays of a mesh.
    fn mesh_content(&mut self, mesh: &Mesh) {
        if mesh.builtin == MeshBuiltin::None {
            self.text.attributes(mesh, &Mesh::default(), |name| CONTENT.contains(&name));
        }
    }

    fn hfield(&mut self, hfield: &HField) {
        self.text.start("hfield");
        self.text.text_unless("name", &hfield.info.name, "");
        let file = self.asset_file(&hfield.info, &hfield.file, false);
        let text = &mut self.text;
        let default = HField::default();
        text.attributes(hfield, &default, |name| name == "content_type");
        text.text_unless("file", &file, "");
        text.numbers("size", &hfield.size);
        text.attributes(hfield, &default, |name| !matches!(name, "content_type" | "size"));
        let columns = usize::try_from(hfield.ncol).unwrap_or(0);
        if columns > 0 && hfield.elevation.iter().any(|&value| value != 0.0) {
            let rows: Vec<f32> = hfield.elevation.rchunks(columns).flatten().copied().collect();
            text.list("elevation", &rows);
        }
        text.empty();
    }

    fn skin(&mut self, skin: &Skin) {
        self.text.start("skin");
        self.text.text_unless("name", &skin.info.name, "");
        let file = self.asset_file(&skin.info, &skin.file, false);
        let text = &mut self.text;
        text.text_unless("file", &file, "");
        text.attributes(skin, &Skin::default(), |_| true);
        if skin.bones.is_empty() {
            text.empty();
            return;
        }
        text.open("skin");
        for bone in &skin.bones {
            text.start("bone");
            text.text("body", &bone.body);
            text.numbers("bindpos", &bone.bindpos);
            text.numbers("bindquat", &bone.bindquat);
            text.list("vertid", &bone.vertid);
            text.list("vertweight", &bone.vertweight);
            text.empty();
        }
        text.close();
    }
}
