"""Builds a stream: a word's recordings at random positions in speech without the word, with or without noise.

The seed and the word determine the stream. Each background file is used at most once. All items have the same level, so that the
continuous noise is the same number of decibels below each.
"""

import random
import sys
import wave
from dataclasses import dataclass
from pathlib import Path
from typing import Iterator

import numpy as np

from . import audio, speech
from .audio import RATE
from .conditions import Condition
from .fault import NO_INPUT, Fault

LEVEL = -26.0
"""The active level of every word and every background file, in dBFS."""
PIECE = 10.0
"""The maximum length of background between two positions for a word, in seconds."""
_LONGEST_HOURS = 36
_FADE = RATE // 200


@dataclass(frozen=True)
class Utterance:
    """A recording of the word in the stream: its start, the end of the word and its end, in seconds from the stream's start."""

    path: str
    start: float
    word_end: float
    end: float


@dataclass(frozen=True)
class Stretch:
    """A part of the background in the stream; `start` in the stream and `offset` in the file, in seconds."""

    path: str
    start: float
    offset: float


@dataclass(frozen=True)
class Recording:
    """A recording of the word at the common level, and the end of the word in seconds."""

    path: Path
    samples: np.ndarray
    word_end: float


@dataclass
class Stream:
    """The contents of a stream; the audio itself is in a file."""

    word: str
    utterances: list[Utterance]
    background: list[Stretch]
    duration: float = 0.0
    hours: float = 0.0
    """The hours of background."""

    def source(self, at: float) -> dict:
        """Returns the background file at a time, and the position in it."""
        found = next((stretch for stretch in reversed(self.background) if stretch.start <= at), None)
        if found is None:
            return {}
        return {"file": found.path, "offset": round(at - found.start + found.offset, 2)}


def recordings(word: str, paths: list[Path], limit: int | None, chooser: random.Random) -> list[Recording]:
    """Returns the usable recordings of a word in random order; prints the others to standard error."""
    paths = list(paths)
    chooser.shuffle(paths)
    result: list[Recording] = []
    for path in paths[:limit]:
        try:
            samples = audio.read(path)
        except Fault as fault:
            print(f"excluded: {fault}", file=sys.stderr)
            continue
        place = speech.word(samples)
        if place is None:
            print(f"excluded: {path}: no word of up to {speech.LONGEST:g} s found", file=sys.stderr)
        else:
            result.append(Recording(path, _levelled(samples, LEVEL), place[1]))
    if not result:
        raise Fault(NO_INPUT, f"{word}: none of the recordings is usable")
    return result


class Builder:
    """Places a word's recordings in background speech."""

    def __init__(self, word: str, recordings_: list[Recording], folder: Path, hours: float, chooser: random.Random):
        self.word = word
        self._words = recordings_
        self._files = self._chosen(folder, min(hours, _LONGEST_HOURS), chooser)
        pieces = sum(count for _, count in self._files)
        if pieces < len(recordings_):
            raise Fault(
                NO_INPUT,
                f"{folder}: {pieces} pieces of background are too few for {len(recordings_)} recordings of"
                f" {word}: increase --hours or reduce --clips",
            )
        self._places = dict(zip(chooser.sample(range(pieces), len(recordings_)), recordings_))

    @staticmethod
    def _chosen(folder: Path, hours: float, chooser: random.Random) -> list[tuple[Path, int]]:
        paths = audio.files(folder)
        chooser.shuffle(paths)
        chosen: list[tuple[Path, int]] = []
        seconds = 0.0
        for path in paths:
            if seconds >= hours * 3600:
                break
            try:
                length = audio.duration(path)
            except Fault as fault:
                print(f"excluded: {fault}", file=sys.stderr)
                continue
            chosen.append((path, max(1, round(length / PIECE))))
            seconds += length
        if seconds < hours * 3600:
            print(f"{folder}: {seconds / 3600:.2f} h of background, less than requested", file=sys.stderr)
        return chosen

    def write(self, path: Path, condition: Condition, noises: Path, chooser: random.Random) -> Stream:
        """Writes the stream in a condition as 16-bit WAV and returns its contents; noise is from the folder `noises`."""
        stream = Stream(self.word, [], [])
        length = 0
        noise = None if condition.snr is None else Noise(noises, condition.snr, chooser)
        change = condition.change and condition.change(chooser.getrandbits(32))
        with wave.open(str(path), "wb") as file:
            file.setparams((1, 2, RATE, 0, "NONE", ""))
            for item in self._items():
                start = length / RATE
                samples = item.samples
                if isinstance(item, Recording):
                    end = start + len(samples) / RATE
                    stream.utterances.append(Utterance(str(item.path), start, start + item.word_end, end))
                else:
                    stream.hours += len(samples) / RATE / 3600
                    stream.background.append(Stretch(str(item.path), start, item.offset))
                if change:
                    samples = _levelled(change(samples), LEVEL)
                if noise:
                    samples = samples + noise.next(len(samples))
                file.writeframes((np.clip(samples, -1, 1) * 32767).astype("<i2").tobytes())
                length += len(samples)
        stream.duration = length / RATE
        return stream

    def _items(self) -> "Iterator[Recording | _Piece]":
        index = 0
        for path, count in self._files:
            samples = _levelled(audio.read(path), LEVEL)
            for number, part in enumerate(np.array_split(samples, count)):
                if index in self._places:
                    yield self._places[index]
                yield _Piece(path, _faded(part), number * len(samples) / count / RATE)
                index += 1


@dataclass(frozen=True)
class _Piece:
    path: Path
    samples: np.ndarray
    offset: float


class Noise:
    """Endless noise from a folder's files in random order, all at one level, without their quiet parts."""

    def __init__(self, folder: Path, snr: float, chooser: random.Random):
        self._folder = folder
        self._paths = audio.files(folder)
        self._level = LEVEL - snr
        self._chooser = chooser
        self._queue: list[Path] = []
        self._left = np.zeros(0, np.float32)

    def next(self, count: int) -> np.ndarray:
        """Returns the next `count` samples."""
        parts = [self._left]
        missing = count - len(self._left)
        while missing > 0:
            part = self._file()
            parts.append(part)
            missing -= len(part)
        samples = np.concatenate(parts)
        self._left = samples[count:]
        return samples[:count]

    def _file(self) -> np.ndarray:
        while self._paths:
            if not self._queue:
                self._queue = self._chooser.sample(self._paths, len(self._paths))
            path = self._queue.pop()
            samples = audio.read(path)
            level = speech.levels(samples)
            if len(level) >= 20 and speech.active_level(samples) > -80:
                loud = np.repeat(level >= np.percentile(level, 95) - 25, speech.FRAME)
                return _faded(_levelled(samples[: len(loud)][loud], self._level))
            self._paths.remove(path)
        raise Fault(NO_INPUT, f"{self._folder}: contains only silence")


def _levelled(samples: np.ndarray, level: float) -> np.ndarray:
    active = speech.active_level(samples)
    return samples if active < -80 else samples * np.float32(10 ** ((level - active) / 20))


def _faded(samples: np.ndarray) -> np.ndarray:
    length = min(_FADE, len(samples) // 2)
    ramp = np.linspace(0, 1, length, dtype=np.float32)
    result = samples.copy()
    result[:length] *= ramp
    result[len(result) - length :] *= ramp[::-1]
    return result
