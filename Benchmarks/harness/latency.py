"""Measures how long after a hotword's end it is reported, by libhotword, in audio that arrives 10 ms at a time."""

import ctypes
import statistics
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from . import audio, speech
from .fault import UNAVAILABLE, Fault

PIECE = audio.RATE // 100
LEAD = 4 * audio.RATE
"""Faint noise before a recording, in samples: a listener has been on for some time."""
TAIL = 2 * audio.RATE


@dataclass(frozen=True)
class Latencies:
    """Seconds from the end of the word to its report, for each recording in which it was reported."""

    seconds: list[float]
    recordings: int

    def median(self) -> float:
        return statistics.median(self.seconds)

    def percentile_95(self) -> float:
        return statistics.quantiles(self.seconds, n=20)[-1]


def measure(library: Path, model: str, recordings: Path) -> Latencies:
    """Measures all recordings in a folder that contain one word each; raises `Fault` if the word is never reported."""
    hotword = _library(library)
    names = (ctypes.c_char_p * 1)(model.encode())
    detector = hotword.hotword_create(names, None, 1)
    if not detector:
        raise Fault(UNAVAILABLE, hotword.hotword_last_error().decode())
    chooser = np.random.default_rng(1)
    found = []
    count = 0
    for path in audio.files(recordings):
        samples = audio.read(path)
        bounds = speech.word(samples)
        if not bounds:
            continue
        count += 1
        hotword.hotword_reset(detector)
        end = LEAD / audio.RATE + bounds[1]
        quiet = chooser.normal(0, 1e-4, LEAD + len(samples) + TAIL)
        quiet[LEAD : LEAD + len(samples)] += samples
        stream = (np.clip(quiet, -1, 1) * 32767).astype(np.int16)
        for start in range(0, len(stream) - PIECE, PIECE):
            piece = stream[start : start + PIECE]
            if hotword.hotword_run(detector, piece.ctypes.data, PIECE) > 0:
                found.append((start + PIECE) / audio.RATE - end)
                break
    hotword.hotword_destroy(detector)
    if len(found) < 2:
        raise Fault(UNAVAILABLE, f"{model} is not reported in {recordings}")
    return Latencies(found, count)


def _library(path: Path) -> ctypes.CDLL:
    try:
        library = ctypes.CDLL(str(path))
    except OSError:
        raise Fault(UNAVAILABLE, f"{path} is missing; run 'make'") from None
    pointer = ctypes.c_void_p
    library.hotword_create.restype = pointer
    library.hotword_last_error.restype = ctypes.c_char_p
    library.hotword_run.argtypes = [pointer, pointer, ctypes.c_int]
    for name in ("hotword_reset", "hotword_destroy"):
        getattr(library, name).argtypes = [pointer]
    return library
