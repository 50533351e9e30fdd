"""Speech that is only measured with, never trained on."""

import re
from collections.abc import Iterator

from .clone import Repository
from .item import UNKNOWN, Item
from .stories import story_licences, whole_stories


def african_stories_other(repo: Repository) -> Iterator[Item]:
    readers = {}
    for language in ("fr", "lg", "myx"):
        for story, (_, reader) in story_licences(repo.text(f"{language}/README.md")).items():
            readers[language, story] = reader
    for item in whole_stories(repo, ("fr", "lg", "myx")):
        item.speaker = readers.get((item.language, item.name[:4]), "") or "reader"
        yield item


def indigenous_stories(repo: Repository) -> Iterator[Item]:
    for item in whole_stories(repo, ("crk", "csw", "en", "fr", "hax", "hdn")):
        item.speaker = UNKNOWN
        yield item


def luxembourgish(repo: Repository) -> Iterator[Item]:
    for path, _ in repo.files(r"dataset/wavs/[^/]+\.wav"):
        yield Item(path, "voice")


def nemo(repo: Repository) -> Iterator[Item]:
    for path, match in repo.files(r"samples/([A-Z]+\d)_(\w+)\.wav"):
        yield Item(path, match[1], match[2])


def emospeech(repo: Repository) -> Iterator[Item]:
    """PLACE/KEYWORD-ENVIRONMENT-EMOTION-TIME-SPEAKER.wav"""
    for path, match in repo.files(r"([^/]+)/([^/]+)-(\w+)\.wav"):
        yield Item(path, match[3][:12], f"{match[1].replace(' ', '-')}_{match[2]}")


def deeply(repo: Repository) -> Iterator[Item]:
    """dataset/PLACE/subGGGGPPSNNNNN.wav: group, place and run, speaker letter, number"""
    for path, match in repo.files(r"dataset/(\w+)/sub(\d{4})(\d+)([ab])(\d+)\.wav"):
        place, group, run, speaker, number = match.groups()
        yield Item(path, group + speaker, f"{place}_{run}_{number}")


def fish_dialogues(repo: Repository) -> Iterator[Item]:
    """sound/LEVEL/LANGUAGE/LEVEL-FISH-WORDS.ogg: the small fish is m, the big one v."""
    for path, match in repo.files(r"sound/(\w+)/(cs|nl)/([^/]+)\.ogg"):
        fish = re.search(r"-([mv])-", match[3])
        yield Item(path, {"m": "small", "v": "big"}[fish[1]] if fish else "others", f"{match[1]}_{match[3]}", "", match[2])


def gcompris(repo: Repository) -> Iterator[Item]:
    """LANGUAGE/KIND/.../WORD.ogg, without an English sentence about "the computer", as below."""
    for path, match in repo.files(r"(?!en/intro/chess_computer)(\w+)/(.+)\.ogg"):
        yield Item(path, UNKNOWN, match[2].replace("/", "_"), "", match[1].replace("_", "-"))


def commands_by_name(repo: Repository) -> Iterator[Item]:
    """tests/wav/LANGUAGE/SPOKEN TEXT.wav; the folders `generated` are synthetic, other languages only repeat `oov`."""
    for path, match in repo.files(r"tests/wav/(en|fr)/([^/]+)\.wav"):
        yield Item(path, UNKNOWN, match[2], "", match[1])


def telephone_prompts(repo: Repository) -> Iterator[Item]:
    """LANGUAGE/NAME.wav, without the sentence "The computer is your friend.": it contains a hotword that is measured."""
    for path, match in repo.files(r"(en|es)/(?!computer-friend)(.+)\.wav"):
        yield Item(path, "voice", match[2].replace("/", "_"), "", match[1])


def gita(repo: Repository) -> Iterator[Item]:
    for path, match in repo.files(r"data/verse_recitation/(\d+)/(\d+)\.mp3"):
        yield Item(path, UNKNOWN, f"{int(match[1]):02}_{int(match[2]):02}")


def parliament(repo: Repository) -> Iterator[Item]:
    """clips/mono/en.PLACE.SPEAKER.N.wav"""
    for path, match in repo.files(r"clips/mono/en\.([^.]+)\.([^.]+)\.(\d+)\.wav"):
        yield Item(path, match[2], match[3])


def mothers(repo: Repository) -> Iterator[Item]:
    """wavs/original/FAMILY_SECOND.wav: mothers at home, to their babies and to adults"""
    for path, match in repo.files(r"wavs/original/([^/_]+)_(.+)\.wav"):
        yield Item(path, match[1].replace(" ", "-"), match[2])


def toronto(repo: Repository) -> Iterator[Item]:
    """datasets/train/SPEAKER_FEELING/SPEAKER_WORD_FEELING.wav"""
    for path, match in repo.files(r"datasets/train/[^/]+/(OAF|YAF)_([^/]+)\.wav"):
        yield Item(path, match[1], match[2])


def free_digits(repo: Repository) -> Iterator[Item]:
    """recordings/DIGIT_SPEAKER_N.wav"""
    for path, match in repo.files(r"recordings/(\d)_(\w+)_(\d+)\.wav"):
        yield Item(path, match[2], f"{match[1]}_{match[3]}")


def mandarin_words(repo: Repository) -> Iterator[Item]:
    for path, match in repo.files(r"64k/(hsk|syllabs)/(.+)\.mp3"):
        yield Item(path, UNKNOWN, f"{match[1]}_{match[2]}")


def sinhala_digits(repo: Repository) -> Iterator[Item]:
    """Children_Dataset/DIGIT_SPEAKER_N.wav and Sinhala_Recordings/DIGIT_N_SPEAKER.wav"""
    for path, match in repo.files(r"Children_Dataset/(\d+)_(\d+)_(\d+)\.wav"):
        yield Item(path, f"child{match[2]}", f"{match[1]}_{match[3]}")
    for path, match in repo.files(r"Sinhala_Recordings/(\d+)_(\d+)_(\d+)\.wav"):
        yield Item(path, f"adult{match[3]}", f"{match[1]}_{match[2]}")


def griko(repo: Repository) -> Iterator[Item]:
    for path, _ in repo.files(r"all/wavs/\d+\.wav"):
        yield Item(path, UNKNOWN)
