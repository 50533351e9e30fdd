"""Writes clips of a word after some seconds of silence or noise, as an always-on listener hears them."""

import wave
from pathlib import Path

import numpy as np

from . import audio

TAIL = 0.5


class Placement:
    """Writes each clip once below `folder`: `lead` seconds before it, and noise at `snr` dB throughout where there are `noises`; a short one is repeated."""

    def __init__(self, folder: Path, lead: float, noises: list[np.ndarray], snr: float, random: np.random.Generator):
        self.folder, self.lead, self.noises, self.snr, self.random = folder, lead, noises, snr, random
        folder.mkdir()

    def place(self, clip: Path) -> Path:
        path = self.folder / f"{clip.parent.name}-{clip.stem}.wav"
        if not path.exists():
            around = [np.zeros(int(seconds * audio.RATE)) for seconds in (self.lead, TAIL)]
            samples = np.concatenate([around[0], audio.read(clip), around[1]])
            if self.noises:
                noise = self.noises[self.random.integers(len(self.noises))]
                noise = np.resize(noise, max(len(noise), len(samples) + 1))
                start = self.random.integers(len(noise) - len(samples))
                piece = noise[start : start + len(samples)]
                samples = samples + piece * 10 ** ((audio.loudest(samples) - audio.loudest(piece) - self.snr) / 20)
                samples = samples / max(1, np.abs(samples).max() / 0.99)
            with wave.open(str(path), "wb") as file:
                file.setparams((1, 2, audio.RATE, 0, "NONE", ""))
                file.writeframes((samples * 32767).astype("<i2").tobytes())
        return path
