import Platform

/// The end of the service.
extension ServiceLoop {
  /// Seconds that parts of the service have once the process is requested to stop. Their sum is below the two seconds
  /// within which the process ends.
  private enum Grace {
    static let conversation = 0.6
    static let cancelledJobs = 0.3
    static let speech = 0.2
    /// For all of it, standard output, clips and the broker included.
    static let total = 1.4
  }

  /// Seconds that clips have to be written, and the broker to take its messages, at the end of a stream.
  private static let clipSeconds = 5.0
  private static let brokerSeconds = 2.0

  /// Brings the open conversation and the outputs to their end.
  func finish() {
    supervisor.stopping()
    wait(Grace.speech) { self.identifying == 0 }
    components.recorder.finish(history)
    // At the end of a file the command is complete, but at a request to stop it may be half of one, which is not carried out.
    if stopped != nil, case .listening = cycle.state { advance(.dismissed(wantsResult: false)) }
    advance(.streamEnded)
    if !wait(Grace.conversation, until: { self.cycle.state == .idle }) {
      advance(.dismissed(wantsResult: false))
      // A command that a handler runs ends before the service does.
      wait(Grace.cancelledJobs) { self.jobs == 0 }
    }
    if !wait(0, until: { self.components.output.isIdle }) {
      components.output.stop()
      wait(Grace.speech) { self.components.output.isIdle }
    }
    wait(Grace.total, limit: Self.clipSeconds) { self.components.recorder.isIdle }
    bridge?.close(within: min(Self.brokerSeconds, left))
    if !wait(Grace.total, until: { self.events.isEmpty }) {
      Log.warning("standard output: nothing reads it; the last events are lost")
    }
  }

  /// Seconds until the process must end.
  private var left: Double {
    stopped.map { max(0, $0 + Grace.total - MonotonicClock.now()) } ?? .infinity
  }

  /// Handles events until `isDone`, for up to `limit` seconds; for up to `seconds` once a stop is requested.
  ///
  /// - Returns: whether it is done.
  @discardableResult
  private func wait(
    _ seconds: Double, limit: Double = .infinity, until isDone: () -> Bool
  ) -> Bool {
    let start = MonotonicClock.now()
    var deadline = start + limit
    while !isAbandoned {
      handleEvents()
      // No frame comes any more that the answer could begin with.
      takeAnswer()
      if isDone() { return true }
      if let stopped {
        deadline = min(deadline, max(stopped, start) + seconds, stopped + Grace.total)
      }
      guard MonotonicClock.now() < deadline else { return false }
      supervisor.heartbeat.round()
      queue.wait(until: min(deadline, MonotonicClock.now() + 1))
    }
    return true
  }
}
