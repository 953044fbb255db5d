//! Meshes, height fields, textures, materials and skins.

use condyle_model::widths::TEXTURE_ROLES;
use condyle_model::{ColorSpace, TextureType};

use super::custom::PluginRef;
use super::table::element;
use crate::orientation::{MeshBuiltin, MeshInertia, TextureBuiltin, TextureMark};

element! {
    /// A triangle mesh: from a file, from inline arrays or made by the compiler.
    Mesh {
        parts {
            /// Plugin that makes the shape.
            pub plugin: PluginRef = PluginRef::default();
            /// Shape made by the compiler.
            pub builtin: MeshBuiltin = MeshBuiltin::None;
            /// Parameters of that shape.
            pub params: Vec<f64> = Vec::new();
        }
        /// MIME type of the file; empty: by its name.
        content_type: String = String::new(), "content_type";
        /// File it is read from.
        file: String = String::new(), "file" file by_hand;
        /// Factors along the axes; negative ones mirror.
        scale: [f64; 3] = [1.0; 3], "scale" => mesh_scale;
        /// Maximum number of vertices of the convex hull; -1: no limit.
        maxhullvert: i32 = -1, "maxhullvert";
        /// How volume and inertia are computed.
        inertia: MeshInertia = MeshInertia::Legacy, "inertia";
        /// Origin of the mesh in the frame of its file, m.
        refpos: [f64; 3] = [0.0; 3], "refpos";
        /// Orientation of the mesh in the frame of its file, w first.
        refquat: [f64; 4] = [1.0, 0.0, 0.0, 0.0], "refquat";
        /// Whether missing normals are averaged over all faces of a vertex, however sharp its edges.
        smoothnormal: bool = false, "smoothnormal";
        /// Material of geoms that have none.
        material: String = String::new(), "material";
        /// Vertices, three numbers each, m.
        vertices as "uservert": Vec<f32> = Vec::new(), "vertex" => (mesh_vert);
        /// Normals, three numbers each.
        normals as "usernormal": Vec<f32> = Vec::new(), "normal" => (mesh_normal);
        /// Texture coordinates, two numbers each, 0 to 1.
        texcoords as "usertexcoord": Vec<f32> = Vec::new(), "texcoord" => (mesh_texcoord);
        /// Vertices of the triangles, from 0.
        faces as "userface": Vec<i32> = Vec::new(), "face" => (mesh_face);
        /// Normals of the corners of the triangles, from 0; empty: those of the vertices.
        face_normals as "userfacenormal": Vec<i32> = Vec::new(), => (mesh_facenormal);
        /// Texture coordinates of the corners of the triangles, from 0; empty: those of the vertices.
        face_texcoords as "userfacetexcoord": Vec<i32> = Vec::new(), => (mesh_facetexcoord);
        /// Whether an octree of signed distances is made.
        needsdf: bool = false, ;
    }
}

element! {
    /// A height field: from a file or from inline elevations.
    HField {
        parts {}
        /// MIME type of the file; empty: by its name.
        content_type: String = String::new(), "content_type";
        /// File it is read from.
        file: String = String::new(), "file" file by_hand;
        /// Half sizes in x and y, top elevation, depth of the base, m.
        size: [f64; 4] = [0.0; 4], "size" => hfield_size;
        /// Grid points along y.
        nrow: i32 = 0, "nrow" => hfield_nrow;
        /// Grid points along x.
        ncol: i32 = 0, "ncol" => hfield_ncol;
        /// Elevations in any unit, row by row: in MJCF from the top, in memory from the bottom.
        elevation as "userdata": Vec<f32> = Vec::new(), "elevation" by_hand => (hfield_data);
    }
}

