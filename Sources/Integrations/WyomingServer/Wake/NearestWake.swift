import Platform
import Synchronization

/// Lets only the nearest of the streams that hear the same hotword at the same time report it. Any thread may use it.
public final class NearestWake: Sendable {
  private struct State {
    var arbiter = WakeArbiter()
    var listeners: [Int: Listener] = [:]
    var nextStream = 0
    /// What to call with the verdicts.
    var calls: [Place: @Sendable (Bool) -> Void] = [:]
  }

  private struct Listener {
    var hotwords: Set<Int>
    var lastAudio: Double
  }

  private struct Place: Hashable {
    let stream: Int
    let hotword: Int
  }

  /// Seconds after its last audio in which a stream counts as listening.
  private static let patience = 1.0

  private let state = Mutex(State())
  private let opened: ThreadSignal

  /// Starts the thread that ends the waiting for other streams; it lives as long as the process.
  public init() throws(SystemFault) {
    opened = try ThreadSignal()
    try DetachedThread.start(blocksSignals: true) { [self] in
      while true {
        opened.wait(until: state.withLock { $0.arbiter.due } ?? MonotonicClock.now() + 60)
        decide { $0.arbiter.advance(to: MonotonicClock.now()) }
      }
    }
  }

  func stream() -> Stream {
    state.withLock { state in
      state.nextStream += 1
      return Stream(self, state.nextStream)
    }
  }

  /// Changes the state, then calls the verdicts without the lock.
  private func decide(_ change: (inout State) -> [WakeArbiter.Verdict]) {
    let decided = state.withLock { state in
      change(&state).map { verdict in
        let place = Place(stream: verdict.stream, hotword: verdict.hotword)
        return (state.calls.removeValue(forKey: place), verdict.isReported)
      }
    }
    for (call, isReported) in decided { call?(isReported) }
  }
}

extension NearestWake {
  /// The stream of one client.
  final class Stream: Sendable {
    private let streams: NearestWake
    private let number: Int
    /// Whether a hotword was reported since the last ``end()``.
    private let hasReported = Atomic(false)

    fileprivate init(_ streams: NearestWake, _ number: Int) {
      self.streams = streams
      self.number = number
    }

    /// Audio has come; the stream listens for these hotwords.
    func hear(_ hotwords: Set<Int>) {
      let listener = Listener(hotwords: hotwords, lastAudio: MonotonicClock.now())
      streams.state.withLock { $0.listeners[number] = listener }
    }

    /// The stream has heard `hotword`. `then` is called once with whether it may report it, perhaps on another thread; at once
    /// if no other stream listens for the hotword.
    func claim(_ hotword: Int, nearness: Float, then: @escaping @Sendable (Bool) -> Void) {
      let now = MonotonicClock.now()
      streams.decide { state in
        state.calls[Place(stream: number, hotword: hotword)] = { [self] isReported in
          if isReported { hasReported.store(true, ordering: .relaxed) }
          then(isReported)
        }
        let listening = state.listeners.values.count {
          $0.hotwords.contains(hotword) && now - $0.lastAudio < NearestWake.patience
        }
        let claim = WakeArbiter.Claim(stream: number, hotword: hotword, nearness: nearness)
        return state.arbiter.claim(claim, at: now, listening: listening)
      }
      streams.opened.send()
    }

    /// Ends the stream, and what is undecided about it.
    ///
    /// - Returns: whether it has reported a hotword.
    func end() -> Bool {
      streams.decide { state in
        state.listeners[number] = nil
        return state.arbiter.end(number)
      }
      return hasReported.exchange(false, ordering: .relaxed)
    }
  }
}
