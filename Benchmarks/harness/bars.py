"""Draws processor time per second of audio as bars with gnuplot."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from .fault import INPUT_OUTPUT, Fault


def draw(bars: list[tuple[str, float]], title: str, path: Path) -> None:
    """Draws a bar for each name and value on a logarithmic axis; prints a message if gnuplot is not installed."""
    if not shutil.which("gnuplot"):
        print("no chart: gnuplot is not installed; install Debian's gnuplot-nox", file=sys.stderr)
        return
    part = path.with_name(path.name + ".part")
    outcome = subprocess.run(["gnuplot"], input=_script(bars, title, part), text=True, capture_output=True)
    if outcome.returncode:
        part.unlink(missing_ok=True)
        raise Fault(INPUT_OUTPUT, f"gnuplot failed: {(outcome.stderr.strip().splitlines() or ['no message'])[-1]}")
    os.replace(part, path)


def _script(bars: list[tuple[str, float]], title: str, path: Path) -> str:
    count = len(bars)
    lowest = 0.1
    rows = list(enumerate(reversed(bars)))
    names = ", ".join(f"'{name}' {row}" for row, (name, _) in rows)
    highest = 3 * max(value for _, value in bars)
    name = str(path).replace("'", "''")
    lines = [
        f"set terminal pngcairo size 760,{60 + 34 * count} font 'sans,10'",
        f"set output '{name}'",
        f"set title '{title}'",
        "set logscale x",
        f"set xrange [{lowest}:{highest}]",
        f"set yrange [-0.6:{count - 0.4}]",
        f"set ytics ({names})",
        "set grid xtics lt 1 lc rgb '#dddddd'",
        "set style fill solid noborder",
        "unset key",
    ]
    for row, (_, value) in rows:
        lines.append(
            f"set object {row + 1} rectangle from {lowest},{row - 0.3} to {max(value, lowest)},{row + 0.3} fc rgb '#0060ad'"
        )
        lines.append(f"set label {row + 1} ' {value:.2g}' at {max(value, lowest)},{row}")
    return "\n".join([*lines, "plot -10 notitle", ""])
