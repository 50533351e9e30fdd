"""What `hotword score` finds in files."""

import json
import subprocess
from pathlib import Path

from .fault import Fault

FLOOR = 0.003


class Scores:
    """The score peaks of a model in each of `paths`, as (score, seconds), and the total length in seconds."""

    def __init__(self, program: Path, model: Path, paths: list[Path]):
        self.peaks: dict[Path, list[tuple[float, float]]] = {path: [] for path in paths}
        self.seconds = 0.0
        for first in range(0, len(paths), 400):
            command = [program, "score", "--model", model, "--floor", str(FLOOR), *paths[first : first + 400]]
            outcome = subprocess.run(command, capture_output=True, text=True)
            if outcome.returncode:
                raise Fault(outcome.returncode, outcome.stderr.strip())
            for line in map(json.loads, outcome.stdout.splitlines()):
                if "at" in line:
                    self.peaks[Path(line["file"])].append((line["score"], line["at"]))
                else:
                    self.seconds += line["duration"]

    def alarms(self, threshold: float) -> int:
        """Returns the number of peaks at `threshold` or above."""
        return sum(score >= threshold for peaks in self.peaks.values() for score, _ in peaks)

    def detected(self, threshold: float, start: float = 0) -> int:
        """Returns the number of files with a peak at `threshold` or above after `start` seconds."""
        return sum(any(score >= threshold and at >= start for score, at in peaks) for peaks in self.peaks.values())

    def threshold(self, rate: float) -> float:
        """Returns the lowest threshold with at most `rate` peaks per hour."""
        scores = sorted((score for peaks in self.peaks.values() for score, _ in peaks), reverse=True)
        allowed = int(rate * self.seconds / 3600)
        return scores[allowed] + 1e-6 if allowed < len(scores) else FLOOR
