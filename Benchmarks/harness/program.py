"""What all benchmarks share as programs: their arguments and their end."""

import argparse
import sys
from collections.abc import Callable
from typing import NoReturn

from .fault import INPUT_OUTPUT, USAGE, Fault


class Parser(argparse.ArgumentParser):
    """Throws a fault where an option is wrong; options are never abbreviated."""

    def __init__(self, name: str, description: str | None):
        super().__init__(prog=name, description=description, allow_abbrev=False)

    def error(self, message: str) -> NoReturn:
        raise Fault(USAGE, f"{message}; --help lists the options")


def run(name: str, main: Callable[[], None]) -> None:
    """Calls `main`; ends with one line on standard error and an exit code where it fails."""
    try:
        main()
    except Fault as fault:
        print(f"{name}: {fault}", file=sys.stderr)
        sys.exit(fault.code)
    except OSError as error:
        reason = error.strerror or str(error)
        print(f"{name}: {error.filename}: {reason}" if error.filename else f"{name}: {reason}", file=sys.stderr)
        sys.exit(INPUT_OUTPUT)
    except KeyboardInterrupt:
        sys.exit(130)
