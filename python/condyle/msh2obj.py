"""Meshes in MuJoCo's old binary format as OBJ text: ``python -m condyle.msh2obj -i mesh.msh -o mesh.obj``."""

import argparse
import dataclasses
import pathlib
from typing import Any

import numpy as np


@dataclasses.dataclass(frozen=True)
class Msh:
    """A mesh: vertices, normals and texture coordinates, and triangles of indices into them."""

    vertex_positions: Any
    vertex_normals: Any
    vertex_texcoords: Any
    face_vertex_indices: Any

    @staticmethod
    def create(file: pathlib.Path) -> "Msh":
        """Read a file: four counts, then positions, normals, texture coordinates and triangles."""
        content = pathlib.Path(file).read_bytes()
        if len(content) < 16:
            raise ValueError(f"{file}: the file is shorter than its header")
        counts = np.frombuffer(content, np.int32, 4)
        widths, kinds = (3, 3, 2, 3), (np.float32, np.float32, np.float32, np.int32)
        names = ("vertices", "normals", "texture coordinates", "triangles")
        parts, start = [], 16
        for count, width, kind, name in zip(counts.tolist(), widths, kinds, names):
            if count < 0 or start + 4 * count * width > len(content):
                raise ValueError(f"{file}: the file has fewer {name} than the {count} it says")
            parts.append(np.frombuffer(content, kind, count * width, start).reshape(-1, width).copy())
            start += 4 * count * width
        # Pictures start at the top in one format, at the bottom in the other.
        parts[2][:, 1] = 1 - parts[2][:, 1]
        return Msh(*parts)


def msh_to_obj(msh_file: pathlib.Path) -> str:
    """The text of an OBJ file with the same mesh."""
    mesh = Msh.create(msh_file)
    lines = []
    for word, rows in (("v", mesh.vertex_positions), ("vn", mesh.vertex_normals), ("vt", mesh.vertex_texcoords)):
        lines += [" ".join([word, *(str(number) for number in row)]) for row in rows]
    lines += [" ".join(["f", *(f"{at}/{at}/{at}" for at in triangle)]) for triangle in mesh.face_vertex_indices + 1]
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-i", "--input", required=True, help="the msh file")
    parser.add_argument("-o", "--output", required=True, help="the obj file")
    arguments = parser.parse_args()
    pathlib.Path(arguments.output).write_text(msh_to_obj(pathlib.Path(arguments.input)))


if __name__ == "__main__":
    main()
