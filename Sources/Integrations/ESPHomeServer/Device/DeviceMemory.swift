import Platform

/// What a satellite keeps over restarts: its hardware address, and what was set in Home Assistant.
public struct DeviceMemory: Sendable, Equatable {
  /// 12 hexadecimal digits, by which Home Assistant knows the satellite.
  public var address: String
  /// The models of the wake words that were made active, those that cannot be chosen now among them.
  private var chosen: [String]
  /// The models that can be chosen; nil means all.
  private var offered: Set<String>?
  /// Of models whose sensitivity was changed, 0…1.
  public var sensitivities: [String: Double] = [:]
  /// Of the other models, as configured.
  public let configured: [String: Double]
  /// 0…1
  public var volume: Float = 1
  public var isMuted = false

  /// The settings of the first start, with a random address of those that are not a manufacturer's.
  public init(active: [String], sensitivities configured: [String: Double]) {
    var random = SystemRandomNumberGenerator()
    let number = random.next(upperBound: UInt64(1) << 40)
    let digits = String(number, radix: 16)
    address = "02" + String(repeating: "0", count: 10 - digits.count) + digits
    chosen = active
    self.configured = configured
  }

  /// The models of the active wake words.
  public var active: [String] {
    guard let offered else { return chosen }
    return chosen.filter(offered.contains)
  }

  /// Only `models` can be chosen from now on. Others that were active are kept until they can be chosen again.
  public mutating func offer(_ models: [String]) { offered = Set(models) }

  /// Makes the wake words of `models` active. Those that cannot be chosen now keep the places that are left.
  mutating func activate(_ models: [String]) {
    let absent = chosen.filter { [active] in !active.contains($0) }
    chosen = Array((models + absent).prefix(DeviceState.slots))
  }

  public func sensitivity(of model: String) -> Double {
    sensitivities[model] ?? configured[model] ?? 0.5
  }

  private static let limit = 64 << 10

  /// Reads the file at `path`, if there is one.
  ///
  /// - Throws: ``ESPHomeFault``.
  public mutating func read(_ path: String) throws(ESPHomeFault) {
    guard Files.exists(path) else { return }
    let bytes: [UInt8]
    do {
      bytes = try Files.read(path, limit: Self.limit)
    } catch {
      throw .system(error)
    }
    guard let json = try? JSON(parsing: bytes), let address = json["address"]?.string, Self.isAddress(address)
    else { throw .badMemory(file: path) }
    self.address = address
    if let active = json["active"]?.array { chosen = active.compactMap(\.string) }
    for member in json["sensitivities"]?.members ?? [] {
      guard let value = member.value.number, (0...1).contains(value) else { continue }
      sensitivities[member.name] = value
    }
    if let volume = json["volume"]?.number, (0...1).contains(volume) { self.volume = Float(volume) }
    isMuted = json["muted"] == .bool(true)
  }

  private static func isAddress(_ text: String) -> Bool {
    text.utf8.count == 12 && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }

  /// Writes the file at `path`; its folder is created if it is missing.
  public func write(_ path: String) throws(ESPHomeFault) {
    let changed = sensitivities.sorted { $0.key < $1.key }
    let json = JSON.object([
      JSON.Member("address", .string(address)), JSON.Member("active", .array(chosen.map { .string($0) })),
      JSON.Member("sensitivities", .object(changed.map { JSON.Member($0.key, .number($0.value)) })),
      JSON.Member("volume", .number(Double(volume))), JSON.Member("muted", .bool(isMuted)),
    ])
    do {
      if let slash = path.lastIndex(of: "/"), slash != path.startIndex {
        try Files.createFolder(String(path[..<slash]), mode: 0o700)
      }
      try Files.write(Array("\(json)\n".utf8), to: path, mode: 0o600)
    } catch {
      throw .system(error)
    }
  }
}
