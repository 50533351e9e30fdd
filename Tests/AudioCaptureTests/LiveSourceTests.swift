import AudioCapture
import CALSA
import CAllocations
import Glibc
import Platform
import TestServers
import Testing

/// What the devices of files give, and the scripted one where a C compiler builds it.
enum TestDevices {
  static let clip = TestAudio.noise(8000, seed: 11)
  static let folder: String = {
    write(PipeSourceTests.bytes(clip), "clip.raw")
    let stereo = TestAudio.sine(1000, rate: 48_000, count: 48_000).flatMap {
      [Int16($0 * 32_767), Int16($0 * 32_767)]
    }
    write(PipeSourceTests.bytes(stereo), "stereo.raw")
    return SoundDevices.folder

    func write(_ bytes: [UInt8], _ name: String) {
      try? Files.write(bytes, to: "\(SoundDevices.folder)/\(name)")
    }
  }()

  /// Whether the scripted device could be built.
  static let hasScripted: Bool = {
    let source =
      #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast()
      .joined(separator: "/") + "/Fixtures/scripted.c"
    let command = Subprocess([
      "cc", "-shared", "-fPIC", "-DPIC", "-O1", source, "-lasound", "-o", "\(folder)/scripted.so",
    ])
    guard let result = try? command.run(timeout: 60) else { return false }
    return result.ending == .exited(0)
  }()
}

@Suite(.limited, .serialized) struct LiveSourceTests {
  init() { _ = TestDevices.folder }

  @Test func aFileDeviceReturnsItsSamplesBitExactlyThenSilence() throws {
    let source = try LiveSource(device: "clip")
    let read = try Self.read(10_000, from: source)
    #expect(Array(read[..<8000]) == TestDevices.clip)
    #expect(read[8000...].allSatisfy { $0 == 0 })
    #expect(source.droppedSamples == 0)
  }

  @Test func aDeviceWithoutAClockIsSlowedDownToRealTime() throws {
    let source = try LiveSource(device: "clip")
    let begin = MonotonicClock.now()
    _ = try Self.read(16_000, from: source)
    let seconds = MonotonicClock.now() - begin
    // The device's buffer of 160 ms comes at once.
    #expect(seconds > 0.7)
    #expect(seconds < 5)
  }

  @Test func pluggedStereoAt48kHzKeepsLevelAndPitch() throws {
    let source = try LiveSource(device: "plugged")
    let read = try Self.read(12_000, from: source)
    let middle = TestAudio.fit(read[2000..<10_000], frequency: 1000)
    #expect(abs(20 * log10(middle.amplitude / 0.5)) < 0.05)
    #expect(middle.residual < 1e-3)
  }

  @Test func unknownDeviceIsUnavailableAndPointsToTheList() throws {
    for name in ["nosuch", "hw:CARD=nosuch", "hw:77"] {
      let fault = thrown(CaptureFault.self) { try LiveSource(device: name) }
      #expect(fault == .noSuchDevice(name: name))
      #expect(fault?.exitCode == .unavailable)
      #expect(fault?.message.contains("alsa:\(name): ") == true)
      #expect(fault?.message.contains("hotword devices") == true)
    }
  }

