/// Conversions from Float samples of −1…1 to Int16, and from several channels to one.
package enum SampleConversion {
  /// The Int16 nearest to `value` · 32768, ties to even, clipped; NaN gives zero.
  ///
  /// Adding 1.5 · 2²³ leaves the rounded integer in the low bits of a Float's significand, so loops over
  /// this vectorize. Exact for every Int16 divided by 32768.
  @inlinable @inline(__always) @_noAllocation @_noLocks
  package static func int16(_ value: Float) -> Int16 {
    var scaled = value * 32768
    scaled = scaled == scaled ? scaled : 0
    scaled = scaled < 32767 ? scaled : 32767
    scaled = scaled > -32768 ? scaled : -32768
    return Int16(truncatingIfNeeded: (scaled + 12_582_912).bitPattern)
  }

  /// Converts `count` samples of −1…1 to Int16. Real-time safe.
  @_noAllocation @_noLocks
  package static func convert(
    _ input: UnsafePointer<Float>, count: Int, into output: UnsafeMutablePointer<Int16>
  ) {
    var index = 0
    while index < count {
      output[index] = int16(input[index])
      index &+= 1
    }
  }

  /// The mean of the channels of `frames` interleaved frames, or one of them.
  ///
  /// `output` may be `input`. Real-time safe.
  ///
  /// - Parameter channel: the only channel to keep, counted from zero; nil for the mean.
  @_noAllocation @_noLocks
  package static func mix(
    _ input: UnsafePointer<Float>, frames: Int, channels: Int, channel: Int?,
    into output: UnsafeMutablePointer<Float>
  ) {
    var frame = 0
    if let channel {
      while frame < frames {
        output[frame] = input[frame &* channels &+ channel]
        frame &+= 1
      }
      return
    }
    let scale = 1 / Float(channels)
    while frame < frames {
      var sum: Float = 0
      var index = 0
      while index < channels {
        sum += input[frame &* channels &+ index]
        index &+= 1
      }
      output[frame] = sum * scale
      frame &+= 1
    }
  }

  /// Reduces interleaved `samples` to one channel: the mean of all, or one of them.
  package static func mix(_ samples: inout [Float], channels: Int, channel: Int? = nil) {
    let frames = samples.count / channels
    samples.withUnsafeMutableBufferPointer {
      guard let base = $0.baseAddress else { return }
      mix(base, frames: frames, channels: channels, channel: channel, into: base)
    }
    samples.removeLast(samples.count - frames)
  }
}
