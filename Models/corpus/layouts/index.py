"""The files in the target folder that say where the recordings are from and who speaks."""

from pathlib import Path

from . import places


def write_sources(rows: list[dict[str, str]], target: Path) -> None:
    """Writes SOURCES.md, from which `hotword train` takes the credits of a model's card."""
    sections = ["# Where the audio comes from, for credits in model cards"]
    for row in rows:
        folder = target / "noise-train/babble"
        if row["repository"] != "babble":
            folder = places.folder(target, row["repository"], row["use"], row["language"])
        if row["use"] in ("measure", "noise-measure") or not folder.is_dir():
            continue
        lines = [f"## {folder.relative_to(target)}"]
        if row["repository"] != "babble":
            lines += [f"- repo: github.com/{row['repository']}", f"- commit: {row['commit'][:12]}"]
        lines += [f"- licence: {row['licence']}", f"- what: {row['note']}"]
        sections.append("\n".join(lines))
    (target / "SOURCES.md").write_text("\n\n".join(sections) + "\n", encoding="utf-8")


def write_sessions(target: Path) -> None:
    """Writes train-negatives/sessions.tsv: the speakers by which training and held-out data are split."""
    base = target / "train-negatives"
    if not base.is_dir():
        return
    lines = ["path\tsession"]
    for path in sorted(base.rglob("*.flac")):
        place = path.relative_to(base)
        lines.append(f"{place}\t{' '.join(place.parent.parts)}")
    (base / "sessions.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
