import Platform

/// Why a pronunciation hint is invalid; offsets are code points from its start.
public enum PronunciationDefect: Error, Sendable, Equatable {
  /// A hint in ARPAbet has an unknown phone.
  case unknownPhone(String, offset: Int, suggestion: String?)
  /// A hint in IPA has a symbol for a sound that English does not have.
  case unknownSymbol(String, offset: Int)
  /// The hint is neither ARPAbet nor IPA nor an English spelling.
  case unknownForm

  /// The place of the defect in the hint.
  public var offset: Int {
    switch self {
    case .unknownPhone(_, let offset, _), .unknownSymbol(_, let offset): offset
    case .unknownForm: 0
    }
  }
}

extension Pronunciation {
  /// The phones of a hint: `K AE F EY` in ARPAbet, `/kæfˈeɪ/` in IPA, or an English spelling, `caffay`.
  ///
  /// Words in upper case, at least one of which is a phone, are ARPAbet.
  public static func phones(hint: String) throws(PronunciationDefect) -> [String] {
    if hint.count > 2, hint.first == "/", hint.last == "/" { return try phones(ipaHint: hint) }
    let parts = hint.split(separator: " ")
    let isArpabet =
      parts.contains { phones.contains(String($0)) }
      && parts.allSatisfy { $0.allSatisfy { $0.isASCII && ($0.isUppercase || $0.isNumber) } }
    if isArpabet {
      if let wrong = parts.first(where: { !phones.contains(String($0)) }) {
        let near = Suggestion.nearest(
          to: String(wrong), among: phones.sorted().filter { $0.first == wrong.first })
        throw .unknownPhone(String(wrong), offset: offset(of: wrong.startIndex, in: hint), suggestion: near)
      }
      return parts.map(String.init)
    }
    var spelled: [String] = []
    for part in parts {
      guard let some = arpabet(spelling: String(part)) else { throw .unknownForm }
      spelled += some
    }
    guard !spelled.isEmpty else { throw .unknownForm }
    return spelled
  }

  private static func phones(ipaHint hint: String) throws(PronunciationDefect) -> [String] {
    switch read(ipa: String(hint.dropFirst().dropLast())) {
    case .success(let phones): return phones
    case .failure(let unknown):
      let place = hint.firstIndex(of: unknown.symbol) ?? hint.startIndex
      throw .unknownSymbol(String(unknown.symbol), offset: offset(of: place, in: hint))
    case nil: throw .unknownForm
    }
  }

  private static func offset(of index: String.Index, in text: String) -> Int {
    text.unicodeScalars.distance(from: text.startIndex, to: index)
  }
}