  @Test func closeEndsTheStreamAfterTheCapturedSamples() throws {
    let source = try LiveSource(device: "clip")
    _ = try Self.read(1600, from: source)
    let begin = MonotonicClock.now()
    source.close()
    #expect(MonotonicClock.now() - begin < 1.5)
    let rest = try TestAudio.drain(source)
    #expect(
      Array((TestDevices.clip + Array(repeating: 0, count: 100_000))[1600...].prefix(rest.count)) == rest)
  }

  @Test func probeReturnsTheRateAndTheChannels() throws {
    let found = try AlsaDevices.probe("clip")
    #expect(found.sampleRate == 16_000)
    #expect(found.channels == 1)
    #expect(throws: CaptureFault.noSuchDevice(name: "nosuch")) { try AlsaDevices.probe("nosuch") }
  }

  @Test(.enabled(if: allocations_are_counted()), arguments: ["clip", "plugged"])
  func theCaptureThreadAllocatesNothingAndOnlyAlsaLocks(device: String) throws {
    let pcm = try AlsaPCM(device)
    let ring = SampleRing(capacity: 1 << 16)
    #expect(pcm.start() == 0)
    func move(periods: Int) {
      var moved = 0
      while moved < periods {
        if case .delivered = pcm.moveOnePeriod(to: ring) { moved += 1 }
      }
    }
    move(periods: 20)
    let alsaLocks = locks_in_library_on_this_thread("libasound")
    let locks = locks_on_this_thread()
    let allocations = allocations_on_this_thread()
    move(periods: 50)
    let allocated = allocations_on_this_thread() - allocations
    let taken = locks_on_this_thread() - locks
    let takenByALSA = locks_in_library_on_this_thread("libasound") - alsaLocks
    #expect(allocated == 0)
    #expect(taken == takenByALSA)
  }

  @Test func captureDevicesAreListedByNameAndDescription() {
    #expect(AlsaDevices.list().contains(AlsaDevice(name: "clip", description: "A recording")))
  }

  @Test(.enabled(if: TestDevices.hasScripted, "no C compiler or alsa headers to build the scripted device"))
  func overrunBecomesAGapOfTheLostTime() throws {
    let source = try LiveSource(device: "scripted")
    var ramp = Ramp()
    try ramp.follow(source, samples: 4000)
    try Files.write([], to: "\(TestDevices.folder)/script.xrun")
    try ramp.follow(source, samples: 8000)
    #expect(ramp.events.contains(.overrun))
    #expect(!ramp.events.contains(.lost))
    #expect(ramp.gaps >= 1)
    #expect(ramp.worst < 0.02, "gaps are off by \(ramp.worst) s")
  }

  @Test(.enabled(if: TestDevices.hasScripted, "no C compiler or alsa headers to build the scripted device"))
  func unpluggedDeviceIsLostAndRecoversOnTheSameClock() throws {
    let source = try LiveSource(device: "scripted")
    var ramp = Ramp()
    try ramp.follow(source, samples: 3000)
    let gone = "\(TestDevices.folder)/script.gone"
    try Files.write([], to: gone)
    let begin = MonotonicClock.now()
    while !ramp.events.contains(.lost), MonotonicClock.now() < begin + 10 {
      try ramp.follow(source, samples: 1)
    }
    #expect(ramp.events.contains(.lost))
    // The device stays away for this long.
    usleep(700_000)
    unlink(gone)
    while !ramp.events.contains(.recovered), MonotonicClock.now() < begin + 20 {
      try ramp.follow(source, samples: 1)
    }
    try ramp.follow(source, samples: 3000)
    #expect(ramp.events.isSuperset(of: [.lost, .recovered]))
    #expect(ramp.lost > 8000)
    #expect(ramp.worst < 0.02, "gaps are off by \(ramp.worst) s")
  }

  /// Follows the scripted device's count through gaps.
  struct Ramp {
    var next: Int?
    var events: DeviceEvents = []
    var gaps = 0
    var lost = 0
    /// The largest difference between a gap and the samples really missing, in seconds.
    var worst = 0.0

    mutating func follow(_ source: LiveSource, samples: Int) throws {
      let frame = UnsafeMutableBufferPointer<Int16>.allocate(capacity: 160)
      defer { frame.deallocate() }
      var count = 0
      while count < samples {
        let step = try source.read(into: frame)
        events.formUnion(step.events)
        if step.gap > 0 {
          gaps += 1
          lost += step.gap
        }
        guard step.count > 0 else {
          next = next.map { $0 + step.gap }
          if step.events.contains(.lost) { return }
          continue
        }
        if let next {
          let off = Int16(truncatingIfNeeded: Int(frame[0]) - (next + step.gap))
          worst = max(worst, abs(Double(off)) / 16_000)
          if step.gap == 0 { #expect(off == 0) }
        }
        for index in 1..<max(1, step.count) where frame[index] != frame[index - 1] &+ 1 {
          Issue.record("the ramp is broken within a read")
        }
        next = Int(frame[step.count - 1]) + 1
        count += step.count
      }
    }
  }

  static func read(_ count: Int, from source: any AudioSource) throws -> [Int16] {
    let frame = UnsafeMutableBufferPointer<Int16>.allocate(capacity: 160)
    defer { frame.deallocate() }
    var samples: [Int16] = []
    while samples.count < count {
      let step = try source.read(into: frame)
      #expect(step.gap == 0 && step.events.isEmpty)
      samples += frame[..<step.count]
      if step.isEnd { break }
    }
    return Array(samples.prefix(count))
  }
}
