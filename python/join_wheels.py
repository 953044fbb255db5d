"""Put the compiled module of one wheel into another: a wheel for x86-64 has one for every processor and one for those with AVX2.

    python join_wheels.py WHEEL WITH_AVX2

WHEEL is written anew, with the module of WITH_AVX2 as `_condyle_avx2` beside its own; `condyle/_processor.py` chooses among them.
"""

import base64
import hashlib
import os
import sys
import zipfile

MODULE, BESIDE = "condyle/_condyle", "condyle/_condyle_avx2"


def module_of(wheel):
    """Name of the compiled module in a wheel."""
    (name,) = [name for name in wheel.namelist() if name.startswith(MODULE + ".") and name.endswith((".so", ".pyd"))]
    return name


def line_of_record(name, content):
    digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(content)}\n"


def join(path, wide):
    with zipfile.ZipFile(wide) as other:
        entry = other.getinfo(module_of(other))
        content = other.read(entry)
    made = path + ".new"
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as new:
        if any(name.startswith(BESIDE) for name in old.namelist()):
            raise SystemExit(f"{path} has both modules already")
        record = next(name for name in old.namelist() if name.endswith(".dist-info/RECORD"))
        for item in old.infolist():
            if item.filename != record:
                new.writestr(item, old.read(item), zipfile.ZIP_DEFLATED)
        entry.filename = module_of(old).replace(MODULE, BESIDE, 1)
        new.writestr(entry, content, zipfile.ZIP_DEFLATED)
        # The list of contents is the last, as everywhere.
        lines = old.read(record).decode().rstrip("\n") + "\n"
        new.writestr(old.getinfo(record), line_of_record(entry.filename, content) + lines, zipfile.ZIP_DEFLATED)
    os.replace(made, path)


if __name__ == "__main__":
    join(*sys.argv[1:])
