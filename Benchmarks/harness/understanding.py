"""Measures what understanding of text costs with 200 intents, by templates and by classifiers trained on their examples."""

from pathlib import Path

from .listening import processor_seconds

VERBS = (
    "open close start stop show hide move copy send read play pause rename delete print scan lock unlock heat cool"
).split()
THINGS = "door window report picture song lamp printer garage pump table".split()
REPETITIONS = 20


def intents() -> str:
    lines = ["language: en", "intents:"]
    for verb in VERBS:
        for thing in THINGS:
            lines += [
                f"  {verb}-{thing}:",
                f'    data: [{{sentences: ["[please] {verb} [the] {{place}} {thing} [{{date:day}}]"]}}]',
                f'    examples: ["I want you to {verb} the {thing} in the [kitchen](place)",',
                f'      "it is time to {verb} that {thing} [tomorrow](date:day)", "somebody should {verb} the old {thing}"]',
            ]
    lines.append("lists: {place: {values: [kitchen, garden, office, bedroom, cellar, attic, hall, bathroom]}}")
    return "\n".join([*lines, ""])


def texts() -> list[str]:
    return [
        text
        for verb in VERBS
        for text in (
            f"please {verb} the office window tomorrow",
            f"it would be nice if someone could {verb} the lamp in the cellar",
            "my neighbour told me a long story about his trip to the mountains last summer",
        )
    ]


def measure(hotword: Path, scratch: Path) -> tuple[float, float]:
    """Returns milliseconds per sentence, and seconds to load and train the intents."""
    file = scratch / "intents.yaml"
    file.write_text(intents())
    command = [str(hotword), "understand", "--intents", str(file), "-"]
    few = processor_seconds(command, "\n".join(texts()).encode())
    many = processor_seconds(command, "\n".join(texts() * (REPETITIONS + 1)).encode())
    return (many - few) * 1000 / (REPETITIONS * len(texts())), few
