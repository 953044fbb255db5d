"""Make a differing model smaller: drop elements, then attributes, as long as the first differing array stays the same."""

import time
import xml.etree.ElementTree as ET

import cases


def _name(where):
    return (where or "").split(" ")[0]


def shrink(text, where, seed, seconds=20, assets=None):
    """The smallest text found within the time that still differs in the same array; files stay as they are."""
    end = time.monotonic() + seconds
    try:
        root = ET.fromstring(text)
    except ET.ParseError:
        return text

    def differs():
        outcome, found, _ = cases.run_model(ET.tostring(root, "unicode"), 40, seed, assets)
        return outcome == "different" and _name(found) == _name(where)

    if not differs():
        return text
    changed = True
    while changed and time.monotonic() < end:
        changed = False
        for parent in list(root.iter()):
            for child in list(parent):
                if time.monotonic() > end:
                    break
                at = list(parent).index(child)
                parent.remove(child)
                if differs():
                    changed = True
                else:
                    parent.insert(at, child)
        for element in list(root.iter()):
            for name, value in list(element.attrib.items()):
                if time.monotonic() > end:
                    break
                del element.attrib[name]
                if differs():
                    changed = True
                else:
                    element.attrib[name] = value
    return ET.tostring(root, "unicode")
