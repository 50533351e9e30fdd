"""Mozilla Common Voice: sentences read by volunteers at their own microphones, in parts that others have copied to repositories."""

import csv
import io
from collections.abc import Iterator
from pathlib import PurePosixPath

from .clone import Repository
from .item import Item

CLIPS_OF_A_GROUP = 50
"""Release 1 does not tell speakers apart: so many clips in a row count as one speaker."""


def _first_release(repo: Repository, table: str, folder: str) -> Iterator[Item]:
    for row in csv.DictReader(io.StringIO(repo.text(table))):
        name = PurePosixPath(row["filename"]).stem
        if int(row["up_votes"]) > int(row["down_votes"]):
            group = int(name.removeprefix("sample-")) // CLIPS_OF_A_GROUP
            yield Item(str(PurePosixPath(folder, row["filename"])), f"group{group:03}", name, row["text"])


def first_test(repo: Repository) -> Iterator[Item]:
    return _first_release(repo, "cv-valid-test.csv", "")


def first_development(repo: Repository) -> Iterator[Item]:
    return _first_release(repo, "asr/data/cv-valid-dev.csv", "asr/data/cv-valid-dev")


def _release(repo: Repository, table: str, folder: str, language: str = "") -> Iterator[Item]:
    """Clips that two people or more found right; those of the table that the repository lacks are not counted."""
    for row in csv.DictReader(io.StringIO(repo.text(table)), delimiter="\t", quoting=csv.QUOTE_NONE):
        path = f"{folder}/{row['path']}"
        if path in repo.blobs:
            yield Item(path, row["client_id"][:16], PurePosixPath(path).stem, row["sentence"], language)


def english(repo: Repository) -> Iterator[Item]:
    """The folder `en` of a release, or a folder `dataset`."""
    for table in sorted(path for path in repo.blobs if path.endswith("/validated.tsv")):
        folder = PurePosixPath(table).parent
        clips = "clips" if folder.name == "dataset" else "validated_clips"
        yield from _release(repo, table, f"{folder}/{clips}")


def other_languages(repo: Repository) -> Iterator[Item]:
    """LANGUAGE/clips/NAME.mp3; names of speakers begin with the language."""
    for table in sorted(path for path in repo.blobs if path.endswith("/validated.tsv")):
        language = PurePosixPath(table).parts[0]
        if language != "en":
            for item in _release(repo, table, f"{language}/clips", language):
                item.speaker = f"{language}-{item.speaker}"
                yield item
