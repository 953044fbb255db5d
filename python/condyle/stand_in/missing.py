"""Names of MuJoCo's Python module that Condyle does not have: they can be imported and subclassed, and raise an error that names them when used."""

from typing import Any

_FUNCTIONS = """
mjv_addGeoms mjv_alignToCamera mjv_applyPerturbForce mjv_applyPerturbPose mjv_averageCamera mjv_cameraFrame mjv_cameraFrustum
mjv_cameraInModel mjv_cameraInRoom mjv_connector mjv_defaultCamera mjv_defaultFigure mjv_defaultFreeCamera mjv_defaultOption
mjv_defaultPerturb mjv_frustumHeight mjv_initGeom mjv_initPerturb mjv_makeLights mjv_model2room mjv_moveCamera mjv_moveModel
mjv_movePerturb mjv_room2model mjv_select mjv_updateCamera mjv_updateScene mjv_updateSkin
mjr_addAux mjr_blitAux mjr_blitBuffer mjr_changeFont mjr_drawPixels mjr_figure mjr_findRect mjr_finish mjr_getError mjr_label
mjr_maxViewport mjr_overlay mjr_readPixels mjr_rectangle mjr_render mjr_resizeOffscreen mjr_restoreBuffer mjr_setAux mjr_setBuffer
mjr_text mjr_uploadHField mjr_uploadMesh mjr_uploadTexture
from_zip to_zip
""".split()

_CLASSES = """
MjSpec MjStruct MjByteVec MjCharVec MjDoubleVec MjFloatVec MjIntVec MjStringVec
MjsActuator MjsBody MjsCamera MjsCompiler MjsDefault MjsElement MjsEquality MjsExclude MjsFlex MjsFrame MjsGeom MjsHField MjsJoint
MjsKey MjsLight MjsMaterial MjsMesh MjsNumeric MjsOrientation MjsPair MjsPlugin MjsSensor MjsSite MjsSkin MjsTendon MjsTendonPath
MjsText MjsTexture MjsTuple MjsWrap MjrContext MjrRect MjvCamera MjvFigure MjvGLCamera MjvGeom MjvLight MjvOption MjvPerturb MjvScene
Renderer Simulate
""".split()

NAMES = _FUNCTIONS + _CLASSES


def placeholder(name: str) -> Any:
    """What stands under `name`."""
    message = f"Condyle does not have mujoco.{name}"
    if name in _FUNCTIONS:

        def function(*arguments: Any, **keywords: Any) -> Any:
            raise NotImplementedError(message)

        function.__name__ = function.__qualname__ = name
        function.__doc__ = f"{message}: calling it is a NotImplementedError."
        return function

    def refuse(self: Any, *arguments: Any, **keywords: Any) -> None:
        raise NotImplementedError(message)

    return type(name, (), {"__init__": refuse, "__doc__": f"{message}: making one is a NotImplementedError.", "__module__": "mujoco"})
