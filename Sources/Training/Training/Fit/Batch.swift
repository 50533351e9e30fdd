/// What a window of features should teach the network.
///
/// Steps are the network's output steps (20 ms) counted from the start of the window: step `s` is the
/// logit computed once the window's first `(s + 1) * stride` feature vectors are in.
public enum Target: Sendable, Equatable {
  /// The keyword, spoken from `startStep` to `endStep`; either may lie outside the window when the
  /// word is cut: steps outside are left out of the loss.
  case keyword(startStep: Int, endStep: Int)
  /// No keyword anywhere in the window.
  case background
  /// What the network that the fit began with says of it.
  case unchanged
  /// Clearly less than what that network says of it.
  case lowered
  /// The class of each step, by number; ``unlabelled`` where it does not count.
  case classes([UInt8])

  /// The class of a step that is left out of the loss.
  public static let unlabelled: UInt8 = 255

  /// Whether it tells of a change from the network that the fit began with.
  package var isRelative: Bool { self == .unchanged || self == .lowered }
}

/// Windows of features of one length with their targets: the data of one step of a fit.
public struct Batch: Sendable {
  /// The number of windows.
  public var count: Int
  /// Feature vectors (10 ms) in each window.
  public var frames: Int
  /// `count × frames × inputs` values, window by window, vector by vector.
  public var features: [Float]
  /// One target a window.
  public var targets: [Target]
  /// One weight a window, each ≥ 0; the loss is normalized by their sum.
  public var weights: [Float]

  public init(count: Int, frames: Int, features: [Float], targets: [Target], weights: [Float]) {
    precondition(targets.count == count && weights.count == count, "one target and one weight a window")
    precondition(count == 0 || features.count % (count * max(frames, 1)) == 0, "whole feature vectors")
    self.count = count
    self.frames = frames
    self.features = features
    self.targets = targets
    self.weights = weights
  }
}

/// Where a fit's batches come from.
///
/// A fit calls `batch(_:)` on a thread of its own, ahead of need, with 0, 1, 2 … up to
/// `FitSettings.steps + FitSettings.statisticsBatches - 1`. One index always gives one batch, bit for
/// bit. Positives and negatives may come in any order: windows are dealt out to the shards in turn.
public protocol BatchSource: Sendable {
  func batch(_ index: Int) -> Batch
}
