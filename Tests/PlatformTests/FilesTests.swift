import Glibc
import Platform
import TestServers
import Testing

/// A new empty folder below the system's temporary one.
private func temporaryFolder() -> String {
  PythonServer.temporaryFolder("files")
}

@Suite(.limited) struct FilesTests {
  @Test func writingReplacesTheFileAndLeavesNothingElse() throws {
    let folder = temporaryFolder()
    let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0) }
    try Files.write([1, 2], to: "\(folder)/a.bin")
    try Files.write(bytes, to: "\(folder)/a.bin")
    #expect(try Files.read("\(folder)/a.bin") == bytes)
    #expect(try Files.list(below: folder) == ["\(folder)/a.bin"])
  }

  /// A crash leaves the temporary file; in a container the next process has the same number.
  @Test func aTemporaryFileLeftByACrashDoesNotBlockWrites() throws {
    let path = "\(temporaryFolder())/a.bin"
    close(open("\(path).\(getpid()).partial", O_WRONLY | O_CREAT, 0o644))
    try Files.checkWritable(path)
    try Files.write([1, 2], to: path)
    #expect(try Files.read(path) == [1, 2])
  }

  @Test func aTildeIsTheHomeFolder() {
    func expanded(_ path: String) -> String {
      UserFolders.expanded(path) { $0 == "HOME" ? "/home/ann" : nil }
    }
    #expect(expanded("~/clips") == "/home/ann/clips" && expanded("~") == "/home/ann")
    #expect(expanded("/a/~/b") == "/a/~/b" && expanded("~ann/b") == "~ann/b")
  }

  @Test func readingRejectsFilesOverTheLimit() throws {
    let path = "\(temporaryFolder())/a.bin"
    try Files.write([1, 2, 3], to: path)
    #expect(throws: SystemFault.tooLarge(path: path, limit: 2)) { try Files.read(path, limit: 2) }
  }

  @Test func pipesAreReadToTheirEndAndDevicesToALimit() throws {
    let path = "\(temporaryFolder())/pipe"
    try #require(mkfifo(path, 0o600) == 0)
    let writer = open(path, O_RDWR)
    write(writer, "abc", 3)
    try DetachedThread.start {
      usleep(200_000)
      close(writer)
    }
    #expect(try Files.read(path) == Array("abc".utf8))
    #expect(throws: SystemFault.cannotRead(path: path, code: ETIMEDOUT)) { try Files.read(path) }
    #expect(throws: SystemFault.tooLarge(path: "/dev/zero", limit: 16 << 20)) { try Files.read("/dev/zero") }
    #expect(try Files.read("/dev/null") == [])
  }

  @Test func faultsStatePathAndReason() {
    let fault = thrown(SystemFault.self) { try Files.read("/nonexistent/x") }
    #expect(fault?.message == "/nonexistent/x: cannot be read: no such file or directory")
    #expect(fault?.exitCode == .noInput)
    #expect(throws: SystemFault.cannotWrite(path: "/nonexistent/x", code: ENOENT)) {
      try Files.checkWritable("/nonexistent/x")
    }
    #expect(throws: SystemFault.cannotWrite(path: "/tmp", code: EISDIR)) { try Files.checkWritable("/tmp") }
  }

  @Test func listsAreRecursiveAndSorted() throws {
    let folder = temporaryFolder()
    mkdir("\(folder)/b", 0o755)
    try Files.write([], to: "\(folder)/b/c")
    try Files.write([], to: "\(folder)/a")
    try Files.write([], to: "\(folder)/.hidden")
    mkfifo("\(folder)/d", 0o600)
    symlink("/dev/zero", "\(folder)/e")
    #expect(try Files.list(below: folder) == ["\(folder)/a", "\(folder)/b/c"])
    #expect(try Files.names(in: folder) == ["a", "b", "d", "e"])
  }

  @Test func creatingAFolderCreatesItsParents() throws {
    let folder = temporaryFolder()
    try Files.createFolder("\(folder)/a/b/c", mode: 0o700)
    try Files.createFolder("\(folder)/a/b/c")
    var status = stat()
    stat("\(folder)/a/b", &status)
    #expect(status.st_mode & 0o777 == 0o700)
    try Files.write([], to: "\(folder)/file", mode: 0o600)
    stat("\(folder)/file", &status)
    #expect(status.st_mode & 0o777 == 0o600)
    #expect(throws: SystemFault.cannotWrite(path: "\(folder)/file", code: ENOTDIR)) {
      try Files.createFolder("\(folder)/file/below")
    }
  }
}

@Suite(.limited) struct RandomSourceTests {
  @Test func equalSeedsGiveEqualSequences() {
    var a = RandomSource(seed: 7)
    var b = RandomSource(seed: 7)
    #expect((0..<100).allSatisfy { _ in a.next() == b.next() })
  }

  /// The first outputs of the reference implementation by Vigna for seed 1234567.
  @Test func itIsSplitMix64() {
    var source = RandomSource(seed: 1_234_567)
    #expect(source.next() == 6_457_827_717_110_365_317)
    #expect(source.next() == 3_203_168_211_198_807_973)
  }

  @Test func uniformNumbersFillTheirRange() {
    var source = RandomSource(seed: 2)
    let values = (0..<100_000).map { _ in source.uniform(-2...4) }
    #expect(values.min()! >= -2 && values.max()! <= 4)
    let mean = values.reduce(0, +) / 100_000
    #expect(abs(mean - 1) < 0.03)
  }

  @Test func streamsDifferAndDoNotDependOnOrder() {
    let source = RandomSource(seed: 5)
    var first = source.stream(1)
    var second = source.stream(2)
    var again = source.stream(1)
    let value = first.next()
    #expect(value != second.next())
    #expect(value == again.next())
  }
}
