"""Draws the plots of docs/performance.md from the reports of the last `cargo xtask bench --all` (or `--pgo --all`) and `cargo xtask bench --growth`.

    python docs/plots.py            writes docs/pictures/speed.svg and docs/pictures/growth.svg

Grey text and strong colours, so that the plots can be read on light and dark pages.
"""

import collections
import html
import json
import math
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[1]
PICTURES = ROOT / "docs" / "pictures"
WIDTH = 760
TEXT, GRID, LINE = "#808080", "#80808050", "#808080"
COLOURS = ["#2f7ed8", "#e4572e", "#2a9d4e", "#a23bbf", "#d69f00", "#00a5a5"]
#: Growing scenes: their names in growth.json without the number, and what the legend calls them.
FAMILIES = {
    "heap of # spheres": "spheres in a heap",
    "heap of # boxes": "boxes in a heap",
    "# boxes spread out": "boxes spread out",
    "# figures": "figures",
    "chain of #": "chains of hinges",
}


class Picture:
    """Marks of an SVG picture, in pixels."""

    def __init__(self, height, title):
        self.height, self.title, self.marks = height, title, []

    def text(self, x, y, words, anchor="start", size=12, colour=TEXT):
        self.marks.append(f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}" fill="{colour}">{html.escape(words)}</text>')

    def line(self, x0, y0, x1, y1, colour=GRID, width=1):
        self.marks.append(f'<line x1="{x0:.1f}" y1="{y0:.1f}" x2="{x1:.1f}" y2="{y1:.1f}" stroke="{colour}" stroke-width="{width}"/>')

    def dot(self, x, y, radius, colour, words):
        self.marks.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius}" fill="{colour}" fill-opacity="0.6"><title>{html.escape(words)}</title></circle>')

    def path(self, points, colour):
        places = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        self.marks.append(f'<polyline points="{places}" fill="none" stroke="{colour}" stroke-width="2"/>')

    def write(self, name):
        head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {self.height}" font-family="sans-serif" role="img">'
        (PICTURES / name).write_text("\n".join([head, f"<title>{html.escape(self.title)}</title>", *self.marks, "</svg>"]) + "\n")


class Scale:
    """Logarithmic: values to pixels."""

    def __init__(self, low, high, first, last):
        self.low, self.high, self.first, self.last = map(float, (low, high, first, last))

    def __call__(self, value):
        share = math.log(min(max(value, self.low), self.high) / self.low) / math.log(self.high / self.low)
        return self.first + share * (self.last - self.first)


def mean(ratios):
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


def speed(models):
    """A row of dots for each class of models: how many times MuJoCo's steps per second each makes."""
    classes = collections.defaultdict(dict)
    for name, result in models.items():
        if result["agrees"]:
            classes[result["class"]][name] = result["ratio"]
    row, top, left = 46, 30, 150
    picture = Picture(top + row * len(classes) + 42, "Steps per second of Condyle divided by MuJoCo's, by class of models")
    bottom = top + row * len(classes)
    x = Scale(0.8, 4.0, left, WIDTH - 20)
    for value in (0.8, 1.0, 1.25, 1.5, 2.0, 3.0, 4.0):
        picture.line(x(value), top - 8, x(value), bottom, LINE if value == 1.0 else GRID, 2 if value == 1.0 else 1)
        picture.text(x(value), bottom + 16, f"{value:g}" + ("+" if value == x.high else ""), "middle")
    picture.text((left + WIDTH) / 2, bottom + 36, "steps per second, MuJoCo 3.5.0 = 1; a dot is a model, a bar the geometric mean of its class", "middle")
    for place, (kind, ratios) in enumerate(sorted(classes.items(), key=lambda item: -mean(item[1].values()))):
        middle, colour = top + row * (place + 0.5), COLOURS[place % len(COLOURS)]
        average = mean(ratios.values())
        picture.text(left - 12, middle - 2, kind, "end", 13)
        picture.text(left - 12, middle + 13, f"{len(ratios)} models, {average:.2f}", "end", 10)
        for number, (name, ratio) in enumerate(sorted(ratios.items())):
            # Spread across the row in a fixed order, so that dots do not hide each other.
            picture.dot(x(ratio), middle + (number * 7 % 11 - 5) * 2.6, 3.2, colour, f"{name}: {ratio:.2f}")
        picture.line(x(average), middle - 18, x(average), middle + 18, colour, 3)
    picture.write("speed.svg")


def growth(scenes):
    """A line for each family of scenes: the ratio against the number of bodies."""
    families = collections.defaultdict(list)
    for name, result in scenes.items():
        kind, number = re.sub(r"\d+", "#", name), re.search(r"\d+", name)
        if number and kind in FAMILIES:
            families[kind].append((int(number[0]), result["ratio"]))
    top, left, bottom = 20, 60, 300
    picture = Picture(bottom + 44, "Steps per second of Condyle divided by MuJoCo's, by size of the scene")
    x, y = Scale(1, 3000, left, WIDTH - 170), Scale(0.9, 2.2, bottom, top)
    for value in (1, 1.25, 1.5, 1.75, 2):
        picture.line(left, y(value), WIDTH - 170, y(value), LINE if value == 1 else GRID, 2 if value == 1 else 1)
        picture.text(left - 8, y(value) + 4, f"{value:g}", "end")
    for value in (1, 3, 10, 30, 100, 300, 1000, 3000):
        picture.line(x(value), top, x(value), bottom)
        picture.text(x(value), bottom + 16, f"{value:,}", "middle")
    picture.text((left + WIDTH - 170) / 2, bottom + 36, "number of bodies, figures or links; steps per second, MuJoCo 3.5.0 = 1", "middle")
    for place, (kind, points) in enumerate(families.items()):
        colour, points = COLOURS[place % len(COLOURS)], sorted(points)
        picture.path([(x(count), y(ratio)) for count, ratio in points], colour)
        for count, ratio in points:
            picture.dot(x(count), y(ratio), 4, colour, f"{FAMILIES[kind]}, {count}: {ratio:.2f}")
        picture.line(WIDTH - 155, top + 14 + 22 * place, WIDTH - 135, top + 14 + 22 * place, colour, 3)
        picture.text(WIDTH - 128, top + 18 + 22 * place, FAMILIES[kind])
    picture.write("growth.svg")


if __name__ == "__main__":
    reports = ROOT / "conformance"
    speed(json.loads((reports / "bench.json").read_text())["models"])
    growth(json.loads((reports / "growth.json").read_text()))
