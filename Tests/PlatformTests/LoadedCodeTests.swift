import Testing

@testable import Platform

@Suite struct LoadedCodeTests {
  /// Lines of a mapping, as in `/proc/PID/smaps`.
  private static func mapping(_ line: String, resident: Int = 8, anonymous: Int = 0, swap: Int = 0) -> String
  {
    """
    \(line)
    Size:              10240 kB
    Rss:            \(resident) kB
    Shared_Dirty:          0 kB
    Private_Dirty:         0 kB
    Anonymous:      \(anonymous) kB
    Swap:           \(swap) kB
    VmFlags: rd mr mw me

    """
  }

  private func released(_ mappings: String...) -> [Range<UInt>] {
    LoadedCode.unmodified(in: Array(mappings.joined().utf8))
  }

  @Test func onlyFilesThatAreNotWritableAreReleased() {
    #expect(
      released(
        Self.mapping(
          "55d0c0000000-55d0c0a00000 r--p 00000000 fe:00 1234                       /usr/bin/hotword"),
        Self.mapping(
          "55d0c0a00000-55d0c2000000 r-xp 00a00000 fe:00 1234                       /usr/bin/hotword"),
        Self.mapping(
          "55d0c2100000-55d0c2200000 rw-p 02100000 fe:00 1234                       /usr/bin/hotword"),
        Self.mapping("55d0c3000000-55d0c3100000 r--p 00000000 00:00 0 "),
        Self.mapping("7ffc00000000-7ffc00002000 r-xp 00000000 00:00 0                          [vdso]"),
        Self.mapping("7f0000000000-7f0000001000 r-xp 00001000 fe:00 99        /usr/lib/a name with spaces.so")
      ) == [
        0x55d0_c000_0000..<0x55d0_c0a0_0000, 0x55d0_c0a0_0000..<0x55d0_c200_0000,
        0x7f00_0000_0000..<0x7f00_0000_1000,
      ])
  }

  @Test func whatTheLoaderWroteIsKeptInMemoryAndOnSwapSpace() {
    let line = "1000-2000 r--p 02000000 fe:00 1234 /usr/bin/hotword"
    #expect(released(Self.mapping(line)) == [0x1000..<0x2000])
    #expect(released(Self.mapping(line, anonymous: 448)) == [])
    #expect(released(Self.mapping(line, swap: 448)) == [])
  }

  @Test func lockedMemoryIsFound() {
    let mapping = Self.mapping("1000-2000 rw-p 0 0 0 ")
    #expect(!LoadedCode.hasLocked(in: Array((mapping + "Locked:                0 kB\n").utf8)))
    #expect(LoadedCode.hasLocked(in: Array((mapping + "Locked:               32 kB\n" + mapping).utf8)))
    #expect(!LoadedCode.hasLocked(in: Array((mapping + "Locked:\n").utf8)))
  }

  @Test func mappingsOfWhichNothingIsKnownAreKept() {
    #expect(released(Self.mapping("1000-2000 r--p 02000000 fe:00 1234 /usr/bin/hotword", resident: 0)) == [])
    #expect(released("1000-2000 r-xp 0 0 0 /a\nRss: 8 kB\nSwap: 0 kB\n") == [])
    #expect(released("1000-2000 r-xp 0 0 0 /a\nSize: 8 kB\n") == [])
  }

  @Test func linesThatAreNoMappingsAreIgnored() {
    #expect(released(Self.mapping("x-y r-xp 0 0 0 /a"), Self.mapping("5-4 r-xp 0 0 0 /a")) == [])
  }

  @Test func theProgramRunsOnAfterItsCodeWasReleased() {
    let before = "\(JSON.array([.string("a"), .number(1)]))"
    LoadedCode.release()
    #expect("\(JSON.array([.string("a"), .number(1)]))" == before)
  }
}
