#!/usr/bin/env python3
"""Detects hotwords in a WAV file, or live in raw samples on standard input, using only ctypes:

    Examples/libhotword/detect.py computer alexa:0.7 -- Examples/turn-on-the-kitchen-light.wav
    arecord -q -r 16000 -c 1 -f S16_LE -t raw | Examples/libhotword/detect.py computer -- -

Prints one line per detection: name, start, end, score. If the library is not installed, set $LIBHOTWORD to its path.
"""

import ctypes
import os
import sys
import wave

library = ctypes.CDLL(os.environ.get("LIBHOTWORD", "libhotword.so.0"))


class Hit(ctypes.Structure):
    _fields_ = [("hotword", ctypes.c_int), ("start", ctypes.c_double), ("end", ctypes.c_double), ("score", ctypes.c_double)]


library.hotword_create.restype = ctypes.c_void_p
library.hotword_create.argtypes = [ctypes.POINTER(ctypes.c_char_p), ctypes.POINTER(ctypes.c_double), ctypes.c_int]
library.hotword_destroy.argtypes = [ctypes.c_void_p]
library.hotword_run.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int]
library.hotword_finish.argtypes = [ctypes.c_void_p]
library.hotword_next_hit.argtypes = [ctypes.c_void_p, ctypes.POINTER(Hit)]
library.hotword_name.restype = library.hotword_last_error.restype = ctypes.c_char_p
library.hotword_name.argtypes = [ctypes.c_void_p, ctypes.c_int]


class Detector:
    """A hotword detector of hotword.h."""

    def __init__(self, models):
        names = (ctypes.c_char_p * len(models))(*[os.fsencode(model) for model in models])
        self.detector = library.hotword_create(names, None, len(models))
        if not self.detector:
            raise ValueError(library.hotword_last_error().decode())

    def __del__(self):
        library.hotword_destroy(getattr(self, "detector", None))

    def hits(self):
        hit = Hit()
        while library.hotword_next_hit(self.detector, hit) == 1:
            yield library.hotword_name(self.detector, hit.hotword).decode(), hit.start, hit.end, hit.score

    def run(self, samples):
        """Processes the bytes of whole samples and yields the detections."""
        library.hotword_run(self.detector, samples, len(samples) // 2)
        return self.hits()

    def finish(self):
        library.hotword_finish(self.detector)
        return self.hits()


def pieces(name):
    if name != "-":
        with wave.open(name) as file:
            if (file.getframerate(), file.getnchannels(), file.getsampwidth()) != (16000, 1, 2):
                sys.exit(f"{name}: not 16 kHz, mono, 16 bit")
            while piece := file.readframes(1024):
                yield piece
        return
    rest = b""
    while piece := sys.stdin.buffer.raw.read(2048):
        piece = rest + piece
        rest = piece[len(piece) // 2 * 2 :]
        yield piece[: len(piece) // 2 * 2]


def main():
    if "--" not in sys.argv or sys.argv.index("--") != len(sys.argv) - 2:
        sys.exit(__doc__)
    try:
        detector = Detector(sys.argv[1:-2])
    except ValueError as error:
        sys.exit(f"{sys.argv[0]}: {error}")
    for piece in pieces(sys.argv[-1]):
        for hit in detector.run(piece):
            print("%s %.2f %.2f %.6f" % hit, flush=True)
    for hit in detector.finish():
        print("%s %.2f %.2f %.6f" % hit, flush=True)


main()
