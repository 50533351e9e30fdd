"""An engine's scores in time, thinned to the events that could each be one wake."""

REFRACTORY = 2.0
"""Seconds within which an engine fires once."""

Event = tuple[float, float]
"""A time in seconds from the stream's start, and a score."""


def thinned(events: list[Event]) -> list[Event]:
    """The highest event, the next highest at least the refractory time from it, and so on; in order of time."""
    taken: dict[int, Event] = {}
    for at, score in sorted(events, key=lambda event: (-event[1], event[0])):
        slot = int(at // REFRACTORY)
        near = (taken.get(slot + step) for step in (-1, 0, 1))
        if all(other is None or abs(other[0] - at) >= REFRACTORY for other in near):
            taken[slot] = (at, score)
    return [taken[slot] for slot in sorted(taken)]
