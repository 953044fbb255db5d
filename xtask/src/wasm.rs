//! The engine for JavaScript: the npm package and the page with the engine inside.

use std::process::{Command, Stdio};

use crate::run;

const TARGET: &str = "wasm32-unknown-unknown";

/// Whether the compiler can build for browsers; adds the target where `rustup` can.
pub(crate) fn prepare() -> bool {
    let listed = || {
        Command::new("rustup")
            .args(["target", "list", "--installed"])
            .stderr(Stdio::null())
            .output()
            .is_ok_and(|output| String::from_utf8_lossy(&output.stdout).contains(TARGET))
    };
    if listed() {
        return true;
    }
    if let Err(problem) = run::program("rustup", &["target", "add", TARGET], &[]) {
        println!("{problem}");
    }
    let there = listed();
    if !there {
        println!(
            "wasm: LEFT OUT, because the target {TARGET} cannot be had: the engine for JavaScript and its tests"
        );
    }
    there
}

/// Build `condyle.wasm` into the npm package, with the profile `wasm` for those who use it, with `quick` for tests: the same bits.
pub(crate) fn build(profile: &str) -> Result<(), String> {
    run::cargo(&["build", "--package", "condyle-wasm", "--target", TARGET, "--profile", profile])?;
    let root = run::root();
    let made = run::built().join(TARGET).join(profile).join("condyle_wasm.wasm");
    let package = root.join("crates/condyle-wasm/npm");
    let copies = [
        (made, "condyle.wasm"),
        (root.join("LICENSE-APACHE"), "LICENSE-APACHE"),
        (root.join("LICENSE-MIT"), "LICENSE-MIT"),
    ];
    for (from, name) in copies {
        std::fs::copy(&from, package.join(name)).map_err(|error| format!("{}: {error}", from.display()))?;
    }
    Ok(())
}

/// Pack the npm package into `target/dist`, install it into an empty folder and run its example; publish it if wanted.
pub(crate) fn package(publish: bool) -> Result<(), String> {
    if !prepare() {
        return Err("the compiler cannot build for browsers".to_owned());
    }
    build("wasm")?;
    measure()?;
    let dist = run::root().join("target/dist");
    let folder = dist.join("npm");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let source = run::root().join("crates/condyle-wasm/npm");
    run::program_in(
        &source,
        "npm",
        &["pack", "--silent", "--pack-destination", &dist.to_string_lossy()],
        &[],
    )?;
    let packed = dist.join(format!("condyle-condyle-{}.tgz", env!("CARGO_PKG_VERSION")));
    let packed = packed.to_string_lossy();
    let install = ["install", "--silent", "--no-audit", "--no-fund", "--prefix", ".", &packed];
    run::program_in(&folder, "npm", &install, &[])?;
    run::program_in(&folder, "node", &["node_modules/@condyle/condyle/example.mjs"], &[])?;
    if !publish {
        return Ok(());
    }
    // A release that stopped half way is started again.
    let published = format!("@condyle/condyle@{}", env!("CARGO_PKG_VERSION"));
    if run::program("npm", &["view", &published, "version"], &[]).is_ok() {
        println!("{published} is published already");
        return Ok(());
    }
    run::program("npm", &["publish", "--access", "public", &packed], &[])
}

/// Most bytes of the packed engine that is published.
const MOST_BYTES: u64 = 1_500_000;

/// Says how large the packed engine is, and that it is not too large.
pub(crate) fn measure() -> Result<(), String> {
    let script = "const zlib = require('zlib'), engine = require('fs').readFileSync('condyle.wasm'); \
                  console.log(engine.length, zlib.gzipSync(engine, { level: 9 }).length, zlib.brotliCompressSync(engine).length)";
    let output = Command::new("node")
        .args(["-e", script])
        .current_dir(run::root().join("crates/condyle-wasm/npm"))
        .output()
        .map_err(|error| format!("cannot run node: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let sizes: Vec<u64> = text.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    let &[plain, gzip, brotli] = &sizes[..] else {
        return Err(format!("the engine cannot be measured: {}", String::from_utf8_lossy(&output.stderr)));
    };
    println!("condyle.wasm: {plain} bytes, {gzip} with gzip, {brotli} with brotli");
    if gzip > MOST_BYTES {
        return Err(format!("the engine is too large: {gzip} bytes with gzip, more than {MOST_BYTES}"));
    }
    Ok(())
}

/// The page with the engine inside, into `viewer/dist-static`.
pub(crate) fn site() -> Result<(), String> {
    run::program_in(&run::root().join("viewer"), "npm", &["run", "--silent", "build-static"], &[])
}
