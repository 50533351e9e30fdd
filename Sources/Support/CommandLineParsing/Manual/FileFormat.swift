/// A file that users write: the source of its manual page.
public struct FileFormat: Sendable {
  /// The keys of one mapping in the file.
  public struct Group: Sendable {
    /// Upper case by convention.
    public let title: String
    /// Where the mapping is in the file.
    public let place: String
    /// The keys, each with a sentence without a full stop.
    public let keys: [(String, String)]

    public init(title: String, place: String, keys: [(String, String)]) {
      self.title = title
      self.place = place
      self.keys = keys
    }
  }

  /// The name of the page.
  public let name: String
  /// What the file is, in a few words without a full stop.
  public let summary: String
  /// Paragraphs.
  public let description: [String]
  public let groups: [Group]
  /// The lines of a complete file.
  public let example: [String]
  /// The pages to see also, of section 1.
  public let commands: [String]

  public init(
    _ name: String, _ summary: String, description: [String], groups: [Group], example: [String],
    commands: [String]
  ) {
    self.name = name
    self.summary = summary
    self.description = description
    self.groups = groups
    self.example = example
    self.commands = commands
  }
}
