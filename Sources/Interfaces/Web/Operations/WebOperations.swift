import Detection
import Networking
import Platform
import Service
import Synchronization

/// Answers the requests of the page: checks them, finds the operation and carries it out.
final class WebOperations: Sendable {
  private let program: WebProgram
  private let requestCheck: RequestCheck
  private let signIn: SignIn?
  private let rate = Mutex(RateLimit())
  private let strangersRate = Mutex(RateLimit())
  private let live: LivePublisher?
  private let understanding = SentenceOperations()
  let teaching: TeachOperations?
  private let dialogues = DialogueOperations()
  private let speech = SpeechOperations()
  private let files: FileOperations
  /// Whether the doctor runs.
  private let isChecking = Atomic<Bool>(false)

  /// Starts the thread of the live view, if there is a service.
  ///
  /// - Parameter signIn: nil if the page asks for no token.
  init(_ program: WebProgram, _ check: RequestCheck, _ signIn: SignIn?) throws {
    self.program = program
    files = FileOperations(program)
    requestCheck = check
    self.signIn = signIn
    live = program.service.map { LivePublisher($0.live) }
    teaching = program.teaching.map(TeachOperations.init)
    try live?.start()
  }

  func response(to request: ServedRequest) -> ServedResponse {
    do throws(WebFault) {
      if let fault = requestCheck.fault(of: request) { throw fault }
      let sender = try signIn?.sender(of: request) ?? .browser
      // Requests of those who have not given the token take none of the others'.
      let isUnknown = if case .unknown = sender { true } else { false }
      let now = MonotonicClock.now()
      let isInTime =
        isUnknown ? strangersRate.withLock { $0.take(at: now) } : rate.withLock { $0.take(at: now) }
      guard isInTime else { throw .tooManyRequests }
      if request.isReading, let file = PageFiles.response(request.path) { return file }
      let isSignIn = request.path == WebOperation.signIn.route.path
      if isUnknown, !isSignIn { throw .notSignedIn }
      if case .browser = sender, !isSignIn, let fault = requestCheck.tokenFault(of: request) { throw fault }
      let taught = try TeachOperation.find(request.method, request.path)
      let limit = taught?.operation.bodyLimit ?? WebServer.bodyLimit
      if request.isTooLarge || request.body.count > limit { throw .tooLarge(limit: limit) }
      if let (operation, name) = taught, let teaching {
        return try teaching.perform(operation, name, request, clips, input: program.settings().input)
      }
      guard let (operation, name) = try WebOperation.find(request.method, request.path) else {
        throw .notFound
      }
      if request.body.count > operation.bodyLimit { throw .tooLarge(limit: operation.bodyLimit) }
      if operation.needsPageToken, signIn == nil { throw .needsPageToken }
      return try perform(operation, name, request)
    } catch {
      return error.response
    }
  }

  /// Ends background work.
  func stopWork() { teaching?.work.stop() }

  private func perform(
    _ operation: WebOperation, _ name: String, _ request: ServedRequest
  ) throws(WebFault) -> ServedResponse {
    switch operation {
    case .session: .json(session)
    case .signIn: try signedIn(request)
    case .openAPI: ServedResponse(type: "application/json", PageFiles.openAPI)
    case .live: try events()
    case .setSensitivity: .json(try setSensitivity(JSONBody(request)))
    case .listClips: .json(try clips.list(request.query))
    case .clipAudio: ServedResponse(type: "audio/wav", try clips.audio(name))
    case .labelClip: .json(try clips.label(name, JSONBody(request)))
    case .deleteClip: .json(try clips.delete(name))
    case .listIntents:
      .json(try Self.run { try program.sentences(program.settings().intents) })
    case .understand: .json(try understanding.understand(JSONBody(request), program.settings()))
    case .state: .json(state)
    case .log: .json(try Self.log(request.query))
    case .reload: .json(try reload())
    case .readFile: .json(try files.read(name))
    case .checkFile: .json(try files.check(name, JSONBody(request)))
    case .saveFile: .json(try files.save(name, JSONBody(request)))
    case .transcribe: .json(try speech.transcribe(request, program.settings()))
    case .dialogue: .json(try dialogues.answer(JSONBody(request), program.settings()))
    case .devices: .json(["devices": .array(try Self.run(program.devices))])
    case .doctor: .json(["findings": .array(try findings())])
    case .check: .json(checkedSettings)
    }
  }

