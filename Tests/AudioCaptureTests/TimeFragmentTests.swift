import AudioCapture
import CSndFile
import PCM
import Platform
import TestServers
import Testing

/// Parts of recordings, named by their seconds.
@Suite(.limited) struct TimeFragmentTests {
  @Test func aPartEqualsTheSameRangeOfTheWhole() throws {
    let folder = TestAudio.makeFolder()
    defer { TestAudio.remove(folder) }
    let samples = TestAudio.noise(48_000, seed: 1)
    let path = "\(folder)/a.wav"
    try AudioFile.write(samples, to: path)
    #expect(try AudioFile.read("\(path)#t=0.5,1.25") == Array(samples[8_000..<20_000]))
    #expect(try AudioFile.read("\(path)#t=2") == Array(samples[32_000...]))
    #expect(try AudioFile.read("\(path)#t=2.5,9") == Array(samples[40_000...]))
    #expect(throws: CaptureFault.badPart(path: "\(path)#t=3", seconds: 3)) {
      try AudioFile.read("\(path)#t=3")
    }
    for wrong in ["#t=2,1", "#t=", "#t=a", "#t=1,2,3", "#t=-1"] {
      #expect(throws: CaptureFault.badPart(path: path + wrong, seconds: nil)) {
        try AudioFile.read(path + wrong)
      }
    }
    #expect(throws: CaptureFault.noSuchFile(path: "/none#t=a")) { try AudioFile.read("/none#t=a") }
  }

  @Test func anExistingFileOfThatNameHasPriority() throws {
    let folder = TestAudio.makeFolder()
    defer { TestAudio.remove(folder) }
    try AudioFile.write([1, 2, 3], to: "\(folder)/a.wav#t=1")
    #expect(try AudioFile.read("\(folder)/a.wav#t=1") == [1, 2, 3])
  }

  @Test func partsOfMP3FilesAreFoundToo() throws {
    let folder = TestAudio.makeFolder()
    defer { TestAudio.remove(folder) }
    // A second of silence, then a tone.
    let tone = [Float](repeating: 0, count: 48_000) + TestAudio.sine(1_000, rate: 48_000, count: 96_000)
    let format = SF_FORMAT_MPEG | SF_FORMAT_MPEG_LAYER_III
    try #require(TestAudio.write(tone, rate: 48_000, format: Int(format), to: "\(folder)/a.mp3"))
    let quiet = try AudioFile.read("\(folder)/a.mp3#t=0.2,0.8")
    let loud = try AudioFile.read("\(folder)/a.mp3#t=1.3,1.9")
    #expect(abs(quiet.count - 9_600) < 3 && abs(loud.count - 9_600) < 3)
    #expect(Level.rms(Level.floats(quiet)[...]) < 0.01 && Level.rms(Level.floats(loud)[...]) > 0.3)
  }
}
