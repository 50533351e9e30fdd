import CEspeak
import Glibc
import Platform
import Synchronization

/// The speech synthesizer espeak-ng: speech from text with the phonemes that it consists of, and phonemes from text.
///
/// A process has one espeak-ng. It is opened by the first use and keeps its state in global variables, so each call
/// waits until no other runs. Any thread may call it. espeak-ng carries state from one utterance to the
/// next: the same calls in the same order return the same samples; in another order noise and durations differ slightly.
public struct Espeak: Sendable {
  /// What is to be spoken.
  public enum Input: Sendable, Equatable {
    case text(String)
    /// espeak-ng's own names of phonemes, as `espeak-ng -x` prints them.
    case phonemes(String)

    /// The text as the library reads it, with the zero at its end.
    fileprivate var bytes: [UInt8] {
      switch self {
      case .text(let text): Array(text.utf8) + [0]
      case .phonemes(let names): Array("[[\(names)]]".utf8) + [0]
      }
    }

    fileprivate var flags: UInt32 {
      switch self {
      case .text: UInt32(espeakCHARS_UTF8)
      case .phonemes: UInt32(espeakCHARS_UTF8 | espeakPHONEMES)
      }
    }
  }

  /// How it is to be spoken.
  public struct Style: Sendable, Equatable {
    /// A voice or language of espeak-ng, with or without a variant: `de`, `en-us+f2`.
    public var voice: String
    public var wordsPerMinute = 175
    /// 0…99; 50 is the voice's own pitch.
    public var pitch = 50
    /// 0…99; 50 is the voice's own range of pitch.
    public var range = 50

    public init(voice: String, wordsPerMinute: Int = 175, pitch: Int = 50, range: Int = 50) {
      self.voice = voice
      self.wordsPerMinute = wordsPerMinute
      self.pitch = pitch
      self.range = range
    }
  }

  public struct Speech: Sendable {
    /// Mono, ``Espeak/sampleRate`` per second.
    public internal(set) var samples: [Int16] = []
    /// The phonemes in order, in the International Phonetic Alphabet, with the second at which each begins.
    public internal(set) var phonemes: [(name: String, start: Double)] = []
  }

  /// The library's functions; one call at a time.
  static let library = Mutex<Result<espeak_library, EspeakFault>?>(nil)

  /// Samples per second, 22,050 for most voices.
  public let sampleRate: Int

  /// Opens the library if it is not open yet.
  ///
  /// - Throws: ``EspeakFault``.
  public init() throws(EspeakFault) {
    let opened = Self.library.withLock { library in
      let opened = library ?? Self.open()
      library = opened
      return opened.map { Int($0.sample_rate) }
    }
    sampleRate = try opened.get()
  }

  private static func open() -> Result<espeak_library, EspeakFault> {
    if let reason = espeak_open() { return .failure(.unavailable(reason: String(cString: reason))) }
    let library = espeak_functions()
    library.set_callback(receiveSpeech)
    return .success(library)
  }

  /// Runs `body` while no call of the library runs: for code that draws numbers from C's `rand`, as the library does.
  public func exclusively<Value: Sendable>(_ body: () -> Value) -> Value { use { _ in body() } }

  /// Calls `body` while no other call of the library runs.
  func use<Value: Sendable>(_ body: (espeak_library) -> Value) -> Value {
    Self.library.withLock { library in
      guard case .success(let functions) = library else {
        fatalError("espeak-ng is used before it is opened")
      }
      return body(functions)
    }
  }

  // MARK: Speech

  /// Speaks `input`.
  ///
  /// - Parameters:
  ///   - limit: seconds after which the speech is cut off.
  ///   - isCancelled: called about every 50 ms of speech; true ends it.
  /// - Returns: what was spoken until then; nil where the library has no such voice or rejects the input.
  public func speak(
    _ input: Input, _ style: Style, limit: Double, isCancelled: () -> Bool = { false }
  ) -> Speech? {
    withoutActuallyEscaping(isCancelled) { isCancelled in
      let progress = Progress(limit: Int(limit * Double(sampleRate)), isCancelled: isCancelled)
      let isSpoken = use { library in
        // Otherwise it would go on with the voice that spoke last.
        guard library.set_voice(style.voice) == EE_OK else { return false }
        srand(1)
        _ = library.set_parameter(espeakRATE, Int32(style.wordsPerMinute), 0)
        _ = library.set_parameter(espeakPITCH, Int32(style.pitch), 0)
        _ = library.set_parameter(espeakRANGE, Int32(style.range), 0)
        return Self.synthesize(input, library, Unmanaged.passUnretained(progress).toOpaque())
      }
      progress.isCancelled = { false }
      return isSpoken ? progress.speech : nil
    }
  }

