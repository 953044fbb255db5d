"""A robot in a picture, without a graphics driver: colours, and which object each pixel shows."""

import pathlib
import sys
import tempfile

import condyle

root = pathlib.Path(__file__).resolve().parents[2]
model = condyle.MjModel.from_xml_path(str(root / "models/bench/figure.xml"))
data = condyle.MjData(model)
condyle.mj_step(model, data, 100)

picture = condyle.render(model, data, width=320, height=240)
print(f"a picture of {picture.shape[1]} by {picture.shape[0]} pixels, {len(set(map(tuple, picture.reshape(-1, 3))))} colours")

folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(tempfile.mkdtemp())
path = folder / "figure.png"
picture.save(path)
print(f"written to {path.name}")

numbers = condyle.render(model, data, width=320, height=240, segmentation=True)[:, :, 0]
chest = model.geom("chest").id
print(f"the geom in the middle is {model.geom(numbers[120, 160]).name}; the chest covers {(numbers == chest).sum()} pixels")
assert picture.std() > 5