element! {
    /// An image: from files, made by the compiler, or given as bytes.
    Texture {
        parts {}
        /// Kind of texture.
        kind as "type": TextureType = TextureType::Cube, "type" => tex_type;
        /// Encoding of the colours.
        colorspace: ColorSpace = ColorSpace::Auto, "colorspace" => tex_colorspace;
        /// MIME type of the file; empty: by its name.
        content_type: String = String::new(), "content_type";
        /// File it is read from.
        file: String = String::new(), "file" file by_hand;
        /// Files of the faces of a cube: right, left, up, down, front, back.
        cubefiles: [String; 6] = Default::default(), ;
        /// Image made by the compiler.
        builtin: TextureBuiltin = TextureBuiltin::None, "builtin";
        /// Marks drawn on it.
        mark: TextureMark = TextureMark::None, "mark";
        /// First colour, 0 to 1.
        rgb1: [f64; 3] = [0.8; 3], "rgb1";
        /// Second colour, 0 to 1.
        rgb2: [f64; 3] = [0.5; 3], "rgb2";
        /// Colour of the marks, 0 to 1.
        markrgb: [f64; 3] = [0.0; 3], "markrgb";
        /// Chance that a pixel is marked, for random marks.
        random: f64 = 0.01, "random";
        /// Columns of pixels.
        width: i32 = 0, "width" => tex_width;
        /// Rows of pixels.
        height: i32 = 0, "height" => tex_height;
        /// Bytes per pixel.
        nchannel: i32 = 3, "nchannel" => tex_nchannel;
        /// Whether the image is mirrored left to right.
        hflip: bool = false, "hflip";
        /// Whether the image is mirrored top to bottom.
        vflip: bool = false, "vflip";
        /// Rows and columns of the faces in one image.
        gridsize: [i32; 2] = [1, 1], "gridsize";
        /// Faces in the cells of the grid, by the first letters of right, left, up, down, front and back; a point for none.
        gridlayout: [u8; 12] = [b'.'; 12], "gridlayout" by_hand;
        /// Pixels, row by row.
        data: Vec<u8> = Vec::new(), => (tex_data);
    }
}

element! {
    /// Appearance of a geom, site, tendon or skin.
    Material {
        parts {}
        /// Whether a cube texture repeats per metre instead of stretching over the object.
        texuniform: bool = false, "texuniform" => mat_texuniform;
        /// How often a flat texture repeats along x and y.
        texrepeat: [f32; 2] = [1.0; 2], "texrepeat" => mat_texrepeat;
        /// Light given off, as a multiple of the colour.
        emission: f32 = 0.0, "emission" => mat_emission;
        /// Strength of highlights, 0 to 1.
        specular: f32 = 0.5, "specular" => mat_specular;
        /// Sharpness of highlights, 0 to 1.
        shininess: f32 = 0.5, "shininess" => mat_shininess;
        /// Share of light mirrored, 0 to 1; 0: off.
        reflectance: f32 = 0.0, "reflectance" => mat_reflectance;
        /// Metalness, 0 to 1; -1: not set.
        metallic: f32 = -1.0, "metallic" => mat_metallic;
        /// Roughness, 0 to 1; -1: not set.
        roughness: f32 = -1.0, "roughness" => mat_roughness;
        /// Colour, 0 to 1.
        rgba: [f32; 4] = [1.0; 4], "rgba" => mat_rgba;
        /// Texture name by role; empty for none.
        textures: [String; TEXTURE_ROLES] = Default::default(), "texture" by_hand;
    }
}

element! {
    /// A deformable surface for rendering, moved by bodies.
    Skin {
        parts {
            /// The bodies that move it.
            pub bones: Vec<SkinBone> = Vec::new();
        }
        /// File it is read from.
        file: String = String::new(), "file" file by_hand;
        /// Material.
        material: String = String::new(), "material" -> Material => skin_matid;
        /// Colour when there is no material, 0 to 1.
        rgba: [f32; 4] = [0.5, 0.5, 0.5, 1.0], "rgba" => skin_rgba;
        /// Distance the skin is pushed out along its normals, m.
        inflate: f32 = 0.0, "inflate" => skin_inflate;
        /// Visibility group, 0 to 5.
        group: i32 = 0, "group" => skin_group;
        /// Vertices in the bind pose, world frame, three numbers each, m.
        vertices as "vert": Vec<f32> = Vec::new(), "vertex" => (skin_vert);
        /// Texture coordinates, two numbers each, 0 to 1.
        texcoords as "texcoord": Vec<f32> = Vec::new(), "texcoord" => (skin_texcoord);
        /// Vertices of the triangles, from 0.
        faces as "face": Vec<i32> = Vec::new(), "face" => (skin_face);
    }
}

/// A body that moves vertices of a skin.
#[derive(Clone, Debug, Default)]
pub struct SkinBone {
    /// Name of the body.
    pub body: String,
    /// Its position in the bind pose, world frame, m.
    pub bindpos: [f32; 3],
    /// Its orientation in the bind pose, w first.
    pub bindquat: [f32; 4],
    /// Vertices it moves, from 0.
    pub vertid: Vec<i32>,
    /// Its share in the motion of each of them.
    pub vertweight: Vec<f32>,
}
