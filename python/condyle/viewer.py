"""A simulation in the browser, with the functions and the handle of ``mujoco.viewer``.

``launch`` runs the simulation until the page is closed, ``launch_passive`` shows one that the program steps, ``show`` displays it in a
notebook cell. There is no window and no OpenGL: a local server serves the page. Any number of viewers may run at once, from any
thread, alongside offscreen rendering.

The page is reachable from this machine only; its address contains a random token. With ``CONDYLE_VIEWER_OPEN=0`` the address is
printed instead of opened in the browser.
"""

import base64
import json
import os
import sys
import threading
import time
import webbrowser
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple, Union

import numpy as np

from condyle import _condyle
from condyle._condyle import MjData, MjModel, MjvCamera, MjvFigure, MjvOption, MjvPerturb, MjvScene

__all__ = ["Handle", "launch", "launch_from_path", "launch_passive", "show"]

KeyCallbackType = Callable[[int], None]
_Text = Tuple[Optional[int], Optional[int], Optional[str], Optional[str]]
_Loader = Callable[[], Union[Tuple[MjModel, MjData], Tuple[MjModel, MjData, str]]]

#: Seconds without a page after which a viewer that had one counts as closed.
_PATIENCE = 3.0
#: Room for elements a program adds to the scene.
_USER_ROOM = 10_000


def _open(url: str) -> None:
    """Open the page, or print where it is."""
    if os.environ.get("CONDYLE_VIEWER_OPEN", "1") != "0":
        try:
            if webbrowser.open(url):
                return
        except webbrowser.Error:
            pass
    print(f"Condyle viewer: {url}", file=sys.stderr, flush=True)


class _Watch:
    """Notices that the last page was closed."""

    def __init__(self) -> None:
        self._seen = 0.0

    def is_closed(self, pages: int) -> bool:
        now = time.monotonic()
        if pages > 0:
            self._seen = now
        return self._seen > 0.0 and now - self._seen > _PATIENCE


class _Lock:
    """Keeps several threads of a program from using a viewer at once; may be taken again by who has it."""

    def __init__(self, lock: Any) -> None:
        self._lock = lock

    def __enter__(self) -> None:
        self._lock.acquire()

    def __exit__(self, *_: Any) -> None:
        self._lock.release()


