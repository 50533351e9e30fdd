import Glibc

/// Reads and writes whole files: reads are bounded, writes are atomic.
public enum Files {
  /// The maximum size of a pipe's or a device's contents.
  private static let streamLimit = 16 << 20
  /// Milliseconds that a pipe or a device may take for its next bytes.
  private static let streamTimeout: Int32 = 5_000

  /// The bytes of the file at `path`. A pipe or a device must end after at most 16 MiB and never be silent for 5 s.
  ///
  /// - Parameter limit: the maximum size in bytes.
  /// - Throws: ``SystemFault/cannotRead(path:code:)`` or ``SystemFault/tooLarge(path:limit:)``.
  public static func read(_ path: String, limit: Int = 256 << 20) throws(SystemFault) -> [UInt8] {
    // Without O_NONBLOCK a pipe that nobody writes to would not even open.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw .cannotRead(path: path, code: errno) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .cannotRead(path: path, code: errno) }
    guard status.st_mode & S_IFMT != S_IFDIR else { throw .cannotRead(path: path, code: EISDIR) }
    let isStream = status.st_mode & S_IFMT != S_IFREG
    let limit = isStream ? min(limit, streamLimit) : limit
    guard status.st_size <= limit else { throw .tooLarge(path: path, limit: limit) }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Int(status.st_size) + 1)
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      if isStream, !hasBytes(descriptor) { throw .cannotRead(path: path, code: ETIMEDOUT) }
      let count = Glibc.read(descriptor, &chunk, chunk.count)
      if count < 0 {
        if errno == EINTR || isStream && errno == EAGAIN { continue }
        throw .cannotRead(path: path, code: errno)
      }
      if count == 0 { return bytes }
      guard bytes.count + count <= limit else { throw .tooLarge(path: path, limit: limit) }
      bytes.append(contentsOf: chunk[..<count])
    }
  }

  /// Waits until a pipe or a device has bytes, or has ended.
  private static func hasBytes(_ descriptor: Int32) -> Bool {
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&request, 1, streamTimeout) != 0
  }

  /// The first `count` bytes of the file at `path`: fewer if it is shorter, none if it cannot be read.
  public static func head(_ path: String, count: Int) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return [] }
    defer { close(descriptor) }
    return [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      filled = max(0, Glibc.read(descriptor, buffer.baseAddress, count))
    }
  }

  /// Writes `bytes` to `path` atomically: a reader sees the old file or the whole new one.
  ///
  /// - Parameter mode: the file's permissions, before the process's mask.
  public static func write(
    _ bytes: [UInt8], to path: String, mode: mode_t = 0o644
  ) throws(SystemFault) {
    let (descriptor, temporary) = try createTemporary(beside: path, mode: mode)
    var code: Int32 = 0
    if !writeAll(bytes, to: descriptor) || fsync(descriptor) != 0 { code = errno }
    if close(descriptor) != 0, code == 0 { code = errno }
    if code == 0, rename(temporary, path) != 0 { code = errno }
    guard code == 0 else {
      unlink(temporary)
      throw .cannotWrite(path: path, code: code)
    }
  }

  /// The space that ``checkWritable(_:)`` asks for, in bytes: more than any model or report needs.
  private static let checkedSpace = 8 << 20

  /// Throws the fault that `write(_:to:)` would throw for 8 MiB, so that a long computation does not end with it.
  public static func checkWritable(_ path: String) throws(SystemFault) {
    var status = stat()
    if stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
      throw .cannotWrite(path: path, code: EISDIR)
    }
    let (descriptor, temporary) = try createTemporary(beside: path, mode: 0o644)
    let code = posix_fallocate(descriptor, 0, checkedSpace)
    close(descriptor)
    unlink(temporary)
    if [ENOSPC, EDQUOT, EFBIG].contains(code) { throw .cannotWrite(path: path, code: code) }
  }

  /// Creates an empty file in the folder of `path`. Its name is random: a name that an earlier process with the same number
  /// could have left behind would make every later write fail.
  static func createTemporary(
    beside path: String, mode: mode_t
  ) throws(SystemFault) -> (descriptor: Int32, path: String) {
    var random = SystemRandomNumberGenerator()
    while true {
      let temporary = "\(path).\(String(random.next(), radix: 36)).partial"
      let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
      if descriptor >= 0 { return (descriptor, temporary) }
      guard errno == EEXIST else { throw .cannotWrite(path: path, code: errno) }
    }
  }

  /// The path with symbolic links resolved; the path itself if that fails.
  public static func resolved(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }

  /// The path of a folder without the slashes at its end.
  package static func withoutTrailingSlashes(_ path: String) -> String {
    var path = path
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    return path
  }

  /// Whether `path` exists.
  public static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  /// Whether `path` is not a regular file: a folder, a device, or a pipe that may never end.
  public static func isSpecial(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
  }

  /// Whether `path` is a folder.
  public static func isDirectory(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// Creates the folder at `path` and its missing parents; an existing folder stays unchanged.
  ///
  /// - Parameter mode: the permissions of new folders, before the process's mask.
  public static func createFolder(_ path: String, mode: mode_t = 0o755) throws(SystemFault) {
    if isDirectory(path) { return }
    if let slash = path.lastIndex(of: "/"), slash != path.startIndex {
      try createFolder(String(path[..<slash]), mode: mode)
    }
    guard mkdir(path, mode) != 0 else { return }
    let code = errno
    if !isDirectory(path) { throw .cannotWrite(path: path, code: code == EEXIST ? ENOTDIR : code) }
  }

  /// The names in `folder` without hidden ones, sorted by their bytes.
  public static func names(in folder: String) throws(SystemFault) -> [String] {
    guard let directory = opendir(folder) else { throw .cannotRead(path: folder, code: errno) }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// The paths of all regular files below `folder`, sorted by their bytes; links are followed.
  public static func list(below folder: String) throws(SystemFault) -> [String] {
    var paths: [String] = []
    for name in try names(in: folder) {
      let path = "\(folder)/\(name)"
      if isDirectory(path) {
        paths += try list(below: path)
      } else if !isSpecial(path) {
        paths.append(path)
      }
    }
    return paths.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }
}

/// Writes all of `bytes` to an open descriptor, retrying interrupted and partial writes.
///
/// - Returns: false, with `errno` set, on an error.
public func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
  bytes.withUnsafeBytes { buffer in
    var offset = 0
    while offset < buffer.count {
      let count = Glibc.write(descriptor, buffer.baseAddress! + offset, buffer.count - offset)
      if count < 0 {
        if errno == EINTR { continue }
        return false
      }
      offset += count
    }
    return true
  }
}
