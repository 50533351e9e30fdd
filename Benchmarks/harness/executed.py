"""Executes orders in Home Assistant: the typed order in its own agent is the reference for the spoken one."""

import asyncio
import time
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from .assist import Pipelines, Run
from .effect import Effect, changes, effect
from .homeassistant import HomeAssistant
from .recordedhome import STATES, RecordedHome
from .wyomingservers import Satellite

SETTLING = 0.3
"""Seconds in which states may still change after the end of a run."""


@dataclass
class Said:
    """An order, what it should do, and what it did."""

    name: str
    text: str
    seconds: float | None
    """From the last word to the change or, for a question, the answer."""
    audio: float
    """Seconds that were sent."""
    verdict: str
    found: Effect
    error: str | None

    def json(self) -> dict[str, Any]:
        return asdict(self)


class Orders:
    """Executes orders one after another; before each, the things are in the state in which it has an effect."""

    def __init__(self, home: HomeAssistant, things: RecordedHome, pipelines: Pipelines, satellite: Satellite, device: str, own: str):
        self._home, self._things, self._pipelines = home, things, pipelines
        self._satellite, self._device, self._own = satellite, device, own
        self._meant: dict[str, tuple[str, Effect]] = {}
        self._changes: list[tuple[float, str]] = []

    async def watch(self) -> None:
        """Notes from now on when states change."""

        def note(event: dict[str, Any]) -> None:
            self._changes.append((time.monotonic(), event["data"]["entity_id"]))

        await self._home.command("subscribe_events", on=note, event_type="state_changed")

    async def _prepare(self, state: str) -> dict[str, Any]:
        await self._typed("cancel all timers")
        await self._things.set(state)
        if state != "off":
            await self._typed("set a timer for 2 hours")
        if state == "paused":
            await self._typed("pause timer")
        await asyncio.sleep(0.1)
        self._satellite.timers.clear()
        self._changes.clear()
        return await self._things.look()

    async def _typed(self, text: str) -> Run:
        return await self._pipelines.type(self._own, text, self._device)

    async def _effect(self, run: Run, before: dict[str, Any]) -> Effect:
        await asyncio.sleep(SETTLING)
        return effect(run.response, changes(before, await self._things.look()), list(self._satellite.timers))

    async def meant(self, text: str) -> tuple[str, Effect]:
        """Returns what the typed order does by Home Assistant's own agent, and the state before, the first in which it has an effect."""
        if text not in self._meant:
            found = []
            for state in STATES:
                before = await self._prepare(state)
                found.append((state, await self._effect(await self._typed(text), before)))
                if found[-1][1].acts:
                    break
            acting = [one for one in found if one[1].acts]
            answered = [one for one in found if not one[1].is_nothing]
            self._meant[text] = (acting or answered or found[1:])[0]
        return self._meant[text]

    async def say(self, pipeline: str, name: str, samples: np.ndarray, end: float) -> Said:
        """Says an order whose text is its name, in which the last word ends after `end` seconds."""
        state, meant = await self.meant(name)
        before = await self._prepare(state)
        run = await self._pipelines.say(pipeline, samples, self._device)
        found = await self._effect(run, before)
        if found.is_nothing:
            verdict = "nothing"
        else:
            verdict = "right" if found.is_as(meant) and not meant.is_nothing else "wrong"
        executed = [at for at, entity in self._changes if entity in found.changed]
        answered = run.event("intent-end")
        at = executed[0] if executed else answered[0] if answered else None
        return Said(name, run.text, at - run.begin - end if at else None, run.seconds, verdict, found, run.error)
