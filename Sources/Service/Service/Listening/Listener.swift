import Assistant
import AudioCapture
import Detection
import Glibc
import PCM
import Platform
import Supervision

/// The listening thread: reads frames, removes the echo and finds hotwords.
///
/// From a frame to its hit it takes no lock and waits for nothing: frames, hits and near misses go through a
/// ``ListeningRing``, requests come through a ``ListeningControl``. Only where audio may not run ahead of the conversation
/// (a file, a pipe) does it wait for room in the ring.
package final class Listener: @unchecked Sendable {
  /// Seconds of audio that a new spotter processes first, so that its front end and its networks settle.
  private static let warmUp: Double = 10
  /// Seconds from a phrase's end within which only the new spotter can have found it.
  private static let recent: Double = 1

  package let ring: ListeningRing
  package let control = ListeningControl()
  private let source: any AudioSource
  private let reader: FrameReader
  private let isLive: Bool
  private let queue: EventQueue
  private let room: ThreadSignal
  private let metrics: StreamMetrics
  private let heartbeat: Heartbeat
  /// nil if nothing shows them.
  private let scores: LiveScores?
  private let frame = UnsafeMutableBufferPointer<Int16>.allocate(capacity: AudioFormat.frameLength)
  private let history = AudioHistory(seconds: Listener.warmUp)
  private var spotter: any HotwordSpotting
  private var sensitivity: PlaybackSensitivity?
  private var generation = 0
  private var echo: EchoSetup?
  private var nearMisses: [NearMisses]
  private var lastHit: Range<SampleIndex> = 0..<0
  /// Samples for which the ring had no room.
  private var lost = 0

  /// - Parameters:
  ///   - isLive: whether frames that find no room in the ring are dropped; otherwise they wait.
  ///   - queue: is signalled when there is a record.
  ///   - room: is signalled when there is room for more.
  package init(
    _ source: any AudioSource, isLive: Bool, spotter: any HotwordSpotting, echo: EchoSetup?,
    ring: ListeningRing = ListeningRing(), queue: EventQueue, room: ThreadSignal, metrics: StreamMetrics,
    heartbeat: Heartbeat, scores: LiveScores? = nil
  ) {
    self.source = source
    reader = FrameReader(source)
    self.isLive = isLive
    self.spotter = spotter
    self.echo = echo
    self.ring = ring
    self.queue = queue
    self.room = room
    self.metrics = metrics
    self.heartbeat = heartbeat
    self.scores = scores
    nearMisses = spotter.models.map { NearMisses(threshold: $0.threshold) }
    sensitivity = (spotter as? KeywordSpotter).map { PlaybackSensitivity($0) }
    echo?.apply()
  }

  deinit { frame.deallocate() }

  /// Starts the thread, which ends with the stream.
  package func start() throws(SystemFault) {
    try DetachedThread.start { [self] in
      do throws(CaptureFault) {
        try run()
      } catch {
        queue.post(.captureFailed(error))
      }
    }
  }

  /// Ends the listening; any thread may call it.
  package func stop() {
    control.stop()
    source.close()
    room.send()
  }

  private func run() throws(CaptureFault) {
    while true {
      let read = try reader.next(into: frame)
      heartbeat.turn()
      // Before the change of the parts: what was requested after that is for the new ones.
      let hasSensitivities = control.sensitivities.takePending()
      if let change = control.takeChange() { adopt(change) }
      if hasSensitivities { changeSensitivities() }
      if control.takeRestart() {
        _ = spotter.skip(0)
        put(ListeningRecord(.restarted))
      }
      note(read.events)
      if read.gap > 0 { lose(read.gap) }
      if read.count > 0 { listen(read.count) }
      queue.signal()
      guard read.isEnd || control.isStopping else { continue }
      put(hits: spotter.finish())
      finishNearMisses()
      put(ListeningRecord(.end))
      return queue.signal()
    }
  }

  private func note(_ events: DeviceEvents) {
    if events.contains(.lost) {
      finishNearMisses()
      put(ListeningRecord(.deviceLost))
    }
    if events.contains(.recovered) { put(ListeningRecord(.deviceRecovered)) }
    if events.contains(.overrun) { put(ListeningRecord(.overrun)) }
    guard !events.isDisjoint(with: [.lost, .recovered]) else { return }
    let isLost = !events.contains(.recovered)
    heartbeat.wait(isLost)
    metrics.isDeviceThere.set(isLost ? 0 : 1)
  }

  private func lose(_ count: Int) {
    put(hits: spotter.skip(count))
    finishNearMisses()
    history.appendGap(count)
    put(ListeningRecord(.gap, count: count))
  }

  private func listen(_ count: Int) {
    let start = MonotonicClock.now()
    if let echo {
      let isPlaying = echo.canceller.clean(frame, at: history.end)
      if let spotter = spotter as? KeywordSpotter {
        sensitivity?.update(isPlaying: isPlaying, at: history.end, spotter)
      }
    }
    let hits = spotter.push(UnsafeBufferPointer(frame))
    metrics.listening.add(Int((MonotonicClock.now() - start) * 1e6))
    heartbeat.frame()
    history.append(UnsafeBufferPointer(frame))
    putFrame(count)
    put(hits: hits)
    for index in nearMisses.indices {
      guard let step = spotter.step(of: index) else { continue }
      if let scores, scores.isWatched { scores.put(step.score, of: index) }
      if let peak = nearMisses[index].push(step.score, at: step.end) { put(peak, of: index) }
    }
  }

  private func changeSensitivities() {
    guard let spotter = spotter as? KeywordSpotter else { return }
    for index in nearMisses.indices {
      guard let levels = control.sensitivities.take(index) else { continue }
      sensitivity?.change(index, usual: levels.usual, raised: levels.raised, spotter)
      nearMisses[index] = NearMisses(threshold: levels.usual.threshold)
    }
  }

  // MARK: Records

  private func putFrame(_ count: Int) {
    if !isLive { waitForRoom() }
    if lost > 0, ring.hasRoom {
      put(ListeningRecord(.gap, count: lost))
      lost = 0
    }
    var record = ListeningRecord(.frame, count: count)
    record.isVoiced = spotter.activity.voiced
    record.level = spotter.activity.level
    if lost > 0 || !ring.write(record, frame.baseAddress) { lost += AudioFormat.frameLength }
  }

  private func put(hits count: Int) {
    for index in 0..<count { put(spotter.hotword(index)) }
  }

  private func put(_ found: SpottedHotword) {
    var record = ListeningRecord(.hit)
    record.model = found.model
    record.start = found.start
    record.end = found.end
    record.score = found.score
    lastHit = record.start..<record.end
    if echo?.canceller.holds(found.model, at: lastHit) ?? false { return }
    put(record)
  }

  private func finishNearMisses() {
    for index in nearMisses.indices {
      if let peak = nearMisses[index].finish() { put(peak, of: index) }
    }
  }

  private func put(_ peak: NearMisses.Peak, of model: Int) {
    var record = ListeningRecord(.nearMiss)
    record.model = model
    record.end = peak.end
    record.score = peak.score
    put(record)
  }

  private func put(_ record: ListeningRecord) {
    var record = record
    record.generation = generation
    while !ring.write(record) {
      // Only the end must not get lost; the reserve holds what a live stream finds in five seconds.
      if isLive, record.kind != .end { return }
      waitForConsumer()
    }
  }

  private func waitForRoom() {
    while !ring.hasRoom, !control.isStopping { waitForConsumer() }
  }

  private func waitForConsumer() {
    queue.signal()
    room.wait(until: MonotonicClock.now() + 1)
    heartbeat.turn()
  }

  // MARK: Reloading

  private func adopt(_ change: ListeningChange) {
    change.echo?.apply()
    echo = change.echo
    if echo == nil, let spotter = spotter as? KeywordSpotter {
      sensitivity?.update(isPlaying: false, at: .max, spotter)
    }
    guard change.spotter !== spotter else { return }
    spotter = change.spotter
    generation = change.generation
    nearMisses = spotter.models.map { NearMisses(threshold: $0.threshold) }
    sensitivity = (spotter as? KeywordSpotter).map { PlaybackSensitivity($0) }
    warmUp()
  }

  /// Lets a new spotter process what the old one has, so that a phrase that is being said now is found.
  private func warmUp() {
    let length = AudioFormat.frameLength
    let end = history.end
    let count = (end - history.start) / length
    let start = end - count * length
    _ = spotter.skip(start)
    guard let past = history.read(from: start, to: end) else { return }
    past.withUnsafeBufferPointer { past in
      for index in 0..<count {
        let hits = spotter.push(UnsafeBufferPointer(rebasing: past[index * length..<(index + 1) * length]))
        for hit in 0..<hits {
          let found = spotter.hotword(hit)
          let word = found.start..<found.end
          if end - word.upperBound < AudioFormat.samples(Self.recent), !lastHit.overlaps(word) { put(found) }
        }
      }
    }
  }
}
