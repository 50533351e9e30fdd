import Assistant
import Detection
import Platform
import Speakers
import Synchronization

/// Finds out who spoke each hotword, on a thread of its own, so that live audio never waits for it.
final class SpeakerIdentifier: Sendable {
  /// A hit with the speaker, where a voice is enrolled with its hotword.
  struct Verdict: Sendable {
    let hit: Hit
    let speaker: Speaker?
  }

  private enum Job: Sendable {
    case judge(Hit, samples: [Int16], word: Range<Int>)
    case end
  }

  private let voices: EnrolledVoices
  private let onlyVoices: Bool
  private let jobs = JobQueue<Job>()
  private let verdicts = Mutex<[Verdict]>([])
  /// Jobs asked whose verdicts are not taken yet; the listening loop reads it at each frame.
  private let pending = Atomic<Int>(0)
  private let judged = Atomic<Int>(0)

  /// - Parameter onlyVoices: whether hits of strangers are dropped.
  init(_ voices: EnrolledVoices, onlyVoices: Bool) {
    self.voices = voices
    self.onlyVoices = onlyVoices
  }

  /// Starts the thread, which lives until it is closed.
  func start() throws {
    try DetachedThread.start { [self] in
      while case .judge(let hit, let samples, let word) = jobs.take() {
        let verdict = judge(hit, samples, word)
        verdicts.withLock { $0.append(verdict) }
        judged.add(1, ordering: .releasing)
      }
    }
  }

  /// Asks who spoke `hit`, of which `samples` are the surroundings and `word` its place in them.
  func ask(_ hit: Hit, _ samples: [Int16], word: Range<Int>) {
    pending.add(1, ordering: .relaxed)
    jobs.append(.judge(hit, samples: samples, word: word))
  }

  /// Whether every hit asked about is judged.
  var isIdle: Bool { judged.load(ordering: .acquiring) == pending.load(ordering: .relaxed) }

  /// Ends the thread, once all is judged.
  func close() { jobs.append(.end) }

  /// The verdicts since the last call, in the order of the hits, strangers left out where only voices count.
  func take() -> [Verdict] {
    guard judged.load(ordering: .acquiring) > 0 else { return [] }
    let taken = verdicts.withLock { list in
      let taken = list
      list = []
      return taken
    }
    judged.subtract(taken.count, ordering: .relaxed)
    pending.subtract(taken.count, ordering: .relaxed)
    return taken.filter { !onlyVoices || $0.speaker?.name != nil }
  }

  private func judge(_ hit: Hit, _ samples: [Int16], _ word: Range<Int>) -> Verdict {
    let judgement = voices.judge(samples, word: word, keyword: hit.keyword)
    return Verdict(hit: hit, speaker: judgement.map { Speaker(name: $0.name, score: $0.score) })
  }
}
