import Detection
import Platform

/// The enrolled voice of a person: clips of the hotwords that it was enrolled with.
public struct EnrolledVoice: Sendable, Equatable {
  /// One clip.
  public struct Clip: Sendable, Equatable {
    /// The name of the model of the phrase.
    public let keyword: String
    public let print: VoicePrint

    public init(keyword: String, print: VoicePrint) {
      self.keyword = keyword
      self.print = print
    }
  }

  public let name: String
  public private(set) var clips: [Clip]
  /// What was said after the hotword in clips of each hotword.
  public private(set) var orders: [Clip] = []

  /// The number of clips of an enrolment with one phrase.
  public static let clipCounts = 3...20

  public init(name: String, clips: [Clip] = []) {
    self.name = name
    self.clips = clips
  }

  /// The names of the models that it was enrolled with, sorted.
  public var keywords: [String] { Set(clips.map(\.keyword)).sorted() }

  /// The prints of one hotword.
  public func prints(of keyword: String) -> [VoicePrint] {
    clips.filter { $0.keyword == keyword }.map(\.print)
  }

  /// All speech of the voice, each sound once: a personal model has the clips of its hotword again.
  var speech: [VoicePrint] {
    (clips.filter { !$0.keyword.hasPrefix("\(name)-") } + orders).map(\.print)
  }

  /// Enrolls it again with one hotword and removes older clips of that hotword.
  ///
  /// - Parameter orders: what was said after the hotword.
  public mutating func enroll(_ prints: [VoicePrint], orders: [VoicePrint] = [], keyword: String) {
    forget(keyword)
    clips += prints.map { Clip(keyword: keyword, print: $0) }
    self.orders += orders.map { Clip(keyword: keyword, print: $0) }
  }

  /// Removes the clips of one hotword.
  public mutating func forget(_ keyword: String) {
    clips.removeAll { $0.keyword == keyword }
    orders.removeAll { $0.keyword == keyword }
  }
}

// MARK: - Its file

extension EnrolledVoice {
  private static let format = "hotword-voice-1"
  /// The prefix of the names of the tensors of ``orders``.
  private static let order = "order"

  /// The bytes of the voice's file, in the safetensors format; equal voices have equal bytes.
  public var encoded: [UInt8] {
    func tensors(_ clips: [Clip], _ prefix: String) -> [NetworkWeights.Tensor] {
      clips.enumerated().map {
        .init(name: "\(prefix)\($0)", shape: [$1.print.count, VoicePrint.bands], values: $1.print.spectra)
      }
    }
    func names(_ clips: [Clip]) -> String { JSON.array(clips.map { .string($0.keyword) }).description }
    let said = orders.isEmpty ? [] : [("orders", names(orders))]
    return Safetensors(
      tensors: tensors(clips, "") + tensors(orders, Self.order),
      metadata: [("format", Self.format), ("name", name), ("keywords", names(clips))] + said
    ).encoded
  }

  /// Decodes the bytes of a voice's file.
  ///
  /// - Throws: the defect of the file.
  public init(decoding bytes: [UInt8]) throws(ModelDefect) {
    let file = try Safetensors(decoding: bytes)
    guard let format = file["format"] else { throw .missingMetadata("format") }
    guard format == Self.format else { throw .unknownVersion(format) }
    guard let name = file["name"], VoiceStore.isName(name) else {
      throw .badMetadata(name: "name", allowed: "a voice's name")
    }
    let clips = try Self.clips("keywords", "", in: file)
    let orders = try file["orders"] == nil ? [] : Self.clips("orders", Self.order, in: file)
    guard clips.count + orders.count == file.tensors.count else {
      throw .badMetadata(name: "keywords", allowed: "one name a clip")
    }
    self.init(name: name, clips: clips)
    self.orders = orders
  }

  /// The clips whose hotwords the metadata entry `list` names.
  private static func clips(
    _ list: String, _ prefix: String, in file: Safetensors
  ) throws(ModelDefect) -> [Clip] {
    let json = file[list].flatMap { try? JSON(parsing: Array($0.utf8), what: list) }
    let keywords = json?.array?.compactMap(\.string) ?? []
    guard keywords.count <= 1000 else { throw .badMetadata(name: list, allowed: "one name a clip") }
    var clips: [Clip] = []
    for (index, keyword) in keywords.enumerated() {
      guard let tensor = file.tensor("\(prefix)\(index)") else { throw .missingTensor("\(prefix)\(index)") }
      guard tensor.shape.count == 2, tensor.shape[1] == VoicePrint.bands,
        let print = VoicePrint(spectra: tensor.values)
      else { throw .malformedTensor("\(prefix)\(index)") }
      clips.append(Clip(keyword: keyword, print: print))
    }
    return clips
  }
}
