import Assistant
import Glibc
import Networking
import PCM
import Platform
import Service
import TestServers
import Testing

@testable import Web

/// The live view's data.
@Suite(.limited) struct LiveTests {
  private func tone(_ hertz: Double, amplitude: Double, count: Int) -> [Int16] {
    (0..<count).map { Int16(amplitude * 32_767 * sin(2 * .pi * hertz * Double($0) / 16_000)) }
  }

  @Test func aToneIsInTheBandOfItsFrequencyAtItsLevel() throws {
    for (hertz, amplitude) in [(300.0, 0.05), (1_000, 0.01), (4_000, 0.02)] {
      let columns = LiveSpectrogram().columns(tone(hertz, amplitude: amplitude, count: 4 * 320))
      #expect(columns.count == 4 * LiveSpectrogram.bands)
      let last = columns.suffix(LiveSpectrogram.bands)
      let highest = try #require(last.max())
      let band = last.distance(from: last.startIndex, to: last.firstIndex(of: highest)!)
      func mel(_ hertz: Double) -> Double { 2595 * log10(1 + hertz / 700) }
      let expected = Double(LiveSpectrogram.bands) * (mel(hertz) - mel(60)) / (mel(8_000) - mel(60))
      #expect(abs(Double(band) + 0.5 - expected) < 1.5, "\(hertz) Hz in band \(band)")
      let range = Double(LiveSpectrogram.highest - LiveSpectrogram.lowest)
      let decibels = Double(LiveSpectrogram.lowest) + Double(highest) / 255 * range
      #expect(abs(decibels - 20 * log10(amplitude)) < 1.5, "\(decibels) dB")
    }
    #expect(LiveSpectrogram().columns([Int16](repeating: 0, count: 320)).allSatisfy { $0 == 0 })
  }

  @Test func aBlockIsFiveColumns() throws {
    var block = LiveTap.Block()
    block.end = 16_000
    for frame in 0..<LiveTap.framesPerBlock {
      block.samples += tone(500, amplitude: 0.1, count: AudioFormat.frameLength)
      block.voiced.append(frame == 3)
      block.levels.append(Float(frame - 50))
      block.scores.append([frame == 9 ? 0.875 : 0, 0.25])
    }
    let message = LiveMessage.frames(block, LiveSpectrogram())
    #expect(message["time"] == 1)
    #expect(message["levels"] == [-49, -47, -45, -43, -41])
    #expect(message["speech"] == [0, 0.5, 0, 0, 0])
    #expect(message["scores"] == [[0, 0, 0, 0, 0.875], [0.25, 0.25, 0.25, 0.25, 0.25]])
    #expect(try #require(Base64.decode(message["bands"]?.string ?? "")).count == 5 * LiveSpectrogram.bands)
  }

  @Test func theLiveViewHasNoAudio() throws {
    var block = LiveTap.Block()
    for _ in 0..<LiveTap.framesPerBlock {
      block.samples += tone(500, amplitude: 0.1, count: AudioFormat.frameLength)
      block.voiced.append(true)
      block.levels.append(-20)
      block.scores.append([0.5])
    }
    let message = LiveMessage.frames(block, LiveSpectrogram())
    #expect(message.members?.map(\.name) == ["time", "levels", "speech", "scores", "bands"])
    // A value for each 20 ms and band: of 1,600 samples, 245 numbers remain.
    let bands = try #require(Base64.decode(message["bands"]?.string ?? ""))
    #expect(bands.count + (message["levels"]?.array?.count ?? 0) == 245)
  }

  @Test func theNumberOfPagesIsLimitedAndAPageThatEndsMakesRoom() throws {
    let page = try TestPage()
    let server = try HTTPListener(#require(HTTPEndpoint("127.0.0.1:0")), purpose: "test") {
      page.operations.response(to: $0)
    }
    let request = "GET /api/live HTTP/1.1\r\nHost: localhost\r\n\r\n"
    func open() throws -> Int32 {
      let descriptor = try #require(RawHTTP.connection(to: server.endpoint.address!.port))
      send(descriptor, request, request.utf8.count, 0)
      return descriptor
    }
    let open8 = try (0..<LivePublisher.limit).map { _ in try open() }
    for descriptor in open8 { #expect(RawHTTP.waits(for: "event: models\ndata: {", on: descriptor)) }
    #expect(page.send("GET", "/api/live").status == 503)
    for descriptor in open8 { close(descriptor) }
    // The end of a connection is noticed when the next event is sent.
    #expect(
      Waiting.until {
        page.tap.items.append(.models)
        return page.send("GET", "/api/live").status != 503
      })
  }

  @Test func aPageGetsTheLastEventsAndThenTheNext() throws {
    let page = try TestPage()
    let server = try HTTPListener(#require(HTTPEndpoint("127.0.0.1:0")), purpose: "test") {
      page.operations.response(to: $0)
    }
    page.tap.items.append(.event(AssistantEvent(at: 16_000, .reply(text: "first")).json))
    let descriptor = try #require(RawHTTP.connection(to: server.endpoint.address!.port))
    defer { close(descriptor) }
    let request = "GET /api/live HTTP/1.1\r\nHost: localhost\r\n\r\n"
    send(descriptor, request, request.utf8.count, 0)
    #expect(RawHTTP.waits(for: "\"text\":\"first\"", on: descriptor))
    page.tap.items.append(.event(AssistantEvent(at: 32_000, .reply(text: "second")).json))
    #expect(RawHTTP.waits(for: "\"text\":\"second\",\"clock\":\"", on: descriptor))
  }
}
