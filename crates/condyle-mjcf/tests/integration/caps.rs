//! Every cap of `docs/guide.md`: what exceeds it is refused at once, before memory for it is taken.

use condyle_base::diagnostic::render_all;
use condyle_base::{Diagnostic, Files};
use condyle_mjcf::{Limits, LoadOptions, read_bytes};
use std::time::Instant;

fn problems(text: &str, limits: Limits, given: &[(&str, Vec<u8>)]) -> Vec<Diagnostic> {
    let mut files = Files::without_disk();
    for (name, bytes) in given {
        files.insert(name, bytes.clone());
    }
    let options = LoadOptions::default().limits(limits).files(files);
    let start = Instant::now();
    let found = read_bytes("cap.xml", text.as_bytes(), &options).compile(&options).err().unwrap_or_default();
    assert!(start.elapsed().as_secs_f64() < 2.0, "{}\n{}", start.elapsed().as_secs_f64(), render_all(&found));
    found
}

fn model(content: &str) -> String {
    format!("<mujoco>{content}</mujoco>")
}

fn world(content: &str) -> String {
    model(&format!("<worldbody>{content}</worldbody>"))
}

/// Asserts that a text is refused in words that contain `expected`.
fn refused(what: &str, text: &str, limits: Limits, files: &[(&str, Vec<u8>)], expected: &str) {
    let found = problems(text, limits, files);
    let hit = found.iter().any(|problem| {
        problem.is_error() && (problem.message.contains(expected) || problem.code == expected)
    });
    assert!(hit, "{what}: expected {expected}\n{}", render_all(&found));
}

#[test]
fn texts_beyond_the_reader_caps_are_refused() {
    let small = |change: fn(&mut Limits)| {
        let mut limits = Limits::default();
        change(&mut limits);
        limits
    };
    let include = model("<include file='part.xml'/>");
    let part = |text: &str| vec![("part.xml", text.as_bytes().to_vec())];
    refused(
        "bytes of a file",
        &include,
        small(|l| l.file_bytes = 10),
        &part("<mujoco><option/></mujoco>"),
        "E0003",
    );
    refused(
        "bytes in all",
        &include,
        small(|l| l.total_bytes = 20),
        &part("<mujoco><option/></mujoco>"),
        "E0505",
    );
    refused("elements", &world("<geom/><geom/><geom/>"), small(|l| l.elements = 3), &[], "E0004");
    let attributes: String = (0..300).map(|k| format!(" a{k}='1'")).collect();
    refused("attributes", &world(&format!("<geom{attributes}/>")), Limits::default(), &[], "E0006");
    let nested = "<body>".repeat(600) + &"</body>".repeat(600);
    refused("nesting", &world(&nested), Limits::default(), &[], "E0005");
    // Below the cap of one file in each of four, beyond that of all together.
    let deep = |inside: &str| "<body>".repeat(300) + inside + &"</body>".repeat(300);
    let parts = ["a.xml", "b.xml", "c.xml", "d.xml"];
    let including: Vec<(&str, Vec<u8>)> = (0..3)
        .map(|k| (parts[k], model(&deep(&format!("<include file='{}'/>", parts[k + 1]))).into_bytes()))
        .chain([(parts[3], model(&deep("")).into_bytes())])
        .collect();
    refused(
        "nesting over all files",
        &world("<include file='a.xml'/>"),
        Limits::default(),
        &including,
        "E0005",
    );
    let fewer = problems(&world("<include file='c.xml'/>"), Limits::default(), &including);
    assert!(fewer.iter().all(|problem| problem.code != "E0005"), "{}", render_all(&fewer));
    let names: Vec<String> = (0..41).map(|k| format!("p{k}.xml")).collect();
    let chain: Vec<(&str, Vec<u8>)> = (0..40)
        .map(|k| (names[k].as_str(), model(&format!("<include file='{}'/>", names[k + 1])).into_bytes()))
        .collect();
    refused("include depth", &model("<include file='p0.xml'/>"), Limits::default(), &chain, "E0503");
    let nested_model =
        |k: usize| model(&format!("<asset><model name='m' file='{}'/></asset>", names[k + 1])).into_bytes();
    let models: Vec<(&str, Vec<u8>)> = (0..40).map(|k| (names[k].as_str(), nested_model(k))).collect();
    let first = model("<asset><model name='m' file='p0.xml'/></asset>");
    refused("models in models", &first, Limits::default(), &models, "E0008");
}

#[test]
fn a_report_of_thousands_of_problems_is_cut() {
    let found = problems(&world(&"<geom sise='1'/>".repeat(5000)), Limits::default(), &[]);
    assert_eq!(found.len(), Limits::default().diagnostics);
    assert!(found.last().unwrap().notes.iter().any(|note| note.contains("4800 further problems")));
}

