import AudioCapture
import Corpora
import Detection
import Networking
import PCM
import Platform
import SoundCheck

/// Phrases: pronunciations, recordings, training and voices.
extension TeachOperations {
  /// Seconds that a description of a phrase may take, and its speech by one voice.
  private static let longestAnswer = 60.0

  // MARK: Pronunciation

  /// What `hotword-train phrase` prints: name, pronunciations, warnings and voices.
  func pronounce(_ body: PhraseBody) throws(WebFault) -> JSON {
    let output = try output(of: ["phrase"] + body.words)
    return try WebOperations.run { try JSON(parsing: output, what: "hotword-train phrase") }
  }

  /// A phrase as WAV, spoken by one of the voices of ``pronounce(_:)``.
  func say(_ body: JSONBody) throws(WebFault) -> [UInt8] {
    let voice = try body.text("voice", limit: 100)
    return try output(of: ["say", "--voice=\(voice)"] + PhraseBody(body).words)
  }

  private func output(of words: [String]) throws(WebFault) -> [UInt8] {
    let result = try WebOperations.run {
      try Subprocess([program.training] + words).run(timeout: Self.longestAnswer, keepsErrors: true)
    }
    guard result.ending == .exited(0) else {
      var line = result.lastErrorLine ?? "hotword-train failed"
      // A page has fields, where the command has options.
      for prefix in ["hotword: ", "--"] where line.hasPrefix(prefix) { line.removeFirst(prefix.count) }
      throw .refused(line)
    }
    return result.output
  }

  // MARK: Phrases

  func addPhrase(_ body: PhraseBody) throws(WebFault) -> JSON {
    let found = try pronounce(body)
    guard let name = found["name"]?.string, PhraseStore.isName(name) else {
      throw .badField("phrase", expected: "a text of up to 60 letters")
    }
    let phrase = PhraseStore.Phrase(
      name: name, text: body.text, language: body.language, pronunciations: body.pronunciations)
    try WebOperations.run { try phrases.save(phrase) }
    return try describe(phrase)
  }

  func describe(_ phrase: PhraseStore.Phrase) throws(WebFault) -> JSON {
    let takes = try WebOperations.run {
      let folder = try phrases.recordings(of: phrase, speaker: "")
      return try folder.recordings().map { take in
        let bytes = try Files.read(folder.file(of: take)).count
        return Self.json(take, seconds: AudioFormat.seconds(max(0, bytes - Self.headerBytes) / 2))
      }
    }
    return .object((phrase.json.members ?? []) + [JSON.Member("takes", .array(takes))])
  }

  func deletePhrase(_ name: String) throws(WebFault) -> JSON {
    let phrase = try phrase(name)
    guard work.state?.phase != .running || work.state?.name != name else { throw .working(name) }
    try WebOperations.run { try phrases.remove(phrase) }
    return ["deleted": .string(name)]
  }

  // MARK: Takes

  /// Of a WAV file that this program wrote.
  private static let headerBytes = 44

  private static func json(_ take: CommonVoice.Clip, seconds: Double) -> JSON {
    ["name": .string(take.path), "speaker": .string(take.client), "seconds": .rounded(seconds, digits: 2)]
  }

  /// Keeps a recording that has no flaw, cut to the speech, as `hotword record` does.
  func addTake(_ phrase: PhraseStore.Phrase, _ request: ServedRequest) throws(WebFault) -> JSON {
    let speaker = try speaker(request.query["speaker"].map { .string($0) })
    let take = Take(try request.recording(upTo: Self.longestRecording))
    var members: [JSON.Member] = [
      .init("level", .rounded(take.level, digits: 1)), .init("seconds", .rounded(take.seconds, digits: 2)),
      .init("flaw", take.flaw.map { .string($0.message) } ?? .null),
    ]
    guard take.flaw == nil else { return .object(members + [.init("take", .null)]) }
    let added = try WebOperations.run {
      try phrases.recordings(of: phrase, speaker: speaker).add(take.samples)
    }
    let json = Self.json(added, seconds: AudioFormat.seconds(take.samples.count))
    members.append(.init("take", json))
    return .object(members)
  }

