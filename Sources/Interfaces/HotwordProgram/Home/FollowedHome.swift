import CommandLineParsing
import HomeAssistant
import Platform
import Synchronization
import Understanding

/// A home whose names a server follows: read when it starts, and again whenever one changes.
///
/// The last intents are stored, for when Home Assistant starts later than the server.
final class FollowedHome: Sendable {
  private let source: HomeSource
  private let path: String
  private let state = Mutex(State())

  private struct State {
    /// The intents that are in use.
    var text = ""
    var isLost = false
  }

  private static let folder = "homes"

  static let option = CommandDefinition.Option.value(
    "--homeassistant", "URL",
    "the address of Home Assistant, such as http://homeassistant.local:8123: understand the names of its home, also after they change"
  )
  private static let others = ["--key", "--language", "--sentences", "--custom-sentences"]

  /// Nil without `--homeassistant`.
  init?(_ arguments: Arguments, command: String) throws {
    guard arguments.has("--homeassistant") else {
      if let option = Self.others.first(where: { arguments.has($0) }) {
        throw UsageFault.incomplete(option: option, others: ["--homeassistant"], command: command)
      }
      return nil
    }
    for (option, reason) in [
      ("--intents", "the intents are those of the home; give your own sentences with --custom-sentences"),
      ("--wake-only", "then nothing is understood"),
    ] where arguments.has(option) {
      throw UsageFault.conflict("--homeassistant", option, reason: reason, command: command)
    }
    source = try HomeSource(arguments, address: "--homeassistant", command: command)
    path = UserFolders.data("\(Self.folder)/\(source.address.peer).yaml")
  }

  /// The intents of the home now, else the stored ones.
  ///
  /// - Returns: nil if Home Assistant cannot be reached and nothing is stored.
  /// - Throws: a fault that waiting does not mend, such as a wrong key.
  func first() throws -> IntentFile? {
    // Before the home, because missing sentences are told even if Home Assistant cannot be reached.
    let sentences = try source.sentences()
    let home: Home
    do throws(HomeAssistantFault) {
      home = try source.connect().home()
    } catch {
      switch error {
      case .network, .starting:
        lost(error)
        return stored()
      default: throw error
      }
    }
    let intents = try source.intents(of: home, sentences, name: name)
    take(intents)
    return intents.file
  }

  /// Calls `deliver` with the intents whenever they have changed, on a thread of its own.
  func follow(_ deliver: @escaping @Sendable (IntentFile) throws -> Void) throws {
    try HomeWatcher(connect: source.connect).start { home in
      do {
        let intents = try self.source.intents(of: home, self.source.sentences(), name: self.name)
        if intents.text != self.state.withLock({ $0.text }) {
          try deliver(intents.file)
          self.take(intents)
        }
        self.regained()
      } catch {
        Log.warning("\(self.peer): its names are not taken over: \(error)")
      }
    } report: {
      self.lost($0)
    }
  }

  private var peer: String { source.address.peer }
  private var name: String { "the intents of \(peer)" }

  private func lost(_ fault: HomeAssistantFault) {
    let wasLost = state.withLock { state in
      defer { state.isLost = true }
      return state.isLost
    }
    if !wasLost { Log.warning("\(fault.message); retrying") }
  }

  private func regained() {
    let wasLost = state.withLock { state in
      defer { state.isLost = false }
      return state.isLost
    }
    if wasLost { Log.note("\(peer) answers again") }
  }

  /// Tells and stores the intents that are in use from now on.
  private func take(_ intents: HomeSource.Intents) {
    state.withLock { $0.text = intents.text }
    Log.note("\(peer): \(intents.summary)")
    store(intents.text)
  }

  private func store(_ text: String) {
    do throws(SystemFault) {
      try Files.createFolder(UserFolders.data(Self.folder), mode: 0o700)
      try Files.write(Array(text.utf8), to: path, mode: 0o600)
    } catch {
      Log.warning("\(error.message); the names of the home are not there if Home Assistant starts later")
    }
  }

  private func stored() -> IntentFile? {
    guard Files.exists(path) else { return nil }
    do {
      let bytes = try Files.read(path)
      let file = try IntentFile(parsing: bytes, name: path)
      _ = try Understander(file)
      state.withLock { $0.text = String(decoding: bytes, as: UTF8.self) }
      Log.note("using the names of the home that were stored in \(path)")
      return file
    } catch {
      Log.warning("\(error); using the built-in sentences until Home Assistant answers")
      return nil
    }
  }
}
