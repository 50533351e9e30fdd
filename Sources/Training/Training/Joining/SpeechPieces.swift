import Platform

/// Pieces of speech whose sounds are known, as encoder outputs or as bands, found by their sounds.
struct SpeechPieces: Sendable {
  /// A run of steps with one sound.
  struct Sound: Sendable {
    let phoneme: UInt8
    let stream: Int
    let steps: Range<Int>

    /// Where a piece ends that has this sound last, and where one begins that has it first: in its middle. Of a long pause
    /// only the edge is used.
    var exit: Int { steps.lowerBound + min(steps.count / 2, Self.longest) }
    var entry: Int { steps.upperBound - min((steps.count + 1) / 2, Self.longest) }

    /// In steps.
    private static let longest = 6
  }

  let streams: [FeatureStream]
  /// The numbers of a step.
  let width: Int
  /// The sounds of all streams, in order.
  private(set) var sounds: [Sound] = []
  /// For each level of clarity the places of each sound, and of each pair of sounds, in ``sounds``.
  private var singles: [[UInt8: [Int]]]
  private var pairs: [[Pair: [Int]]]

  private struct Pair: Hashable {
    let first: UInt8
    let second: UInt8
  }

  /// The number of levels of clarity, of streams with about as much noise and reverberation. Pieces of one level fit together.
  var levels: Int { singles.count }
  /// The fewest places at which a long match is preferred to a shorter one.
  private static let fewest = 4

  /// - Parameters:
  ///   - streams: those that have sounds and are not held out are used.
  ///   - levels: the number of levels of clarity; one if all pieces fit together.
  ///   - clarity: the higher, the clearer.
  init(_ streams: [FeatureStream], levels: Int = 1, clarity: (FeatureStream) -> Double = { _ in 0 }) {
    self.streams = streams.filter { !$0.sounds.isEmpty && !$0.isHeldOut }
    width = self.streams.first.map { $0.features.count / $0.vectors } ?? 1
    singles = [[UInt8: [Int]]](repeating: [:], count: levels)
    pairs = [[Pair: [Int]]](repeating: [:], count: levels)
    let order = self.streams.indices.map { (clarity(self.streams[$0]), $0) }.sorted { $0 < $1 }
    for (rank, entry) in order.enumerated() { add(entry.1, level: rank * levels / order.count) }
  }

  private mutating func add(_ stream: Int, level: Int) {
    let labels = streams[stream].sounds
    var start = 0
    for step in 1...labels.count where step == labels.count || labels[step] != labels[start] {
      let place = sounds.count
      sounds.append(Sound(phoneme: labels[start], stream: stream, steps: start..<step))
      singles[level][labels[start], default: []].append(place)
      if start > 0 {
        pairs[level][Pair(first: sounds[place - 1].phoneme, second: labels[start]), default: []].append(
          place - 1)
      }
      start = step
    }
  }

  /// Returns the outputs of a range of steps.
  func outputs(_ stream: Int, _ steps: Range<Int>) -> ArraySlice<Float16> {
    streams[stream].features[steps.lowerBound * width..<steps.upperBound * width]
  }

  /// Returns whether a sound is said at every level of clarity.
  func contain(_ phoneme: UInt8) -> Bool { singles.allSatisfy { $0[phoneme] != nil } }

  /// Returns a random place of a sound; nil if there is none.
  func place(of phoneme: UInt8, level: Int, _ random: inout RandomSource) -> Int? {
    singles[level][phoneme].map { $0[Int(random.next() % UInt64($0.count))] }
  }

  /// Returns a random place where the first of `wanted` are said, and how many sounds follow the first of them: mostly as
  /// many as there are places for. Returns nil if there is not even the first pair.
  func match(
    _ wanted: ArraySlice<UInt8>, level: Int, _ random: inout RandomSource
  ) -> (place: Int, length: Int)? {
    let first = wanted.startIndex
    guard let found = pairs[level][Pair(first: wanted[first], second: wanted[first + 1])] else { return nil }
    var matches = [found]
    for length in 2..<max(2, wanted.count) {
      let longer = matches.last!.filter { place in
        place + length < sounds.count && sounds[place + length].phoneme == wanted[first + length]
          && sounds[place + length].stream == sounds[place].stream
      }
      if longer.count < Self.fewest { break }
      matches.append(longer)
    }
    var length = matches.count
    while length > 1, random.chance(0.4) { length -= 1 }
    let places = matches[length - 1]
    return (places[Int(random.next() % UInt64(places.count))], length)
  }
}
