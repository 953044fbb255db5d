"""Pictures of simulations, drawn without a graphics driver.

``Renderer`` works like MuJoCo's; ``render`` draws a single picture and ``render_batch`` draws many on several threads.
"""

import operator
import os
import weakref
from typing import Any, Dict, MutableMapping, Optional, Sequence, Tuple, Union, cast

import numpy as np

from condyle import _condyle
from condyle.enums import mjtObj
from condyle.enums_drawing import mjtCamera, mjtCatBit, mjtDepthMap, mjtFontScale, mjtFramebuffer, mjtRndFlag

CameraLike = Union[int, str, "_condyle.MjvCamera"]


def _camera(model: Any, camera: CameraLike) -> Any:
    """A camera by number, name (-1: the free camera) or as it is."""
    if isinstance(camera, _condyle.MjvCamera):
        return camera
    if not isinstance(camera, (str, int, float, np.number)):
        raise TypeError(f"a camera is a number, a name or an MjvCamera, not {type(camera).__name__}")
    number = camera
    if isinstance(number, str):
        number = _condyle.mj_name2id(model, mjtObj.mjOBJ_CAMERA.value, number)
        if number == -1:
            raise ValueError(f'The camera "{camera}" does not exist.')
    if number < -1 or number >= model.ncam:
        raise ValueError(f"The camera id {number} is out of range [-1, {model.ncam}).")
    found = _condyle.MjvCamera()
    found.fixedcamid = number
    if number == -1:
        found.type = mjtCamera.mjCAMERA_FREE
        _condyle.mjv_defaultFreeCamera(model, found)
    else:
        found.type = mjtCamera.mjCAMERA_FIXED
    return found


