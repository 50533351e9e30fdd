"""Runs what `hotword models export` writes, with NumPy and onnxruntime alone: libhotword is not needed.

    model = hotword.onnx.Model("computer.onnx")
    for detection in model.detect(samples):  # a whole clip: 16 kHz mono, numpy.int16
        print(detection.end, detection.score)

The front end is the high-pass filter of the shipped models and the gain for quiet voices, in Python. Models that were trained with noise suppression are refused. Sources/Detection/ONNXExport/README.md defines the features.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from typing import Any, Dict, List, Union

import numpy as np
import numpy.typing as npt

FRAME = 160
_RATE = 16000


@dataclass(frozen=True)
class Detection:
    """end: of the step in which the score rose to the threshold, in seconds since the beginning. score: 0 to 1."""

    end: float
    score: float


class HighPassFilter:
    """The high-pass filter of WebRTC's audio processing at 16 kHz: a biquad. Keeps its state from call to call."""

    def __init__(self) -> None:
        self._x1 = self._x2 = self._y1 = self._y2 = 0.0

    def process(self, samples: npt.NDArray[np.int16]) -> npt.NDArray[np.int16]:
        """Returns as many samples as it is given."""
        x1, x2, y1, y2 = self._x1, self._x2, self._y1, self._y2
        output = []
        for x in samples.tolist():
            y = 0.97261 * x - 1.94523 * x1 + 0.97261 * x2 + 1.94448 * y1 - 0.94598 * y2
            x2, x1, y2, y1 = x1, x, y1, y
            output.append(y)
        self._x1, self._x2, self._y1, self._y2 = x1, x2, y1, y2
        return np.clip(np.rint(output), -32768, 32767).astype(np.int16)


