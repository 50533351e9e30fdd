import Glibc
import Platform

/// A synthetic voice: a voice of an engine with a way of speaking.
package struct SynthesisVoice: Sendable, Equatable {
  /// The engine and its voice.
  package enum Engine: Sendable, Equatable {
    /// An espeak-ng language with one of its variants: `en-us+f3`.
    case espeak(String)
    case flite(FliteVoice)
    case installed(InstalledVoice)
    /// A voice of a ``SynthesizerCommand``, by its number.
    case command(Int)
  }

  package var engine: Engine
  /// The speaking rate relative to the engine's own, 0.7…1.4.
  package var rate: Float = 1
  /// The pitch relative to the voice's own, 0.7…1.4.
  package var pitch: Float = 1
  /// The range of the intonation relative to the voice's own, 0…2.
  package var range: Float = 1
  /// The playback speed: above 1 a shorter vocal tract, a higher pitch and a faster rate at once.
  package var speed: Float = 1

  package init(_ engine: Engine) { self.engine = engine }

  /// The name of the speaker for any way of speaking, by which training and held-out data are split.
  package var speaker: String {
    switch engine {
    case .espeak(let name): String(name.drop { $0 != "+" })
    case .flite(let voice): voice.rawValue
    case .installed(let voice): "\(voice.program) \(voice.name)"
    case .command(let voice): "voice \(voice)"
    }
  }
}

/// flite's English voices at 16 kHz.
package enum FliteVoice: String, Sendable, CaseIterable {
  case kal16, slt, rms, awb
}

extension SynthesisVoice {
  /// English accents of the world; common ones occur more than once.
  private static let accents = [
    "en-us", "en-us", "en-us", "en", "en-gb-x-rp", "en-gb-scotland", "en-gb-x-gbclan", "en-gb-x-gbcwmd",
    "en-029", "en-us-nyc",
  ]
  private static let variants = [
    "m1", "m2", "m3", "m4", "m5", "m6", "m7", "m8", "f1", "f2", "f3", "f4", "f5", "klatt", "klatt2", "klatt3",
    "klatt4", "klatt5", "Alex", "Andy", "Annie", "Denis", "Diogo", "Gene", "Jacky", "Lee", "Mike", "adam",
    "belinda", "boris", "caleb", "david", "ed", "edward", "grandma", "grandpa", "linda", "max", "michel",
    "norbert", "paul", "quincy", "rob", "robert", "steph", "steph2", "steph3", "travis", "victor", "zac",
    "shelby", "anika", "aunty", "iven", "iven2", "john", "croak", "whisper",
  ]
  private static let dataFolders = [
    "/usr/lib/x86_64-linux-gnu/espeak-ng-data", "/usr/lib/aarch64-linux-gnu/espeak-ng-data",
    "/usr/share/espeak-ng-data", "/usr/lib/arm-linux-gnueabihf/espeak-ng-data",
  ]

  /// The installed variants. espeak-ng silently replaces an unknown one with its default voice.
  package static let installedVariants: [String] = {
    guard let folder = dataFolders.first(where: { Files.isDirectory("\($0)/voices/!v") }) else {
      return Array(variants.prefix(8))
    }
    return variants.filter { Files.exists("\(folder)/voices/!v/\($0)") }
  }()

  /// Returns the voices for `language` by which a training synthesizes, each with its usual way of speaking: accents,
  /// speakers, and other programs.
  package static func all(_ language: Language) -> [SynthesisVoice] {
    var accents = language.isAnyEnglish ? Self.accents : [language.voice]
    accents = accents.enumerated().filter { !accents[..<$0.offset].contains($0.element) }.map(\.element)
    let espeak = accents + installedVariants.map { "\(accents[0])+\($0)" }
    let isSpokenByOthers = ["en", "en-us"].contains(language.voice)
    return espeak.map { SynthesisVoice(.espeak($0)) }
      + (isSpokenByOthers ? FliteVoice.allCases.map { SynthesisVoice(.flite($0)) } : [])
      + (isSpokenByOthers ? InstalledVoice.all.map { SynthesisVoice(.installed($0)) } : [])
  }

  /// The engine and its voice: `espeak-ng en-us+f3`, `flite slt`.
  package var name: String {
    switch engine {
    case .espeak(let name): "espeak-ng \(name)"
    case .flite(let voice): "flite \(voice.rawValue)"
    case .installed(let voice): "\(voice.program.rawValue) \(voice.name)"
    case .command(let voice): "--synthesizer \(voice)"
    }
  }

