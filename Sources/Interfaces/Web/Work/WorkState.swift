import Platform

/// Work that takes minutes, from its start to its end: a value without processes and clocks.
struct WorkState: Sendable {
  enum Kind: String, Sendable, CaseIterable {
    case train, improve, record, enroll
  }

  enum Phase: String, Sendable, CaseIterable {
    case running, done, failed, cancelled
  }

  /// The loss of a batch of a training.
  struct CurvePoint: Sendable, Equatable {
    /// The completed share of the training, 0…1.
    var part: Double
    var loss: Double
  }

  /// The points of the curve are thinned where they become more.
  static let mostPoints = 200
  /// The messages that are kept, the last ones.
  static let mostMessages = 20

  /// Counts from 1 since the program started.
  let id: Int
  let kind: Kind
  /// The model's name.
  let name: String
  private(set) var phase = Phase.running
  private(set) var activity = ""
  /// The completed share of the activity, 0…1; nil if it is not known.
  private(set) var part: Double?
  private(set) var secondsLeft: Double?
  private(set) var curve: [CurvePoint] = []
  private(set) var messages: [String] = []
  /// What the command printed, if it succeeded and printed JSON.
  private(set) var result: JSON?
  /// Why it failed: the line that the command printed.
  private(set) var error: String?
  /// The points between two that are kept.
  private var stride = 1
  private var points = 0

  init(id: Int, kind: Kind, name: String) {
    self.id = id
    self.kind = kind
    self.name = name
  }

  /// Takes a line of the command's standard error: an object about its progress, or a message.
  mutating func take(_ line: String) {
    guard line.hasPrefix("{"), let progress = try? JSON(parsing: Array(line.utf8), what: "progress"),
      let activity = progress["activity"]?.string
    else {
      let message = Self.message(line)
      guard !message.isEmpty else { return }
      messages.append(message)
      if messages.count > Self.mostMessages { messages.removeFirst() }
      return
    }
    self.activity = activity
    part = progress["part"]?.number
    secondsLeft = progress["secondsLeft"]?.number
    if let part, let loss = progress["loss"]?.number { add(CurvePoint(part: part, loss: loss)) }
  }

  /// The command has ended.
  mutating func end(_ ending: Subprocess.Ending, output: [UInt8], lastError: String?) {
    part = nil
    secondsLeft = nil
    switch ending {
    case .exited(0):
      phase = .done
      let line = output.split(separator: UInt8(ascii: "\n")).last
      result = line.flatMap { try? JSON(parsing: Array($0), what: "the result") }
    case .cancelled: phase = .cancelled
    case .exited, .killed, .timedOut: fail(ending, lastError)
    }
  }

  /// The command could not be started.
  mutating func fail(_ message: String) {
    phase = .failed
    error = message
    if messages.last == message { messages.removeLast() }
  }

  private mutating func fail(_ ending: Subprocess.Ending, _ lastError: String?) {
    let isMessage = lastError?.hasPrefix("{") == false
    switch ending {
    case .killed(let signal): fail("the command was ended by signal \(signal); check the free memory")
    case .timedOut: fail("the command took too long")
    default: fail(isMessage ? Self.message(lastError ?? "") : "the command failed without a message")
    }
  }

  private mutating func add(_ point: CurvePoint) {
    defer { points += 1 }
    guard points % stride == 0 else { return }
    curve.append(point)
    guard curve.count > Self.mostPoints else { return }
    curve = curve.enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
    stride *= 2
  }

  /// A line without the name of the program.
  private static func message(_ line: String) -> String {
    let name = "hotword: "
    return PlainText.line(line.hasPrefix(name) ? String(line.dropFirst(name.count)) : line)
  }

  var json: JSON {
    [
      "id": .number(Double(id)), "kind": .string(kind.rawValue), "name": .string(name),
      "state": .string(phase.rawValue), "activity": .string(activity),
      "part": part.map { .number($0) } ?? .null,
      "secondsLeft": secondsLeft.map { .number($0) } ?? .null,
      "curve": .array(curve.map { ["part": .number($0.part), "loss": .number($0.loss)] }),
      "messages": .array(messages.map { .string($0) }), "error": error.map { .string($0) } ?? .null,
      "result": result ?? .null,
    ]
  }
}
