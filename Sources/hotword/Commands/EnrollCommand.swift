import AudioCapture
import CommandLine
import Detection
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
    if arguments.has("--remove") { return try store.remove(name) }
    guard let phrase = arguments.value("--phrase") else {
      throw UsageFault.missingOption("--phrase", value: "M", command: "enroll")
    }
    let model = try ModelStore.standard().model(ModelReference(phrase))
    let ear = try EnrollmentEar(model)
    let files = Array(arguments.operands.dropFirst())
    let prints =
      try files.isEmpty
      ? spoken(ear, model, input: arguments.value("--input") ?? "alsa:default")
      : self.prints(ear, of: files)
    var voice = try store.voice(name) ?? Voice(name: name)
    voice.enroll(prints, keyword: model.name)
    try store.save(voice)
    Output.line([
      "name": .string(name), "phrase": .string(model.name), "clips": .number(Double(prints.count)),
      "consistency": .rounded(Voices.consistency(prints)),
    ])
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
  private static func prints(_ ear: EnrollmentEar, of files: [String]) throws -> [VoicePrint] {
    guard files.count <= Voice.clipCounts.upperBound else {
      throw VoiceFault.tooManyClips(given: files.count, limit: Voice.clipCounts.upperBound)
    }
    var prints: [VoicePrint] = []
    for file in files {
      switch ear.hear(file) {
      case .success(let print): prints.append(print)
      case .failure(let defect): Log.warning(defect.message(file: file))
      }
    }
    guard prints.count >= Voice.clipCounts.lowerBound else {
      throw VoiceFault.tooFewClips(usable: prints.count, needed: Voice.clipCounts.lowerBound)
    }
    return prints
  }

  /// The prints of the first three times that the phrase is said into `input`.
  private static func spoken(
    _ ear: EnrollmentEar, _ model: HotwordModel, input: String
  ) throws -> [VoicePrint] {
    let needed = Voice.clipCounts.lowerBound
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
