//! What a session does for its pages, without any server.

use condyle::{LoadOptions, load_str, system_clock};
use condyle_viewer::{Edit, Message, Session, ViewId};

const PENDULUM: &str = r#"<mujoco>
  <option timestep="0.002"/>
  <worldbody>
    <light pos="0 0 3"/>
    <geom name="floor" type="plane" size="2 2 0.1"/>
    <body name="arm" pos="0 0 1">
      <joint name="swing" axis="0 1 0"/>
      <geom name="rod" type="capsule" fromto="0 0 0 0.4 0 0" size="0.03"/>
    </body>
    <body name="ball" pos="1 0 0.5"><freejoint name="free"/><geom name="sphere" size="0.1"/></body>
  </worldbody>
  <actuator><motor name="motor" joint="swing" ctrllimited="true" ctrlrange="-2 2"/></actuator>
  <sensor><jointpos name="angle" joint="swing"/></sensor>
  <keyframe><key name="up" qpos="1.5 1 0 0.5 1 0 0 0"/></keyframe>
</mujoco>"#;

fn session(text: &str) -> (Session, ViewId) {
    let mut session = Session::new("test", system_clock);
    session.show(load_str(text, &LoadOptions::default()));
    let view = session.connect();
    session.command(view, "pause");
    (session, view)
}

fn texts(messages: &[Message]) -> Vec<&str> {
    messages
        .iter()
        .filter_map(|message| match message {
            Message::Text(text) => Some(text.as_str()),
            Message::Binary(_) => None,
        })
        .collect()
}

fn hash(session: &mut Session, view: ViewId) -> String {
    session.command(view, "hash");
    let messages = session.poll(view, f64::NEG_INFINITY);
    let found = texts(&messages).into_iter().find(|text| text.contains("\"hash\"")).map(str::to_owned);
    found.expect("the hash was asked for")
}

fn qpos(session: &Session) -> Vec<f64> {
    session.sim().unwrap().data.state.qpos.to_vec()
}

#[test]
fn rewinding_restores_the_exact_state_and_playing_on_repeats_it() {
    let (mut session, view) = session(PENDULUM);
    let mut hashes = Vec::new();
    for _ in 0..40 {
        session.command(view, "step 17");
        hashes.push(hash(&mut session, view));
    }
    // Snapshots are taken every thirtieth of a second, here every 17 steps.
    session.command(view, "rewind 20");
    let back = hash(&mut session, view);
    let place = hashes.iter().position(|known| *known == back).expect("an earlier state");
    session.command(view, "step 17");
    assert_eq!(hash(&mut session, view), hashes[place + 1]);
    session.command(view, "step -1");
    assert_ne!(hash(&mut session, view), hashes[place + 1]);
}

#[test]
fn commands_change_controls_positions_and_keyframes() {
    let (mut session, view) = session(PENDULUM);
    session.command(view, "ctrl 0 1.25");
    assert_eq!(session.sim().unwrap().data.inputs.ctrl[0], 1.25);
    session.command(view, "qpos 0 0.3");
    assert_eq!(qpos(&session)[0], 0.3);
    session.command(view, "keyframe 0");
    assert_eq!(qpos(&session)[0], 1.5);
    session.command(view, "reset");
    assert_eq!(qpos(&session)[0], 0.0);
}

#[test]
fn a_session_starts_from_a_keyframe_by_name_or_number_and_cannot_be_rewound_before_it() {
    let (mut session, view) = session(PENDULUM);
    session.command(view, "step 40");
    assert!(session.start_from("up") && qpos(&session)[0] == 1.5);
    session.command(view, "step 40");
    assert!(session.start_from("0") && qpos(&session)[0] == 1.5);
    session.command(view, "step 40");
    session.command(view, "rewind 0");
    assert_eq!(qpos(&session)[0], 1.5);
    let before = hash(&mut session, view);
    assert!(!session.start_from("down") && !session.start_from("1"));
    assert_eq!(hash(&mut session, view), before);
}

