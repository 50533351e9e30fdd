/// Synthetic speech of the program flite, which `make test` installs.
enum Flite {
  static let isThere = (try? Program.shell("command -v flite").code) == 0

  struct Failure: Error {
    let reason: String
  }

  /// Says `text`; returns the path of a new WAV file.
  static func say(_ text: String, voice: String = "slt") throws -> String {
    let path = "\(Program.temporaryFolder())/said.wav"
    let words = ["flite", "-voice", voice, "-t", text, "-o", path].map(Program.quoted)
    let outcome = try Program.shell(words.joined(separator: " "))
    guard outcome.code == 0 else { throw Failure(reason: outcome.errors) }
    return path
  }
}
