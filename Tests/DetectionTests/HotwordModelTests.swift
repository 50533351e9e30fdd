import Detection
import FrontEnd
import Glibc
import Platform
import TestServers
import Testing

/// A small model with random weights.
func smallModel(
  name: String = "computer", seed: UInt64 = 1, inputs: Int? = nil, encoder: NetworkWeights? = nil,
  sounds: SoundScores? = nil, path: PhrasePathSettings? = nil,
  second: SecondStage? = nil, lastSounds: LastSounds? = nil,
  training: JSON = ["seed": 1, "data": ["b", ["a": 0.1]]]
) throws -> HotwordModel {
  let features = FeatureSettings.standard
  let shape = try NetworkShape(
    inputs: inputs ?? encoder?.shape.outputs ?? features.coefficients, stride: encoder == nil ? 2 : 1,
    channels: 8, kernel: 3, dilations: [1, 2])
  return try HotwordModel(
    name: name, phrase: "computer", frontEnd: .standard, features: features,
    encoder: encoder, sounds: sounds,
    networks: [.random(shape, seed: seed), .random(shape, seed: seed + 100)],
    path: path, secondStage: second, lastSounds: lastSounds, decision: DecisionSettings(threshold: 0.4),
    curve: OperatingCurve(points: [.init(threshold: 0.1, falseAlarmsPerHour: 2, missRate: 0.01)]),
    training: training)
}

/// A small encoder of twelve outputs with random weights.
func smallEncoder(inputs: Int = 40) throws -> NetworkWeights {
  .random(try NetworkShape(inputs: inputs, channels: 16, kernel: 3, dilations: [1], outputs: 12), seed: 77)
}

@Suite(.limited) struct HotwordModelTests {
  @Test func aNameIsThatOfAPhraseInAnyScript() {
    for name in ["what's_up", "l’ordinateur", "नमस्ते", "cafe\u{301}", "hey 2.0", "x-y"] {
      #expect(HotwordModel.isName(name), "\(name)")
    }
    for name in ["", "'x", "\u{301}", "x (new)", "a/b", "a\u{200B}b", String(repeating: "x", count: 65)] {
      #expect(!HotwordModel.isName(name), "\(name)")
    }
  }

  @Test func aPersonalModelThatIsImprovedStaysPersonal() throws {
    let made: JSON = ["from": "computer", "enrolled": 3]
    #expect(try smallModel(training: made).isPersonal)
    #expect(try smallModel(training: ["seed": 1, "before": [made]]).isPersonal)
    #expect(try !smallModel(training: ["seed": 1, "before": [["seed": 2]]]).isPersonal)
  }

  @Test(arguments: [false, true]) func survivesItsFileByteForByte(hasEncoder: Bool) throws {
    let folder = try TemporaryFolder()
    let model = try smallModel(
      encoder: hasEncoder ? smallEncoder() : nil,
      path: hasEncoder ? PhrasePathSettings(pronunciations: [[1, 2, 11]]) : nil,
      lastSounds: hasEncoder ? LastSounds(outputs: [1, 11], lookAhead: 0.08) : nil)
    try model.write(to: folder.path("a.safetensors"))
    let read = try HotwordModel(reading: folder.path("a.safetensors"))
    #expect(read == model)
    #expect(read.encoded == model.encoded)
    #expect(try Files.read(folder.path("a.safetensors")) == model.encoded)
  }

