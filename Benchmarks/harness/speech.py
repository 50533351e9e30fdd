"""Finds speech in a recording and measures its level."""

import numpy as np

from .audio import RATE

FRAME = RATE // 100
"""The samples of a frame of 10 ms."""
LONGEST = 2.5
"""The maximum length of a word, in seconds."""
TAIL = 0.01
"""The share of a word's energy at its start and at its end that is not counted as part of it."""


def levels(samples: np.ndarray) -> np.ndarray:
    """Returns the level of each whole frame in dBFS."""
    count = len(samples) // FRAME
    power = np.square(samples[: count * FRAME].reshape(count, FRAME), dtype=np.float64).mean(axis=1)
    return 10 * np.log10(power + 1e-12)


def active_level(samples: np.ndarray) -> float:
    """Returns the mean level in dB of the frames within 25 dB of the loudest twentieth."""
    level = levels(samples)
    if not len(level):
        return -120.0
    active = level[level >= np.percentile(level, 95) - 25]
    return float(10 * np.log10(np.mean(10 ** (active / 10))))


def word(samples: np.ndarray) -> tuple[float, float] | None:
    """Returns start and end, in seconds, of the word in a recording of one word; None if no word is found or it is too long.

    Active frames exceed the clip's floor (its 10th percentile) by three tenths of the range up to the 95th, at least
    6 dB, after smoothing over 30 ms; pauses up to 0.35 s are included; the region with the most energy is the word, without
    its start and end of very low energy.
    """
    emphasized = np.append(samples[:1], samples[1:] - 0.9 * samples[:-1])
    level = levels(emphasized)
    if len(level) < 20:
        return None
    smooth = np.convolve(np.pad(level, 1, mode="edge"), np.ones(3) / 3, mode="valid")
    floor, top = np.percentile(smooth, 10), np.percentile(smooth, 95)
    if top < -76:
        return None
    if top - floor < 12:
        return _bounded(0, len(samples) / RATE)
    threshold = max(floor + max(6, 0.3 * (top - floor)), top - 35)
    power = np.maximum(10 ** (smooth / 10) - 10 ** (floor / 10), 0)
    regions: list[list[int]] = []
    for index in np.flatnonzero(smooth > threshold):
        if regions and index - regions[-1][1] <= 35:
            regions[-1][1] = index + 1
        else:
            regions.append([index, index + 1])
    words = [region for region in regions if region[1] - region[0] >= 12]
    if not words:
        return None
    start, end = max(words, key=lambda region: power[region[0] : region[1]].sum())
    share = np.cumsum(power[start:end])
    first, last = start + np.searchsorted(share, share[-1] * np.array([TAIL, 1 - TAIL]))
    return _bounded(first * FRAME / RATE, (last + 1) * FRAME / RATE)


def end_of_speech(samples: np.ndarray) -> float:
    """Returns the second of the last 20 ms within 35 dB of the loudest, and 10 dB above the quietest tenth."""
    frames = samples[: len(samples) // 320 * 320].reshape(-1, 320)
    levels = 10 * np.log10(np.mean(np.square(frames), axis=1) + 1e-12)
    limit = max(levels.max() - 35, np.sort(levels)[len(levels) // 10] + 10)
    return float((np.nonzero(levels >= limit)[0][-1] + 1) * 0.02)


def _bounded(start: float, end: float) -> tuple[float, float] | None:
    return (float(start), float(end)) if end - start <= LONGEST else None
