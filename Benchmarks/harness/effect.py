"""What an order has done in a home, and whether that is what another has done."""

import re
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Effect:
    """What an order has changed, and what was answered."""

    changed: dict[str, Any]
    timers: list[tuple[str, Any]]
    kind: str
    targets: list[str]
    answer: str

    @property
    def acts(self) -> bool:
        return bool(self.changed or self.timers)

    @property
    def is_nothing(self) -> bool:
        return not self.acts and self.kind in ("", "error")

    def is_as(self, meant: "Effect") -> bool:
        """Returns whether the same has changed and, for a question, the same is answered."""
        if meant.acts:
            return self.changed == meant.changed and self.timers == meant.timers
        return not self.acts and (self.kind, self.targets, self.answer) == (meant.kind, meant.targets, meant.answer)


def effect(response: dict[str, Any], changed: dict[str, Any], timers: list[tuple[str, Any]]) -> Effect:
    """Returns the effect of a run of a pipeline with its response, which is empty if it has none."""
    data = response.get("data", {})
    targets = sorted(target["id"] for target in data.get("success", []) if target.get("id"))
    answer = response.get("speech", {}).get("plain", {}).get("speech") or ""
    return Effect(changed, sorted(timers, key=str), response.get("response_type", ""), targets, plain(answer))


def plain(answer: str) -> str:
    """Returns the words of an answer; a time may pass between two of the same."""
    answer = re.sub(r"\d+(:\d+)+( [AP]M)?", "TIME", answer)
    return " ".join(re.findall(r"[\w%°.]+", answer.lower().replace(". ", " ").removesuffix(".")))


def changes(before: dict[str, Any], after: dict[str, Any]) -> dict[str, Any]:
    """Returns the new states of what has changed; those of scripts, scenes and tracks, which are times and counts, as true."""
    return {
        entity: True if entity.split(".")[0] in ("script", "scene") or entity.endswith("_track") else after[entity]
        for entity in after
        if after[entity] != before.get(entity)
    }
