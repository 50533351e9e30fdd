import AudioCapture
import Glibc
import PCM
import Platform
import TestServers
import Testing

@Suite(.limited) struct PacedSourceTests {
  @Test func aFileIsReadInRealTimeBitExactly() throws {
    let folder = TestAudio.makeFolder()
    defer { TestAudio.remove(folder) }
    let noise = TestAudio.noise(8123, seed: 12)
    try AudioFile.write(noise, to: "\(folder)/noise.wav")
    let begin = MonotonicClock.now()
    let source = try InputName("\(folder)/noise.wav").open(paced: true)
    #expect(try TestAudio.drain(source) == noise)
    let seconds = MonotonicClock.now() - begin
    #expect(seconds > 0.49)
    #expect(seconds < 5)
  }

  @Test func slowReaderLosesNothing() throws {
    let folder = TestAudio.makeFolder()
    defer { TestAudio.remove(folder) }
    let noise = TestAudio.noise(4800, seed: 13)
    try AudioFile.write(noise, to: "\(folder)/noise.wav")
    let source = try PacedSource(FileSource("\(folder)/noise.wav"))
    // A reader that comes when all 0.3 s have been played.
    usleep(400_000)
    #expect(try TestAudio.drain(source) == noise)
  }

  @Test func anErrorOfTheInnerSourceIsThrownAfterItsSamples() throws {
    let source = try PacedSource(Script([.samples(160), .fault]))
    let frame = UnsafeMutableBufferPointer<Int16>.allocate(capacity: 160)
    defer { frame.deallocate() }
    #expect(try source.read(into: frame).count == 160)
    #expect(throws: CaptureFault.empty(path: "script")) { try source.read(into: frame) }
  }

  @Test func closeEndsASourceThatPlays() throws {
    let source = try PacedSource(Script([.samples(160_000)]))
    let frame = UnsafeMutableBufferPointer<Int16>.allocate(capacity: 160)
    defer { frame.deallocate() }
    _ = try source.read(into: frame)
    source.close()
    let begin = MonotonicClock.now()
    while try !source.read(into: frame).isEnd {}
    #expect(MonotonicClock.now() - begin < 5)
  }
}

@Suite(.limited) struct FrameReaderTests {
  @Test func framesAreWholeAndGapsKeepPositionsExact() throws {
    let reader = FrameReader(
      Script([
        .samples(100), .gap(30), .samples(100), .gap(500), .samples(250), .lost, .gap(1000), .samples(70),
      ]))
    let frame = UnsafeMutableBufferPointer<Int16>.allocate(capacity: 160)
    defer { frame.deallocate() }
    var clock = 0
    var events: DeviceEvents = []
    while true {
      let step = try reader.next(into: frame)
      clock += step.gap
      events.formUnion(step.events)
      for index in 0..<step.count where frame[index] != 0 { #expect(Int(frame[index]) == clock + index + 1) }
      clock += step.count
      if step.isEnd { break }
      #expect(step.count == 160 || step.events.contains(.lost))
    }
    #expect(events == .lost)
    #expect(clock == 100 + 30 + 100 + 500 + 250 + 1000 + 70)
  }
}

@Suite(.limited) struct InputNameTests {
  @Test func namesAreParsed() throws {
    #expect(try InputName("-") == .standardInput)
    #expect(try InputName("alsa:hw:CARD=x,DEV=0") == .alsa("hw:CARD=x,DEV=0"))
    #expect(try InputName("a b.wav") == .file("a b.wav"))
    #expect(try InputName("./alsa:x") == .file("./alsa:x"))
    #expect(try InputName("alsa:default").description == "alsa:default")
    for text in ["", "alsa:"] {
      #expect(throws: CaptureFault.badInputName(text: text)) { try InputName(text) }
    }
  }

  @Test func namedPipeIsReadAsAStream() throws {
    let folder = TestAudio.makeFolder()
    defer { TestAudio.remove(folder) }
    let path = "\(folder)/pipe"
    try #require(mkfifo(path, 0o600) == 0)
    let noise = TestAudio.noise(5000, seed: 14)
    let bytes = WAVHeader(dataLength: nil).encoded() + PipeSourceTests.bytes(noise)
    let thread = PipeSourceTests.Writer(bytes: bytes, size: 1000, path: path).start()
    #expect(try AudioFile.read(path) == noise)
    pthread_join(thread, nil)
  }
}

/// A scripted source; its samples count the stream's clock from 1.
final class Script: AudioSource {
  enum Act {
    case samples(Int)
    case gap(Int)
    case lost
    case fault
  }

  private var acts: ArraySlice<Act>
  private var clock = 0

  init(_ acts: [Act]) { self.acts = acts[...] }

  func read(into frame: UnsafeMutableBufferPointer<Int16>) throws(CaptureFault) -> AudioRead {
    var result = AudioRead()
    while let act = acts.first {
      switch act {
      case .samples(let count):
        let part = min(count, frame.count - result.count)
        for index in 0..<part { frame[result.count + index] = Int16(truncatingIfNeeded: clock + index + 1) }
        clock += part
        result.count += part
        acts.removeFirst()
        if part < count { acts.insert(.samples(count - part), at: acts.startIndex) }
        if result.count == frame.count { return result }
      case .gap(let count):
        if result.count > 0 { return result }
        clock += count
        result.gap += count
        acts.removeFirst()
      case .lost:
        if result.count > 0 { return result }
        acts.removeFirst()
        return AudioRead(events: .lost)
      case .fault:
        if result.count > 0 { return result }
        throw .empty(path: "script")
      }
    }
    result.isEnd = true
    return result
  }
}