  /// Calls `body`, whose errors are faults.
  static func run<Value>(_ body: () throws -> Value) throws(WebFault) -> Value {
    do {
      return try body()
    } catch let fault as any Fault {
      throw .fault(fault)
    } catch {
      fatalError("unexpected fault: \(error)")
    }
  }

  private var clips: ClipOperations { ClipOperations(program.settings(), voices: program.voices) }

  private var session: JSON {
    [
      "token": .string(requestCheck.token), "version": .string("\(Version.text)"),
      "live": .bool(live != nil), "stream": .bool(program.service?.hasStream ?? false),
      "clips": .string(clips.store.folder),
      "views": .array(program.views.map { .string($0.rawValue) }), "asksForToken": .bool(signIn != nil),
      "files": .array((signIn == nil ? [] : files.names).map { .string($0) }),
      "reloads": .bool(program.service?.reload != nil),
    ]
  }

  /// Gives the cookie to a browser with the token; a page without one needs none.
  private func signedIn(_ request: ServedRequest) throws(WebFault) -> ServedResponse {
    let cookie = try signIn?.cookie(for: request)
    var response = ServedResponse.json(["signedIn": true])
    if let cookie { response.headers.append(("Set-Cookie", cookie)) }
    return response
  }

  private func events() throws(WebFault) -> ServedResponse {
    guard let live else { throw .noService }
    guard let stream = live.open() else { throw .tooManyPages(limit: LivePublisher.limit) }
    return .events(stream)
  }

  private func setSensitivity(_ body: JSONBody) throws(WebFault) -> JSON {
    guard let service = program.service else { throw .noService }
    let model = try body.text("model", limit: 200)
    let value = try body.number("sensitivity", in: 0...1)
    guard service.live.models.contains(where: { $0.name == model }) else { throw .noModel(model) }
    guard let sensitivity = try? Sensitivity(value) else {
      throw .badField("sensitivity", expected: "0 to 1")
    }
    service.setSensitivity(model, sensitivity)
    return ["model": .string(model), "sensitivity": .number(value)]
  }

  private static func plugIn(_ name: String) -> JSON { .string(ServiceConnection.withoutSecrets(name)) }

  private static func plugIns(_ names: [String]) -> JSON { .array(names.map(plugIn)) }

  // MARK: State

  private var state: JSON {
    let settings = program.settings()
    let health = program.service?.health()
    return [
      "version": .string("\(Version.text)"),
      "health": health?.report ?? .null,
      "connections": .array((program.service?.connections() ?? []).map(\.json)),
      "reloads": .bool(program.service?.reload != nil),
      "settings": [
        "input": .string(settings.input), "models": .array(settings.models.map { .string($0) }),
        "recognizers": Self.plugIns(settings.recognizers), "handlers": Self.plugIns(settings.handlers),
        "intents": settings.intents.map { .string($0) } ?? .null,
        "understanding": settings.understanding.map { Self.plugIn($0) } ?? .null,
        "speak": settings.voice.map { Self.plugIn($0) } ?? .null,
        "keep": settings.keep.map { .string($0) } ?? .null,
        "hermes": .bool(settings.hermes != nil),
      ],
    ]
  }

  /// The last lines of the log.
  ///
  /// - Parameter query: `level`, the least severe one, and `count`.
  private static func log(_ query: [String: String]) throws(WebFault) -> JSON {
    guard let level = Log.Level(name: query["level"] ?? "debug") else {
      throw .badField("level", expected: Log.Level.allCases.map(\.name).joined(separator: ", "))
    }
    guard let count = Int(query["count"] ?? "100"), (1...400).contains(count) else {
      throw .badField("count", expected: "a number from 1 to 400")
    }
    let lines = Log.last(count, atLeast: level).map { line -> JSON in
      [
        "time": .string(line.time.iso), "level": .string(line.level.name), "message": .string(line.text),
      ]
    }
    return ["lines": .array(lines)]
  }

  private func reload() throws(WebFault) -> JSON {
    guard let reload = program.service?.reload else { throw .noService }
    reload()
    return ["requested": true]
  }

  private func findings() throws(WebFault) -> [JSON] {
    guard !isChecking.exchange(true, ordering: .acquiring) else { throw .busy }
    defer { isChecking.store(false, ordering: .releasing) }
    return try Self.run(program.findings)
  }

  private var checkedSettings: JSON {
    let (file, faults) = program.check()
    return [
      "file": file.map { .string($0) } ?? .null, "faults": .array(faults.map { .string($0.message) }),
    ]
  }
}
