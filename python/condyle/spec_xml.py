"""MJCF text in MuJoCo's layout: separate sections, poses first, positions of sites and joints always written."""

import re as _re
from xml.etree import ElementTree as _tree

_FIRST = ("name", "class", "childclass", "mesh", "pos", "axis", "quat", "size")
_ALWAYS = {"site": (("pos", "0 0 0"),), "joint": (("pos", "0 0 0"), ("axis", "0 0 1"))}
_SIZES = ("nkey", "nuserdata", "nuser_body", "nuser_jnt", "nuser_geom", "nuser_site", "nuser_cam", "nuser_tendon", "nuser_actuator", "nuser_sensor")  # fmt: skip


def laid_out(text: str, model) -> str:
    """The text of a spec, with the sizes of its model (or none if it could not be compiled)."""
    root = _tree.fromstring(text)
    if "model" not in root.attrib:
        root.set("model", "MuJoCo Model")
    compiler = root.find("compiler")
    if compiler is None:
        compiler = _tree.Element("compiler")
        root.insert(0, compiler)
    compiler.set("angle", "radian")
    compiler.attrib.pop("eulerseq", None)
    if model is not None:
        _set_sizes(root, model)
    for part in root.findall("worldbody"):
        _complete(part)
    _order(root)
    lines = [_start(root, 0)]
    for at, section in enumerate(root):
        if at:
            lines.append("")
        _write(section, 1, lines)
    lines.append("</mujoco>")
    return "\n".join(lines) + "\n"


def _set_sizes(root, model) -> None:
    values = {name: getattr(model, name) for name in _SIZES if getattr(model, name) > 0}
    size = root.find("size")
    if size is None:
        if not values:
            return
        size = _tree.Element("size")
        after = [at for at, part in enumerate(root) if part.tag in ("compiler", "option")]
        root.insert(max(after) + 1, size)
    for name, value in values.items():
        size.set(name, str(value))


def _complete(part) -> None:
    for element in part.iter():
        if element.tag == "joint" and element.get("type") in ("free", "ball"):
            continue
        if element.get("class") is None and "fromto" not in element.attrib:
            for name, value in _ALWAYS.get(element.tag, ()):
                element.attrib.setdefault(name, value)


def _order(root) -> None:
    for element in root.iter():
        if element.tag in ("site", "joint", "geom", "body", "camera", "light"):
            known = {name: element.attrib.pop(name) for name in _FIRST if name in element.attrib}
            rest = dict(element.attrib)
            element.attrib.clear()
            element.attrib.update({**known, **rest})


def _escaped(value: str) -> str:
    value = value.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")
    return _re.sub(r"[\n\r\t]", lambda match: f"&#{ord(match[0])};", value)


def _start(element, depth: int, close: str = "") -> str:
    attributes = "".join(f' {name}="{_escaped(value)}"' for name, value in element.attrib.items())
    return f"{'  ' * depth}<{element.tag}{attributes}{close}>"


def _write(element, depth: int, lines: list) -> None:
    stack = [(element, depth, False)]
    while stack:
        element, depth, closing = stack.pop()
        if closing:
            lines.append(f"{'  ' * depth}</{element.tag}>")
        elif len(element):
            lines.append(_start(element, depth))
            stack.append((element, depth, True))
            stack.extend((child, depth + 1, False) for child in reversed(element))
        else:
            lines.append(_start(element, depth, "/"))