class Handle:
    """A viewer of a simulation that the program steps."""

    def __init__(self, model: MjModel, data: MjData, key_callback: Optional[KeyCallbackType], host: str, port: int) -> None:
        self._model: Optional[MjModel] = model
        self._data: Optional[MjData] = data
        self._key_callback = key_callback
        self._session = _condyle._ViewerSession(model, data, "passive", True, host, port)
        self._lock = threading.RLock()
        self._watch = _Watch()
        self._cam = MjvCamera()
        _condyle.mjv_defaultFreeCamera(model, self._cam)
        self._opt = MjvOption()
        self._perturb = MjvPerturb()
        self._user_scn = MjvScene(model, _USER_ROOM)
        self._running = True

    @property
    def url(self) -> Optional[str]:
        """Address of the page; None once closed."""
        return self._session.url

    @property
    def cam(self) -> MjvCamera:
        """The camera; changes go to all pages at the next ``sync``, and the mouse of the first page moves it."""
        return self._cam

    @property
    def opt(self) -> MjvOption:
        """What is shown."""
        return self._opt

    @property
    def perturb(self) -> MjvPerturb:
        """What is selected and pulled."""
        return self._perturb

    @property
    def pert(self) -> MjvPerturb:
        """What is selected and pulled."""
        return self._perturb

    @property
    def user_scn(self) -> MjvScene:
        """Elements to show in addition to the model's: set ``ngeom`` and fill ``geoms``."""
        return self._user_scn

    @property
    def m(self) -> Optional[MjModel]:
        """The model."""
        return self._model

    @property
    def d(self) -> Optional[MjData]:
        """The data."""
        return self._data

    @property
    def viewport(self) -> Any:
        """Size of the picture; pages have their own."""
        return _condyle.MjrRect(0, 0, 1280, 720)

    def is_running(self) -> bool:
        """Whether the viewer is still open: neither ``close`` was called nor its last page closed."""
        if self._running and self._watch.is_closed(self._session.pages):
            self.close()
        return self._running

    def lock(self) -> _Lock:
        """A lock for ``with`` statements: while it is held, the viewer changes nothing."""
        return _Lock(self._lock)

    def sync(self, state_only: bool = False) -> None:
        """Show the current state of the simulation and apply the changes made in pages."""
        with self._lock:
            if not self._running or self._model is None or self._data is None:
                return
            keys = self._session.sync(self._model, self._data, self._cam, self._opt, self._perturb, self._user_scn, state_only)
        if self._key_callback is not None:
            for key in keys:
                self._key_callback(key)

    def set_texts(self, texts: Union[_Text, Sequence[_Text]]) -> None:
        """Show texts over the picture, each given as (font, place, left column, right column)."""
        items: List[Any] = [texts] if isinstance(texts, tuple) else list(texts)
        boxes = [{"place": int(place or 0), "left": left or "", "right": right or ""} for _, place, left, right in items]
        self._session.tell("texts", json.dumps(boxes))

    def clear_texts(self) -> None:
        """Remove the texts."""
        self._session.tell("texts", "")

    def set_figures(self, viewports_figures: Any) -> None:
        """Show figures as plots: pairs of a place (a rectangle in a window of 1280 by 720, or None) and an ``MjvFigure``."""
        pairs = [viewports_figures] if isinstance(viewports_figures, tuple) else list(viewports_figures)
        self._session.tell("figures", json.dumps([_figure(place, figure) for place, figure in pairs]))

    def clear_figures(self) -> None:
        """Remove the figures."""
        self._session.tell("figures", "")

    def set_images(self, viewports_images: Any) -> None:
        """Show images: pairs of a place (a rectangle in a window of 1280 by 720, or None) and an array (height, width, 3) of bytes."""
        pairs = [viewports_images] if isinstance(viewports_images, tuple) else list(viewports_images)
        self._session.tell("images", json.dumps([_image(place, image) for place, image in pairs]))

    def clear_images(self) -> None:
        """Remove the images."""
        self._session.tell("images", "")

    def update_hfield(self, hfieldid: int) -> None:
        """Show the changes made to a height field."""
        self._show_again()

    def update_mesh(self, meshid: int) -> None:
        """Show the changes made to a mesh."""
        self._show_again()

    def update_texture(self, texid: int) -> None:
        """Show the changes made to a texture."""
        self._show_again()

    def _show_again(self) -> None:
        with self._lock:
            if self._running and self._model is not None and self._data is not None:
                self._session.show(self._model, self._data)

    def close(self) -> None:
        """Close the viewer."""
        with self._lock:
            self._running = False
            self._session.close()
            self._model = self._data = None

    def _repr_html_(self) -> str:
        return _frame(self.url)

    def __enter__(self) -> "Handle":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()


def _place(place: Any) -> Optional[List[int]]:
    return None if place is None else [place.left, place.bottom, place.width, place.height]


def _figure(place: Any, figure: MjvFigure) -> Dict[str, Any]:
    """What the page draws of a figure."""
    lines = []
    for number, count in enumerate(figure.linepnt):
        if count > 0:
            points = np.asarray(figure.linedata[number][: 2 * count], dtype=np.float64)
            name = bytes(figure.linename[number]).split(b"\0")[0].decode("utf-8", "replace")
            lines.append({"name": name, "rgb": _numbers(figure.linergb[number]), "points": np.nan_to_num(points).tolist()})
    return {
        "place": _place(place),
        "title": str(figure.title),
        "label": str(figure.xlabel),
        "range": [_numbers(axis) for axis in figure.range],
        "grid": [int(count) for count in figure.gridsize],
        "extend": bool(figure.flg_extend),
        "bars": bool(figure.flg_barplot),
        "legend": bool(figure.flg_legend),
        "back": _numbers(figure.figurergba),
        "pane": _numbers(figure.panergba),
        "ink": _numbers(figure.textrgb),
        "gridInk": _numbers(figure.gridrgb),
        "lines": lines,
    }


def _numbers(values: Any) -> List[float]:
    return [float(value) for value in np.nan_to_num(np.asarray(values, dtype=np.float64))]


