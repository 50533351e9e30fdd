"""openWakeWord from PyPI, on onnxruntime. Older packages include models; newer ones need `--rival-models`."""

import importlib
import inspect
import sys
from pathlib import Path
from typing import Iterator

from worker import chunks, main, unavailable

RATE = 16_000
CHUNK = 1280
FLOOR = 0.005


def model_file(package: Path, word: str, models: str | None) -> Path:
    folders = ([Path(models)] if models else []) + [package / "resources" / "models"]
    for folder in folders:
        for path in sorted(folder.glob(f"{word}*.onnx"), reverse=True):
            if path.stem == word or path.stem.startswith(f"{word}_v"):
                return path
    unavailable(f"no model {word}*.onnx in {' or '.join(map(str, folders))}")


def events(word: str, stream: str, models: str | None) -> Iterator[tuple[float, float]]:
    # This file has the same name as the package; the import must find the package.
    sys.path.pop(0)
    sys.modules.pop("openwakeword", None)
    try:
        package = importlib.import_module("openwakeword")
        numpy = importlib.import_module("numpy")
    except ImportError as error:
        unavailable(f"not installed: {error}")
    path = model_file(Path(package.__file__).parent, word, models)
    options = {}
    if "inference_framework" in inspect.signature(package.Model.__init__).parameters:
        options["inference_framework"] = "onnx"
    model = package.Model([str(path)], **options)
    for index, data in enumerate(chunks(stream, CHUNK)):
        score = float(next(iter(model.predict(numpy.frombuffer(data, numpy.int16)).values())))
        if score >= FLOOR:
            yield (index + 1) * CHUNK / RATE, score


main(events)
