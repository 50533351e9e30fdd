"""Conversations of a simulated user with `hotword run`: what the user says, when, and whether the right intents are executed."""

import fcntl
import json
import os
import queue
import subprocess
import tempfile
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from . import audio
from .audio import RATE
from .fault import UNAVAILABLE, Fault

STEP = RATE // 50
"""Samples that are written at once."""
LEVEL = -23.0
"""Level of the loudest 128 ms of a sentence, in dBFS."""
REPEATS = 2
"""How often the user repeats a sentence that was misheard."""
FALLBACK = "Other"
"""The intent of the examples for what is not understood: its reply says so."""
SLOW, SLOW_PAUSE = 1.15, 0.5
"""The pace of a repeated sentence, and the seconds before it, after the hotword."""
PIPE = 4096
"""Bytes that the program may be behind: 0.13 s."""


@dataclass
class Dialogue:
    """Sentences, and for each the status, intent and slots that it leads to when it is typed."""

    intents: str
    lines: list[str]
    meant: list[tuple] = field(default_factory=list)

    @property
    def options(self) -> list[str]:
        return [] if self.intents == "home" else ["--intents", f"Examples/{self.intents}.yaml"]

    def understand(self, program: Path) -> None:
        """Fills `meant` with the results of `hotword understand`."""
        words = [str(program), "understand", *self.options, "--dialogue", *self.lines]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        if done.returncode:
            raise Fault(UNAVAILABLE, f"hotword understand failed with {done.returncode}: {done.stderr.strip()}")
        self.meant = [outcome(json.loads(line)) for line in done.stdout.splitlines()]

    @property
    def executed(self) -> list[tuple]:
        return [turn for turn in self.meant if turn[0] == "ready"]


def outcome(event: dict) -> tuple:
    """Returns the status, the intent and the slots' values of an intent event."""
    slots = {name: slot["value"] for name, slot in event["slots"].items()}
    return event["status"], event["intent"] and event["intent"]["name"], json.dumps(slots, sort_keys=True)


class Voice:
    """A voice of flite; the samples have the same level for every sentence."""

    def __init__(self, name: str):
        self.name = name
        self._said: dict[tuple[str, float], np.ndarray] = {}

    def say(self, text: str, pace: float = 1) -> np.ndarray:
        """Returns the sentence, with durations multiplied by `pace`."""
        if (text, pace) not in self._said:
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder) / "said.wav"
                words = ["flite", "-voice", self.name, "--setf", f"duration_stretch={pace}", "-t", text, "-o", str(path)]
                try:
                    subprocess.run(words, check=True, capture_output=True)
                except (OSError, subprocess.CalledProcessError) as error:
                    raise Fault(UNAVAILABLE, f"flite: {error}; install Debian's flite") from None
                samples = audio.read(path)
            self._said[text, pace] = samples * np.float32(10 ** ((LEVEL - audio.loudest(samples)) / 20))
        return self._said[text, pace]


VOICES = [Voice(name) for name in ("slt", "rms", "awb", "kal16")]


class Room:
    """Noise that runs all the time, or almost none.

    The level of each recording of noise is that of its loudest 128 ms, `snr` dB below the speech.
    """

    def __init__(self, noises: list[np.ndarray], snr: float, seed: int):
        source = np.random.default_rng(seed)
        if noises:
            parts = [noise * np.float32(10 ** ((LEVEL - snr - audio.loudest(noise)) / 20)) for noise in noises]
        else:
            parts = [source.normal(0, 2 / 32768, 10 * RATE).astype(np.float32)]
        self._noise = np.concatenate(parts)
        self._position = int(source.integers(len(self._noise)))

    def step(self, speech: np.ndarray) -> bytes:
        """Returns the next 20 ms with `speech` in them, as 16-bit samples."""
        places = (self._position + np.arange(STEP)) % len(self._noise)
        self._position += STEP
        samples = self._noise[places]
        samples[: len(speech)] += speech
        return (np.clip(samples, -1, 1) * 32767).astype("<i2").tobytes()


