/// Events of a live device.
public struct DeviceEvents: OptionSet, Sendable, Hashable {
  public let rawValue: Int

  public init(rawValue: Int) { self.rawValue = rawValue }

  /// The device vanished or failed; it is being reopened.
  public static var lost: DeviceEvents { DeviceEvents(rawValue: 1) }
  /// The device delivers samples again after it was lost. With ``lost``, it was lost before that.
  public static var recovered: DeviceEvents { DeviceEvents(rawValue: 2) }
  /// Samples were lost: the kernel's buffer or our ring overflowed.
  public static var overrun: DeviceEvents { DeviceEvents(rawValue: 4) }

  /// Adds events that happened after these and before the next sample. Real-time safe.
  ///
  /// A device that came back and was lost again has not come back.
  @_noAllocation @_noLocks
  package mutating func append(_ later: DeviceEvents) {
    let hasFailedAgain = rawValue & Self.recovered.rawValue != 0 && later.rawValue & Self.lost.rawValue != 0
    let (before, after) = hasFailedAgain ? (Self.recovered.rawValue, Self.lost.rawValue) : (0, 0)
    self = DeviceEvents(rawValue: rawValue & ~before | later.rawValue & ~after)
  }
}
