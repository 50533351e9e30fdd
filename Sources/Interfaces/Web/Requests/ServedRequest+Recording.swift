import AudioCapture
import Networking
import PCM

extension ServedRequest {
  /// The samples of the recording in the body, 16 kHz, one channel.
  ///
  /// - Parameter seconds: its maximum length.
  func recording(upTo seconds: Int) throws(WebFault) -> [Int16] {
    guard headers["content-type"]?.hasPrefix("audio/wav") ?? false else { throw .notAudio }
    do throws(CaptureFault) {
      return try AudioFile.decode(
        body, name: "the recording", limit: AudioFormat.samples(Double(seconds)))
    } catch {
      throw .refused(error.message)
    }
  }
}
