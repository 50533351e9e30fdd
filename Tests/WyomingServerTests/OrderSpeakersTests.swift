import TestServers
import Testing

@testable import WyomingServer

@Suite(.limited) struct OrderSpeakersTests {
  private let speakers = OrderSpeakers()

  @Test func theVoiceOfTheHotwordIsThatOfTheOrderAndItsSentence() {
    speakers.noteHotword(by: "ann", host: "a", at: 10)
    let speaker = speakers.beginOrder(host: "a", at: 10.5)
    #expect(speaker == .enrolled("ann"))
    speakers.noteOrder("open the door", by: speaker, host: "a", at: 13)
    #expect(speakers.speaker(of: "close the door", host: "a", at: 13) == .undetermined)
    #expect(speakers.speaker(of: "open the door", host: "b", at: 13) == .undetermined)
    #expect(speakers.speaker(of: "open the door", host: "a", at: 13.1) == .enrolled("ann"))
    #expect(speakers.speaker(of: "open the door", host: "a", at: 13.2) == .undetermined, "it counts once")
  }

  @Test func anUnknownVoiceIsNotEnrolled() {
    speakers.noteHotword(by: nil, host: "a", at: 10)
    #expect(speakers.beginOrder(host: "a", at: 10) == .notEnrolled)
  }

  @Test func anOrderWithoutItsOwnHotwordHasNoSpeaker() {
    #expect(speakers.beginOrder(host: "a", at: 10) == .undetermined)
    speakers.noteHotword(by: "ann", host: "a", at: 10)
    #expect(speakers.beginOrder(host: "b", at: 10.1) == .undetermined, "another host")
    #expect(speakers.beginOrder(host: "a", at: 11.1) == .undetermined, "too late")
    speakers.noteHotword(by: "ann", host: "a", at: 20)
    #expect(speakers.beginOrder(host: "a", at: 20.1) == .enrolled("ann"))
    #expect(speakers.beginOrder(host: "a", at: 20.2) == .undetermined, "a hotword has one order")
  }

  @Test func twoHotwordsAtOnceLeaveTheSpeakerOpen() {
    speakers.noteHotword(by: "ann", host: "a", at: 10)
    speakers.noteHotword(by: "bob", host: "a", at: 10.3)
    #expect(speakers.beginOrder(host: "a", at: 10.4) == .undetermined)
    #expect(speakers.beginOrder(host: "a", at: 10.5) == .undetermined)
  }

  @Test func equalSentencesOfTwoVoicesLeaveTheSpeakerOpen() {
    speakers.noteOrder("lights off", by: .enrolled("ann"), host: "a", at: 10)
    speakers.noteOrder("lights off", by: .enrolled("ann"), host: "a", at: 11)
    #expect(speakers.speaker(of: "lights off", host: "a", at: 12) == .enrolled("ann"))
    speakers.noteOrder("lights off", by: .enrolled("ann"), host: "a", at: 20)
    speakers.noteOrder("lights off", by: .notEnrolled, host: "a", at: 21)
    #expect(speakers.speaker(of: "lights off", host: "a", at: 22) == .undetermined)
    speakers.noteOrder("lights off", by: .enrolled("ann"), host: "a", at: 30)
    #expect(speakers.speaker(of: "lights off", host: "a", at: 36) == .undetermined, "too late")
  }

  @Test func theOldestAreForgotten() {
    for number in 0...OrderSpeakers.memory {
      speakers.noteHotword(by: "ann", host: "\(number)", at: 10)
      speakers.noteOrder("\(number)", by: .enrolled("ann"), host: "a", at: 10)
    }
    #expect(speakers.beginOrder(host: "0", at: 10) == .undetermined)
    #expect(speakers.beginOrder(host: "1", at: 10) == .enrolled("ann"))
    #expect(speakers.speaker(of: "0", host: "a", at: 10) == .undetermined)
    #expect(speakers.speaker(of: "1", host: "a", at: 10) == .enrolled("ann"))
  }
}
