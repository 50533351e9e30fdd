import AudioCapture
import Evaluation
import Glibc
import PCM
import Platform
import Synchronization

/// A program of the user's that speaks text by many voices, for example a neural synthesizer.
///
/// `/bin/sh -c` runs it for some dozens of texts at a time. Each line of its standard input has four fields, separated by tabs:
/// the path of a file, the number of a voice, a speaking rate and a text. It writes the text, spoken by that voice, to that file, in
/// any format that libsndfile reads.
package struct SynthesizerCommand: Sendable {
  /// A text to be spoken.
  package struct Utterance: Sendable, Equatable {
    package let text: String
    /// 0..<``SynthesizerCommand/voices``.
    package let voice: Int
    /// Relative to the voice's own rate.
    package let rate: Float

    package init(_ text: String, voice: Int, rate: Float) {
      self.text = text
      self.voice = voice
      self.rate = rate
    }
  }

  /// The number of voices that are asked for. A program with fewer uses its own more than once.
  package static let voices = 100
  /// The number of texts for one run of the program.
  private static let batch = 100
  private static let secondsToStart = 120.0
  private static let secondsToSpeak = 30.0
  private static let isRunning = Atomic(false)
  private static let isInterrupted = Atomic(false)

  /// The command line.
  package let line: String

  package init(_ line: String) { self.line = line }

  /// Its program, for messages.
  package var name: String { Subprocess.name(ofShell: line) }

  /// Stops a program that runs and waits for its end, up to a second. For the end of the process.
  package static func interrupt() {
    isInterrupted.store(true, ordering: .relaxed)
    for _ in 0..<20 where isRunning.load(ordering: .acquiring) { usleep(50_000) }
  }

  /// Returns the samples of each text at 16 kHz, −1…1, as the program wrote them; empty where it wrote none.
  ///
  /// - Parameter progress: called with the share of texts that were spoken.
  /// - Throws: ``TrainingFault/synthesizerFailed(command:reason:)``, ``TrainingFault/interrupted``.
  package func speak(
    _ utterances: [Utterance], progress: (Double) -> Void = { _ in }
  ) throws(TrainingFault) -> [[Float]] {
    var spoken: [[Float]] = []
    while spoken.count < utterances.count {
      let batch = utterances[spoken.count..<min(utterances.count, spoken.count + Self.batch)]
      spoken += try speak(Array(batch)) { count in
        progress(Double(spoken.count + count) / Double(utterances.count))
      }
      progress(Double(spoken.count) / Double(utterances.count))
    }
    return spoken
  }

  private func speak(_ batch: [Utterance], count: (Int) -> Void) throws(TrainingFault) -> [[Float]] {
    var template = Array("/tmp/hotword-voices-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw failure(SystemFault.cannotWrite(path: "/tmp", code: errno).message)
    }
    let folder = String(decoding: template.dropLast().map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self)
    let paths = batch.indices.map { "\(folder)/\($0).wav" }
    defer {
      for path in paths { unlink(path) }
      rmdir(folder)
      Self.isRunning.store(false, ordering: .releasing)
    }
    let input = zip(paths, batch).map { path, utterance in
      "\(path)\t\(utterance.voice)\t\(Decimals.text(Double(utterance.rate), 2))\t\(utterance.text)\n"
    }.joined()
    let timeout = Self.secondsToStart + Self.secondsToSpeak * Double(batch.count)
    var written = 0
    Self.isRunning.store(true, ordering: .relaxed)
    let result: Subprocess.Result
    do throws(SystemFault) {
      result = try Subprocess(shell: line).run(
        input: Array(input.utf8), timeout: timeout, keepsErrors: true,
        cancelled: {
          while written < paths.count, access(paths[written], F_OK) == 0 { written += 1 }
          count(written)
          return Self.isInterrupted.load(ordering: .relaxed)
        })
    } catch {
      throw failure(error.message)
    }
    switch result.ending {
    case .exited(0): break
    case .exited(let code): throw failure(result.lastErrorLine ?? "it ended with status \(code)")
    case .killed(let signal): throw failure("it was ended by signal \(signal)")
    case .timedOut: throw failure("it took more than \(Int(timeout)) s for \(batch.count) texts")
    case .cancelled: throw .interrupted
    }
    let spoken = paths.map { path in (try? AudioFile.read(path)).map { Level.floats($0) } ?? [] }
    guard spoken.contains(where: { !$0.isEmpty }) else {
      throw failure("it wrote no audio to the files that its input names")
    }
    return spoken
  }

  private func failure(_ reason: String) -> TrainingFault {
    .synthesizerFailed(command: name, reason: reason)
  }
}

extension Synthesizer {
  /// Speaks each text by its voice; the voices of `command` by it, before all others.
  ///
  /// - Parameter progress: called with the share of texts that were spoken.
  /// - Throws: ``TrainingFault/synthesizerFailed(command:reason:)``, ``TrainingFault/interrupted``.
  package func speak(
    _ texts: [(input: SynthesisInput, voice: SynthesisVoice)], command: SynthesizerCommand?,
    progress: (Double) -> Void = { _ in }
  ) throws(TrainingFault) -> [[Float]] {
    let chosen = texts.indices.compactMap { index in
      SynthesizerCommand.Utterance(texts[index].input, texts[index].voice).map { (index, $0) }
    }
    let share = Double(chosen.count) / Double(max(1, texts.count))
    let spoken = try command?.speak(chosen.map(\.1)) { progress(share * $0) } ?? []
    var result = [[Float]](repeating: [], count: texts.count)
    for ((index, _), samples) in zip(chosen, spoken) {
      result[index] = Self.finished(samples, texts[index].voice)
    }
    let others = Set(texts.indices).subtracting(chosen.map(\.0)).sorted()
    for (done, index) in others.enumerated() {
      if done % 100 == 0 { progress(share + (1 - share) * Double(done) / Double(others.count)) }
      result[index] = speak(texts[index].input, texts[index].voice)
    }
    return result
  }
}

extension SynthesizerCommand.Utterance {
  /// nil if the voice is none of a command, or the input is no text.
  fileprivate init?(_ input: SynthesisInput, _ voice: SynthesisVoice) {
    guard case .command(let number) = voice.engine else { return nil }
    switch input {
    case .text(let text), .english(let text): self.init(text, voice: number, rate: voice.rate)
    case .sounds: return nil
    }
  }
}
