"""Detects hotwords (wake words) in audio: libhotword with NumPy arrays.

    with hotword.Detector(["computer", "alexa:0.7"]) as detector:
        for samples in microphone:  # 16 kHz mono, numpy.int16, any number at a time
            for hit in detector.process(samples):
                print(hit.name, hit.start, hit.end, hit.score)
"""

from __future__ import annotations

import ctypes
import os
from dataclasses import dataclass
from types import TracebackType
from typing import List, Optional, Sequence, Tuple, Type, Union

import numpy as np
import numpy.typing as npt

from ._library import HitStructure, HotwordError, library

__all__ = ["SAMPLE_RATE", "Detector", "Hit", "HotwordError", "version"]

SAMPLE_RATE = 16000

_ERROR = -1
_SILENCE = -2


@dataclass(frozen=True)
class Hit:
    """A detected hotword.

    name: of its model. start, end: seconds since the stream began. score: 0 to 1.
    """

    name: str
    start: float
    end: float
    score: float


class Detector:
    """A stream of audio and the models that listen to it. One thread at a time may use it.

    models: names or paths of models, each optionally with its own sensitivity, as in "computer:0.7".
    sensitivities: 0 to 1, for models without their own; default 0.5, the calibrated operating point.

    Raises HotwordError for models that cannot be read, and if libhotword is not installed.
    """

    def __init__(
        self,
        models: Sequence[Union[str, "os.PathLike[str]"]],
        sensitivities: Optional[Sequence[float]] = None,
    ) -> None:
        self._handle: Optional[int] = None
        if isinstance(models, (str, os.PathLike)):
            raise TypeError("models: a list of names, such as ['computer']")
        if sensitivities is not None and len(sensitivities) != len(models):
            raise HotwordError(f"sensitivities: {len(sensitivities)} for {len(models)} models")
        names = (ctypes.c_char_p * len(models))(*[os.fsencode(model) for model in models])
        values = None if sensitivities is None else (ctypes.c_double * len(models))(*sensitivities)
        self._handle = library().hotword_create(names, values, len(models))
        if not self._handle:
            raise _last_error()
        numbers = range(1, library().hotword_count(self._handle) + 1)
        self._names = tuple(library().hotword_name(self._handle, number).decode() for number in numbers)
        self._phrases = tuple(library().hotword_phrase(self._handle, number).decode() for number in numbers)
        self._has_speech = False

    @property
    def names(self) -> Tuple[str, ...]:
        """The names of the models, in their order."""
        return self._names

    @property
    def phrases(self) -> Tuple[str, ...]:
        """The phrases of the models, in their order."""
        return self._phrases

    @property
    def has_speech(self) -> bool:
        """Whether there was voice in the last samples, or up to 0.3 s before them."""
        return self._has_speech

    def process(self, samples: npt.NDArray[np.int16]) -> List[Hit]:
        """Takes the next samples, 16 kHz mono in one dimension, any number of them, and returns the hotwords that they complete.

        Raises TypeError for arrays of another type or shape.
        """
        if not isinstance(samples, np.ndarray) or samples.dtype != np.int16 or samples.ndim != 1:
            raise TypeError("samples: one-dimensional NumPy array of int16; for floats: (x * 32767).astype(numpy.int16)")
        samples = np.ascontiguousarray(samples)
        pointer = samples.ctypes.data_as(ctypes.POINTER(ctypes.c_int16))
        return self._hits(library().hotword_run(self._open(), pointer, len(samples)))

    def finish(self) -> List[Hit]:
        """Ends the stream and returns the hotwords at its very end; call reset before the next stream."""
        return self._hits(library().hotword_finish(self._open()))

    def reset(self) -> None:
        """Begins a new stream."""
        _check(library().hotword_reset(self._open()))

    def scores(self) -> npt.NDArray[np.float64]:
        """The highest score of each model in the last samples, 0 to 1; a hotword is a rise to about 0.5."""
        handle = self._open()
        return np.array([library().hotword_score(handle, number + 1) for number in range(len(self._names))])

    def set_sensitivity(self, sensitivity: float, name: Optional[str] = None) -> None:
        """Sets the sensitivity, 0 to 1, of the model `name`, or of all."""
        if name is not None and name not in self._names:
            raise HotwordError(f"name: '{name}' is none of {', '.join(self._names)}")
        number = 0 if name is None else self._names.index(name) + 1
        _check(library().hotword_set_sensitivity(self._open(), number, sensitivity))

    def set_gain(self, gain: float) -> None:
        """Sets the factor by which samples are multiplied, 0.01 to 100."""
        _check(library().hotword_set_audio_gain(self._open(), gain))

    def close(self) -> None:
        """Frees the detector; a second call does nothing."""
        handle, self._handle = self._handle, None
        if handle:
            library().hotword_destroy(handle)

    def __enter__(self) -> Detector:
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        self.close()

    def __del__(self) -> None:
        self.close()

    def _open(self) -> int:
        if not self._handle:
            raise HotwordError("the detector is closed")
        return self._handle

    def _hits(self, result: int) -> List[Hit]:
        if result == _ERROR:
            raise _last_error()
        self._has_speech = result != _SILENCE
        hits = []
        hit = HitStructure()
        while library().hotword_next_hit(self._open(), ctypes.byref(hit)) == 1:
            hits.append(Hit(self._names[hit.hotword - 1], hit.start, hit.end, hit.score))
        return hits


def version() -> str:
    """The version of libhotword."""
    return str(library().hotword_version().decode())


def _check(result: int) -> None:
    if result == _ERROR:
        raise _last_error()


def _last_error() -> HotwordError:
    return HotwordError(library().hotword_last_error().decode())
