import Glibc
import Platform

/// The name of an audio input, as users write it.
public enum InputName: Sendable, Equatable, CustomStringConvertible {
  /// `alsa:NAME`.
  case alsa(String)
  /// A path.
  case file(String)
  /// `-`.
  case standardInput

  /// Parses `alsa:NAME`, `-` or a path (`./alsa:x` for a file with such a name).
  ///
  /// - Throws: ``CaptureFault/badInputName(text:)`` for empty names.
  public init(_ text: String) throws(CaptureFault) {
    guard !text.isEmpty, text != "alsa:" else { throw .badInputName(text: text) }
    if text == "-" {
      self = .standardInput
    } else if text.hasPrefix("alsa:") {
      self = .alsa(String(text.dropFirst(5)))
    } else {
      self = .file(text)
    }
  }

  /// As users write it.
  public var description: String {
    switch self {
    case .alsa(let name): "alsa:\(name)"
    case .file(let path): path
    case .standardInput: "-"
    }
  }

  /// Opens the input.
  ///
  /// - Parameters:
  ///   - paced: whether a file or standard input is read in real time; devices always are.
  ///   - channel: the only channel to use, counted from zero; nil for the mean of all.
  /// - Throws: ``CaptureFault`` if the input cannot be opened.
  public func open(paced: Bool = false, channel: Int? = nil) throws(CaptureFault) -> any AudioSource {
    let source: any AudioSource
    switch self {
    case .alsa(let name): return try LiveSource(device: name, channel: channel)
    case .file(let path): source = try AudioFile.open(path, channel: channel)
    case .standardInput: source = PipeSource(STDIN_FILENO, channel: channel)
    }
    return paced ? try PacedSource(source) : source
  }
}
