import CSystem
import Glibc
import PCM
import Platform

extension AudioFile {
  /// Samples per second of the slowest audio in memory that is accepted: slower audio would need many times its memory.
  static let lowestRate = 4_000
  /// Bytes of WAV that are decoded at once.
  private static let pieceBytes = 1 << 16

  /// The samples of a file in memory at 16 kHz, the mean of its channels.
  ///
  /// Accepts what ``read(_:)`` accepts, and WAV of unknown length, which servers send while they make it.
  /// - Parameters:
  ///   - name: what faults call it.
  ///   - limit: the maximum number of samples.
  /// - Throws: ``CaptureFault/notAudio(path:reason:)`` or ``CaptureFault/empty(path:)``.
  public static func decode(_ bytes: [UInt8], name: String, limit: Int) throws(CaptureFault) -> [Int16] {
    var samples: [Int16] = []
    do {
      if bytes.starts(with: "RIFF".utf8) {
        try decode(wav: bytes, limit: limit, into: &samples)
      } else {
        try decode(other: bytes, limit: limit, into: &samples)
      }
    } catch let fault as WAVFault {
      throw .notAudio(path: name, reason: fault.reason)
    } catch {
      throw .notAudio(path: name, reason: "not WAV, FLAC, Ogg or MP3")
    }
    guard !samples.isEmpty else { throw .empty(path: name) }
    guard samples.count <= limit else {
      throw .notAudio(path: name, reason: "more than \(limit / AudioFormat.sampleRate) s")
    }
    return samples
  }

  private static func decode(wav bytes: [UInt8], limit: Int, into output: inout [Int16]) throws {
    var decoder = WAVDecoder()
    var resampler: Resampler?
    for start in stride(from: 0, to: bytes.count, by: pieceBytes) where output.count <= limit {
      let end = min(start + pieceBytes, bytes.count)
      var samples: [Float] = []
      try decoder.push(bytes[start..<end], into: &samples)
      guard let header = decoder.header else { continue }
      guard header.sampleRate >= lowestRate else { throw WAVFault.unsupportedRate(header.sampleRate) }
      if resampler == nil { resampler = Resampler(from: header.sampleRate) }
      SampleConversion.mix(&samples, channels: header.channels)
      resampler?.convert(samples, isEnd: end == bytes.count, appendingTo: &output)
    }
  }

  /// By libsndfile, through a file that exists in memory only.
  private static func decode(other bytes: [UInt8], limit: Int, into output: inout [Int16]) throws {
    let descriptor = system_memory_file()
    guard descriptor >= 0 else { throw CaptureFault.cannotRead(path: "", code: errno) }
    defer { close(descriptor) }
    let path = "/proc/self/fd/\(descriptor)"
    guard writeAll(bytes, to: descriptor) else { throw CaptureFault.cannotRead(path: path, code: errno) }
    let file = try SoundFile(path)
    guard file.sampleRate >= lowestRate else { throw WAVFault.unsupportedRate(file.sampleRate) }
    let source = FileSource(file)
    let block = UnsafeMutableBufferPointer<Int16>.allocate(capacity: 8_192)
    defer { block.deallocate() }
    while output.count <= limit {
      let step = try source.read(into: block)
      output.append(contentsOf: block[..<step.count])
      if step.isEnd { return }
    }
  }
}
