import AudioCapture

/// The layout of Speech Commands: one folder per word with files `SPEAKER_nohash_NUMBER.wav`.
enum SpeechCommands {
  static let noiseFolder = "_background_noise_"
  private static let mark = "_nohash_"

  /// Returns the speaker in a file's name; nil for other names.
  static func speaker(of name: String) -> String? {
    guard let range = name.firstRange(of: mark), range.lowerBound > name.startIndex else { return nil }
    return String(name[..<range.lowerBound])
  }

  /// Returns the recordings of a corpus.
  ///
  /// If a list contains a recording of a speaker, all recordings of that speaker belong to that list's part.
  /// So no speaker occurs in two parts.
  /// - Parameters:
  ///   - paths: the files' paths, relative to the corpus folder.
  ///   - validation: the contents of the validation list; empty if there is none.
  ///   - testing: the contents of the testing list; empty if there is none.
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
        // It also holds a README.
        guard AudioFile.hasAudioEnding(path) else { return nil }
        return CorpusRecording(path: "\(folder)/\(path)", speaker: pieces[1], text: nil)
      }
      guard let speaker = speaker(of: pieces[1]) else { return nil }
      return CorpusRecording(
        path: "\(folder)/\(path)", speaker: speaker, text: String(pieces[0].map { $0 == "_" ? " " : $0 }),
        part: parts.isEmpty ? nil : parts[speaker] ?? .training)
    }
  }
}
