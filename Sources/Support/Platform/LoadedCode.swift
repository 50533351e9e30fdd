import Glibc

/// The program's and its libraries' code and constants that are in memory.
public enum LoadedCode {
  /// Removes them from the process's resident memory; what is used again is mapped again, from the page cache.
  ///
  /// A start touches several megabytes that no later moment needs. Call it once, when the service is ready. Memory that the process has
  /// locked is unlocked for that moment, and what was freed of it is returned to the system too. Not safe on the audio thread.
  public static func release() {
    guard let text = try? Files.read("/proc/self/smaps", limit: 4 << 20) else { return }
    let isLocked = hasLocked(in: text)
    if isLocked { munlockall() }
    for range in unmodified(in: text) {
      madvise(UnsafeMutableRawPointer(bitPattern: range.lowerBound), range.count, MADV_DONTNEED)
    }
    guard isLocked else { return }
    FreedMemory.returnToSystem()
    if mlockall(Int32(MCL_CURRENT | MCL_ONFAULT)) != 0 {
      Log.warning(
        "memory cannot be locked again: \(systemReason(errno)); audio may be lost under load (raise LimitMEMLOCK)"
      )
    }
  }

  /// Whether a mapping in `text`, in the format of `/proc/PID/smaps`, has locked memory.
  static func hasLocked(in text: [UInt8]) -> Bool {
    text.split(separator: UInt8(ascii: "\n")).contains { line in
      let words = line.split(separator: UInt8(ascii: " "))
      return words.count > 1 && words[0].elementsEqual("Locked:".utf8) && !words[1].elementsEqual("0".utf8)
    }
  }

  /// Returns the address ranges of files' mappings in `text`, in the format of `/proc/PID/smaps`, that cannot be written and that are
  /// as in the file: releasing others would lose what the loader wrote into them.
  ///
  /// A page that was written is anonymous from then on, in memory or on swap space. A mapping without resident pages is left out: it
  /// has nothing to release, and QEMU's user emulation reports zeros for all mappings, also for those that were written.
  static func unmodified(in text: [UInt8]) -> [Range<UInt>] {
    var ranges: [Range<UInt>] = []
    var candidate: Range<UInt>?
    var isResident = false
    var isWritten = true
    for line in text.split(separator: UInt8(ascii: "\n")) {
      let words = line.split(separator: UInt8(ascii: " "))
      if let range = addresses(words[0]) {
        candidate = isReadOnlyFile(words) ? range : nil
        (isResident, isWritten) = (false, true)
      } else if let candidate, words.count > 1 {
        let isZero = words[1].elementsEqual("0".utf8)
        switch String(decoding: words[0], as: UTF8.self) {
        case "Rss:": isResident = !isZero
        case "Anonymous:": isWritten = !isZero
        case "Swap:": if isResident, !isWritten, isZero { ranges.append(candidate) }
        default: break
        }
      }
    }
    return ranges
  }

  /// Whether the words of a mapping's first line name a file, and permissions without writing.
  private static func isReadOnlyFile(_ words: [ArraySlice<UInt8>]) -> Bool {
    words.count > 5 && words[5].first == UInt8(ascii: "/") && !words[1].contains(UInt8(ascii: "w"))
  }

  /// Parses `START-END` in hexadecimal digits.
  private static func addresses(_ word: ArraySlice<UInt8>) -> Range<UInt>? {
    let ends = word.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard ends.count == 2, let start = UInt(String(decoding: ends[0], as: UTF8.self), radix: 16),
      let end = UInt(String(decoding: ends[1], as: UTF8.self), radix: 16), start < end
    else { return nil }
    return start..<end
  }
}
