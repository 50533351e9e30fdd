"""Runs an engine with Mycroft's own client over a raw recording; prints the seconds at which it is activated."""

import sys

from precise_runner.runner import PreciseEngine, TriggerDetector

log, engine, model, size, recording = sys.argv[1:]
size = int(size)
runner = PreciseEngine(engine, model, size)
detector = TriggerDetector(size)
runner.start()
position = 0
with open(recording, "rb") as file:
    while len(chunk := file.read(size)) == size:
        position += size
        if detector.update(runner.get_prediction(chunk)):
            print(position / 32000, flush=True)
runner.stop()
