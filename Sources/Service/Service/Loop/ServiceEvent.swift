import Assistant
import AudioCapture
import Detection
import Hermes
import Platform
import SpeechSynthesis

/// What the service's consumer receives, besides the records of the listening thread.
package enum ServiceEvent: Sendable {
  /// A result or a failure of the recognizer, of understanding or of a handler.
  case result(AssistantInput)
  /// The conversation worker finished a job; `session` if it was audio for a recognizer.
  case jobDone(recognizing: Session?)
  /// The output finished or dropped a text or a sound; `asked` is the session whose prompt it was.
  case played(by: AssistantOutput, asked: Session?, SpeechQueue.Ending)
  /// The speaker of a hotword is identified.
  case identified(SpeakerIdentifier.Result)
  /// A reload has prepared new components.
  case prepared(ServiceComponents)
  /// The dialogue manager on the MQTT broker requests something of the service.
  case hermes(HermesBridge.Request)
  /// A page requests another sensitivity of a model.
  case sensitivity(Sensitivity, of: String)
  /// The process has received SIGINT or SIGTERM.
  case stop
  /// The audio source failed.
  case captureFailed(CaptureFault)
  /// Standard output cannot be written to; `code` is the value of `errno`.
  case outputFailed(code: Int32)
}
