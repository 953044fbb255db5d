"""Access by name or number: ``data.body("arm").xpos``, ``model.joint(0).range``, ``data.actuator("motor").ctrl = 1``.

Every attribute is a numpy view on a row of an array of the model or the data, so assigning to it changes the simulation.
"""

import math

from condyle import _condyle

# Object kinds: the prefix of their arrays, the size that counts them, their type number, and further names of the method.
_KINDS = {
    "body": ("Body", "body", "nbody", 1, ()),
    "joint": ("Joint", "jnt", "njnt", 3, ("jnt",)),
    "geom": ("Geom", "geom", "ngeom", 5, ()),
    "site": ("Site", "site", "nsite", 6, ()),
    "camera": ("Camera", "cam", "ncam", 7, ("cam",)),
    "light": ("Light", "light", "nlight", 8, ()),
    "mesh": ("Mesh", "mesh", "nmesh", 10, ()),
    "skin": ("Skin", "skin", "nskin", 11, ()),
    "hfield": ("Hfield", "hfield", "nhfield", 12, ()),
    "texture": ("Texture", "tex", "ntex", 13, ("tex",)),
    "material": ("Material", "mat", "nmat", 14, ("mat",)),
    "pair": ("Pair", "pair", "npair", 15, ()),
    "exclude": ("Exclude", "exclude", "nexclude", 16, ()),
    "equality": ("Equality", "eq", "neq", 17, ("eq",)),
    "tendon": ("Tendon", "tendon", "ntendon", 18, ("ten",)),
    "actuator": ("Actuator", "actuator", "nu", 19, ()),
    "sensor": ("Sensor", "sensor", "nsensor", 20, ()),
    "numeric": ("Numeric", "numeric", "nnumeric", 21, ()),
    "tuple": ("Tuple", "tuple", "ntuple", 23, ()),
    "keyframe": ("Keyframe", "key", "nkey", 24, ("key",)),
}

# Arrays of the data that belong to objects, by kind; the attribute is the name without the prefix.
_DATA = {
    "body": {
        name: name
        for name in (
            "cacc cfrc_ext cfrc_int cinert crb cvel subtree_angmom subtree_com subtree_linvel xfrc_applied ximat xipos xmat "
            "xpos xquat"
        ).split()
    },
    "geom": {"xmat": "geom_xmat", "xpos": "geom_xpos"},
    "site": {"xmat": "site_xmat", "xpos": "site_xpos"},
    "camera": {"xmat": "cam_xmat", "xpos": "cam_xpos"},
    "light": {"xdir": "light_xdir", "xpos": "light_xpos"},
    "actuator": {
        "ctrl": "ctrl", "force": "actuator_force", "length": "actuator_length", "velocity": "actuator_velocity",
    },
    "tendon": {
        name: "ten_" + name for name in ("J", "J_colind", "J_rowadr", "J_rownnz", "length", "velocity", "wrapadr", "wrapnum")
    },
}
_DATA_DOFS = (
    "cdof cdof_dot qLDiagInv qacc qacc_smooth qacc_warmstart qfrc_actuator qfrc_applied qfrc_bias qfrc_constraint "
    "qfrc_inverse qfrc_passive qfrc_smooth qvel"
).split()

_WIDTH = {0: (7, 6), 1: (4, 3), 2: (1, 1), 3: (1, 1)}  # coordinates and dofs by type of joint


def _model(owner):
    return owner if isinstance(owner, _condyle.MjModel) else owner.model


# Classes of views by name, each with the arrays its fields show.
VIEWS: "dict[str, tuple[type, dict]]" = {}


def _shows(array_name):
    """Mark a function with the array it gives a part of."""

    def mark(get):
        get.array_name = array_name
        return get

    return mark


def _row(array_name):
    return _shows(array_name)(lambda owner, at: getattr(owner, array_name)[at : at + 1].reshape(-1))


def _dofs(array_name):
    @_shows(array_name)
    def get(owner, at):
        model = _model(owner)
        start = int(model.jnt_dofadr[at])
        return getattr(owner, array_name)[start : start + _WIDTH[int(model.jnt_type[at])][1]]

    return get


def _coordinates(array_name):
    @_shows(array_name)
    def get(owner, at):
        model = _model(owner)
        start = int(model.jnt_qposadr[at])
        return getattr(owner, array_name)[start : start + _WIDTH[int(model.jnt_type[at])][0]]

    return get


def _span(array_name, start_name, *count_names):
    """A part of a packed array, in the shape of the counts."""

    @_shows(array_name)
    def get(owner, at):
        model = _model(owner)
        start = int(getattr(model, start_name)[at])
        shape = [int(getattr(model, name)[at]) for name in count_names]
        return getattr(owner, array_name)[start : start + math.prod(shape)].reshape(shape)

    return get


