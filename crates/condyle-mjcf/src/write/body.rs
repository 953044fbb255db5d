//! The tree of bodies.

use super::Writer;
use condyle_model::JointType;
use condyle_spec::edit::Attributed;
use condyle_spec::{AlignFree, Body, Camera, DefaultClass, Frame, Geom, GeomInertia, Id, Joint, Light, Site};

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
        self.text.flag("mocap", body.mocap, false);
        self.text.number("gravcomp", body.gravcomp, 0.0);
        self.text.word("sleep", "bodysleep", body.sleep as i32, 0);
        self.text.list("user", &body.userdata);
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
        self.geom_values(geom, &self.class_of(&geom.info).geom, false);
        if geom.plugin.active {
            self.text.open("geom");
            self.plugin(&geom.plugin);
            self.text.close();
        } else {
            self.text.empty();
        }
    }

    pub(super) fn geom_values(&mut self, geom: &Geom, default: &Geom, _in_class: bool) {
        let text = &mut self.text;
        text.word("type", "geom", geom.kind as i32, default.kind as i32);
        text.array("size", &geom.size, &default.size);
        text.number("contype", geom.contype, default.contype);
        text.number("conaffinity", geom.conaffinity, default.conaffinity);
        text.number("condim", geom.condim, default.condim);
        text.number("group", geom.group, default.group);
        text.number("priority", geom.priority, default.priority);
        text.array("friction", &geom.friction, &default.friction);
        text.number("solmix", geom.solmix, default.solmix);
        text.array("solref", &geom.solref, &default.solref);
        text.array("solimp", &geom.solimp, &default.solimp);
        text.number("margin", geom.margin, default.margin);
        text.number("gap", geom.gap, default.gap);
        text.text_unless("hfield", &geom.hfieldname, &default.hfieldname);
        text.text_unless("mesh", &geom.meshname, &default.meshname);
        text.number("fitscale", geom.fitscale, default.fitscale);
        text.text_unless("material", &geom.material, &default.material);
        text.array("rgba", &geom.rgba, &default.rgba);
        if geom.fluid_ellipsoid != default.fluid_ellipsoid {
            text.text("fluidshape", if geom.fluid_ellipsoid == 0.0 { "none" } else { "ellipsoid" });
        }
        text.array("fluidcoef", &geom.fluid_coefs, &default.fluid_coefs);
        if geom.mass != default.mass {
            text.list("mass", geom.mass.as_slice());
        }
        text.number("density", geom.density, default.density);
        if geom.typeinertia != default.typeinertia {
            text.text("shellinertia", if geom.typeinertia == GeomInertia::Shell { "true" } else { "false" });
        }
        if geom.fromto != default.fromto {
            text.list("fromto", geom.fromto.as_ref().map_or(&[], |ends| ends.as_slice()));
        }
        if geom.userdata != default.userdata {
            text.list("user", &geom.userdata);
        }
        text.array("pos", &geom.pos, &default.pos);
        self.orientation(&geom.info, &geom.quat, geom.alt.as_ref(), (&default.quat, default.alt.as_ref()));
    }

    fn site(&mut self, site: &Site, around: Id<DefaultClass>) {
        self.text.start("site");
        self.identity(&site.info, around);
        self.site_values(site, &self.class_of(&site.info).site, false);
        self.text.empty();
    }

    pub(super) fn site_values(&mut self, site: &Site, default: &Site, _in_class: bool) {
        let text = &mut self.text;
        text.word("type", "geom", site.kind as i32, default.kind as i32);
        text.array("size", &site.size, &default.size);
        text.number("group", site.group, default.group);
        text.text_unless("material", &site.material, &default.material);
        text.array("rgba", &site.rgba, &default.rgba);
        if site.fromto != default.fromto {
            text.list("fromto", site.fromto.as_ref().map_or(&[], |ends| ends.as_slice()));
        }
        if site.userdata != default.userdata {
            text.list("user", &site.userdata);
        }
        text.array("pos", &site.pos, &default.pos);
        self.orientation(&site.info, &site.quat, site.alt.as_ref(), (&default.quat, default.alt.as_ref()));
    }

    fn camera(&mut self, camera: &Camera, around: Id<DefaultClass>) {
        self.text.start("camera");
        self.identity(&camera.info, around);
        self.text.text_unless("target", &camera.targetbody, "");
        self.camera_values(camera, &self.class_of(&camera.info).camera, false);
        self.text.empty();
    }

    pub(super) fn camera_values(&mut self, camera: &Camera, default: &Camera, in_class: bool) {
        let text = &mut self.text;
        text.word("mode", "tracking", camera.mode as i32, default.mode as i32);
        text.word("projection", "projection", camera.projection as i32, default.projection as i32);
        text.number("ipd", camera.ipd, default.ipd);
        text.array("resolution", &camera.resolution, &default.resolution);
        if camera.output != default.output {
            text.words("output", "cameraoutput", camera.output, false);
        }
        text.array("principalpixel", &camera.principal_pixel, &default.principal_pixel);
        text.array("principal", &camera.principal_length, &default.principal_length);
        text.array("focalpixel", &camera.focal_pixel, &default.focal_pixel);
        text.array("focal", &camera.focal_length, &default.focal_length);
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
        self.text.text_unless("target", &light.targetbody, "");
        self.text.text_unless("texture", &light.texture, "");
        self.light_values(light, &self.class_of(&light.info).light, false);
        self.text.empty();
    }

    pub(super) fn light_values(&mut self, light: &Light, default: &Light, _in_class: bool) {
        let text = &mut self.text;
        text.word("mode", "tracking", light.mode as i32, default.mode as i32);
        text.word("type", "light", light.kind as i32, default.kind as i32);
        text.flag("castshadow", light.castshadow, default.castshadow);
        text.flag("active", light.active, default.active);
        text.array("pos", &light.pos, &default.pos);
        text.array("dir", &light.dir, &default.dir);
        text.number("bulbradius", light.bulbradius, default.bulbradius);
        text.number("intensity", light.intensity, default.intensity);
        text.number("range", light.range, default.range);
        text.array("attenuation", &light.attenuation, &default.attenuation);
        text.number("cutoff", light.cutoff, default.cutoff);
        text.number("exponent", light.exponent, default.exponent);
        text.array("ambient", &light.ambient, &default.ambient);
        text.array("diffuse", &light.diffuse, &default.diffuse);
        text.array("specular", &light.specular, &default.specular);
    }
}