  /// Returns false where the library rejects the input.
  private static func synthesize(
    _ input: Input, _ library: espeak_library, _ context: UnsafeMutableRawPointer?
  ) -> Bool {
    let bytes = input.bytes
    return library.synthesize(bytes, bytes.count, 0, POS_CHARACTER, 0, input.flags, nil, context) == EE_OK
  }

  /// An utterance that is being spoken.
  fileprivate final class Progress {
    var speech = Speech()
    /// Samples.
    let limit: Int
    var isCancelled: () -> Bool

    init(limit: Int, isCancelled: @escaping () -> Bool) {
      self.limit = limit
      self.isCancelled = isCancelled
    }
  }

  // MARK: Phonemes

  /// The phonemes of each word of `input` by espeak-ng's own names, as `voice` speaks them; empty where there is no
  /// such voice.
  ///
  /// Stress is a mark before a name; where the language changes, its name is in parentheses.
  public func phonemes(of input: Input, voice: String) -> [[String]] {
    transcriptions(of: input, voice: voice, mode: Int32(UInt8(ascii: "|")) << 8).flatMap { clause in
      clause.split(separator: " ").map { word in
        word.split(separator: "|").map(String.init).filter { !$0.hasPrefix("_") }
      }
    }.filter { !$0.isEmpty }
  }

  /// The phonemes of a word in the International Phonetic Alphabet; nil where there is no such voice.
  public func ipa(of word: String, voice: String) -> String? {
    transcriptions(of: .text(word), voice: voice, mode: Int32(espeakPHONEMES_IPA)).first
  }

  /// One transcription for each clause.
  private func transcriptions(of input: Input, voice: String, mode: Int32) -> [String] {
    use { library in
      guard library.set_voice(voice) == EE_OK else { return [] }
      // Whether brackets in a text enclose phonemes is a mode that only speaking sets.
      _ = library.synthesize(".", 2, 0, POS_CHARACTER, 0, input.flags, nil, nil)
      return input.bytes.withUnsafeBytes { bytes in
        var rest: UnsafeRawPointer? = bytes.baseAddress
        var clauses: [String] = []
        while rest != nil {
          guard let names = library.text_to_phonemes(&rest, Int32(espeakCHARS_UTF8), mode) else { break }
          clauses.append(String(cString: names))
        }
        return clauses
      }
    }
  }
}

/// espeak-ng cannot be used.
public enum EspeakFault: Fault, Equatable {
  /// The library or its data is missing; `reason` is the system's.
  case unavailable(reason: String)

  public var exitCode: ExitCode { .unavailable }

  public var message: String {
    switch self {
    case .unavailable(let reason):
      "espeak-ng cannot be used: \(reason); install libespeak-ng1 and espeak-ng-data"
    }
  }
}

private func receiveSpeech(
  _ samples: UnsafeMutablePointer<Int16>?, _ count: Int32, _ events: UnsafeMutablePointer<espeak_EVENT>?
) -> Int32 {
  guard var event = events, let context = event.pointee.user_data else { return 0 }
  let progress = Unmanaged<Espeak.Progress>.fromOpaque(context).takeUnretainedValue()
  while event.pointee.type != espeakEVENT_LIST_TERMINATED {
    if event.pointee.type == espeakEVENT_PHONEME {
      let name = withUnsafeBytes(of: event.pointee.id.string) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      progress.speech.phonemes.append((name, Double(event.pointee.audio_position) / 1000))
    }
    event += 1
  }
  guard let samples, count > 0 else { return 0 }
  progress.speech.samples += UnsafeBufferPointer(start: samples, count: Int(count))
  return progress.isCancelled() || progress.speech.samples.count > progress.limit ? 1 : 0
}
