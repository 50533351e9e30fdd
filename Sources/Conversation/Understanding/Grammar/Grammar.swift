/// What a grammar recognizer needs to hear exactly the sentences of an intent file.
public struct Grammar: Sendable, Equatable {
  /// A JSGF grammar with one public rule, `command`; all words small, numbers in words.
  public let jsgf: String
  /// Every word in it, sorted, each once.
  public let words: [String]
  /// What could not be put into it, for people: sentences with wildcards, and marks that no one says.
  public let notes: [String]

  public init(jsgf: String, words: [String], notes: [String] = []) {
    self.jsgf = jsgf
    self.words = words
    self.notes = notes
  }

  /// Compiles the sentences of `file`.
  ///
  /// - Throws: ``IntentFileFault`` for what ``Understander`` would refuse too.
  public init(_ file: IntentFile) throws(IntentFileFault) {
    _ = try Program(file)
    var compiler = GrammarCompiler(file)
    self = compiler.compile()
  }
}
