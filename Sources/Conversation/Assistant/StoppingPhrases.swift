/// Phrases that end a command without a silence: "add milk, I'm done", "cancel".
public struct StoppingPhrases: Sendable, Equatable {
  /// Phrases that end the command and are not a part of it.
  public var done: [String]
  /// Phrases that end the command and cancel it; they are understood together with the words before them.
  public var cancel: [String]
  /// Seconds for which a phrase must remain the end of the partial result: "cancel" may continue as "cancel the timer".
  public var settling: Double = 0.5

  public init(done: [String] = ["I'm done"], cancel: [String] = ["cancel"]) {
    self.done = done
    self.cancel = cancel
  }

  public var all: [String] { done + cancel }

  /// Whether `text` ends with one of the phrases.
  public func end(_ text: String) -> Bool {
    let words = Self.words(text)
    return all.contains { words.hasSuffix(Self.words($0)) }
  }

  /// The text without a phrase of ``done`` at its end; unchanged if there are no other words.
  public func stripped(_ text: String) -> String {
    let words = Self.words(text)
    let phrase = done.map(Self.words).filter(words.hasSuffix).max { $0.count < $1.count }
    guard let phrase, words.count > phrase.count else { return text }
    let kept = text.split(whereSeparator: \.isWhitespace).map { (String($0), Self.words(String($0)).count) }
    var left = words.count - phrase.count
    var result: [String] = []
    for (word, count) in kept where left > 0 {
      result.append(word)
      left -= count
    }
    return result.joined(separator: " ")
  }

  /// The words in lower case, without punctuation.
  private static func words(_ text: String) -> [String] {
    text.split { $0.isWhitespace }.compactMap { word in
      let bare = word.filter { $0.isLetter || $0.isNumber || "'’-".contains($0) }
      return bare.isEmpty ? nil : bare.lowercased().replacing("’", with: "'")
    }
  }
}

extension [String] {
  fileprivate func hasSuffix(_ other: [String]) -> Bool {
    !other.isEmpty && count >= other.count && Array(suffix(other.count)) == other
  }
}