class Renderer:
    """Draws the scenes of a model."""

    def __init__(
        self,
        model: Any,
        height: int = 240,
        width: int = 320,
        max_geom: int = 10000,
        font_scale: Any = mjtFontScale.mjFONTSCALE_150,
    ) -> None:
        self._mjr_context: Optional[Any] = None
        buffer_width = model.vis.global_.offwidth
        buffer_height = model.vis.global_.offheight
        if width > buffer_width:
            raise ValueError(
                f"Image width {width} > framebuffer width {buffer_width}. Either reduce the image\n"
                "width or specify a larger offscreen framebuffer in the model XML using the\n"
                'clause:\n<visual>\n  <global offwidth="my_width"/>\n</visual>'
            )
        if height > buffer_height:
            raise ValueError(
                f"Image height {height} > framebuffer height {buffer_height}. Either reduce the\n"
                "image height or specify a larger offscreen framebuffer in the model XML using\n"
                'the clause:\n<visual>\n  <global offheight="my_height"/>\n</visual>'
            )
        self._width = width
        self._height = height
        self._model = model
        self._scene = _condyle.MjvScene(model=model, maxgeom=max_geom)
        self._scene_option = _condyle.MjvOption()
        self._rect = _condyle.MjrRect(0, 0, width, height)
        self._mjr_context = _condyle.MjrContext(model, int(font_scale))
        _condyle.mjr_setBuffer(mjtFramebuffer.mjFB_OFFSCREEN.value, self._mjr_context)
        self._mjr_context.readDepthMap = mjtDepthMap.mjDEPTH_ZEROFAR
        self._depth_rendering = False
        self._segmentation_rendering = False

    @property
    def model(self) -> Any:
        return self._model

    @property
    def scene(self) -> Any:
        return self._scene

    @property
    def height(self) -> int:
        return self._height

    @property
    def width(self) -> int:
        return self._width

    def enable_depth_rendering(self) -> None:
        self._segmentation_rendering = False
        self._depth_rendering = True

    def disable_depth_rendering(self) -> None:
        self._depth_rendering = False

    def enable_segmentation_rendering(self) -> None:
        self._segmentation_rendering = True
        self._depth_rendering = False

    def disable_segmentation_rendering(self) -> None:
        self._segmentation_rendering = False

    def render(self, *, out: Optional[np.ndarray] = None) -> np.ndarray:
        """The picture of the scene: colours (H, W, 3), depth in metres (H, W) or object number and type (H, W, 2)."""
        if self._mjr_context is None:
            raise RuntimeError("render cannot be called after close.")
        shape = (self._height, self._width) if self._depth_rendering else (self._height, self._width, 3)
        dtype = np.float32 if self._depth_rendering else np.uint8
        if out is not None and out.shape != shape:
            raise ValueError(
                f"Expected `out.shape == {shape}`. Got `out.shape={out.shape}`"
                " instead. When using depth rendering, the out array should be of"
                " shape `(width, height)` and otherwise (width, height, 3)."
                f" Got `(self.height, self.width)={(self.height, self.width)}` and"
                f" `self._depth_rendering={self._depth_rendering}`."
            )
        raw = np.empty(shape, dtype)
        flags = self._scene.flags.copy()
        if self._depth_rendering or self._segmentation_rendering:
            # One colour for each element; its depth is that of pixel centres.
            self._scene.flags[mjtRndFlag.mjRND_SEGMENT] = True
            self._scene.flags[mjtRndFlag.mjRND_IDCOLOR] = True
        try:
            _condyle.mjr_render(self._rect, self._scene, self._mjr_context)
        finally:
            np.copyto(self._scene.flags, flags)
        if self._depth_rendering:
            _condyle.mjr_readPixels(None, raw, self._rect, self._mjr_context)
            result = self._metric(raw)
        else:
            _condyle.mjr_readPixels(raw, None, self._rect, self._mjr_context)
            result = self._objects(raw) if self._segmentation_rendering else raw
        result = result[::-1]
        if out is None or self._segmentation_rendering:
            return np.ascontiguousarray(result)
        out[:] = result
        return out

    def _metric(self, depth: np.ndarray) -> np.ndarray:
        """Distances in metres from depths of the picture."""
        extent = self._model.stat.extent
        near = np.float32(self._model.vis.map.znear * extent)
        far = np.float32(self._model.vis.map.zfar * extent)
        c = np.float32(-0.5) * (-(far + near) / (far - near)) - np.float32(0.5)
        d = np.float32(-0.5) * (-(np.float32(2) * far * near) / (far - near))
        return (d / (depth.astype(np.float64) + c)).astype(np.float32)

    def _objects(self, colors: np.ndarray) -> np.ndarray:
        """Number and type of objects from their colours; -1 for none."""
        wide = colors.astype(np.uint32)
        numbers = wide[:, :, 0] + (wide[:, :, 1] << 8) + (wide[:, :, 2] << 16)
        count = self._scene.ngeom
        table = np.full((count + 1, 2), -1, dtype=np.int32)
        for geom in self._scene.geoms[:count]:
            if geom.segid != -1:
                table[geom.segid + 1] = geom.objid, geom.objtype
        return table[numbers]

    def update_scene(self, data: Any, camera: CameraLike = -1, scene_option: Optional[Any] = None) -> None:
        """Update the scene from the state of a simulation, seen by a camera."""
        _condyle.mjv_updateScene(
            self._model,
            data,
            scene_option or self._scene_option,
            None,
            _camera(self._model, camera),
            mjtCatBit.mjCAT_ALL.value,
            self._scene,
        )

    def close(self) -> None:
        """Release the memory."""
        if self._mjr_context:
            self._mjr_context.free()
        self._mjr_context = None

    def __enter__(self) -> "Renderer":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        self.close()


class Picture(np.ndarray):
    """An array of pixels that notebooks display as a picture."""

    def save(self, path: Any) -> None:
        """Write the picture to a PNG file."""
        content = self._repr_png_()
        if content is None:
            raise ValueError(f"only colours, (height, width, 3) of uint8, can be saved, not {self.shape} of {self.dtype}")
        with open(path, "wb") as file:
            file.write(content)

    def _repr_png_(self) -> Optional[bytes]:
        if self.dtype != np.uint8 or self.ndim != 3 or self.shape[2] != 3:
            return None
        return _png(np.ascontiguousarray(self))