#[test]
fn commands_for_what_does_not_exist_are_refused_and_change_nothing() {
    let (mut session, view) = session(PENDULUM);
    let before = hash(&mut session, view);
    let lines = [
        "ctrl 1 0",
        "ctrl 99999999999999999999 0",
        "qpos 8 0",
        "keyframe 1",
        "camera fixed 0",
        "camera track 9",
        "flag 31 1",
        "render 11 1",
        "group geom 6 1",
        "plot 0 qpos 8",
        "plot 0 xpos 3 0",
        "plot 0 xpos 1 3",
        "explain 0 0",
        "explain 0 9",
        "asset mesh 0",
        "asset texture 0",
        "speed 0",
        "speed -1",
        "speed 1e9",
        "selectbody 3",
        "nonsense",
        "",
        "\u{0}\u{7f}",
        "ctrl 0 nan",
        "pull 2",
        "binary",
    ];
    for line in lines {
        session.poll(view, f64::NEG_INFINITY);
        session.command(view, line);
        let messages = session.poll(view, f64::NEG_INFINITY);
        assert!(texts(&messages).iter().any(|text| text.contains("refused")), "{line}: {messages:?}");
    }
    assert_eq!(hash(&mut session, view), before);
}

#[test]
fn a_plot_has_the_numbers_of_the_engine() {
    let (mut session, view) = session(PENDULUM);
    session.command(view, "more 2");
    session.poll(view, 0.0);
    session.command(view, "plot 7 qpos 0");
    let mut expected = vec![[0.0, qpos(&session)[0]]];
    for _ in 0..5 {
        session.command(view, "step 1");
        expected.push([session.sim().unwrap().data.state.time, qpos(&session)[0]]);
    }
    let messages = session.poll(view, 1.0);
    let Some(Message::Binary(frame)) = messages.last() else { panic!("no frame") };
    // Plots are last: one of them, its number, its samples.
    let tail: Vec<u8> = [1_u32, 7, 6].into_iter().flat_map(u32::to_le_bytes).collect();
    let numbers: Vec<u8> = expected.iter().flatten().flat_map(|value| value.to_le_bytes()).collect();
    assert!(frame.ends_with(&[tail, numbers].concat()));
}

#[test]
fn pulling_moves_the_selected_body_and_letting_go_leaves_no_force() {
    let (mut session, view) = session(PENDULUM);
    session.command(view, "more 1");
    session.poll(view, 0.0);
    session.command(view, "selectbody 2");
    session.command(view, "pull 1");
    session.command(view, "pullmove 3 0.2 0");
    let force = |session: &Session| session.sim().unwrap().data.inputs.xfrc_applied[2];
    session.command(view, "step 10");
    assert!(force(&session)[..3].iter().any(|value| value.abs() > 1e-3), "{:?}", force(&session));
    session.command(view, "release");
    session.command(view, "step 1");
    assert_eq!(force(&session), [0.0; 6]);
}

#[test]
fn a_page_that_leaves_while_it_pulls_lets_go() {
    let (mut session, view) = session(PENDULUM);
    let other = session.connect();
    session.command(other, "more 1");
    session.poll(other, 0.0);
    for line in ["selectbody 2", "pull 1", "pullmove 3 0.2 0"] {
        session.command(other, line);
    }
    session.command(view, "step 1");
    session.disconnect(other);
    session.command(view, "step 1");
    assert_eq!(session.sim().unwrap().data.inputs.xfrc_applied[2], [0.0; 6]);
}

