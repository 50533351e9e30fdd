"""Runs an engine on a stream in a process of its own; returns its events, CPU time and memory."""

import json
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from .fault import UNAVAILABLE
from .peaks import Event, thinned

NAMES = ["hotword", "pocketsphinx", "openwakeword", "microwakeword"]
SHIPPED_THRESHOLDS = {"hotword": 0.5, "openwakeword": 0.5, "microwakeword": 0.9}
"""The default thresholds of the engines; PocketSphinx has no useful one."""


class Skipped(Exception):
    """The engine is not installed, has no model of the word, or failed; contains the reason."""


@dataclass(frozen=True)
class Run:
    """Events in the order of time; CPU seconds, user and system; peak resident memory in bytes."""

    events: list[Event]
    cpu: float
    memory: int


@dataclass(frozen=True)
class Engine:
    """How to run an engine; `models` is the folder of hotword's models, `rival_models` that of additional models for others."""

    name: str
    program: Path
    models: Path
    rival_models: Path | None

    def run(self, word: str, stream: Path) -> Run:
        """Processes the stream; raises `Skipped`."""
        with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
            process = subprocess.Popen(self._command(word, stream), stdout=output, stderr=errors)
            memory = _peak_memory(process)
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            output.seek(0)
            errors.seek(0)
            said = errors.read().decode(errors="replace").strip().splitlines() or ["no message"]
            if process.returncode:
                failed = "" if process.returncode == UNAVAILABLE else f"failed with status {process.returncode}: "
                raise Skipped(failed + said[-1])
            found = [json.loads(line) for line in output]
        events = [(event["at"], event["score"]) for event in found if "at" in event]
        return Run(thinned(events), usage.ru_utime + usage.ru_stime, memory)

    def _command(self, word: str, stream: Path) -> list[str]:
        if self.name == "hotword":
            model = self.models / f"{word}.safetensors"
            if not model.exists():
                raise Skipped(f"no model {model}")
            return [str(self.program), "score", "--model", str(model), "--floor", "0.001", str(stream)]
        worker = Path(__file__).parent / "engines" / f"{self.name}.py"
        models = [str(self.rival_models / self.name)] if self.rival_models else []
        return [sys.executable, str(worker), word, str(stream), *models]


def _peak_memory(process: subprocess.Popen) -> int:
    """Monitors a process until it ends. The kernel's own value would include the memory of this process at the fork."""
    peak = 0
    while os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
        try:
            with open(f"/proc/{process.pid}/status") as lines:
                for line in lines:
                    if line.startswith("VmHWM:"):
                        peak = max(peak, int(line.split()[1]) * 1024)
        except OSError:
            pass
        time.sleep(0.02)
    return peak
