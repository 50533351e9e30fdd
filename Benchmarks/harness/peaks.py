"""Reduces an engine's scores to the events that can each be one detection."""

REFRACTORY = 2.0
"""The time in seconds in which an engine triggers only once."""

Event = tuple[float, float]
"""A time in seconds from the stream's start, and a score."""


def thinned(events: list[Event]) -> list[Event]:
    """Returns the highest event, the next highest at least the refractory time away from it, and so on, in the order of time."""
    taken: dict[int, Event] = {}
    for at, score in sorted(events, key=lambda event: (-event[1], event[0])):
        slot = int(at // REFRACTORY)
        near = (taken.get(slot + step) for step in (-1, 0, 1))
        if all(other is None or abs(other[0] - at) >= REFRACTORY for other in near):
            taken[slot] = (at, score)
    return [taken[slot] for slot in sorted(taken)]
