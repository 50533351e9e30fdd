import CWebRTC
import PCM
import Platform

/// The voice activity and the level of one processed frame.
public struct FrameActivity: Sendable, Equatable {
  /// WebRTC's voice flag of this frame alone: smooth it before you use it. False for the first 20 ms.
  public var voiced: Bool
  /// The root mean square of the processed frame in dBFS, at least -100; a full-scale square wave has 0.
  public var level: Float

  public init(voiced: Bool, level: Float) {
    self.voiced = voiced
    self.level = level
  }
}

/// Cleans one stream of 10 ms frames: echo, low frequencies, noise and level, each as ``FrontEndSettings`` says.
///
/// Uses WebRTC's audio processing module with its fixed-size 16-bit interface, so that the same samples give the same
/// output on every run. One instance belongs to one stream and to one thread at a time. In version 0.3 of the library,
/// creating an echo canceller disturbs the rounding of others that run at that moment: create it before they run.
public final class FrontEnd {
  /// The version of WebRTC's library: 0 for 0.3, 1 for 1.x. Their output differs a little.
  package static let libraryVersion = Int(webrtc_version())

  public let settings: FrontEndSettings
  /// Samples by which the output lags behind the input: output sample n is input sample n - delay.
  public let delay: Int

  private let stream: OpaquePointer
  private var warmUp = FrontEnd.warmUpFrames

  /// The first frames of a stream, which WebRTC always classifies as voiced.
  private static let warmUpFrames = 2

  /// Creates a front end at the start of a stream. Allocates.
  ///
  /// - Throws: ``FrontEndFault/invalid(setting:value:expected:)`` or ``FrontEndFault/refused(code:)``.
  public init(_ settings: FrontEndSettings) throws(FrontEndFault) {
    self.settings = settings
    let library = try Self.librarySettings(settings)
    var code: Int32 = 0
    guard let stream = webrtc_stream_create(library, &code) else { throw .refused(code: code) }
    self.stream = stream
    delay = Int(webrtc_stream_delay(library))
  }

  deinit { webrtc_stream_destroy(stream) }

  /// Processes `frame`, 160 samples, in place.
  ///
  /// Real-time safe: it does not allocate, and the compiler checks that our code does not lock. WebRTC locks the mutexes of
  /// its stream (see the module's README); no other thread uses them, so it never waits.
  ///
  /// - Parameter reference: the 160 samples that the loudspeaker played, for echo cancellation; nil is silence.
  /// - Returns: the activity of the output, which lags by ``delay``.
  @_noAllocation @_noLocks
  public func process(
    _ frame: UnsafeMutableBufferPointer<Int16>, reference: UnsafeBufferPointer<Int16>? = nil
  ) -> FrameActivity {
    precondition(frame.count == AudioFormat.frameLength)
    precondition(reference == nil || reference.unsafelyUnwrapped.count == AudioFormat.frameLength)
    let activity = webrtc_stream_process(
      stream, frame.baseAddress.unsafelyUnwrapped, reference?.baseAddress)
    if warmUp > 0 {
      warmUp -= 1
      return FrameActivity(voiced: false, level: activity.level)
    }
    return FrameActivity(voiced: activity.voiced, level: activity.level)
  }

  /// Changes ``FrontEndSettings/echoDelay``, in milliseconds from 0 to 500, from the next frame on.
  ///
  /// Call it on the thread that processes. The canceller adapts within a second or two.
  public func setEchoDelay(_ milliseconds: Int) {
    precondition(FrontEndSettings.echoDelays.contains(milliseconds))
    webrtc_stream_set_echo_delay(stream, Int32(milliseconds))
  }

  /// Resets to the start of a stream: the output equals that of a new instance. Allocates.
  public func reset() {
    webrtc_stream_reset(stream)
    warmUp = Self.warmUpFrames
  }

  private static func librarySettings(_ settings: FrontEndSettings) throws(FrontEndFault) -> webrtc_settings {
    guard FrontEndSettings.echoDelays.contains(settings.echoDelay) else {
      throw .invalid(
        setting: "echoDelay", value: "\(settings.echoDelay)", expected: "whole milliseconds from 0 to 500")
    }
    let level: Int32 =
      switch settings.noiseSuppression {
      case .off: -1
      case .low: 0
      case .moderate: 1
      case .high: 2
      case .veryHigh: 3
      }
    return webrtc_settings(
      high_pass: settings.highPass, noise_suppression: level, gain_control: settings.gainControl,
      voice_activity: settings.voiceActivity, echo_cancellation: settings.echoCancellation,
      echo_delay: Int32(settings.echoDelay))
  }
}
