import AudioCapture
import Glibc
import PCM
import Platform

/// Audio made from the example recording.
enum Recordings {
  /// "computer, turn on the kitchen light" and a second of room noise.
  static let order: [Int16] = {
    let samples = (try? AudioFile.read(Program.recording)) ?? []
    return Array(samples.prefix(AudioFormat.samples(3.9)))
  }()

  /// The same command several times, with three seconds of room noise between.
  static func repeated(_ count: Int) -> [Int16] {
    var random = RandomSource(seed: 7)
    let room = (0..<AudioFormat.samples(3)).map { _ in Int16(random.next() % 41) - 20 }
    return order + (1..<count).flatMap { _ in room + order }
  }

  /// The same as a WAV file.
  static func orders(_ count: Int) throws -> String { try wave(repeated(count)) }

  static func twoOrders() throws -> String { try orders(2) }

  /// The command, 1.5 s of room noise, and the words of the command again without the hotword.
  static func orderAndAnswer() throws -> String {
    var random = RandomSource(seed: 7)
    let room = (0..<AudioFormat.samples(1.5)).map { _ in Int16(random.next() % 41) - 20 }
    return try wave(order + room + Array(order[AudioFormat.samples(1.45)...]))
  }

  /// A WAV file of 16 kHz mono.
  static func wave(_ samples: [Int16]) throws -> String {
    let path = "\(Program.temporaryFolder())/audio.wav"
    try AudioFile.write(samples, to: path)
    return path
  }

  /// `samples` at three times the rate, in two equal channels.
  static func stereo48(_ samples: [Int16]) throws -> String {
    var bytes = WAVHeader(channels: 2, sampleRate: 48_000, dataLength: 12 * samples.count).encoded()
    for index in samples.indices {
      let here = Int(samples[index])
      let next = index + 1 < samples.count ? Int(samples[index + 1]) : here
      for third in 0..<3 {
        let value = UInt16(bitPattern: Int16(here + (next - here) * third / 3))
        for _ in 0..<2 { bytes += [UInt8(value & 0xFF), UInt8(value >> 8)] }
      }
    }
    return try Program.file("stereo48.wav", bytes)
  }

  /// The raw samples of `samples`, as a file.
  static func raw(_ samples: [Int16]) throws -> String {
    let bytes = samples.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
    return try Program.file("audio.raw", bytes)
  }

  /// The samples of a file of raw ones.
  static func samples(raw path: String) throws -> [Int16] {
    let bytes = try Files.read(path)
    return stride(from: 0, to: bytes.count - 1, by: 2).map {
      Int16(bitPattern: UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8)
    }
  }

  /// A configuration of alsa-lib with the device `clip`, which plays `samples`; its path.
  static func alsaConfiguration(playing samples: [Int16]) throws -> String {
    let text = """
      pcm.nothing { type null }
      pcm.clip { type file slave.pcm nothing file /dev/null infile "\(try raw(samples))" format raw }
      """
    return try Program.file("asound.conf", Array(text.utf8))
  }
}
