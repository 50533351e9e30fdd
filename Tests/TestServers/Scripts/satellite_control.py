"""A program at the control socket of a satellite: PATH, then words that are written one by one, each after the answer to the last.

Prints what it reads until the satellite closes the connection.
"""
import socket
import sys

with socket.socket(socket.AF_UNIX) as control:
    control.settimeout(600)
    control.connect(sys.argv[1])
    words = sys.argv[2:]
    for line in control.makefile():
        print(line, end="", flush=True)
        if words:
            control.sendall(f"{words.pop(0)}\n".encode())
