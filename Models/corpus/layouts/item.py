"""One recording of a repository."""

from dataclasses import dataclass

SHORTEST = 0.2
"""The minimum length of a recording, in seconds."""
UNKNOWN = "unknown"
"""The speaker of recordings whose speakers are not told apart."""


@dataclass
class Item:
    """Where a recording is in its repository, and what is known of it."""

    path: str
    speaker: str = ""
    """The folder that it is written to; none if empty."""
    name: str = ""
    """The name of its file, without the ending; that of `path` if empty."""
    text: str = ""
    language: str = ""
    """The language of the row if empty."""
    shortest: float = SHORTEST
    """A recording of fewer seconds is left out."""
