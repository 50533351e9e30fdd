import CALSA
import Glibc
import Platform

/// Plays whole recordings on a device that ALSA names.
public enum AlsaPlayback {
  /// Samples handed over at once, a twentieth of a second.
  private static let block = AudioFormat.sampleRate / 20
  /// Microseconds that the device may hold.
  private static let latency: UInt32 = 200_000

  /// Plays 16 kHz mono samples and waits until they are heard.
  ///
  /// - Parameters:
  ///   - name: ALSA's name of the device.
  ///   - isStopped: asked twenty times a second; true ends the playing at once.
  /// - Throws: ``CaptureFault/cannotPlay(name:code:)``.
  public static func play(
    _ samples: [Int16], on name: String, until isStopped: () -> Bool = { false }
  ) throws(CaptureFault) {
    hotword_alsa_silence()
    var handle: OpaquePointer?
    var code = snd_pcm_open(&handle, name, SND_PCM_STREAM_PLAYBACK, 0)
    guard code >= 0, let pcm = handle else { throw .cannotPlay(name: name, code: -code) }
    defer { snd_pcm_close(pcm) }
    code = snd_pcm_set_params(
      pcm, SND_PCM_FORMAT_S16_LE, SND_PCM_ACCESS_RW_INTERLEAVED, 1, UInt32(AudioFormat.sampleRate), 1,
      latency)
    guard code >= 0 else { throw .cannotPlay(name: name, code: -code) }
    var start = 0
    while start < samples.count {
      if isStopped() {
        snd_pcm_drop(pcm)
        return
      }
      let count = samples.withUnsafeBufferPointer {
        snd_pcm_writei(pcm, $0.baseAddress! + start, UInt(min(block, samples.count - start)))
      }
      if count >= 0 {
        start += count
      } else {
        code = snd_pcm_recover(pcm, Int32(count), 1)
        guard code >= 0 else { throw .cannotPlay(name: name, code: -code) }
      }
    }
    snd_pcm_drain(pcm)
  }
}
