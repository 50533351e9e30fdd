/// Kaldi's data folders: `wav.scp`, `text`, and optionally `segments` and `utt2spk`.
enum Kaldi {
  /// The contents of the files; nil for a file that does not exist.
  struct Tables {
    var wavScp: [UInt8]
    var text: [UInt8]
    var segments: [UInt8]?
    var speakers: [UInt8]?
  }

  /// Returns the utterances that have a transcript.
  ///
  /// - Parameter folder: the folder's path, used in errors. Relative paths stay relative.
  /// - Throws: ``CorpusFault/shellCommand(path:line:)``, ``CorpusFault/badLine(path:line:expected:)``.
  static func recordings(_ tables: Tables, folder: String) throws(CorpusFault) -> [CorpusRecording] {
    let files = try files(tables.wavScp, table: "\(folder)/wav.scp")
    var speakers: [String: String] = [:]
    for line in LineTable(bytes: tables.speakers ?? []) {
      let fields = line.fields(2)
      guard fields.count == 2 else {
        throw .badLine(path: "\(folder)/utt2spk", line: line.number, expected: "UTTERANCE SPEAKER")
      }
      speakers[fields[0]] = fields[1]
    }
    var texts: [String: String] = [:]
    for line in LineTable(bytes: tables.text) {
      let fields = line.fields(2)
      texts[fields[0]] = fields.count > 1 ? fields[1] : ""
    }
    var recordings: [CorpusRecording] = []
    func add(_ utterance: String, _ path: String) {
      guard let text = texts[utterance] else { return }
      recordings.append(
        CorpusRecording(path: path, speaker: speakers[utterance] ?? utterance, text: text))
    }
    guard let segments = tables.segments else {
      for (name, path) in files { add(name, path) }
      return recordings
    }
    let paths = Dictionary(files, uniquingKeysWith: { first, _ in first })
    let table = "\(folder)/segments"
    for line in LineTable(bytes: segments) {
      let fields = line.fields(4)
      guard fields.count == 4, let start = Double(fields[2]), let end = Double(fields[3]), start >= 0,
        end > start || end == -1
      else {
        throw .badLine(
          path: table, line: line.number, expected: "UTTERANCE RECORDING START END, in seconds")
      }
      guard let path = paths[fields[1]] else {
        throw .badLine(path: table, line: line.number, expected: "a recording listed in wav.scp")
      }
      add(fields[0], "\(path)#t=\(fields[2])" + (end == -1 ? "" : ",\(fields[3])"))
    }
    return recordings
  }

  private static func files(
    _ bytes: [UInt8], table: String
  ) throws(CorpusFault) -> [(name: String, path: String)] {
    var files: [(name: String, path: String)] = []
    for line in LineTable(bytes: bytes) {
      let fields = line.fields(2)
      guard fields.count == 2 else {
        throw .badLine(path: table, line: line.number, expected: "RECORDING FILE")
      }
      guard !fields[1].hasSuffix("|") else { throw .shellCommand(path: table, line: line.number) }
      files.append((fields[0], fields[1]))
    }
    return files
  }
}
