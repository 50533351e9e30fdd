/// What a ``HermesDialogueManager`` is and what it may do.
public struct HermesSettings: Sendable, Equatable {
  /// A hotword that the service listens for.
  public struct Hotword: Sendable, Equatable {
    public var id: String
    public var phrase: String
    /// 0…1.
    public var sensitivity: Double

    public init(id: String, phrase: String, sensitivity: Double) {
      self.id = id
      self.phrase = phrase
      self.sensitivity = sensitivity
    }
  }

  /// The name of the room; messages for others are not heeded.
  public var site = "default"
  public var language = "en"
  public var hotwords: [Hotword] = []
  /// Whether it leads the dialogues; otherwise a hotword is told, and another dialogue manager says what follows.
  public var leads = true
  /// Seconds that a skill gets to end or continue a session whose intent nobody here has answered.
  public var patience = 10.0

  public init() {}

  /// The topics to subscribe to.
  ///
  /// - Parameter audio: whether the site's audio comes over the broker too.
  public func topics(audio: Bool) -> [String] {
    HermesTopic.allCases.map(\.rawValue) + (audio ? [HermesTopic.audioFrame(site)] : [])
  }

  /// Where it is told whether the service is there, `online` or `offline`.
  public var status: String { "hotword/\(site)/status" }
}
