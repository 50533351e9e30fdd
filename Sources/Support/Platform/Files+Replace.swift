import Glibc

extension Files {
  /// Replaces the contents of an existing file: a reader sees the old file or the whole new one.
  ///
  /// Links are followed. Mode and owner stay, and the old file is kept with the suffix `.bak`, in place of an earlier one.
  ///
  /// - Throws: ``SystemFault/cannotWrite(path:code:)``, also if the owner cannot be kept; then nothing has changed.
  public static func replace(_ path: String, with bytes: [UInt8]) throws(SystemFault) {
    var status = stat()
    guard let resolved = realpath(path, nil) else { throw .cannotWrite(path: path, code: errno) }
    defer { free(resolved) }
    let target = String(cString: resolved)
    guard stat(target, &status) == 0 else { throw .cannotWrite(path: path, code: errno) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .cannotWrite(path: path, code: EINVAL) }
    let (descriptor, temporary) = try createTemporary(beside: target, mode: 0o600)
    var code: Int32 = 0
    var own = stat()
    func attempt(_ isDone: Bool) {
      if code == 0, !isDone { code = errno }
    }
    attempt(fstat(descriptor, &own) == 0)
    if own.st_uid != status.st_uid || own.st_gid != status.st_gid {
      attempt(fchown(descriptor, status.st_uid, status.st_gid) == 0)
    }
    attempt(fchmod(descriptor, status.st_mode & 0o7777) == 0)
    if code == 0 { attempt(writeAll(bytes, to: descriptor) && fsync(descriptor) == 0) }
    attempt(close(descriptor) == 0)
    if code == 0 {
      unlink("\(target).bak")
      attempt(link(target, "\(target).bak") == 0)
    }
    if code == 0 { attempt(rename(temporary, target) == 0) }
    guard code == 0 else {
      unlink(temporary)
      throw .cannotWrite(path: path, code: code)
    }
  }
}
