"""Elements of an `MjSpec`. Their attributes come from the tables on the Rust side; this module has what tables cannot express."""


from typing import Any

from condyle import _condyle, enumeration as _enumeration, enums as _enums

KINDS = {
    "body": 0, "frame": 1, "geom": 2, "joint": 3, "site": 4, "camera": 5, "light": 6, "mesh": 7, "hfield": 8,
    "texture": 9, "material": 10, "skin": 11, "flex": 12, "pair": 13, "exclude": 14, "equality": 15, "tendon": 16,
    "actuator": 17, "sensor": 18, "numeric": 19, "text": 20, "tuple": 21, "key": 22, "plugin": 23,
}  # fmt: skip
CLASS, MEMBER, COMPILER, LENGTH_RANGE, SIZES, OPTION, STATISTIC, VISUAL, PLUGIN_OF = 60, 64, 100, 101, 102, 103, 104, 110, 128
_ORIENTATION, _INERTIAL_ORIENTATION, _LISTS = 1000, 1010, 1020

_Attribute = _condyle._spec._SpecAttribute


class MjsElement(_condyle._spec._SpecElement):
    """What all elements have in common: a name, a text for error messages, a position in the compiled model."""

    __slots__ = ()

    @property
    def name(self) -> str:
        return self._spec._name(self)

    @name.setter
    def name(self, value: str) -> None:
        self._spec._set_name(self, value)

    @property
    def info(self) -> str:
        """Text repeated in errors about the element; for elements read from a file, the line they were on."""
        return self._spec._info(self)

    @info.setter
    def info(self, value: str) -> None:
        self._spec._set_info(self, value)

    @property
    def id(self) -> int:
        """Position in the compiled model; -1 if the spec has changed since."""
        return self._spec._id(self)

    @property
    def signature(self) -> int:
        """Signature of the spec, which is that of the model compiled from it."""
        return self._spec._signature

    def __repr__(self) -> str:
        name = self.name
        return f"<{type(self).__name__}{f' {name!r}' if name else ''}>"


class _Group(_condyle._spec._SpecElement):
    """A group of settings of a spec."""

    __slots__ = ()

    def __repr__(self) -> str:
        values = (f"{name}: {getattr(self, name)!r}" for name in self._names)
        return f"<{type(self).__name__} {', '.join(values)}>"


class MjsOrientation(_condyle._spec._SpecElement):
    """An orientation in all its notations; `type` says which one applies."""

    __slots__ = ("_base",)

    def __new__(cls, spec, code, index, base):
        self = super().__new__(cls, spec, code, index)
        self._base = base
        return self

    @property
    def type(self):
        return _enums.mjtOrientation(self._spec._get(*self._place, self._base))

    @type.setter
    def type(self, value) -> None:
        self._spec._set(*self._place, self._base, "type", int(value))


def _angle(name: str, number: int):
    def read(self):
        return self._spec._get(*self._place, self._base + number)

    def write(self, value):
        self._spec._set(*self._place, self._base + number, name, value)

    return property(read, write)


for _number, _name in enumerate(("axisangle", "xyaxes", "zaxis", "euler"), 1):
    setattr(MjsOrientation, _name, _angle(_name, _number))


def _orientation(base: int):
    def read(self):
        return MjsOrientation(self._spec, *self._place, base)

    def write(self, value):
        own = read(self)
        for name in ("axisangle", "xyaxes", "zaxis", "euler", "type"):
            setattr(own, name, getattr(value, name))

    return property(read, write)


class _InTree(MjsElement):
    """An element that is part of a body."""

    __slots__ = ()

    @property
    def parent(self):
        """The body it is part of."""
        return self._spec._parent(self)

    @property
    def frame(self):
        """The frame it is in, if any."""
        return self._spec._frame(self)

    def set_frame(self, frame) -> None:
        self._spec._set_frame(self, frame)


class _Classed:
    __slots__ = ()
    _spec: Any

    @property
    def classname(self):
        """The default class it was made from."""
        return self._spec._class_of(self)

    @classname.setter
    def classname(self, value) -> None:
        self._spec._set_class(self, value)


