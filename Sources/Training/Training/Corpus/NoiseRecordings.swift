import AudioCapture
import Evaluation
import PCM
import Platform

/// Up to 25 minutes of background noise, up to 12 s per file.
struct NoiseRecordings {
  private(set) var training: [[Float]] = []
  private(set) var heldOut: [[Float]] = []
  private(set) var leftOut: [String] = []

  private static let total = AudioFormat.samples(25 * 60)
  private static let most = AudioFormat.samples(12)
  private static let block = 32

  /// - Throws: ``TrainingFault``, `SystemFault`.
  init(_ folders: [String], threads: Int) throws {
    var paths: [String] = []
    for folder in folders { paths += try AudioFolder(folder, use: "noise", as: .noise).clips.map(\.path) }
    paths.sort { (stableHash($0), $0) < (stableHash($1), $1) }
    var left = Self.total
    let files = paths
    for start in stride(from: 0, to: files.count, by: Self.block) where left > 0 {
      let parts = Parallel.map(min(Self.block, files.count - start), threads: threads) { index in
        Self.read(files[start + index])
      }
      for (index, result) in parts.enumerated() {
        switch result {
        case .failure(let flaw): leftOut.append(flaw.text)
        case .success(let part) where part.count > 1600:
          left -= part.count
          if stableHash("noise" + files[start + index]) % 5 == 0 {
            heldOut.append(part)
          } else {
            training.append(part)
          }
        case .success: break
        }
      }
    }
    if training.isEmpty { swap(&training, &heldOut) }
    if !paths.isEmpty, training.isEmpty {
      throw TrainingFault.nothingReadable(folder: folders[0], use: "noise")
    }
  }

  private static func read(_ path: String) -> Result<[Float], ClipFlaw> {
    do {
      let samples = try FileSource(path).samples(4 * most)
      var random = RandomSource(seed: stableHash(path))
      let first = samples.count > most ? Int(random.next() % UInt64(samples.count - most)) : 0
      return .success(Level.floats(Array(samples[first..<min(samples.count, first + most)])))
    } catch {
      return .failure(ClipFlaw(text: "\(error)"))
    }
  }
}
