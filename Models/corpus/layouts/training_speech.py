"""Speech with a text, to train on."""

import csv
import io
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import PurePosixPath

from .clone import Repository
from .item import Item
from .stories import story_licences

ARCTIC_PROMPTS = ("rhasspy/dataset-voice-kathleen", "c51cb971036a127359b43c621f26ca5081eab13e")
"""The repository and the commit that the texts of ``arctic`` are read from."""
STORY_TEXTS = ("global-asp/asp-source", "99e022369a980bd52bce8c6f86d5f24e9a4ada9d")
"""The repository and the commit that the texts of ``african_stories_english`` are read from."""
DIGITS = "zero one two three four five six seven eight nine".split()
DSPSPEECH_ENGLISH = dict(enumerate("speech speaker signal process print open close project".split(), 12))
"""The words of DSPSpeech-20 that are English, by their labels; the other labels are Chinese words."""


def speechocean(repo: Repository) -> Iterator[Item]:
    """Kaldi lists; only the train list is ever looked at."""
    texts = dict(line.split(None, 1) for line in repo.text("train/text").splitlines())
    speakers = dict(line.split() for line in repo.text("train/utt2spk").splitlines())
    for line in repo.text("train/wav.scp").splitlines():
        utterance, path = line.split()
        yield Item(path, speakers[utterance], utterance, texts[utterance])


def speech_commands(repo: Repository) -> Iterator[Item]:
    """recipe/audio/WORD/SPEAKER_nohash_N.wav"""
    for path, match in repo.files(r"recipe/audio/(\w+)/(\w+)_nohash_(\d+)\.wav"):
        word, speaker, number = match.groups()
        yield Item(path, speaker, f"{word}_{number}", word)


def dspspeech(repo: Repository, english: bool) -> Iterator[Item]:
    """speech_data/SPEAKER/SPEAKER-LABEL-N.wav"""
    for path, match in repo.files(r"speech_data/(\d+)/\d+-(\d+)-(\d+)\.wav"):
        speaker, label, number = match.groups()
        if (int(label) in DSPSPEECH_ENGLISH) == english:
            yield Item(path, speaker, f"{label}-{number}", DSPSPEECH_ENGLISH.get(int(label), ""))


def dspspeech_english(repo: Repository) -> Iterator[Item]:
    return dspspeech(repo, True)


def an4(repo: Repository) -> Iterator[Item]:
    """Sphinx lists: a transcription line ends with the file's name in brackets."""
    for part in ("train", "test"):
        texts = {}
        for line in repo.text(f"etc/an4_{part}.transcription").splitlines():
            match = re.fullmatch(r"(.*)\(([\w-]+)\)\s*", line)
            if match:
                texts[match[2]] = re.sub(r"<[^>]*>", " ", match[1])
        for line in repo.text(f"etc/an4_{part}.fileids").split():
            name = PurePosixPath(line).name
            if f"wav/{line}.wav" in repo.blobs:
                yield Item(f"wav/{line}.wav", PurePosixPath(line).parent.name, name, texts[name])


def alphanumeric_rows(repo: Repository) -> Iterator[tuple[str, str, dict[str, str]]]:
    """Returns path, kind and row of each recording; the kind (`Names`, `Numbers`, `Addresses`) is its folder."""
    for row in csv.DictReader(io.StringIO(repo.text("metadata.csv"))):
        path = row["file_name"]
        if path in repo.blobs:
            yield path, PurePosixPath(path).parent.name, row


def alphanumeric_spelled(repo: Repository) -> Iterator[Item]:
    """Names spelled letter by letter and telephone numbers read digit by digit.

    Some people said their name instead of spelling it; these recordings are too short for the letters.
    """
    for path, kind, row in alphanumeric_rows(repo):
        if kind == "Names":
            letters = re.sub(r"[^a-z]", "", row["Name"].lower())
            yield Item(path, row["Response_ID"], "name", " ".join(letters), shortest=0.25 * len(letters))
        elif kind == "Numbers":
            digits = re.sub(r"\D", "", row["Number"])
            if len(digits) >= 7:
                yield Item(path, row["Response_ID"], "number", " ".join(DIGITS[int(digit)] for digit in digits))


def arctic(repo: Repository) -> Iterator[Item]:
    """CMU ARCTIC; the texts are in another repository."""
    prompts = repo.other(*ARCTIC_PROMPTS)
    texts = dict(re.findall(r'\( (arctic_\w+) "(.*)" \)', prompts.text("cmuarctic.data")))
    prompts.close()
    for path, match in repo.files(r"datasets/arctic/(bdl|slt)/(arctic_\w+)\.wav"):
        if match[2] in texts:
            yield Item(path, match[1], match[2], texts[match[2]])


def african_stories_english(repo: Repository) -> Iterator[Item]:
    """Stories under CC BY. Track 1 is the title and track N the page before it; stories with other tracks are left out."""
    source = repo.other(*STORY_TEXTS)
    stories = story_licences(repo.text("en/README.md"))
    tracks = defaultdict(list)
    for path, match in repo.files(r"en/(\d{4}_[^/]+)/mp3/(\d+)\.mp3"):
        tracks[match[1]].append(path)
    for story, paths in sorted(tracks.items()):
        licence, reader = stories.get(story[:4], ("", ""))
        written = f"en/{story}.md"
        if licence != "CC-BY" or written not in source.blobs:
            continue
        title, *pages = re.split(r"^##\s*$", source.text(written), flags=re.MULTILINE)
        pages = [title.strip().lstrip("# ")] + pages[:-1]  # the last part says who made it
        if len(pages) == len(paths):
            for path, page in zip(paths, pages, strict=True):
                yield Item(path, reader, f"{story}_{PurePosixPath(path).stem}", " ".join(page.split()))
    source.close()


def lj_speech(repo: Repository) -> Iterator[Item]:
    for line in repo.text("LJSpeech-1.1/metadata.csv").splitlines():
        name, _, text = line.split("|")
        path = f"LJSpeech-1.1/wavs/{name}.wav"
        if path in repo.blobs:
            yield Item(path, "lj", name, text)