class _UsesPlugin:
    __slots__ = ()
    _spec: Any
    _place: Any

    @property
    def plugin(self):
        """The plugin it uses."""
        code, index = self._place
        return self._spec._object(code + PLUGIN_OF, index)

    @plugin.setter
    def plugin(self, value) -> None:
        own = self.plugin
        self._spec._set_plugin(own, {
            **({} if value.name or value._instance is None else {"instance": value._instance}),
            "active": int(value.active), "name": value.name, "plugin_name": value.plugin_name,
        })  # fmt: skip


class _Holder:
    """What holds parts of bodies: bodies and frames."""

    __slots__ = ()

    def add_body(self, default=None, **values):
        return self._spec._add(KINDS["body"], self, default, values)

    def add_camera(self, default=None, **values):
        return self._spec._add(KINDS["camera"], self, default, values)

    def add_geom(self, default=None, **values):
        return self._spec._add(KINDS["geom"], self, default, values)

    def add_joint(self, default=None, **values):
        return self._spec._add(KINDS["joint"], self, default, values)

    def add_light(self, default=None, **values):
        return self._spec._add(KINDS["light"], self, default, values)

    def add_site(self, default=None, **values):
        return self._spec._add(KINDS["site"], self, default, values)


class MjsFrame(_Holder, _InTree):
    __slots__ = ()
    alt = _orientation(_ORIENTATION)

    def add_frame(self, default=None, **values):
        return self._spec._add(KINDS["frame"], self, None, values)

    def attach_body(self, body, prefix: "str | None" = None, suffix: "str | None" = None):
        """Attach a body here. The body object stays valid unless the spec copies what is attached."""
        return self._spec._attach_part(self, body, prefix, suffix)


class MjsSite(_Classed, _InTree):
    __slots__ = ()
    alt = _orientation(_ORIENTATION)

    def attach_body(self, body, prefix: "str | None" = None, suffix: "str | None" = None):
        """Attach a body at the pose of the site."""
        return self._spec._attach_part(self, body, prefix, suffix)


class MjsGeom(_Classed, _UsesPlugin, _InTree):
    __slots__ = ()
    alt = _orientation(_ORIENTATION)


class MjsJoint(_Classed, _InTree):
    __slots__ = ()


class MjsCamera(_Classed, _InTree):
    __slots__ = ()
    alt = _orientation(_ORIENTATION)


class MjsLight(_Classed, _InTree):
    __slots__ = ()


def _part_lists(cls):
    for kind, plural in (
        ("body", "bodies"), ("camera", "cameras"), ("frame", "frames"), ("geom", "geoms"), ("joint", "joints"),
        ("light", "lights"), ("site", "sites"),
    ):  # fmt: skip
        code = KINDS[kind]

        def parts(self, code=code):
            return self._spec._parts(self, code, False)

        def first(self, code=code):
            found = self._spec._parts(self, code, False)
            return found[0] if found else None

        def following(self, child, code=code):
            found = self._spec._parts(self, code, False)
            at = next((at for at, known in enumerate(found) if known is child), len(found)) + 1
            return found[at] if at < len(found) else None

        setattr(cls, plural, property(parts, doc=f"The {plural} directly in this body."))
        setattr(cls, f"first_{kind}", first)
        setattr(cls, f"next_{kind}", following)
    return cls


@_part_lists
class MjsBody(_Holder, _Classed, _UsesPlugin, _InTree):
    __slots__ = ()
    alt = _orientation(_ORIENTATION)
    ialt = _orientation(_INERTIAL_ORIENTATION)

    def add_frame(self, default=None, **values):
        """Add a frame, inside the frame `default` if one is given."""
        return self._spec._add(KINDS["frame"], self if default is None else default, None, values)

    def add_freejoint(self, **values):
        for name in values:
            if name not in ("align", "group", "name"):
                raise TypeError(f"Invalid {name} keyword argument. Valid options are: align, group, name.")
        joint = self._spec._add_free_joint(self)
        for name, value in values.items():
            setattr(joint, name, value)
        return joint

    def attach_frame(self, frame, prefix: "str | None" = None, suffix: "str | None" = None):
        """Attach a frame, with all that is in it, to this body."""
        return self._spec._attach_part(self, frame, prefix, suffix)

    def find_all(self, kind):
        """All elements of a kind, a name or `mjtObj`, in this body and those inside it."""
        if isinstance(kind, str):
            name = kind
        else:
            name = {1: "body", 3: "joint", 5: "geom", 6: "site", 7: "camera", 8: "light", 100: "frame"}.get(int(kind))
        if name not in ("body", "frame", "geom", "site", "joint", "light", "camera"):
            raise ValueError("body.find_all supports the types: body, frame, geom, site, joint, light, camera.")
        return self._spec._parts(self, KINDS[name], True)

    def find_child(self, name: str):
        """The body of this name inside this one."""
        if self.name == name:
            return self
        return next((body for body in self.find_all("body") if body.name == name), None)

    def to_frame(self):
        """Turn the body into a frame of its parent that holds what the body held."""
        return self._spec._to_frame(self)


