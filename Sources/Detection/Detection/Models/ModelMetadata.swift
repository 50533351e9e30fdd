import Platform

/// Reads the metadata of a model file; errors name the entry.
struct ModelMetadata {
  private let file: Safetensors

  init(_ file: Safetensors) { self.file = file }

  func text(_ name: String) throws(ModelDefect) -> String {
    guard let text = file[name] else { throw .missingMetadata(name) }
    return text
  }

  /// The result of `read` for the JSON of the entry.
  func value<Value>(_ name: String, _ read: (JSON) throws -> Value) throws(ModelDefect) -> Value {
    let bytes = Array(try text(name).utf8)
    guard let json = try? JSON(parsing: bytes, depthLimit: 32) else {
      throw .badMetadata(name: name, allowed: "JSON")
    }
    do {
      return try read(json)
    } catch let fault as DetectionFault {
      throw Self.defect(of: fault, in: name)
    } catch {
      throw .badMetadata(name: name, allowed: "as this program writes it (\(error))")
    }
  }

  func requireFormat(_ format: String) throws(ModelDefect) {
    guard try text("format") == format else { throw .unknownVersion(try text("format")) }
  }

  static func defect(of fault: DetectionFault, in name: String?) -> ModelDefect {
    guard case .badSetting(let setting, let allowed) = fault else {
      return .badMetadata(name: name ?? "settings", allowed: "as this program writes it")
    }
    return .badMetadata(name: name.map { "\($0).\(setting)" } ?? setting, allowed: allowed)
  }
}

extension Safetensors {
  /// The tensors of `network`, named `name.…`.
  static func tensors(of network: NetworkWeights, named name: String) -> [NetworkWeights.Tensor] {
    network.tensors.map { .init(name: "\(name).\($0.name)", shape: $0.shape, values: $0.values) }
  }

  /// The network of `shape` with the tensors `name.…`; their names are removed from `unread`.
  func network(
    _ name: String, shape: NetworkShape, _ unread: inout Set<String>
  ) throws(ModelDefect) -> NetworkWeights {
    var read: [String] = []
    let weights = try NetworkWeights(shape: shape) { (part, sizes) throws(ModelDefect) -> [Float] in
      let name = "\(name).\(part)"
      guard let tensor = tensor(name) else { throw .missingTensor(name) }
      guard tensor.shape == sizes else {
        throw .wrongShape(tensor: name, expected: sizes, found: tensor.shape)
      }
      read.append(name)
      return tensor.values
    }
    unread.subtract(read)
    return weights
  }

  /// Decodes a file of this format at `path`.
  init(reading path: String) throws(DetectionFault) {
    let bytes: [UInt8]
    do {
      bytes = try Files.read(path, limit: Self.fileLimit)
    } catch {
      throw .system(error)
    }
    do {
      self = try Safetensors(decoding: bytes)
    } catch {
      throw .badModel(path: path, defect: error)
    }
  }
}
