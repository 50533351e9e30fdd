"""Reads audio files of any format of libsndfile as 16 kHz mono."""

import ctypes
import os
from pathlib import Path

import numpy as np

from .fault import BAD_DATA, NO_INPUT, UNAVAILABLE, Fault

RATE = 16_000
SUFFIXES = {".aif", ".aiff", ".au", ".caf", ".flac", ".mp3", ".oga", ".ogg", ".opus", ".wav"}
SPAN = RATE * 128 // 1000
"""Samples over which the level of impulsive sounds is measured, as in Picovoice's benchmark."""
LONGEST = 4 * 3600
"""The maximum length of a file, in seconds."""


class _Info(ctypes.Structure):
    _fields_ = [
        ("frames", ctypes.c_int64),
        ("samplerate", ctypes.c_int),
        ("channels", ctypes.c_int),
        ("format", ctypes.c_int),
        ("sections", ctypes.c_int),
        ("seekable", ctypes.c_int),
    ]


class _Conversion(ctypes.Structure):
    _fields_ = [
        ("data_in", ctypes.c_void_p),
        ("data_out", ctypes.c_void_p),
        ("input_frames", ctypes.c_long),
        ("output_frames", ctypes.c_long),
        ("input_frames_used", ctypes.c_long),
        ("output_frames_gen", ctypes.c_long),
        ("end_of_input", ctypes.c_int),
        ("src_ratio", ctypes.c_double),
    ]


def _library(name: str) -> ctypes.CDLL:
    try:
        return ctypes.CDLL(name)
    except OSError:
        raise Fault(UNAVAILABLE, f"{name} is not installed; run 'make'") from None


class _SoundFile:
    """An open file, as a context manager."""

    _library = None

    def __init__(self, path: Path):
        if _SoundFile._library is None:
            library = _library("libsndfile.so.1")
            library.sf_open.restype = ctypes.c_void_p
            library.sf_strerror.restype = ctypes.c_char_p
            library.sf_strerror.argtypes = [ctypes.c_void_p]
            library.sf_close.argtypes = [ctypes.c_void_p]
            library.sf_readf_float.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64]
            library.sf_readf_float.restype = ctypes.c_int64
            _SoundFile._library = library
        self.path = path
        self.info = _Info()
        self._handle = self._library.sf_open(os.fsencode(path), 0x10, ctypes.byref(self.info))
        if not self._handle:
            reason = self._library.sf_strerror(None).decode(errors="replace").strip().rstrip(".")
            raise Fault(BAD_DATA, f"{path}: {reason}")
        if not 0 < self.info.frames <= LONGEST * self.info.samplerate:
            self._library.sf_close(self._handle)
            raise Fault(BAD_DATA, f"{path}: the length must be between one sample and {LONGEST // 3600} hours")

    def __enter__(self) -> "_SoundFile":
        return self

    def __exit__(self, *_) -> None:
        self._library.sf_close(self._handle)

    def samples(self) -> np.ndarray:
        """Returns all samples, frames × channels, -1...1."""
        samples = np.empty((self.info.frames, self.info.channels), np.float32)
        count = self._library.sf_readf_float(self._handle, samples.ctypes.data, self.info.frames)
        return samples[:count]


def duration(path: Path) -> float:
    """Returns the length of a file in seconds; raises `Fault` if it is not audio."""
    with _SoundFile(path) as file:
        return file.info.frames / file.info.samplerate


def read(path: Path) -> np.ndarray:
    """Returns a file's samples, 16 kHz, channels averaged, -1...1; raises `Fault` if it is not audio."""
    with _SoundFile(path) as file:
        mono = file.samples().mean(axis=1, dtype=np.float32)
        return mono if file.info.samplerate == RATE else _resampled(mono, RATE / file.info.samplerate)


def loudest(samples: np.ndarray) -> float:
    """Returns the power in dB of the loudest span, or of all samples if they are shorter."""
    count = len(samples) // SPAN
    spans = samples[: count * SPAN].reshape(count, SPAN) if count else samples[None]
    return float(10 * np.log10(np.mean(np.square(spans, dtype=np.float64), axis=1).max(initial=0) + 1e-12))


def _resampled(samples: np.ndarray, ratio: float) -> np.ndarray:
    source = np.ascontiguousarray(samples)
    result = np.zeros(int(len(source) * ratio) + 1, np.float32)
    conversion = _Conversion(
        source.ctypes.data, result.ctypes.data, len(source), len(result), 0, 0, 1, ratio
    )
    best_sinc = 0
    if _library("libsamplerate.so.0").src_simple(ctypes.byref(conversion), best_sinc, 1):
        raise Fault(BAD_DATA, f"cannot convert the sample rate by {ratio}")
    return result[: conversion.output_frames_gen]


def files(folder: Path) -> list[Path]:
    """Returns the audio files in a folder and its subfolders, sorted; raises `Fault` if there are none."""
    if not folder.is_dir():
        raise Fault(NO_INPUT, f"{folder}: folder not found")
    found = sorted(path for path in folder.rglob("*") if path.suffix.lower() in SUFFIXES)
    if not found:
        raise Fault(NO_INPUT, f"{folder}: contains no audio files")
    return found