class MjsMaterial(_Classed, MjsElement):
    __slots__ = ()


class MjsMesh(_Classed, _UsesPlugin, MjsElement):
    __slots__ = ()

    def make_cone(self, nedge: int, radius: float) -> None:
        self._spec._make_mesh(self, "cone", [nedge, radius])

    def make_hemisphere(self, resolution: int) -> None:
        _within(resolution, 0, 10, "Hemisphere resolution")
        self._spec._make_mesh(self, "hemisphere", [resolution])

    def make_plate(self, resolution=(0, 0)) -> None:
        _positive_resolutions(resolution)
        self._spec._make_mesh(self, "plate", [*resolution])

    def make_sphere(self, subdivision: int) -> None:
        _within(subdivision, 0, 4, "Sphere subdivision")
        self._spec._make_mesh(self, "sphere", [subdivision])

    def make_supersphere(self, resolution: int, e: float, n: float) -> None:
        if resolution < 3:
            raise ValueError("Supersphere resolution must be greater than 2")
        for name, value in (("e", e), ("n", n)):
            if value < 0:
                raise ValueError(f"Supersphere '{name}' cannot be negative")
        self._spec._make_mesh(self, "supersphere", [resolution, e, n])

    def make_supertorus(self, resolution: int, radius: float, s: float, t: float) -> None:
        if resolution < 3:
            raise ValueError("Supertorus resolution must be greater than 3")
        if not 0 < radius <= 1:
            raise ValueError("Supertorus radius must be in (0, 1]")
        for name, value in (("s", s), ("t", t)):
            if value <= 0:
                raise ValueError(f"Supertorus '{name}' must be greater than 0")
        self._spec._make_mesh(self, "supertorus", [resolution, radius, s, t])

    def make_wedge(self, resolution=(0, 0), fov=(0, 0), gamma: float = 0) -> None:
        if not 0 < fov[0] <= 180:
            raise ValueError("fov[0] must be a float between (0, 180] degrees")
        if not 0 < fov[1] <= 90:
            raise ValueError("`fov[1]` must be a float between (0, 90] degrees")
        _positive_resolutions(resolution)
        if not 0 <= gamma <= 1:
            raise ValueError("`gamma` must be a nonnegative float between [0, 1]")
        self._spec._make_mesh(self, "wedge", [*resolution, *fov, gamma])


def _within(value: int, least: int, most: int, what: str) -> None:
    if value < least:
        raise ValueError(f"{what} cannot be negative")
    if value > most:
        raise ValueError(f"{what} cannot be greater than {most}")


def _positive_resolutions(resolution) -> None:
    if resolution[0] <= 0 or resolution[1] <= 0:
        raise ValueError("Horizontal and vertical resolutions must be positive")


class MjsHField(MjsElement):
    __slots__ = ()


class MjsTexture(MjsElement):
    __slots__ = ()


def _list(name: str, number: int):
    def read(self):
        return self._spec._get(*self._place, _LISTS + number)

    def write(self, value):
        self._spec._set(*self._place, _LISTS + number, name, value)

    return property(read, write)


class MjsSkin(MjsElement):
    __slots__ = ()
    bodyname = _list("bodyname", 0)
    bindpos = _list("bindpos", 3)
    bindquat = _list("bindquat", 4)

    @property
    def vertid(self):
        return self._spec._skin_lists(self._place[1])[0]

    @vertid.setter
    def vertid(self, value) -> None:
        self._spec._skin_lists(self._place[1], vertices=[[int(i) for i in part] for part in value])

    @property
    def vertweight(self):
        return self._spec._skin_lists(self._place[1])[1]

    @vertweight.setter
    def vertweight(self, value) -> None:
        self._spec._skin_lists(self._place[1], weights=[[float(w) for w in part] for part in value])


