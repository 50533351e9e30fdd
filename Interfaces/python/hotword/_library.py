"""The functions of hotword.h, by ctypes."""

from __future__ import annotations

import ctypes
import functools
import os


class HitStructure(ctypes.Structure):
    _fields_ = [
        ("hotword", ctypes.c_int),
        ("start", ctypes.c_double),
        ("end", ctypes.c_double),
        ("score", ctypes.c_double),
    ]


_handle = ctypes.c_void_p
_number = ctypes.c_int
_real = ctypes.c_double
_text = ctypes.c_char_p
_FUNCTIONS = {
    "hotword_create": (_handle, [ctypes.POINTER(_text), ctypes.POINTER(_real), _number]),
    "hotword_destroy": (None, [_handle]),
    "hotword_run": (_number, [_handle, ctypes.POINTER(ctypes.c_int16), _number]),
    "hotword_finish": (_number, [_handle]),
    "hotword_next_hit": (_number, [_handle, ctypes.POINTER(HitStructure)]),
    "hotword_reset": (_number, [_handle]),
    "hotword_set_sensitivity": (_number, [_handle, _number, _real]),
    "hotword_set_audio_gain": (_number, [_handle, _real]),
    "hotword_score": (_real, [_handle, _number]),
    "hotword_count": (_number, [_handle]),
    "hotword_name": (_text, [_handle, _number]),
    "hotword_phrase": (_text, [_handle, _number]),
    "hotword_last_error": (_text, []),
    "hotword_version": (_text, []),
}


class HotwordError(ValueError):
    """libhotword is missing, or a call of it failed; the message names the fault and the fix."""


@functools.lru_cache(maxsize=1)
def library() -> ctypes.CDLL:
    """libhotword, from $LIBHOTWORD or where the system looks for libraries."""
    name = os.environ.get("LIBHOTWORD") or "libhotword.so.0"
    try:
        loaded = ctypes.CDLL(name)
    except OSError as error:
        raise HotwordError(f"{error}; install the package libhotword0, or set LIBHOTWORD to the path of libhotword.so.0") from None
    for function, (result, arguments) in _FUNCTIONS.items():
        if not hasattr(loaded, function):
            raise HotwordError(f"{name}: is no libhotword: it lacks {function}; set LIBHOTWORD to the path of libhotword.so.0")
        getattr(loaded, function).restype = result
        getattr(loaded, function).argtypes = arguments
    return loaded
