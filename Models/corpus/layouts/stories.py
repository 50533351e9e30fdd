"""What the repositories of stories read aloud have in common."""

import re
from collections import defaultdict
from collections.abc import Iterator

from .clone import Repository
from .item import Item


def story_licences(text: str) -> dict[str, tuple[str, str]]:
    """Returns licence and reader by the number of the story, from the table of stories in a README."""
    stories = {}
    for line in text.splitlines():
        cells = [re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", cell).strip() for cell in line.split("|")]
        if len(cells) == 5 and re.fullmatch(r"\d{4}", cells[0]):
            stories[cells[0]] = (cells[3].upper().replace(" ", "-"), re.sub(r"\W+", "-", cells[4]).strip("-").lower())
    return stories


def whole_stories(repo: Repository, languages: tuple[str, ...]) -> Iterator[Item]:
    """LANGUAGE/STORY/FILE.mp3 is a whole story; its pages LANGUAGE/STORY/mp3/N.mp3 are taken only where that is missing."""
    for language in languages:
        pages = defaultdict(list)
        for path, match in repo.files(rf"{language}/([^/]+)/mp3/(\d+)\.mp3"):
            pages[match[1]].append((path, match[2]))
        whole = {match[1]: path for path, match in repo.files(rf"{language}/([^/]+)/[^/]+\.mp3")}
        for story in sorted(set(pages) | set(whole)):
            if story in whole and repo.read(whole[story]) is not None:
                yield Item(whole[story], "", story, "", language)
            else:
                for path, page in pages[story]:
                    yield Item(path, "", f"{story}_{page}", "", language)
