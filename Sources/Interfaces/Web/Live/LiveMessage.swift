import Networking
import PCM
import Platform
import Service

/// The data of the live view's events.
enum LiveMessage {
  /// Frames of 10 ms in one column of 20 ms.
  private static let framesPerColumn = LiveSpectrogram.step / AudioFormat.frameLength

  static func models(_ models: [LiveTap.Model]) -> JSON {
    [
      "models": .array(
        models.map { model in
          [
            "name": .string(model.name), "phrase": .string(model.phrase),
            "sensitivity": .rounded(model.sensitivity), "threshold": .rounded(model.threshold),
          ]
        })
    ]
  }

  static func event(_ event: JSON, at clock: WallTime) -> JSON {
    .object((event.members ?? []) + [JSON.Member("clock", .string(clock.iso))])
  }

  /// Columns of 20 ms: the level in dBFS, the part with speech, the scores of each model, and the bands in Base64.
  static func frames(_ block: LiveTap.Block, _ spectrogram: LiveSpectrogram) -> JSON {
    let starts = stride(from: 0, to: block.levels.count, by: framesPerColumn)
    let columns = starts.map { $0..<min($0 + framesPerColumn, block.levels.count) }
    let models = block.scores.map(\.count).min() ?? 0
    return [
      "time": .rounded(AudioFormat.seconds(block.end)),
      "levels": .array(columns.map { .rounded(Double(block.levels[$0].max() ?? 0), digits: 1) }),
      "speech": .array(
        columns.map { column in
          .number(Double(block.voiced[column].count { $0 }) / Double(column.count))
        }),
      "scores": .array(
        (0..<models).map { model in
          .array(
            columns.map { column in .rounded(Double(block.scores[column].map { $0[model] }.max() ?? 0)) })
        }),
      "bands": .string(Base64.encode(spectrogram.columns(block.samples))),
    ]
  }
}
