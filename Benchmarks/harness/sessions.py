"""The recordings of a folder by word and session: `sessions.tsv` with the columns path and session."""

import csv
from pathlib import Path

from .fault import NO_INPUT, Fault


def sessions(recordings: Path) -> dict[tuple[str, str], list[Path]]:
    """Returns the paths of each word's sessions, in the order of the table."""
    table = recordings / "sessions.tsv"
    if not table.is_file():
        raise Fault(NO_INPUT, f"{table}: file not found; it needs the columns path and session")
    found: dict[tuple[str, str], list[Path]] = {}
    with table.open() as file:
        for row in csv.DictReader(file, delimiter="\t"):
            found.setdefault((row["path"].split("/")[0], row["session"]), []).append(recordings / row["path"])
    return dict(sorted(found.items()))
