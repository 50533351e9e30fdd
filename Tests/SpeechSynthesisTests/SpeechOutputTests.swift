import AudioCapture
import Glibc
import Platform
import SpeechSynthesis
import Synchronization
import TestServers
import Testing

private enum TestDevices {
  /// What was played on a device, once that is at least `count` samples.
  static func played(on device: String, atLeast count: Int = 0) throws -> [Int16] {
    var bytes: [UInt8] = []
    _ = Waiting.until {
      bytes = (try? Files.read("\(SoundDevices.folder)/\(device).raw")) ?? []
      return bytes.count / 2 >= count
    }
    return stride(from: 0, to: bytes.count / 2 * 2, by: 2).map {
      Int16(bitPattern: UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8)
    }
  }
}

/// A voice that returns a ramp of one second for each word.
private struct Ramp: SpeechVoice {
  static let second = (0..<16_000).map { Int16($0) }

  func say(_ text: String, isCancelled: () -> Bool) throws(SpeechFault) -> [Int16] {
    if text == "fail" { throw .notAudio(command: "ramp") }
    return text.split(separator: " ").flatMap { _ in Self.second }
  }
}

/// Finds a word at 8,000..<12,000 of each speech, once all of it was pushed.
private final class OneWord: PlaybackWords {
  private let count = Mutex(0)

  func reset() { count.withLock { $0 = 0 } }

  func push(_ samples: ArraySlice<Int16>) -> [PlaybackReference.Word] {
    let (before, after) = count.withLock { count in
      count += samples.count
      return (count - samples.count, count)
    }
    return before < 12_000 && after >= 12_000
      ? [PlaybackReference.Word(keyword: 0, range: 8_000..<12_000)] : []
  }

  func finish() -> [PlaybackReference.Word] {
    [PlaybackReference.Word(keyword: 2, range: count.withLock { $0 - 4_000..<$0 })]
  }
}

@Suite(.limited) struct SpeechOutputTests {
  private func output(_ device: String, volume: Double = 100) -> SpeechOutput {
    _ = SoundDevices.folder
    var settings = SpeechOutput.Settings()
    settings.device = device
    settings.volume = volume
    return SpeechOutput(Ramp(), settings, words: OneWord())
  }

  private func wait(until isDone: () throws -> Bool) rethrows -> Bool { try Waiting.until(isDone) }

