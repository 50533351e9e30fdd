"""Draws the curves with gnuplot: a row for each condition, a column for each word."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from .engine import NAMES
from .fault import INPUT_OUTPUT, Fault
from .report import Report, Result

COLOURS = dict(zip(NAMES, ["#0060ad", "#dd8800", "#2a9d3a", "#aa3377"]))


def draw(report: Report, path: Path) -> None:
    """Draws the miss rate against false alarms per hour; prints a message if gnuplot is not installed."""
    if not shutil.which("gnuplot"):
        print("no chart: gnuplot is not installed; install Debian's gnuplot-nox", file=sys.stderr)
        return
    part = path.with_name(path.name + ".part")
    outcome = subprocess.run(["gnuplot"], input=_script(report, part), text=True, capture_output=True)
    if outcome.returncode:
        part.unlink(missing_ok=True)
        raise Fault(INPUT_OUTPUT, f"gnuplot failed: {(outcome.stderr.strip().splitlines() or ['no message'])[-1]}")
    os.replace(part, path)


def _script(report: Report, path: Path) -> str:
    words = list(dict.fromkeys(result.word for result in report.results))
    levels = list(dict.fromkeys(result.condition for result in report.results))
    left = min(0.5 / result.stream.hours for result in report.results)
    right = max(20, 20 * left)
    name = str(path).replace("'", "''")
    lines = [
        f"set terminal pngcairo size {360 * len(words) + 40},{330 * len(levels) + 60} font 'sans,10'",
        f"set output '{name}'",
        f"set multiplot layout {len(levels)},{len(words)} title 'miss rate, %, against false alarms per hour'",
        "set logscale x",
        f"set xrange [{left}:{right}]",
        "set nonlinear y via sqrt(y) inverse y*y",
        "set yrange [0:100]",
        "set xtics (0.1, 0.2, 0.5, 1, 2, 5, 10, 20)",
        "set ytics (0, 1, 2, 5, 10, 20, 40, 60, 80, 100)",
        "set grid lt 1 lc rgb '#dddddd'",
        "set key top right opaque",
    ]
    for level in levels:
        for word in words:
            results = [result for result in report.results if result.word == word and result.condition == level]
            lines.append(f"set title '{word.replace('_', ' ')}, {level.name}'")
            plots = [
                f"'-' with steps lw 2 lc rgb '{COLOURS[result.engine]}' title '{result.engine}'" for result in results
            ]
            if not plots:
                lines.append("set multiplot next")
                continue
            lines.append("plot " + ", ".join(plots))
            for result in results:
                lines += [*_steps(result, left, right), "e"]
    return "\n".join([*lines, "unset multiplot", ""])


def _steps(result: Result, left: float, right: float) -> list[str]:
    points = result.curve.points()
    # Zero false alarms cannot be drawn on a logarithmic axis: they are drawn at its left edge.
    first = result.curve.at_rate(0).miss_rate
    rows = [(left, 100 * first)]
    rows += [(point.alarms_per_hour, 100 * point.miss_rate) for point in points if point.alarms_per_hour > left]
    shown = [(x, y) for x, y in rows if x <= right]
    return [f"{x:.5f} {y:.3f}" for x, y in [*shown, (right, shown[-1][1])]]
