/// One thing that is told of a text besides its intent, under `traits:`.
package struct TraitRule: Sendable {
  package enum Kind: Sendable {
    /// The language that the text is written in.
    case language
    /// The words that matter most, at most `limit`, against texts of the same sort.
    case keywords(limit: Int, corpus: [String])
    /// One of several classes, each by sentences of it.
    case classes([(name: String, sentences: [String])])
  }

  package let name: String
  package let kind: Kind
}
