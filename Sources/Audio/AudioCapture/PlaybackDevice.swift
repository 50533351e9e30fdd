import CALSA
import PCM
import Platform

/// An ALSA device that plays 16 kHz mono samples. One thread at a time may use it.
public final class PlaybackDevice {
  private let name: String
  private let handle: OpaquePointer

  /// Opens the device.
  ///
  /// - Parameters:
  ///   - name: ALSA's name of the device.
  ///   - latency: seconds of audio in its buffer.
  /// - Throws: ``CaptureFault/cannotPlay(name:code:)``.
  public init(_ name: String, latency: Double) throws(CaptureFault) {
    hotword_alsa_silence()
    var opened: OpaquePointer?
    var code = snd_pcm_open(&opened, name, SND_PCM_STREAM_PLAYBACK, 0)
    guard code >= 0, let pcm = opened else { throw .cannotPlay(name: name, code: -code) }
    code = snd_pcm_set_params(
      pcm, SND_PCM_FORMAT_S16_LE, SND_PCM_ACCESS_RW_INTERLEAVED, 1, UInt32(AudioFormat.sampleRate), 1,
      UInt32(latency * 1e6))
    guard code >= 0 else {
      snd_pcm_close(pcm)
      throw .cannotPlay(name: name, code: -code)
    }
    self.name = name
    handle = pcm
  }

  deinit { snd_pcm_close(handle) }

  /// Samples that were written and not played yet; 0 if the device does not report it.
  public var delay: Int {
    var frames: snd_pcm_sframes_t = 0
    return snd_pcm_delay(handle, &frames) == 0 ? max(0, frames) : 0
  }

  /// Writes `samples` and waits for room in the buffer.
  public func write(_ samples: ArraySlice<Int16>) throws(CaptureFault) {
    var rest = samples
    while !rest.isEmpty {
      let count = rest.withUnsafeBufferPointer { snd_pcm_writei(handle, $0.baseAddress!, UInt($0.count)) }
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else {
        let code = snd_pcm_recover(handle, Int32(count), 1)
        guard code >= 0 else { throw .cannotPlay(name: name, code: -code) }
      }
    }
  }

  /// Starts to play the samples that were written, even if the buffer is not full.
  public func start() {
    if snd_pcm_state(handle) == SND_PCM_STATE_PREPARED { snd_pcm_start(handle) }
  }

  /// Discards the samples that were written and not played yet; the device stays open for more.
  public func drop() {
    snd_pcm_drop(handle)
    snd_pcm_prepare(handle)
  }

  /// Waits until everything has been played.
  public func drain() { snd_pcm_drain(handle) }
}
