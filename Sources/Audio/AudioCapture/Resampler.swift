import CSampleRate
import PCM
import Platform

/// Streaming conversion to 16 kHz by libsamplerate's band-limited interpolation.
///
/// The output does not depend on how the input is divided into calls, has no delay (the first output sample has the
/// time of the first input sample), and its total length is the input's, scaled and rounded to nearest. At 16 kHz it
/// copies. libsamplerate neither locks nor allocates while it converts: measured in `ListeningPathTests`.
package final class Resampler {
  /// Samples per second of the input.
  package let inputRate: Int
  /// For the capture thread, without reference counting; valid during the lifetime of this object.
  let core: Core

  /// The input rates that libsamplerate supports: a ratio of 1/256…256.
  package static let inputRates = 63...4_096_000

  /// - Parameter inputRate: within ``inputRates``.
  package init(from inputRate: Int) {
    precondition(Self.inputRates.contains(inputRate))
    self.inputRate = inputRate
    core = Core(inputRate)
  }

  deinit { core.free() }

  /// Converts samples until `input` is used up or `output` is full.
  ///
  /// - Parameter isEnd: whether `input` is the last; repeat with the rest until `produced` is 0.
  /// - Returns: the samples taken from `input` and written to `output`.
  package func process(
    _ input: UnsafePointer<Float>, count: Int, isEnd: Bool = false,
    into output: UnsafeMutablePointer<Float>, capacity: Int
  ) -> (consumed: Int, produced: Int) {
    core.process(input, count: count, isEnd: isEnd, into: output, capacity: capacity)
  }

  /// Converts the next samples and appends the result.
  ///
  /// - Parameter isEnd: whether they are the last.
  package func convert(_ samples: [Float], isEnd: Bool, appendingTo output: inout [Int16]) {
    withUnsafeTemporaryAllocation(of: Float.self, capacity: Self.block) { block in
      // One more, so that there is an address if there are no samples.
      (samples + [0]).withUnsafeBufferPointer {
        var input = $0.baseAddress!
        var left = samples.count
        while true {
          let step = process(
            input, count: left, isEnd: isEnd, into: block.baseAddress!, capacity: Self.block)
          input += step.consumed
          left -= step.consumed
          for index in 0..<step.produced { output.append(SampleConversion.int16(block[index])) }
          if step.produced == 0, left == 0 || step.consumed == 0 { break }
        }
      }
    }
  }

  private static let block = 4_096

  /// The pointers of the converter, as a value: calls on it count no references.
  struct Core {
    private let inputRate: Int
    private let state: OpaquePointer?
    private let data: UnsafeMutablePointer<SRC_DATA>
    private let totals: UnsafeMutablePointer<(consumed: Int, produced: Int)>

    fileprivate init(_ inputRate: Int) {
      self.inputRate = inputRate
      var error: Int32 = 0
      state =
        inputRate == AudioFormat.sampleRate
        ? nil : src_new(Int32(SRC_SINC_MEDIUM_QUALITY), 1, &error)
      precondition(error == 0, "libsamplerate has no memory")
      data = .allocate(capacity: 1)
      data.initialize(to: SRC_DATA())
      data.pointee.src_ratio = Double(AudioFormat.sampleRate) / Double(inputRate)
      totals = .allocate(capacity: 1)
      totals.initialize(to: (0, 0))
    }

    fileprivate func free() {
      if let state { src_delete(state) }
      data.deallocate()
      totals.deallocate()
    }

    /// See ``Resampler/process(_:count:isEnd:into:capacity:)``. Real-time safe.
    @_noAllocation @_noLocks
    func process(
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
      totals.pointee.consumed &+= used
      if isEnd {
        // The converter may return one sample more or less than the exact length.
        let length = (totals.pointee.consumed &* AudioFormat.sampleRate &+ inputRate / 2) / inputRate
        if used == count, given > length &- totals.pointee.produced {
          given = max(0, length &- totals.pointee.produced)
        }
        if used == count, given == 0, totals.pointee.produced < length {
          given = min(capacity, length &- totals.pointee.produced)
          var index = 0
          while index < given {
            output[index] = 0
            index &+= 1
          }
        }
      }
      totals.pointee.produced &+= given
      return (used, given)
    }

    /// Resets the state, as at the start of a stream.
    @_noAllocation @_noLocks
    func reset() {
      if let state { _ = hotword_src_reset(state) }
      totals.pointee = (0, 0)
    }
  }
}
