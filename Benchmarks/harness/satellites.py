"""What one `hotword serve` costs that serves four satellites of a Home Assistant with wake words, text and intents."""

import asyncio
import re
import time
import wave
from pathlib import Path
from typing import Any

import numpy as np

from .assist import Pipelines
from .audio import RATE
from .wyoming import Server

COMMAND = Path(__file__).resolve().parents[2] / "Examples/turn-on-the-kitchen-light.wav"
"""A recording whose first `LENGTH` seconds are the wake word and an order."""
LENGTH = 4.5
COUNT = 4
EVERY = 16.0
"""Seconds from a command of a satellite to its next. Those of others lie between, because Home Assistant ignores a second hotword within 2 s."""
ANSWER = 5.0
"""Seconds that an order may take until it is executed."""


def _rooms(seconds: float) -> tuple[list[np.ndarray], int]:
    """Returns what the microphones of the satellites record, and the number of commands in it."""
    with wave.open(str(COMMAND)) as file:
        said = np.frombuffer(file.readframes(round(LENGTH * RATE)), "<i2")
    rooms, commands = [], 0
    for number in range(COUNT):
        room = np.random.default_rng(number).normal(0, 6, round(seconds * RATE)).astype("<i2")
        for start in np.arange(1 + EVERY * number / COUNT, seconds - LENGTH - ANSWER, EVERY):
            room[round(start * RATE) :][: len(said)] += said
            commands += 1
        rooms.append(room)
    return rooms, commands


async def _satellite(pipelines: Pipelines, pipeline: str, device: str, room: np.ndarray, begin: float) -> list[str | None]:
    """Streams to Home Assistant as a satellite without a wake word of its own; returns the responses to its commands."""
    responses = []
    while (at := round((time.monotonic() - begin) * RATE)) < len(room) - RATE:
        started = await pipelines.wake(pipeline, device)
        if await started.stream(room[at:]):
            responses.append(started.run.response.get("response_type") or started.run.error)
    return responses


def _peak(server: Server) -> float:
    status = Path(f"/proc/{server.process.pid}/status").read_text()
    return int(re.search(r"VmHWM:\s+(\d+)", status)[1]) / 1024


async def cost(pipelines: Pipelines, pipeline: str, device: str, server: Server, seconds: float) -> dict[str, Any]:
    """Returns the share of a processor, megabytes, and how many commands were said and executed."""
    rooms, said = _rooms(seconds)
    begin = time.monotonic()
    tasks = [asyncio.create_task(_satellite(pipelines, pipeline, device, room, begin)) for room in rooms]
    used = server.cpu()
    await asyncio.sleep(seconds)
    used = server.cpu() - used
    memory, peak = server.memory(), _peak(server)
    responses = [response for task in tasks for response in await task]
    return {
        "seconds": seconds, "cpu": used / seconds, "memory": memory, "peak": peak,
        "said": said, "executed": responses.count("action_done"), "responses": responses,
    }  # fmt: skip
