/// The layout of Speech Commands: a folder for each word, in it `SPEAKER_nohash_NUMBER.wav`.
enum SpeechCommands {
  static let noiseFolder = "_background_noise_"
  private static let mark = "_nohash_"
  /// Of sounds: a README lies beside them.
  private static let endings = [".wav", ".flac", ".ogg", ".opus", ".mp3"]

  /// The speaker whose name a file's name begins with; nil for other names.
  static func speaker(of name: String) -> String? {
    guard let range = name.firstRange(of: mark), range.lowerBound > name.startIndex else { return nil }
    return String(name[..<range.lowerBound])
  }

  /// The recordings of a corpus.
  ///
  /// A speaker whom a list names belongs to its part with all that he says, so that no speaker is on both sides.
  /// - Parameters:
  ///   - paths: of the files, from the corpus's folder on.
  ///   - validation: the list of those to choose a model by; empty where there is none.
  ///   - testing: the list of those to measure it on.
  static func recordings(
    _ paths: [String], in folder: String, validation: [UInt8], testing: [UInt8]
  ) -> [CorpusRecording] {
    var parts: [String: CorpusRecording.Part] = [:]
    for (list, part) in [(validation, CorpusRecording.Part.validation), (testing, .testing)] {
      for line in LineTable(bytes: list) {
        let name = line.text.split(separator: "/").last.map(String.init) ?? ""
        if let speaker = speaker(of: name) { parts[speaker] = part }
      }
    }
    return paths.compactMap { path in
      let pieces = path.split(separator: "/").map(String.init)
      guard pieces.count == 2 else { return nil }
      if pieces[0] == noiseFolder {
        guard endings.contains(where: { path.lowercased().hasSuffix($0) }) else { return nil }
        return CorpusRecording(path: "\(folder)/\(path)", speaker: pieces[1], text: nil)
      }
      guard let speaker = speaker(of: pieces[1]) else { return nil }
      return CorpusRecording(
        path: "\(folder)/\(path)", speaker: speaker, text: String(pieces[0].map { $0 == "_" ? " " : $0 }),
        part: parts.isEmpty ? nil : parts[speaker] ?? .training)
    }
  }
}
