import PCM
import Platform

/// Reads whole frames from a source that may return fewer samples before gaps.
///
/// A frame before a gap is padded with silence and the gap is shortened by as many samples, so that positions stay
/// exact. The reader itself takes no lock and allocates nothing after `init`.
public final class FrameReader {
  private let source: any AudioSource
  private let frameLength: Int
  private let block: UnsafeMutableBufferPointer<Int16>
  private var blockStart = 0
  private var blockCount = 0
  /// The beginning of an incomplete frame.
  private let part: UnsafeMutableBufferPointer<Int16>
  private var partCount = 0
  /// The rest of a gap, for the next frame.
  private var pendingGap = 0
  /// Samples of silence returned before the length of the gap was known.
  private var debt = 0
  private var ended = false

  /// - Parameter frameLength: samples in a frame.
  public init(_ source: any AudioSource, frameLength: Int = AudioFormat.frameLength) {
    self.source = source
    self.frameLength = frameLength
    block = .allocate(capacity: frameLength)
    part = .allocate(capacity: frameLength)
  }

  deinit {
    block.deallocate()
    part.deallocate()
  }

  /// Waits for the next frame.
  ///
  /// - Parameter frame: `frameLength` samples; all are set, with silence after the end.
  /// - Returns: `gap` samples lost before the frame; `count` is `frameLength`, less in the last frame, and 0 for an event without
  ///   samples (a device was lost) or after a second without samples.
  public func next(into frame: UnsafeMutableBufferPointer<Int16>) throws(CaptureFault) -> AudioRead {
    var result = AudioRead(gap: pendingGap)
    pendingGap = 0
    var filled = partCount
    for index in 0..<partCount { frame[index] = part[index] }
    partCount = 0
    while filled < frameLength {
      if blockStart < blockCount {
        let count = min(blockCount - blockStart, frameLength - filled)
        for index in 0..<count { frame[filled + index] = block[blockStart + index] }
        blockStart += count
        filled += count
        continue
      }
      if ended { break }
      let step = try source.read(into: block)
      if step == AudioRead() {
        for index in 0..<filled { part[index] = frame[index] }
        partCount = filled
        return result
      }
      blockStart = 0
      blockCount = step.count
      ended = step.isEnd
      result.events.append(step.events)
      let paid = min(debt, step.gap)
      debt -= paid
      var gap = step.gap - paid
      if filled == 0 {
        result.gap += gap
      } else {
        let silent = min(gap, frameLength - filled)
        for index in filled..<(filled + silent) { frame[index] = 0 }
        filled += silent
        gap -= silent
        pendingGap += gap
      }
      if step.events.contains(.lost), step.count == 0, !ended {
        if filled == 0 { return result }
        debt += frameLength - filled
        for index in filled..<frameLength { frame[index] = 0 }
        filled = frameLength
      }
    }
    for index in filled..<frameLength { frame[index] = 0 }
    result.count = filled
    result.isEnd = ended && blockStart == blockCount
    return result
  }
}
