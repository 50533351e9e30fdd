import Glibc
import Platform
import TestServers
import Testing

@Suite(.limited) struct LogTests {
  private func line(_ text: String, _ level: Log.Level, _ form: Log.Form) -> String {
    Log.line(text, level, form: form, at: WallTime(milliseconds: 1_795_266_772_120))
  }

  @Test func plainLinesNameTheProgramAndWarnings() {
    #expect(line("it is gone", .error, .plain) == "hotword: it is gone")
    #expect(line("it is late", .warning, .plain) == "hotword: warning: it is late")
  }

  @Test(arguments: [
    (Log.Level.error, "<3>"), (.warning, "<4>"), (.notice, "<5>"), (.info, "<6>"), (.debug, "<7>"),
  ])
  func journalLinesBeginWithThePriority(_ level: Log.Level, _ prefix: String) {
    #expect(line("it is ready", level, .journal) == prefix + "it is ready")
  }

  @Test func aMessageIsOneLine() {
    #expect(line("one\ntwo\r\n<0>three", .error, .journal) == "<3>one two <0>three")
  }

  @Test func jsonLinesHaveTimeLevelAndMessage() throws {
    let text = line("a \"b\"", .warning, .json)
    let json = try JSON(parsing: Array(text.utf8), what: "the message")
    #expect(json == ["time": "2026-11-21T13:12:52.120Z", "level": "warning", "message": "a \"b\""])
  }

  @Test func theJournalIsRecognizedByDeviceAndInode() {
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    defer { for end in ends { close(end) } }
    var status = stat()
    fstat(ends[1], &status)
    #expect(JournalStream.names("\(status.st_dev):\(status.st_ino)", ends[1]))
    #expect(!JournalStream.names("\(status.st_dev):\(status.st_ino + 1)", ends[1]))
    #expect(!JournalStream.names("", ends[1]))
    #expect(!JournalStream.names("8:1", -1))
  }
}
