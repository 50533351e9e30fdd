import CWebRTC
import PCM
import Platform

/// What the front end tells about one processed frame.
public struct FrameActivity: Sendable, Equatable {
  /// WebRTC's raw voice flag: jumpy, so smooth it before acting on it; false for the first 20 ms.
  public var voiced: Bool
  /// Root mean square of the processed frame in dBFS, at least -100; a full-scale square wave is 0.
  public var level: Float

  public init(voiced: Bool, level: Float) {
    self.voiced = voiced
    self.level = level
  }
}

/// Cleans one stream of 10 ms frames: echo, rumble, noise and level, each as ``FrontEndSettings`` says.
///
/// WebRTC's audio processing module with its fixed-size 16-bit interface, so that the same samples give the
/// same output on every run. One instance belongs to one stream and to one thread at a time. Creating an echo
/// canceller disturbs the rounding of others that run at that moment: create those before they run.
public final class FrontEnd {
  public let settings: FrontEndSettings
  /// How many samples the output lags behind the input: an event at output sample n was at input n - delay.
  public let delay: Int

  private let stream: OpaquePointer
  private var warmUp = FrontEnd.warmUpFrames

  /// The first frames of a stream, which WebRTC always calls voiced.
  private static let warmUpFrames = 2

  /// A front end at the start of a stream. Allocates.
  ///
  /// - Throws: ``FrontEndFault/invalid(setting:value:expected:)`` or ``FrontEndFault/refused(code:)``.
  public init(_ settings: FrontEndSettings) throws(FrontEndFault) {
    self.settings = settings
    delay = Self.delay(of: settings)
    stream = try Self.open(settings)
  }

  deinit { webrtc_stream_destroy(stream) }

  /// Processes `frame`, 160 samples, in place. Safe on the audio thread.
  ///
  /// - Parameter reference: the 160 samples that the loudspeaker played, for echo cancellation; nil is
  ///   silence. The output lags by ``delay``, and ``FrameActivity`` describes the output.
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

  /// Forgets the stream: what follows gives the same output as from a fresh instance. Allocates.
  public func reset() {
    webrtc_stream_reset(stream)
    warmUp = Self.warmUpFrames
  }

  private static func open(_ settings: FrontEndSettings) throws(FrontEndFault) -> OpaquePointer {
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
    var code: Int32 = 0
    let stream = webrtc_stream_create(
      webrtc_settings(
        high_pass: settings.highPass, noise_suppression: level, gain_control: settings.gainControl,
        voice_activity: settings.voiceActivity, echo_cancellation: settings.echoCancellation,
        echo_delay: Int32(settings.echoDelay)),
      &code)
    guard let stream else { throw .refused(code: code) }
    return stream
  }

  /// Overlap-add costs the noise suppressor 96 samples; the canceller's blocks of 64 samples and the buffer
  /// that fits them to frames cost it 112. Measured by cross-correlation for every combination.
  private static func delay(of settings: FrontEndSettings) -> Int {
    (settings.noiseSuppression == .off ? 0 : 96) + (settings.echoCancellation ? 112 : 0)
  }
}
