//! One command for everything continuous integration does.
//!
//! `cargo xtask test` runs it all; the other commands are its parts.

mod book;
mod checks;
mod documents;
mod goldens;
mod guided;
mod modules;
mod package;
mod python;
mod run;
mod stages;
mod viewer;
mod wasm;
mod wheel;

use std::process::ExitCode;

const USAGE: &str = "usage: cargo xtask COMMAND [ARGUMENTS]

  test              everything: format, lints, structure, Rust, doc and Python tests, conformance (--rust: the Rust tests alone)
  python            make .venv, fetch the corpora and install the Python module in release mode
  conformance …     compare every model with the reference (--only NAME, --level L, --update)
  collisions …      every pair of shapes in 100,000 placements beside the reference (--cases N, --only NAME)
  contacts …        contact lists along 60 steps of every model beside the reference (--corpus NAME)
  rays …            random rays into every model beside the reference (--corpus NAME)
  hunt …            random models, mutations, calls and files beside the reference (--minutes N, --seed S, --kind K, --cases N)
  pictures …        pictures beside MuJoCo's with software OpenGL, on a page (--only NAME, --count N)
  client-pictures … programs from PyPI that draw, on MuJoCo and on Condyle (--all: every task)
  clients …         programs from PyPI on Condyle beside MuJoCo: a sample, or everything (--all, --only NAME)
  misuse …          bad arguments and garbage in models, in many processes (--processes N, --calls N)
  interface         write docs/python.md, every name of MuJoCo's Python module
  viewer            build the viewer's page and the program with it (needs Node.js)
  viewer-test …     the viewer in a headless browser (needs Node.js and Chromium)
  wasm              the engine for JavaScript and the page with the engine inside, viewer/dist-static
  package …         every crate and the wheel as they would be published (--crates, --wheel, --publish; --pgo: optimised with a profile; --sdist: the source package;
                    --target TRIPLE: a wheel for another machine; --npm: the engine for JavaScript; --oldest: the oldest compiler; --licences; --tag TAG: whether it may be released)
  ray               batches on a Ray cluster on this machine, in an environment of their own
  book              the site of the documents, into target/book
  bench …           speed beside the reference (--instructions: counted by valgrind; --load: time to load; --batches: many at once; --growth: larger and larger scenes; --pictures; --pgo: of the wheel as it is released)
  instructions …    instructions per step of eight models against the record (--update writes it)
  check             crates and modules depend downward, no source file is too long, documents are true to the code
  lint              ruff, mypy and pyright over the Python sources, in an environment of their own
  external          build and run a crate that depends on `condyle` alone
  goldens …         write conformance/goldens.toml from a run that agrees with MuJoCo (--missing: models without one)
  docs              write docs/fields.md and the tables of ARCHITECTURE.md from the code
  schema-versions … what each later MuJoCo version added to MJCF, from all wheels (--cache FOLDER keeps them)
  stubs             write the types of the Python module, python/condyle/_condyle.pyi";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (command, rest) =
        arguments.split_first().map_or(("", &[][..]), |(first, rest)| (first.as_str(), rest));
    let outcome = match command {
        "test" if rest.iter().any(|argument| argument == "--rust") => rust_tests(),
        "test" => test(),
        "python" => python::install(),
        "conformance" => python::install().and_then(|()| python::script("conformance/run.py", rest)),
        "collisions" => python::install().and_then(|()| python::script("conformance/collisions.py", rest)),
        "contacts" => python::install().and_then(|()| python::script("conformance/contact_lists.py", rest)),
        "rays" => python::install().and_then(|()| python::script("conformance/rays.py", rest)),
        "hunt" => python::install().and_then(|()| python::script("conformance/hunt", rest)),
        "pictures" => python::install().and_then(|()| python::script("conformance/pictures.py", rest)),
        "client-pictures" => {
            python::install().and_then(|()| python::script("conformance/client_pictures.py", rest))
        }
        "clients" => python::install().and_then(|()| python::script("conformance/clients.py", rest)),
        "misuse" => python::install().and_then(|()| python::script("conformance/misuse.py", rest)),
        "interface" => python::install().and_then(|()| python::script("python/interface.py", &[])),
        "bench" if rest.iter().any(|argument| argument == "--pgo") => guided::bench(rest),
        "bench" => python::install().and_then(|()| python::script("conformance/bench.py", rest)),
        "viewer" => viewer::build(),
        "viewer-test" => viewer::test(rest),
        "wasm" => viewer::site(),
        "instructions" => {
            python::install().and_then(|()| python::script("conformance/instructions.py", rest))
        }
        "check" => checks::all(),
        "package" => package::package(rest),
        "book" => book::build(),
        "ray" => python::install().and_then(|()| python::with_ray()),
        "external" => external(),
        "goldens" => python::install().and_then(|()| python::script("conformance/goldens.py", rest)),
        "docs" => {
            docs().and_then(|()| python::install()).and_then(|()| python::script("docs/reference.py", &[]))
        }
        "schema-versions" => python::script("conformance/schema_versions.py", rest),
        "lint" => python::lint_sources(),
        "stubs" => python::install().and_then(|()| python::script("python/stubs.py", &[])),
        _ => Err(USAGE.to_owned()),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

/// All tests, cheapest first, so that a mistake shows early.
fn test() -> Result<(), String> {
    checks::all()?;
    python::lint_sources()?;
    run::cargo(&["fmt", "--all", "--check"])?;
    run::cargo(&[
        "clippy",
        "--workspace",
        "--exclude",
        "condyle-python",
        "--all-targets",
        "--",
        "-D",
        "warnings",
    ])?;
    documentation()?;
    let browser = viewer::prepare();
    if browser {
        // Before the tests are built, so that the program in them has the page.
        viewer::page()?;
    }
    rust_tests()?;
    if browser {
        viewer::test(&[])?;
    }
    external()?;
    python::install()?;
    python::lint()?;
    python::module("pytest", &["-q", "python/tests"])?;
    hunt()?;
    python::script("conformance/run.py", &[])?;
    python::script("conformance/instructions.py", &[])
}

/// The tests of all crates but the Python module.
fn rust_tests() -> Result<(), String> {
    run::cargo(&["test", "--workspace", "--exclude", "condyle-python"])
}

/// The documentation of all crates but the Python module, which must have no broken link.
fn documentation() -> Result<(), String> {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".into());
    let arguments = ["doc", "--workspace", "--exclude", "condyle-python", "--no-deps"];
    run::program(&cargo, &arguments, &[("RUSTDOCFLAGS", "-D warnings")])
}

/// A user's crate, with a lock file and a target folder of its own.
fn external() -> Result<(), String> {
    let manifest = "crates/condyle/tests/external_crate/Cargo.toml";
    run::cargo(&["run", "--quiet", "--manifest-path", manifest, "--target-dir", "target/external"])
}

/// A fixed sample of the hunt, always the same cases: about a minute.
fn hunt() -> Result<(), String> {
    // One batch of every kind.
    let arguments: Vec<String> = ["--seed", "1", "--cases", "441"].map(str::to_owned).to_vec();
    python::script("conformance/hunt", &arguments)
}

/// Write the generated reference; the same test without the variable only compares.
fn docs() -> Result<(), String> {
    stages::write()?;
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".into());
    let arguments = ["test", "-q", "-p", "condyle-engine", "--test", "field_reference"];
    run::program(&cargo, &arguments, &[("CONDYLE_WRITE_DOCS", "1")])
}