class QuietVoiceGain:
    """Amplifies a stream in which nothing is louder than a quiet voice, by at most 24 dB. Keeps its state from call to call."""

    def __init__(self) -> None:
        self._level = 0.0
        self._loudest = 1.0
        self._powers: List[float] = []
        # The quietest tenth of a second of each second that is not digital silence.
        self._seconds = [np.inf]

    def process(self, samples: npt.NDArray[np.int16]) -> npt.NDArray[np.int16]:
        """Returns as many samples as it is given; those after the last whole frame of 10 ms stay as they are."""
        output = samples.copy()
        for start in range(0, len(samples) // FRAME * FRAME, FRAME):
            frame = samples[start : start + FRAME].astype(np.float64)
            power = float(frame @ frame)
            self._level += (power - self._level) / 3
            self._loudest = max(self._loudest * 0.99885, 1, self._level, power)
            full = FRAME * 32768.0**2
            ratio = min(1e-4 * full / self._loudest, 251, 3.98e-7 * full / self._noise(power))
            if ratio > 1:
                output[start : start + FRAME] = np.clip(np.rint(frame * np.sqrt(ratio)), -32768, 32767)
        return output

    def _noise(self, power: float) -> float:
        self._powers.append(power)
        if len(self._powers) % 10 == 0:
            tenth = sum(self._powers[-10:]) / 10
            if tenth > FRAME / 2:
                self._seconds[-1] = min(self._seconds[-1], tenth)
        quietest = min(self._seconds)
        if len(self._powers) == 100:
            self._powers = []
            self._seconds = self._seconds[-8:] + [np.inf]
        return quietest


class Features:
    """Makes the vectors that the networks take, one every 10 ms. Keeps its state from call to call.

    settings: `Model.features`, from the file's metadata.
    """

    def __init__(self, settings: Dict[str, float]) -> None:
        self._window = int(settings["window"])
        self._fft = int(settings["fft"])
        bands = int(settings["melBands"])
        hann = 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(self._window) / self._window)
        self._taper = hann / np.sqrt(np.sum(hann**2))
        mels = np.linspace(_mel(settings["lowFrequency"]), _mel(settings["highFrequency"]), bands + 2)
        edges = 700 * (10 ** (mels / 2595) - 1)
        bins = np.arange(self._fft // 2 + 1) * _RATE / self._fft
        up = (bins - edges[:-2, None]) / (edges[1:-1] - edges[:-2])[:, None]
        down = (edges[2:, None] - bins) / (edges[2:] - edges[1:-1])[:, None]
        weights = np.maximum(0, np.minimum(up, down))
        for band in np.flatnonzero(weights.sum(axis=1) == 0):
            weights[band, round(edges[band + 1] * self._fft / _RATE)] = 1
        self._mel = weights / weights.sum(axis=1, keepdims=True)
        floor = settings["floor"] + settings["floorSlope"] * np.log2(edges[1:-1] / 1000)
        self._floor = 10 ** (floor / 10)
        self._mean = np.log(10) / 10 * (floor + settings["priorLevel"])
        self._prior = settings["priorFrames"]
        self._least = 1 - settings["meanDecay"]
        order = np.arange(int(settings["coefficients"]))[:, None]
        self._dct = np.sqrt(2 / bands) * np.cos(np.pi * order * (2 * np.arange(bands) + 1) / (2 * bands))
        self._dct[0] /= np.sqrt(2)
        self._width = len(self._dct)
        self._history = np.zeros(self._window)
        self._rest = np.zeros(0, np.int16)
        self._seen = 0

    def process(self, samples: npt.NDArray[np.int16]) -> npt.NDArray[np.float32]:
        """Returns the vectors that the samples complete: n × coefficients."""
        samples = np.concatenate([self._rest, samples])
        whole = len(samples) // FRAME * FRAME
        self._rest = samples[whole:]
        vectors = []
        for start in range(0, whole, FRAME):
            self._history = np.concatenate([self._history[FRAME:], samples[start : start + FRAME] / 32768])
            self._seen += FRAME
            if self._seen >= self._window:
                vectors.append(self._vector())
        return np.array(vectors, np.float32).reshape(len(vectors), self._width)

    def _logarithms(self) -> npt.NDArray[np.float64]:
        power = np.abs(np.fft.rfft(self._history * self._taper, self._fft)) ** 2
        result: npt.NDArray[np.float64] = np.log(self._mel @ power + self._floor)
        return result

    def _vector(self) -> npt.NDArray[np.float64]:
        difference = self._logarithms() - self._mean
        self._prior += 1
        self._mean = self._mean + difference * max(1 / self._prior, self._least)
        result: npt.NDArray[np.float64] = self._dct @ difference
        return result


class Bands(Features):
    """Makes the rows that a second stage takes, one every 10 ms from the first frame on: n × 32. Keeps its state from call to call."""

    def __init__(self) -> None:
        spectrum = {"window": 400, "fft": 512, "melBands": 32, "lowFrequency": 60, "highFrequency": 3800, "floor": -92, "floorSlope": 0}
        super().__init__({**spectrum, "priorLevel": 0, "priorFrames": 0, "meanDecay": 0, "coefficients": 1})
        self._width = 32
        self._seen = self._window

    def _vector(self) -> npt.NDArray[np.float64]:
        return self._logarithms() / np.log(10) + 11.7175


class Model:
    """An exported model. Needs onnxruntime.

    Raises ValueError for files that are not exported models or need noise suppression.
    """

    def __init__(self, path: Union[str, "os.PathLike[str]"]) -> None:
        import onnxruntime  # type: ignore[import-untyped]

        self._session = onnxruntime.InferenceSession(os.fspath(path))
        entries: Dict[str, str] = self._session.get_modelmeta().custom_metadata_map
        if entries.get("format") not in ("hotword-onnx-1", "hotword-onnx-2"):
            raise ValueError(f"{path}: not written by 'hotword models export'")
        front: Dict[str, Any] = json.loads(entries["frontEnd"])
        if front["noiseSuppression"] != "off" or front["gainControl"]:
            raise ValueError(f"{path}: trained with noise suppression or gain control, which only libhotword has")
        decision: Dict[str, float] = json.loads(entries["decision"])
        self._has_second_stage = entries["format"] == "hotword-onnx-2"
        self.name = entries["name"]
        self.phrase = entries["phrase"]
        self.threshold = float(entries["threshold"])
        self.step = float(entries["stepSeconds"])
        self._has_filter = bool(front["highPass"])
        self.features: Dict[str, float] = json.loads(entries["features"])
        self._warm_up = round(decision["warmUp"] / self.step)
        self._refractory = decision["refractory"] / self.step

    def scores(self, samples: npt.NDArray[np.int16]) -> npt.NDArray[np.float32]:
        """The scores of a clip, 0 to 1, one every `step` seconds; 0 for the first ones, which mean nothing."""
        if samples.dtype != np.int16 or samples.ndim != 1:
            raise TypeError("samples: one-dimensional NumPy array of int16")
        if self._has_filter:
            samples = HighPassFilter().process(samples)
        samples = QuietVoiceGain().process(samples)
        vectors = Features(self.features).process(samples)
        if len(vectors) < 10:
            return np.zeros(0, np.float32)
        inputs = {"features": vectors[np.newaxis]}
        if self._has_second_stage:
            inputs["bands"] = Bands().process(samples)[np.newaxis]
        scores: npt.NDArray[np.float32] = self._session.run(["score"], inputs)[0][0]
        scores[: self._warm_up] = 0
        return scores

    def detect(self, samples: npt.NDArray[np.int16], threshold: float = 0) -> List[Detection]:
        """The rises of the score to the threshold in a clip; 0 for the model's own threshold."""
        limit = threshold or self.threshold
        found: List[Detection] = []
        last = -np.inf
        before = 0.0
        for index, score in enumerate(self.scores(samples).tolist()):
            if score >= limit > before and index - last >= self._refractory:
                last = index
                found.append(Detection((index + 1) * self.step, score))
            before = score
        return found


def _mel(frequency: float) -> float:
    return float(2595 * np.log10(1 + frequency / 700))
