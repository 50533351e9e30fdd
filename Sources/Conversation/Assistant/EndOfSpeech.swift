import CFrameHistory
import PCM
import Platform

/// Detects the end of speech from the voice-activity flag and the level of each 10 ms frame.
///
/// The flag alone is unsteady and classifies many noises as voice; the level alone classifies every noise as speech. A frame
/// counts as speech if it is voiced (smoothed over 50 ms) and exceeds the noise floor by a share of the distance between
/// floor and speech level, or by more if the flag is unsteady. Both levels adapt: a steady noise becomes the floor within
/// 1.6 s, so it cannot keep the utterance open.
///
/// Push every frame of the stream, so that the noise floor is known before the speech; `begin` opens an utterance. A value
/// type without a clock: time is counted in frames. Safe on the audio thread: `push` neither allocates nor locks.
public struct EndOfSpeech: Sendable {
  /// Why an utterance ended.
  public enum Reason: String, Sendable, Equatable {
    /// Speech was followed by `settings.silence` seconds without any.
    case silence
    /// There was no speech for `settings.noSpeech` seconds.
    case noSpeech
    /// The utterance reached `settings.longest` seconds.
    case tooLong
  }

  /// The state after the frames so far.
  public enum State: Sendable, Equatable {
    /// No utterance is open.
    case idle
    /// Open, no speech yet.
    case waiting
    /// Open, with speech.
    case speaking
    /// Ended by this frame; `idle` from the next on.
    case ended(Reason)
  }

  /// The frames that `begin` can look back on: 20.48 seconds.
  public static let memory = frame_history_length
  /// The frames over which ``recentProminence`` looks back: 1.28 seconds.
  private static let prominenceFrames = 128

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
  private var recent = frame_history()
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

  /// Changes the settings from the next utterance on; the noise floor stays.
  public mutating func change(_ settings: EndOfSpeechSettings) {
    self.settings = settings
    limits = Limits(settings)
    open = false
  }

  /// The noise floor in dBFS.
  public var noiseLevel: Float { floor.level }

  /// How far the loudest tenth of the last 1.28 seconds exceeds the noise floor, in dB: just after a hotword, an estimate of
  /// its signal-to-noise ratio.
  public var recentProminence: Float {
    let count = min(seen, Self.prominenceFrames)
    guard count > 0 else { return 0 }
    let levels = withUnsafePointer(to: recent) { recent in
      (seen - count..<seen).map { frame_history_load(recent, Int64($0)).level }.sorted(by: >)
    }
    return max(0, levels[count / 10] - floor.level)
  }

  /// Samples of the utterance so far, or of the last one.
  public var length: Int { elapsed * AudioFormat.frameLength }

  /// Frames since the last speech; nil before it.
  public var framesSinceSpeech: Int? { lastSpeech > 0 ? elapsed - lastSpeech : nil }

  /// Whether the utterance has more speech than a cough.
  public var hasSpeech: Bool { lastSpeech > 0 && spoken >= limits.least }

  /// Opens an utterance that began `frames` ago, up to ``memory``.
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
      let frame = frame_history_load(&recent, Int64(position))
      state = judge(voiced: frame.voiced, level: frame.level)
      if case .ended = state { break }
    }
    return state
  }

  /// Closes the utterance without an ending.
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
    frame_history_store(&recent, Int64(truncatingIfNeeded: seen), .init(level: bounded, voiced: voiced))
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
