import PCM
import Platform

/// Finds when a speaker has finished, from the voice-activity flag and the level of each 10 ms frame.
///
/// The flag alone is jumpy and takes many noises for voice; the level alone takes every noise for speech. A frame
/// counts as speech when it is voiced (smoothed over 50 ms) and stands out of the noise floor by a share of the
/// distance between floor and speech level, or stands out by more where the flag wavers. Both levels adapt: a noise
/// that begins and stays becomes the floor within 1.6 s and so cannot hold the utterance open.
///
/// Feed it every frame of the stream, so that it knows the room before anyone speaks; `begin` opens an utterance.
/// Value type, no clock: time is counted in frames. Safe on the audio thread: `push` neither allocates nor locks.
public struct EndOfSpeech: Sendable {
  /// Why an utterance ended.
  public enum Reason: String, Sendable, Equatable {
    /// Speech was followed by `settings.silence` seconds without any.
    case silence
    /// Nothing was said for `settings.noSpeech` seconds.
    case noSpeech
    /// It reached `settings.longest` seconds.
    case tooLong
  }

  /// What the frames so far amount to.
  public enum State: Sendable, Equatable {
    /// No utterance is open.
    case idle
    /// Open, nothing said yet.
    case waiting
    /// Open, and something was said.
    case speaking
    /// Ended by this frame; `idle` from the next on.
    case ended(Reason)
  }

  /// The frames that `begin` can look back on.
  public static let memory = 128

  public private(set) var settings: EndOfSpeechSettings
  private var limits: Limits

  /// The settings in frames.
  private struct Limits {
    let silence: Int
    let noSpeech: Int
    let longest: Int
    let shortest: Int
    let least: Int

    init(_ settings: EndOfSpeechSettings) {
      func frames(_ seconds: Double) -> Int {
        max(1, AudioFormat.samples(seconds) / AudioFormat.frameLength)
      }
      silence = frames(settings.silence)
      noSpeech = frames(settings.noSpeech)
      longest = frames(settings.longest)
      shortest = frames(settings.shortestSpeech)
      least = frames(settings.leastSpeech)
    }
  }

  private var floor = NoiseFloor()
  private var recentLevels = InlineArray<128, Float>(repeating: 0)
  private var recentVoices = InlineArray<128, Bool>(repeating: false)
  private var seen = 0

  private var open = false
  private var elapsed = 0
  private var voice: Float = 0
  private var quick: Float = 0
  private var speechLevel: Float = NoiseFloor.lowest
  private var run = 0
  private var spoken = 0
  private var lastSpeech = 0

  public init(_ settings: EndOfSpeechSettings = EndOfSpeechSettings()) {
    self.settings = settings
    limits = Limits(settings)
  }

  /// Goes on with other settings, from the next utterance on; what is known of the room stays.
  public mutating func change(_ settings: EndOfSpeechSettings) {
    self.settings = settings
    limits = Limits(settings)
    open = false
  }

  /// The noise floor in dBFS.
  public var noiseLevel: Float { floor.level }

  /// How far the loudest tenth of the last ``memory`` frames stands out of the noise floor, in dB: asked just after a
  /// hotword, a rough signal-to-noise ratio of it.
  public var recentProminence: Float {
    let count = min(seen, Self.memory)
    guard count > 0 else { return 0 }
    let levels = (0..<count).map { recentLevels[$0] }.sorted(by: >)
    return max(0, levels[count / 10] - floor.level)
  }

  /// Frames since the last speech; nil while nothing was said.
  public var framesSinceSpeech: Int? { lastSpeech > 0 ? elapsed - lastSpeech : nil }

  /// Opens an utterance that began `frames` ago (at most ``memory``, older ones are not looked at).
  ///
  /// - Returns: the state after these frames.
  @discardableResult
  public mutating func begin(lookingBack frames: Int = 0) -> State {
    open = true
    elapsed = 0
    voice = 0
    speechLevel = NoiseFloor.lowest
    run = 0
    spoken = 0
    lastSpeech = 0
    let count = max(0, min(frames, min(seen, Self.memory)))
    var state = State.waiting
    for position in (seen - count)..<seen {
      let slot = position % Self.memory
      state = judge(voiced: recentVoices[slot], level: recentLevels[slot])
      if case .ended = state { break }
    }
    return state
  }

  /// Closes the utterance without an end.
  public mutating func cancel() { open = false }

  /// Takes the next frame.
  ///
  /// - Parameters:
  ///   - voiced: the voice-activity detector's flag.
  ///   - level: the frame's level in dBFS; anything below -75 is silence.
  @_noAllocation @_noLocks
  public mutating func push(voiced: Bool, level: Float) -> State {
    let bounded = level > NoiseFloor.lowest ? min(level, 0) : NoiseFloor.lowest
    floor.push(bounded)
    let slot = seen % Self.memory
    recentLevels[slot] = bounded
    recentVoices[slot] = voiced
    seen += 1
    return open ? judge(voiced: voiced, level: bounded) : .idle
  }

  @_noAllocation @_noLocks
  private mutating func judge(voiced: Bool, level: Float) -> State {
    elapsed += 1
    voice += 0.2 * ((voiced ? 1 : 0) - voice)
    quick = elapsed == 1 ? level : quick + 0.5 * (level - quick)
    let noise = floor.level
    let share = (quick - noise) / max(speechLevel - noise, 2 * settings.margin)
    let stands = quick - noise > settings.margin
    let agreed = voice > 0.5 && share > settings.voicedShare
    let loud = voice > 0.2 && share > settings.loudShare
    if stands && (agreed || loud) {
      run += 1
      spoken += 1
      if quick > speechLevel { speechLevel += 0.3 * (quick - speechLevel) }
      if run >= limits.shortest { lastSpeech = elapsed }
    } else {
      run = max(0, run - 2)
    }
    speechLevel = max(noise, speechLevel - 0.003)
    if lastSpeech > 0 {
      if elapsed - lastSpeech >= limits.silence {
        if spoken >= limits.least { return end(.silence) }
        lastSpeech = 0
        spoken = 0
        speechLevel = noise
      }
    } else if elapsed >= limits.noSpeech {
      return end(.noSpeech)
    }
    if elapsed >= limits.longest { return end(.tooLong) }
    return lastSpeech > 0 ? .speaking : .waiting
  }

  @_noAllocation @_noLocks
  private mutating func end(_ reason: Reason) -> State {
    open = false
    return .ended(reason)
  }
}
