/// How far back the scores of models depend on features, in frames of 10 ms.
struct NetworkReach {
  /// The frames before the first sound that are processed where networks catch up: the beginnings of words are quiet.
  private static let before = 50
  /// The frames of the longest phrase that a verifier follows.
  private static let phrase = 150
  /// The longest ``period``, so that the strides of foreign models cannot demand any amount of memory.
  private static let longestPeriod = 840

  /// The frames to process so that all scores after them are those of an uninterrupted stream.
  let frames: Int
  /// Every so many frames, steps of all networks begin; for strides without a small common multiple, those of most.
  let period: Int

  init(of models: [HotwordModel]) {
    var frames = 1
    var period = 1
    for model in models {
      let stride = model.encoder?.shape.stride ?? 1
      let networks = model.networks.map(\.shape)
      let longest = networks.map(\.receptiveField).max() ?? 0
      let own = networks.map(\.stride).max() ?? 1
      let smoothing = model.decision.smoothing * own
      frames = max(
        frames,
        (model.encoder?.shape.receptiveField ?? 0) + stride * (longest + smoothing) + Self.before
          + (model.path == nil ? 0 : Self.phrase))
      period = Self.leastCommonMultiple(period, stride * own)
    }
    self.frames = frames
    self.period = min(period, Self.longestPeriod)
  }

  private static func leastCommonMultiple(_ first: Int, _ second: Int) -> Int {
    var (larger, smaller) = (first, second)
    while smaller != 0 { (larger, smaller) = (smaller, larger % smaller) }
    return first / larger * second
  }
}
