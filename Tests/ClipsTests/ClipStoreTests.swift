import AudioCapture
import Clips
import Glibc
import Platform
import TestServers
import Testing

@Suite(.limited) struct ClipStoreTests {
  /// A store in a folder that does not stand yet.
  private let store = ClipStore(folder: PythonServer.temporaryFolder("clips") + "/home/clips/")
  private let samples = (0..<48_000).map { Int16(truncatingIfNeeded: $0 &* 7_919) }

  private func clip(_ second: Int, _ kind: Clip.Kind = .wake, keyword: String = "computer") -> Clip {
    Clip(time: ClipTime(milliseconds: second * 1_000), keyword: keyword, kind: kind, score: 0.75)
  }

  private func save(_ seconds: Range<Int>, _ kind: Clip.Kind = .wake, limit: ClipLimit = .standard) throws {
    for second in seconds { try store.save(samples, as: clip(second, kind), limit: limit) }
  }

  private func mode(_ path: String) -> mode_t {
    var status = stat()
    stat(path, &status)
    return status.st_mode & 0o777
  }

  @Test func aClipIsItsSamplesForTheOwnersEyesAlone() throws {
    try store.prepare()
    #expect(try store.all().isEmpty)
    try save(1..<2)
    let entry = try #require(try store.all().first)
    #expect(try AudioFile.read(entry.path) == samples)
    #expect(entry.size == 44 + 2 * samples.count)
    #expect(mode(entry.path) == 0o600)
    #expect(mode(store.folder) == 0o700)
    try store.label(entry, .falseAlarm)
    let labelled = try #require(try store.all().first)
    #expect(labelled.path == "\(store.folder)/computer/false-alarms/\(entry.clip.fileName)")
    #expect(mode("\(store.folder)/computer") == 0o700)
    #expect(try AudioFile.read(labelled.path) == samples)
    try store.unlabel(entry, .falseAlarm)
    #expect(try store.all().map(\.path) == [entry.path])
    #expect(throws: ClipFault.self) { try store.unlabel(entry, .falseAlarm) }
  }

  @Test func theOldestGoWhenTheLimitIsReached() throws {
    try save(1..<8, limit: .clips(3))
    #expect(try store.unlabelled().map(\.clip) == [clip(5), clip(6), clip(7)])
    try save(8..<30, limit: .megabytes(1))
    let kept = try store.unlabelled()
    #expect(kept.count == 10)
    #expect(kept.map(\.size).reduce(0, +) <= 1_000_000)
    #expect(kept.last?.clip == clip(29))
  }

  @Test func labelledClipsAndFilesOfOthersStay() throws {
    try save(1..<4)
    for entry in try store.unlabelled().prefix(2) { try store.label(entry, .wake) }
    try Files.write([1], to: "\(store.folder)/19690101T000000.000Z.wav")
    try Files.write([1], to: "\(store.folder)/notes.txt")
    symlink("notes.txt", "\(store.folder)/\(clip(0).fileName)")
    try save(4..<10, limit: .clips(2))
    #expect(try store.all().map(\.label) == [.wake, .wake, nil, nil])
    #expect(try store.unlabelled().map(\.clip) == [clip(8), clip(9)])
    #expect(try Files.names(in: store.folder).count == 6)
  }

  @Test func halfWrittenClipsOfAKilledServiceAreRemoved() throws {
    try store.prepare()
    let half = "\(store.folder)/\(clip(1).fileName).4711.partial"
    let being = "\(clip(2).fileName).4712.partial"
    try Files.write([1], to: half)
    try Files.write([1], to: "\(store.folder)/\(being)")
    try Files.write([1], to: "\(store.folder)/notes.wav.4711.partial")
    var old = [timespec(tv_sec: time(nil) - 100, tv_nsec: 0), timespec(tv_sec: time(nil) - 100, tv_nsec: 0)]
    #expect(utimensat(AT_FDCWD, half, &old, 0) == 0)
    #expect(try store.all().isEmpty)
    try store.prepare()
    #expect(
      try Set(Files.names(in: store.folder)) == ["notes.wav.4711.partial", being],
      "another writer may still be at work, for example the one before a reload")
  }

  @Test func aSecondLabelReplacesTheFirst() throws {
    try save(1..<2, .nearMiss)
    try store.label(try store.all()[0], .missed)
    try store.label(try store.all()[0], .rejection)
    #expect(try store.all().map(\.label) == [.rejection])
    let entry = try store.all()[0]
    #expect(throws: ClipFault.wrongLabel(.wake, file: entry.clip.fileName, kind: .nearMiss)) {
      try store.label(entry, .wake)
    }
  }

  @Test func aClipThatIsNotTheWordHasNobodysVoice() throws {
    try save(1..<2)
    try store.label(try store.all()[0], .wake)
    try store.setVoice("ann", of: try store.all()[0])
    #expect(store.voice(of: clip(1)) == "ann")
    try store.label(try store.all()[0], .falseAlarm)
    #expect(store.voice(of: clip(1)) == nil)
  }

  @Test func aClipIsNamedByTheBeginningOfItsName() throws {
    try store.save(samples, as: clip(1), limit: .standard)
    try store.save(samples, as: clip(1, keyword: "alexa"), limit: .standard)
    try store.save(samples, as: clip(2), limit: .standard)
    let entries = try store.all()
    #expect(try store.entry("19700101T000002", among: entries).clip == clip(2))
    #expect(try store.entry(clip(1).fileName, among: entries).clip == clip(1))
    #expect(try store.entry("./elsewhere/\(clip(1).fileName)", among: entries).clip == clip(1))
    #expect(throws: ClipFault.severalClips("19700101T000001", count: 2)) {
      try store.entry("19700101T000001", among: entries)
    }
    for name in ["", "/", "2026"] {
      #expect(throws: ClipFault.noSuchClip(name, folder: store.folder)) {
        try store.entry(name, among: entries)
      }
    }
  }

  @Test func whatCannotBeWrittenIsNamed() throws {
    #expect(throws: ClipFault.noFolder(store.folder)) { try store.all() }
    try save(1..<2)
    let file = ClipStore(folder: try store.all()[0].path)
    #expect(throws: ClipFault.notAFolder(file.folder)) { try file.all() }
    #expect(throws: ClipFault.self) { try file.prepare() }
    #expect(throws: ClipFault.self) { try file.save(samples, as: clip(1), limit: .standard) }
    let gone = try store.all()[0]
    try store.delete(gone)
    try store.delete(gone)
    #expect(throws: ClipFault.system(.cannotWrite(path: gone.path, code: ENOENT))) {
      try store.label(gone, .wake)
    }
  }

  @Test func theStandardFolderIsTheUsersOwn() {
    #expect(ClipStore.standard { ["XDG_DATA_HOME": "/d"][$0] }.folder == "/d/hotword/clips")
    #expect(
      ClipStore.standard { ["XDG_DATA_HOME": "d", "HOME": "/h"][$0] }.folder
        == "/h/.local/share/hotword/clips")
  }
}