def _silence(seconds: float) -> np.ndarray:
    return np.zeros(round(seconds * RATE), np.float32)


@dataclass
class Result:
    voice: str
    lines: list[str]
    executed: list[tuple] = field(default_factory=list)
    misheard: list[str] = field(default_factory=list)
    transcripts: list[str] = field(default_factory=list)
    is_right: bool = False


class User:
    """Says the sentences of a dialogue to the program: with the hotword when it is idle, without when it listens.

    A sentence that does not lead to what it leads to when it is typed is repeated up to twice, more slowly and after a pause.
    """

    def __init__(self, program: list[str], recognizer: list[str], dialogue: Dialogue, voice: Voice, room: Room, speed: float):
        self._words = [*program, "run", "--input", "-", "--events", "json", *recognizer, *dialogue.options]
        self._dialogue, self._voice = dialogue, voice
        self._room, self._speed = room, speed
        self._speech = np.zeros(0, np.float32)
        self._turn = 0
        self._repeats = 0
        self._deadline = 0.0
        """When the user gives up waiting for an answer and calls again, in seconds of audio."""
        self._has_intent = False
        self._time = 0.0
        self.result = Result(voice.name, dialogue.lines)

    def talk(self) -> Result:
        with subprocess.Popen(self._words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
            fcntl.fcntl(process.stdin, fcntl.F_SETPIPE_SZ, PIPE)
            events: queue.Queue[dict] = queue.Queue()
            reader = threading.Thread(target=lambda: [events.put(json.loads(line)) for line in process.stdout])
            reader.start()
            self._say(after=2, calling=True)
            began = time.monotonic()
            try:
                while self._turn < len(self._dialogue.lines) and self._repeats <= REPEATS:
                    self._step(process.stdin.fileno())
                    while not events.empty():
                        self._take(events.get())
                    if self._time > self._deadline and not len(self._speech):
                        self._missed()
                        self._say(after=0.5, calling=True)
                    time.sleep(max(0, began + self._time / self._speed - time.monotonic()))
            except BrokenPipeError:
                raise Fault(UNAVAILABLE, f"hotword run ended with {process.wait()}") from None
            process.stdin.close()
            reader.join()
        self.result.is_right = self.result.executed == self._dialogue.executed
        return self.result

    def _step(self, descriptor: int) -> None:
        os.write(descriptor, self._room.step(self._speech[:STEP]))
        self._speech = self._speech[STEP:]
        self._time += STEP / RATE

    def _say(self, after: float, calling: bool) -> None:
        line = self._dialogue.lines[self._turn]
        parts = [_silence(after)]
        if self._repeats:
            parts += [self._voice.say("computer"), _silence(SLOW_PAUSE)] if calling else []
            parts += [self._voice.say(line, SLOW)]
        else:
            parts += [self._voice.say(f"computer, {line}" if calling else line)]
        self._speech = np.concatenate(parts)
        self._has_intent = False
        self._deadline = self._time + len(self._speech) / RATE + 12

    def _missed(self) -> None:
        self._repeats += 1
        self.result.misheard.append(self._dialogue.lines[self._turn])

    def _take(self, event: dict) -> None:
        match event["event"]:
            case "transcript":
                self.result.transcripts.append(event["text"])
            case "intent":
                self._judge(outcome(event))
            case "listening" if self._has_intent and self._is_talking:
                self._say(after=0.4, calling=False)
            case "idle" if self._is_talking:
                if not self._has_intent and not len(self._speech):
                    self._missed()
                if self._repeats <= REPEATS:
                    self._say(after=1, calling=True)

    @property
    def _is_talking(self) -> bool:
        return self._turn < len(self._dialogue.lines)

    def _judge(self, found: tuple) -> None:
        self._has_intent = True
        if found[0] == "ready" and found[1] != FALLBACK:
            self.result.executed.append(found)
        if found == self._dialogue.meant[self._turn]:
            self._turn += 1
            self._repeats = 0
        else:
            self._missed()
