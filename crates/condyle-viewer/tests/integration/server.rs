//! The server refuses what does not come from its own page, and nothing that is sent to it does harm.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use condyle::{LoadOptions, load_str, system_clock};
use condyle_viewer::Session;
use condyle_viewer::server::{Server, Settings};
use tungstenite::client::IntoClientRequest;
use tungstenite::stream::MaybeTlsStream;
use tungstenite::{Message, WebSocket};

const MODEL: &str = "<mujoco><worldbody><body><freejoint/><geom size=\".1\"/></body></worldbody></mujoco>";

type Socket = WebSocket<MaybeTlsStream<TcpStream>>;

struct Running {
    server: Server,
    session: Arc<Mutex<Session>>,
}

fn start() -> Running {
    start_with(MODEL)
}

fn start_with(model: &str) -> Running {
    let mut session = Session::new("test", system_clock);
    session.show(load_str(model, &LoadOptions::default()));
    let session = Arc::new(Mutex::new(session));
    let settings = Settings { token: Some("token".to_owned()), ..Settings::default() };
    Running { server: Server::start(Arc::clone(&session), &settings).unwrap(), session }
}

/// Status line and body of the answer to a request written out in full.
fn ask(port: u16, request: &str) -> String {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    String::from_utf8_lossy(&answer).into_owned()
}

fn get(port: u16, path: &str, extra: &str) -> String {
    ask(port, &format!("GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n{extra}\r\n"))
}

