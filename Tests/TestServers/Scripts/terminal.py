"""Runs a command on a pseudo-terminal and prints, as one JSON line, its output and the state of the terminal afterwards.

usage: terminal.py COLUMNSxROWS STEP… -- COMMAND…

A step is a number of seconds to read for, until:TEXT to read until the output since the step before contains TEXT (30 s at
most), key:TEXT to type, signal:NAME to send, stop: SIGTSTP, and then SIGCONT once it has stopped, or close to close the terminal.
"""

import fcntl
import json
import os
import pty
import select
import signal
import struct
import sys
import termios
import time

separator = sys.argv.index("--")
columns, rows = (int(part) for part in sys.argv[1].split("x"))
steps, command = sys.argv[2:separator], sys.argv[separator + 1 :]

start, ready = os.pipe()
child, terminal = pty.fork()
if child == 0:
    # Once the terminal has its size.
    os.read(start, 1)
    os.execvp(command[0], command)

fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
before = termios.tcgetattr(terminal)
os.write(ready, b"1")
output = b""
result = {}


def listen(seconds):
    global output
    deadline = time.monotonic() + seconds
    if terminal is None:
        return time.sleep(seconds)
    while (left := deadline - time.monotonic()) > 0:
        if not select.select([terminal], [], [], left)[0]:
            return
        try:
            piece = os.read(terminal, 65536)
        except OSError:
            return
        if not piece:
            return
        output += piece


seen = 0
for step in steps:
    kind, _, text = step.partition(":")
    if kind == "until":
        deadline = time.monotonic() + 30
        while text.encode() not in output[seen:] and time.monotonic() < deadline:
            listen(0.05)
        seen = len(output)
    elif kind == "key":
        os.write(terminal, text.encode())
    elif kind == "signal":
        os.kill(child, getattr(signal, "SIG" + text))
    elif kind == "stop":
        os.kill(child, signal.SIGTSTP)
        os.waitpid(child, os.WUNTRACED)
        listen(0.2)
        result["restoredMeanwhile"] = termios.tcgetattr(terminal) == before
        result["leftMeanwhile"] = output.endswith(b"\x1b[?1049l")
        os.kill(child, signal.SIGCONT)
        listen(0.5)
        result["setUpAgain"] = termios.tcgetattr(terminal) != before
    elif kind == "close":
        os.close(terminal)
        terminal = None
    else:
        listen(float(kind))

deadline = time.monotonic() + 10
while True:
    ended, status = os.waitpid(child, os.WNOHANG)
    if ended:
        break
    if time.monotonic() > deadline:
        os.kill(child, signal.SIGKILL)
    listen(0.1)
listen(0.2)
result["code"] = os.waitstatus_to_exitcode(status)
result["restored"] = terminal is not None and termios.tcgetattr(terminal) == before
result["left"] = output.endswith(b"\x1b[?1049l")
result["bytes"] = len(output)
result["output"] = output.decode("utf-8", "replace")
print(json.dumps(result))
