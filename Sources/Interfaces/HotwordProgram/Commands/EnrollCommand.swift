import AudioCapture
import CommandLineParsing
import Detection
import Glibc
import PCM
import Platform
import Speakers

/// `hotword enroll`: adds a person's voice, from clips of the hotword or from the microphone.
enum EnrollCommand: Command {
  static let definition = CommandDefinition(
    "enroll", "add a person's voice from three or more clips of the hotword, or from the microphone",
    operands: .atLeast(0, "NAME CLIP"),
    options: [
      .value("--phrase", "M", "the model of the phrase in the clips"),
      .value(
        "--input", "INPUT",
        "without clips: where to listen until the phrase is said three times (default: alsa:default)"),
      .flag("--list", "list the enrolled voices"),
      .flag("--remove", "remove the voice NAME, with --phrase only its clips of that phrase"),
    ],
    notes: [
      """
      detect, score and run then report the speaker: "speaker" is the name, or null for an unknown speaker, and a \
      "speakerScore" of 0.5 or more means that voice. Voices are stored in $XDG_DATA_HOME/hotword/voices, readable only \
      by you. Go on after the hotword with an order, as you do every day: then your orders are \
      compared with your voice too. If you enroll a name again, the new clips replace the old ones of that phrase.
      """
    ],
    examples: [
      "hotword enroll ann --phrase computer ann-1.wav ann-2.wav ann-3.wav",
      "hotword enroll ann --phrase computer", "hotword enroll --list",
    ])

  /// The longest time in seconds that a personal model may take.
  private static let personalizationTimeout = 300.0

  static func run(_ arguments: Arguments) throws {
    let store = VoiceStore.standard()
    for option in ["--list", "--remove"] where arguments.has(option) {
      let expected = option == "--list" ? 0 : 1
      if let other = arguments.operands.dropFirst(expected).first {
        throw UsageFault.unexpectedOperand(other, command: name)
      }
    }
    if arguments.has("--list") {
      if arguments.has("--remove") {
        throw UsageFault.conflict("--list", "--remove", reason: "one lists, the other removes", command: name)
      }
      return try list(store)
    }
    guard let voiceName = arguments.operands.first else {
      throw UsageFault.missingOperand("NAME", command: name)
    }
    guard VoiceStore.isName(voiceName) else { throw VoiceFault.badName(voiceName) }
    if arguments.has("--remove") { return try remove(voiceName, arguments.value("--phrase"), store) }
    if isFile(voiceName) { throw VoiceFault.fileAsName(voiceName) }
    guard let phrase = arguments.value("--phrase") else {
      throw UsageFault.missingOption("--phrase", value: "M", command: name)
    }
    let model = try ModelStore.standard().model(ModelReference(phrase))
    let files = Array(arguments.operands.dropFirst())
    var prints: [VoicePrint] = []
    var orders: [VoicePrint] = []
    var usable: [String] = []
    if files.isEmpty {
      (prints, orders) = try self.prints(listeningTo: arguments.value("--input") ?? "alsa:default", model)
    } else {
      (prints, orders, usable) = try self.prints(of: files, model)
    }
    let personal =
      try usable.isEmpty ? nil : personalize(phrase, for: voiceName, keyword: model.name, clips: usable)
    var voice = try known(voiceName, store) ?? EnrolledVoice(name: voiceName)
    voice.enroll(prints, orders: orders, keyword: model.name)
    let own = "\(voiceName)-\(model.name)"
    let hasEarlier = personal == nil && voice.keywords.contains(own) && Files.exists(path(of: own))
    if personal != nil || hasEarlier { voice.enroll(prints, keyword: own) } else { voice.forget(own) }
    try store.save(voice)
    if hasEarlier {
      Log.warning(
        "the model \(own) is still of the earlier clips; enroll \(voiceName) from clips to make it anew, or remove it: "
          + "hotword enroll --remove \(voiceName) --phrase '\(own)'")
    }
    let consistency = EnrolledVoices.consistency(prints)
    if consistency < EnrolledVoices.leastConsistency {
      Log.warning(
        "the clips do not sound like one person (consistency \(JSON.rounded(consistency, digits: 2)), of one person usually "
          + "\(EnrolledVoices.leastConsistency) or more); if they are several people's, enroll each by a name of their own"
      )
    }
    Output.line([
      "name": .string(voiceName), "phrase": .string(model.name), "clips": .number(Double(prints.count)),
      "orders": .number(Double(orders.count)), "consistency": .rounded(consistency),
      "model": personal.map { .string($0) } ?? .null,
    ])
  }

  /// Whether the name is probably that of a clip.
  private static func isFile(_ name: String) -> Bool {
    AudioFile.hasAudioEnding(name) || name.contains(".") && Files.exists(name)
  }

  private static func path(of model: String) -> String {
    "\(ModelStore.userFolder())/\(model)\(ModelStore.suffix)"
  }

  /// Makes the personal model `NAME-KEYWORD`.
  ///
  /// - Returns: its path; nil, after a warning, if it cannot be made.
  private static func personalize(
    _ phrase: String, for name: String, keyword: String, clips: [String]
  ) throws -> String? {
    try Files.createFolder(ModelStore.userFolder(), mode: 0o700)
    let path = path(of: "\(name)-\(keyword)")
    if let known = try? HotwordModel(reading: path), !isPersonal(known, from: keyword) {
      Log.warning(
        "no personal model for \(name): \(path) is another model; rename it, or enroll by another name")
      return nil
    }
    let words = ["--model", phrase, path] + clips
    guard let fault = try TrainingProgram.run("personalize", words, timeout: personalizationTimeout) else {
      return path
    }
    let reason = fault.hasPrefix("hotword: ") ? String(fault.dropFirst("hotword: ".count)) : fault
    Log.warning("no personal model for \(name): \(reason)")
    return nil
  }

