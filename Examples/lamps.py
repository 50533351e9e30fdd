#!/usr/bin/env python3
"""Shows on a lamp what `hotword satellite --control unix:///tmp/satellite.sock` does: python3 lamps.py /tmp/satellite.sock

With gpiozero (Debian: python3-gpiozero), an RGB LED at the pins 17, 27 and 22 of a Raspberry Pi; without it, the colours are printed.
A button between pin 23 and ground acts as the hotword.
"""

import json
import socket
import sys
import time

COLOURS = {
    "wake": (0, 0, 1),
    "listening": (0, 1, 1),
    "thinking": (1, 1, 0),
    "speaking": (0, 1, 0),
    "error": (1, 0, 0),
    "muted": (0.3, 0, 0),
    "disconnected": (0.3, 0, 0.3),
    "idle": (0, 0, 0),
    "unmuted": (0, 0, 0),
    "connected": (0, 0, 0),
}

try:
    from gpiozero import RGBLED, Button

    lamp, button = RGBLED(17, 27, 22), Button(23)
except ImportError:
    lamp = button = None


def show(event: str) -> None:
    if lamp:
        lamp.color = COLOURS[event]
    else:
        print(event, COLOURS[event], flush=True)


def follow(path: str) -> None:
    muted = False
    with socket.socket(socket.AF_UNIX) as control:
        control.connect(path)
        if button:
            button.when_pressed = lambda: control.sendall(b"wake\n")
        for line in control.makefile():
            event = json.loads(line)["event"]
            if event in ("muted", "unmuted"):
                muted = event == "muted"
            if event in COLOURS:
                show("muted" if muted and COLOURS[event] == (0, 0, 0) else event)
            if event == "error":
                time.sleep(1)  # Else the next event would hide it.


def main() -> None:
    if len(sys.argv) != 2:
        sys.exit("usage: lamps.py SOCKET, the path given to hotword satellite --control")
    while True:
        try:
            follow(sys.argv[1])
        except OSError as error:
            print(f"lamps.py: {sys.argv[1]}: {error.strerror}; retrying", file=sys.stderr)
        show("disconnected")
        time.sleep(2)


main()
