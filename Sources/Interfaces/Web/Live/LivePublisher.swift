import Assistant
import Networking
import PCM
import Platform
import Service
import Synchronization

/// Sends what the service shows to all pages that are open, as server-sent events.
///
/// | event | data |
/// |---|---|
/// | `models` | the models with their sensitivities and thresholds: at the start, and when they change |
/// | `frames` | 0.1 s of the stream |
/// | `event` | an event of the service, with its `clock`; at the start, the last ones |
///
/// While no page is open, it keeps the last events and does nothing else.
final class LivePublisher: Sendable {
  /// Pages at the same time.
  static let limit = 8
  /// Events that a page gets at its start.
  private static let keptEvents = 50

  private struct State: Sendable {
    var streams: [ObjectIdentifier: EventStream] = [:]
    var recent: [String] = []
  }

  private let tap: LiveTap
  private let state = Mutex(State())

  init(_ tap: LiveTap) { self.tap = tap }

  /// Starts the thread, which lives as long as the process.
  func start() throws(SystemFault) {
    try DetachedThread.start(blocksSignals: true) { [self] in
      let spectrogram = LiveSpectrogram()
      while true {
        switch tap.items.take() {
        case .block(let block):
          if isWatched { send("frames", "\(LiveMessage.frames(block, spectrogram))") }
        case .models: send("models", "\(LiveMessage.models(tap.models))")
        case .event(let event): note("\(LiveMessage.event(event, at: .now()))")
        }
      }
    }
  }

  /// A stream for one more page; nil if there are too many.
  func open() -> EventStream? {
    let key = Mutex<ObjectIdentifier?>(nil)
    let stream = EventStream { [self] in
      if let key = key.withLock({ $0 }) { close(key) }
    }
    key.withLock { $0 = ObjectIdentifier(stream) }
    return state.withLock { state in
      guard state.streams.count < Self.limit else { return nil }
      stream.send("models", "\(LiveMessage.models(tap.models))")
      for event in state.recent { stream.send("event", event) }
      state.streams[ObjectIdentifier(stream)] = stream
      tap.watch(true)
      return stream
    }
  }

  private var isWatched: Bool { state.withLock { !$0.streams.isEmpty } }

  private func close(_ key: ObjectIdentifier) {
    state.withLock { state in
      state.streams[key] = nil
      tap.watch(!state.streams.isEmpty)
    }
  }

  private func send(_ name: String, _ data: String) {
    for stream in state.withLock({ Array($0.streams.values) }) { stream.send(name, data) }
  }

  private func note(_ event: String) {
    let streams = state.withLock { state in
      state.recent.append(event)
      if state.recent.count > Self.keptEvents { state.recent.removeFirst() }
      return Array(state.streams.values)
    }
    for stream in streams { stream.send("event", event) }
  }
}
