"""Spoken commands: their labels, mixing with noise, and recognition by hotword."""

import hashlib
import json
import resource
import subprocess
import wave
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from . import audio
from .audio import RATE
from .fault import BAD_DATA, UNAVAILABLE, Fault


class Labels:
    """The intent of each recording of a folder: `labels.json`, names to {"intent": …, "slots": {…}}."""

    def __init__(self, folder: Path):
        path = folder / "labels.json"
        try:
            self._meant = json.loads(path.read_text())
            self.paths = [folder / name for name in sorted(self._meant)]
        except (ValueError, TypeError) as error:
            raise Fault(BAD_DATA, f"{path}: {error}") from None

    def holds(self, path: Path, understood: dict) -> bool:
        """Returns whether the intent and all slots are correct, and no other slot is filled."""
        meant = self._meant[path.name]
        intent = understood["intent"]
        slots = {name: slot["value"] for name, slot in understood["slots"].items()}
        return intent is not None and intent["name"] == meant["intent"] and slots == meant["slots"]


class Mixer:
    """Writes recordings clean, or with noise `snr` dB below the speech, selected by the seed and the file's name.

    The level of each is that of its loudest 128 ms, as in Picovoice's benchmark, because kitchen noise is impulsive.
    """

    def __init__(self, folder: Path | None, snr: float | None, seed: int):
        self._noise = [audio.read(path) for path in audio.files(folder)] if folder else []
        self._snr = snr
        self._seed = seed

    def write(self, path: Path, folder: Path, seconds: float | None = None) -> Path:
        """Writes the file into `folder`, only its first `seconds` if given."""
        samples = audio.read(path)[: round(seconds * RATE) if seconds else None]
        if self._noise:
            chooser = np.random.default_rng(list(hashlib.sha256(f"{self._seed} {path.name}".encode()).digest()))
            samples = samples + self._piece(len(samples), audio.loudest(samples) - self._snr, chooser)
        peak = float(np.abs(samples).max(initial=0))
        target = folder / f"{path.stem}.wav"
        with wave.open(str(target), "wb") as file:
            file.setparams((1, 2, RATE, 0, "NONE", ""))
            file.writeframes((samples / max(1.0, peak) * 32767).astype("<i2").tobytes())
        return target

    def _piece(self, count: int, level: float, chooser: np.random.Generator) -> np.ndarray:
        noise = self._noise[chooser.integers(len(self._noise))]
        noise = np.tile(noise, -(-count // len(noise)))
        start = chooser.integers(len(noise) - count + 1)
        piece = noise[start : start + count]
        return piece * np.float32(10 ** ((level - audio.loudest(piece)) / 20))


@dataclass
class Recognized:
    """The results of recordings, in their order, and the processor time per second of audio."""

    transcripts: list[dict]
    understood: list[dict]
    processor: float


class Recognizer:
    """Runs `hotword transcribe`, then `hotword understand`."""

    def __init__(self, program: Path, intents: Path, recognizer: str | None, jobs: int, area: str | None = None):
        self._options = ["--intents", str(intents)]
        self._area = ["--area", area] if area else []
        self._recognizer = ["--recognizer", recognizer] if recognizer else []
        self._program = str(program)
        self._jobs = jobs

    def run(self, paths: list[Path]) -> Recognized:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        parts = [paths[index :: self._jobs] for index in range(min(self._jobs, len(paths)))]
        with ThreadPoolExecutor(len(parts)) as pool:
            lines = [line for part in pool.map(self._transcribed, parts) for line in part]
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        found = {line["file"]: line for line in lines}
        transcripts = [found[str(path)] for path in paths]
        understood = self.understood([line["text"] for line in transcripts])
        used = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
        return Recognized(transcripts, understood, used / sum(audio.duration(path) for path in paths))

    def understood(self, texts: list[str]) -> list[dict]:
        lines = "".join(text.replace("\n", " ") + "\n" for text in texts)
        return self._run(["understand", *self._options, *self._area, "-"], lines)

    def _transcribed(self, paths: list[Path]) -> list[dict]:
        return self._run(["transcribe", *self._options, *self._recognizer, *map(str, paths)])

    def _run(self, words: list[str], text: str = "") -> list[dict]:
        done = subprocess.run([self._program, *words], input=text, capture_output=True, text=True, check=False)
        if done.returncode:
            raise Fault(UNAVAILABLE, f"hotword {words[0]} failed with {done.returncode}: {done.stderr.strip()}")
        return [json.loads(line) for line in done.stdout.splitlines()]


def score(condition: str, paths: list[Path], results: Recognized, labels: Labels | None) -> dict:
    """Returns one row: how many are correct (without labels: not understood), and the errors."""
    wrong: list[dict] = []
    rejected = 0
    for path, transcript, understood in zip(paths, results.transcripts, results.understood):
        # A transcript that the service would reject as not addressed to it.
        is_rejected = understood["status"] == "notUnderstood" or transcript["confidence"] < 0.5
        rejected += is_rejected
        is_right = is_rejected if labels is None else not is_rejected and labels.holds(path, understood)
        if not is_right:
            wrong.append({"file": path.name, "text": transcript["text"], "confidence": transcript["confidence"]})
    return {
        "condition": condition,
        "right": len(paths) - len(wrong),
        "total": len(paths),
        "rejected": rejected,
        "processor": results.processor,
        "wrong": wrong,
    }