class MjsFlex(MjsElement):
    __slots__ = ()


class MjsPair(_Classed, MjsElement):
    __slots__ = ()


class MjsExclude(MjsElement):
    __slots__ = ()


class MjsEquality(_Classed, MjsElement):
    __slots__ = ()


class MjsWrap:
    """One object on the path of a tendon."""

    __slots__ = ("_tendon", "_at")

    def __init__(self, tendon, at: int):
        self._tendon, self._at = tendon, at

    def __eq__(self, other) -> bool:
        return isinstance(other, MjsWrap) and self._tendon is other._tendon and self._at == other._at

    def __hash__(self) -> int:
        return hash((id(self._tendon), self._at))

    @property
    def _part(self):
        return self._tendon._spec._path(self._tendon)[self._at]

    @property
    def info(self) -> str:
        return ""

    @property
    def type(self):
        kind = self._part[0]
        if kind == 4:
            geom = self.target
            cylinder = geom is not None and geom.type == _enums.mjtGeom.mjGEOM_CYLINDER
            return _enums.mjtWrap.mjWRAP_CYLINDER if cylinder else _enums.mjtWrap.mjWRAP_SPHERE
        return _enums.mjtWrap(kind)

    @property
    def target(self):
        """The joint, site or geom; a pulley has none."""
        kind, name = self._part[:2]
        target = {1: "joint", 3: "site", 4: "geom"}.get(kind)
        return self._tendon._spec._find(KINDS[target], name) if target else None

    @property
    def sidesite(self):
        kind, _, side, _ = self._part
        return self._tendon._spec._find(KINDS["site"], side) if kind == 4 and side else None

    @property
    def coef(self):
        kind, _, _, number = self._part
        return number if kind == 1 else None

    @property
    def divisor(self):
        kind, _, _, number = self._part
        return number if kind == 2 else None


class MjsTendonPath:
    """The path of a tendon."""

    __slots__ = ("_tendon",)

    def __init__(self, tendon):
        self._tendon = tendon

    def __len__(self) -> int:
        return len(self._tendon._spec._path(self._tendon))

    def __getitem__(self, at: int) -> MjsWrap:
        if not 0 <= at < len(self):
            raise IndexError("Index out of range.")
        return MjsWrap(self._tendon, at)


class MjsTendon(MjsElement):
    __slots__ = ()

    def default(self):
        """The default class it was made from."""
        return self._spec._class_of(self)

    @property
    def path(self) -> MjsTendonPath:
        return MjsTendonPath(self)

    def wrap_site(self, name: str) -> MjsWrap:
        return MjsWrap(self, self._spec._wrap(self, 3, name, "", 0))

    def wrap_geom(self, name: str, sidesite: str) -> MjsWrap:
        return MjsWrap(self, self._spec._wrap(self, 4, name, sidesite, 0))

    def wrap_joint(self, name: str, coef: float) -> MjsWrap:
        return MjsWrap(self, self._spec._wrap(self, 1, name, "", coef))

    def wrap_pulley(self, divisor: float) -> MjsWrap:
        return MjsWrap(self, self._spec._wrap(self, 2, "", "", divisor))


def _numbers(**values):
    return {name: [float(v) for v in value] if hasattr(value, "__len__") else [float(value)] for name, value in values.items()}


