import Networking
import Platform

/// Teaches phrases and improves models: what of it is done at once, and what is background work.
final class TeachOperations: Sendable {
  /// Seconds of a recording.
  static let longestRecording = 12
  /// Bytes of a recording in a request.
  static let audioLimit = 400_000

  let program: TeachProgram
  let phrases: PhraseStore
  let work = BackgroundWork()

  init(_ program: TeachProgram) {
    self.program = program
    phrases = PhraseStore(folder: program.folder)
  }

  /// - Parameters:
  ///   - clips: those of the service, with their labels.
  ///   - input: the service's.
  func perform(
    _ operation: TeachOperation, _ name: String, _ request: ServedRequest, _ clips: ClipOperations,
    input: String
  ) throws(WebFault) -> ServedResponse {
    switch operation {
    case .work: .json(["work": work.state?.json ?? .null])
    case .cancelWork: .json(cancelled)
    case .pronounce: .json(try pronounce(PhraseBody(JSONBody(request))))
    case .say: ServedResponse(type: "audio/wav", try say(JSONBody(request)))
    case .listPhrases: .json(["phrases": .array(try WebOperations.run(phrases.all).map(\.json))])
    case .addPhrase: .json(try addPhrase(PhraseBody(JSONBody(request))))
    case .phrase: .json(try describe(phrase(name)))
    case .deletePhrase: .json(try deletePhrase(name))
    case .addTake: .json(try addTake(phrase(name), request))
    case .recordTake: .json(try recordTake(phrase(name), JSONBody(request), input: input))
    case .takeAudio: ServedResponse(type: "audio/wav", try takeAudio(name, request.query))
    case .deleteTake: .json(try deleteTake(name, request.query))
    case .train: .json(try train(phrase(name), JSONBody(request)))
    case .enroll: .json(try enroll(phrase(name), JSONBody(request)))
    case .listModels: .json(listedModels)
    case .model: .json(try model(name))
    case .improve: .json(try improve(name, JSONBody(request), clips.store.folder))
    case .useModel: .json(try use(name))
    case .discardModel: .json(try discard(name))
    case .restoreModel: .json(try restore(name))
    case .removeModel: .json(try remove(name))
    case .score: .json(try score(name, request))
    case .listen: .json(try listen(name, JSONBody(request)))
    }
  }

  private var cancelled: JSON {
    work.cancel()
    return ["work": work.state?.json ?? .null]
  }

  /// Starts background work and returns its state.
  func start(_ kind: WorkState.Kind, of name: String, _ words: [String]) throws(WebFault) -> JSON {
    ["work": try work.start(kind, of: name, words).json]
  }

  func phrase(_ name: String) throws(WebFault) -> PhraseStore.Phrase {
    guard let phrase = phrases.phrase(name) else { throw .noPhrase(name) }
    return phrase
  }
}

/// A phrase with its language and pronunciations in a request.
struct PhraseBody {
  private static let mostPronunciations = 8

  let text: String
  let language: String
  let pronunciations: [String]

  init(_ body: JSONBody) throws(WebFault) {
    text = try body.text("phrase", limit: 100)
    language = try body["language"].map { _ throws(WebFault) in try body.text("language", limit: 40) } ?? "en"
    let given = body["pronunciations"]?.array ?? []
    pronunciations = given.compactMap(\.string).filter { !$0.isEmpty }
    guard pronunciations.count == given.count, given.count <= Self.mostPronunciations,
      pronunciations.allSatisfy({ $0.count <= 200 })
    else {
      throw .badField(
        "pronunciations", expected: "a list of up to \(Self.mostPronunciations) texts of up to 200 characters"
      )
    }
  }

  /// The arguments of `hotword-train`; the phrase comes last, after `--`, so that it cannot be an option.
  var words: [String] { options + ["--", text] }

  private var options: [String] {
    ["--language=\(language)"] + pronunciations.map { "--pronunciation=\($0)" }
  }
}
