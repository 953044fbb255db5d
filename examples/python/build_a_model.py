"""A chain built in code, without a file: `MjSpec`."""

import condyle

# A `MjSpec` is a model that can still be changed. Each link is a body inside the one before it.
spec = condyle.MjSpec()
spec.worldbody.add_geom(type=condyle.mjtGeom.mjGEOM_PLANE, size=[1, 1, 0.1])
parent, links = spec.worldbody, 8
for link in range(links):
    body = parent.add_body(name=f"link{link}", pos=[0, 0, 2] if link == 0 else [0.15, 0, 0])
    body.add_joint(name=f"hinge{link}", axis=[0, 1, 0], damping=0.01)
    body.add_geom(type=condyle.mjtGeom.mjGEOM_CAPSULE, fromto=[0, 0, 0, 0.15, 0, 0], size=[0.02, 0, 0])
    parent = body

# Compiling turns it into a model that can be simulated.
model = spec.compile()
data = condyle.MjData(model)
while data.time < 3:
    condyle.mj_step(model, data)

print(f"{model.nbody - 1} links; the last one hangs at {data.body(f'link{links - 1}').xpos[2]:.2f} m")
print(f"as MJCF the model has {len(spec.to_xml().splitlines())} lines")
assert model.nv == links