#[test]
fn a_reload_keeps_the_state_where_it_fits_and_a_broken_file_keeps_the_model() {
    let (mut session, view) = session(PENDULUM);
    session.command(view, "ctrl 0 0.5");
    session.command(view, "step 100");
    let before = qpos(&session);
    let changed = PENDULUM.replace(
        "<body name=\"ball\"",
        "<body name=\"new\"><joint name=\"extra\"/><geom size=\".1\"/></body><body name=\"ball\"",
    );
    session.show(load_str(
        &changed.replace("<keyframe>", "<!--").replace("</keyframe>", "-->"),
        &LoadOptions::default(),
    ));
    let after = qpos(&session);
    assert_eq!(after[0], before[0]);
    assert_eq!(after[1], 0.0);
    assert_eq!(after[2..], before[1..]);
    assert_eq!(session.sim().unwrap().data.inputs.ctrl[0], 0.5);
    session.show(load_str(
        "<mujoco><worldbody><geom sise=\"1\"/></worldbody></mujoco>",
        &LoadOptions::default(),
    ));
    assert_eq!(qpos(&session), after);
    let messages = session.poll(view, f64::NEG_INFINITY);
    let problems =
        texts(&messages).into_iter().find(|text| text.contains("\"problems\"")).unwrap().to_owned();
    assert!(problems.contains("sise") && problems.contains("^^^^"), "{problems}");
}

#[test]
fn a_page_gets_no_more_frames_than_it_asked_for() {
    let (mut session, view) = session(PENDULUM);
    session.poll(view, 0.0);
    session.command(view, "more 2");
    let frames = |session: &mut Session, now: f64| session.poll(view, now).len();
    let sent: usize = (1..10).map(|tick| frames(&mut session, f64::from(tick))).sum();
    assert_eq!(sent, 2);
}

