"""Converts sounds to 16 kHz mono and writes them as FLAC."""

import io
import math
from pathlib import Path

import numpy as np
import soundfile
from scipy.signal import resample_poly

RATE = 16000
QUIETEST = 10 ** (-65 / 20)
"""The root mean square below which a recording is silent."""


def decode(data: bytes, room: bool) -> np.ndarray | None:
    """Returns the samples of a sound file, of a room only the first channel; None if the file is not readable."""
    try:
        samples, rate = soundfile.read(io.BytesIO(data), dtype="float64", always_2d=True)
    except soundfile.LibsndfileError:
        return None
    samples = samples[:, 0] if room else samples.mean(axis=1)
    if rate != RATE:
        common = math.gcd(rate, RATE)
        samples = resample_poly(samples, RATE // common, rate // common)
    return samples


def is_silent(samples: np.ndarray) -> bool:
    return bool(np.sqrt(np.mean(samples**2)) < QUIETEST)


def write(samples: np.ndarray, place: Path, room: bool = False) -> None:
    """Writes `samples` to `place`. Scales rooms to one peak and keeps 24 bits; scales other sounds only if they would clip."""
    peak = np.abs(samples).max()
    if room or peak > 0.999:
        samples = samples * (0.9 / peak)
    place.parent.mkdir(parents=True, exist_ok=True)
    soundfile.write(place, samples, RATE, format="FLAC", subtype="PCM_24" if room else "PCM_16")
