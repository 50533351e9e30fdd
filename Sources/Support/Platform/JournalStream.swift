import Glibc

/// Detects systemd's journal, which `$JOURNAL_STREAM` names as `DEVICE:INODE` (systemd.exec(5)).
package enum JournalStream {
  /// Whether standard error goes directly to the journal.
  package static var isStandardError: Bool {
    guard let stream = getenv("JOURNAL_STREAM") else { return false }
    return names(String(cString: stream), STDERR_FILENO)
  }

  /// Whether `stream` is the device and the inode of `descriptor`.
  package static func names(_ stream: String, _ descriptor: Int32) -> Bool {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return false }
    return stream == "\(status.st_dev):\(status.st_ino)"
  }
}
