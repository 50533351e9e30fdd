"""Sounds and music; some to train with, some only to measure with."""

import csv
import io
from collections.abc import Iterator
from pathlib import PurePosixPath

from .clone import Repository
from .item import Item

LIBROSA_MUSIC = [
    "Hungarian_Dance_number_5_-_Allegro_in_F_sharp_minor_(string_orchestra)",
    "Karissa_Hobbs_-_Lets_Go_Fishin",
    "Kevin_MacLeod_-_P_I_Tchaikovsky_Dance_of_the_Sugar_Plum_Fairy",
    "Kevin_MacLeod_-_Vibe_Ace",
    "sorohanro_-_solo-trumpet-06",
]
"""The pieces that are under CC BY or in the public domain."""


def arabic_background(repo: Repository) -> Iterator[Item]:
    for path, _ in repo.files(r"background_noise/[^/]+\.wav"):
        yield Item(path)


def sonic_pi(repo: Repository) -> Iterator[Item]:
    """Loops, ambience and notes; single drum hits are left out."""
    for path, _ in repo.files(r"etc/samples/(loop|ambi|bass|guit|glitch|perc|vinyl|mehackit|arovane|tabla|misc)_\w+\.flac"):
        yield Item(path)


def librosa_music(repo: Repository) -> Iterator[Item]:
    for name in LIBROSA_MUSIC:
        yield Item(f"audio/{name}.ogg")


def beats(repo: Repository) -> Iterator[Item]:
    for path, _ in repo.files(r"20[^/]+/[^/]+\.mp3"):
        yield Item(path)


def tuxemon_music(repo: Repository, yubatake: bool) -> Iterator[Item]:
    """Yubatake's pieces (CC BY) are the files named JRPG_; the rest is by others, much of it CC BY-SA."""
    for path, match in repo.files(r"mods/tuxemon/music/(.+)\.(?:ogg|mp3)"):
        if PurePosixPath(path).name.startswith("JRPG_") == yubatake:
            yield Item(path, name=match[1].replace("/", "_"))


def tuxemon_yubatake(repo: Repository) -> Iterator[Item]:
    return tuxemon_music(repo, True)


def tuxemon_others(repo: Repository) -> Iterator[Item]:
    return tuxemon_music(repo, False)


def deeply_nonverbal(repo: Repository) -> Iterator[Item]:
    for path, match in repo.files(r"dataset/([\w-]+)/([^/]+)\.wav"):
        yield Item(path, name=f"{match[1]}_{match[2]}")


def fish_music(repo: Repository) -> Iterator[Item]:
    for path, _ in repo.files(r"music/[^/]+\.ogg"):
        yield Item(path)


def kitchen(repo: Repository) -> Iterator[Item]:
    """Only clips whose user id is the number of a Freesound recording."""
    for row in csv.DictReader(io.StringIO(repo.text("kitchen20.csv"))):
        if row["usr_id"].isdigit() and row["path"] in repo.blobs:
            yield Item(row["path"], name=f"{row['category']}_{PurePosixPath(row['path']).stem}")


def baby_cries(repo: Repository) -> Iterator[Item]:
    for path, match in repo.files(r"donateacry_corpus_cleaned_and_updated_data/(\w+)/([^/]+)\.wav"):
        yield Item(path, name=f"{match[1]}_{match[2]}")