class MjsActuator(_Classed, _UsesPlugin, MjsElement):
    __slots__ = ()

    def set_to_motor(self) -> None:
        self._spec._set_to(self, "motor")

    def set_to_position(self, kp, kv=-1, dampratio=-1, timeconst=-1, inheritrange=False) -> None:
        values = _numbers(kp=kp, kv=kv, dampratio=dampratio, timeconst=timeconst, inheritrange=bool(inheritrange))
        self._spec._set_to(self, "position", **values)

    def set_to_intvelocity(self, kp, kv=-1, dampratio=-1, timeconst=-1, inheritrange=False) -> None:
        values = _numbers(kp=kp, kv=kv, dampratio=dampratio, timeconst=timeconst, inheritrange=bool(inheritrange))
        self._spec._set_to(self, "intvelocity", **values)

    def set_to_velocity(self, kv) -> None:
        self._spec._set_to(self, "velocity", **_numbers(kv=kv))

    def set_to_damper(self, kv) -> None:
        self._spec._set_to(self, "damper", **_numbers(kv=kv))

    def set_to_cylinder(self, timeconst, bias, area, diameter=-1) -> None:
        self._spec._set_to(self, "cylinder", **_numbers(timeconst=timeconst, bias=bias, area=area, diameter=diameter))

    def set_to_muscle(
        self, timeconst=(-1, -1), tausmooth=0, range=(-1, -1), force=-1, scale=-1, lmin=-1, lmax=-1, vmax=-1, fpmax=-1, fvmax=-1
    ) -> None:  # fmt: skip
        values = _numbers(
            timeconst=timeconst, tausmooth=tausmooth, range=range, force=force, scale=scale, lmin=lmin, lmax=lmax,
            vmax=vmax, fpmax=fpmax, fvmax=fvmax,
        )  # fmt: skip
        self._spec._set_to(self, "muscle", **values)

    def set_to_adhesion(self, gain) -> None:
        self._spec._set_to(self, "adhesion", **_numbers(gain=gain))


_DIMENSIONS = {
    3: "ACCELEROMETER VELOCIMETER GYRO FORCE TORQUE MAGNETOMETER BALLANGVEL FRAMEPOS FRAMEXAXIS FRAMEYAXIS FRAMEZAXIS FRAMELINVEL "
    "FRAMEANGVEL FRAMELINACC FRAMEANGACC SUBTREECOM SUBTREELINVEL SUBTREEANGMOM GEOMNORMAL",
    6: "GEOMFROMTO",
    4: "BALLQUAT FRAMEQUAT",
    2: "CAMPROJECTION",
}


class MjsSensor(_UsesPlugin, MjsElement):
    __slots__ = ()

    def get_data_size(self) -> int:
        """Number of values the sensor outputs."""
        name = self.type.name.removeprefix("mjSENS_")
        for size, names in _DIMENSIONS.items():
            if name in names.split():
                return size
        chosen = int(self.intprm[0])
        if name == "CONTACT":
            fields = (1, 3, 3, 1, 3, 3, 3)
            return int(self.intprm[2]) * sum(size for bit, size in enumerate(fields) if chosen >> bit & 1)
        if name == "RANGEFINDER":
            sizes = (1, 3, 3, 3, 3, 1)
            rays = 1
            if self.objtype == _enums.mjtObj.mjOBJ_CAMERA:
                camera = self._spec._find(KINDS["camera"], self.objname)
                rays = int(camera.resolution[0]) * int(camera.resolution[1]) if camera is not None else 0
            return rays * sum(size for bit, size in enumerate(sizes) if chosen >> bit & 1)
        return self.dim if name in ("USER", "PLUGIN") else 1


class MjsNumeric(MjsElement):
    __slots__ = ()


class MjsText(MjsElement):
    __slots__ = ()


class MjsTuple(MjsElement):
    __slots__ = ()
    objname = _list("objname", 0)
    objtype = _list("objtype", 1)
    objprm = _list("objprm", 2)


class MjsKey(MjsElement):
    __slots__ = ()


def _plugin_value(name: str, kind):
    def read(self):
        return kind(self._spec._plugin(self)[name])

    def write(self, value):
        self._spec._set_plugin(self, {name: value})

    return property(read, write)


class MjsPlugin(MjsElement):
    """An instance of a plugin, or the plugin an element uses."""

    __slots__ = ()
    name = _plugin_value("name", str)
    info = _plugin_value("info", str)
    plugin_name = _plugin_value("plugin_name", str)
    active = _plugin_value("active", int)
    config = _plugin_value("config", dict)

    @property
    def _instance(self):
        code, index = self._place
        return index if code < PLUGIN_OF else self._spec._plugin(self).get("instance")

    @property
    def id(self) -> int:
        index = self._instance
        return -1 if index is None else self._spec._id(self._spec._object(KINDS["plugin"], index))

    @id.setter
    def id(self, other) -> None:
        self._spec._set_plugin(self, {"instance": other._instance})


class MjsDefault(_condyle._spec._SpecElement):
    """A default class: the values new elements start from."""

    __slots__ = ()

    @property
    def name(self) -> str:
        return self._spec._name(self)

    @name.setter
    def name(self, value: str) -> None:
        self._spec._set_name(self, value)

    def __repr__(self) -> str:
        return f"<MjsDefault {self.name!r}>"


