import Detection
import Training

/// The trainable network in plain loops and double precision, normalized by the shard.
struct NetworkReference {
  let layout: ParameterLayout
  /// One array per window.
  let features: [[Double]]

  /// Returns the logits of all windows in sequence.
  func logits(_ parameters: [Double]) -> [Double] {
    let shape = layout.shape
    let channels = shape.channels
    let steps = features[0].count / shape.inputs / shape.stride
    var rows = features.flatMap { window in
      (0..<steps).map { step in
        (0..<channels).map { channel in
          var sum = 0.0
          for tap in 0..<shape.stemKernel {
            let frame = shape.stride * (step + 1) - shape.stemKernel + tap
            guard frame >= 0 else { continue }
            for input in 0..<shape.inputs {
              let weight = (channel * shape.stemKernel + tap) * shape.inputs + input
              sum += parameters[layout.stemWeight + weight] * window[frame * shape.inputs + input]
            }
          }
          return sum
        }
      }
    }
    rows = normalized(rows, 0, parameters).map { $0.map { max(0, $0) } }
    for block in 0..<layout.blocks {
      let depthwise = rows.indices.map { row in
        (0..<channels).map { channel in
          var sum = 0.0
          for tap in 0..<shape.kernel {
            let step = row % steps - (shape.kernel - 1 - tap) * shape.dilations[block]
            guard step >= 0 else { continue }
            sum +=
              parameters[layout.depthwise(block) + tap * channels + channel]
              * rows[row - row % steps + step][channel]
          }
          return sum
        }
      }
      let hidden = normalized(depthwise, 1 + 2 * block, parameters).map { $0.map { max(0, $0) } }
      let pointwise = hidden.map { row in
        (0..<channels).map { out in
          (0..<channels).reduce(0.0) {
            $0 + parameters[layout.pointwise(block) + out * channels + $1] * row[$1]
          }
        }
      }
      let added = normalized(pointwise, 2 + 2 * block, parameters)
      rows = zip(rows, added).map { zip($0, $1).map { max(0, $0 + $1) } }
    }
    return rows.flatMap { (row: [Double]) -> [Double] in
      (0..<shape.outputs).map { (output: Int) -> Double in
        row.indices.reduce(parameters[layout.headBias + output]) {
          $0 + parameters[layout.headWeight + output * channels + $1] * row[$1]
        }
      }
    }
  }

  private func normalized(_ rows: [[Double]], _ normalization: Int, _ parameters: [Double]) -> [[Double]] {
    var rows = rows
    for channel in 0..<layout.channels {
      let count = Double(rows.count)
      let mean = rows.reduce(0) { $0 + $1[channel] } / count
      let variance = rows.reduce(0) { $0 + ($1[channel] - mean) * ($1[channel] - mean) } / count
      let scale = parameters[layout.gain(normalization) + channel] / (variance + 1e-5).squareRoot()
      for row in rows.indices {
        rows[row][channel] =
          scale * (rows[row][channel] - mean) + parameters[layout.offset(normalization) + channel]
      }
    }
    return rows
  }
}
