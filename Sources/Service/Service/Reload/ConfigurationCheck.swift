import AudioCapture
import Configuration
import Detection
import Dialogue
import Glibc
import Networking
import Platform
import Recognition
import Speakers
import Supervision
import Understanding

/// `hotword run --check`: finds all faults of the settings and of what they name, without listening.
package final class ConfigurationCheck {
  private let settings: ServiceSettings
  /// Whether the devices are opened.
  private let opensDevices: Bool
  private var faults: [any Fault]

  private init(_ loaded: LoadedSettings, opensDevices: Bool) {
    settings = loaded.settings
    self.opensDevices = opensDevices
    faults = loaded.faults
  }

  /// All faults of the settings and of what they name.
  ///
  /// - Parameter opensDevices: whether the audio devices are tried; false in a service that uses them.
  package static func faults(in loaded: LoadedSettings, opensDevices: Bool = true) -> [any Fault] {
    let check = ConfigurationCheck(loaded, opensDevices: opensDevices)
    check.all()
    return check.faults
  }

  /// All faults of an intent file, if it had these contents, in the order of their lines.
  package static func faults(inIntents text: [UInt8], file: String) -> [any Fault] {
    let faults: [any Fault] = IntentFile.faults(parsing: text, name: file)
    if !faults.isEmpty { return faults }
    do {
      let intents = try IntentFile(parsing: text, name: file)
      _ = try PlugIns.dialogue(Understander(intents), file: file)
      _ = try intents.withAnswers()
      return intents.voiceFaults(enrolled: try VoiceStore.standard().names())
    } catch let fault as any Fault {
      return [fault]
    } catch {
      fatalError("unexpected fault: \(error)")
    }
  }

  private func all() {
    checkModels()
    checkIntents()
    checkHandlers()
    if opensDevices { checkSound() }
    if let folder = settings.keep, !Self.isWritable(folder) {
      faults.append(ServiceFault.cannotKeep(folder: folder))
    }
    if let broker = settings.hermes { note { _ = try PlugIns.hermes(broker, bringsAudio: false) } }
    if settings.metrics != nil { note { try StatusServer.check() } }
    if settings.web.endpoint != nil {
      note { try HTTPListener.check(purpose: "web") }
      note { _ = try settings.web.identity() }
    }
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
      _ = try KnownVoices.load(for: spotter.keywords.map(\.name), onlyVoices: settings.onlyVoices)
    }
  }

  /// The intent file, and everything that depends on it or on its language.
  private func checkIntents() {
    // The rest is checked even if the intent file is faulty.
    let intents = note { try Self.intents(settings.intents) } ?? (try? Self.intents(nil))
    for name in settings.recognizers { checkPlugIn(name) }
    guard let intents else { return }
    note {
      let enrolled = try VoiceStore.standard().names()
      faults += intents.voiceFaults(enrolled: enrolled)
    }
    let sentences = KnownSentences(intents)
    for names in settings.recognizers.isEmpty ? [[]] : settings.recognizers.map({ [$0] }) {
      note {
        let recognizer = try PlugIns.recognizer(names, of: sentences) { _ in }
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
    _ = try PlugIns.dialogue(Understander(read), file: file)
    return try read.withAnswers()
  }

  private func checkHandlers() {
    for name in settings.handlers {
      checkPlugIn(name)
      note {
        _ = try PlugIns.handler(
          name, timeout: settings.handlerTimeout, timers: { fatalError("handlers do not run here") },
          volume: { fatalError("handlers do not run here") }, isCancelled: { false })
      }
    }
  }

  /// The devices, or the file.
  private func checkSound() {
    if settings.usesBrokerAudio {
      if settings.hermes == nil { faults.append(ServiceFault.noBroker) }
    } else {
      note { try Self.check(input: settings.input) }
    }
    if settings.playsSound { note { _ = try PlaybackDevice(settings.player, latency: 0.1) } }
  }

  /// A microphone that another program uses is not a fault: the program may be the service itself.
  private static func check(input: String) throws {
    switch try InputName(input) {
    case .alsa(let name):
      do {
        _ = try AlsaDevices.probe(name)
      } catch {
        guard case .deviceBusy = error else { throw error }
        Log.note("alsa:\(name): available, and in use by another program")
      }
    case .file(let path): _ = try InputName.file(path).open()
    case .standardInput: break
    }
  }

  /// The program of a command, and the certificate file of a server's options.
  private func checkPlugIn(_ name: String) {
    if let line = PlugIns.commandLine(name) {
      if let fault = Self.fault(ofProgramIn: line, plugIn: name) { faults.append(fault) }
      return
    }
    guard let plugIn = try? PlugInName(name), let file = plugIn["ca"] else { return }
    note { _ = try Files.read(file) }
  }

  /// The first word of a shell command if it is the plain name or path of a program.
  private static func program(in line: String) -> String? {
    guard let word = line.split(whereSeparator: \.isWhitespace).first else { return nil }
    let isPlain = word.unicodeScalars.allSatisfy {
      $0.properties.isAlphabetic || ("0"..."9").contains($0) || "_./-+".unicodeScalars.contains($0)
    }
    return isPlain ? String(word) : nil
  }

  /// Why the first word of a shell command cannot be run; nil if it can, or is no plain name or path.
  package static func fault(ofProgramIn line: String, plugIn: String) -> ServiceFault? {
    guard let program = program(in: line) else { return nil }
    if program.contains("/"), Files.exists(program) {
      let isExecutable = access(program, X_OK) == 0 && !Files.isDirectory(program)
      return isExecutable ? nil : .notExecutable(program, plugIn: plugIn)
    }
    let result = try? Subprocess(["/bin/sh", "-c", "command -v \"$0\"", program]).run(timeout: 5)
    return result?.ending == .exited(0) ? nil : .noProgram(program, plugIn: plugIn)
  }

  /// Whether `folder` can be written to, or created.
  package static func isWritable(_ folder: String) -> Bool {
    var folder = folder
    while !Files.exists(folder) {
      guard let slash = folder.lastIndex(of: "/") else { return access(".", W_OK | X_OK) == 0 }
      folder = slash == folder.startIndex ? "/" : String(folder[..<slash])
    }
    return Files.isDirectory(folder) && access(folder, W_OK | X_OK) == 0
  }

  /// Calls `body` and collects its fault.
  @discardableResult
  private func note<Value>(_ body: () throws -> Value) -> Value? {
    do {
      return try body()
    } catch let fault as any Fault {
      for fault in fault.allOfInput() where !faults.contains(where: { $0.message == fault.message }) {
        faults.append(fault)
      }
    } catch {
      fatalError("unexpected fault: \(error)")
    }
    return nil
  }
}
