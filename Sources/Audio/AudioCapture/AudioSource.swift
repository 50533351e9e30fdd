import Platform

/// A stream of 16 kHz mono samples from a device, a file, a pipe or the network.
public protocol AudioSource: AnyObject {
  /// Waits for samples and copies up to `frame.count` of them; fewer only before a gap, an event or the end, or after a
  /// second without samples.
  ///
  /// One thread at a time may call it. It waits, and some sources allocate.
  ///
  /// - Returns: the number of samples copied and what happened before them; after `isEnd` every further call returns
  ///   the end again.
  /// - Throws: ``CaptureFault`` if the source fails; it returns no samples after that.
  func read(into frame: UnsafeMutableBufferPointer<Int16>) throws(CaptureFault) -> AudioRead

  /// Ends the stream: reads return the samples that are left and then the end.
  ///
  /// Any thread may call it. Files do not wait and need no call.
  func close()
}

extension AudioSource {
  public func close() {}
}

/// The result of a read of an ``AudioSource``.
public struct AudioRead: Sendable, Equatable {
  /// Samples copied.
  public var count: Int
  /// Samples lost between the previous read's last sample and this read's first.
  public var gap: Int
  /// Events of the device before these samples.
  public var events: DeviceEvents
  /// Whether these are the last samples.
  public var isEnd: Bool

  public init(count: Int = 0, gap: Int = 0, events: DeviceEvents = [], isEnd: Bool = false) {
    self.count = count
    self.gap = gap
    self.events = events
    self.isEnd = isEnd
  }
}
