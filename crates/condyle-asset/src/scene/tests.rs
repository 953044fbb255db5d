use super::*;

/// A tetrahedron in millimetres with y upward: a polygon and two triangles, moved by 1 m along the file's x, turned and mirrored parts.
const COLLADA: &str = r##"<?xml version="1.0"?>
<!-- made by hand -->
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
  <asset><unit name="millimeter" meter="0.001"/><up_axis>Y_UP</up_axis></asset>
  <library_geometries><geometry id="g"><mesh>
    <source id="p"><float_array id="a" count="12">0 0 0  1000 0 0  0 1000 0
      0 0 1000</float_array><technique_common><accessor source="#a" count="4" stride="3"/></technique_common></source>
    <source id="n"><float_array id="b" count="3">0 0 1</float_array></source>
    <vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
    <polylist count="2"><input semantic="VERTEX" source="#v" offset="0"/><input semantic="NORMAL" source="#n" offset="1"/>
      <vcount>3 3</vcount><p>0 0 2 0 1 0 0 0 1 0 3 0</p></polylist>
    <triangles count="2"><input semantic="VERTEX" source="#v" offset="0"/><p>0 3 2 1 2 3</p></triangles>
  </mesh></geometry></library_geometries>
  <library_visual_scenes><visual_scene id="s">
    <node id="outer"><translate>1000 0 0</translate><node id="inner"><rotate>0 0 1 90</rotate><instance_geometry url="#g"/></node></node>
  </visual_scene></library_visual_scenes>
  <scene><instance_visual_scene url="#s"/></scene>
</COLLADA>"##;

fn volume(mesh: &MeshData) -> f64 {
    let vertex = |index: i32| {
        let at = 3 * index as usize;
        [0, 1, 2].map(|axis| f64::from(mesh.vertices[at + axis]))
    };
    let of = |face: &[i32]| {
        let [a, b, c] = [vertex(face[0]), vertex(face[1]), vertex(face[2])];
        a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0])
            + a[2] * (b[0] * c[1] - b[1] * c[0])
    };
    mesh.faces.chunks_exact(3).map(of).sum::<f64>() / 6.0
}

fn has(mesh: &MeshData, wanted: [f32; 3]) -> bool {
    mesh.vertices.chunks_exact(3).any(|v| v.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 1e-6))
}

#[test]
fn collada_applies_unit_upward_axis_and_the_transformations_of_its_nodes() {
    let mesh = read_collada(COLLADA.as_bytes(), false).unwrap();
    assert_eq!((mesh.vertices.len(), mesh.faces.len()), (12, 12));
    // (x, y, z) is turned to (-y, x, z) by the inner node, moved by 1 and turned to (x, -z, y).
    for corner in [[1.0, 0.0, 0.0], [1.0, 0.0, 1.0], [0.0, 0.0, 0.0], [1.0, -1.0, 0.0]] {
        assert!(has(&mesh, corner), "{corner:?} is not in {:?}", mesh.vertices);
    }
    assert!((volume(&mesh) - 1.0 / 6.0).abs() < 1e-6, "{}", volume(&mesh));
    assert!((volume(&read_collada(COLLADA.as_bytes(), true).unwrap()) + 1.0 / 6.0).abs() < 1e-6);
}

#[test]
fn a_mirroring_node_keeps_the_outside_outside() {
    let mirrored = COLLADA.replace("<translate>1000 0 0</translate>", "<scale>-1 1 1</scale>");
    let mesh = read_collada(mirrored.as_bytes(), false).unwrap();
    assert!((volume(&mesh) - 1.0 / 6.0).abs() < 1e-6, "{}", volume(&mesh));
}

fn encoded(bytes: &[u8]) -> String {
    const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for three in bytes.chunks(3) {
        let bits = (0..3).fold(0_u32, |bits, at| bits << 8 | u32::from(three.get(at).copied().unwrap_or(0)));
        for at in 0..4 {
            out.push(char::from(LETTERS[(bits >> (18 - 6 * at)) as usize & 63]));
        }
    }
    out
}

fn buffer() -> Vec<u8> {
    let positions: [f32; 12] = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];
    let corners: [u16; 12] = [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3];
    let mut bytes: Vec<u8> = positions.iter().flat_map(|x| x.to_le_bytes()).collect();
    bytes.extend(corners.iter().flat_map(|x| x.to_le_bytes()));
    bytes
}

