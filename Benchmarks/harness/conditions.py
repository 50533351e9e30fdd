"""The conditions in which a stream is recorded: clean, in noise, by telephone, far away, with a child's voice."""

from dataclasses import dataclass
from typing import Callable

import numpy as np

from .audio import RATE
from .homes import Room, convolved, shaped

Change = Callable[[np.ndarray], np.ndarray]


@dataclass(frozen=True)
class Condition:
    """A condition by its name; either noise, or a change of every recording, or neither."""

    name: str
    snr: float | None = None
    """The noise, in dB below the speech."""
    change: Callable[[int], Change] | None = None
    """Returns the change of all recordings of a stream for a seed; it leaves the length as it is."""


CLEAN = Condition("clean")


def noise(snr: float) -> Condition:
    return Condition(f"{snr:g} dB noise", snr)


def telephone(_: int) -> Change:
    """The band of a telephone, 300 to 3,400 Hz, of fourth order."""

    def gain(frequencies: np.ndarray) -> np.ndarray:
        with np.errstate(divide="ignore"):
            return 1 / np.sqrt((1 + (300 / frequencies) ** 8) * (1 + (frequencies / 3400) ** 8))

    return lambda samples: shaped(samples, gain)


def far(seed: int) -> Change:
    """A microphone at 3 to 5 m in one of twelve simulated rooms, which reverberate for 0.4 to 0.8 s."""
    random = np.random.default_rng(seed)
    responses = []
    while len(responses) < 12:
        room = Room(random, (0.4, 0.8))
        person, microphone = room.place(random), room.place(random)
        if 3 <= np.linalg.norm(person - microphone) <= 5:
            response = room.response(person, microphone, seed)
            responses.append(response[np.argmax(np.abs(response)) :])

    def change(samples: np.ndarray) -> np.ndarray:
        return convolved(samples, responses[random.integers(len(responses))])[: len(samples)]

    return change


def child(_: int) -> Change:
    """Pitch and formants 1.3 times as high at the same pace, as those of a child of about seven beside a woman's."""
    ratio = 1.3
    return lambda samples: _read(_stretched(samples, ratio), ratio, len(samples))


CHANGES = {change.__name__: Condition(change.__name__, change=change) for change in (telephone, far, child)}


def _read(samples: np.ndarray, ratio: float, count: int) -> np.ndarray:
    """Returns samples read `ratio` times as fast; what would be above half the sample rate is removed first."""
    spectrum = np.fft.rfft(samples)
    spectrum[int(len(spectrum) / ratio) :] = 0
    whole = np.fft.irfft(spectrum, len(samples))
    return np.interp(np.arange(count) * ratio, np.arange(len(whole)), whole, right=0.0)


def _stretched(samples: np.ndarray, ratio: float) -> np.ndarray:
    """Returns samples `ratio` times as long at the same pitch.

    Frames are overlapped and added where they match best: Verhelst and Roelands, "An overlap-add technique based on waveform
    similarity (WSOLA) for high quality time-scale modification of speech", 1993.
    """
    frame, search = RATE // 40, RATE // 100
    hop = frame // 2
    padded = np.pad(samples, (search, 2 * frame + search))
    result = np.zeros(int(len(samples) * ratio) + 2 * frame)
    window = np.hanning(frame)
    follows = padded[:frame]
    for start in range(0, int(len(samples) * ratio), hop):
        place = int(start / ratio)
        around = padded[place : place + frame + 2 * search]
        if len(around) < frame + 2 * search:
            break
        best = int(np.argmax(np.correlate(around, follows, "valid")))
        chosen = place + best
        result[start : start + frame] += window * padded[chosen : chosen + frame]
        follows = padded[chosen + hop : chosen + hop + frame]
        if len(follows) < frame:
            break
    return result
