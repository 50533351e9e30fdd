/// The settings of a ``HermesDialogueManager``.
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

  /// The name of the site; messages for other sites are ignored.
  public var site = "default"
  public var language = "en"
  public var hotwords: [Hotword] = []
  /// Whether it manages the dialogues; otherwise it reports hotwords, and another dialogue manager decides what follows.
  public var managesDialogues = true
  /// Seconds that a skill has to end or continue a session whose intent no handler has answered.
  public var skillTimeout = 10.0

  public init() {}

  /// The topics to subscribe to.
  ///
  /// - Parameter audio: whether the site's audio comes from the broker.
  public func topics(audio: Bool) -> [String] {
    HermesTopic.allCases.map(\.rawValue) + (audio ? [HermesTopic.audioFrame(site)] : [])
  }

  /// The topic of the service's status, `online` or `offline`.
  public var status: String { "hotword/\(site)/status" }
}
