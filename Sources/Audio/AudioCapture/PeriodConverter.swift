import PCM
import Platform

/// Converts a device's frames to 16 kHz mono Int16, period by period, in memory allocated once.
package struct PeriodConverter: ~Copyable {
  package let format: SampleFormat
  package let channels: Int
  /// The largest number of frames in one call.
  package let periodFrames: Int
  private let channel: Int?
  private let resampler: Resampler
  private let core: Resampler.Core
  private let mono: UnsafeMutablePointer<Float>
  private let resampled: UnsafeMutablePointer<Float>
  private let output: UnsafeMutablePointer<Int16>
  private let outputCapacity: Int

  /// - Parameter channel: the only channel to use, counted from zero; nil for the mean of all.
  package init(format: SampleFormat, channels: Int, channel: Int?, rate: Int, periodFrames: Int) {
    self.format = format
    self.channels = channels
    self.channel = channel
    self.periodFrames = periodFrames
    resampler = Resampler(from: rate)
    core = resampler.core
    outputCapacity = periodFrames * AudioFormat.sampleRate / rate + 64
    mono = .allocate(capacity: periodFrames)
    resampled = .allocate(capacity: outputCapacity)
    output = .allocate(capacity: outputCapacity)
  }

  deinit {
    mono.deallocate()
    resampled.deallocate()
    output.deallocate()
  }

  /// Converts `frames` interleaved frames and appends them to `ring`. Real-time safe.
  @_noAllocation @_noLocks
  package func push(_ bytes: UnsafeRawPointer, frames: Int, to ring: SampleRing) {
    format.decode(bytes, frames: frames, channels: channels, channel: channel, into: mono)
    var input = UnsafePointer(mono)
    var left = frames
    while true {
      let step = core.process(input, count: left, into: resampled, capacity: outputCapacity)
      SampleConversion.convert(resampled, count: step.produced, into: output)
      ring.write(output, count: step.produced)
      input += step.consumed
      left &-= step.consumed
      if left <= 0 || step.consumed == 0 && step.produced == 0 { return }
    }
  }

  /// Resets the resampler, after a gap. Real-time safe.
  @_noAllocation @_noLocks
  package func reset() { core.reset() }
}
