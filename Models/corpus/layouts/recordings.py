"""Reads the recordings of a repository and leaves out those that cannot be used."""

from collections.abc import Iterable, Iterator

import numpy as np

from .audio import RATE, decode, is_silent
from .clone import Repository
from .item import Item

SHORTEST_ROOM = 0.01
"""The minimum length of a room response, in seconds."""


def readable(repo: Repository, items: Iterable[Item], room: bool, left_out: dict[str, int]) -> Iterator[tuple[Item, np.ndarray]]:
    """Returns each usable recording with its samples; counts the others in `left_out` by the reason."""
    seen = set()
    for item in items:
        if item.path not in repo.blobs or repo.blobs[item.path] in seen:
            left_out["twice or unlisted"] += 1
            continue
        seen.add(repo.blobs[item.path])
        data = repo.read(item.path)
        samples = None if data is None else decode(data, room)
        if data is None:
            left_out["absent"] += 1
        elif samples is None:
            left_out["unreadable"] += 1
        elif len(samples) < (SHORTEST_ROOM if room else item.shortest) * RATE:
            left_out["too short"] += 1
        elif not room and is_silent(samples):
            left_out["silent"] += 1
        else:
            yield item, samples
