"""The folders and file names under the target folder."""

import re
from pathlib import Path, PurePosixPath

from .item import Item

SAME_NAME = {"cwilso/web-audio-samples": "cwilso-web-audio-samples"}
"""The folders of repositories that share their name with another one."""


def folder(target: Path, repository: str, use: str, language: str) -> Path:
    """Returns the folder of a source; its name is that of the source."""
    source = SAME_NAME.get(repository) or repository.split("/")[-1]
    if use == "measure":
        return target / "measure" / language / source
    return target / ("train-negatives" if use == "negatives" else use) / source


def file(item: Item) -> str:
    """Returns the path of a recording in the folder of its source."""
    name = f"{safe(item.name or PurePosixPath(item.path).stem)}.flac"
    return f"{safe(item.speaker)}/{name}" if item.speaker else name


def safe(name: str) -> str:
    """Returns a file name without slashes, short enough for every file system."""
    return re.sub(r'[/\\:*?"<>|\t\n]', "-", name).strip()[:80] or "unnamed"
