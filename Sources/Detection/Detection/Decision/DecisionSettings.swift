import Platform

/// How a model's logits become scores and hits; set by the calibration, stored in the model file.
public struct DecisionSettings: Sendable, Equatable {
  /// Network steps whose logits are averaged, 1...32.
  public var smoothing: Int
  /// The score from which on the model triggers at sensitivity 0.5, 0.001...0.999.
  public var threshold: Double
  /// `score = sigmoid(scale × mean logit + offset)`; positive, up to 100.
  public var scale: Double
  /// See ``scale``; −100...100.
  public var offset: Double
  /// Seconds after a hit in which no other is reported, 0...60.
  public var refractory: Double
  /// Seconds after a start, a reset or a gap in which the score is 0, 0...10, until the network's state is filled.
  public var warmUp: Double
  /// The typical length of the spoken phrase in seconds, 0.05...10: a hit starts this long before its end.
  public var wordDuration: Double
  /// Seconds from the end of the phrase in the raw stream to ``Decision/at``, without the front end's delay, −2...2: the
  /// median over the positives.
  public var latency: Double

  public init(
    smoothing: Int = 5, threshold: Double = 0.5, scale: Double = 1, offset: Double = 0,
    refractory: Double = 1.5,
    warmUp: Double = 0.3, wordDuration: Double = 0.6, latency: Double = 0.1
  ) {
    self.smoothing = smoothing
    self.threshold = threshold
    self.scale = scale
    self.offset = offset
    self.refractory = refractory
    self.warmUp = warmUp
    self.wordDuration = wordDuration
    self.latency = latency
  }

  /// The largest value of ``smoothing``.
  public static let smoothingLimit = 32

  /// - Throws: ``DetectionFault/badSetting(name:allowed:)`` for the first setting outside its range.
  public func validate() throws(DetectionFault) {
    try check("smoothing", Double(smoothing), 1...Double(Self.smoothingLimit))
    try check("threshold", threshold, 0.001...0.999)
    try check("scale", scale, 0.000_001...100)
    try check("offset", offset, -100...100)
    try check("refractory", refractory, 0...60)
    try check("warmUp", warmUp, 0...10)
    try check("wordDuration", wordDuration, 0.05...10)
    try check("latency", latency, -2...2)
  }

  private func check(
    _ name: String, _ value: Double, _ range: ClosedRange<Double>
  ) throws(DetectionFault) {
    guard range.contains(value) else {
      throw .badSetting(name: name, allowed: "in \(range.lowerBound)...\(range.upperBound)")
    }
  }
}

extension DecisionSettings {
  /// The settings as an object with the names of their properties.
  public var json: JSON {
    [
      "smoothing": .number(Double(smoothing)), "threshold": .number(threshold), "scale": .number(scale),
      "offset": .number(offset), "refractory": .number(refractory), "warmUp": .number(warmUp),
      "wordDuration": .number(wordDuration), "latency": .number(latency),
    ]
  }

  /// Decodes ``json``.
  ///
  /// - Throws: ``DetectionFault/badSetting(name:allowed:)`` for missing members and values out of range.
  public init(json: JSON) throws(DetectionFault) {
    let settings = SettingsReader(json)
    try self.init(
      smoothing: settings.integer("smoothing"), threshold: settings.number("threshold"),
      scale: settings.number("scale"), offset: settings.number("offset"),
      refractory: settings.number("refractory"), warmUp: settings.number("warmUp"),
      wordDuration: settings.number("wordDuration"), latency: settings.number("latency"))
    try validate()
  }
}