_MEMBERS = (
    "actuator", "camera", "equality", "flex", "geom", "joint", "light", "material", "mesh", "pair", "site", "tendon"
)  # fmt: skip
for _name in _MEMBERS:

    def _member(self, code=MEMBER + KINDS[_name]):
        return self._spec._object(code, self._place[1])

    setattr(MjsDefault, _name, property(_member))


class MjsCompiler(_Group):
    """How a spec is compiled."""

    __slots__ = ()

    @property
    def LRopt(self):
        return self._spec._object(LENGTH_RANGE, 0)


class _LengthRange(_Group):
    __slots__ = ()


class _Option(_Group):
    __slots__ = ()


class _Statistic(_Group):
    __slots__ = ()


class _Sizes(_Group):
    __slots__ = ()


class MjSpecVisual:
    """View settings of a spec."""

    __slots__ = ("_spec",)

    def __init__(self, spec):
        self._spec = spec


_TOPICS = ("global", "quality", "headlight", "map", "scale", "rgba")
_topic_classes = {}
for _number, _name in enumerate(_TOPICS):
    _topic_classes[VISUAL + _number] = type(f"_Visual{_name.capitalize()}", (_Group,), {"__slots__": ()})

    def _topic(self, code=VISUAL + _number):
        return self._spec._object(code, 0)

    setattr(MjSpecVisual, _name, property(_topic))
setattr(MjSpecVisual, "global_", getattr(MjSpecVisual, "global"))  # noqa: B010


class MjDoubleVec(_condyle._spec._SpecVector):
    __slots__ = ()


class MjFloatVec(_condyle._spec._SpecVector):
    __slots__ = ()


class MjIntVec(_condyle._spec._SpecVector):
    __slots__ = ()


class MjStringVec(_condyle._spec._SpecVector):
    __slots__ = ()


class MjCharVec(_condyle._spec._SpecVector):
    __slots__ = ()


class MjByteVec(_condyle._spec._SpecVector):
    __slots__ = ()


def _register() -> None:
    by_name = {
        "body": MjsBody, "frame": MjsFrame, "geom": MjsGeom, "joint": MjsJoint, "site": MjsSite, "camera": MjsCamera,
        "light": MjsLight, "mesh": MjsMesh, "hfield": MjsHField, "texture": MjsTexture, "material": MjsMaterial,
        "skin": MjsSkin, "flex": MjsFlex, "pair": MjsPair, "exclude": MjsExclude, "equality": MjsEquality,
        "tendon": MjsTendon, "actuator": MjsActuator, "sensor": MjsSensor, "numeric": MjsNumeric, "text": MjsText,
        "tuple": MjsTuple, "key": MjsKey, "plugin": MjsPlugin,
    }  # fmt: skip
    classes: "dict[int, type]" = {KINDS[name]: cls for name, cls in by_name.items()}
    classes.update({
        COMPILER: MjsCompiler, LENGTH_RANGE: _LengthRange, SIZES: _Sizes, OPTION: _Option, STATISTIC: _Statistic,
        **_topic_classes,
    })  # fmt: skip
    for code, cls in classes.items():
        names = _condyle._spec._spec_attributes(code)
        setattr(cls, "_names", tuple(names))  # noqa: B010
        for number, name in enumerate(names):
            if name not in vars(cls):
                setattr(cls, name, _Attribute(number, name))
    classes[CLASS] = MjsDefault
    for name in _MEMBERS:
        classes[MEMBER + KINDS[name]] = by_name[name]
    for name in ("body", "geom", "mesh", "actuator", "sensor"):
        classes[PLUGIN_OF + KINDS[name]] = MjsPlugin
    for name in ("geom", "mesh", "actuator"):
        classes[PLUGIN_OF + MEMBER + KINDS[name]] = MjsPlugin
    vectors = {cls.__name__: cls for cls in (MjDoubleVec, MjFloatVec, MjIntVec, MjStringVec, MjCharVec, MjByteVec)}
    enumerations = {
        name: {int(member): member for member in value}
        for name, value in vars(_enums).items()
        if isinstance(value, type) and issubclass(value, _enumeration.IntEnum) and value.__members__
    }
    _condyle._spec._spec_register(classes, vectors, enumerations)


_register()
