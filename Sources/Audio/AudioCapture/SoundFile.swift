import CSndFile
import Glibc
import Platform

/// An audio file open for decoding by libsndfile, block by block.
///
/// Not thread-safe; different files may be read on different threads.
package final class SoundFile {
  /// The path, as faults name it.
  package let path: String
  /// Samples per second of each channel.
  package let sampleRate: Int
  package let channels: Int
  private let handle: OpaquePointer
  /// Frames that the header states; nil if unknown.
  private let promised: Int?
  private var delivered = 0
  /// Frames until the end of the fragment.
  private var left: Int

  /// The largest number of channels accepted.
  package static let mostChannels = 64

  /// Opens the file at `path`, or the part of it that a path such as `talk.wav#t=1.5,2.25` names.
  ///
  /// - Throws: ``CaptureFault`` for a file that is missing, not audio, empty or truncated.
  package init(_ path: String) throws(CaptureFault) {
    let fragment = TimeFragment(path)
    let file = fragment?.path ?? path
    if fragment == nil, TimeFragment.isMalformed(path) { throw .badPart(path: path, seconds: nil) }
    try FileShape.check(file)
    var info = SF_INFO()
    guard let handle = sf_open(file, Int32(SFM_READ), &info) else {
      let reason = String(cString: sf_strerror(nil))
      throw .notAudio(path: path, reason: Self.oneLine(reason))
    }
    self.handle = handle
    self.path = path
    sampleRate = Int(info.samplerate)
    channels = Int(info.channels)
    let whole = info.frames >= 0 && info.frames < Int64.max / 2 ? Int(info.frames) : nil
    let first = Int((fragment?.start ?? 0) * Double(info.samplerate))
    let last = fragment?.end.map { Int(($0 * Double(info.samplerate)).rounded()) }
    // A fragment may reach beyond the end.
    promised = whole.map { max(0, min(last ?? $0, $0) - first) }
    left = last.map { $0 - first } ?? .max
    let isPast = first > 0 && sf_seek(handle, sf_count_t(first), SEEK_SET) < 0
    guard (1...Self.mostChannels).contains(channels) else {
      throw .notAudio(path: path, reason: "\(channels) channels")
    }
    guard Resampler.inputRates.contains(sampleRate) else {
      throw .notAudio(path: path, reason: "a sample rate of \(sampleRate) Hz")
    }
    if let whole, whole > 0, first >= whole {
      throw .badPart(path: path, seconds: Double(whole) / Double(sampleRate))
    }
    guard promised != 0, !isPast else { throw .empty(path: path) }
  }

  deinit { sf_close(handle) }

  /// Decodes up to `frames` interleaved frames, full scale at ±1, into `output`.
  ///
  /// - Returns: the number of frames decoded; 0 at the end.
  /// - Throws: ``CaptureFault/truncated(path:reason:)`` if the file ends before the end that its header states.
  package func read(into output: UnsafeMutablePointer<Float>, frames: Int) throws(CaptureFault) -> Int {
    let count = left > 0 ? Int(sf_readf_float(handle, output, sf_count_t(min(frames, left)))) : 0
    delivered += max(0, count)
    left -= max(0, count)
    if count > 0 { return count }
    guard sf_error(handle) == SF_ERR_NO_ERROR else {
      throw .truncated(path: path, reason: Self.oneLine(String(cString: sf_strerror(handle))))
    }
    if delivered == 0 { throw .empty(path: path) }
    if let promised, delivered < promised {
      throw .truncated(path: path, reason: "\(delivered) of \(promised) samples")
    }
    return 0
  }

  private static func oneLine(_ text: String) -> String {
    let words = text.split { $0 == "\n" || $0 == "\r" }.joined(separator: " ")
    let trimmed = words.hasSuffix(".") ? String(words.dropLast()) : words
    return trimmed.prefix(1).lowercased() + trimmed.dropFirst()
  }
}
