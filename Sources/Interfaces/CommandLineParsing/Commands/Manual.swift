extension CommandTable {
  public static let manual = CommandDefinition(
    "manual", "write the pages of the manual, for man",
    options: [.value("--output", "DIR", required: true, "the folder to write to; made where it is missing")],
    notes: [
      "Writes hotword.1 and a page for each command: hotword-run.1 and so on. The Debian package brings them."
    ],
    examples: ["hotword manual --output ~/.local/share/man/man1"])
}
