import Actions
import Assistant
import AudioCapture
import Clips
import Configuration
import Dialogue
import FrontEnd
import Glibc
import PCM
import Platform
import Recognition
import RemoteServices
import Service
import SpeechSynthesis
import Supervision
import Synchronization
import Understanding

/// A source that plays a script, as fast as the service takes it. Time is a sample index, so it is the tests' clock as well.
final class FakeSource: AudioSource, @unchecked Sendable {
  enum Step {
    /// Seconds of a tone (speech for the fake spotter) or of silence.
    case speech(Double)
    case silence(Double)
    /// The hotword, half a second of a louder tone.
    case hotword
    case gap(Double)
    case lost
    case recovered
    /// Waits until ``FakeSource/go()`` or ``FakeSource/close()``.
    case hold
    case failure(CaptureFault)
  }

  static let speechAmplitude: Int16 = 3_000
  static let hotwordAmplitude: Int16 = 9_000

  private var steps: [Step]
  private var left = 0
  private var amplitude: Int16 = 0
  private let isClosed = Atomic<Bool>(false)
  private let going = JobQueue<Bool>()
  /// The samples that the service has taken: a live source does not run ahead of them by more than a second, so that the
  /// speed of the machine decides nothing.
  var heard: Counter?
  private var given = 0

  init(_ steps: [Step]) { self.steps = steps.reversed() }

  func go() { going.append(true) }

  func close() {
    isClosed.store(true, ordering: .releasing)
    going.append(false)
  }

  func read(into frame: UnsafeMutableBufferPointer<Int16>) throws(CaptureFault) -> AudioRead {
    while left == 0 {
      if isClosed.load(ordering: .acquiring) { return AudioRead(isEnd: true) }
      guard let step = steps.popLast() else { return AudioRead(isEnd: true) }
      switch step {
      case .speech(let seconds): (left, amplitude) = (AudioFormat.samples(seconds), Self.speechAmplitude)
      case .silence(let seconds): (left, amplitude) = (AudioFormat.samples(seconds), 0)
      case .hotword: (left, amplitude) = (AudioFormat.samples(0.5), Self.hotwordAmplitude)
      case .gap(let seconds): return AudioRead(gap: AudioFormat.samples(seconds))
      case .lost: return AudioRead(events: .lost)
      case .recovered: return AudioRead(events: .recovered)
      case .hold: _ = going.take()
      case .failure(let fault): throw fault
      }
    }
    while let heard, given - heard.value > AudioFormat.sampleRate, !isClosed.load(ordering: .acquiring) {
      usleep(200)
    }
    let count = min(frame.count, left)
    given += count
    for index in 0..<count { frame[index] = index % 2 == 0 ? amplitude : -amplitude }
    left -= count
    return AudioRead(count: count)
  }
}

/// Finds the hotword of ``FakeSource`` at the first quieter frame behind it.
final class FakeSpotter: HotwordSpotting {
  let models: [(name: String, threshold: Double)]
  private(set) var activity = FrameActivity(voiced: false, level: -100)
  private var position = 0
  private var start: Int?
  private var found: SpottedHotword?

  init(_ name: String = "computer") { models = [(name, 0.5)] }

  func push(_ frame: UnsafeBufferPointer<Int16>) -> Int {
    position += frame.count
    let amplitude = abs(Int(frame[0]))
    activity = FrameActivity(voiced: amplitude > 0, level: amplitude > 0 ? -20 : -70)
    found = nil
    if amplitude >= Int(FakeSource.hotwordAmplitude) {
      start = start ?? position - frame.count
    } else if let begin = start {
      found = SpottedHotword(model: 0, start: begin, end: position - frame.count, score: 0.9)
      start = nil
    }
    return found == nil ? 0 : 1
  }

  func hotword(_ index: Int) -> SpottedHotword { found! }
  func step(of model: Int) -> (score: Double, end: SampleIndex)? { nil }
  func finish() -> Int { 0 }

  func skip(_ gap: Int) -> Int {
    position += gap
    start = nil
    return 0
  }
}

/// Recognizes one text for any audio, as slowly as it is told.
final class FakeRecognizer: Recognizer, @unchecked Sendable {
  let name = "fake"
  let locale = "en"
  let availability = RecognizerAvailability.available
  /// Seconds for loading, and for each second of audio.
  let loading: Double
  let pace: Double
  private let texts: [String]
  private let confidences: [Double]
  private let state = Mutex(State())

  struct State {
    var started = 0
    /// Samples that each session was fed.
    var samples: [Int] = []
  }

  /// - Parameters:
  ///   - texts: of the sessions; the last one is that of all further ones.
  ///   - confidences: likewise.
  init(
    _ texts: [String] = ["turn on the kitchen light"], confidences: [Double] = [1], loading: Double = 0,
    pace: Double = 0
  ) {
    self.texts = texts
    self.confidences = confidences
    self.loading = loading
    self.pace = pace
  }

  var samples: [Int] { state.withLock { $0.samples } }

  func prepare() {}

  func start(_ request: RecognitionRequest) -> any RecognitionSession {
    MonotonicClock.sleep(until: MonotonicClock.now() + loading)
    let index = state.withLock { state in
      state.started += 1
      state.samples.append(0)
      return state.started - 1
    }
    return FakeSession(self, index)
  }

  fileprivate func take(_ count: Int, in session: Int) {
    MonotonicClock.sleep(until: MonotonicClock.now() + pace * AudioFormat.seconds(count))
    state.withLock { $0.samples[session] += count }
  }

  fileprivate func transcript(_ session: Int) -> Transcript {
    Transcript(
      text: texts[min(session, texts.count - 1)],
      confidence: confidences[min(session, confidences.count - 1)])
  }
}

private final class FakeSession: RecognitionSession {
  private let recognizer: FakeRecognizer
  private let index: Int
  private(set) var state = RecognitionState.starting

  init(_ recognizer: FakeRecognizer, _ index: Int) {
    self.recognizer = recognizer
    self.index = index
  }

  func append(_ samples: [Int16]) -> Transcript? {
    recognizer.take(samples.count, in: index)
    return nil
  }

  func finish() -> Transcript { recognizer.transcript(index) }
  func cancel() {}
}

/// Answers every intent, or fails.
struct FakeHandler: Handler {
  var fault: ActionFault?
  var seconds = 0.0
  var answer: Answer = "Done."

  func handle(_ event: IntentEvent) throws(ActionFault) -> Answer? {
    MonotonicClock.sleep(until: MonotonicClock.now() + seconds)
    if let fault { throw fault }
    return answer
  }
}
