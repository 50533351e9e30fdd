"""Speech without a text, to train on as speech that contains no phrase."""

import csv
import io
from collections.abc import Iterator
from pathlib import PurePosixPath

from .clone import Repository
from .item import UNKNOWN, Item
from .training_speech import alphanumeric_rows, dspspeech


def dspspeech_chinese(repo: Repository) -> Iterator[Item]:
    return dspspeech(repo, False)


def alphanumeric_addresses(repo: Repository) -> Iterator[Item]:
    """Addresses: how the numbers in them were said is not written down, so no transcript."""
    for path, kind, row in alphanumeric_rows(repo):
        if kind == "Addresses":
            yield Item(path, row["Response_ID"], "address")


def hong_kong_stories(repo: Repository) -> Iterator[Item]:
    """Only stories under CC BY; readers are numbered in the order of their names."""
    licences, readers = {}, {}
    for line in repo.text("SOURCES.md").splitlines():
        cells = [cell.strip() for cell in line.split("|")]
        licences[cells[0]] = "/licenses/by/" in cells[-1]
    for line in repo.text("README.md").splitlines():
        cells = [cell.strip() for cell in line.split("|")]
        if cells[0] == "yue" and len(cells) == 3:
            readers[cells[1]] = cells[2]
    numbers = {reader: f"reader{number:02}" for number, reader in enumerate(sorted(set(readers.values())), 1)}
    for path, match in repo.files(r"audio/yue/([^/]+)/mp3/(\d+)\.mp3"):
        story = match[1]
        if licences.get(story):
            yield Item(path, numbers.get(readers.get(story), UNKNOWN), f"{story}_{match[2]}")


def arabic_commands(repo: Repository) -> Iterator[Item]:
    """dataset/WORD/SPEAKER_NO_N.wav"""
    for path, match in repo.files(r"dataset/([^/]+)/(\d+)_NO_(\d+)\.wav"):
        yield Item(path, match[2], f"{match[1].replace(' ', '-')}_{match[3]}")


def spanish_names(repo: Repository) -> Iterator[Item]:
    """One folder a person: Dataset/PERSON/recordingN.wav; the folders student-said-N are little but hum."""
    for path, match in repo.files(r"Dataset/((?!student-said)[^/]+)/(recording\d+)\.wav"):
        yield Item(path, match[1].replace(" ", "-"))


def pao(repo: Repository) -> Iterator[Item]:
    speakers = {row["filename"]: row["speaker_id"] for row in csv.DictReader(io.StringIO(repo.text("metadata.csv")))}
    for path, match in repo.files(r"audio/(\w+)/([^/]+)\.wav"):
        yield Item(path, speakers.get(PurePosixPath(path).name) or "S00", f"{match[1]}_{match[2]}")


def voice_conversion(repo: Repository) -> Iterator[Item]:
    """npVCC2016/PART/SPEAKER/wavs/N.wav; the texts are not there."""
    for path, match in repo.files(r"npVCC2016/\w+/(\w+)/wavs/(\d+)\.wav"):
        yield Item(path, match[1], match[2])
