import PCM
import Platform

/// Plays whole recordings on a device that ALSA names.
public enum AlsaPlayback {
  /// Samples handed over at once, a twentieth of a second.
  private static let block = AudioFormat.sampleRate / 20
  /// Seconds that the device may hold.
  private static let latency = 0.2

  /// Plays 16 kHz mono samples and waits until they are heard.
  ///
  /// - Parameters:
  ///   - name: ALSA's name of the device.
  ///   - isStopped: asked twenty times a second; true ends the playing at once.
  /// - Throws: ``CaptureFault/cannotPlay(name:code:)``.
  public static func play(
    _ samples: [Int16], on name: String, until isStopped: () -> Bool = { false }
  ) throws(CaptureFault) {
    let device = try PlaybackDevice(name, latency: latency)
    var start = 0
    while start < samples.count {
      if isStopped() { return device.drop() }
      let end = min(start + block, samples.count)
      try device.write(samples[start..<end])
      start = end
    }
    device.drain()
  }
}
