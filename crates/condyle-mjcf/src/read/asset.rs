//! The `<asset>` and `<deformable>` sections.

use super::Reader;
use super::attributes::Attributes;
use crate::number::words;
use crate::xml::NodeId;
use condyle_model::{ColorSpace, Diagnostic, TextureType};
use condyle_spec::{Flex, HField, Material, Mesh, Skin, SkinBone, Texture, TextureBuiltin, TextureMark};

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
        a.set_word("type", "texture", TextureType::from_i32, &mut texture.kind);
        a.set_word("colorspace", "colorspace", ColorSpace::from_i32, &mut texture.colorspace);
        a.set_text("content_type", &mut texture.content_type);
        let folder = self.texture_folder();
        texture.file = self.file(element, "file", &folder).unwrap_or_default();
        a.set("width", &mut texture.width);
        a.set("height", &mut texture.height);
        a.set("nchannel", &mut texture.nchannel);
        a.set_all("rgb1", &mut texture.rgb1);
        a.set_all("rgb2", &mut texture.rgb2);
        a.set_all("markrgb", &mut texture.markrgb);
        a.set("random", &mut texture.random);
        if let Some(builtin) = a.word("builtin", "texturebuiltin") {
            texture.builtin = match builtin {
                1 => TextureBuiltin::Gradient,
                2 => TextureBuiltin::Checker,
                3 => TextureBuiltin::Flat,
                _ => TextureBuiltin::None,
            };
        }
        if let Some(mark) = a.word("mark", "mark") {
            texture.mark = match mark {
                1 => TextureMark::Edge,
                2 => TextureMark::Cross,
                3 => TextureMark::Random,
                _ => TextureMark::None,
            };
        }
        a.set_flag("hflip", &mut texture.hflip);
        a.set_flag("vflip", &mut texture.vflip);
        a.set_all("gridsize", &mut texture.gridsize);
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
        a.set_text("content_type", &mut hfield.content_type);
        let file = self.file(element, "file", &self.asset_folder());
        let has_file = file.is_some();
        hfield.file = file.unwrap_or_default();
        a.set("nrow", &mut hfield.nrow);
        a.set("ncol", &mut hfield.ncol);
        self.require(element, "size");
        a.set_all("size", &mut hfield.size);
        if !has_file && hfield.nrow > 0 && hfield.ncol > 0 {
            let cells = i64::from(hfield.nrow) * i64::from(hfield.ncol);
            let given = a.numbers::<f32>("elevation");
            if cells > MOST_CELLS {
                self.report_at(
                    Diagnostic::error("E0007", format!("a height field of {cells} cells is too large")),
                    &element.location_of("nrow"),
                    format!("at most {MOST_CELLS} cells are possible"),
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
        let a = Attributes(element);
        let mut skin = Skin::default();
        self.named::<Skin>(element, &mut skin.info);
        skin.file = self.file(element, "file", &self.asset_folder()).unwrap_or_default();
        a.set_text("material", &mut skin.material);
        a.set("group", &mut skin.group);
        if !(0..6).contains(&skin.group) {
            self.report_at(
                Diagnostic::error("E0442", "the group of a skin lies between 0 and 5"),
                &element.location_of("group"),
                "write a number from 0 to 5",
            );
        }
        a.set_all("rgba", &mut skin.rgba);
        a.set("inflate", &mut skin.inflate);
        a.set_list("vertex", &mut skin.vertices);
        a.set_list("texcoord", &mut skin.texcoords);
        a.set_list("face", &mut skin.faces);
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
        let a = Attributes(element);
        let mut flex = Flex::default();
        self.named::<Flex>(element, &mut flex.info);
        a.set_text("material", &mut flex.material);
        a.set("radius", &mut flex.radius);
        a.set_all("rgba", &mut flex.rgba);
        a.set_flag("flatskin", &mut flex.flatskin);
        a.set("dim", &mut flex.dim);
        a.set("group", &mut flex.group);
        self.require(element, "body");
        self.require(element, "element");
        let names = |text: &str| words(text).map(|(_, word)| word.to_owned()).collect::<Vec<_>>();
        flex.vertbody = a.get("body").map(names).unwrap_or_default();
        flex.nodebody = a.get("node").map(names).unwrap_or_default();
        a.set_list("vertex", &mut flex.vert);
        a.set_list("element", &mut flex.elem);
        a.set_list("texcoord", &mut flex.texcoord);
        a.set_list("elemtexcoord", &mut flex.elemtexcoord);
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
        let tree = self.tree;
        if let Some((_, contact)) = tree.child(node, "contact") {
            let a = Attributes(contact);
            self.add_places(contact, &mut flex.info);
            a.set("contype", &mut flex.contype);
            a.set("conaffinity", &mut flex.conaffinity);
            a.set("condim", &mut flex.condim);
            a.set("priority", &mut flex.priority);
            a.set_first("friction", &mut flex.friction);
            a.set("solmix", &mut flex.solmix);
            a.set_first("solref", &mut flex.solref);
            a.set_first("solimp", &mut flex.solimp);
            a.set("margin", &mut flex.margin);
            a.set("gap", &mut flex.gap);
            a.set_flag("internal", &mut flex.internal);
            a.set_word("selfcollide", "selfcollide", Some, &mut flex.selfcollide);
            a.set_word("vertcollide", "bool", Some, &mut flex.vertcollide);
            a.set_word("passive", "bool", Some, &mut flex.passive);
            a.set("activelayers", &mut flex.activelayers);
        }
        if let Some((_, edge)) = tree.child(node, "edge") {
            let a = Attributes(edge);
            self.add_places(edge, &mut flex.info);
            a.set("stiffness", &mut flex.edgestiffness);
            a.set("damping", &mut flex.edgedamping);
        }
        if let Some((_, elasticity)) = tree.child(node, "elasticity") {
            let a = Attributes(elasticity);
            self.add_places(elasticity, &mut flex.info);
            a.set("young", &mut flex.young);
            a.set("poisson", &mut flex.poisson);
            a.set("thickness", &mut flex.thickness);
            a.set("damping", &mut flex.damping);
            a.set_word("elastic2d", "elastic2d", Some, &mut flex.elastic2d);
        }
    }
}
