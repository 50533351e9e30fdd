import AudioCapture
import CommandLineParsing
import Configuration
import Detection
import Dialogue
import Glibc
import Networking
import Platform
import Recognition
import Supervision
import Understanding

/// `hotword run --check`: all that is wrong with the settings and with what they name, one line each; nothing listens.
package final class ConfigurationCheck {
  private let settings: ServiceSettings
  private var faults: [any Fault]

  private init(_ loaded: LoadedSettings) {
    settings = loaded.settings
    faults = loaded.faults
  }

  /// Tells the faults on standard error, or on standard output that there are none.
  ///
  /// - Throws: nothing; it ends the process with the first fault's exit code.
  package static func run(_ loaded: LoadedSettings) throws {
    let check = ConfigurationCheck(loaded)
    check.all()
    guard let first = check.faults.first else {
      return Output.write("\(loaded.file ?? "the settings"): nothing is wrong\n")
    }
    for fault in check.faults { Log.error(fault.message) }
    exit(first.exitCode.rawValue)
  }

  private func all() {
    checkModels()
    checkIntents()
    checkHandlers()
    checkSound()
    if let folder = settings.keep, !Self.isWritable(folder) {
      faults.append(ServiceFault.cannotKeep(folder: folder))
    }
    if let broker = settings.hermes { note { _ = try PlugIns.hermes(broker, bringsAudio: false) } }
    if settings.metrics != nil { note { try StatusServer.check() } }
  }

  private func checkModels() {
    var isComplete = true
    for name in settings.models {
      let count = faults.count
      note { _ = try KeywordSpotter(named: [name], sensitivity: settings.sensitivity) }
      if faults.count > count { isComplete = false }
    }
    guard isComplete else { return }
    note {
      let spotter = try KeywordSpotter(named: settings.models, sensitivity: settings.sensitivity)
      _ = try KnownVoices.load(for: spotter.keywords, onlyVoices: settings.onlyVoices)
    }
  }

  /// The intent file, and what is made of it or for its language.
  private func checkIntents() {
    // What else is named is checked all the same.
    let intents = note { try Self.intents(settings.intents) } ?? (try? Self.intents(nil))
    for name in settings.recognizers { checkPlugIn(name) }
    guard let intents else { return }
    for names in settings.recognizers.isEmpty ? [[]] : settings.recognizers.map({ [$0] }) {
      note {
        let recognizer = try PlugIns.recognizer(names, intents: intents) { _ in }
        if case .unavailable(let fault) = recognizer.availability { throw fault }
      }
    }
    if let service = settings.understanding {
      checkPlugIn(service)
      note {
        _ = try PlugIns.understanding(service, language: intents.language)
        if let key = try PlugInName(service)["key"] { _ = try Secret(file: key) }
      }
    }
    if let voice = settings.voice {
      checkPlugIn(voice)
      note {
        _ = try PlugIns.voice(voice, language: intents.language, timeout: settings.handlerTimeout)
      }
    }
  }

  private static func intents(_ file: String?) throws -> IntentFile {
    let read = try PlugIns.intents(file)
    _ = try DialogueStateMachine(Understander(read))
    return try read.withAnswers()
  }

  private func checkHandlers() {
    for name in settings.handlers {
      checkPlugIn(name)
      note {
        _ = try PlugIns.handler(
          name, timeout: settings.handlerTimeout, timers: { fatalError("nothing is handled") },
          volume: { fatalError("nothing is handled") }, isCancelled: { false })
      }
    }
  }

  /// The devices, or the file.
  private func checkSound() {
    if settings.isFedByBroker {
      if settings.hermes == nil { faults.append(ServiceFault.noBroker) }
    } else {
      note { try Self.check(input: settings.input) }
    }
    if settings.isHeard { note { _ = try PlaybackDevice(settings.player, latency: 0.1) } }
  }

  /// A microphone that another program holds is there: it may be the service itself.
  private static func check(input: String) throws {
    switch try InputName(input) {
    case .alsa(let name):
      do {
        _ = try AlsaDevices.probe(name)
      } catch CaptureFault.deviceBusy {
        Log.note("alsa:\(name): there, and in use by another program")
      }
    case .file(let path): _ = try InputName.file(path).open()
    case .standardInput: break
    }
  }

  /// The program of a command, and the certificates that a server's options name.
  private func checkPlugIn(_ name: String) {
    if let line = PlugIns.commandLine(name) {
      guard let program = Self.program(in: line), !Self.isFound(program) else { return }
      return faults.append(ServiceFault.noProgram(program, plugIn: name))
    }
    guard let plugIn = try? PlugInName(name), let file = plugIn["ca"] else { return }
    note { _ = try Files.read(file) }
  }

  /// The first word of a line of shell, where it names a program and no more.
  private static func program(in line: String) -> String? {
    guard let word = line.split(whereSeparator: \.isWhitespace).first else { return nil }
    let isPlain = word.unicodeScalars.allSatisfy {
      $0.properties.isAlphabetic || ("0"..."9").contains($0) || "_./-+".unicodeScalars.contains($0)
    }
    return isPlain ? String(word) : nil
  }

  private static func isFound(_ program: String) -> Bool {
    let result = try? Subprocess(["/bin/sh", "-c", "command -v \"$0\"", program]).run(timeout: 5)
    return result?.ending == .exited(0)
  }

  /// Whether `folder` can be written to, or made.
  package static func isWritable(_ folder: String) -> Bool {
    var folder = folder
    while !Files.exists(folder) {
      guard let slash = folder.lastIndex(of: "/") else { return access(".", W_OK | X_OK) == 0 }
      folder = slash == folder.startIndex ? "/" : String(folder[..<slash])
    }
    return Files.isDirectory(folder) && access(folder, W_OK | X_OK) == 0
  }

  /// Does `body`, and keeps what it throws.
  @discardableResult
  private func note<Value>(_ body: () throws -> Value) -> Value? {
    do {
      return try body()
    } catch let fault as any Fault {
      if !faults.contains(where: { $0.message == fault.message }) { faults.append(fault) }
    } catch {
      fatalError("unexpected fault: \(error)")
    }
    return nil
  }
}
