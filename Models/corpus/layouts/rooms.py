"""Impulse responses of rooms."""

import re
from collections.abc import Iterator

from .clone import Repository
from .item import Item

VOXENGO_PLACES = (
    "bottle_hall cement_blocks_1 cement_blocks_2 chateau_de_logne_outside derlon_sanctuary french_18th_century_salon "
    "highly_damped_large_room in_the_silo in_the_silo_revised large_bottle_hall masonic_lodge musikvereinsaal nice_drum_room "
    "parking_garage ruby_room scala_milan_opera_hall small_drum_room small_prehistoric_cave st_nicolaes_church trig_room"
).split()
"""Places that exist; the set has invented ones too."""
CHROME_ROOMS = r"(kitchen-true-stereo|tim-.*|cardiod-.*|omni-35-10|super-ceiling-35-10|echo-chamber)"
"""Recordings of places; the folder has filters and invented responses too."""


def voxengo_rooms(repo: Repository) -> Iterator[Item]:
    for path, match in repo.files(r"IR/Voxengo/samples/(\w+)\.wav"):
        if match[1] in VOXENGO_PLACES:
            yield Item(path)


def chrome_rooms(repo: Repository) -> Iterator[Item]:
    for path, _ in repo.files(rf"src/sounds/impulse-responses/{CHROME_ROOMS}\.wav"):
        yield Item(path)


def house_rooms(repo: Repository) -> Iterator[Item]:
    """A house, a warehouse and two rooms; what ``chrome_rooms`` has too is left out."""
    files = r"(?:(?:house-impulses|tim-warehouse(?:/[^/]+)?)/([^/]+)|(medium-room\d))\.wav"
    for path, match in repo.files("samples/audio/impulse-responses/" + files):
        name = match[1] or match[2]
        if not re.fullmatch(CHROME_ROOMS, name) and "magnetic" not in name:
            yield Item(path)


def toob_rooms(repo: Repository) -> Iterator[Item]:
    for path, _ in repo.files(r"impulseFiles/reverb/[^/]+\.wav"):
        yield Item(path)


def seminar_room(repo: Repository) -> Iterator[Item]:
    yield Item("data/rir_clap.wav")
