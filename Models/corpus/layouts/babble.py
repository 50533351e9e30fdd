"""Noise of several talkers at once, mixed from speech that is laid out already."""

import random
import shutil
from collections import defaultdict
from pathlib import Path

import numpy as np
import soundfile

from .audio import RATE, write

SPEECH = {
    "noise-train": ["train/speechocean762", "train-negatives/hbl-audio"],
    "noise-measure": ["measure/pl/nEMO", "measure/cs/fillets-data", "measure/nl/fillets-data"],
}
"""The folders of the speech, by the use of the noise."""
FILES = 20
SECONDS = 60
TALKERS = 6


def mix_babble(use: str, target: Path) -> float:
    """Writes TARGET/USE/babble anew and returns its seconds. The same speech gives the same files."""
    folder = target / use / "babble"
    shutil.rmtree(folder, ignore_errors=True)
    dice = random.Random(762)
    voices = defaultdict(list)
    for place in SPEECH[use]:
        for path in sorted((target / place).rglob("*.flac")):
            voices[path.parent].append(path)
    for number in range(FILES):
        mix = np.zeros(SECONDS * RATE)
        for voice in dice.sample(sorted(voices), min(TALKERS, len(voices))):
            mix += _speech(voices[voice], dice)[: len(mix)] * 0.03
        write(mix, folder / f"babble_{number:02}.flac")
    return float(FILES * SECONDS)


def _speech(paths: list[Path], dice: random.Random) -> np.ndarray:
    """Returns recordings drawn from `paths` one after another, each at the same level."""
    speech = np.zeros(0)
    while len(speech) < SECONDS * RATE:
        part, _ = soundfile.read(dice.choice(paths))
        speech = np.concatenate([speech, part / (np.sqrt(np.mean(part**2)) + 1e-9)])
    return speech
