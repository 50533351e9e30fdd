import CSystem
import Glibc

/// The program that runs.
public enum Executable {
  /// The folder of its file, with links resolved; nil if the system does not tell.
  public static let folder: String? = {
    var buffer = [UInt8](repeating: 0, count: 4_096)
    let count = buffer.withUnsafeMutableBytes {
      readlink("/proc/self/exe", $0.baseAddress!.assumingMemoryBound(to: CChar.self), $0.count)
    }
    guard count > 0 else { return nil }
    let path = String(decoding: buffer.prefix(count), as: UTF8.self)
    return path.lastIndex(of: "/").map { String(path[..<$0]) }
  }()

  /// The checkout in whose `.build` the program is; nil for an installed one.
  ///
  /// - Parameter folder: the folder of the program.
  public static func checkout(of folder: String? = Executable.folder) -> String? {
    folder?.firstRange(of: "/.build/").map { String(folder![..<$0.lowerBound]) }
  }

  /// The folder of the file with this code, the program or a library; nil if the system does not tell.
  private static let codeFolder: String? = {
    guard let file = system_code_file() else { return nil }
    let path = String(cString: file)
    return path.hasPrefix("/") ? path.lastIndex(of: "/").map { String(path[..<$0]) } : nil
  }()

  /// The folder `share/hotword` beside the program's `bin`, or the library's `lib`; nil if it is not installed in this way.
  public static func sharedFolder() -> String? {
    for folder in [folder, codeFolder].compactMap(\.self) {
      let parts = folder.split(separator: "/")
      for count in [1, 2] where parts.count >= count {
        let shared = (parts.dropLast(count).map { "/\($0)" } + ["/share/hotword"]).joined()
        if Files.isDirectory(shared) { return shared }
      }
    }
    return nil
  }
}