def _png(rgb: np.ndarray) -> bytes:
    """A picture as the bytes of a PNG file."""
    import struct
    import zlib

    height, width, _ = rgb.shape

    def chunk(name: bytes, content: bytes) -> bytes:
        checksum = zlib.crc32(name + content)
        return struct.pack(">I", len(content)) + name + content + struct.pack(">I", checksum)

    rows = np.zeros((height, 1 + 3 * width), np.uint8)
    rows[:, 1:] = rgb.reshape(height, 3 * width)
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    content = zlib.compress(rows.tobytes(), 6)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", content) + chunk(b"IEND", b"")


def render(
    model: Any,
    data: Any,
    camera: CameraLike = -1,
    width: int = 640,
    height: int = 480,
    *,
    depth: bool = False,
    segmentation: bool = False,
    scene_option: Optional[Any] = None,
    flags: Optional[Dict[Any, bool]] = None,
) -> np.ndarray:
    """Draw one picture: colours (height, width, 3); with ``depth``, metres; with ``segmentation``, object number and type.

    ``flags`` switches rendering flags, for example ``{mjtRndFlag.mjRND_SHADOW: False}``.
    """
    if depth and segmentation:
        raise ValueError("a picture shows depth or segmentation, not both")
    _check_size(width, height)
    key = ("render", width, height)
    maker: Any
    defaults: Any
    maker, defaults = _take(model, key) or (None, None)
    if maker is None or not maker._mjr_context._is_of(model):
        maker = _maker(model, width, height)
        defaults = maker._scene.flags.copy()
    scene = maker._scene
    np.copyto(scene.flags, defaults)
    option = scene_option or _condyle.MjvOption()
    seen = _camera(model, camera)
    # Endless planes lie around where the camera was before: here it is already where it shall be.
    _condyle.mjv_updateCamera(model, data, seen, scene)
    _condyle.mjv_updateScene(model, data, option, None, seen, mjtCatBit.mjCAT_ALL.value, scene)
    for flag, value in (flags or {}).items():
        scene.flags[flag] = value
    maker._depth_rendering, maker._segmentation_rendering = depth, segmentation
    picture = maker.render().view(Picture)
    _keep(model, key, (maker, defaults))
    return picture


def _maker(model: Any, width: int, height: int) -> Any:
    """A renderer of pictures that may be larger than the model's offscreen buffer."""
    maker = Renderer.__new__(Renderer)
    maker._mjr_context = None
    maker._model, maker._scene = weakref.proxy(model), _condyle.MjvScene(model, 10000)
    maker._mjr_context = _condyle.MjrContext(model, 150)
    _condyle.mjr_resizeOffscreen(width, height, maker._mjr_context)
    maker._width, maker._height = width, height
    maker._rect = _condyle.MjrRect(0, 0, width, height)
    maker._mjr_context.readDepthMap = mjtDepthMap.mjDEPTH_ZEROFAR
    return maker


# Renderers that wait for the next picture of their model. One that is in use is not among them, so that no two threads share one; nor do
# processes, which do not inherit threads.
_idle: "MutableMapping[Any, Dict[Any, Any]]" = weakref.WeakKeyDictionary()
_MOST_IDLE = 2


def _take(model: Any, key: Tuple[Any, ...]) -> Any:
    """A renderer that waits, for the caller alone, or None."""
    return _idle.setdefault(model, {}).pop((os.getpid(),) + key, None)


def _keep(model: Any, key: Tuple[Any, ...], renderer: Any) -> None:
    """Let a renderer wait for the next picture of its model."""
    idle = _idle.setdefault(model, {})
    idle[(os.getpid(),) + key] = renderer
    for old in list(idle)[:-_MOST_IDLE]:
        idle.pop(old, None)


