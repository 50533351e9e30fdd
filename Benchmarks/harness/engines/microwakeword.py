"""microWakeWord, from the PyPI package pymicro-wakeword, which includes a few models."""

from pathlib import Path
from typing import Iterator

from worker import chunks, main, unavailable

RATE = 16_000
CHUNK = 160
FLOOR = 0.005


def events(word: str, stream: str, models: str | None) -> Iterator[tuple[float, float]]:
    try:
        import pymicro_wakeword
    except ImportError as error:
        unavailable(f"not installed: {error}")
    folders = ([Path(models)] if models else []) + [Path(pymicro_wakeword.__file__).parent / "models"]
    found = [path for folder in folders if (path := folder / f"{word}.json").exists()]
    if not found:
        unavailable(f"no model {word}.json in {' or '.join(map(str, folders))}")
    model = pymicro_wakeword.MicroWakeWord.from_config(found[0])
    front_end = pymicro_wakeword.MicroWakeWordFeatures()
    for index, data in enumerate(chunks(stream, CHUNK)):
        for features in front_end.process_streaming(data):
            score = model.process_streaming_prob(features)
            if score is not None and score >= FLOOR:
                yield (index + 1) * CHUNK / RATE, float(score)


main(events)
