import Detection
import Platform

/// The built-in recognizer: recognizes the sentences of a grammar in phoneme posteriors of neural encoders.
///
/// The encoders are trained with noise. Costs some hundredths of a second of processor time per second of audio, while
/// audio arrives; the final result takes milliseconds. Pass the unprocessed stream. Results depend on the audio only,
/// not on the size of chunks or on earlier audio. Not thread-safe: use it on one worker thread. Measurements are in the
/// README of this module.
public final class BuiltInRecognizer: Recognizer {
  public let name = "builtin"
  private let sentences: SentenceNetwork
  private var loaded: (encoder: EncoderStream, search: SentenceSearch)?
  private weak var session: BuiltInSession?

  /// - Parameter sentences: what is recognized; other recognizers may share it.
  public init(_ sentences: SentenceNetwork) { self.sentences = sentences }

  /// The encoders for a language: the files `recognition/en/….safetensors` in the first model folder that has any.
  public static func encoders(for language: String, in store: ModelStore = .standard()) -> [String] {
    let code = language.prefix { $0.isLetter }.lowercased()
    for folder in store.folders.map({ "\($0)/recognition/\(code)" }) {
      let files = ((try? Files.names(in: folder)) ?? []).filter { $0.hasSuffix(ModelStore.suffix) }
      if !files.isEmpty { return files.map { "\(folder)/\($0)" } }
    }
    return []
  }

  public var locale: String { sentences.locale }

  public var availability: RecognizerAvailability { sentences.availability }

  public func prepare() throws(RecognitionFault) { _ = try load() }

  public func start(_ request: RecognitionRequest) throws(RecognitionFault) -> any RecognitionSession {
    session?.cancel()
    let (encoder, search) = try load()
    let started = BuiltInSession(encoder, search, sentences, request)
    session = started
    return started
  }

  private func load() throws(RecognitionFault) -> (encoder: EncoderStream, search: SentenceSearch) {
    if let loaded { return loaded }
    let shared = try sentences.load()
    let made = (
      encoder: try EncoderStream(shared.encoders, sharing: shared.packed),
      search: SentenceSearch(shared.graph)
    )
    loaded = made
    return made
  }
}