def render_batch(
    model: Any,
    states: Union[np.ndarray, Sequence[Any]],
    camera: Union[CameraLike, Sequence[CameraLike]] = -1,
    size: Tuple[int, int] = (84, 84),
    *,
    out: Optional[np.ndarray] = None,
    depth: Union[bool, np.ndarray] = False,
    segmentation: Union[bool, np.ndarray] = False,
    color: bool = True,
    flags: Optional[Dict[Any, bool]] = None,
    nthread: Optional[int] = None,
) -> Union[np.ndarray, Dict[str, np.ndarray]]:
    """Draw pictures of many states or simulations on several threads.

    ``states`` is an array of full physics states, one in a row, or a list of ``MjData``. ``size`` is (height, width). The pictures go to
    ``out`` (n, height, width, 3) if given. With ``depth`` or ``segmentation`` (``True`` or an array to write to) the result is a
    dictionary of arrays. Results do not depend on the number of threads.
    """
    height, width = size
    rows = None
    datas: Sequence[Any] = []
    if isinstance(states, np.ndarray):
        rows = np.ascontiguousarray(states, np.float64)
        rows = rows.reshape(1, -1) if rows.ndim == 1 else rows.reshape(-1, rows.shape[-1])
        need = _condyle.mj_stateSize(model, _FULL_PHYSICS)
        if rows.shape[1] != need:
            raise ValueError(f"a full physics state of this model has {need} numbers, got {rows.shape[1]}")
        count = rows.shape[0]
    else:
        datas = list(states)
        count = len(datas)
    arrays = _arrays(count, size, out, color, depth, segmentation)
    threads = min(max(1, operator.index(nthread) if nthread is not None else (os.cpu_count() or 1)), max(1, count))
    key = ("batch", width, height, threads)
    renderer = _take(model, key)
    if renderer is None or not renderer.is_up_to_date(model):
        renderer = _condyle._BatchRenderer(model, width, height, threads)
    renderer.render(model, rows, datas, _cameras(model, camera), _switches(model, flags), arrays)
    _keep(model, key, renderer)
    return _made(arrays)


_MOST_PIXELS = 16384


def _check_size(width: int, height: int) -> None:
    """An error unless a picture can have this size."""
    if not all(1 <= operator.index(side) <= _MOST_PIXELS for side in (width, height)):
        raise ValueError(
            f"a picture cannot have {width} by {height} pixels\n  help: pictures have 1 to {_MOST_PIXELS} pixels along each side"
        )


def _cameras(model: Any, camera: Union[CameraLike, Sequence[CameraLike]]) -> Sequence[Any]:
    if isinstance(camera, (list, tuple)):
        return [_camera(model, one) for one in camera]
    return [_camera(model, cast(CameraLike, camera))]


def _switches(model: Any, flags: Optional[Dict[Any, bool]]) -> Optional[bytes]:
    """All flags of a scene, some of them changed."""
    if flags is None:
        return None
    switches = _condyle.MjvScene(model, 0).flags.copy()
    for flag, value in flags.items():
        switches[flag] = value
    return bytes(switches)


def _arrays(
    count: int, size: Tuple[int, int], out: Any, color: bool, depth: Any, segmentation: Any
) -> Dict[str, Optional[np.ndarray]]:
    """The arrays that pictures are written to: those given, or new ones."""
    height, width = size
    _check_size(width, height)

    def array(given: Any, shape: Tuple[int, ...], dtype: Any) -> Optional[np.ndarray]:
        if given is None or given is False:
            return None
        if given is True:
            return np.empty((count, *size, *shape), dtype)
        if not isinstance(given, np.ndarray):
            raise TypeError(f"pictures are written to an array, not to {type(given).__name__}")
        if given.shape != (count, *size, *shape) or given.dtype != dtype:
            raise ValueError(f"expected an array of shape {(count, *size, *shape)} and type {np.dtype(dtype)}")
        return given

    return {
        "rgb": array(out if out is not None else color, (3,), np.uint8),
        "depth": array(depth, (), np.float32),
        "segmentation": array(segmentation, (2,), np.int32),
    }


def _made(arrays: Dict[str, Optional[np.ndarray]]) -> Union[np.ndarray, Dict[str, np.ndarray]]:
    """Pictures alone as they are, or all arrays by name."""
    made = {name: value for name, value in arrays.items() if value is not None}
    return made["rgb"] if list(made) == ["rgb"] else made


_FULL_PHYSICS = 8223
