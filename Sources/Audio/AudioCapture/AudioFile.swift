import Glibc
import PCM
import Platform

/// Reads and writes whole audio files.
public enum AudioFile {
  /// Seconds that a pipe may take for its next bytes.
  private static let pipeTimeout = 5.0

  /// The file's samples at 16 kHz, the mean of its channels.
  ///
  /// Accepts every format, rate and channel count that libsndfile reads. The samples of a 16 kHz mono 16-bit file are
  /// returned unchanged; n samples at another rate r become n · 16000 / r, rounded to nearest, without delay.
  /// A pipe must never be silent for 5 s; devices are rejected.
  /// - Throws: ``CaptureFault`` for a file that is missing, not audio, empty or truncated.
  public static func read(_ path: String) throws(CaptureFault) -> [Int16] {
    guard FileShape.isStream(path) else { return try FileSource(path).readAll() }
    guard !FileShape.isDevice(path) else { throw .notAudio(path: path, reason: "a device") }
    let source = try open(path)
    var samples: [Int16] = []
    let block = UnsafeMutableBufferPointer<Int16>.allocate(capacity: 8192)
    defer { block.deallocate() }
    var lastRead = MonotonicClock.now()
    while true {
      let step = try source.read(into: block)
      samples.append(contentsOf: block[..<step.count])
      if step.isEnd { break }
      if step.count > 0 { lastRead = MonotonicClock.now() }
      if MonotonicClock.now() - lastRead > pipeTimeout { throw .cannotRead(path: path, code: ETIMEDOUT) }
    }
    guard !samples.isEmpty else { throw .empty(path: path) }
    return samples
  }

  private static let endings: Set<String> = [
    "wav", "wave", "flac", "ogg", "oga", "opus", "mp3", "aif", "aiff", "aifc", "au", "snd", "sph", "nist",
    "w64", "caf", "voc", "rf64",
  ]

  /// Whether the name of a file has an ending of the formats that libsndfile reads.
  package static func hasAudioEnding(_ path: String) -> Bool {
    guard let dot = path.lastIndex(of: ".") else { return false }
    return endings.contains(path[path.index(after: dot)...].lowercased())
  }

  /// The source for a file, or for a pipe or device with a path.
  static func open(_ path: String, channel: Int? = nil) throws(CaptureFault) -> any AudioSource {
    guard FileShape.isStream(path) else { return try FileSource(path, channel: channel) }
    // Otherwise opening a pipe would wait for a writer, deaf to signals.
    let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw FileShape.fault(of: path, code: errno) }
    return PipeSource(descriptor, closes: true, name: path, channel: channel)
  }

  /// The file's samples at 16 kHz by channel, all of the same length.
  public static func channels(_ path: String) throws(CaptureFault) -> [[Int16]] {
    let first = try SoundFile(path)
    var channels = [try FileSource(first, channel: 0).readAll()]
    for channel in 1..<max(1, first.channels) {
      channels.append(try FileSource(path, channel: channel).readAll())
    }
    return channels
  }

  /// Writes 16 kHz mono samples as a 16-bit WAV file, readable by the owner only, atomically by rename.
  public static func write(_ samples: [Int16], to path: String) throws(CaptureFault) {
    do {
      try Files.write(wave(samples), to: path, mode: 0o600)
    } catch {
      guard case .cannotWrite(_, let code) = error else { throw .cannotWrite(path: path, code: 0) }
      throw .cannotWrite(path: path, code: code)
    }
  }

  /// 16 kHz mono samples as the bytes of a 16-bit WAV file.
  public static func wave(_ samples: [Int16]) -> [UInt8] {
    var bytes = WAVHeader(dataLength: 2 * samples.count).encoded()
    bytes.reserveCapacity(bytes.count + 2 * samples.count)
    for sample in samples {
      let value = UInt16(bitPattern: sample)
      bytes.append(UInt8(truncatingIfNeeded: value))
      bytes.append(UInt8(truncatingIfNeeded: value >> 8))
    }
    return bytes
  }
}
