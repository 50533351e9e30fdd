import CommandLineParsing
import Understanding

extension FileFormat {
  /// hotword-intents(5): the keys that the reader of intent files accepts.
  package static let intents = FileFormat(
    "hotword-intents", "the intent file of hotword: sentences, slots and replies",
    description: [
      """
      An intent file is YAML in the format of hassil, Home Assistant's sentence templates, with further keys. Options \
      and settings name it as --intents FILE and intents: FILE. hotword run --check reports what is wrong in it.
      """,
      """
      In a sentence template, (a|b) is one of several, [a] is optional, (a;b) is all in any order, {list} and \
      {list:slot} are a value of a list, {0..100:slot} is a number, <rule> is an expansion rule, and \\ precedes a \
      literal bracket. In an example, [words](list:slot) marks a value.
      """,
      """
      The built-in types are number, ordinal, percentage, date, time, duration, temperature, money and colour.
      """,
    ],
    groups: IntentFileKeys.all.map { section in
      FileFormat.Group(
        title: section.title, place: section.place, keys: section.keys.map { ($0.name, $0.meaning) })
    },
    example: [
      "language: en", "intents:", "  MakeCoffee:", "    data:",
      "      - sentences: [\"(make|brew) [me] [a] {size} coffee [please]\"]", "    slots:",
      "      size: {required: true, prompt: \"Small or large?\"}", "lists:",
      "  size: {values: [small, large]}", "responses:", "  MakeCoffee: \"A {size} coffee is on its way.\"",
    ],
    commands: ["hotword-run", "hotword-intents", "hotword-understand", "hotword-transcribe"])
}
