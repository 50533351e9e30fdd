import Glibc

/// The folders of the user who runs the program, after the XDG Base Directory Specification.
public enum UserFolders {
  /// Looks up a variable of the process's environment.
  public static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

  /// `$XDG_DATA_HOME/hotword/NAME`, or below `~/.local/share`.
  ///
  /// - Parameter environment: looks up `XDG_DATA_HOME` and `HOME`.
  public static func data(_ name: String, environment: (String) -> String? = variable) -> String {
    folder("XDG_DATA_HOME", ".local/share", environment) + "/hotword/" + name
  }

  /// `$XDG_CONFIG_HOME/hotword/NAME`, or below `~/.config`.
  ///
  /// - Parameter environment: looks up `XDG_CONFIG_HOME` and `HOME`.
  public static func configuration(_ name: String, environment: (String) -> String? = variable) -> String {
    folder("XDG_CONFIG_HOME", ".config", environment) + "/hotword/" + name
  }

  /// `path` with the user's home folder in place of a `~` at its beginning, which only a shell replaces otherwise.
  ///
  /// - Parameter environment: looks up `HOME`.
  public static func expanded(_ path: String, environment: (String) -> String? = variable) -> String {
    guard path == "~" || path.hasPrefix("~/") else { return path }
    return home(environment) + path.dropFirst()
  }

  private static func home(_ environment: (String) -> String?) -> String {
    environment("HOME").flatMap { $0.hasPrefix("/") ? $0 : nil } ?? registeredHome
  }

  /// The specification ignores relative paths.
  private static func folder(
    _ variable: String, _ standard: String, _ environment: (String) -> String?
  ) -> String {
    if let folder = environment(variable), folder.hasPrefix("/") { return folder }
    let base = home(environment)
    return base == "/" ? "/\(standard)" : "\(base)/\(standard)"
  }

  /// The home folder in the system's list of users: of a service that was started without `HOME`.
  private static var registeredHome: String {
    getpwuid(getuid()).flatMap { $0.pointee.pw_dir }.map { String(cString: $0) } ?? "/"
  }
}
