"""Pickles of simulations without their model: states, and a number that names the model.

    from condyle import pickling

    sent = pickling.dumps([data, batch])             # here: some kilobytes, whatever meshes the model has

    pickling.keep(model)                             # there: once, where the model is
    data, batch = pickling.loads(sent)

An ordinary `pickle.dumps(data)` holds the model too, so that it can be read anywhere; several simulations of one model in one
pickle hold it once. Where many are sent to places that have the model, `dumps` here leaves it out. What it writes names a model by its fingerprint,
which depends on every size, option and number of the model except pixels of textures, and `loads` finds it among the models that were
kept or are given. A model that nobody kept is an `UnknownModelError`, whose `fingerprint` says which one to send.
"""

import io
import pickle

from condyle._condyle import MjModel

__all__ = ["UnknownModelError", "dumps", "fingerprint", "forget", "keep", "loads"]

_TAG = "condyle.MjModel"
_kept: "dict[int, MjModel]" = {}


class UnknownModelError(LookupError):
    """A pickle names a model that is not here."""

    def __init__(self, fingerprint):
        super().__init__(fingerprint)
        #: That of the model that is wanted.
        self.fingerprint = fingerprint

    def __str__(self):
        return (
            f"the pickle is of a model with fingerprint {self.fingerprint:016x}, which is not here: pass the model to loads, or to keep before; "
            "a model that was changed since has another fingerprint"
        )


def fingerprint(model):
    """The number that tells a model from others, as it is now; that of equal models is equal on every machine."""
    return model._fingerprint


def keep(*models):
    """Remember models, so that `loads` finds them."""
    for model in models:
        _kept[fingerprint(model)] = model


def forget(*models):
    """Remember models no longer; without arguments, none."""
    if not models:
        _kept.clear()
    for known in [known for known, model in _kept.items() if any(model is one for one in models)]:
        del _kept[known]


def dumps(value, protocol=None):
    """A pickle of anything, with models left out."""
    file = io.BytesIO()
    _Pickler(file, protocol).dump(value)
    return file.getvalue()


def loads(data, models=()):
    """What `dumps` wrote, with the models of this process: those given, or those kept."""
    return _Unpickler(io.BytesIO(data), {fingerprint(model): model for model in models}).load()


class _Pickler(pickle.Pickler):
    def __init__(self, file, protocol):
        super().__init__(file, protocol)
        self._known = {}

    def persistent_id(self, value):
        if not isinstance(value, MjModel):
            return None
        # However many simulations a model has, it is looked at once.
        if id(value) not in self._known:
            # With the model itself, so that no other takes its place in memory.
            self._known[id(value)] = (value, fingerprint(value))
        return (_TAG, self._known[id(value)][1])


class _Unpickler(pickle.Unpickler):
    def __init__(self, file, given):
        super().__init__(file)
        self._given = given
        self._found = {}

    def persistent_load(self, pid):
        tag, number = pid
        if tag != _TAG:
            raise pickle.UnpicklingError(f"unknown object {tag!r} in the pickle")
        if number not in self._found:
            model = self._given.get(number) or _kept.get(number)
            # A model may have been changed since it was kept.
            if model is None or fingerprint(model) != number:
                raise UnknownModelError(number)
            self._found[number] = model
        return self._found[number]