  /// Records the next take with the machine's microphone, as background work: `hotword record`.
  func recordTake(
    _ phrase: PhraseStore.Phrase, _ body: JSONBody, input: String
  ) throws(WebFault) -> JSON {
    let speaker = try speaker(body["speaker"])
    let count = try WebOperations.run { try phrases.recordings(of: phrase, speaker: speaker).count() }
    return try start(
      .record, of: phrase.name,
      [
        program.program, "record", "--output=\(phrases.recordingsPath(phrase))", "--count=\(count + 1)",
        "--speaker=\(speaker)", "--language=\(phrase.language)", "--input=\(input)", "--pace", "--",
        phrase.text,
      ])
  }

  func takeAudio(_ name: String, _ query: [String: String]) throws(WebFault) -> [UInt8] {
    let (folder, take) = try take(name, query)
    return try WebOperations.run { try Files.read(folder.file(of: take), limit: 1 << 20) }
  }

  func deleteTake(_ name: String, _ query: [String: String]) throws(WebFault) -> JSON {
    let (folder, take) = try take(name, query)
    try WebOperations.run { try folder.remove(take) }
    return ["deleted": .string(name)]
  }

  /// A take by its name among those of the phrase in the query.
  private func take(
    _ name: String, _ query: [String: String]
  ) throws(WebFault) -> (folder: RecordingFolder, take: CommonVoice.Clip) {
    let phrase = try phrase(query["phrase"] ?? "")
    let folder = try WebOperations.run { try phrases.recordings(of: phrase, speaker: "") }
    let takes = try WebOperations.run { try folder.recordings() }
    guard let take = takes.first(where: { $0.path == name }) else { throw .noTake(name) }
    return (folder, take)
  }

  /// The name of a speaker, which is that of a voice too.
  private func speaker(_ value: JSON?) throws(WebFault) -> String {
    guard let text = value?.string, PhraseStore.isName(text) else {
      throw .badField("speaker", expected: "a name of up to 64 letters, digits, dashes, dots or apostrophes")
    }
    return text
  }

  // MARK: Training and voices

  /// Trains a candidate on the takes and on synthetic speech: `hotword train`.
  func train(_ phrase: PhraseStore.Phrase, _ body: JSONBody) throws(WebFault) -> JSON {
    let steps = try steps(body)
    let candidate = phrases.candidate(phrase.name)
    let takes = try WebOperations.run {
      if let end = candidate.lastIndex(of: "/") { try Files.createFolder(String(candidate[..<end])) }
      return try phrases.recordings(of: phrase, speaker: "").recordings().count
    }
    let positives = takes > 0 ? ["--positives=\(phrases.recordingsPath(phrase))"] : []
    return try start(
      .train, of: phrase.name,
      [program.training, "train", "--language=\(phrase.language)"]
        + phrase.pronunciations.map { "--pronunciation=\($0)" } + positives + steps
        + ["--output=\(candidate)", "--json", "--progress=json", "--", phrase.text])
  }

  /// The option for the number of steps in a request; empty without one.
  func steps(_ body: JSONBody) throws(WebFault) -> [String] {
    guard body["steps"] != nil else { return [] }
    return ["--steps=\(Int(try body.number("steps", in: 10...10_000)))"]
  }

  /// Enrols a speaker's voice from the takes: `hotword enroll`.
  func enroll(_ phrase: PhraseStore.Phrase, _ body: JSONBody) throws(WebFault) -> JSON {
    let speaker = try speaker(body["speaker"])
    guard program.store.list().contains(where: { $0.name == phrase.name }) else {
      throw .noVersion(phrase.name, .installed)
    }
    let files = try WebOperations.run {
      let folder = try phrases.recordings(of: phrase, speaker: speaker)
      return try folder.recordings().filter { $0.client == speaker }.map(folder.file)
    }
    guard !files.isEmpty else { throw .noTake(speaker) }
    return try start(
      .enroll, of: phrase.name,
      [program.program, "enroll", "--phrase=\(phrase.name)", "--", speaker] + files)
  }
}
