import CTraining

/// Speech at another pace: feature vectors interpolated in time.
package enum Pace {
  /// Writes `frames` vectors of `width` numbers, from `start` of `features` on.
  ///
  /// - Parameters:
  ///   - span: vectors of `features` that are used: `frames / pace`.
  ///   - pace: 2 makes everything last twice as long.
  package static func stretch(
    _ features: [Float16], width: Int, from start: Int, span: Int, pace: Float, frames: Int,
    into place: UnsafeMutablePointer<Float>
  ) {
    features.withUnsafeBufferPointer { half in
      half.withMemoryRebound(to: UInt16.self) { half in
        if pace == 1 {
          training_widen(frames * width, half.baseAddress! + start * width, place)
          return
        }
        withUnsafeTemporaryAllocation(of: Float.self, capacity: (span + 1) * width) { source in
          let count = min(span + 1, half.count / width - start)
          training_widen(count * width, half.baseAddress! + start * width, source.baseAddress!)
          for frame in 0..<frames {
            let at = min(Float(frame) / pace, Float(count - 1))
            let low = min(Int(at), count - 2)
            let part = at - Float(low)
            let from = source.baseAddress! + low * width
            let to = place + frame * width
            for index in 0..<width { to[index] = from[index] + part * (from[index + width] - from[index]) }
          }
        }
      }
    }
  }
}
