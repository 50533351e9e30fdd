"""The common part of the engines' programs: the stream in chunks, and events on standard output."""

import json
import sys
import wave
from typing import Callable, Iterable, Iterator, NoReturn

UNAVAILABLE = 69


def unavailable(reason: str) -> NoReturn:
    """Exits: the engine is not installed or has no model of the word."""
    print(reason, file=sys.stderr)
    sys.exit(UNAVAILABLE)


def chunks(path: str, samples: int) -> Iterator[bytes]:
    """Yields the stream's audio, 16-bit 16 kHz mono, in chunks of this many samples; a shorter rest is omitted."""
    with wave.open(path, "rb") as file:
        while len(data := file.readframes(samples)) == 2 * samples:
            yield data


def main(events: Callable[[str, str, str | None], Iterable[tuple[float, float]]]) -> None:
    """Runs `events(word, stream, folder of models or None)` and prints its results."""
    word, stream, *models = sys.argv[1:]
    for at, score in events(word, stream, models[0] if models else None):
        print(json.dumps({"at": round(at, 3), "score": round(score, 6)}))
