import Actions
import Platform
import TestServers
import Testing
import Understanding

@Suite(.limited) struct VolumeHandlerTests {
  private func answer(
    _ intent: String, _ slots: [String: JSON] = [:], now: Double, audible: Double = 60
  ) throws -> Answer? {
    let slots = slots.map { name, value in
      Interpretation.Slot(name: name, value: value, text: "", confidence: 1, range: nil)
    }
    let event = HandlerTests.event("x", intent, slots: slots, reply: "Done.")
    return try VolumeHandler { (now, audible) }.handle(event)
  }

  @Test(arguments: [
    ("VolumeUp", 60.0, 70.0), ("VolumeUp", 95, 100), ("VolumeDown", 60, 50), ("VolumeDown", 5, 0),
    ("Mute", 60, 0), ("Unmute", 0, 60), ("Unmute", 40, 40), ("VolumeUp", 0, 60), ("VolumeDown", 0, 0),
  ])
  func theIntentsChangeTheVolume(_ intent: String, _ now: Double, _ wanted: Double) throws {
    #expect(try answer(intent, now: now) == Answer("Done.", actions: [.volume(wanted)]))
  }

  @Test func aGivenVolumeIsSet() throws {
    #expect(try answer("SetVolume", ["volume": 30], now: 60)?.actions == [.volume(30)])
    #expect(try answer("VolumeUp", ["step": 25], now: 60)?.actions == [.volume(85)])
    #expect(try answer("VolumeDown", ["step": 25], now: 60)?.actions == [.volume(35)])
  }

  @Test func otherIntentsAreLeftToOtherHandlers() throws {
    #expect(try answer("SetVolume", ["volume": 101], now: 60) == nil)
    #expect(try answer("SetVolume", now: 60) == nil)
    #expect(try answer("TurnOn", ["volume": 30], now: 60) == nil)
  }

  @Test func atTheMaximumTheReplySaysSo() throws {
    #expect(try answer("VolumeUp", now: 100) == "It is at its loudest.")
  }
}
