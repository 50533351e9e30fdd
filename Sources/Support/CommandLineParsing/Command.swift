/// A command of a program: what it takes, and what it does.
public protocol Command {
  static var definition: CommandDefinition { get }

  /// Performs the command.
  ///
  /// - Throws: a `Fault`, whose message is printed and whose exit code ends the process.
  static func run(_ arguments: Arguments) throws
}

extension Command {
  public static var name: String { definition.name }
}