#[test]
fn counts_beyond_the_model_caps_are_refused() {
    let asset = |content: &str| model(&format!("<asset>{content}</asset>"));
    let arm = "<body name='b'><joint name='j'/><geom size='.1'/></body>";
    for (what, text, expected) in [
        ("replicate", world("<replicate count='2000000'><geom size='1'/></replicate>"), "E0009"),
        (
            "nested replicate",
            world("<replicate count='1500'><replicate count='1500'><site/></replicate></replicate>"),
            "E0009",
        ),
        ("bodies", world("<replicate count='70000'><body/></replicate>"), "E0711"),
        (
            "composite",
            world(
                "<body name='x'><composite type='cable' curve='s' count='100000 1 1' size='1'><geom size='.1'/></composite></body>",
            ),
            "E0476",
        ),
        (
            "skin of a composite",
            world(
                "<body name='x'><composite type='cable' curve='s' count='1000 1 1' size='1'><geom type='box' size='.1 .1 .1'/>\
                 <skin subgrid='1000'/></composite></body>",
            ),
            "E0476",
        ),
        ("flexcomp", world("<flexcomp name='f' dim='3' count='2000000000 2000000000 2000000000'/>"), "E0483"),
        (
            "flexcomps together",
            world(
                &(0..300)
                    .map(|k| format!("<flexcomp name='f{k}' rigid='true' count='70 70 1'/>"))
                    .collect::<String>(),
            ),
            "E0483",
        ),
        ("bodies of a flexcomp", world("<flexcomp name='f' dim='3' count='41 41 41'/>"), "E0483"),
        ("hfield", asset("<hfield name='h' nrow='100000' ncol='100000' size='1 1 1 1'/>"), "E0007"),
        (
            "texture",
            asset("<texture name='t' builtin='flat' type='2d' width='1000000' height='1000000'/>"),
            "too large",
        ),
        ("cube texture", asset("<texture name='t' builtin='flat' type='cube' width='2000000000'/>"), "E0708"),
        ("mesh", asset("<mesh name='m' builtin='supersphere' params='1000000 1 1'/>"), "E0708"),
        ("user data", model("<size nuserdata='2000000000'/>"), "E0711"),
        ("user sensor", model("<sensor><user dim='2000000000'/></sensor>"), "E0711"),
        ("numeric", model("<custom><numeric name='n' size='2000000000'/></custom>"), "E0453"),
        (
            "delay",
            model(&format!(
                "<worldbody>{arm}</worldbody><actuator><motor joint='j' delay='1' nsample='20000000'/></actuator>"
            )),
            "2^24",
        ),
        (
            "length range",
            model(&format!(
                "<compiler><lengthrange mode='all' inttotal='1e9'/></compiler><worldbody>{arm}</worldbody>\
                 <actuator><motor joint='j'/></actuator>"
            )),
            "E0711",
        ),
    ] {
        refused(what, &text, Limits::default(), &[], expected);
    }
}

#[test]
fn asset_files_beyond_their_caps_are_refused() {
    let mut stl = vec![0; 84];
    stl[80..84].copy_from_slice(&300_000_i32.to_le_bytes());
    let mut field = 100_000_i32.to_le_bytes().to_vec();
    field.extend(100_000_i32.to_le_bytes());
    let text = model("<asset><mesh name='m' file='m.stl'/></asset>");
    refused("STL", &text, Limits::default(), &[("m.stl", stl)], "between 1 and 200000");
    let text = model("<asset><hfield name='h' file='h.bin' size='1 1 1 1'/></asset>");
    refused("height field file", &text, Limits::default(), &[("h.bin", field)], "E0708");
    let text = model("<asset><texture name='t' type='2d' file='t.png'/></asset>");
    refused("picture", &text, Limits::default(), &[("t.png", boundless_picture())], "30000 by 30000 pixels");
}

/// A picture of 30,000 by 30,000 pixels in less than a hundred bytes.
fn boundless_picture() -> Vec<u8> {
    let mut bytes = b"\x89PNG\r\n\x1a\n".to_vec();
    let mut header = [0; 13];
    header[..4].copy_from_slice(&30_000_u32.to_be_bytes());
    header[4..8].copy_from_slice(&30_000_u32.to_be_bytes());
    header[8] = 8;
    for (name, content) in
        [(b"IHDR", &header[..]), (b"IDAT", b"\x78\x9c\x03\x00\x00\x00\x00\x01"), (b"IEND", b"")]
    {
        bytes.extend((content.len() as u32).to_be_bytes());
        let start = bytes.len();
        bytes.extend(name);
        bytes.extend(content);
        let sum = checksum(&bytes[start..]);
        bytes.extend(sum.to_be_bytes());
    }
    bytes
}

/// The checksum of a chunk: CRC-32.
fn checksum(bytes: &[u8]) -> u32 {
    let step = |sum: u32| if sum & 1 == 1 { 0xedb8_8320 ^ (sum >> 1) } else { sum >> 1 };
    !bytes.iter().fold(!0, |sum, byte| (0..8).fold(sum ^ u32::from(*byte), |sum, _| step(sum)))
}
