"""A robot description for ROS becomes MJCF: one file in, another out."""

import pathlib

import condyle

# A base and an arm on a hinge with limits.
URDF = """<robot name="two_link">
  <link name="base"><inertial><mass value="1"/><inertia ixx=".01" iyy=".01" izz=".01" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="arm">
    <inertial><origin xyz="0 0 .2"/><mass value=".5"/><inertia ixx=".01" iyy=".01" izz=".001" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><origin xyz="0 0 .2"/><geometry><cylinder radius=".03" length=".4"/></geometry></collision>
  </link>
  <joint name="lift" type="revolute">
    <parent link="base"/><child link="arm"/><origin xyz="0 0 .1"/><axis xyz="0 1 0"/>
    <limit lower="-1" upper="1" effort="10" velocity="2"/>
  </joint>
</robot>"""

# A URDF is loaded like any other model; `to_xml` writes it as MJCF.
source, target = pathlib.Path("two_link.urdf"), pathlib.Path("two_link.xml")
source.write_text(URDF)
model = condyle.MjModel.from_xml_path(str(source))
target.write_text(model.to_xml())

# The file stands for itself: it can be edited, and anything that reads MJCF reads it.
again = condyle.MjModel.from_xml_path(str(target))
print(target.read_text())
assert again.jnt_range[0].tolist() == [-1, 1] and again.nv == model.nv
