import AudioCapture
import CAllocations
import CHotword
import Glibc
import TestServers
import Testing

private let root = String(#filePath.dropLast("/Tests/HotwordCTests/HotwordCTests.swift".count))
private let computer = "\(root)/Models/computer.safetensors"

/// Two orders that begin with "computer".
private let recording = (try? AudioFile.read("\(root)/Examples/turn-on-the-kitchen-light.wav")) ?? []

private func create(_ models: [String], _ sensitivities: [Double]? = nil) -> OpaquePointer? {
  let names = models.map { strdup($0) }
  defer { for name in names { free(name) } }
  let pointers = names.map { UnsafePointer($0) }
  return pointers.withUnsafeBufferPointer { names in
    guard let sensitivities else { return hotword_create(names.baseAddress, nil, CInt(names.count)) }
    return hotword_create(names.baseAddress, sensitivities, CInt(names.count))
  }
}

private var lastError: String { String(cString: hotword_last_error()) }

/// The interface of hotword.h, as C calls it.
@Suite(.limited) struct HotwordCTests {
  @Test func hotwordsAreFoundWithTheirNumberNameAndPlace() throws {
    let detector = try #require(
      create(["\(root)/Models/jarvis.safetensors", computer + ":0.5"]), "\(lastError)")
    defer { hotword_destroy(detector) }
    #expect(hotword_count(detector) == 2)
    #expect(String(cString: hotword_name(detector, 2)) == "computer")
    #expect(String(cString: hotword_phrase(detector, 1)) == "jarvis")
    var numbers: [CInt] = []
    for start in stride(from: 0, to: recording.count - 512, by: 512) {
      let number = recording.withUnsafeBufferPointer { hotword_run(detector, $0.baseAddress! + start, 512) }
      if number > 0 { numbers.append(number) }
    }
    #expect(numbers == [2, 2])
    var hit = hotword_hit()
    #expect(hotword_next_hit(detector, &hit) == 1)
    #expect(hit.hotword == 2 && abs(hit.end - 1.35) < 0.25 && hit.start < hit.end && hit.score > 0.5)
    #expect(hotword_next_hit(detector, &hit) == 1)
    #expect(hotword_next_hit(detector, &hit) == 0)
    #expect(hotword_finish(detector) <= 0)
  }

  @Test func runningAllocatesNothing() throws {
    let detector = try #require(create([computer]), "\(lastError)")
    defer { hotword_destroy(detector) }
    var hit = hotword_hit()
    var taken = 0
    #expect(!recording.isEmpty, "read before anything is counted")
    let before = allocations_on_this_thread()
    recording.withUnsafeBufferPointer { samples in
      _ = hotword_run(detector, samples.baseAddress, CInt(samples.count))
      _ = hotword_finish(detector)
      while hotword_next_hit(detector, &hit) == 1 { taken += 1 }
      _ = hotword_run(detector, nil, 1)
      _ = hotword_run(nil, nil, 1)
      _ = hotword_set_audio_gain(detector, 2)
      _ = hotword_score(detector, 1)
      _ = hotword_name(detector, 1)
      _ = hotword_last_error()
      _ = hotword_version()
    }
    #expect(allocations_on_this_thread() == before)
    #expect(taken == 2)
  }

  @Test func settingsAreReadBackAndKeptOverAReset() throws {
    let detector = try #require(create([computer, computer + ":0.9"], [0.3, 0.4]), "\(lastError)")
    defer { hotword_destroy(detector) }
    #expect(hotword_sensitivity(detector, 1) == 0.3 && hotword_sensitivity(detector, 2) == 0.9)
    #expect(hotword_set_sensitivity(detector, 2, 0.6) == 0)
    #expect(hotword_apply_front_end(detector, 0) == 0 && hotword_reset(detector) == 0)
    #expect(hotword_sensitivity(detector, 2) == 0.6)
    #expect(hotword_set_sensitivity(detector, 0, 0.2) == 0)
    #expect(hotword_sensitivity(detector, 1) == 0.2 && hotword_sensitivity(detector, 2) == 0.2)
    #expect(hotword_sample_rate() == 16_000 && hotword_channels() == 1 && hotword_bits_per_sample() == 16)
    #expect(String(cString: hotword_version()).split(separator: ".").count == 3)
  }

  @Test func silenceIsMinusTwo() throws {
    let detector = try #require(create([computer]), "\(lastError)")
    defer { hotword_destroy(detector) }
    #expect(hotword_run(detector, [Int16](repeating: 0, count: 8_000), 8_000) == -2)
    #expect(hotword_run(detector, nil, 0) == -2)
  }

  @Test func anInvalidCallReturnsAnErrorWithAText() throws {
    let detector = try #require(create([computer]), "\(lastError)")
    hotword_destroy(detector)
    var hit = hotword_hit()
    var random: UInt = 0x9E37_79B9_7F4A_7C15
    let strangers = (0..<3_000).map { index -> OpaquePointer? in
      random = random &* 6_364_136_223_846_793_005 &+ 1
      return OpaquePointer(bitPattern: index % 2 == 0 ? random : UInt(index))
    }
    for handle in [nil, detector] + strangers {
      #expect(hotword_run(handle, recording, 100) == -1 && hotword_finish(handle) == -1)
      #expect(hotword_next_hit(handle, &hit) == -1 && hotword_reset(handle) == -1)
      #expect(hotword_set_sensitivity(handle, 1, 0.5) == -1 && hotword_sensitivity(handle, 1) == -1)
      #expect(hotword_set_audio_gain(handle, 1) == -1 && hotword_apply_front_end(handle, 1) == -1)
      #expect(hotword_score(handle, 1) == -1 && hotword_count(handle) == -1)
      #expect(hotword_name(handle, 1) == nil && hotword_phrase(handle, 1) == nil)
      hotword_destroy(handle)
    }
    #expect(lastError.contains("not a detector"))
  }

  @Test func numbersOutOfRangeAreRefused() throws {
    let detector = try #require(create([computer]), "\(lastError)")
    defer { hotword_destroy(detector) }
    #expect(hotword_run(detector, nil, 1) == -1 && lastError.contains("samples"))
    #expect(hotword_run(detector, recording, -1) == -1 && lastError.contains("count"))
    for hotword in [CInt.min, -1, 0, 2, .max] {
      #expect(hotword_name(detector, hotword) == nil && hotword_score(detector, hotword) == -1)
      #expect(hotword_sensitivity(detector, hotword) == -1 && lastError.contains("hotword"))
    }
    for value in [-0.1, 1.1, .nan, .infinity, -.infinity] {
      #expect(hotword_set_sensitivity(detector, 1, value) == -1 && lastError.contains("sensitivity"))
    }
    for value in [0, -1, 1e9, .nan, .infinity] {
      #expect(hotword_set_audio_gain(detector, value) == -1 && lastError.contains("gain"))
    }
    #expect(hotword_next_hit(detector, nil) == -1 && lastError.contains("hit"))
  }

  @Test func errorsNameWhatCannotBeCreated() {
    #expect(hotword_create(nil, nil, 1) == nil && lastError.contains("models"))
    #expect(create([computer], [.nan]) == nil && lastError.contains("0 to 1"))
    #expect(create(["/nonexistent.safetensors"]) == nil && lastError.contains("/nonexistent.safetensors"))
    #expect(create([computer, ""]) == nil && !lastError.isEmpty)
    #expect(create([String(repeating: "ü", count: 5_000)]) == nil && !lastError.isEmpty)
    var none: UnsafePointer<CChar>?
    #expect(hotword_create(&none, nil, 1) == nil && lastError.contains("NULL"))
    #expect(hotword_create(&none, nil, 0) == nil && hotword_create(&none, nil, -5) == nil)
  }

  @Test func detectorsOfSeveralThreadsDoNotDisturbEachOther() async throws {
    let counts = await withTaskGroup(of: [Int].self) { group in
      for _ in 0..<4 {
        // A test has one thread of its own, which its tasks share unless they say otherwise.
        group.addTask(executorPreference: globalConcurrentExecutor) {
          (0..<3).map { _ in
            guard let detector = create([computer]) else { return -1 }
            defer { hotword_destroy(detector) }
            _ = hotword_run(detector, recording, CInt(recording.count))
            var hit = hotword_hit()
            var taken = 0
            while hotword_next_hit(detector, &hit) == 1 { taken += 1 }
            return taken
          }
        }
      }
      return await group.reduce(into: [Int]()) { $0 += $1 }
    }
    #expect(counts == [Int](repeating: 2, count: 12))
  }

  @Test(.needsOptimization) func manyDetectorsAreCreatedAndDestroyed() throws {
    for _ in 0..<40 {
      let detectors = (0..<30).map { _ in create([computer]) }
      #expect(!detectors.contains { $0 == nil } && Set(detectors).count == 30)
      for detector in detectors { hotword_destroy(detector) }
    }
  }
}
