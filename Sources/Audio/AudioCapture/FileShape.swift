import Glibc
import PCM
import Platform

/// Checks an audio file before it is decoded: it must exist and be complete.
///
/// libsndfile decodes a truncated WAV, AIFF or Ogg file without an error; the lengths in the container show it.
enum FileShape {
  /// Bytes read from the start: enough for the chunks before the samples.
  private static let headBytes = 1 << 16
  /// Bytes read from the end: an Ogg page has up to 65,307.
  private static let tailBytes = 1 << 17

  /// Throws a fault for a file that is missing, unreadable, a directory, empty or truncated.
  static func check(_ path: String) throws(CaptureFault) {
    var status = stat()
    guard stat(path, &status) == 0 else { throw fault(of: path, code: errno) }
    guard status.st_mode & S_IFMT != S_IFDIR else { throw .isDirectory(path: path) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw .notAudio(path: path, reason: "a pipe or a device, where a file is needed")
    }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw fault(of: path, code: errno) }
    defer { close(descriptor) }
    let size = Int(status.st_size)
    guard size > 0 else { throw .empty(path: path) }
    let head = try read(descriptor, path, at: 0, count: min(size, headBytes))
    if head.starts(with: "RIFF".utf8) || head.starts(with: "RF64".utf8) {
      try checkWAV(head, path, size)
    } else if head.starts(with: "FORM".utf8), head.count >= 12 {
      let promised = head[4..<8].reduce(0) { $0 << 8 | Int($1) } + 8
      guard promised <= size || promised >= 0x7FFF_0000 else {
        throw .truncated(path: path, reason: "\(size) of \(promised) bytes")
      }
    } else if head.starts(with: "OggS".utf8) {
      let start = max(0, size - tailBytes)
      let tail = try read(descriptor, path, at: start, count: size - start)
      guard oggEnds(tail) else { throw .truncated(path: path, reason: "its last Ogg page is missing") }
    }
  }

  /// Whether `path` is a pipe, a socket or a device: it has no length and cannot be opened twice.
  static func isStream(_ path: String) -> Bool {
    var status = stat()
    guard stat(path, &status) == 0 else { return false }
    return [S_IFIFO, S_IFCHR, S_IFSOCK].contains(status.st_mode & S_IFMT)
  }

  /// Whether `path` is a device: it may never end.
  static func isDevice(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFCHR
  }

  /// The fault for a path that could not be opened.
  static func fault(of path: String, code: Int32) -> CaptureFault {
    code == ENOENT || code == ENOTDIR ? .noSuchFile(path: path) : .cannotRead(path: path, code: code)
  }

  private static func checkWAV(_ head: [UInt8], _ path: String, _ size: Int) throws(CaptureFault) {
    let decoded: (header: WAVHeader, offset: Int)?
    do {
      decoded = try WAVHeader.decode(head)
    } catch {
      return  // libsndfile may support this encoding
    }
    guard let decoded else {
      guard head.count < size else { throw .truncated(path: path, reason: "it ends in its header") }
      return
    }
    guard let length = decoded.header.dataLength else {
      if decoded.offset == size { throw .empty(path: path) }
      return
    }
    guard length <= size - decoded.offset else {
      throw .truncated(path: path, reason: "\(size - decoded.offset) of \(length) bytes of samples")
    }
  }

  /// Whether `tail` ends with a complete Ogg page that is marked as the last one (RFC 3533, section 6).
  private static func oggEnds(_ tail: [UInt8]) -> Bool {
    var start = tail.count - 27
    while start >= 0 {
      if tail[start] == 0x4F, tail[start...].starts(with: "OggS".utf8) {
        let segments = Int(tail[start + 26])
        let body = start + 27 + segments
        if body <= tail.count {
          let end = body + tail[(start + 27)..<body].reduce(0) { $0 + Int($1) }
          if end <= tail.count, tail[start + 5] & 4 != 0 { return true }
        }
      }
      start -= 1
    }
    return false
  }

  private static func read(
    _ descriptor: Int32, _ path: String, at offset: Int, count: Int
  ) throws(CaptureFault) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var done = 0
    while done < count {
      let got = bytes.withUnsafeMutableBytes {
        pread(descriptor, $0.baseAddress! + done, count - done, off_t(offset + done))
      }
      if got < 0, errno == EINTR { continue }
      guard got >= 0 else { throw .cannotRead(path: path, code: errno) }
      if got == 0 { break }
      done += got
    }
    bytes.removeSubrange(done...)
    return bytes
  }
}