def _model_fields(kind, prefix, size):
    fields = {}
    for name, _, dims, _, _ in _condyle.MjModel._array_table():
        if name.startswith(prefix + "_") and dims and dims[0] == size:
            fields[name[len(prefix) + 1 :]] = _row(name)
    if kind == "joint":
        for name, _, dims, _, _ in _condyle.MjModel._array_table():
            if name.startswith("dof_") and dims == ["nv"] and name[4:] not in ("solref", "solimp", "treeid", "length"):
                fields[name[4:]] = _dofs(name)
        fields["qpos0"], fields["qpos_spring"] = _coordinates("qpos0"), _coordinates("qpos_spring")
    if kind == "tendon":
        # The reference has these names with a leading underscore as well.
        fields.update({"_" + name: get for name, get in list(fields.items())})
    if kind == "hfield":
        fields["data"] = _span("hfield_data", "hfield_adr", "hfield_nrow", "hfield_ncol")
    if kind == "texture":
        fields["data"] = _span("tex_data", "tex_adr", "tex_height", "tex_width", "tex_nchannel")
    if kind == "numeric":
        fields["data"] = _span("numeric_data", "numeric_adr", "numeric_size")
    if kind == "tuple":
        for name in ("objid", "objprm", "objtype"):
            fields[name] = _span("tuple_" + name, "tuple_adr", "tuple_size")
    return fields


def _data_fields(kind):
    if kind == "joint":
        fields = {name: _dofs(name) for name in _DATA_DOFS}
        fields.update(qpos=_coordinates("qpos"), xanchor=_row("xanchor"), xaxis=_row("xaxis"))
        return fields
    if kind == "sensor":
        return {"data": _span("sensordata", "sensor_adr", "sensor_dim")}
    return {name: _row(array) for name, array in _DATA.get(kind, {}).items()}


class _View:
    """Rows of one object. A row asked for before is the same array again."""

    __slots__ = ("_owner", "_at", "_rows")
    _type = 0
    _fields = ()

    def __init__(self, owner, at):
        self._owner, self._at, self._rows = owner, at, {}

    @property
    def id(self):
        return self._at

    @property
    def name(self):
        return _condyle.mj_id2name(_model(self._owner), self._type, self._at) or ""

    def __eq__(self, other):
        return type(self) is type(other) and self._owner._address == other._owner._address and self._at == other._at

    def __hash__(self):
        return hash((type(self), self._owner._address, self._at))

    def __repr__(self):
        names = sorted([*self._fields, "id", "name"])
        lines = [f"  {name}: {getattr(self, name)!r}" for name in names]
        return "\n".join([f"<{type(self).__name__}", *lines, ">"])


def _property(field, get):
    def row(view):
        try:
            return view._rows[field]
        except KeyError:
            found = view._rows[field] = get(view._owner, view._at)
            return found

    def set_(view, value):
        row(view)[...] = value

    return property(row, set_)


def _view_class(name, type_number, fields):
    body = {"__slots__": (), "_type": type_number, "_fields": tuple(fields), "__module__": __name__}
    body.update({field: _property(field, get) for field, get in fields.items()})
    view = type(name, (_View,), body)
    VIEWS[name] = (view, {field: get.array_name for field, get in fields.items()})
    return view


def _accessor(method, view, size, type_number):
    def access(self, name=""):
        known = self._named
        try:
            return known[type_number][name]
        except (KeyError, TypeError):
            pass
        model = _model(self)
        count = getattr(model, size)
        if isinstance(name, bytes):
            name = name.decode()
        if isinstance(name, str):
            at = _condyle.mj_name2id(model, type_number, name)
            if at < 0:
                names = (_condyle.mj_id2name(model, type_number, index) for index in range(count))
                names = ", ".join(f"'{known}'" for known in sorted(filter(None, names)))
                raise KeyError(f"Invalid name '{name}'. Valid names: [{names}]")
        elif not hasattr(name, "__index__"):
            raise TypeError(f"{method}() takes a name or a number, not {name!r}")
        else:
            at = name.__index__()
            if not 0 <= at < count:
                raise IndexError(f"Invalid index {at}. Valid indices from 0 to {count - 1}")
        # The rows hold on to a twin: the object they are kept by must not be kept by them.
        rows = {} if known is None else known.setdefault(type_number, {})
        if at not in rows:
            rows[at] = view(self._twin(), at)
        if isinstance(name, str):
            rows[name] = rows[at]
        return rows[at]

    access.__name__ = access.__qualname__ = method
    access.__doc__ = f"The {method} of that name or number."
    return access


def _install():
    for method, (title, prefix, size, type_number, others) in _KINDS.items():
        tables = [(_condyle.MjModel, "Model", _model_fields(method, prefix, size))]
        data = _data_fields(method)
        if data:
            tables.append((_condyle.MjData, "Data", data))
        for owner, word, fields in tables:
            view = _view_class(f"_Mj{word}{title}Views", type_number, fields)
            for name in (method, *others):
                setattr(owner, name, _accessor(name, view, size, type_number))


_install()
