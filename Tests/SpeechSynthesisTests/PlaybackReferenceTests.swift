import CAllocations
import Glibc
import PCM
import Platform
import SpeechSynthesis
import Synchronization
import TestServers
import Testing

@Suite(.limited) struct PlaybackReferenceTests {
  /// Queues and copy hold this many samples.
  private static let capacity = 1 << 16

  private static func write(_ samples: [Int16], at position: Int, to reference: PlaybackReference) {
    samples.withUnsafeBufferPointer { reference.write($0, at: AudioFormat.seconds(position)) }
  }

  private static func read(_ count: Int, at position: Int, from reference: PlaybackReference) -> [Int16]? {
    var target = [Int16](repeating: -1, count: count)
    let isPlaying = target.withUnsafeMutableBufferPointer {
      reference.read(at: AudioFormat.seconds(position), into: $0)
    }
    if !isPlaying { #expect(target.allSatisfy { $0 == 0 }) }
    return isPlaying ? target : nil
  }

  private static func ramp(_ range: Range<Int>) -> [Int16] { range.map { Int16(truncatingIfNeeded: $0) } }

  @Test(arguments: [0, 1, 511, 512, 65_535, 65_536, 100_000])
  func samplesAreReadAtTheirTimes(start: Int) {
    let reference = PlaybackReference(start: start)
    #expect(Self.read(160, at: 16_000, from: reference) == nil)
    for first in stride(from: 16_000, to: 16_000 + 3 * Self.capacity, by: 800) {
      Self.write(Self.ramp(first..<first + 800), at: first, to: reference)
      #expect(Self.read(800, at: first, from: reference) == Self.ramp(first..<first + 800))
      #expect(
        Self.read(160, at: first + 720, from: reference)
          == Self.ramp(first + 720..<first + 800) + [Int16](repeating: 0, count: 80))
      #expect(Self.read(160, at: first + 800, from: reference) == nil)
    }
    let end = 16_000 + (3 * Self.capacity + 799) / 800 * 800
    let oldest = end - Self.capacity
    #expect(Self.read(160, at: oldest, from: reference) == Self.ramp(oldest..<oldest + 160))
    #expect(Self.read(160, at: oldest - 160, from: reference) == nil)
  }

  @Test func theTimeBetweenBlocksIsSilent() {
    let reference = PlaybackReference()
    Self.write([Int16](repeating: 7, count: 2_000), at: 10_000, to: reference)
    Self.write([1, 2, 3], at: 13_000, to: reference)
    // What lies between two blocks counts as played.
    #expect(Self.read(160, at: 12_500, from: reference) == [Int16](repeating: 0, count: 160))
    #expect(Self.read(4, at: 12_999, from: reference) == [0, 1, 2, 3])
    #expect(Self.read(2, at: 11_999, from: reference) == [7, 0])
    // A block that comes much later begins anew.
    Self.write([4, 5], at: 500_000, to: reference)
    #expect(Self.read(2, at: 13_000, from: reference) == nil)
    #expect(Self.read(2, at: 500_000, from: reference) == [4, 5])
  }

  @Test func laterBlocksReplaceEarlierOnesAndACutRemovesThem() {
    let reference = PlaybackReference()
    Self.write([1, 1, 1, 1, 1, 1], at: 1_000, to: reference)
    Self.write([2, 2], at: 1_002, to: reference)
    #expect(Self.read(6, at: 1_000, from: reference) == [1, 1, 2, 2, 0, 0])
    reference.cut(at: AudioFormat.seconds(1_003))
    #expect(Self.read(6, at: 1_000, from: reference) == [1, 1, 2, 0, 0, 0])
    reference.cut(at: AudioFormat.seconds(1_004))
    #expect(Self.read(6, at: 1_000, from: reference) == [1, 1, 2, 0, 0, 0])
    reference.cut(at: AudioFormat.seconds(900))
    #expect(Self.read(6, at: 1_000, from: reference) == nil)
  }

  @Test func wordsAreFoundAtTheirTimesUntilTheyAreCut() {
    let reference = PlaybackReference()
    #expect(!reference.holds(0, from: 0, to: 1, tolerance: 10))
    Self.write([Int16](repeating: 1, count: 16_000), at: 160_000, to: reference)
    reference.note(3, from: 10.2, to: 10.6)
    reference.note(4, from: 10.7, to: 10.9)
    #expect(reference.holds(3, from: 10.1, to: 10.3, tolerance: 0))
    #expect(!reference.holds(4, from: 10.1, to: 10.3, tolerance: 0))
    #expect(reference.holds(3, from: 11, to: 11.1, tolerance: 0.5))
    #expect(!reference.holds(3, from: 11, to: 11.1, tolerance: 0.3))
    reference.cut(at: 10.65)
    #expect(reference.holds(3, from: 10.1, to: 10.3, tolerance: 0))
    #expect(!reference.holds(4, from: 10.7, to: 10.8, tolerance: 0))
    // The last 64 are kept.
    for index in 0..<64 { reference.note(5, from: 20 + Double(index), to: 20.5 + Double(index)) }
    #expect(!reference.holds(3, from: 10.1, to: 10.3, tolerance: 0))
    #expect(reference.holds(5, from: 20.1, to: 20.2, tolerance: 0))
    #expect(reference.holds(5, from: 83.1, to: 83.2, tolerance: 0))
  }

