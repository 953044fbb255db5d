//! The tree of bodies with everything in it, walked without recursion.

use super::Reader;
use super::attributes::Attributes;
use super::element::Pose;
use crate::xml::{Element, NodeId};
use condyle_base::Diagnostic;
use condyle_spec::{AlignFree, Body, DefaultClass, Frame, Id, Joint};

/// A body or frame whose children are being read.
pub(super) struct Cursor {
    pub node: NodeId,
    next: usize,
    pub body: Id<Body>,
    pub frame: Option<Id<Frame>>,
    /// Class of children that name none.
    class: Id<DefaultClass>,
    /// What to do when all children are read.
    replicate: Option<super::attach::Replicate>,
}

impl Reader<'_> {
    pub(super) fn worldbody(&mut self, section: NodeId) {
        let tree = self.tree;
        let world = self.spec.world();
        let class = self.spec.main_class();
        let mut stack =
            vec![Cursor { node: section, next: 0, body: world, frame: None, class, replicate: None }];
        while let Some(cursor) = stack.last_mut() {
            let Some(&child) = tree.get(cursor.node).children.get(cursor.next) else {
                if let Some(Cursor { replicate: Some(replicate), .. }) = stack.pop() {
                    self.finish_replicate(replicate);
                }
                continue;
            };
            cursor.next += 1;
            let (body, frame, around) = (cursor.body, cursor.frame, cursor.class);
            let element = tree.get(child);
            let class = self.class_of(element, around);
            match &*element.name {
                "body" => {
                    let inner = self.find_class(element, "childclass").unwrap_or(class);
                    let id = self.body(element, body, frame, class);
                    stack.push(Cursor {
                        node: child,
                        next: 0,
                        body: id,
                        frame: None,
                        class: inner,
                        replicate: None,
                    });
                }
                "frame" => {
                    let inner = self.find_class(element, "childclass").unwrap_or(class);
                    let id = self.frame(element, body, frame, inner);
                    stack.push(Cursor {
                        node: child,
                        next: 0,
                        body,
                        frame: Some(id),
                        class: inner,
                        replicate: None,
                    });
                }
                "replicate" => {
                    let inner = self.find_class(element, "childclass").unwrap_or(class);
                    let replicate = self.start_replicate(element, body, frame, inner);
                    let (body, frame) = replicate.place();
                    stack.push(Cursor {
                        node: child,
                        next: 0,
                        body,
                        frame: Some(frame),
                        class: inner,
                        replicate: Some(replicate),
                    });
                }
                _ => self.body_element(child, body, frame, class),
            }
        }
    }

    /// An element of a body other than bodies, frames and replicates.
    fn body_element(
        &mut self,
        node: NodeId,
        body: Id<Body>,
        frame: Option<Id<Frame>>,
        class: Id<DefaultClass>,
    ) {
        let element = self.tree.get(node);
        macro_rules! add {
            ($add:ident, $arena:ident, $kind:ty, $read:ident, $argument:expr) => {{
                let id = self.spec.$add(body, Some(class));
                let mut values = std::mem::take(&mut self.spec.$arena[id]);
                self.named::<$kind>(element, &mut values.info);
                self.$read($argument, &mut values);
                values.frame = frame;
                self.spec.$arena[id] = values;
            }};
        }
        match &*element.name {
            "inertial" => self.inertial(element, body, frame),
            "joint" | "freejoint" if !self.world_has_none(element, body, "joints") => {}
            "joint" => add!(add_joint, joints, Joint, joint_values, element),
            "freejoint" => self.free_joint(element, body, frame, class),
            "geom" => add!(add_geom, geoms, condyle_spec::Geom, geom_values, node),
            "site" => add!(add_site, sites, condyle_spec::Site, site_values, element),
            "camera" => add!(add_camera, cameras, condyle_spec::Camera, camera_values, element),
            "light" => add!(add_light, lights, condyle_spec::Light, light_values, element),
            "plugin" => {
                let mut plugin = std::mem::take(&mut self.spec.bodies[body].plugin);
                self.plugin_reference(node, &mut plugin);
                self.spec.bodies[body].plugin = plugin;
            }
            "attach" => self.attach(element, body, frame),
            "composite" => self.composite(node, body, frame),
            "flexcomp" => self.flexcomp(node, body, frame.is_some()),
            _ => {}
        }
    }

    fn world_has_none(&mut self, element: &Element, body: Id<Body>, what: &str) -> bool {
        let is_world = body == self.spec.world();
        if is_world {
            self.report_at(
                Diagnostic::error("E0465", format!("the world body cannot have {what}")),
                &element.location(),
                "put it inside a <body>",
            );
        }
        !is_world
    }

    fn body(
        &mut self,
        element: &Element,
        parent: Id<Body>,
        frame: Option<Id<Frame>>,
        class: Id<DefaultClass>,
    ) -> Id<Body> {
        let a = Attributes(element);
        let id = self.spec.add_body(parent);
        let mut info = std::mem::take(&mut self.spec.bodies[id].info);
        self.named::<Body>(element, &mut info);
        info.class = Some(class);
        let (mut pos, mut quat, mut alt) = ([0.0; 3], [1.0, 0.0, 0.0, 0.0], None);
        self.pose(element, Pose { pos: &mut pos, quat: &mut quat, alt: &mut alt });
        let body = &mut self.spec.bodies[id];
        (body.info, body.pos, body.quat, body.alt, body.frame) = (info, pos, quat, alt, frame);
        a.set_text("childclass", &mut body.childclass);
        a.read(body);
        id
    }

    fn frame(
        &mut self,
        element: &Element,
        body: Id<Body>,
        outer: Option<Id<Frame>>,
        class: Id<DefaultClass>,
    ) -> Id<Frame> {
        let id = self.spec.add_frame(body, outer);
        let mut info = std::mem::take(&mut self.spec.frames[id].info);
        self.named::<Frame>(element, &mut info);
        info.class = Some(class);
        let (mut pos, mut quat, mut alt) = ([0.0; 3], [1.0, 0.0, 0.0, 0.0], None);
        self.pose(element, Pose { pos: &mut pos, quat: &mut quat, alt: &mut alt });
        let frame = &mut self.spec.frames[id];
        (frame.info, frame.pos, frame.quat, frame.alt) = (info, pos, quat, alt);
        Attributes(element).set_text("childclass", &mut frame.childclass);
        id
    }

    fn inertial(&mut self, element: &Element, body: Id<Body>, frame: Option<Id<Frame>>) {
        if !self.world_has_none(element, body, "inertia") {
            return;
        }
        if frame.is_some() {
            self.report_at(
                Diagnostic::warning("W0404", "a frame does not move the <inertial> inside it"),
                &element.location(),
                "give the inertia relative to the body and put it outside the frame",
            );
        }
        let a = Attributes(element);
        self.require(element, "pos");
        self.require(element, "mass");
        let mut alt = self.spec.bodies[body].ialt;
        let alternatives = a.orientations().len();
        self.orientation(element, &mut alt);
        if alternatives > 0 && a.array::<f64, 6>("fullinertia").is_some() {
            self.report_at(
                Diagnostic::error("E0466", "fullinertia and an orientation cannot both be given"),
                &element.location_of("fullinertia"),
                "delete the orientation: fullinertia is relative to the body frame",
            );
        }
        let inertia = &mut self.spec.bodies[body];
        // The body has no attributes of these names, so their places can stand beside its own.
        for name in ["mass", "diaginertia", "fullinertia"] {
            inertia
                .info
                .attributes
                .extend(element.find(name).map(|value| (name, element.value_location(value))));
        }
        inertia.explicit_inertial = true;
        a.read_part(inertia, "inertial");
        inertia.ialt = alt;
    }

    fn free_joint(
        &mut self,
        element: &Element,
        body: Id<Body>,
        frame: Option<Id<Frame>>,
        class: Id<DefaultClass>,
    ) {
        if frame.is_some() {
            self.report_at(
                Diagnostic::warning("W0405", "a frame does not move the <freejoint> inside it"),
                &element.location(),
                "put the joint outside the frame",
            );
        }
        let a = Attributes(element);
        let id = self.spec.add_free_joint(body);
        let mut joint = std::mem::take(&mut self.spec.joints[id]);
        self.named::<Joint>(element, &mut joint.info);
        joint.info.class = Some(class);
        joint.frame = frame;
        a.set("group", &mut joint.group);
        joint.align = match a.word("align", "auto") {
            Some(0) => AlignFree::False,
            Some(1) => AlignFree::True,
            Some(_) => AlignFree::Auto,
            None => joint.align,
        };
        self.spec.joints[id] = joint;
    }
}
