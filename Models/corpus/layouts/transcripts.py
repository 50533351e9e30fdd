"""The list of transcripts of a source: transcripts.tsv with one line PATH<tab>WORDS<tab>SPEAKER per recording."""

import re
from pathlib import Path

from .item import UNKNOWN, Item
from .places import file, safe


def words(text: str) -> str:
    """Returns `text` in lower case, without punctuation except apostrophes."""
    found = re.findall(r"(?:[^\W_]|')+", text.lower().replace("’", "'"))
    return " ".join(word for word in found if word.strip("'"))


def write_transcripts(folder: Path, items: list[Item]) -> None:
    """Writes the list of `items` to the folder of their source. A speaker is SOURCE-SPEAKER, unlike that of any other source."""
    lines = sorted((file(item), words(item.text), f"{folder.name}-{safe(item.speaker or UNKNOWN)}") for item in items)
    with open(folder / "transcripts.tsv", "w", encoding="utf-8") as output:
        output.writelines("\t".join(line) + "\n" for line in lines)
