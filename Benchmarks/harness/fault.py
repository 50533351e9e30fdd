"""Errors for the user: one line and an exit code as in BSD's sysexits.h."""

USAGE = 64
BAD_DATA = 65
NO_INPUT = 66
UNAVAILABLE = 69
INPUT_OUTPUT = 74


class Fault(Exception):
    """Ends the program with `message` on standard error and `code` as its status."""

    def __init__(self, code: int, message: str):
        super().__init__(message)
        self.code = code
