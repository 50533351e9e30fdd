import Glibc

/// Detects systemd's journal, which `$JOURNAL_STREAM` names as `DEVICE:INODE` (systemd.exec(5)).
package enum JournalStream {
  /// Whether what is written to `descriptor` goes directly to the journal.
  package static func receives(_ descriptor: Int32) -> Bool {
    guard let stream = getenv("JOURNAL_STREAM") else { return false }
    return names(String(cString: stream), descriptor)
  }

  /// Whether `stream` is the device and the inode of `descriptor`.
  package static func names(_ stream: String, _ descriptor: Int32) -> Bool {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return false }
    return stream == "\(status.st_dev):\(status.st_ino)"
  }
}
