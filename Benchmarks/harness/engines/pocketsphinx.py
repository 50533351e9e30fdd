"""PocketSphinx's keyphrase search: Debian's library with its English model.

The phrase is searched once with a very low threshold. The search does not depend on the threshold, and each detection includes the
ratio that is compared with it, so one pass is sufficient for all thresholds.
"""

import ctypes
from pathlib import Path
from typing import Iterator

from worker import chunks, main, unavailable

MODEL = Path("/usr/share/pocketsphinx/model/en-us")
RATE = 16_000
CHUNK = RATE // 10
LEAST = "1e-50"
"""The lowest reported ratio."""
DECADES_PER_UNIT = 1024 * 4.342944798e-05
"""The unit of a score, 1024 steps of the logarithm to base 1.0001, in powers of ten."""
OFFSET = 1500
"""The value that the library subtracts from the score of a detection."""


def library() -> ctypes.CDLL:
    try:
        sphinx = ctypes.CDLL("libpocketsphinx.so.3")
        ctypes.CDLL("libsphinxbase.so.3", mode=ctypes.RTLD_GLOBAL)
    except OSError:
        unavailable("libpocketsphinx.so.3 is not installed; install Debian's libpocketsphinx3")
    pointer = ctypes.c_void_p
    for name in ("ps_args", "cmd_ln_parse_r", "ps_init", "ps_seg_iter"):
        getattr(sphinx, name).restype = pointer
    sphinx.cmd_ln_parse_r.argtypes = [pointer, pointer, ctypes.c_int32, ctypes.c_void_p, ctypes.c_int]
    sphinx.ps_init.argtypes = [pointer]
    sphinx.ps_process_raw.argtypes = [pointer, ctypes.c_char_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int]
    for name in ("ps_start_utt", "ps_seg_iter", "ps_seg_free"):
        getattr(sphinx, name).argtypes = [pointer]
    sphinx.ps_seg_frames.argtypes = [pointer, pointer, pointer]
    sphinx.ps_seg_prob.argtypes = [pointer] * 4
    return sphinx


def decoder(sphinx: ctypes.CDLL, phrase: str) -> int:
    dictionary = MODEL / "cmudict-en-us.dict"
    if not dictionary.exists():
        unavailable(f"{dictionary} is not installed; install Debian's pocketsphinx-en-us")
    with dictionary.open() as lines:
        known = {line.split(" ", 1)[0] for line in lines}
    for part in phrase.split():
        if part not in known:
            unavailable(f"'{part}' is not in its dictionary")
    settings = {
        "-hmm": str(MODEL / "en-us"), "-dict": str(dictionary), "-keyphrase": phrase, "-kws_threshold": LEAST,
        "-logfn": "/dev/null",
    }
    words = [word.encode() for word in ["pocketsphinx", *(word for pair in settings.items() for word in pair)]]
    arguments = (ctypes.c_char_p * len(words))(*words)
    config = sphinx.cmd_ln_parse_r(None, sphinx.ps_args(), len(words), arguments, 1)
    result = sphinx.ps_init(config) if config else None
    if not result:
        unavailable(f"PocketSphinx cannot be started for '{phrase}'")
    return result


def events(word: str, stream: str, _: str | None) -> Iterator[tuple[float, float]]:
    sphinx = library()
    spotter = decoder(sphinx, word.replace("_", " "))
    sphinx.ps_start_utt(spotter)
    start, end = ctypes.c_int(), ctypes.c_int()
    latest = None
    for index, data in enumerate(chunks(stream, CHUNK)):
        sphinx.ps_process_raw(spotter, data, CHUNK, 0, 0)
        segment = sphinx.ps_seg_iter(spotter)
        if not segment:
            continue
        # The latest detection. Its frames do not measure time, as silence is not searched, but they distinguish it from the one before.
        sphinx.ps_seg_frames(segment, ctypes.byref(start), ctypes.byref(end))
        found = (sphinx.ps_seg_prob(segment, None, None, None), end.value - start.value)
        sphinx.ps_seg_free(segment)
        if found != latest:
            latest = found
            yield (index + 1) * CHUNK / RATE, (found[0] + OFFSET) * DECADES_PER_UNIT


main(events)
