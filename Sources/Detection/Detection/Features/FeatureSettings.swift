import PCM
import Platform

/// The settings of a ``FeatureExtractor``, stored in every model file.
///
/// The floor makes digital silence and a quiet room look the same, because many recordings are gated. Between words, the
/// bands of the alexa clips are near -112 dB, of most others below -100, of read speech (LibriSpeech) at -57 dB at 330 Hz,
/// -68 at 1.3 kHz and -85 at 7.1 kHz. With -64 dB at 1 kHz and -5 dB per octave, the median room of read speech is 1.6 dB
/// above silence (2.4 in the worst band), and the floor hides 1 to 6 % of the bands of active frames in the median clip of
/// each set; in the quietest 5 % of the alexa clips, spoken at -44 dBFS, 58 % (see `QuietVoiceGain`). With a flat floor of -65 dB the room would
/// be 17 dB above silence in the worst band.
///
/// The prior mean is the mean of 1.5 s of a clip: 6 dB above the floor for computer, 7 for jarvis and the coffee commands,
/// 9 for smart mirror, 14 for alexa, 19 for read speech.
public struct FeatureSettings: Sendable, Equatable {
  /// Samples of the (periodic Hann) window.
  public var window = 400
  /// Samples between vectors: always one frame.
  public var hop = AudioFormat.frameLength
  /// Points of the Fourier transform, a power of two; the window is padded with zeros.
  public var fft = 512
  /// Triangular bands, evenly spaced on the HTK mel scale, 2595 log10(1 + f / 700 Hz).
  public var melBands = 40
  /// Hz where the first band begins.
  public var lowFrequency = 20.0
  /// Hz where the last band ends.
  public var highFrequency = 7600.0
  /// The noise added to every band before the logarithm, at 1 kHz, in dBFS of the white noise that would
  /// have the same density; it hides quieter sounds.
  public var floor = -64.0
  /// How that noise changes with frequency, in dB per octave, as the noise of a room does.
  public var floorSlope = -5.0
  /// Cosine coefficients kept, the first (the level) included.
  public var coefficients = 40
  /// The decay of the running mean per vector after it has settled.
  public var meanDecay = 0.995
  /// The weight of the prior mean at the start of a stream, in vectors.
  public var priorFrames = 50
  /// The prior mean: dB above the floor, the same in every band.
  public var priorLevel = 8.0

  /// The default of models.
  public static let standard = FeatureSettings()

  public init() {}
}

extension FeatureSettings {
  private static let names = [
    "window", "hop", "fft", "melBands", "lowFrequency", "highFrequency", "floor", "floorSlope",
    "coefficients", "meanDecay", "priorFrames", "priorLevel",
  ]

  /// The settings as an object with every member, in the order of their declaration.
  public var json: JSON {
    [
      "window": .number(Double(window)),
      "hop": .number(Double(hop)),
      "fft": .number(Double(fft)),
      "melBands": .number(Double(melBands)),
      "lowFrequency": .number(lowFrequency),
      "highFrequency": .number(highFrequency),
      "floor": .number(floor),
      "floorSlope": .number(floorSlope),
      "coefficients": .number(Double(coefficients)),
      "meanDecay": .number(meanDecay),
      "priorFrames": .number(Double(priorFrames)),
      "priorLevel": .number(priorLevel),
    ]
  }

  /// Decodes and checks the settings: every member once, in any order, and no other.
  public init(json: JSON) throws(DetectionFault) {
    guard let members = json.members else {
      throw .badSetting(name: "features", allowed: "an object")
    }
    var unseen = Set(Self.names)
    for member in members where unseen.remove(member.name) == nil {
      throw .badSetting(
        name: member.name, allowed: "present once and one of: \(Self.names.joined(separator: ", "))")
    }
    let reader = SettingsReader(json)
    window = try reader.integer("window")
    hop = try reader.integer("hop")
    fft = try reader.integer("fft")
    melBands = try reader.integer("melBands")
    lowFrequency = try reader.number("lowFrequency")
    highFrequency = try reader.number("highFrequency")
    floor = try reader.number("floor")
    floorSlope = try reader.number("floorSlope")
    coefficients = try reader.integer("coefficients")
    meanDecay = try reader.number("meanDecay")
    priorFrames = try reader.integer("priorFrames")
    priorLevel = try reader.number("priorLevel")
    try check()
  }

  /// Throws ``DetectionFault/badSetting(name:allowed:)`` for the first setting out of its range.
  func check() throws(DetectionFault) {
    let nyquist = Double(AudioFormat.sampleRate) / 2
    try Self.check("hop", hop, in: AudioFormat.frameLength...AudioFormat.frameLength)
    try Self.check("window", window, in: hop...4096)
    guard fft >= window, fft <= 4096, fft & (fft - 1) == 0 else {
      throw .badSetting(name: "fft", allowed: "a power of two from the window's length to 4096")
    }
    try Self.check("melBands", melBands, in: 1...128)
    try Self.check("coefficients", coefficients, in: 1...melBands)
    try Self.check("lowFrequency", lowFrequency, in: 0...nyquist)
    try Self.check("highFrequency", highFrequency, in: 0...nyquist)
    guard lowFrequency < highFrequency else {
      throw .badSetting(name: "highFrequency", allowed: "more than lowFrequency, \(lowFrequency)")
    }
    try Self.check("floor", floor, in: -120...0)
    try Self.check("floorSlope", floorSlope, in: -12...12)
    try Self.check("meanDecay", meanDecay, in: 0...0.99999)
    try Self.check("priorFrames", priorFrames, in: 0...100_000)
    try Self.check("priorLevel", priorLevel, in: -120...120)
  }

  private static func check<Value: Comparable>(
    _ name: String, _ value: Value, in range: ClosedRange<Value>
  ) throws(DetectionFault) {
    guard range.contains(value) else {
      let allowed =
        range.lowerBound == range.upperBound
        ? "\(range.lowerBound)" : "from \(range.lowerBound) to \(range.upperBound)"
      throw .badSetting(name: name, allowed: allowed)
    }
  }
}
