import Platform

/// The strength of the suppression of stationary noise.
public enum NoiseSuppression: String, Sendable, Equatable, CaseIterable {
  case off
  case low
  case moderate
  case high
  case veryHigh
}

/// The settings of a ``FrontEnd``. Every model file contains those that the model was trained with. Measured with version 0.3 of the
/// library; the module's README compares 1.3.
public struct FrontEndSettings: Sendable, Equatable {
  /// Attenuates frequencies below the voice. Measured: -12.5 dB at 50 Hz, -1.4 at 100, +0.7 at 200, 0 at 1000.
  public var highPass = true
  /// Measured in white noise: the signal-to-noise ratio rises by 5, 12, 17 and 20 dB from low to veryHigh.
  public var noiseSuppression = NoiseSuppression.low
  /// Adaptive digital gain towards 3 dB below full scale, at most 9 dB of compression gain, with a limiter.
  public var gainControl = false
  /// Whether ``FrameActivity/voiced`` is computed; otherwise it is always false.
  public var voiceActivity = true
  /// Whether the echo of the reference is cancelled, with WebRTC's filter of 128 ms and its weakest suppressor: on read
  /// speech as loud as the echo it attenuates the voice by 3.8 dB and the echo alone by 37.5 dB (moderate: 5.2 and
  /// 38.3 dB).
  public var echoCancellation = false
  /// Milliseconds, 0...500, from a reference frame to the capture frame with its echo, caused by buffers. The canceller
  /// searches within about 100 ms of it.
  public var echoDelay = 0

  /// The default of models.
  public static let standard = FrontEndSettings()
  /// Everything off: the samples are unchanged and not delayed.
  public static let bypass = FrontEndSettings(
    highPass: false, noiseSuppression: .off, voiceActivity: false)

  public init(
    highPass: Bool = true, noiseSuppression: NoiseSuppression = .low, gainControl: Bool = false,
    voiceActivity: Bool = true, echoCancellation: Bool = false, echoDelay: Int = 0
  ) {
    self.highPass = highPass
    self.noiseSuppression = noiseSuppression
    self.gainControl = gainControl
    self.voiceActivity = voiceActivity
    self.echoCancellation = echoCancellation
    self.echoDelay = echoDelay
  }
}

extension FrontEndSettings {
  private static let names = [
    "highPass", "noiseSuppression", "gainControl", "voiceActivity", "echoCancellation", "echoDelay",
  ]
  static let echoDelays = 0...500

  /// The settings as an object with every member, in the order of their declaration.
  public var json: JSON {
    [
      "highPass": .bool(highPass),
      "noiseSuppression": .string(noiseSuppression.rawValue),
      "gainControl": .bool(gainControl),
      "voiceActivity": .bool(voiceActivity),
      "echoCancellation": .bool(echoCancellation),
      "echoDelay": .number(Double(echoDelay)),
    ]
  }

  /// Decodes the settings: every member once, in any order, and no other.
  public init(json: JSON) throws(FrontEndFault) {
    guard let members = json.members else { throw .notAnObject }
    var unseen = Set(Self.names)
    for member in members where unseen.remove(member.name) == nil {
      throw .unknown(setting: member.name)
    }
    highPass = try Self.bool("highPass", in: json)
    gainControl = try Self.bool("gainControl", in: json)
    voiceActivity = try Self.bool("voiceActivity", in: json)
    echoCancellation = try Self.bool("echoCancellation", in: json)
    let suppression = try Self.member("noiseSuppression", of: json)
    guard let level = suppression.string.flatMap(NoiseSuppression.init(rawValue:)) else {
      let allowed = NoiseSuppression.allCases.map(\.rawValue).joined(separator: ", ")
      throw .invalid(setting: "noiseSuppression", value: "\(suppression)", expected: "one of \(allowed)")
    }
    noiseSuppression = level
    let delay = try Self.member("echoDelay", of: json)
    guard let number = delay.number.flatMap(Int.init(exactly:)), Self.echoDelays.contains(number) else {
      throw .invalid(setting: "echoDelay", value: "\(delay)", expected: "whole milliseconds from 0 to 500")
    }
    echoDelay = number
  }

  private static func member(_ name: String, of json: JSON) throws(FrontEndFault) -> JSON {
    guard let value = json[name] else { throw .missing(setting: name) }
    return value
  }

  private static func bool(_ name: String, in json: JSON) throws(FrontEndFault) -> Bool {
    let value = try member(name, of: json)
    guard let bool = value.bool else {
      throw .invalid(setting: name, value: "\(value)", expected: "true or false")
    }
    return bool
  }
}
