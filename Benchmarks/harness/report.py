"""The results of a comparison: a table, and all data as JSON."""

import json
import os
from dataclasses import dataclass
from pathlib import Path

from . import intervals
from .conditions import Condition
from .curve import AFTER, BEFORE, RATES, Curve, Point
from .engine import SHIPPED_THRESHOLDS, Run
from .peaks import REFRACTORY
from .stream import LEVEL, Stream


@dataclass(frozen=True)
class Result:
    """One engine on one stream."""

    word: str
    condition: Condition
    engine: str
    stream: Stream
    curve: Curve
    run: Run

    @property
    def shipped(self) -> Point | None:
        """The point at the default threshold of the engine."""
        threshold = SHIPPED_THRESHOLDS.get(self.engine)
        return None if threshold is None else self.curve.at(threshold)

    @property
    def cpu(self) -> float:
        """The CPU seconds per second of audio."""
        return self.run.cpu / self.stream.duration

    def json(self) -> dict:
        noted = max(4, int(RATES[-1] * self.curve.hours))
        return {
            "word": self.word,
            "condition": self.condition.name,
            "snr": self.condition.snr,
            "engine": self.engine,
            "utterances": len(self.stream.utterances),
            "hours": round(self.stream.hours, 4),
            "rates": [{"atMost": rate} | self.curve.at_rate(rate).json() for rate in RATES],
            "shipped": self.shipped.json() if self.shipped else None,
            "medianLag": round(sorted(self.curve.lags)[len(self.curve.lags) // 2], 3) if self.curve.lags else None,
            "cpuPerSecond": round(self.cpu, 5),
            "peakMemory": self.run.memory,
            "loudestAlarms": [
                {"score": round(score, 6), "at": round(at, 2)} | self.stream.source(at)
                for at, score in self.curve.alarms[:noted]
            ],
            "leastHits": [
                {"score": score, "file": utterance.path}
                for utterance, score in sorted(
                    zip(self.stream.utterances, self.curve.hits), key=lambda pair: -1e9 if pair[1] is None else pair[1]
                )[:20]
            ],
        }


class Report:
    """Collects results one at a time."""

    def __init__(self, data: Path, seed: int):
        self.data = data
        self.seed = seed
        self.results: list[Result] = []
        self.skipped: dict[tuple[str, str], str] = {}

    def skip(self, engine: str, word: str, reason: str) -> None:
        """Records why an engine was not run."""
        self.skipped[engine, word] = reason

    def add(self, word: str, condition: Condition, engine: str, stream: Stream, curve: Curve, run: Run) -> str:
        """Adds a result and returns a summary."""
        result = Result(word, condition, engine, stream, curve, run)
        self.results.append(result)
        point = curve.at_rate(0.5)
        return f"missed {_percent(point)} at 0.5 false alarms per hour, {100 * result.cpu:.2f} % of a core"

    def write(self, folder: Path) -> None:
        """Writes `table.md` and `results.json`; raises `OSError`."""
        summary = {
            "data": str(self.data),
            "seed": self.seed,
            "window": [-BEFORE, AFTER],
            "refractory": REFRACTORY,
            "results": [result.json() for result in self.results],
            "skipped": [
                {"engine": engine, "word": word, "reason": reason} for (engine, word), reason in self.skipped.items()
            ],
        }
        _replace(folder / "results.json", json.dumps(summary, indent=1) + "\n")
        _replace(folder / "table.md", self.table())

    def table(self) -> str:
        """Returns all results as Markdown."""
        lines = [f"# Accuracy on `{self.data}`, seed {self.seed}", "", *self._notes(), ""]
        head = ["word", "", "engine", *(f"≤ {rate:g} /h" for rate in RATES), "as shipped", "CPU %", "MB"]
        lines += ["| " + " | ".join(head) + " |", "|---" * len(head) + "|"]
        lines += [_row(result) for result in self.results]
        lines += self._means()
        lines += [f"\nNot run: {engine} on {word}: {reason}." for (engine, word), reason in self.skipped.items()]
        return "\n".join(lines) + "\n"

    def _notes(self) -> list[str]:
        hours = [result.stream.hours for result in self.results] or [0.0]
        shortest = min(hours)
        counted = "; ".join(
            f"≤ {rate:g} /h: {int(rate * shortest + 1e-9)} alarms, {low:.2f}–{high:.2f} per hour"
            for rate in RATES
            if shortest
            for low, high in [intervals.rate(int(rate * shortest + 1e-9), shortest)]
        )
        return [
            "Miss rates at the lowest threshold within each limit of false alarms per hour, with 95 % intervals (Wilson).",
            f"{shortest:.2f}–{max(hours):.2f} h of background per stream; false alarms allowed in the shortest stream, and the rates that they"
            f" represent (95 %, Poisson): {counted}.",
            f"A detection is the one event at most {BEFORE:g} s before and {AFTER:g} s after the end of the word; every event"
            f" elsewhere in the background, {REFRACTORY:g} s from a stronger one, is a false alarm. The level of words and background is {LEVEL:g} dBFS.",
            "",
            "**If an engine was trained on any of these recordings, the results are its best case, not its accuracy for"
            " other speakers.** For hotword's models, see their cards.",
        ]

    def _means(self) -> list[str]:
        lines = []
        groups: dict[tuple[Condition, str], list[Result]] = {}
        for result in self.results:
            groups.setdefault((result.condition, result.engine), []).append(result)
        for (condition, engine), results in groups.items():
            if len(results) < 2:
                continue
            rates = [
                f"{100 * sum(result.curve.at_rate(rate).miss_rate for result in results) / len(results):.1f} %"
                for rate in RATES
            ]
            shipped = [result.shipped for result in results if result.shipped]
            cell = "–"
            if shipped:
                missed = 100 * sum(point.miss_rate for point in shipped) / len(shipped)
                alarms = sum(point.alarms for point in shipped) / sum(point.hours for point in shipped)
                cell = f"{missed:.1f} %, {alarms:.2f} /h"
            cpu = 100 * sum(result.cpu for result in results) / len(results)
            memory = max(result.run.memory for result in results) / 1e6
            name = f"mean of {len(results)} words"
            lines.append(
                f"| {name} | {condition.name} | {engine} | {' | '.join(rates)} | {cell} | {cpu:.2f} | {memory:.0f} |"
            )
        return lines


def _percent(point: Point) -> str:
    low, high = intervals.share(point.missed, point.utterances)
    return f"{100 * point.miss_rate:.1f} % ({100 * low:.1f}–{100 * high:.1f})"


def _row(result: Result) -> str:
    rates = " | ".join(_percent(result.curve.at_rate(rate)) for rate in RATES)
    point = result.shipped
    shipped = f"{100 * point.miss_rate:.1f} %, {point.alarms_per_hour:.2f} /h" if point else "–"
    return (
        f"| {result.word} ({len(result.curve.hits)}) | {result.condition.name} | {result.engine} | {rates} | {shipped}"
        f" | {100 * result.cpu:.2f} | {result.run.memory / 1e6:.0f} |"
    )


def _replace(path: Path, text: str) -> None:
    part = path.with_name(path.name + ".part")
    part.write_text(text, encoding="utf-8")
    os.replace(part, path)
