"""The engines that can be compared.

Each module is a program, `NAME.py WORD STREAM`. It prints one JSON object for each event, `{"at": seconds, "score": score}`, or it
prints in one line why it cannot run and exits with status 69. Each runs in a process of its own, so that time and memory can be
measured.
"""
