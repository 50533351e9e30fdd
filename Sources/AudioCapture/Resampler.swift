import CSampleRate
import Platform

/// A streaming change of sample rate to 16 kHz, by libsamplerate's band-limited interpolation.
///
/// The output does not depend on how the input is cut into calls, has no delay (the first output sample
/// lies at the time of the first input sample), and its total length after ``finish`` is the input's,
/// scaled and rounded to nearest. At 16 kHz it copies.
package final class Resampler {
  /// Samples per second of the input.
  package let inputRate: Int
  private let state: OpaquePointer?
  private let data: UnsafeMutablePointer<SRC_DATA>
  private var consumed = 0
  private var produced = 0

  /// The rates that libsamplerate can bring to 16 kHz: a ratio within 1/256…256.
  package static let inputRates = 63...4_096_000

  /// - Parameter inputRate: within ``inputRates``.
  package init(from inputRate: Int) {
    precondition(Self.inputRates.contains(inputRate))
    self.inputRate = inputRate
    var error: Int32 = 0
    state =
      inputRate == AudioFormat.sampleRate
      ? nil : src_new(Int32(SRC_SINC_MEDIUM_QUALITY), 1, &error)
    precondition(error == 0, "libsamplerate has no memory")
    data = .allocate(capacity: 1)
    data.initialize(to: SRC_DATA())
    data.pointee.src_ratio = Double(AudioFormat.sampleRate) / Double(inputRate)
  }

  deinit {
    if let state { src_delete(state) }
    data.deallocate()
  }

  /// Takes samples from `input` until it is used up or `output` is full.
  ///
  /// - Parameter isEnd: whether nothing follows `input`; repeat with what is left until `produced` is 0.
  /// - Returns: samples taken and samples given. Real-time safe.
  @_noAllocation @_noLocks
  package func process(
    _ input: UnsafePointer<Float>, count: Int, isEnd: Bool = false,
    into output: UnsafeMutablePointer<Float>, capacity: Int
  ) -> (consumed: Int, produced: Int) {
    guard let state else {
      let copied = min(count, capacity)
      var index = 0
      while index < copied {
        output[index] = input[index]
        index &+= 1
      }
      return (copied, copied)
    }
    data.pointee.data_in = input
    data.pointee.input_frames = count
    data.pointee.data_out = output
    data.pointee.output_frames = capacity
    data.pointee.end_of_input = isEnd ? 1 : 0
    guard hotword_src_process(state, data) == 0 else { return (count, 0) }
    let used = data.pointee.input_frames_used
    var given = data.pointee.output_frames_gen
    consumed &+= used
    if isEnd {
      // The converter may give a sample more or less than the exact length.
      let length = (consumed &* AudioFormat.sampleRate &+ inputRate / 2) / inputRate
      if used == count, given > length &- produced { given = max(0, length &- produced) }
      if used == count, given == 0, produced < length {
        given = min(capacity, length &- produced)
        var index = 0
        while index < given {
          output[index] = 0
          index &+= 1
        }
      }
    }
    produced &+= given
    return (used, given)
  }

  /// Forgets the past, as at the start of a stream.
  @_noAllocation @_noLocks
  package func reset() {
    if let state { _ = hotword_src_reset(state) }
    consumed = 0
    produced = 0
  }
}