  /// Returns a random English voice: three quarters espeak-ng, a quarter flite; or a third an ``InstalledVoice``, if there
  /// are any, and the rest as before.
  ///
  /// - Parameter isLabelled: whether the times of the sounds are needed.
  package static func random(_ random: inout RandomSource, isLabelled: Bool = false) -> SynthesisVoice {
    .random(&random, .english, isLabelled: isLabelled)
  }

  /// Returns a random voice for `language`: for English in general all accents and programs, for American English no
  /// other accents of espeak-ng, for other languages espeak-ng's variants.
  ///
  /// - Parameters:
  ///   - bySounds: whether the input is a sequence of sounds, which only espeak-ng supports.
  ///   - isLabelled: whether the times of the sounds are needed.
  package static func random(
    _ random: inout RandomSource, _ language: Language, bySounds: Bool = false, isLabelled: Bool = false
  ) -> SynthesisVoice {
    var voice: SynthesisVoice
    let onlyEspeak = bySounds || !["en", "en-us"].contains(language.voice)
    let installed = onlyEspeak || isLabelled ? [] : InstalledVoice.all
    if !installed.isEmpty, random.chance(0.33) {
      voice = SynthesisVoice(.installed(installed[Int(random.next() % UInt64(installed.count))]))
    } else if onlyEspeak || random.chance(0.75) {
      let accent =
        language.isAnyEnglish ? accents[Int(random.next() % UInt64(accents.count))] : language.voice
      let variant = installedVariants[Int(random.next() % UInt64(installedVariants.count))]
      voice = SynthesisVoice(.espeak("\(accent)+\(variant)"))
    } else {
      voice = SynthesisVoice(
        .flite(FliteVoice.allCases[Int(random.next() % UInt64(FliteVoice.allCases.count))]))
    }
    voice.vary(&random)
    return voice
  }

  /// Returns a random voice of a ``SynthesizerCommand``.
  package static func ofCommand(_ random: inout RandomSource) -> SynthesisVoice {
    var voice = SynthesisVoice(.command(Int(random.next() % UInt64(SynthesizerCommand.voices))))
    voice.vary(&random)
    return voice
  }

  private mutating func vary(_ random: inout RandomSource) {
    rate = exp2f(random.uniform(-0.45...0.4))
    pitch = exp2f(random.uniform(-0.4...0.4))
    range = random.uniform(0.3...1.7)
    speed = exp2f(random.uniform(-0.25...0.28))
  }
}

/// A language that espeak-ng supports.
package struct Language: Sendable, Equatable {
  /// espeak-ng's voice for it, for example `de`.
  package let voice: String

  package static let english = Language(voice: "en")

  private init(voice: String) { self.voice = voice }

  /// Finds the language of a code of `espeak-ng --voices`, in either case, for example `de` or `pt-br`.
  ///
  /// - Throws: ``TrainingFault/unknownLanguage(_:suggestion:)``.
  package init(_ code: String, _ synthesizer: Synthesizer) throws(TrainingFault) {
    let code = code.lowercased()
    let voices = synthesizer.voices()
    let found =
      voices.first { $0.name == code }
      ?? voices.filter { $0.languages[code] != nil }.min { $0.languages[code]! < $1.languages[code]! }
    guard let found else {
      let known = Set(voices.map(\.name)).union(voices.flatMap(\.languages.keys)).sorted()
      throw .unknownLanguage(code, suggestion: Suggestion.nearest(to: code, among: known))
    }
    // Of the two Mandarin voices, this one reads characters.
    voice = found.name == "cmn" ? "cmn-latn-pinyin" : found.name
  }

  package var isEnglish: Bool { voice == "en" || voice.hasPrefix("en-") }

  /// Whether its voices have every English accent.
  package var isAnyEnglish: Bool { voice == "en" }
}

/// The input of a synthesizer.
package enum SynthesisInput: Sendable, Hashable {
  /// Text as written.
  case text(String)
  /// Sounds in espeak-ng's names, which only espeak-ng supports.
  case sounds(String)
  /// English text, for a phrase of any language.
  case english(String)

  /// Whether it is text in `language`.
  func isText(in language: Language) -> Bool {
    switch self {
    case .text: true
    case .english: language.isEnglish
    case .sounds: false
    }
  }
}
