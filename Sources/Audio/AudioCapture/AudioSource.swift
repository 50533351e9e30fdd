import Platform

/// A stream of 16 kHz mono samples, whatever it comes from.
public protocol AudioSource: AnyObject {
  /// Waits for samples and copies up to `frame.count` of them, fewer only before a gap, an event or the end, or where
  /// no more came for a second, so that the caller can see to other things.
  ///
  /// Not for the capture thread: it may wait, allocate and throw. One thread at a time may call it.
  /// - Returns: how many samples were copied and what happened before them; after `isEnd` every
  ///   further call returns the end again.
  /// - Throws: ``CaptureFault`` when the source turns out broken; it gives no samples after that.
  func read(into frame: UnsafeMutableBufferPointer<Int16>) throws(CaptureFault) -> AudioRead

  /// Ends the stream: a read that waits, and those after it, give what is left and then the end.
  ///
  /// Any thread may call it. Files do not wait and need not be ended.
  func close()
}

extension AudioSource {
  public func close() {}
}

/// What one read of an ``AudioSource`` brought.
public struct AudioRead: Sendable, Equatable {
  /// Samples copied.
  public var count: Int
  /// Samples lost between the previous read's last sample and this read's first.
  public var gap: Int
  /// What the device went through before these samples.
  public var events: DeviceEvents
  /// Whether nothing follows these samples.
  public var isEnd: Bool

  public init(count: Int = 0, gap: Int = 0, events: DeviceEvents = [], isEnd: Bool = false) {
    self.count = count
    self.gap = gap
    self.events = events
    self.isEnd = isEnd
  }
}