fn connect(running: &Running, headers: &[(&'static str, &str)]) -> Result<Socket, String> {
    let url = format!("ws://127.0.0.1:{}/token/socket", running.server.port());
    let mut request = url.into_client_request().unwrap();
    for (name, value) in headers {
        request.headers_mut().insert(*name, value.parse().unwrap());
    }
    let stream = TcpStream::connect(("127.0.0.1", running.server.port())).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
    let done = tungstenite::client::client(request, MaybeTlsStream::Plain(stream));
    done.map(|(socket, _)| socket).map_err(|error| error.to_string())
}

/// The next text that contains a word.
fn wait_for(socket: &mut Socket, word: &str) -> String {
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs(5) {
        if let Message::Text(text) = socket.read().unwrap()
            && text.contains(word)
        {
            return text.to_string();
        }
    }
    panic!("no message with {word}");
}

#[test]
fn the_page_needs_its_token_and_a_host_name_of_this_machine() {
    let running = start();
    let port = running.server.port();
    assert!(get(port, "/token/", "").starts_with("HTTP/1.1 200"));
    for path in ["/", "/index.html", "/toke/", "/token2/", "/TOKEN/", "/?token=token", "/socket"] {
        assert!(get(port, path, "").starts_with("HTTP/1.1 403"), "{path}");
    }
    let foreign = ask(port, "GET /token/ HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n");
    assert!(foreign.starts_with("HTTP/1.1 403"), "{foreign}");
}

#[test]
fn other_origins_are_refused() {
    let running = start();
    let port = running.server.port();
    for origin in ["http://evil.example", "null", "http://127.0.0.1:1", "https://127.0.0.1.evil.example"] {
        assert!(
            get(port, "/token/", &format!("Origin: {origin}\r\n")).starts_with("HTTP/1.1 403"),
            "{origin}"
        );
        assert!(connect(&running, &[("origin", origin)]).unwrap_err().contains("403"), "{origin}");
    }
    assert!(connect(&running, &[("origin", &format!("http://127.0.0.1:{port}"))]).is_ok());
}

#[test]
fn no_path_leads_out_of_the_page() {
    let running = start();
    let port = running.server.port();
    let link = std::env::temp_dir().join(format!("condyle-link-{}", std::process::id()));
    #[cfg(unix)]
    let _ = std::os::unix::fs::symlink("/etc/passwd", &link);
    let paths = [
        "/token/../Cargo.toml".to_owned(),
        "/token/../../../../../../etc/passwd".to_owned(),
        "/token/%2e%2e/%2e%2e/etc/passwd".to_owned(),
        "/token/..%2f..%2fetc%2fpasswd".to_owned(),
        "/token/..%5c..%5cetc".to_owned(),
        "/token//etc/passwd".to_owned(),
        "/token/assets/../../Cargo.toml".to_owned(),
        "/token/index.html%00.js".to_owned(),
        "/token/.git/config".to_owned(),
        format!("/token/{}", link.display()),
    ];
    for path in paths {
        let answer = get(port, &path, "");
        assert!(answer.starts_with("HTTP/1.1 404") || answer.starts_with("HTTP/1.1 403"), "{path}: {answer}");
        assert!(!answer.contains("root:") && !answer.contains("[package]"), "{path}");
    }
    let _ = std::fs::remove_file(link);
    let written = ask(
        port,
        &format!(
            "POST /token/ HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        ),
    );
    assert!(written.starts_with("HTTP/1.1 405"), "{written}");
}

#[test]
fn malformed_requests_and_messages_end_at_most_their_own_connection() {
    let running = start();
    let port = running.server.port();
    let mut good = connect(&running, &[]).unwrap();
    wait_for(&mut good, "\"model\"");
    for request in ["\r\n\r\n", "GET\r\n\r\n", "GET /token/ HTTP/9.9\r\n\r\n", "\u{0}\u{1}\u{2}\r\n\r\n"] {
        let answer = ask(port, request);
        assert!(!answer.starts_with("HTTP/1.1 200"), "{answer}");
    }
    let mut bad = connect(&running, &[]).unwrap();
    bad.send(Message::text("ctrl 99 1")).unwrap();
    wait_for(&mut bad, "refused");
    bad.send(Message::binary(vec![1, 2, 3])).unwrap();
    wait_for(&mut bad, "refused");
    bad.send(Message::text("x".repeat(5000))).unwrap();
    wait_for(&mut bad, "more than 4096");
    let _ = bad.send(Message::text("y".repeat(1 << 20)));
    let start = Instant::now();
    while bad.read().is_ok() {
        assert!(start.elapsed() < Duration::from_secs(5), "an oversized message was accepted");
    }
    // The other page goes on, and so does the simulation.
    good.send(Message::text("hash")).unwrap();
    wait_for(&mut good, "\"hash\"");
    assert!(running.session.lock().unwrap().sim().is_some());
}

/// Simulated time while pages do what they do. Servers that run side by side have the same share of a busy machine, so the times of
/// those with pages are compared with that of one without.
#[test]
fn pages_that_read_nothing_or_slowly_do_not_slow_the_simulation() {
    // A falling ball beside many things that are drawn, so that frames are large.
    let many = "<replicate count=\"4000\" offset=\".1 0 0\"><geom size=\".04\" contype=\"0\" conaffinity=\"0\"/></replicate>";
    let model = MODEL.replace("<worldbody>", &format!("<worldbody>{many}"));
    let [alone, silent, slow] = [(); 3].map(|()| start_with(&model));
    // Asks for frames without end and reads none: the system's buffers fill up and stay full.
    let mut deaf = connect(&silent, &[]).unwrap();
    // Reads a message now and then.
    let mut reader = connect(&slow, &[]).unwrap();
    for page in [&mut deaf, &mut reader] {
        page.send(Message::text("more 8")).unwrap();
    }
    let time = |running: &Running| running.session.lock().unwrap().sim().unwrap().data.state.time;
    // Enough frames to fill the buffers of the page that reads nothing.
    for _ in 0..20 {
        deaf.send(Message::text("more 8")).unwrap();
        std::thread::sleep(Duration::from_millis(100));
    }
    let mut rates = Vec::new();
    // A delay of a tenth of a second is not made up for, and on a busy machine it may meet any of them.
    for _ in 0..6 {
        let before = [&alone, &silent, &slow].map(time);
        let start = Instant::now();
        while start.elapsed() < Duration::from_secs(1) {
            for _ in 0..20 {
                deaf.send(Message::text("more 8")).unwrap();
            }
            let _ = reader.read();
            reader.send(Message::text("more 8")).unwrap();
            std::thread::sleep(Duration::from_millis(100));
        }
        let after = [&alone, &silent, &slow].map(time);
        let passed = [0, 1, 2].map(|k| after[k] - before[k]);
        rates.push(passed);
        if passed[0] > 0.0 && passed[1] >= 0.95 * passed[0] && passed[2] >= 0.95 * passed[0] {
            assert_eq!(silent.server.pages(), 1, "the page was dropped");
            return;
        }
    }
    panic!("simulated seconds without a page, with one that reads nothing, with a slow one: {rates:?}");
}

#[test]
fn two_pages_see_the_same_simulation_with_cameras_of_their_own() {
    let running = start();
    let mut pages = [connect(&running, &[]).unwrap(), connect(&running, &[]).unwrap()];
    pages[0].send(Message::text("pause")).unwrap();
    pages[0].send(Message::text("steer 1 0.2 0")).unwrap();
    let [first, second] = &mut pages;
    first.send(Message::text("hash")).unwrap();
    let own = wait_for(first, "\"hash\"");
    second.send(Message::text("hash")).unwrap();
    assert_eq!(wait_for(second, "\"hash\""), own);
    let mut session = running.session.lock().unwrap();
    let azimuths: Vec<f64> = session.views_mut().map(|view| view.camera.azimuth).collect();
    assert_eq!(azimuths.len(), 2);
    assert_ne!(azimuths[0], azimuths[1]);
}
