import AudioCapture
import CSndFile
import Glibc
import Platform

/// Sounds, files and folders for the tests.
enum TestAudio {
  /// The recordings that some tests read, where the machine has them.
  static let recordings: String? = {
    if let path = getenv("HOTWORD_AUDIO") { return String(cString: path) }
    let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
    let path = root.joined(separator: "/") + "/../shared/audio"
    return Files.isDirectory(path) ? path : nil
  }()

  /// A folder of this process, removed by the test that made it.
  static func makeFolder() -> String {
    var name = Array("/tmp/hotword-capture-XXXXXX".utf8CString)
    mkdtemp(&name)
    return name.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
  }

  static func remove(_ folder: String) {
    for path in (try? Files.list(below: folder)) ?? [] { unlink(path) }
    rmdir(folder)
  }

  /// `count` samples of a sine, full scale at ±1.
  static func sine(_ frequency: Double, rate: Int, count: Int, amplitude: Double = 0.5) -> [Float] {
    (0..<count).map { Float(amplitude * sin(2 * Double.pi * frequency * Double($0) / Double(rate))) }
  }

  /// White noise over the whole range of Int16.
  static func noise(_ count: Int, seed: UInt64) -> [Int16] {
    var random = RandomSource(seed: seed)
    return (0..<count).map { _ in Int16(truncatingIfNeeded: random.next()) }
  }

  /// Writes interleaved samples by libsndfile; `format` is its major and minor format.
  static func write(
    _ samples: [Float], rate: Int, channels: Int = 1, format: Int, to path: String
  ) -> Bool {
    var info = SF_INFO()
    info.samplerate = Int32(rate)
    info.channels = Int32(channels)
    info.format = Int32(format)
    guard let file = sf_open(path, Int32(SFM_WRITE), &info) else { return false }
    defer { sf_close(file) }
    return sf_writef_float(file, samples, sf_count_t(samples.count / channels))
      == samples.count / channels
  }

  /// Writes 16-bit samples by libsndfile, untouched.
  static func write(_ samples: [Int16], rate: Int, format: Int, to path: String) -> Bool {
    var info = SF_INFO()
    info.samplerate = Int32(rate)
    info.channels = 1
    info.format = Int32(format)
    guard let file = sf_open(path, Int32(SFM_WRITE), &info) else { return false }
    defer { sf_close(file) }
    return sf_writef_short(file, samples, sf_count_t(samples.count)) == samples.count
  }

  /// Everything that a source gives, read in blocks of `block` samples.
  static func drain(_ source: any AudioSource, block: Int = 160) throws -> [Int16] {
    let frame = UnsafeMutableBufferPointer<Int16>.allocate(capacity: block)
    defer { frame.deallocate() }
    var samples: [Int16] = []
    while true {
      let step = try source.read(into: frame)
      samples += frame[..<step.count]
      if step.isEnd { return samples }
    }
  }

  /// The amplitude and phase (radians) of the sine of `frequency` in `samples` at 16 kHz, and the rest's RMS.
  static func fit(_ samples: ArraySlice<Int16>, frequency: Double) -> (
    amplitude: Double, phase: Double, residual: Double
  ) {
    var inPhase = 0.0
    var quadrature = 0.0
    for index in samples.indices {
      let angle = 2 * Double.pi * frequency * Double(index) / 16_000
      inPhase += Double(samples[index]) / 32_768 * sin(angle)
      quadrature += Double(samples[index]) / 32_768 * cos(angle)
    }
    inPhase *= 2 / Double(samples.count)
    quadrature *= 2 / Double(samples.count)
    var rest = 0.0
    for index in samples.indices {
      let angle = 2 * Double.pi * frequency * Double(index) / 16_000
      let error = Double(samples[index]) / 32_768 - inPhase * sin(angle) - quadrature * cos(angle)
      rest += error * error
    }
    return (
      (inPhase * inPhase + quadrature * quadrature).squareRoot(), atan2(quadrature, inPhase),
      (rest / Double(samples.count)).squareRoot()
    )
  }
}
