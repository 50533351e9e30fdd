import Glibc
import Platform

/// Batches of windows from labelled speech that is rendered afresh during the training.
///
/// The windows are drawn from some thousand rendered rows. Every hundred batches, the oldest rows are replaced by new ones,
/// which a thread of its own has rendered meanwhile. The same batch is the same for any timing. Use it on one thread.
package final class PhonemeWindows: BatchSource, @unchecked Sendable {
  /// The sizes of the windows and of the rows in memory.
  package struct Settings: Sendable {
    package var batchSize = 64
    /// The number of vectors in a window.
    package var frames = 200
    /// The stride and the look-ahead of the encoder that is trained; see `PhonemeEncoder`.
    package var stride = 2
    package var lookAhead: Int
    /// The number of rows in memory.
    package var rows = 1500
    /// The number of rows that are replaced every ``PhonemeWindows/round`` batches.
    package var renewed = 80
    package var seed: UInt64

    package init(lookAhead: Int, seed: UInt64) {
      self.lookAhead = lookAhead
      self.seed = seed
    }
  }

  /// The number of batches between two replacements.
  private static let round = 100

  /// nil if the rows are not renewed.
  private let source: PhonemeRows?
  private let width: Int
  private let settings: Settings
  private let random: RandomSource
  private var rows: [PhonemeRows.Stream] = []
  /// The indices of the rows, weighted by their lengths.
  private var pool = WeightedPool<Int>()
  /// The round for which ``rows`` are ready.
  private var current = -1
  private var next: RowsInPreparation?

  package init(_ source: PhonemeRows, _ settings: Settings) {
    self.source = source
    self.settings = settings
    width = source.coefficients
    random = RandomSource(seed: settings.seed)
  }

  /// Draws from `rows`, which stay the same.
  package init(_ rows: [PhonemeRows.Stream], coefficients: Int, _ settings: Settings) {
    source = nil
    self.settings = settings
    width = coefficients
    random = RandomSource(seed: settings.seed)
    use(rows)
  }

  deinit { _ = next?.wait() }

  /// Call it with increasing indices.
  package func batch(_ index: Int) -> Batch {
    if let source { prepare(index / Self.round, source) }
    var random = random.stream(index)
    let (count, frames) = (settings.batchSize, settings.frames)
    var targets: [Target] = []
    var features = [Float](repeating: 0, count: count * frames * width)
    features.withUnsafeMutableBufferPointer { features in
      for row in 0..<count {
        targets.append(.classes(window(features.baseAddress! + row * frames * width, &random)))
      }
    }
    return Batch(
      count: count, frames: frames, features: features, targets: targets,
      weights: [Float](repeating: 1, count: count))
  }

  /// Makes the rows of a round, and starts to render those of the next one.
  private func prepare(_ round: Int, _ source: PhonemeRows) {
    guard round != current else { return }
    let rendered = next?.wait()
    if round == current + 1, let rendered {
      var rows = rows
      for (stream, number) in zip(rendered, numbers(newIn: round)) { rows[slot(of: number)] = stream }
      use(rows)
    } else {
      var newest = Array(0..<settings.rows)
      for earlier in 0...round where earlier > 0 {
        for number in numbers(newIn: earlier) { newest[slot(of: number)] = number }
      }
      use(source.render(newest))
    }
    current = round
    next = RowsInPreparation(source, numbers(newIn: round + 1))
  }

  private func use(_ rows: [PhonemeRows.Stream]) {
    self.rows = rows
    pool = WeightedPool()
    for (index, row) in rows.enumerated() { pool.add(index, weight: row.labels.count) }
  }

  /// Returns the rows that are new in a round after the first.
  private func numbers(newIn round: Int) -> [Int] {
    let first = settings.rows + (round - 1) * settings.renewed
    return Array(first..<first + settings.renewed)
  }

  private func slot(of number: Int) -> Int { number % settings.rows }

  private func window(_ place: UnsafeMutablePointer<Float>, _ random: inout RandomSource) -> [UInt8] {
    let (frames, stride) = (settings.frames, settings.stride)
    let stream = rows[pool.draw(&random)]
    let vectors = stream.labels.count
    var pace = random.chance(0.6) ? exp(random.uniform(log(0.75)...log(1.35))) : 1
    if Int(Float(frames) / pace) + 1 >= vectors { pace = 1 }
    let span = Int(Float(frames) / pace)
    let start = Int(random.next() % UInt64(max(1, vectors - span)))
    TimeStretch.stretch(
      stream.features, width: width, from: start, span: span, pace: pace, frames: frames, into: place)
    if random.chance(0.5) {
      for _ in 0..<2 {
        let length = Int(random.next() % 9)
        let first = Int(random.next() % UInt64(frames - length))
        (place + first * width).update(repeating: 0, count: length * width)
      }
    }
    return (0..<frames / stride).map { step in
      let vector = start + Int(Float((step + 1) * stride - 1 - settings.lookAhead) / pace)
      return vector >= 0 && vector < vectors ? stream.labels[vector] : Target.unlabelled
    }
  }
}

/// Rows that a thread renders.
private final class RowsInPreparation: @unchecked Sendable {
  private var rows: [PhonemeRows.Stream] = []
  private var thread: JoinableThread?

  init(_ source: PhonemeRows, _ numbers: [Int]) {
    thread = try? JoinableThread { [unowned(unsafe) self] in rows = source.render(numbers) }
    if thread == nil { rows = source.render(numbers) }
  }

  /// Returns the rows, once. Call it before releasing the object.
  func wait() -> [PhonemeRows.Stream] {
    thread?.join()
    thread = nil
    return rows
  }
}
