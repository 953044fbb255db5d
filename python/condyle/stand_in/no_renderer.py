"""``mujoco.renderer`` where nothing can draw."""

from condyle.stand_in.missing import placeholder

Renderer = placeholder("Renderer")
