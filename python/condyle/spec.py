"""`MjSpec`: a model that can be edited, from code or from a file, and compiled."""

import os as _os
import re as _re
import typing as _typing
import warnings as _warnings
import zipfile as _zipfile

import numpy as _np

from condyle import _condyle, spec_bind as _bind
from condyle.spec_elements import *  # noqa: F403
from condyle.spec_elements import KINDS, COMPILER, OPTION, SIZES, STATISTIC, MjSpecVisual, MjsDefault, MjsFrame, MjsSite
from condyle.spec_elements import MjsElement as MjsElement, MjsOrientation as MjsOrientation, MjsTendonPath as MjsTendonPath
from condyle import spec_elements as _elements, spec_xml as _xml

MjStruct = _typing.Union[
    _elements.MjsBody, _elements.MjsFrame, _elements.MjsGeom, _elements.MjsJoint, _elements.MjsLight, _elements.MjsMaterial,
    _elements.MjsSite, _elements.MjsMesh, _elements.MjsSkin, _elements.MjsTexture, _elements.MjsText, _elements.MjsTuple,
    _elements.MjsCamera, _elements.MjsFlex, _elements.MjsHField, _elements.MjsKey, _elements.MjsNumeric, _elements.MjsPair,
    _elements.MjsExclude, _elements.MjsEquality, _elements.MjsTendon, _elements.MjsSensor, _elements.MjsActuator,
    _elements.MjsPlugin,
]  # fmt: skip

# MuJoCo's words for problems whose text programs look at.
_WORDS = [
    (_re.compile(r"^size (\d) must be positive, but is .*$"), r"size \1 must be positive in {kind}"),
    (_re.compile(r"^elevation has \d+ values, nrow\*ncol is \d+$"), "elevation data length must match nrow*ncol"),
    (_re.compile(r"^unrecognized attribute '(.*)' for plugin '.*'$"), r"unrecognized attribute 'plugin:\1'"),
    (_re.compile(r"^num must be positive, but is .*$"), "num (intprm[2]) must be positive in sensor"),
    (_re.compile(r"^unknown reduction criterion (-?\d+); expected .*$"), r"unknown reduction criterion. got \1, expected 0, 1, 2 or 3"),
]


def _data_spec(text: str) -> str:
    match = _re.match(r"^data spec (-?\d+) must choose some of the (\d+) fields$", text)
    if not match:
        return text
    chosen, fields = int(match[1]), int(match[2])
    words = "mjNCONDATA" if fields == 7 else "mjNRAYDATA"
    if chosen <= 0:
        return f"data spec (intprm[0]) must be positive, got {chosen}"
    if not chosen & ((1 << fields) - 1):
        return f"data spec intprm[0]={chosen} must have at least one bit set of the first {words} bits"
    return f"data spec intprm[0]={chosen} has bits set beyond the first {words} bits"


