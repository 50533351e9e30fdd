import PCM
import Platform

/// Plays whole recordings on an ALSA device.
public enum AlsaPlayback {
  /// Samples per write, 50 ms.
  private static let block = AudioFormat.sampleRate / 20
  /// Seconds of audio in the device's buffer.
  private static let latency = 0.2

  /// Plays 16 kHz mono samples and waits until the device has played them.
  ///
  /// - Parameters:
  ///   - name: ALSA's name of the device.
  ///   - isStopped: called twenty times a second; true stops the playback at once.
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
