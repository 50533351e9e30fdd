"""The folders and file names under the target folder."""

import re
from pathlib import Path, PurePosixPath

from .item import Item

OTHER_NAMES = {
    "cwilso/web-audio-samples": "cwilso-web-audio-samples",
    "BluePython339/asr_experiment": "common-voice-1-test",
    "leeyide96/transcription-generator": "common-voice-1-dev",
    "korliu/whisper": "common-voice-13",
    "shubhra-cv/18": "common-voice-18",
    "shubhra-cv/19": "common-voice-19",
    "shubhra-cv/17": "common-voice-20",
    "omnilingo/rsample-100-cv-corpus-6.1-2020-12-11": "common-voice-6-languages",
    "PrernaSocity/lj_speech_dataset_part_1": "lj-speech",
}
"""The folders of repositories that share their name with another one, or whose name does not say what they contain."""


def folder(target: Path, repository: str, use: str, language: str) -> Path:
    """Returns the folder of a source; its name is that of the source."""
    source = OTHER_NAMES.get(repository) or repository.split("/")[-1]
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
