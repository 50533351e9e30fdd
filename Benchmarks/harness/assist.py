"""Runs of an Assist pipeline of Home Assistant: typed orders, and recordings in real time as a satellite sends them."""

import asyncio
import time
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .audio import RATE
from .fault import UNAVAILABLE, Fault
from .homeassistant import HomeAssistant

CHUNK = 320
"""Samples that are sent at once."""
LONGEST = 30.0
"""Seconds in which a run must end after the speech."""


@dataclass
class Run:
    """The events of a run with their times, which are those of `time.monotonic`."""

    begin: float = 0
    """When the first sample was spoken."""
    seconds: float = 0
    """Of audio that was sent."""
    events: list[tuple[float, str, dict[str, Any]]] = field(default_factory=list)

    def event(self, kind: str) -> tuple[float, dict[str, Any]] | None:
        return next(((at, data) for at, name, data in self.events if name == kind), None)

    @property
    def text(self) -> str:
        found = self.event("stt-end")
        return found[1]["stt_output"]["text"] if found else ""

    @property
    def error(self) -> str | None:
        found = self.event("error")
        return found[1]["code"] if found else None

    @property
    def response(self) -> dict[str, Any]:
        found = self.event("intent-end")
        return found[1]["intent_output"]["response"] if found else {}


class Pipelines:
    """The pipelines that a benchmark adds, and their runs. Each run belongs to a device, whose area it has and which has its timers."""

    NAME = "hotword benchmark"

    def __init__(self, home: HomeAssistant):
        self._home = home

    async def clear(self) -> None:
        for pipeline in (await self._home.command("assist_pipeline/pipeline/list"))["pipelines"]:
            if pipeline["name"].startswith(self.NAME):
                await self._home.command("assist_pipeline/pipeline/delete", pipeline_id=pipeline["id"])

    async def add(self, speech: str | None, agent: str, wake: str | None = None, word: str | None = None) -> str:
        added = await self._home.command(
            "assist_pipeline/pipeline/create", name=f"{self.NAME} {time.monotonic_ns()}", language="en",
            stt_engine=speech, stt_language="en" if speech else None, conversation_engine=agent, conversation_language="en",
            tts_engine=None, tts_language=None, tts_voice=None, wake_word_entity=wake, wake_word_id=word)  # fmt: skip
        return added["id"]

    async def type(self, pipeline: str, text: str, device: str) -> Run:
        """Runs a pipeline on a text."""
        return (await self._start(pipeline, "intent", device, {"text": text})).run

    async def say(self, pipeline: str, samples: np.ndarray, device: str) -> Run:
        """Runs a pipeline on a recording, with a quiet room after it until the run has the text."""
        started = await self._start(pipeline, "stt", device, {"sample_rate": RATE})
        room = np.random.default_rng(len(samples)).normal(0, 2e-4, len(samples) + round(LONGEST * RATE))
        room[: len(samples)] += samples
        await started.stream((np.clip(room, -1, 1) * 32767).astype("<i2"))
        return started.run

    async def wake(self, pipeline: str, device: str) -> "_Started":
        """Starts a run that waits for the wake word in `stream`."""
        return await self._start(pipeline, "wake_word", device, {"sample_rate": RATE, "timeout": 0})

    async def _start(self, pipeline: str, stage: str, device: str, data: dict[str, Any]) -> "_Started":
        started = _Started(self._home)
        await self._home.command(
            "assist_pipeline/run", on=started.handle, start_stage=stage, end_stage="intent", pipeline=pipeline,
            device_id=device, input=data, timeout=300)  # fmt: skip
        if stage == "intent":
            await asyncio.wait_for(started.ended.wait(), LONGEST)
        else:
            await asyncio.wait_for(started.ready.wait(), LONGEST)
        return started


class _Started:
    """A run that has been started."""

    def __init__(self, home: HomeAssistant):
        self.run = Run()
        self.ready, self.heard, self.ended = asyncio.Event(), asyncio.Event(), asyncio.Event()
        self._home = home

    def handle(self, event: dict[str, Any]) -> None:
        kind, data = event["type"], event.get("data") or {}
        self.run.events.append((time.monotonic(), kind, data))
        if kind == "run-start":
            self._handler = (data.get("runner_data") or {}).get("stt_binary_handler_id")
            self.ready.set()
        if kind in ("stt-vad-end", "stt-end", "error", "run-end"):
            self.heard.set()
        if kind == "run-end":
            self.ended.set()

    async def stream(self, samples: np.ndarray) -> bool:
        """Sends samples of 16 bits in real time until Home Assistant has the end of the speech, and waits for the end of the run.

        Returns whether there was speech before the samples ended.
        """
        self.run.begin = time.monotonic()
        for start in range(0, len(samples), CHUNK):
            await asyncio.sleep(max(0, self.run.begin + (start + CHUNK) / RATE - time.monotonic()))
            if self.heard.is_set():
                break
            await self.send(samples[start : start + CHUNK].tobytes())
            self.run.seconds = (start + CHUNK) / RATE
        hasHeard = self.heard.is_set()
        if not hasHeard:
            await self.send(b"")
        try:
            await asyncio.wait_for(self.ended.wait(), LONGEST)
        except TimeoutError:
            raise Fault(UNAVAILABLE, "a run of the pipeline has not ended") from None
        return hasHeard

    async def send(self, data: bytes) -> None:
        await self._home.send(bytes([self._handler]) + data)
