/// How a window's logits become its loss; see ``Loss``.
public struct LossSettings: Sendable, Equatable {
  /// The number of steps whose mean logit, as the detector's, is judged: the present one and those before.
  public var smoothing: Int = 1
  /// Steps before a keyword's end where its peak may already lie.
  public var keywordLead: Int = 3
  /// Steps after a keyword's end where its peak may still lie.
  public var keywordLag: Int = 10
  /// Steps after a keyword's end that are not yet background again.
  public var keywordTail: Int = 15
  /// The number of hardest background steps of a window whose mean counts.
  public var hardSteps: Int = 4
  /// The least distance in steps between two of them.
  public var hardSpacing: Int = 10
  /// The weight of what is to stay as it is.
  public var heldWeight: Float = 1
  /// Logits below this are the same to what is to stay as it is.
  public var heldFloor: Float = -9
  /// How far what is to be lowered is, from where it was or, if that is higher, from 0.
  public var loweredBy: Float = 6
  /// Losses below this are dropped from the gradient.
  public var dropBelow: Float = 0.001
  /// The weight of background against keywords at the first step of a fit.
  public var negativeWeightStart: Float = 1
  /// The weight of background at the end of the ramp and after it.
  public var negativeWeightEnd: Float = 4
  /// The part of the fit after which the ramp (geometric) is at its end, 0…1.
  public var negativeWeightRamp: Float = 0.7

  public init() {}
}
