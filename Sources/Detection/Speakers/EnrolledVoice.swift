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

  /// Enrolls it again with one hotword and removes older clips of that hotword.
  public mutating func enroll(_ prints: [VoicePrint], keyword: String) {
    clips.removeAll { $0.keyword == keyword }
    clips += prints.map { Clip(keyword: keyword, print: $0) }
  }

  /// Removes the clips of one hotword.
  public mutating func forget(_ keyword: String) { clips.removeAll { $0.keyword == keyword } }
}

// MARK: - Its file

extension EnrolledVoice {
  private static let format = "hotword-voice-1"

  /// The bytes of the voice's file, in the safetensors format; equal voices have equal bytes.
  public var encoded: [UInt8] {
    Safetensors(
      tensors: clips.enumerated().map {
        .init(name: "\($0)", shape: [$1.print.count, VoicePrint.bands], values: $1.print.spectra)
      },
      metadata: [
        ("format", Self.format), ("name", name),
        ("keywords", JSON.array(clips.map { .string($0.keyword) }).description),
      ]
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
    let json = file["keywords"].flatMap { try? JSON(parsing: Array($0.utf8), what: "keywords") }
    let keywords = json?.array?.compactMap(\.string) ?? []
    guard keywords.count == file.tensors.count, keywords.count <= 1000 else {
      throw .badMetadata(name: "keywords", allowed: "one name a clip")
    }
    var clips: [Clip] = []
    for (index, keyword) in keywords.enumerated() {
      guard let tensor = file.tensor("\(index)") else { throw .missingTensor("\(index)") }
      guard tensor.shape.count == 2, tensor.shape[1] == VoicePrint.bands,
        let print = VoicePrint(spectra: tensor.values)
      else { throw .malformedTensor("\(index)") }
      clips.append(Clip(keyword: keyword, print: print))
    }
    self.init(name: name, clips: clips)
  }
}
