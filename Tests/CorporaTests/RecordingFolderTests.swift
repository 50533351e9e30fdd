import Corpora
import Glibc
import Platform
import TestServers
import Testing

/// The folder to which `hotword record` and the page add recordings.
@Suite(.limited) struct RecordingFolderTests {
  private static func folder() -> String {
    PythonServer.temporaryFolder("recordings") + "/recordings"
  }

  @Test func aRecordingIsAddedListedAndRemoved() throws {
    let path = Self.folder()
    let ann = try RecordingFolder(path, speaker: "ann", phrase: "Hello House", locale: "en")
    let bob = try RecordingFolder(path, speaker: "bob", phrase: "hello house", locale: "en")
    let other = try RecordingFolder(path, speaker: "ann", phrase: "hello mouse", locale: "en")
    let samples = [Int16](repeating: 1, count: 160)
    let first = try ann.add(samples)
    let second = try bob.add(samples)
    try other.add(samples)
    #expect(try ann.recordings() == [first, second])
    #expect(try ann.count() == 1 && other.recordings().count == 1)
    try ann.remove(first)
    #expect(try ann.recordings() == [second])
    #expect(!Files.exists(ann.file(of: first)) && Files.exists(ann.file(of: second)))
    #expect(try other.recordings().count == 1)
    // The name is free again.
    #expect(try ann.add(samples).path == first.path)
  }

  @Test func aRecordingWhoseFileIsGoneIsNotListed() throws {
    let folder = try RecordingFolder(Self.folder(), speaker: "ann", phrase: "hello", locale: "en")
    let recording = try folder.add([1, 2, 3])
    unlink(folder.file(of: recording))
    #expect(try folder.recordings().isEmpty)
    try folder.remove(recording)
    #expect(try folder.count() == 0)
  }

  @Test func onlyTheLineOfTheFileIsRemovedFromATable() throws {
    let clips = ["a.wav", "b.wav", "aa.wav"].map {
      CommonVoice.Clip(client: "a.wav", path: $0, sentence: "a.wav")
    }
    let table = CommonVoice.appending(clips, to: [])
    let left = CommonVoice.removing("a.wav", from: table)
    #expect(try CommonVoice.parse(left, table: "table").map(\.path) == ["b.wav", "aa.wav"])
    #expect(CommonVoice.removing("c.wav", from: table) == table)
  }
}
