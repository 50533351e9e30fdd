import Assistant
import AudioCapture
import FrontEnd
import Glibc
import PCM
import Platform
import SoundCheck

/// Cuts takes out of a stream: from now on until somebody has spoken.
final class RecordEar {
  private let source: any AudioSource
  private let reader: FrameReader
  private let frontEnd: FrontEnd
  private var end: EndOfSpeech
  private let frame = UnsafeMutableBufferPointer<Int16>.allocate(capacity: AudioFormat.frameLength)
  private let clean = UnsafeMutableBufferPointer<Int16>.allocate(capacity: AudioFormat.frameLength)
  /// Samples of the stream so far, and when it began; nil for one without a clock.
  private var position = 0
  private let began: Double?
  private(set) var isEnded = false

  /// Seconds of the stream that may be behind the clock on the wall.
  private static let lateness = 0.15

  /// - Parameter hasClock: whether the stream goes on while nobody reads it.
  init(_ source: any AudioSource, hasClock: Bool) throws {
    self.source = source
    reader = FrameReader(source)
    frontEnd = try FrontEnd(.standard)
    var settings = EndOfSpeechSettings()
    settings.silence = 0.7
    settings.noSpeech = 8
    settings.longest = 7
    settings.leastSpeech = 0.15
    end = EndOfSpeech(settings)
    began = hasClock ? MonotonicClock.now() : nil
  }

  deinit {
    source.close()
    frame.deallocate()
    clean.deallocate()
  }

  /// Passes over what came while nobody listened.
  func catchUp() throws {
    guard let began else { return }
    while !isEnded, AudioFormat.seconds(position) < MonotonicClock.now() - began - Self.lateness {
      _ = try hear()
    }
  }

  /// The next take; nil where the stream ends before anything is said, or `isAsked` says that a key or signal waits.
  func take(until isAsked: () -> Bool) throws -> Take? {
    var samples: [Int16] = []
    var isWhole = true
    end.begin()
    while !isEnded {
      if isAsked() { return nil }
      let (read, state) = try hear()
      if read.gap > 0 || read.events.contains(.lost) { isWhole = false }
      samples += frame[..<read.count]
      if case .ended = state { return Take(samples, isWhole: isWhole) }
    }
    let last = Take(samples, isWhole: isWhole)
    return last.flaw == .noSpeech ? nil : last
  }

  private func hear() throws -> (AudioRead, EndOfSpeech.State) {
    let read = try reader.next(into: frame)
    position += read.gap + read.count
    isEnded = read.isEnd
    guard read.count > 0 else { return (read, .idle) }
    _ = clean.update(fromContentsOf: UnsafeBufferPointer(frame))
    let activity = frontEnd.process(clean)
    return (read, end.push(voiced: activity.voiced, level: activity.level))
  }
}