#[test]
fn simulated_time_follows_the_clock_and_stands_still_when_paused() {
    let (mut session, view) = session(PENDULUM);
    let time = |session: &Session| session.sim().unwrap().data.state.time;
    session.advance(system_clock());
    assert_eq!(time(&session), 0.0);
    session.command(view, "play");
    let start = system_clock();
    while system_clock() - start < 0.5 {
        session.advance(system_clock());
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    let reached = time(&session);
    assert!(reached > 0.2 && reached < 0.7, "{reached}");
}

thread_local! {
    /// A clock that tests set.
    static TIME: std::cell::Cell<f64> = const { std::cell::Cell::new(0.0) };
}

#[test]
fn streaming_keeps_real_time_and_a_page_that_reads_nothing_changes_nothing() {
    const TICK: f64 = 0.004;
    let run = |pages: bool| {
        let clock = || TIME.with(std::cell::Cell::get);
        TIME.with(|time| time.set(0.0));
        let mut session = Session::new("test", clock);
        session.show(load_str(PENDULUM, &LoadOptions::default()));
        let views = if pages { vec![session.connect(), session.connect()] } else { Vec::new() };
        for view in &views {
            session.command(*view, "more 4");
        }
        let mut frames = [0, 0];
        for tick in 0..5000 {
            let now = f64::from(tick) * TICK;
            TIME.with(|time| time.set(now));
            session.advance(now);
            let time = session.sim().unwrap().data.state.time;
            assert!((time - now).abs() <= 0.002, "{time} s were simulated in {now} s");
            for (number, view) in views.iter().enumerate() {
                let messages = session.poll(*view, now);
                let got = messages.iter().filter(|message| matches!(message, Message::Binary(_))).count();
                frames[number] += got;
                // The first page reads what it gets and asks for more, the second one does nothing.
                if number == 0 && got > 0 {
                    session.command(*view, &format!("more {got}"));
                }
            }
        }
        (qpos(&session), frames)
    };
    let (alone, _) = run(false);
    let (watched, [reader, silent]) = run(true);
    assert_eq!(alone, watched);
    assert!(reader > 20 * 50, "{reader} frames in 20 s");
    assert!(silent < 20, "{silent} messages to a page that asked for four frames");
}

#[test]
fn a_robot_of_a_hundred_meshes_needs_less_than_twenty_kibibytes_a_frame() {
    let vertices = "0 0 0  .1 0 0  0 .1 0  0 0 .1";
    let meshes: String = (0..100).map(|k| format!("<mesh name=\"m{k}\" vertex=\"{vertices}\"/>")).collect();
    let mut bodies = String::new();
    for k in 0..100 {
        bodies += &format!("<body pos=\"0 0 .1\"><joint/><geom type=\"mesh\" mesh=\"m{k}\"/>");
    }
    bodies += &"</body>".repeat(100);
    let text = format!(
        "<mujoco><asset>{meshes}</asset><worldbody><light pos=\"0 0 5\"/><geom type=\"plane\" size=\"1 1 1\"/>{bodies}</worldbody></mujoco>"
    );
    let (mut session, view) = session(&text);
    session.command(view, "more 8");
    session.poll(view, 0.0);
    session.command(view, "step 1");
    let messages = session.poll(view, 1.0);
    let Some(Message::Binary(frame)) = messages.last() else { panic!("no frame") };
    assert!(frame.len() < 20 * 1024, "{} bytes", frame.len());
}

#[test]
fn a_program_that_steps_itself_gets_what_pages_change_and_shows_its_own_state() {
    let model = std::sync::Arc::new(load_str(PENDULUM, &LoadOptions::default()).unwrap().model);
    let mut own = condyle::Data::new(&model);
    let mut session = Session::new("test", system_clock);
    session.show_passive(std::sync::Arc::clone(&model), own.clone());
    let view = session.connect();
    for line in ["ctrl 0 0.5", "qpos 0 0.25", "keyframe 0", "reset", "key 32"] {
        session.command(view, line);
    }
    let expected =
        [Edit::Control(0, 0.5), Edit::Position(0, 0.25), Edit::Keyframe(0), Edit::Reset, Edit::Key(32)];
    assert_eq!(session.take_edits(), expected);
    assert_eq!(session.take_edits(), []);
    // Only the program moves time on.
    session.command(view, "play");
    session.advance(system_clock() + 1.0);
    assert_eq!(session.sim().unwrap().data.state.time, 0.0);
    for _ in 0..10 {
        condyle::step(&model, &mut own);
    }
    session.sync(&own);
    assert_eq!(session.sim().unwrap().data.state.qpos, own.state.qpos);
    assert_eq!(session.sim().unwrap().data.state.time, own.state.time);
    // A pull reaches the program's data.
    for line in ["more 1", "selectbody 2", "pull 1"] {
        session.command(view, line);
        session.poll(view, system_clock() + 2.0);
    }
    session.command(view, "pullmove 3 0.2 0");
    session.perturb(&mut own);
    assert!(own.inputs.xfrc_applied[2][..3].iter().any(|value| value.abs() > 1e-3));
    session.command(view, "release");
    session.perturb(&mut own);
    assert_eq!(own.inputs.xfrc_applied[2], [0.0; 6]);
}

#[test]
fn what_a_program_shows_goes_out_once_with_a_frame_and_reaches_later_pages() {
    let (mut session, view) = session(PENDULUM);
    session.poll(view, 0.0);
    for number in 0..1000 {
        session.tell("images", &format!("picture {number}"));
    }
    session.tell("texts", "speed");
    let shown = |messages: &[Message]| -> Vec<String> {
        let own = |text: &&str| text.contains("picture") || text.contains("speed");
        texts(messages).into_iter().filter(own).map(str::to_owned).collect()
    };
    assert!(shown(&session.poll(view, 1.0)).is_empty(), "no frame was asked for");
    session.command(view, "more 1");
    let sent = shown(&session.poll(view, 2.0));
    assert_eq!(sent.len(), 2);
    assert!(sent[0].contains("picture 999") && sent[1].contains("speed"), "{sent:?}");
    let later = session.connect();
    session.command(later, "more 1");
    assert_eq!(shown(&session.poll(later, 3.0)), sent);
}

#[test]
fn a_model_that_is_opened_starts_anew_and_one_that_is_shown_again_goes_on() {
    let (mut session, view) = session(PENDULUM);
    session.command(view, "step 100");
    let before = qpos(&session);
    session.show(load_str(PENDULUM, &LoadOptions::default()));
    assert_eq!(qpos(&session), before);
    session.open(load_str("<mujoco><broken/></mujoco>", &LoadOptions::default()));
    assert_eq!(qpos(&session), before);
    session.open(load_str(PENDULUM, &LoadOptions::default()));
    assert_eq!(qpos(&session)[0], 0.0);
    let now = system_clock();
    session.advance(now);
    session.advance(now + 0.05);
    assert_ne!(qpos(&session)[0], 0.0, "the new model runs");
}
