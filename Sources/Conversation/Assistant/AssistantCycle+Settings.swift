extension AssistantCycle {
  public struct Settings: Sendable, Equatable {
    public var endOfSpeech = EndOfSpeechSettings()
    public var stopping = StoppingPhrases()
    /// Seconds of stream for the recognizer to load, after the end of speech.
    public var loadingTimeout: Double = 120
    /// Seconds of stream for the recognizer's next step: after the end of speech, and after each part of the audio that it
    /// has processed.
    public var recognitionTimeout: Double = 15
    /// Seconds for understanding.
    public var understandingTimeout: Double = 10
    /// Seconds for carrying out an intent or speaking a prompt.
    public var handlingTimeout: Double = 60
    /// A hotword that begins within these seconds after the last one is a repeated call.
    public var repeatWindow: Double = 1.5
    /// Lost audio longer than these seconds ends the listening.
    public var longestGap: Double = 1
    /// Whether the hotword opens a conversation; otherwise it is only reported, and another program may summon the assistant.
    public var listensAfterWake = true
    /// If the assistant is summoned within these seconds after the hotword, it listens from the end of the hotword on.
    public var summonsWindow: Double = 2

    /// What is said when something fails; empty for nothing.
    public var failureReply = ""

    public init() {}
  }
}
