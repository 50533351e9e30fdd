"""Compares the events of an engine with the contents of a stream."""

from bisect import bisect_left
from dataclasses import dataclass

from . import intervals
from .peaks import Event
from .stream import Stream

RATES = [0.1, 0.5, 1, 2]
"""The false alarms per hour at which misses are reported."""
BEFORE = 0.75
AFTER = 1.5
"""A detection is at most this many seconds before or after the end of the word."""


@dataclass(frozen=True)
class Point:
    """Misses and false alarms at one threshold."""

    threshold: float
    missed: int
    utterances: int
    alarms: int
    hours: float

    @property
    def miss_rate(self) -> float:
        return self.missed / self.utterances

    @property
    def alarms_per_hour(self) -> float:
        return self.alarms / self.hours

    def json(self) -> dict:
        return {
            "threshold": round(self.threshold, 6),
            "missed": self.missed,
            "missRate": round(self.miss_rate, 4),
            "missInterval": [round(limit, 4) for limit in intervals.share(self.missed, self.utterances)],
            "falseAlarms": self.alarms,
            "falseAlarmsPerHour": round(self.alarms_per_hour, 4),
            "falseAlarmsInterval": [round(limit, 4) for limit in intervals.rate(self.alarms, self.hours)],
        }


class Curve:
    """The score of each utterance (the highest event near the end of the word, or none), and the false alarms in the background.

    The remaining content of a recording of the word is unknown: an event there that is not a detection is not counted.
    """

    def __init__(self, stream: Stream, events: list[Event]):
        self.hours = stream.hours
        self.hits: list[float | None] = [None] * len(stream.utterances)
        self.lags: list[float] = []
        self.alarms: list[Event] = []
        ends = [utterance.word_end for utterance in stream.utterances]
        lags: list[float] = [0.0] * len(ends)
        for at, score in events:
            after = bisect_left(ends, at)
            near = [index for index in (after - 1, after) if 0 <= index < len(ends)]
            index = min(near, key=lambda index: abs(ends[index] - at), default=None)
            if index is None or not -BEFORE <= at - ends[index] <= AFTER:
                if not any(stream.utterances[i].start <= at < stream.utterances[i].end for i in near):
                    self.alarms.append((at, score))
            elif self.hits[index] is None or score > self.hits[index]:
                self.hits[index] = score
                lags[index] = at - ends[index]
        self.alarms.sort(key=lambda event: -event[1])
        self.lags = [lag for lag, hit in zip(lags, self.hits) if hit is not None]

    def at(self, threshold: float) -> Point:
        """Returns the misses and false alarms of an engine that triggers at `threshold` or above."""
        missed = sum(hit is None or hit < threshold for hit in self.hits)
        alarms = sum(score >= threshold for _, score in self.alarms)
        return Point(threshold, missed, len(self.hits), alarms, self.hours)

    def at_rate(self, rate: float) -> Point:
        """Returns the point at the lowest threshold with up to `rate` counted false alarms per hour."""
        allowed = int(rate * self.hours + 1e-9)
        alarms = [score for _, score in self.alarms]
        scores = sorted({hit for hit in self.hits if hit is not None} | set(alarms))
        barred = alarms[allowed] if allowed < len(alarms) else float("-inf")
        return self.at(next((score for score in scores if score > barred), barred + 1 if scores else 0.0))

    def points(self) -> list[Point]:
        """Returns the whole curve, with a point for each number of false alarms."""
        scores = sorted({hit for hit in self.hits if hit is not None} | {score for _, score in self.alarms})
        best: dict[int, Point] = {}
        for threshold in reversed(scores):
            point = self.at(threshold)
            best[point.alarms] = point
        return list(best.values())
