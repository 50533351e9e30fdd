import PCM
import Platform

/// The samples of an audio file at 16 kHz mono, decoded on demand.
public final class FileSource: AudioSource {
  /// Frames per block.
  private static let blockFrames = 8192

  private let file: SoundFile
  private let channel: Int?
  private let resampler: Resampler
  private let decoded: UnsafeMutablePointer<Float>
  private let resampled: UnsafeMutablePointer<Float>
  /// The first sample in `decoded` that the resampler has not taken, and the number of them.
  private var decodedStart = 0
  private var decodedCount = 0
  private var fileEnded = false
  private var ended = false

  /// Opens the file at `path`.
  ///
  /// - Parameter channel: the only channel to use, counted from zero; nil for the mean of all.
  /// - Throws: ``CaptureFault`` for a file that is missing, not audio, empty or truncated.
  public convenience init(_ path: String, channel: Int? = nil) throws(CaptureFault) {
    let file = try SoundFile(path)
    if let channel, !(0..<file.channels).contains(channel) {
      throw .noSuchChannel(path: path, channel: channel, channels: file.channels)
    }
    self.init(file, channel: channel)
  }

  init(_ file: SoundFile, channel: Int? = nil) {
    self.file = file
    self.channel = channel
    resampler = Resampler(from: file.sampleRate)
    decoded = .allocate(capacity: Self.blockFrames * file.channels)
    resampled = .allocate(capacity: Self.blockFrames)
  }

  deinit {
    decoded.deallocate()
    resampled.deallocate()
  }

  public func read(into frame: UnsafeMutableBufferPointer<Int16>) throws(CaptureFault) -> AudioRead {
    var count = 0
    while count < frame.count, !ended {
      if decodedCount == 0, !fileEnded {
        decodedCount = try file.read(into: decoded, frames: Self.blockFrames)
        decodedStart = 0
        fileEnded = decodedCount == 0
        SampleConversion.mix(
          decoded, frames: decodedCount, channels: file.channels, channel: channel, into: decoded)
      }
      let step = resampler.process(
        decoded + decodedStart, count: decodedCount, isEnd: fileEnded, into: resampled,
        capacity: min(frame.count - count, Self.blockFrames))
      decodedStart += step.consumed
      decodedCount -= step.consumed
      SampleConversion.convert(resampled, count: step.produced, into: frame.baseAddress! + count)
      count += step.produced
      ended = fileEnded && step.produced == 0 && decodedCount == 0
    }
    return AudioRead(count: count, isEnd: ended)
  }

  /// All samples that are left.
  func readAll() throws(CaptureFault) -> [Int16] {
    var samples: [Int16] = []
    let block = UnsafeMutableBufferPointer<Int16>.allocate(capacity: Self.blockFrames)
    defer { block.deallocate() }
    while true {
      let step = try read(into: block)
      samples.append(contentsOf: block[..<step.count])
      if step.isEnd { return samples }
    }
  }
}
