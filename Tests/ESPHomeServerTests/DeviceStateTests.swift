import Platform
import TestServers
import Testing

@testable import ESPHomeServer

@Suite(.limited) struct DeviceStateTests {
  private static let words = ["alexa", "computer", "jarvis"].map { WakeWord(id: $0, phrase: $0) }

  private func state(plays: Bool = true) -> DeviceState {
    DeviceState(
      Self.words, DeviceMemory(active: ["computer"], sensitivities: ["computer": 0.5, "jarvis": 0.6]),
      plays: plays)
  }

  private func command(_ fill: (inout ProtobufWriter) -> Void) throws -> MediaPlayerCommand {
    var writer = ProtobufWriter()
    writer.fixed32(1, 1)
    fill(&writer)
    return MediaPlayerCommand(try ProtobufReader(writer.bytes[...]))
  }

  @Test func twoKnownWakeWordsAreActive() {
    var state = state()
    let actions = state.activate(["jarvis", "nobody", "jarvis", "alexa", "computer"])
    #expect(state.memory.active == ["jarvis", "alexa"])
    #expect(actions.count == 3 && actions.last == .report([.number(key: 4, 0.6), .number(key: 5, 0.5)]))
    #expect(state.activate(["jarvis", "alexa"]).isEmpty)
  }

  @Test func withoutASecondWakeWordItsSensitivityIsMissing() {
    var state = state()
    #expect(state.states.suffix(2) == [.number(key: 4, 0.5), .number(key: 5, nil)])
    #expect(state.setNumber(5, 0.7) == [.report([.number(key: 4, 0.5), .number(key: 5, nil)])])
    _ = state.setNumber(4, 2)
    #expect(state.memory.sensitivities == ["computer": 1])
    #expect(state.setNumber(4, .nan).isEmpty && state.setNumber(99, 1).isEmpty)
  }

  @Test func aSensitivityThatThePageSetsIsReportedAndKept() {
    var state = state()
    let actions = state.setSensitivity(0.8, of: "computer")
    #expect(actions.last == .report([.number(key: 4, 0.8), .number(key: 5, nil)]))
    #expect(actions.contains(.save(state.memory)) && state.memory.sensitivities == ["computer": 0.8])
    _ = state.setSensitivity(2, of: "jarvis")
    #expect(state.memory.sensitivities["jarvis"] == 1, "a wake word that is not active keeps it too")
    #expect(state.setSensitivity(0.5, of: "nobody").isEmpty)
  }

  @Test func theVolumeIsThatOfTheMediaPlayer() throws {
    var state = state()
    let actions = state.setNumber(3, 40)
    #expect(actions.first == .setVolume(percent: Double(Float(0.4)) * 100))
    #expect(
      actions.last
        == .report([.mediaPlayer(key: 1, .idle, volume: 0.4, isMuted: false), .number(key: 3, 40)]))
    let mute = try command {
      $0.flag(2, true)
      $0.number(3, 3)
    }
    #expect(state.command(mute).first == .setVolume(percent: 0))
    let unmute = try command {
      $0.flag(2, true)
      $0.number(3, 4)
    }
    #expect(state.command(unmute).first == .setVolume(percent: Double(Float(0.4)) * 100))
  }

  @Test func mediaPlaysPausesAndStops() throws {
    var state = state()
    func verb(_ number: Int) throws -> MediaPlayerCommand {
      try command {
        $0.flag(2, true)
        $0.number(3, number)
      }
    }
    let play = try command {
      $0.flag(6, true)
      $0.text(7, "http://a/b")
    }
    #expect(state.command(play) == [.fetchMedia("http://a/b", isAnnouncement: false)])
    _ = state.noteMedia(isPlaying: true)
    #expect(state.command(try verb(1)).first == .pauseMedia)
    #expect(state.command(try verb(0)).first == .resumeMedia)
    #expect(state.command(try verb(2)).first == .stopMedia)
    #expect(state.command(try verb(13)).isEmpty)
  }

  @Test func withoutLoudspeakerThereIsNoPlayer() throws {
    var state = state(plays: false)
    #expect(state.entities.map(\.key) == [2, 4, 5] && state.states.count == 3)
    let volume = try command {
      $0.flag(4, true)
      $0.float(5, 0.5)
    }
    #expect(state.command(volume).isEmpty && state.setNumber(3, 40).isEmpty)
  }

  @Test func mutingIsReportedWhereverItComesFrom() {
    var state = state()
    #expect(state.setSwitch(2, true) == [.mute(true)])
    #expect(state.noteMuted(true).first == .report([.toggle(key: 2, isOn: true)]))
    #expect(state.noteMuted(true).isEmpty)
  }

  @Test func settingsAreKept() throws {
    let path = PythonServer.temporaryFolder() + "/new/esphome.json"
    var memory = DeviceMemory(active: ["computer"], sensitivities: [:])
    memory.volume = 0.5
    memory.sensitivities["computer"] = 0.7
    memory.isMuted = true
    try memory.write(path)
    var read = DeviceMemory(active: [], sensitivities: [:])
    try read.read(path)
    #expect(read == memory && memory.address.utf8.count == 12 && memory.address.hasPrefix("02"))
    try Files.write(Array("{}".utf8), to: path)
    #expect(throws: ESPHomeFault.badMemory(file: path)) { try read.read(path) }
  }

  @Test func wakeWordsThatAStartDoesNotOfferAreKeptForTheNext() throws {
    let path = PythonServer.temporaryFolder() + "/esphome.json"
    func start(offering models: [String]) throws -> DeviceMemory {
      var memory = DeviceMemory(active: ["computer"], sensitivities: [:])
      try memory.read(path)
      memory.offer(models)
      return memory
    }
    try DeviceMemory(active: ["jarvis", "computer"], sensitivities: [:]).write(path)
    let fewer = try start(offering: ["alexa", "computer"])
    #expect(fewer.active == ["computer"])
    try fewer.write(path)
    #expect(try start(offering: ["computer", "jarvis"]).active == ["jarvis", "computer"])

    var state = DeviceState(Self.words, fewer, plays: true)
    #expect(!state.activate(["alexa"]).isEmpty && state.memory.active == ["alexa"])
    try state.memory.write(path)
    #expect(try start(offering: ["alexa", "computer", "jarvis"]).active == ["alexa", "jarvis"])
    #expect(!state.activate(["computer", "alexa"]).isEmpty)
    try state.memory.write(path)
    #expect(try start(offering: ["alexa", "computer", "jarvis"]).active == ["computer", "alexa"])
  }
}
