import ESPHomeServer
import Platform
import SpeechSynthesis
import Synchronization

/// The loudspeaker, the wake words and the file of the settings, for the device of a satellite.
final class SatelliteMachine: SatelliteHardware {
  private enum Job: Sendable {
    case save(DeviceMemory)
    case end(done: ThreadSignal)
  }

  private struct Media {
    var isPaused = false
    /// Whether an answer is awaited or plays.
    var isBusy = false
  }

  private let speech: SpeechOutput?
  private let choice: WakeWordChoice
  private let jobs = JobQueue<Job>()
  private let media = Mutex(Media())

  /// - Parameter path: the file of the settings.
  init(_ speech: SpeechOutput?, _ choice: WakeWordChoice, savingTo path: String) throws {
    self.speech = speech
    self.choice = choice
    try DetachedThread.start(blocksSignals: true) { [jobs] in
      while true {
        switch jobs.take() {
        case .save(let memory):
          do throws(ESPHomeFault) {
            try memory.write(path)
          } catch {
            Log.warning("the settings are not kept: \(error.message)")
          }
        case .end(let done): return done.send()
        }
      }
    }
  }

  /// Waits until the settings are saved.
  func close() throws {
    let done = try ThreadSignal()
    jobs.append(.end(done: done))
    done.wait(until: MonotonicClock.now() + 5)
  }

  func setVolume(_ percent: Double) { speech?.volume = percent }

  func play(media samples: [Int16], then: @escaping @Sendable () -> Void) {
    guard let speech else { return then() }
    let stream = SpeechStream()
    stream.append(samples)
    stream.finish()
    media.withLock { $0.isPaused = false }
    resumeIfIdle()
    speech.play(stream) { _ in then() }
  }

  func pauseMedia() {
    media.withLock { $0.isPaused = true }
    speech?.pause()
  }

  func resumeMedia() {
    media.withLock { $0.isPaused = false }
    resumeIfIdle()
  }

  func stopMedia() {
    media.withLock { $0.isPaused = false }
    speech?.stopOthers()
  }

  /// An answer is awaited or plays.
  func occupy() { media.withLock { $0.isBusy = true } }

  func rest() {
    media.withLock { $0.isBusy = false }
    resumeIfIdle()
  }

  /// Plays media again unless it is paused or something else plays.
  func resumeIfIdle() {
    if media.withLock({ !$0.isPaused && !$0.isBusy }) { speech?.resume() }
  }

  func listen(_ memory: DeviceMemory) { choice.change(memory) }

  func save(_ memory: DeviceMemory) { jobs.append(.save(memory)) }
}
