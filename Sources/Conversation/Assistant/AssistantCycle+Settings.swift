extension AssistantCycle {
  public struct Settings: Sendable, Equatable {
    public var endOfSpeech = EndOfSpeechSettings()
    public var stopping = StoppingPhrases()
    /// Seconds of stream from the end of speech until the recognizer must have answered.
    public var recognitionTimeout: Double = 15
    /// Seconds for understanding.
    public var understandingTimeout: Double = 10
    /// Seconds for carrying out an intent or asking, speech included.
    public var handlingTimeout: Double = 60
    /// A hotword that begins within these seconds after the last one is a repeated call.
    public var repeatWindow: Double = 1.5
    /// Lost audio longer than these seconds ends the listening.
    public var longestGap: Double = 1
    /// Whether the hotword opens a conversation; otherwise it is reported, and who heeds it may summon the assistant.
    public var listensAfterWake = true
    /// Who summons the assistant within these seconds after the hotword is given what was said since then.
    public var summonsWindow: Double = 2

    public init() {}
  }
}