  @Test func speechIsPlayedInRealTimeAndIsTheReference() throws {
    let output = output("plain")
    let ended = Mutex<[SpeechQueue.Ending]>([])
    let began = MonotonicClock.now()
    output.say("one") { ending in ended.withLock { $0.append(ending) } }
    output.play(.end)
    #expect(!output.isIdle)
    let frame = UnsafeMutableBufferPointer<Int16>.allocate(capacity: 160)
    defer { frame.deallocate() }
    var read: [Int16] = []
    #expect(wait { output.reference.read(at: MonotonicClock.now(), into: frame) })
    for _ in 0..<20 {
      _ = output.reference.read(at: MonotonicClock.now(), into: frame)
      read += frame
      // The reference depends on the time at which it is read: read it at twenty times.
      usleep(20_000)
    }
    // The reference is what is played now: the ramp climbs with the clock, without steps inside a frame.
    #expect(zip(read, read.dropFirst()).count { $1 - $0 == 1 } >= 15 * 159)
    #expect((read.max() ?? 0) > 4_000)
    #expect(wait { output.isIdle })
    #expect(MonotonicClock.now() - began > 1.1)
    #expect(ended.withLock { $0 } == [.done])
    #expect(
      try TestDevices.played(on: "plain", atLeast: 16_000 + Sound.end.samples.count) == Ramp.second
        + Sound.end.samples)
    #expect(!output.reference.read(at: MonotonicClock.now() + 0.1, into: frame))
    #expect(output.reference.holds(0, from: began + 0.5, to: began + 0.7, tolerance: 0.4))
    #expect(!output.reference.holds(0, from: began + 3, to: began + 3.2, tolerance: 0.4))
    #expect(output.reference.holds(2, from: began + 0.75, to: began + 1, tolerance: 0.4))
    #expect(!output.reference.holds(1, from: began + 0.5, to: began + 0.7, tolerance: 0.4))
  }

  @Test func aStreamIsPlayedWhileItArrivesAndGapsInItAreSilence() throws {
    let output = output("arriving")
    let stream = SpeechStream()
    let ended = Mutex<[SpeechQueue.Ending]>([])
    output.play(stream) { ending in ended.withLock { $0.append(ending) } }
    stream.append(Array(Ramp.second[..<8_000]))
    let frame = UnsafeMutableBufferPointer<Int16>.allocate(capacity: 160)
    defer { frame.deallocate() }
    let isPlaying = { output.reference.read(at: MonotonicClock.now(), into: frame) }
    #expect(wait { isPlaying() }, "before all has arrived")
    #expect(wait { !isPlaying() }, "what has arrived is played")
    #expect(ended.withLock { $0 }.isEmpty)
    stream.append(Array(Ramp.second[8_000...]))
    stream.finish()
    stream.append([1, 2, 3])
    #expect(wait { ended.withLock { $0 } == [.done] })
    let played = try TestDevices.played(on: "arriving", atLeast: 16_000)
    let isWhole = played.filter { $0 != 0 } == Ramp.second.filter { $0 != 0 }
    #expect(isWhole, "\(played.count) samples")
    let stopped = SpeechStream()
    output.play(stopped) { ending in ended.withLock { $0.append(ending) } }
    output.stop()
    #expect(ended.withLock { $0 } == [.done, .interrupted])
  }

  @Test func pausedSpeechContinuesWithoutALostSample() throws {
    let output = output("paused")
    output.say("one")
    #expect(try wait { try !TestDevices.played(on: "paused").isEmpty })
    output.pause()
    #expect(output.isIdle)
    // Nothing signals that nothing is played: look twice.
    usleep(200_000)
    let before = try TestDevices.played(on: "paused").count
    usleep(100_000)
    #expect(try TestDevices.played(on: "paused").count == before)
    output.resume()
    #expect(wait { output.isIdle })
    // Samples that were written and not played are played again.
    let played = try TestDevices.played(on: "paused", atLeast: 16_000)
    #expect(played.count >= 16_000 && played.count < 20_000)
    #expect(Set(played) == Set(Ramp.second))
  }

  @Test func allIsPlayedOnceTheEndIsReported() {
    let output = output("ended")
    let played = Mutex<[Int]>([])
    for _ in 0..<2 {
      output.say("one") { _ in
        let bytes = (try? Files.read("\(SoundDevices.folder)/ended.raw")) ?? []
        played.withLock { $0.append(bytes.count / 2) }
      }
    }
    #expect(wait { played.withLock { $0.count } == 2 })
    #expect(played.withLock { $0.last } == 32_000)
  }

  @Test func stoppedSpeechIsSilentAtOnce() throws {
    let output = output("stopped")
    let ended = Mutex<[SpeechQueue.Ending]>([])
    for words in ["one two three", "four"] {
      output.say(words) { ending in ended.withLock { $0.append(ending) } }
    }
    #expect(try wait { try !TestDevices.played(on: "stopped").isEmpty })
    output.stop()
    #expect(ended.withLock { $0 } == [.interrupted, .interrupted])
    #expect(output.isIdle)
    // Nothing signals that nothing more is played.
    usleep(100_000)
    #expect(try TestDevices.played(on: "stopped").count < 16_000)
    let frame = UnsafeMutableBufferPointer<Int16>.allocate(capacity: 160)
    defer { frame.deallocate() }
    #expect(!output.reference.read(at: MonotonicClock.now(), into: frame))
  }

  @Test func theVolumeScalesWhatIsPlayed() throws {
    let output = output("loud", volume: 50)
    output.say("one")
    #expect(wait { output.isIdle })
    #expect(try TestDevices.played(on: "loud", atLeast: 16_000) == Ramp.second.map { $0 / 2 })
    output.volume = 400
    #expect(output.volume == 100)
  }

  @Test func theLastAudibleVolumeIsKept() {
    let silent = output("loud", volume: 0)
    #expect(silent.audibleVolume == 100)
    silent.volume = 30
    silent.volume = 0
    #expect(silent.volume == 0 && silent.audibleVolume == 30)
  }

  @Test func aFailureIsReportedOnceAndTheRestIsSpoken() throws {
    let output = output("failing")
    let faults = Mutex<[SpeechFault]>([])
    output.report { fault in faults.withLock { $0.append(fault) } }
    for text in ["fail", "fail", "one"] { output.say(text) }
    #expect(wait { output.isIdle })
    #expect(faults.withLock { $0 } == [.notAudio(command: "ramp")])
    #expect(try TestDevices.played(on: "failing", atLeast: 16_000) == Ramp.second)
  }

  @Test func aMissingDeviceIsReported() {
    let output = output("nowhere")
    let faults = Mutex<[SpeechFault]>([])
    output.report { fault in faults.withLock { $0.append(fault) } }
    output.play(.ring)
    #expect(wait { output.isIdle })
    #expect(faults.withLock { $0 }.count == 1)
  }
}
