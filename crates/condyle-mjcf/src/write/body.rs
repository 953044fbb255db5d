//! The tree of bodies.

use super::Writer;
use condyle_model::JointType;
use condyle_spec::edit::Attributed;
use condyle_spec::{AlignFree, Body, Camera, DefaultClass, Frame, Geom, Id, Joint, Light, Site};

/// Whether a joint has only values that all free joints have: what is not in this list is as it is by default.
fn is_plain(joint: &Joint) -> bool {
    let free = ["type", "pos", "axis", "ref", "springref", "group", "align"];
    let plain = Joint::default();
    let mut others = Joint::ATTRIBUTES.iter().filter(|attribute| !free.contains(&attribute.name));
    others.all(|attribute| (attribute.value)(joint) == (attribute.value)(&plain))
}

impl Writer<'_> {
    pub(super) fn bodies(&mut self) {
        enum Step {
            Body(Id<Body>, Id<DefaultClass>),
            Close(usize),
        }
        let spec = self.spec;
        let main = spec.main_class();
        let mut pending = vec![Step::Body(spec.world(), main)];
        while let Some(step) = pending.pop() {
            let (id, around) = match step {
                Step::Body(id, around) => (id, around),
                Step::Close(levels) => {
                    (0..levels).for_each(|_| self.text.close());
                    continue;
                }
            };
            let body = &spec.bodies[id];
            let inside = if id == spec.world() {
                self.text.start("worldbody");
                self.text.open("worldbody");
                pending.push(Step::Close(1));
                main
            } else {
                let levels = self.open_frames(body.frame);
                let inside = self.open_body(body, around);
                pending.push(Step::Close(levels + 1));
                inside
            };
            self.content(body, inside);
            pending.extend(body.bodies().iter().rev().map(|&child| Step::Body(child, inside)));
        }
    }

    fn find_class(&self, name: &str) -> Option<Id<DefaultClass>> {
        if name.is_empty() { None } else { self.spec.find_class(name) }
    }

    fn open_body(&mut self, body: &Body, around: Id<DefaultClass>) -> Id<DefaultClass> {
        self.text.start("body");
        self.text.text_unless("name", &body.info.name, "");
        let childclass = self.find_class(&body.childclass);
        if let Some(class) = childclass {
            self.text.text("childclass", &self.spec.classes[class].name);
        }
        self.text.array("pos", &body.pos, &[0.0; 3]);
        self.orientation(&body.info, &body.quat, body.alt.as_ref(), (&[1.0, 0.0, 0.0, 0.0], None));
        self.text.attributes(body, &Body::default(), |_| true);
        self.text.open("body");
        childclass.unwrap_or(around)
    }

    /// Opens a frame and those around it, outermost first; returns how many.
    fn open_frames(&mut self, frame: Option<Id<Frame>>) -> usize {
        let spec = self.spec;
        let mut chain = Vec::new();
        let mut next = frame;
        while let Some(frame) = next.and_then(|id| spec.frames.get(id)) {
            chain.push(frame);
            next = frame.frame;
        }
        for frame in chain.iter().rev() {
            self.text.start("frame");
            self.text.array("pos", &frame.pos, &[0.0; 3]);
            self.orientation(&frame.info, &frame.quat, frame.alt.as_ref(), (&[1.0, 0.0, 0.0, 0.0], None));
            self.text.open("frame");
        }
        chain.len()
    }

    fn content(&mut self, body: &Body, around: Id<DefaultClass>) {
        let spec = self.spec;
        if body.explicit_inertial {
            self.inertial(body);
        }
        self.plugin(&body.plugin);
        // Elements of one kind keep their order; neighbours in the same frame share one <frame>.
        macro_rules! elements {
            ($list:ident, $write:ident) => {{
                let mut current: Option<Id<Frame>> = None;
                let mut levels = 0;
                for &id in body.$list() {
                    let element = &spec.$list[id];
                    if element.frame != current {
                        (0..levels).for_each(|_| self.text.close());
                        levels = self.open_frames(element.frame);
                        current = element.frame;
                    }
                    self.$write(element, around);
                }
                (0..levels).for_each(|_| self.text.close());
            }};
        }
        elements!(joints, joint);
        elements!(geoms, geom);
        elements!(sites, site);
        elements!(cameras, camera);
        elements!(lights, light);
    }

    fn inertial(&mut self, body: &Body) {
        self.text.start("inertial");
        self.text.numbers("pos", &body.ipos.unwrap_or_default());
        self.text.numbers("mass", &[body.mass]);
        match &body.fullinertia {
            Some(full) => self.text.numbers("fullinertia", full),
            None => {
                self.orientation(&body.info, &body.iquat, body.ialt.as_ref(), (&[1.0, 0.0, 0.0, 0.0], None));
                self.text.numbers("diaginertia", &body.inertia);
            }
        }
        self.text.empty();
    }

    fn joint(&mut self, joint: &Joint, around: Id<DefaultClass>) {
        // Only <freejoint> has an alignment, and it has nothing else.
        let untouched = joint.kind == JointType::Free && (joint.align != AlignFree::Auto || is_plain(joint));
        if untouched {
            self.text.start("freejoint");
            self.text.text_unless("name", &joint.info.name, "");
            self.text.number("group", joint.group, 0);
            match joint.align {
                AlignFree::False => self.text.text("align", "false"),
                AlignFree::True => self.text.text("align", "true"),
                AlignFree::Auto => {}
            }
        } else {
            self.text.start("joint");
            self.identity(&joint.info, around);
            self.joint_values(joint, &self.class_of(&joint.info).joint, false);
        }
        self.text.empty();
    }

    pub(super) fn joint_values(&mut self, joint: &Joint, default: &Joint, in_class: bool) {
        // In a class the unit of these depends on the type of the joint that uses it.
        if !(in_class && self.radians) {
            let compiler = self.spec.compiler_of(joint.info.origin);
            let turns =
                self.radians && compiler.degree && matches!(joint.kind, JointType::Hinge | JointType::Ball);
            let factor = std::f64::consts::PI / 180.0;
            let angle = |value: f64| if turns { value * factor } else { value };
            let plain = Joint::default();
            let default = if self.radians { &plain } else { default };
            self.text.array("range", &joint.range.map(angle), &default.range);
            let turns = turns && joint.kind == JointType::Hinge;
            let angle = |value: f64| if turns { value * factor } else { value };
            self.text.number("ref", angle(joint.reference), default.reference);
            self.text.number("springref", angle(joint.springref), default.springref);
        }
        self.text.attributes(joint, default, |_| true);
    }

    fn geom(&mut self, geom: &Geom, around: Id<DefaultClass>) {
        self.text.start("geom");
        self.identity(&geom.info, around);
        self.geom_values(geom, &self.class_of(&geom.info).geom);
        if geom.plugin.active {
            self.text.open("geom");
            self.plugin(&geom.plugin);
            self.text.close();
        } else {
            self.text.empty();
        }
    }

    pub(super) fn geom_values(&mut self, geom: &Geom, default: &Geom) {
        let text = &mut self.text;
        text.attributes(geom, default, |_| true);
        text.array("pos", &geom.pos, &default.pos);
        self.orientation(&geom.info, &geom.quat, geom.alt.as_ref(), (&default.quat, default.alt.as_ref()));
    }

    fn site(&mut self, site: &Site, around: Id<DefaultClass>) {
        self.text.start("site");
        self.identity(&site.info, around);
        self.site_values(site, &self.class_of(&site.info).site);
        self.text.empty();
    }

    pub(super) fn site_values(&mut self, site: &Site, default: &Site) {
        let text = &mut self.text;
        text.attributes(site, default, |_| true);
        text.array("pos", &site.pos, &default.pos);
        self.orientation(&site.info, &site.quat, site.alt.as_ref(), (&default.quat, default.alt.as_ref()));
    }

    fn camera(&mut self, camera: &Camera, around: Id<DefaultClass>) {
        self.text.start("camera");
        self.identity(&camera.info, around);
        self.camera_values(camera, &self.class_of(&camera.info).camera, false);
        self.text.empty();
    }

    pub(super) fn camera_values(&mut self, camera: &Camera, default: &Camera, in_class: bool) {
        let text = &mut self.text;
        text.attributes(camera, default, |name| !in_class || name != "target");
        if camera.sensor_size != default.sensor_size {
            text.numbers("sensorsize", &camera.sensor_size);
        } else {
            text.number("fovy", camera.fovy, default.fovy);
        }
        if !in_class {
            text.list("user", &camera.userdata);
        }
        text.array("pos", &camera.pos, &default.pos);
        self.orientation(
            &camera.info,
            &camera.quat,
            camera.alt.as_ref(),
            (&default.quat, default.alt.as_ref()),
        );
    }

    fn light(&mut self, light: &Light, around: Id<DefaultClass>) {
        self.text.start("light");
        self.identity(&light.info, around);
        self.light_values(light, &self.class_of(&light.info).light, false);
        self.text.empty();
    }

    pub(super) fn light_values(&mut self, light: &Light, default: &Light, in_class: bool) {
        self.text.attributes(light, default, |name| !in_class || !matches!(name, "target" | "texture"));
    }
}
