import AudioCapture
import CommandLineParsing
import Detection
import PCM
import Platform
import Service

/// What `detect` and `score` share: models by name, and a stream run through them to its end.
enum Listening {
  /// Runs `input` (a file, or `-` for standard input) through a fresh `spotter`, and silence behind it so that a word
  /// at its very end is heard.
  ///
  /// - Parameters:
  ///   - heard: takes in what the spotter hears.
  ///   - step: called after each frame with the number of its hits.
  /// - Returns: the input's length in samples.
  static func run(
    _ spotter: KeywordSpotter, over input: String, hearing heard: HeardStream? = nil,
    step: (_ hits: Int) -> Void
  ) throws -> Int {
    spotter.reset()
    heard?.reset()
    let length = try forEachFrame(of: input) { frame in
      heard?.append(frame)
      step(spotter.push(frame))
    }
    let silence = [Int16](repeating: 0, count: AudioFormat.frameLength)
    for _ in 0..<spotter.tail {
      step(
        silence.withUnsafeBufferPointer {
          heard?.append($0)
          return spotter.push($0)
        })
    }
    return length
  }

  /// Runs `body` over the frames of `input`, the last filled up with zeros.
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
      if read.isEnd { return length }
    }
  }
}

extension KeywordSpotter {
  /// The hits of the last push or finish, of which there were `count`.
  func hits(_ count: Int) -> [Hit] { (0..<count).map(hit) }
}
