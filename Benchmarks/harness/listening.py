"""Measures what listening costs: processor time, memory and the start of hotword, and processor time of other engines."""

import json
import os
import random
import re
import resource
import statistics
import subprocess
import sys
import threading
import time
import wave
from array import array
from collections.abc import Callable
from pathlib import Path

from . import callgrind
from .engine import Engine, Skipped
from .fault import UNAVAILABLE, Fault

RATE = 16_000
SHORT, LONG = 10, 310
"""Seconds of audio; the difference leaves out the start."""
COUNTED_SHORT, COUNTED_LONG = 10, 16
"""The same for counted instructions; detection in silence is at rest after eight seconds."""


def samples(path: Path) -> bytes:
    """Returns the samples of a 16 kHz mono WAV."""
    with wave.open(str(path), "rb") as file:
        return file.readframes(file.getnframes())


def looped(piece: bytes, seconds: float) -> bytes:
    size = int(seconds * RATE) * 2
    return (piece * (size // len(piece) + 1))[:size]


def noise() -> bytes:
    """Returns one second of white noise at -40 dBFS, the same each time."""
    chooser = random.Random(1)
    return array("h", (round(chooser.gauss(0, 327.68)) for _ in range(RATE))).tobytes()


def processor_seconds(command: list[str], audio: bytes = b"") -> float:
    """Returns user and system time of a command that reads `audio` from standard input."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, input=audio, capture_output=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def milliseconds(command: list[str], piece: bytes) -> float:
    """Returns processor time per second of audio."""
    short, long = (processor_seconds(command, looped(piece, seconds)) for seconds in (SHORT, LONG))
    return (long - short) * 1000 / (LONG - SHORT)


def counted(command: list[str], piece: bytes, scratch: Path) -> tuple[callgrind.Count, int]:
    """Returns the counts of some seconds of audio, and how many seconds."""
    short, long = (
        callgrind.count(command, looped(piece, seconds), scratch) for seconds in (COUNTED_SHORT, COUNTED_LONG)
    )
    return long.since(short), COUNTED_LONG - COUNTED_SHORT


def events(command: list[str]) -> list[dict]:
    """Returns the events, as JSON, of a command."""
    outcome = subprocess.run(command, capture_output=True, check=True)
    return [json.loads(line) for line in outcome.stdout.splitlines()]


def processor() -> str:
    """Returns the name of this machine's processor."""
    found = re.search(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text())
    return found[1] if found else "unknown processor"


class Service:
    """`hotword run` on audio that `feed` sends to it; its events, from JSON, and its messages as they come."""

    def __init__(self, hotword: Path, options: list[str], folder: Path | None = None):
        self.events: list[dict] = []
        self.messages: list[str] = []
        self._changed = threading.Condition()
        self.began = time.monotonic()
        self.process = subprocess.Popen(
            [str(hotword), "run", *options, "--input", "-", "--events", "json"], cwd=folder,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self._readers = [
            threading.Thread(target=self._read, args=(self.process.stdout, self.events, json.loads)),
            threading.Thread(target=self._read, args=(self.process.stderr, self.messages, bytes.decode)),
        ]
        for reader in self._readers:
            reader.start()

    def _read(self, lines, into: list, parse) -> None:
        for line in lines:
            with self._changed:
                into.append(parse(line))
                self._changed.notify_all()

    def wait(self, condition: Callable[[], bool], what: str, seconds: float = 300) -> None:
        """Waits until a condition of events and messages is true."""
        with self._changed:
            if not self._changed.wait_for(condition, seconds):
                self.process.kill()
                raise Fault(UNAVAILABLE, f"hotword run: no {what}; it said: {' '.join(self.messages[-3:]).strip()}")

    def wait_for_event(self, kind: str) -> None:
        self.wait(lambda: any(event["event"] == kind for event in self.events), f"event '{kind}'")

    def feed(self, audio: bytes) -> None:
        self.process.stdin.write(audio)
        self.process.stdin.flush()

    def status(self, field: str) -> int:
        """Returns a number of /proc/PID/status: kilobytes of VmRSS and VmHWM, or Threads."""
        text = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(rf"{field}:\s+(\d+)", text)[1])

    def descriptors(self) -> int:
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def end(self) -> int:
        """Ends the audio; returns the exit status."""
        self.process.stdin.close()
        for reader in self._readers:
            reader.join()
        return self.process.wait()


def memory(hotword: Path, options: list[str], order: bytes) -> tuple[tuple[float, float], tuple[float, float]]:
    """Returns resident and peak megabytes of a listening service, then after it has carried out `order`."""
    service = Service(hotword, options)
    service.wait_for_event("ready")
    service.feed(bytes(2 * RATE * 10))
    _settle(service)
    before = service.status("VmRSS") / 1024, service.status("VmHWM") / 1024
    service.feed(order + bytes(2 * RATE * 3))
    service.wait_for_event("idle")
    after = service.status("VmRSS") / 1024, service.status("VmHWM") / 1024
    service.end()
    return before, after


def _settle(service: Service) -> None:
    """Waits until the resident memory does not change within a second."""
    latest = None
    while latest != (latest := service.status("VmRSS")):
        time.sleep(1)


def milliseconds_to_ready(hotword: Path, options: list[str]) -> float:
    """Returns the median of 15 starts of the service, from the start of the process to the event `ready`."""
    taken = []
    for _ in range(15):
        service = Service(hotword, options)
        service.wait_for_event("ready")
        taken.append((time.monotonic() - service.began) * 1000)
        service.end()
    return statistics.median(taken)


def rivals(word: str, piece: bytes, scratch: Path) -> list[tuple[str, float, float]]:
    """Returns name, milliseconds per second of audio, and peak megabytes of the other engines that are installed."""
    found = []
    for name in ("pocketsphinx", "openwakeword", "microwakeword"):
        engine = Engine(name, scratch, scratch, None)
        try:
            runs = []
            for seconds in (SHORT, LONG):
                stream = scratch / "stream.wav"
                with wave.open(str(stream), "wb") as file:
                    file.setparams((1, 2, RATE, 0, "NONE", ""))
                    file.writeframes(looped(piece, seconds))
                runs.append(engine.run(word, stream))
            found.append((name, (runs[1].cpu - runs[0].cpu) * 1000 / (LONG - SHORT), runs[1].memory / 1e6))
        except Skipped as reason:
            print(f"{name}: {reason}", file=sys.stderr)
    return found
