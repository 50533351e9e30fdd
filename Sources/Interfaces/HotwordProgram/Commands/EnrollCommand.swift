import AudioCapture
import CommandLineParsing
import Detection
import Glibc
import Platform
import Speakers

/// `hotword enroll`: a person's voice from clips of the hotword, or from the microphone.
enum EnrollCommand {
  static func run(_ arguments: Arguments) throws {
    let store = VoiceStore.standard()
    if arguments.has("--list") { return try list(store) }
    guard let name = arguments.operands.first else {
      throw UsageFault.missingOperand("NAME", command: "enroll")
    }
    guard VoiceStore.isName(name) else { throw VoiceFault.badName(name) }
    if arguments.has("--remove") { return try remove(name, store) }
    guard let phrase = arguments.value("--phrase") else {
      throw UsageFault.missingOption("--phrase", value: "M", command: "enroll")
    }
    let model = try ModelStore.standard().model(ModelReference(phrase))
    let ear = try EnrollmentEar(model)
    let files = Array(arguments.operands.dropFirst())
    var prints: [VoicePrint] = []
    var heard: [String] = []
    if files.isEmpty {
      prints = try spoken(ear, model, input: arguments.value("--input") ?? "alsa:default")
    } else {
      (prints, heard) = try self.prints(ear, of: files)
    }
    let personal = try heard.isEmpty ? nil : personalize(phrase, for: name, keyword: model.name, clips: heard)
    var voice = try store.voice(name) ?? EnrolledVoice(name: name)
    voice.enroll(prints, keyword: model.name)
    if personal != nil { voice.enroll(prints, keyword: "\(name)-\(model.name)") }
    try store.save(voice)
    Output.line([
      "name": .string(name), "phrase": .string(model.name), "clips": .number(Double(prints.count)),
      "consistency": .rounded(EnrolledVoices.consistency(prints)), "model": personal.map { .string($0) } ?? .null,
    ])
  }

  /// Seconds that a personal model may take.
  private static let patience = 300.0

  /// Makes the model `NAME-KEYWORD` of this person; its path, or nil with a warning where it cannot be made.
  private static func personalize(
    _ phrase: String, for name: String, keyword: String, clips: [String]
  ) throws -> String? {
    let folder = ModelStore.userFolder()
    try Files.createFolder(folder)
    let path = "\(folder)/\(name)-\(keyword)\(ModelStore.suffix)"
    guard let fault = try Helper.run("personalize", ["--model", phrase, path] + clips, timeout: patience)
    else {
      return path
    }
    Log.warning(
      "no model of \(name)'s own: \(fault.hasPrefix("hotword: ") ? String(fault.dropFirst(9)) : fault)")
    return nil
  }

  /// Forgets the voice and the models made of it.
  private static func remove(_ name: String, _ store: VoiceStore) throws {
    let keywords = try store.voice(name)?.keywords ?? []
    try store.remove(name)
    for keyword in keywords where keyword.hasPrefix("\(name)-") {
      unlink("\(ModelStore.userFolder())/\(keyword)\(ModelStore.suffix)")
    }
  }

  private static func list(_ store: VoiceStore) throws {
    for voice in try store.voices() {
      for keyword in voice.keywords {
        Output.line([
          "name": .string(voice.name), "phrase": .string(keyword),
          "clips": .number(Double(voice.prints(of: keyword).count)),
        ])
      }
    }
  }

  /// The prints of the files that can be used; the others are named, each with its fault.
  private static func prints(
    _ ear: EnrollmentEar, of files: [String]
  ) throws -> (prints: [VoicePrint], files: [String]) {
    guard files.count <= EnrolledVoice.clipCounts.upperBound else {
      throw VoiceFault.tooManyClips(given: files.count, limit: EnrolledVoice.clipCounts.upperBound)
    }
    var prints: [VoicePrint] = []
    var heard: [String] = []
    for file in files {
      switch ear.hear(file) {
      case .success(let print):
        prints.append(print)
        heard.append(file)
      case .failure(let defect): Log.warning(defect.message(file: file))
      }
    }
    guard prints.count >= EnrolledVoice.clipCounts.lowerBound else {
      throw VoiceFault.tooFewClips(usable: prints.count, needed: EnrolledVoice.clipCounts.lowerBound)
    }
    return (prints, heard)
  }

  /// The prints of the first three times that the phrase is said into `input`.
  private static func spoken(
    _ ear: EnrollmentEar, _ model: HotwordModel, input: String
  ) throws -> [VoicePrint] {
    let needed = EnrolledVoice.clipCounts.lowerBound
    let source = try InputName(input).open(paced: false)
    var prints: [VoicePrint] = []
    func ask() { Log.note("say \"\(model.phrase)\" (\(prints.count + 1) of \(needed))") }
    ask()
    try ear.listen(source) { result in
      switch result {
      case .success(let print):
        prints.append(print)
        if prints.count < needed { ask() }
      case .failure(let defect): Log.warning(defect.message(file: "the last one"))
      }
      return prints.count < needed
    }
    guard prints.count >= needed else { throw VoiceFault.tooFewClips(usable: prints.count, needed: needed) }
    return prints
  }
}