  @Test func aFullQueueDropsWhatComesAndGoesOnAfterARead() {
    let reference = PlaybackReference()
    let block = [Int16](repeating: 9, count: 800)
    for index in 0..<100 { Self.write(block, at: 800 * index, to: reference) }
    // 81 blocks of 800 samples fit into 65,536.
    #expect(Self.read(800, at: 800 * 80, from: reference) == block)
    #expect(Self.read(800, at: 800 * 81, from: reference) == nil)
    Self.write(block, at: 800 * 100, to: reference)
    #expect(Self.read(800, at: 800 * 100, from: reference) == block)
  }

  private final class Writer: Sendable {
    let position = Atomic<Int>(0)
    let isDone = Atomic<Bool>(false)
  }

  /// The writer counts up with the position; the reader checks every sample that is not silent.
  @Test func aThreadReadsInOrderWhatAnotherWrites() throws {
    let reference = PlaybackReference()
    let writer = Writer()
    try DetachedThread.start {
      var position = 0
      var random = RandomSource(seed: 11)
      while position < 4_000_000 {
        let count = 1 + Int(random.uniform(0...799))
        // A block that was cut before it was played is written again.
        if count % 7 == 0 {
          Self.write([Int16](repeating: -1, count: count), at: position + 400, to: reference)
          reference.cut(at: AudioFormat.seconds(position))
        }
        Self.write(Self.ramp(position..<position + count), at: position, to: reference)
        position += count
        writer.position.store(position, ordering: .releasing)
        if count % 5 == 0 { sched_yield() }
      }
      writer.isDone.store(true, ordering: .releasing)
    }
    var verified = 0
    var wrong = 0
    var target = [Int16](repeating: 0, count: 160)
    while !writer.isDone.load(ordering: .acquiring) {
      let first = max(0, writer.position.load(ordering: .acquiring) - 400)
      let isPlaying = target.withUnsafeMutableBufferPointer {
        reference.read(at: AudioFormat.seconds(first), into: $0)
      }
      guard isPlaying else { continue }
      for (offset, sample) in target.enumerated() where sample != 0 {
        if sample == Int16(truncatingIfNeeded: first + offset) {
          verified += 1
        } else {
          wrong += 1
        }
      }
    }
    #expect(wrong == 0)
    #expect(verified > 10_000)
  }

  /// Each word that is written has its number in all its fields; the reader must find it whole or not at all.
  @Test func aThreadFindsWholeWordsThatAnotherWrites() throws {
    let reference = PlaybackReference()
    let writer = Writer()
    try DetachedThread.start {
      var word = 0
      while !writer.isDone.load(ordering: .acquiring) {
        word += 1
        reference.note(word, from: Double(word), to: Double(word) + 0.1)
        writer.position.store(word, ordering: .releasing)
      }
    }
    var found = 0
    var wrong = 0
    let deadline = MonotonicClock.now() + 20
    while found < 10_000, MonotonicClock.now() < deadline {
      let word = writer.position.load(ordering: .acquiring)
      if reference.holds(word, from: Double(word), to: Double(word), tolerance: 0) { found += 1 }
      if reference.holds(word, from: Double(word + 1), to: 1e6, tolerance: 0.5) { wrong += 1 }
      if reference.holds(word, from: 0, to: Double(word - 1), tolerance: 0.5) { wrong += 1 }
    }
    writer.isDone.store(true, ordering: .releasing)
    #expect(wrong == 0)
    #expect(found == 10_000)
  }

  @Test func neitherSideAllocates() {
    let reference = PlaybackReference()
    let block = [Int16](repeating: 5, count: 320)
    var target = [Int16](repeating: 0, count: 160)
    var counted: Int64 = -1
    block.withUnsafeBufferPointer { block in
      target.withUnsafeMutableBufferPointer { target in
        let before = allocations_on_this_thread()
        for index in 0..<1_000 {
          let time = 100 + 0.02 * Double(index)
          reference.write(block, at: time)
          reference.note(0, from: time, to: time + 0.01)
          _ = reference.read(at: time, into: target)
          _ = reference.holds(0, from: time, to: time, tolerance: 0.1)
        }
        reference.cut(at: 0)
        counted = allocations_on_this_thread() - before
      }
    }
    #expect(counted == 0)
  }
}
