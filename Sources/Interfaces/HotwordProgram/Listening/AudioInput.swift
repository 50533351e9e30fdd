import AudioCapture
import Detection
import Glibc
import PCM
import Platform
import Service

/// Files and pipes that a command reads from start to end.
enum AudioInput {
  /// Calls `body` with each input. A fault of one is told, and the others are still processed; at the end the process exits with the
  /// code of the first fault.
  static func each(_ inputs: [String], _ body: (String) throws -> Void) throws {
    guard inputs.count > 1 else { return try inputs.forEach(body) }
    var code: ExitCode?
    for input in inputs {
      do {
        try body(input)
      } catch let fault as any Fault {
        Log.error(fault.message)
        code = code ?? fault.exitCode
      }
    }
    if let code { exit(code.rawValue) }
  }

  /// Runs `input` (a file, or `-` for standard input) through `spotter` from its initial state, followed by silence, so that a
  /// phrase at the very end is detected.
  ///
  /// - Parameters:
  ///   - recent: also receives the audio.
  ///   - step: called after each frame with the number of its hits.
  /// - Returns: the input's length in samples.
  static func run(
    _ spotter: KeywordSpotter, over input: String, into recent: HeardStream? = nil,
    step: (_ hits: Int) -> Void
  ) throws -> Int {
    spotter.reset()
    recent?.reset()
    let length = try forEachFrame(of: input) { frame in
      recent?.append(frame)
      step(spotter.push(frame))
    }
    let silence = [Int16](repeating: 0, count: AudioFormat.frameLength)
    for _ in 0..<spotter.tail {
      step(
        silence.withUnsafeBufferPointer {
          recent?.append($0)
          return spotter.push($0)
        })
    }
    return length
  }

  /// Calls `body` with each frame of `input`; the last is filled up with zeros.
  ///
  /// - Returns: the input's length in samples.
  static func forEachFrame(
    of input: String, _ body: (UnsafeBufferPointer<Int16>) throws -> Void
  ) throws -> Int {
    let name = input == "-" ? InputName.standardInput : .file(input)
    let reader = FrameReader(try name.open())
    let frame = UnsafeMutableBufferPointer<Int16>.allocate(capacity: AudioFormat.frameLength)
    defer { frame.deallocate() }
    var length = 0
    while true {
      let read = try reader.next(into: frame)
      length += read.count
      if read.count > 0 { try body(UnsafeBufferPointer(frame)) }
      guard read.isEnd else { continue }
      if length == 0 { throw CaptureFault.empty(path: name == .standardInput ? "standard input" : input) }
      return length
    }
  }
}

extension InputName {
  /// Whether the input is a device, whose audio goes on while nothing reads it.
  var isDevice: Bool { if case .alsa = self { true } else { false } }
}

extension KeywordSpotter {
  /// The hits of the last push or finish, of which there were `count`.
  func hits(_ count: Int) -> [Hit] { (0..<count).map(hit) }
}
