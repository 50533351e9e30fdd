import Assistant
import Detection
import PCM
import Platform
import Speakers

/// Identifies who spoke each hotword, on a thread of its own.
///
/// It takes about 10 ms for each enrolled voice.
package final class SpeakerIdentifier: Sendable {
  /// A hotword with its speaker.
  package struct Result: Sendable {
    /// With the speaker, if a voice is enrolled with this hotword.
    let wake: Wake
    /// Whether it counts: false for an unknown voice if only enrolled ones do.
    let isAccepted: Bool
  }

  private enum Job: Sendable {
    case identify(Wake, samples: [Int16], word: Range<Int>)
    case end
  }

  let voices: EnrolledVoices
  let onlyVoices: Bool
  private let queue: EventQueue
  private let jobs = JobQueue<Job>()

  /// - Parameters:
  ///   - onlyVoices: whether only enrolled voices are accepted.
  ///   - queue: receives ``ServiceEvent/identified(_:)``, in the order of the hotwords.
  package init(_ voices: EnrolledVoices, onlyVoices: Bool, _ queue: EventQueue) {
    self.voices = voices
    self.onlyVoices = onlyVoices
    self.queue = queue
  }

  /// Starts the thread, which lives until ``close()``.
  package func start() throws {
    try DetachedThread.start { [self] in
      while case .identify(let wake, let samples, let word) = jobs.take() {
        queue.post(.identified(identify(wake, samples, word)))
      }
    }
  }

  /// Queues a hotword that is at `word` in `samples`.
  package func add(_ wake: Wake, _ samples: [Int16], word: Range<Int>) {
    jobs.append(.identify(wake, samples: samples, word: word))
  }

  /// Ends the thread after the hotwords that wait.
  package func close() { jobs.append(.end) }

  private func identify(_ wake: Wake, _ samples: [Int16], _ word: Range<Int>) -> Result {
    var wake = wake
    if let judgement = voices.judge(samples, word: word, keyword: wake.keyword) {
      wake.speaker = Speaker(name: judgement.name, score: judgement.score)
    }
    return Result(wake: wake, isAccepted: !onlyVoices || wake.speaker?.name != nil)
  }
}