def _image(place: Any, image: Any) -> Dict[str, Any]:
    """An image as the page takes it."""
    texels = np.ascontiguousarray(image)
    if texels.ndim != 3 or texels.shape[2] != 3 or texels.dtype != np.uint8:
        raise ValueError(f"an image must be an array (height, width, 3) of bytes, got {texels.shape} of {texels.dtype}")
    if place is not None and texels.shape[:2] != (place.height, place.width):
        raise ValueError(f"Image shape {texels.shape[:2]} does not match target shape {(place.height, place.width)}")
    rgb = base64.b64encode(texels.tobytes()).decode("ascii")
    return {"place": _place(place), "width": texels.shape[1], "height": texels.shape[0], "rgb": rgb}


def _frame(url: Optional[str], height: int = 560) -> str:
    if url is None:
        return "<p>This viewer is closed.</p>"
    return f'<iframe src="{url}" width="100%" height="{height}" style="border: 0; border-radius: 8px" allow="fullscreen"></iframe>'


def launch_passive(
    model: MjModel,
    data: MjData,
    *,
    key_callback: Optional[KeyCallbackType] = None,
    show_left_ui: bool = True,
    show_right_ui: bool = True,
    host: str = "127.0.0.1",
    port: int = 0,
) -> Handle:
    """Show a simulation that the program steps: call ``sync`` on the handle after each step.

    A ``host`` other than this machine's own address lets others watch and control the simulation, without encryption.
    """
    if not isinstance(model, MjModel) or not isinstance(data, MjData):
        raise ValueError("launch_passive needs a model and its data")
    handle = Handle(model, data, key_callback, host, port)
    _open(handle.url or "")
    return handle


def launch(
    model: Optional[MjModel] = None,
    data: Optional[MjData] = None,
    *,
    loader: Optional[_Loader] = None,
    show_left_ui: bool = True,
    show_right_ui: bool = True,
    host: str = "127.0.0.1",
    port: int = 0,
) -> None:
    """Run a simulation in the browser until the page is closed; ``data`` then has the state in which the simulation ended."""
    if loader is not None and (model is not None or data is not None):
        raise ValueError("launch takes a loader, or a model and data, not both")
    name = "model"
    if loader is not None:
        model, data, *rest = loader()
        name = rest[0] if rest else name
    if model is None:
        raise ValueError("launch needs a model, or a loader that gives one")
    if data is None:
        data = MjData(model)
        _condyle.mj_forward(model, data)
    session = _condyle._ViewerSession(model, data, name, False, host, port)
    _open(session.url or "")
    watch = _Watch()
    try:
        while not watch.is_closed(session.pages):
            time.sleep(0.1)
            if session.take_reload() and loader is not None:
                model, data = loader()[:2]
                session.show(model, data)
    except KeyboardInterrupt:
        pass
    finally:
        session.fetch(data)
        session.close()


def launch_from_path(path: str) -> None:
    """Run a model file in the browser; a button on the page reloads it."""

    def load() -> Tuple[MjModel, MjData, str]:
        binary = str(path).lower().endswith(".mjb")
        model = MjModel.from_binary_path(str(path)) if binary else MjModel.from_xml_path(str(path))
        data = MjData(model)
        _condyle.mj_forward(model, data)
        return model, data, str(path)

    launch(loader=load)


def show(model: MjModel, data: Optional[MjData] = None, *, height: int = 560) -> Any:
    """Show a simulation in a notebook cell; it runs in the background from the state of ``data`` until the result's ``close()`` is called."""
    if data is None:
        data = MjData(model)
    if not data.time:
        _condyle.mj_forward(model, data)
    return _Cell(_condyle._ViewerSession(model, data, "notebook", False, "127.0.0.1", 0), height)


class _Cell:
    """What ``show`` gives to a notebook."""

    def __init__(self, session: Any, height: int) -> None:
        self._session = session
        self._height = height

    @property
    def url(self) -> Optional[str]:
        """Address of the page; None once closed."""
        return self._session.url

    def close(self) -> None:
        """End the simulation."""
        self._session.close()

    def _repr_html_(self) -> str:
        return _frame(self.url, self._height)


if __name__ == "__main__":
    _arguments = [argument[len("--mjcf=") :] if argument.startswith("--mjcf=") else argument for argument in sys.argv[1:]]
    if len(_arguments) != 1:
        sys.exit("usage: python -m condyle.viewer MODEL")
    launch_from_path(_arguments[0])
