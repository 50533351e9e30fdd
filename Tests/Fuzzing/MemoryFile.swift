import AudioCapture
import CSystem
import Glibc

/// A file that exists in memory only, for what reads audio by its path.
struct MemoryFile {
  /// Blocks of samples that are read: a short file of a low rate would be minutes of samples.
  private static let blocks = 8

  private let descriptor = system_memory_file()

  /// Reads `bytes` as the audio file that they may be.
  func readAudio(_ bytes: [UInt8]) {
    guard ftruncate(descriptor, 0) == 0, pwrite(descriptor, bytes, bytes.count, 0) == bytes.count,
      let source = try? FileSource("/proc/self/fd/\(descriptor)")
    else { return }
    withUnsafeTemporaryAllocation(of: Int16.self, capacity: 8_192) { block in
      for _ in 0..<Self.blocks {
        guard let step = try? source.read(into: block), !step.isEnd else { return }
      }
    }
  }
}