fn gltf(buffer: &str) -> String {
    format!(
        r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0]}}],
        "nodes":[{{"translation":[1,0,0],"scale":[2,2,2],"children":[1]}},{{"mesh":0,"rotation":[0,0,0.70710678,0.70710678]}}],
        "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}},"indices":1}}]}}],
        "accessors":[{{"bufferView":0,"componentType":5126,"count":4,"type":"VEC3"}},
                     {{"bufferView":1,"componentType":5123,"count":12,"type":"SCALAR"}}],
        "bufferViews":[{{"buffer":0,"byteLength":48}},{{"buffer":0,"byteOffset":48,"byteLength":24}}],
        "buffers":[{{"byteLength":72{buffer}}}]}}"#
    )
}

fn none(_: &str) -> Result<Vec<u8>, String> {
    Err("no such file".to_owned())
}

#[test]
fn gltf_reads_buffers_inside_beside_and_in_binary_files() {
    let inside = gltf(&format!(r#","uri":"data:application/octet-stream;base64,{}""#, encoded(&buffer())));
    let first = read_gltf(inside.as_bytes(), false, &none).unwrap();
    // (x, y, z) is turned to (-y, x, z), doubled, moved by 1 and turned to (x, -z, y).
    for corner in [[1.0, 0.0, 0.0], [1.0, 0.0, 2.0], [-1.0, 0.0, 0.0], [1.0, -2.0, 0.0]] {
        assert!(has(&first, corner), "{corner:?} is not in {:?}", first.vertices);
    }
    assert!((volume(&first) - 8.0 / 6.0).abs() < 1e-5, "{}", volume(&first));

    let beside = gltf(r#","uri":"my%20mesh.bin""#);
    let file = |name: &str| if name == "my mesh.bin" { Ok(buffer()) } else { none(name) };
    assert_eq!(read_gltf(beside.as_bytes(), false, &file).unwrap(), first);
    assert!(read_gltf(beside.as_bytes(), false, &none).unwrap_err().message.contains("my%20mesh.bin"));

    assert_eq!(read_gltf(&glb(), false, &none).unwrap(), first);
}

fn glb() -> Vec<u8> {
    let (json, data) = (gltf(""), buffer());
    let mut binary = b"glTF\x02\0\0\0".to_vec();
    binary.extend(((28 + json.len() + data.len()) as u32).to_le_bytes());
    binary.extend((json.len() as u32).to_le_bytes());
    binary.extend(b"JSON");
    binary.extend(json.as_bytes());
    binary.extend((data.len() as u32).to_le_bytes());
    binary.extend(b"BIN\0");
    binary.extend(data);
    binary
}

#[test]
fn scenes_that_contain_themselves_are_refused() {
    let collada = COLLADA.replace(r##"<instance_geometry url="#g"/>"##, r##"<instance_node url="#outer"/>"##);
    assert_eq!(read_collada(collada.as_bytes(), false).unwrap_err().code, "scene-size");
    let gltf = gltf(&format!(r#","uri":"data:;base64,{}""#, encoded(&buffer())))
        .replace("\"mesh\":0", "\"children\":[0,0]");
    assert_eq!(read_gltf(gltf.as_bytes(), false, &none).unwrap_err().code, "scene-size");
}

#[test]
fn damaged_scenes_are_errors_and_never_panics() {
    let mut state = 1_u64;
    let mut random = move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize
    };
    let inside = gltf(&format!(r#","uri":"data:;base64,{}""#, encoded(&buffer())));
    let mut refused = 0;
    for (index, file) in [COLLADA.as_bytes().to_vec(), inside.into_bytes(), glb()].iter().enumerate() {
        let read = |bytes: &[u8]| {
            if index == 0 { read_collada(bytes, false) } else { read_gltf(bytes, false, &none) }
        };
        for end in 0..file.len() - 1 {
            refused += usize::from(read(&file[..end]).is_err());
        }
        for _ in 0..3000 {
            let mut bytes = file.clone();
            for _ in 0..1 + random() % 3 {
                let at = random() % bytes.len();
                bytes[at] = b"0123456789-.<>/\"{}[],:#\0\xff"[random() % 25];
            }
            let _ = read(&bytes);
        }
    }
    assert!(refused > 2000, "{refused}");
}

#[test]
fn files_that_are_no_scenes_say_what_is_wrong() {
    assert!(read_collada(b"<robot/>", false).unwrap_err().message.contains("<COLLADA>, not <robot>"));
    assert_eq!(read_gltf(b"{}", false, &none).unwrap_err().code, "scene-empty");
    let draco = br#"{"extensionsRequired":["KHR_draco_mesh_compression"]}"#;
    assert!(read_gltf(draco, false, &none).unwrap_err().message.contains("KHR_draco_mesh_compression"));
}
