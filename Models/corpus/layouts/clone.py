"""Reads the files of a clone at one commit, with git and without a work tree."""

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

AUDIO = (".wav", ".flac", ".ogg", ".mp3")


class MissingClone(Exception):
    """The folder of the clones does not contain this one."""


class Repository:
    """One commit of the clone of `repository` (OWNER/NAME) in the folder `clones`."""

    def __init__(self, clones: Path, repository: str, commit: str):
        self.clones = clones
        self.directory = _git_directory(clones, repository)
        self.blobs: dict[str, str] = {}
        """The identifier of each file's content, by the path of the file."""
        for entry in self._list(commit).split("\0"):
            if entry:
                about, path = entry.split("\t", 1)
                kind, blob = about.split()[1:3]
                if kind == "blob":
                    self.blobs[path] = blob
        self.reader = subprocess.Popen(
            ["git", f"--git-dir={self.directory}", "cat-file", "--batch"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )

    def _list(self, commit: str) -> str:
        command = ["git", f"--git-dir={self.directory}", "ls-tree", "-r", "-z", commit]
        return subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout.decode("utf-8", "replace")

    def other(self, repository: str, commit: str) -> "Repository":
        """Opens another clone in the same folder."""
        return Repository(self.clones, repository, commit)

    def files(self, pattern: str) -> Iterator[tuple[str, re.Match[str]]]:
        """Returns the audio files whose whole path matches `pattern`, with the match, in the order of the paths."""
        for path in sorted(self.blobs):
            match = re.fullmatch(pattern, path)
            if match and path.lower().endswith(AUDIO):
                yield path, match

    def read(self, path: str) -> bytes | None:
        """Returns the content of a file, or None if the clone lacks it."""
        self.reader.stdin.write(self.blobs[path].encode() + b"\n")
        self.reader.stdin.flush()
        answer = self.reader.stdout.readline().split()
        if answer[-1] == b"missing":
            return None
        data = self.reader.stdout.read(int(answer[2]))
        self.reader.stdout.read(1)
        return data

    def text(self, path: str) -> str:
        return self.read(path).decode("utf-8-sig", "replace")

    def close(self) -> None:
        self.reader.stdin.close()
        self.reader.wait()


def _git_directory(clones: Path, repository: str) -> Path:
    owner, name = repository.split("/")
    folders = [clones / f"{owner}+{name}" / "repo", clones / f"{owner}+{name}", clones / owner / name]
    for place in [folder / ".git" for folder in folders] + folders:
        if (place / "HEAD").is_file() and (place / "objects").is_dir():
            return place
    raise MissingClone(f"{clones}: no clone of {repository} in this folder; clone it")
