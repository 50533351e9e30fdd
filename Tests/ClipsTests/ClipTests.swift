import Clips
import TestServers
import Testing

@Suite(.limited) struct ClipTests {
  private let time = ClipTime(compact: "20261121T131252.120Z")!

  @Test func aFileNameHoldsAllThatIsKnown() throws {
    for (keyword, kind, score) in [
      ("computer", Clip.Kind.wake, 0.9078), ("smart_mirror", .nearMiss, 0.412),
      ("hey_near-miss_you", .wake, 1), ("a b.c", .nearMiss, 0.0004), ("ärger", .wake, 0.05),
    ] {
      let clip = Clip(time: time, keyword: keyword, kind: kind, score: score)
      #expect(Clip(fileName: clip.fileName) == clip, "\(clip.fileName)")
    }
    let clip = Clip(time: time, keyword: "computer", kind: .nearMiss, score: 0.41249)
    #expect(clip.fileName == "20261121T131252.120Z_computer_near-miss_0.412.wav")
  }

  @Test(arguments: [
    "", ".wav", "notes.wav", "20261121T131252.120Z_computer_wake_0.908.flac",
    "20261121T131252.120Z_computer_wake_1.908.wav", "20261121T131252.120Z_computer_wake_0.9.wav",
    "20261121T131252.120Z__wake_0.908.wav", "20261121T131252.120Z_wake_0.908.wav",
    "20261121T131252.120Z_.._wake_0.908.wav", "20261321T131252.120Z_computer_wake_0.908.wav",
    "20261121T131252.120Z_computer_sleep_0.908.wav", "99991121 131252.120Z_computer_wake_0.908.wav",
    "20261121T131252.120Z_computer_wake_nan.wav", "ÄÖ261121T131252.12Z_computer_wake_0.908.wav",
    "20261121T131252.120Z_computer_wake_0.908.wav.77.partial",
  ])
  func namesOfOthersAreNotTakenForOurs(_ name: String) {
    #expect(Clip(fileName: name) == nil)
  }

  @Test func timesSortAsTheirTextsDo() throws {
    let times = [0, 999, 1_000, 951_782_400_000, 1_795_266_772_120, 253_402_300_799_999].map {
      ClipTime(milliseconds: $0)
    }
    #expect(times.map(\.compact) == times.map(\.compact).sorted())
    #expect(times[0].compact == "19700101T000000.000Z")
    #expect(times[3].iso == "2000-02-29T00:00:00.000Z")
    for time in times { #expect(ClipTime(compact: time.compact) == time) }
    #expect(times[3].advanced(by: -0.001).iso == "2000-02-28T23:59:59.999Z")
  }

  @Test func aLabelBelongsToItsKind() {
    for label in Label.allCases {
      let both = [true, false].map { Label(label.kind, isWord: $0) }
      #expect(both.contains(label))
      #expect(both.allSatisfy { $0.kind == label.kind })
    }
    #expect(Label(.wake, isWord: false) == .falseAlarm)
    #expect(Label(.nearMiss, isWord: true) == .missed)
  }
}