  /// Removes the voice, or its clips of one phrase, and the personal models made from them.
  private static func remove(_ name: String, _ phrase: String?, _ store: VoiceStore) throws {
    guard var voice = try known(name, store) else {
      try store.remove(name)
      return removePersonalModels(of: name) { _ in true }
    }
    let removed =
      phrase.map { phrase in [phrase, "\(name)-\(phrase)"].filter(voice.keywords.contains) } ?? voice.keywords
    if let phrase, removed.isEmpty {
      throw VoiceFault.noClips(name: name, keyword: phrase, known: voice.keywords)
    }
    for keyword in removed { voice.forget(keyword) }
    if voice.keywords.isEmpty { try store.remove(name) } else { try store.save(voice) }
    removePersonalModels(of: name, removed.contains)
  }

  /// Removes the personal models of `name` whose keywords `isWanted`. A general model may have such a name too.
  private static func removePersonalModels(of name: String, _ isWanted: (String) -> Bool) {
    let folder = ModelStore.userFolder()
    for file in (try? Files.names(in: folder)) ?? [] where file.hasSuffix(ModelStore.suffix) {
      let own = String(file.dropLast(ModelStore.suffix.count))
      guard own.hasPrefix("\(name)-"), isWanted(own) else { continue }
      let path = path(of: own)
      guard let model = try? HotwordModel(reading: path) else {
        Log.warning("\(path): cannot be read, and is kept; delete it if it is of the voice of \(name)")
        continue
      }
      if isPersonal(model, from: String(own.dropFirst(name.count + 1))) { unlink(path) }
    }
  }

  /// Whether `model`, or a version before it, was made from the model `keyword` and clips of one person.
  private static func isPersonal(_ model: HotwordModel, from keyword: String) -> Bool {
    model.versions.contains { $0["enrolled"] != nil && $0["from"]?.string == keyword }
  }

  /// The voice `name`; nil if it is not enrolled, or, after a warning, if its file is damaged.
  private static func known(_ name: String, _ store: VoiceStore) throws(VoiceFault) -> EnrolledVoice? {
    do {
      return try store.voice(name)
    } catch  where error.isDamage {
      Log.warning(error.message)
      return nil
    }
  }

  private static func list(_ store: VoiceStore) throws {
    for voice in try store.names().compactMap({ try known($0, store) }) {
      for keyword in voice.keywords {
        Output.line([
          "name": .string(voice.name), "phrase": .string(keyword),
          "clips": .number(Double(voice.prints(of: keyword).count)),
        ])
      }
    }
  }

  /// The prints of the usable files; each of the others causes a warning.
  private static func prints(
    of files: [String], _ model: HotwordModel
  ) throws -> (prints: [VoicePrint], orders: [VoicePrint], files: [String]) {
    guard files.count <= EnrolledVoice.clipCounts.upperBound else {
      throw VoiceFault.tooManyClips(given: files.count, limit: EnrolledVoice.clipCounts.upperBound)
    }
    let sampler = try PhraseSampler(model)
    var prints: [VoicePrint] = []
    var orders: [VoicePrint] = []
    var usable: [String] = []
    for file in files {
      switch sampler.prints(of: file) {
      case .success(let found):
        prints.append(found.word)
        if let order = found.order { orders.append(order) }
        usable.append(file)
      case .failure(let defect): Log.warning(defect.message(file: file))
      }
    }
    guard prints.count >= EnrolledVoice.clipCounts.lowerBound else {
      throw VoiceFault.tooFewClips(usable: prints.count, needed: EnrolledVoice.clipCounts.lowerBound)
    }
    return (prints, orders, usable)
  }

  /// Seconds after the hotword in which an order is said into the microphone.
  private static let orderSeconds = 3.5

  /// The prints of the first three times that the phrase is said into `input`, and of the orders after it.
  private static func prints(
    listeningTo input: String, _ model: HotwordModel
  ) throws -> (prints: [VoicePrint], orders: [VoicePrint]) {
    let needed = EnrolledVoice.clipCounts.lowerBound
    let input = try InputName(input)
    let loop = try ListeningLoop(signals: nil)
    let sampler = try PhraseSampler(model)
    var prints: [VoicePrint] = []
    var orders: [VoicePrint] = []
    // The last hotword, while an order may follow it.
    var hotword: Range<SampleIndex>?
    func prompt() {
      Log.note("say \"\(model.phrase)\" and an order, as every day (\(prints.count + 1) of \(needed))")
    }
    func endOrder(at end: SampleIndex) {
      guard let word = hotword else { return }
      hotword = nil
      if let order = sampler.order(after: word, until: end) { orders.append(order) }
      if prints.count < needed { prompt() }
    }
    try loop.listen { () throws(CaptureFault) in try input.open() }
    prompt()
    _ = try loop.forEachFrame { frame in
      for said in sampler.push(frame) {
        endOrder(at: said.range.lowerBound)
        guard prints.count < needed else { break }
        switch said.print {
        case .success(let print):
          prints.append(print)
          hotword = said.range
        case .failure(let defect): Log.warning(defect.message(file: "the last one"))
        }
      }
      if let word = hotword, sampler.end >= word.upperBound + AudioFormat.samples(orderSeconds) {
        endOrder(at: sampler.end)
      }
      return prints.count < needed || hotword != nil
    }
    endOrder(at: sampler.end)
    loop.close()
    guard prints.count >= needed else { throw VoiceFault.tooFewClips(usable: prints.count, needed: needed) }
    return (prints, orders)
  }
}
