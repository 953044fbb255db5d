//! The `<asset>` and `<deformable>` sections.

use super::Reader;
use super::attributes::Attributes;
use crate::xml::NodeId;
use condyle_base::Diagnostic;
use condyle_spec::{Flex, HField, Material, Mesh, Skin, SkinBone, Texture};

/// Most cells of a height field given without a file.
const MOST_CELLS: i64 = 100_000_000;

/// Files of a cube texture, in the order of its faces.
pub(crate) const CUBE_FILES: [&str; 6] =
    ["fileright", "fileleft", "fileup", "filedown", "filefront", "fileback"];

impl Reader<'_> {
    pub(super) fn assets(&mut self, section: NodeId) {
        let tree = self.tree;
        for (node, element) in tree.children(section) {
            let class = self.class_of(element, self.spec.main_class());
            match &*element.name {
                "texture" => self.texture(node),
                "material" => {
                    let id = self.spec.add_material(Some(class));
                    let mut material: Material = std::mem::take(&mut self.spec.materials[id]);
                    self.named::<Material>(element, &mut material.info);
                    self.material_values(node, &mut material);
                    self.spec.materials[id] = material;
                }
                "mesh" => {
                    let id = self.spec.add_mesh(Some(class));
                    let mut mesh: Mesh = std::mem::take(&mut self.spec.meshes[id]);
                    self.named::<Mesh>(element, &mut mesh.info);
                    self.mesh_values(node, &mut mesh);
                    self.spec.meshes[id] = mesh;
                }
                "skin" => self.skin(node),
                "hfield" => self.hfield(node),
                "model" => self.model(node),
                _ => {}
            }
        }
    }

    pub(super) fn deformables(&mut self, section: NodeId) {
        let tree = self.tree;
        for (node, element) in tree.children(section) {
            match &*element.name {
                "skin" => self.skin(node),
                "flex" => self.flex(node),
                _ => {}
            }
        }
    }

    fn texture(&mut self, node: NodeId) {
        let element = self.tree.get(node);
        let a = Attributes(element);
        let mut texture = Texture::default();
        self.named::<Texture>(element, &mut texture.info);
        a.read(&mut texture);
        let folder = self.texture_folder();
        texture.file = self.file(element, "file", &folder).unwrap_or_default();
        if let Some(layout) = a.get("gridlayout") {
            let [rows, columns] = texture.gridsize.map(i64::from);
            if layout.len() > 12 || layout.len() as i64 != rows * columns {
                self.report_at(
                    Diagnostic::error(
                        "E0440",
                        format!(
                            "gridlayout has {} letters, but the grid has {rows} by {columns} cells",
                            layout.len()
                        ),
                    ),
                    &element.location_of("gridlayout"),
                    "write one of the letters .RLUDFB per cell, at most 12",
                );
            } else {
                for (slot, letter) in texture.gridlayout.iter_mut().zip(layout.bytes()) {
                    *slot = letter;
                }
            }
        }
        for (slot, name) in texture.cubefiles.iter_mut().zip(CUBE_FILES) {
            *slot = self.file(element, name, &folder).unwrap_or_default();
        }
        let id = self.spec.add_texture();
        self.spec.textures[id] = texture;
    }

    fn hfield(&mut self, node: NodeId) {
        let element = self.tree.get(node);
        let a = Attributes(element);
        let mut hfield = HField::default();
        self.named::<HField>(element, &mut hfield.info);
        a.read(&mut hfield);
        let file = self.file(element, "file", &self.asset_folder());
        let has_file = file.is_some();
        hfield.file = file.unwrap_or_default();
        self.require(element, "size");
        if !has_file && hfield.nrow > 0 && hfield.ncol > 0 {
            let cells = i64::from(hfield.nrow) * i64::from(hfield.ncol);
            let given = a.numbers::<f32>("elevation");
            if cells > MOST_CELLS {
                self.report_at(
                    Diagnostic::error("E0007", format!("a height field of {cells} cells is too large")),
                    &element.location_of("nrow"),
                    format!("at most {MOST_CELLS} cells are allowed"),
                );
            } else if let Some(rows) = given {
                if rows.len() as i64 == cells {
                    // The text lists the rows from top to bottom, the model from bottom to top.
                    let columns = hfield.ncol as usize;
                    hfield.elevation = rows.rchunks(columns).flatten().copied().collect();
                } else {
                    self.report_at(
                        Diagnostic::error(
                            "E0441",
                            format!("{} elevations are given, but nrow times ncol is {cells}", rows.len()),
                        ),
                        &element.location_of("elevation"),
                        "give one number per cell, row by row from the top",
                    );
                }
            } else {
                hfield.elevation = vec![0.0; cells as usize];
            }
        }
        let id = self.spec.add_hfield();
        self.spec.hfields[id] = hfield;
    }

    fn skin(&mut self, node: NodeId) {
        let tree = self.tree;
        let element = tree.get(node);
        let mut skin = Skin::default();
        self.named::<Skin>(element, &mut skin.info);
        skin.file = self.file(element, "file", &self.asset_folder()).unwrap_or_default();
        Attributes(element).read(&mut skin);
        if !(0..6).contains(&skin.group) {
            self.report_at(
                Diagnostic::error("E0442", "the group of a skin must be between 0 and 5"),
                &element.location_of("group"),
                "write a number from 0 to 5",
            );
        }
        for (_, bone_element) in tree.children_named(node, "bone") {
            let a = Attributes(bone_element);
            let mut bone = SkinBone::default();
            for name in ["body", "bindpos", "bindquat", "vertid", "vertweight"] {
                self.require(bone_element, name);
            }
            a.set_text("body", &mut bone.body);
            a.set_all("bindpos", &mut bone.bindpos);
            a.set_all("bindquat", &mut bone.bindquat);
            a.set_list("vertid", &mut bone.vertid);
            a.set_list("vertweight", &mut bone.vertweight);
            skin.bones.push(bone);
        }
        let id = self.spec.add_skin();
        self.spec.skins[id] = skin;
    }

    fn flex(&mut self, node: NodeId) {
        let tree = self.tree;
        let element = tree.get(node);
        let mut flex = Flex::default();
        self.named::<Flex>(element, &mut flex.info);
        self.require(element, "body");
        self.require(element, "element");
        Attributes(element).read(&mut flex);
        self.flex_parts(node, &mut flex);
        if self.options.reference_bugs && flex.info.has("passive") {
            // The reference takes the flag it read last in another attribute; it reads a flexcomp as written.
            flex.passive = i32::from(if flex.info.has("internal") { flex.internal } else { flex.flatskin });
        }
        let id = self.spec.add_flex(None);
        flex.info.class = self.spec.flexes[id].info.class;
        self.spec.flexes[id] = flex;
    }

    /// Contact, edges and elasticity of a flex or flexcomp.
    pub(super) fn flex_parts(&self, node: NodeId, flex: &mut Flex) {
        for name in ["contact", "edge", "elasticity"] {
            if let Some((_, part)) = self.tree.child(node, name) {
                self.add_places(part, &mut flex.info);
                Attributes(part).read_part(flex, name);
            }
        }
    }
}
