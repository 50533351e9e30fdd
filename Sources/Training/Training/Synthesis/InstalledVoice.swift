import AudioCapture
import Glibc
import PCM
import Platform

/// An English voice of a synthesizer that is run as a program, if it is installed.
///
/// These sound more like people than the voices of espeak-ng, and their programs tell no times of sounds.
package struct InstalledVoice: Sendable, Equatable {
  /// The program that speaks.
  package enum Program: String, Sendable {
    /// RHVoice (Debian: rhvoice, rhvoice-english).
    case rhvoice = "RHVoice-test"
    /// SVOX Pico (Debian: libttspico-utils).
    case pico = "pico2wave"
  }

  package let program: Program
  /// The program's name of the voice or of its language.
  package let name: String

  package init(program: Program, name: String) {
    self.program = program
    self.name = name
  }

  private static let known: [(program: Program, name: String, data: String)] =
    ["alan", "bdl", "clb", "slt"].map { (.rhvoice, $0, "/usr/share/RHVoice/voices/\($0)") }
    + ["en-US", "en-GB", "de-DE", "es-ES", "fr-FR", "it-IT"].map {
      (.pico, $0, "/usr/share/pico/lang/\($0)_ta.bin")
    }

  /// The voices on this machine. Pico's voices of other languages speak English with an accent.
  package static let all: [InstalledVoice] = known.filter { voice in
    access("/usr/bin/\(voice.program.rawValue)", X_OK) == 0 && Files.exists(voice.data)
  }.map { InstalledVoice(program: $0.program, name: $0.name) }

  private static let secondsToSpeak = 20.0

  /// Returns `text` as samples at 16 kHz, −1…1; empty if the program fails.
  ///
  /// - Parameters:
  ///   - rate: the speaking rate relative to the voice's own.
  ///   - pitch: the pitch relative to the voice's own.
  package func speak(_ text: String, rate: Float, pitch: Float) -> [Float] {
    var template = Array("/tmp/hotword-voice-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { return [] }
    let folder = String(decoding: template.dropLast().map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self)
    let file = "\(folder)/speech.wav"
    defer {
      unlink(file)
      rmdir(folder)
    }
    func percent(_ factor: Float) -> String { "\(Int((100 * factor).rounded()))" }
    let (arguments, input) =
      switch program {
      case .rhvoice: (["-p", name, "-r", percent(rate), "-t", percent(pitch), "-o", file], text)
      case .pico:
        (
          [
            "-l", name, "-w", file,
            "<speed level='\(percent(rate))'><pitch level='\(percent(pitch))'>"
              + text.filter { !"<>&".contains($0) } + "</pitch></speed>",
          ], ""
        )
      }
    let run = Subprocess(["/usr/bin/\(program.rawValue)"] + arguments)
    guard
      let result = try? run.run(input: Array(input.utf8), timeout: Self.secondsToSpeak, keepsErrors: true),
      result.ending == .exited(0), let samples = try? AudioFile.read(file)
    else { return [] }
    return Level.floats(samples)
  }
}
