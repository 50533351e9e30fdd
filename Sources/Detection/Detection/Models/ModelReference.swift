/// A model on the command line: a name or a path, with or without a sensitivity, as in `computer:0.7`.
public struct ModelReference: Sendable, Equatable {
  /// A model's name, or the path of its file.
  public let name: String
  /// nil if there is none.
  public let sensitivity: Sensitivity?

  public init(name: String, sensitivity: Sensitivity? = nil) {
    self.name = name
    self.sensitivity = sensitivity
  }

  /// Splits `text` at its last colon; the rest must be a number, unless the whole is a path.
  ///
  /// - Throws: ``DetectionFault/badSensitivity(text:)``.
  public init(_ text: String) throws(DetectionFault) {
    guard let colon = text.lastIndex(of: ":") else {
      self.init(name: text)
      return
    }
    let suffix = String(text[text.index(after: colon)...])
    guard let value = Double(suffix) else {
      guard suffix.contains("/") || suffix.hasSuffix(ModelStore.suffix) else {
        throw .badSensitivity(text: text)
      }
      self.init(name: text)
      return
    }
    guard (0...1).contains(value) else { throw .badSensitivity(text: text) }
    self.init(name: String(text[..<colon]), sensitivity: try Sensitivity(value))
  }

  /// Whether ``name`` is a path: it has a slash or a model file's suffix.
  public var isPath: Bool { name.contains("/") || name.hasSuffix(ModelStore.suffix) }
}
