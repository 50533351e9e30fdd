import Testing

@testable import Platform

@Suite struct LoadedCodeTests {
  private static let mappings = """
    55d0c0000000-55d0c0a00000 r--p 00000000 fe:00 1234                       /usr/bin/hotword
    Size:              10240 kB
    Private_Dirty:         0 kB
    VmFlags: rd mr mw me
    55d0c0a00000-55d0c2000000 r-xp 00a00000 fe:00 1234                       /usr/bin/hotword
    Private_Clean:      9000 kB
    Private_Dirty:         0 kB
    55d0c2000000-55d0c2100000 r--p 02000000 fe:00 1234                       /usr/bin/hotword
    Private_Dirty:       448 kB
    55d0c2100000-55d0c2200000 rw-p 02100000 fe:00 1234                       /usr/bin/hotword
    Private_Dirty:         0 kB
    55d0c3000000-55d0c3100000 r--p 00000000 00:00 0 
    Private_Dirty:         0 kB
    7ffc00000000-7ffc00002000 r-xp 00000000 00:00 0                          [vdso]
    Private_Dirty:         0 kB
    7f0000000000-7f0000001000 r-xp 00001000 fe:00 99                         /usr/lib/a name with spaces.so
    Private_Dirty:         0 kB
    """

  @Test func onlyFilesThatAreNotWritableAndNotModifiedAreReleased() {
    #expect(
      LoadedCode.unmodified(in: Array(Self.mappings.utf8)) == [
        0x55d0_c000_0000..<0x55d0_c0a0_0000, 0x55d0_c0a0_0000..<0x55d0_c200_0000,
        0x7f00_0000_0000..<0x7f00_0000_1000,
      ])
  }

  @Test func linesThatAreNoMappingsAreIgnored() {
    #expect(
      LoadedCode.unmodified(in: Array("x-y r-xp 0 0 0 /a\nPrivate_Dirty: 0 kB\n5-4 r-xp 0 0 0 /a\n".utf8))
        .isEmpty)
  }

  @Test func theProgramRunsOnAfterItsCodeWasReleased() {
    let before = "\(JSON.array([.string("a"), .number(1)]))"
    LoadedCode.release()
    #expect("\(JSON.array([.string("a"), .number(1)]))" == before)
  }
}