  @Test func modelsReadTogetherShareTheMemoryOfWhatTheyHaveInCommon() throws {
    let other = try smallEncoder()
    var changed = other
    changed.headBias[3] += 1
    let models = try [
      smallModel(seed: 1, encoder: smallEncoder()), smallModel(seed: 2, encoder: other),
      smallModel(seed: 3, encoder: changed),
    ]
    var shared = SharedTensors()
    var read: [HotwordModel] = []
    for model in models { read.append(try HotwordModel(decoding: model.encoded, sharing: &shared)) }
    #expect(read == models)
    func places(_ part: (HotwordModel) throws -> [Float]) rethrows -> [UnsafePointer<Float>?] {
      try read.map { try part($0).withUnsafeBufferPointer(\.baseAddress) }
    }
    let stems = try places { try #require($0.encoder).stemWeight }
    #expect(Set(stems).count == 1)
    let biases = try places { try #require($0.encoder).headBias }
    #expect(biases[0] == biases[1] && biases[0] != biases[2])
    #expect(Set(places { $0.networks[0].stemWeight }).count == 3)
  }

  @Test func theEncodersOutputsMustBeTheNetworksInputs() throws {
    #expect(throws: DetectionFault.self) { try smallModel(inputs: 11, encoder: smallEncoder()) }
    #expect(throws: DetectionFault.self) { try smallModel(encoder: smallEncoder(inputs: 39)) }
    #expect(try smallModel(encoder: smallEncoder()).stepSeconds == smallModel().stepSeconds)
  }

  @Test func lastSoundsMustBeTheEncodersOutputs() throws {
    let sounds = LastSounds(outputs: [12], lookAhead: 0)
    #expect(throws: DetectionFault.self) { try smallModel(encoder: smallEncoder(), lastSounds: sounds) }
    #expect(throws: DetectionFault.self) { try smallModel(lastSounds: sounds) }
  }

  @Test(arguments: [false, true]) func neverCrashesOnDamagedFiles(hasEncoder: Bool) throws {
    let bytes = try smallModel(
      encoder: hasEncoder ? smallEncoder() : nil,
      lastSounds: hasEncoder ? LastSounds(outputs: [1], lookAhead: 0.08) : nil
    ).encoded
    var random = RandomSource(seed: 9)
    let header = 8 + Int(bytes[0]) + Int(bytes[1]) << 8
    for position in 0..<header {
      #expect(throws: ModelDefect.self) { try HotwordModel(decoding: Array(bytes[..<position])) }
      var damaged = bytes
      damaged[position] = UInt8(truncatingIfNeeded: random.next())
      if let model = try? HotwordModel(decoding: damaged) { _ = try KeywordSpotter([(model, .standard)]) }
    }
    for count in stride(from: header, to: bytes.count, by: 97) {
      #expect(throws: ModelDefect.self) { try HotwordModel(decoding: Array(bytes[..<count])) }
    }
  }

  @Test func namesFileAndFault() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("bad.safetensors")
    try Files.write([1, 2, 3], to: path)
    let fault = thrown(DetectionFault.self) { try HotwordModel(reading: path) }
    #expect(fault == .badModel(path: path, defect: .truncated(needed: 8, found: 3)))
    #expect(fault?.message == "\(path): not a usable model: it is truncated: 3 of 8 bytes")
    #expect(fault?.exitCode == .badData)
    let missing = thrown(DetectionFault.self) { try HotwordModel(reading: folder.path("none")) }
    #expect(missing?.exitCode == .noInput)
  }

  @Test(arguments: [
    "format", "name", "phrase", "frontEnd", "features", "network", "networks", "decision", "curve",
    "training",
  ])
  func needsEveryMetadataEntry(name: String) throws {
    let file = try Safetensors(decoding: smallModel().encoded)
    let without = Safetensors(tensors: file.tensors, metadata: file.metadata.filter { $0.name != name })
    #expect(throws: ModelDefect.self) { try HotwordModel(decoding: without.encoded) }
  }

  @Test func refusesTensorsThatDoNotFitTheNetwork() throws {
    var file = try Safetensors(decoding: smallModel().encoded)
    let whole = file.tensors
    file.tensors.append(.init(name: "extra", shape: [1], values: [0]))
    #expect(throws: ModelDefect.unexpectedTensor("extra")) { try HotwordModel(decoding: file.encoded) }
    file.tensors = whole.filter { $0.name != "0.head.bias" }
    #expect(throws: ModelDefect.missingTensor("0.head.bias")) { try HotwordModel(decoding: file.encoded) }
    file.tensors = whole
    file.tensors[1] = .init(name: "0.stem.bias", shape: [2, 4], values: whole[1].values)
    #expect(throws: ModelDefect.wrongShape(tensor: "0.stem.bias", expected: [8], found: [2, 4])) {
      try HotwordModel(decoding: file.encoded)
    }
  }

  @Test func refusesNetworksOfOtherInputsAndUnprintableNames() {
    #expect(throws: DetectionFault.self) { try smallModel(inputs: 39) }
    for name in ["", "a/b", "../x", ".hidden", "a\u{1B}[0m", String(repeating: "a", count: 65)] {
      #expect(throws: DetectionFault.self) { try smallModel(name: name) }
    }
  }

  @Test func deeplyNestedMetadataAreRefused() throws {
    let file = try Safetensors(decoding: smallModel().encoded)
    let nested = String(repeating: "[", count: 400) + String(repeating: "]", count: 400)
    let metadata = file.metadata.map { (name: $0.name, text: $0.name == "training" ? nested : $0.text) }
    #expect(throws: ModelDefect.badMetadata(name: "training", allowed: "JSON")) {
      try HotwordModel(decoding: Safetensors(tensors: file.tensors, metadata: metadata).encoded)
    }
  }
}

/// A folder that goes with the test.
final class TemporaryFolder {
  let root: String

  init() throws {
    var template = Array("/tmp/hotword-tests-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw SystemFault.cannotWrite(path: "/tmp", code: errno) }
    root = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  func path(_ name: String) -> String { "\(root)/\(name)" }

  func makeFolder(_ name: String) -> String {
    mkdir(path(name), 0o755)
    return path(name)
  }

  deinit {
    _ = try? Subprocess(["rm", "-rf", root]).run(timeout: 10)
  }
}