class MjSpec(_condyle._spec._SpecCore):
    """A model that can be edited and compiled."""

    def __init__(self):
        self._assets = {}
        self._copies = False
        self._last_order = {"joint": {}, "actuator": {}, "body": {}}
        self.parent = None
        self.override_assets = True

    # Making

    @staticmethod
    def from_file(filename, include=None, assets=None) -> "MjSpec":
        """A spec from an XML file. `include` has the files it includes, `assets` its meshes and textures, by name."""
        spec = MjSpec()
        spec._load("", dict(include or {}), _os.fsdecode(filename))
        spec._assets = dict(assets or {})
        return spec

    @staticmethod
    def from_string(xml, include=None, assets=None) -> "MjSpec":
        """A spec from MJCF or URDF text. `include` has the files it includes, `assets` its meshes and textures, by name."""
        spec = MjSpec()
        spec._load(xml.decode(errors="replace") if isinstance(xml, bytes) else xml, dict(include or {}))
        spec._assets = dict(assets or {})
        return spec

    @staticmethod
    def from_zip(file) -> "MjSpec":
        """A spec from a zip file with one XML file and its assets."""
        return from_zip(file)

    def to_zip(self, file) -> None:
        """Write the spec and its assets to a zip file."""
        to_zip(self, file)

    def copy(self) -> "MjSpec":
        spec = MjSpec()
        spec._copy_from(self)
        spec._assets, spec.override_assets, spec.parent = dict(self._assets), self.override_assets, self.parent
        return spec

    __copy__ = copy

    def __deepcopy__(self, memo) -> "MjSpec":
        return self.copy()

    def __repr__(self) -> str:
        return f"<MjSpec {self.modelname!r}: {len(self.bodies) - 1} bodies, {len(self.geoms)} geoms>"

    # Settings

    @property
    def _address(self) -> int:
        return id(self)

    @property
    def assets(self) -> dict:
        """Bytes of files by name, used before those on disk. Setting it adds to the files already there."""
        return self._assets

    @assets.setter
    def assets(self, value: dict) -> None:
        self._assets.update(value)

    @property
    def copy_during_attach(self):
        raise ValueError("copy_during_attach can only be set.")

    @copy_during_attach.setter
    def copy_during_attach(self, value: bool) -> None:
        self._copies = bool(value)

    @property
    def worldbody(self):
        return self._world()

    @property
    def default(self):
        """The default class that all others inherit from."""
        return self._main_class()

    @property
    def compiler(self):
        return self._object(COMPILER, 0)

    @property
    def option(self):
        return self._object(OPTION, 0)

    @property
    def stat(self):
        return self._object(STATISTIC, 0)

    @property
    def visual(self):
        return MjSpecVisual(self)

    @property
    def meshdir(self) -> str:
        return self.compiler.meshdir

    @meshdir.setter
    def meshdir(self, value: str) -> None:
        self.compiler.meshdir = value

    @property
    def texturedir(self) -> str:
        return self.compiler.texturedir

    @texturedir.setter
    def texturedir(self, value: str) -> None:
        self.compiler.texturedir = value

    @property
    def hasImplicitPluginElem(self) -> int:
        return int(any(not plugin.name for plugin in self.plugins))

    # Classes, deleting, attaching

    def find_default(self, classname: str):
        return self._find_class(classname)

    def add_default(self, name: str, parent=None):
        """Add a default class as a copy of its parent; None when the name is taken."""
        return self._add_class(name, parent)

    def delete(self, element) -> None:
        """Remove an element. A body is removed together with everything in it and whatever refers to it."""
        if isinstance(element, MjsDefault):
            self._delete_class(element)
        else:
            self._delete(element)

    def _attach_part(self, target, part, prefix, suffix):
        return self._attach(target, part._spec, part, prefix or "", suffix or "", self._copies)

    def attach(self, child: "MjSpec", prefix=None, suffix=None, site=None, frame=None):
        """Attach everything in the world of another spec to a frame or site, an object or a name. Returns the frame that holds it."""
        if frame is None and site is None:
            raise ValueError("One of frame or site must be specified.")
        if frame is not None and site is not None:
            raise ValueError("Only one of frame or site can be specified.")
        what, kind, target = ("Frame", MjsFrame, frame) if frame is not None else ("Site", MjsSite, site)
        if isinstance(target, str):
            target = self.frame(target) if frame is not None else self.site(target)
        if target is None:
            raise ValueError(f"{what} not found.")
        if not isinstance(target, kind):
            raise TypeError(f"a {what.lower()} or its name is needed")
        if target._spec is not self:
            raise ValueError(f"{what} spec does not match parent spec.")
        prefix, suffix = "/" if prefix is None else prefix, "" if suffix is None else suffix
        parent_files = any(element.file for element in (*self.meshes, *self.textures))
        attached = self._attach(target, child, None, prefix, suffix, self._copies)
        self._take_assets(child, prefix, suffix, parent_files)
        child.parent = self
        return attached

    def _take_assets(self, child: "MjSpec", prefix: str, suffix: str, parent_files: bool) -> None:
        if not child._assets:
            return
        if not self._assets and parent_files:
            _warnings.warn(
                "Attaching a child with asset dict to a parent without an asset dict might result in missing assets when "
                "attaching again.",
                stacklevel=3,
            )
        for name, content in child._assets.items():
            new = _renamed_file(name, prefix, suffix)
            if new in self._assets and not self.override_assets:
                raise ValueError(f"Asset {name} already exists in parent spec.")
            self._assets[new] = content
        for asset in (*child.meshes, *child.textures):
            if asset.file and asset._spec is self:
                asset.file = _renamed_file(asset.file, prefix, suffix)

    # Compiling and writing

    def compile(self, *, reference_bugs: bool = False):
        """Compile to a model. Problems raise a ValueError that names the element.

        `reference_bugs` reproduces bugs of MuJoCo that make a model physically wrong.
        """
        if self._is_attached:
            raise ValueError("Error: cannot compile child spec if attached by reference to a parent spec")
        try:
            model, warnings = self._compile(self._assets, reference_bugs)
        except ValueError as error:
            if error.args and isinstance(error.args[0], list):
                raise ValueError("\n".join(self._described(text) for text in error.args[0][:10])) from None
            raise
        if warnings:
            count = f"{len(warnings)} warnings while compiling the model\n" if len(warnings) > 1 else ""
            _warnings.warn(count + "\n".join(warnings), stacklevel=2)
        self._last_order = {kind: dict(self._order(KINDS[kind])) for kind in ("joint", "actuator", "body")}
        return model

    def _described(self, text: str) -> str:
        match = _re.match(r"^([a-z]+)(?: '(.*?)')?: (.*)$", text, _re.DOTALL)
        if not match:
            return f"Error: {text}"
        kind, name, words = match[1], match[2] or "", match[3]
        for pattern, replacement in _WORDS:
            if pattern.match(words):
                words = pattern.sub(replacement.replace("{kind}", kind), words)
                break
        else:
            words = _data_spec(words)
        labels = self._labels(kind)
        ids = [at for at, (known, _) in enumerate(labels) if known == name]
        if not ids:
            return f"Error: {words}"
        note = labels[ids[0]][1]
        return f"Error: {words}\nElement name '{name}', id {ids[0]}{f', {note}' if note else ''}"

    def recompile(self, model, data):
        """Compile again; the new data has the state of the elements that were there before."""
        old = self._last_order
        new_model = self.compile(reference_bugs=model._reference_bugs)
        new_data = _condyle.MjData(new_model)
        new_data.time = data.time
        _bind.carry_state(old, self._last_order, model, data, new_model, new_data)
        return new_model, new_data

    def to_xml(self) -> str:
        """The model as MJCF text."""
        return _xml.laid_out(self._to_xml(), None if self._is_attached else self.compile())

    def to_file(self, file) -> None:
        """Write the model as MJCF text to a file."""
        with open(_os.fsdecode(file), "w") as out:
            out.write(self.to_xml())

    @staticmethod
    def resolve_orientation(degree, sequence=None, orientation=None):
        """The quaternion of an orientation."""
        kind = int(orientation.type)
        values = [[], orientation.axisangle, orientation.xyaxes, orientation.zaxis, orientation.euler][kind]
        return _condyle._spec._spec_resolve_orientation(bool(degree), "".join(sequence or "xyz"), kind, [float(v) for v in values])


def _renamed_file(path: str, prefix: str, suffix: str) -> str:
    at = max(path.rfind("/"), path.rfind("\\")) + 1
    path = path[:at] + prefix + path[at:]
    dot = path.rfind(".")
    return path + suffix if dot < 0 else path[:dot] + suffix + path[dot:]


_PLURALS = {
    "body": "bodies", "mesh": "meshes", "flex": "flexes", "equality": "equalities", "hfield": "hfields", "key": "keys",
}  # fmt: skip
for _kind, _code in KINDS.items():

    def _list(self, code=_code):
        return self._elements(code)

    def _by_name(self, name: str, code=_code):
        return self._find(code, name)

    def _add(self, default=None, code=_code, **values):
        return self._add(code, None, default, values)

    _plural = _PLURALS.get(_kind, _kind + "s")
    setattr(MjSpec, _plural, property(_list, doc=f"All {_plural}, in the order of the compiled model."))
    _by_name.__name__, _by_name.__doc__ = _kind, f"The {_kind} of this name, or None."
    setattr(MjSpec, _kind, _by_name)
    if _code >= KINDS["mesh"]:
        _add.__name__, _add.__doc__ = f"add_{_kind}", f"Add a {_kind}; keywords are its attributes."
        setattr(MjSpec, f"add_{_kind}", _add)

for _number, _name in enumerate(_condyle._spec._spec_attributes(SIZES)):

    def _read(self, number=_number):
        return self._get(SIZES, 0, number)

    def _write(self, value, number=_number, name=_name):
        self._set(SIZES, 0, number, name, value)

    setattr(MjSpec, _name, property(_read, _write))


def to_zip(spec: MjSpec, file) -> None:
    """Write a spec and its assets to a zip file, a path or something to write to."""
    content = {**spec.assets, spec.modelname + ".xml": spec.to_xml()}
    if isinstance(file, str) and _os.path.dirname(file):
        _os.makedirs(_os.path.dirname(file), exist_ok=True)
    with _zipfile.ZipFile(file, "w") as archive:
        for name, data in content.items():
            archive.writestr(_zipfile.ZipInfo(name), data)


def from_zip(file) -> MjSpec:
    """A spec from a zip file with one XML file and its assets."""
    if not _zipfile.is_zipfile(file):
        raise ValueError(f"File {file} is not a zip file.")
    xml, folder, assets = None, "", {}
    with _zipfile.ZipFile(file) as archive:
        for entry in archive.infolist():
            if entry.is_dir():
                continue
            if entry.filename.endswith(".xml"):
                xml, folder = archive.read(entry), _os.path.dirname(entry.filename)
            else:
                assets[entry.filename] = archive.read(entry)
    if xml is None:
        raise ValueError("No XML file found in zip file.")
    relative = {_os.path.relpath(name, folder or "."): content for name, content in assets.items()}
    return MjSpec.from_string(xml, assets=relative)


_bind.install()
__all__ = [
    "MjSpec", "MjStruct", "from_zip", "to_zip",
    *(name for name in vars(_elements) if name.startswith(("Mjs", "Mj")) and name.endswith("Vec") or name.startswith("Mjs")),
]  # fmt: skip
del _np
