import Platform

/// The names of a home in Home Assistant: its floors, areas and the entities that voice assistants may use.
public struct Home: Sendable, Equatable {
  /// A floor or an area.
  public struct Place: Sendable, Equatable {
    public let name: String
    public let aliases: [String]

    public init(_ name: String, aliases: [String] = []) {
      self.name = name
      self.aliases = aliases
    }
  }

  /// A lamp, a sensor, a scene and so on.
  public struct Entity: Sendable, Equatable {
    /// The kind of entity, such as `light`.
    public let domain: String
    /// A name that Home Assistant knows it by.
    public let name: String
    public let aliases: [String]

    public init(domain: String, _ name: String, aliases: [String] = []) {
      self.domain = domain
      self.name = name
      self.aliases = aliases
    }
  }

  public let floors: [Place]
  public let areas: [Place]
  /// Those that are exposed to Home Assistant's conversation agents.
  public let entities: [Entity]
  /// The names of the areas of voice satellites, by their entities and devices.
  public let rooms: [String: String]
  /// The identifiers of these areas, by the same.
  public let roomIdentifiers: [String: String]

  public init(
    floors: [Place], areas: [Place], entities: [Entity], rooms: [String: String] = [:],
    roomIdentifiers: [String: String] = [:]
  ) {
    self.floors = floors
    self.areas = areas
    self.entities = entities
    self.rooms = rooms
    self.roomIdentifiers = roomIdentifiers
  }
}

extension Home {
  /// Joins the results of Home Assistant's WebSocket commands.
  ///
  /// - Parameters:
  ///   - floors: of `config/floor_registry/list`.
  ///   - areas: of `config/area_registry/list`.
  ///   - states: of `get_states`.
  ///   - exposed: of `homeassistant/expose_entity/list`.
  ///   - entries: of `config/entity_registry/get_entries`, for aliases.
  ///   - registered: of `config/entity_registry/list`, for satellites.
  ///   - devices: of `config/device_registry/list`.
  init(
    floors: JSON, areas: JSON, states: JSON, exposed: JSON, entries: JSON, registered: JSON, devices: JSON
  ) {
    let found = Self.rooms(areas, registered, devices)
    rooms = found.mapValues { $0.name }
    roomIdentifiers = found.mapValues { $0.identifier }
    self.floors = Self.places(floors)
    self.areas = Self.places(areas)
    // Since 2026, aliases include null where an entity also goes by its own name.
    let hasOwnNames =
      entries.members?.contains { $0.value["aliases"]?.array?.contains(.null) ?? false } ?? false
    entities = Self.exposedIdentifiers(exposed).compactMap { identifier in
      let state = states.array?.first { $0["entity_id"]?.string == identifier }
      guard let domain = identifier.split(separator: ".").first,
        let own = Self.name(state?["attributes"]?["friendly_name"])
      else { return nil }
      let aliases = entries[identifier]?["aliases"]
      var names = Self.names(aliases)
      let goesByOwn = !hasOwnNames || names.isEmpty || aliases?.array?.contains(.null) ?? true
      let name = goesByOwn ? own : names.removeFirst()
      return Entity(domain: String(domain), name, aliases: names)
    }
  }

  /// The entities that are exposed to conversation agents, in alphabetical order.
  static func exposedIdentifiers(_ exposed: JSON) -> [String] {
    let all = exposed["exposed_entities"]?.members ?? []
    return all.filter { $0.value["conversation"]?.bool == true }.map(\.name).sorted()
  }

  private static func rooms(
    _ areas: JSON, _ registered: JSON, _ devices: JSON
  ) -> [String: (identifier: String, name: String)] {
    func area(of entry: JSON?) -> (identifier: String, name: String)? {
      guard let identifier = entry?["area_id"]?.string,
        let own = Self.name(areas.array?.first { $0["area_id"]?.string == identifier }?["name"])
      else { return nil }
      return (identifier: identifier, name: own)
    }
    var rooms: [String: (identifier: String, name: String)] = [:]
    for entry in registered.array ?? [] {
      guard let entity = entry["entity_id"]?.string, entity.hasPrefix("assist_satellite.") else { continue }
      let device = entry["device_id"]?.string
      let home = device.flatMap { device in devices.array?.first { $0["id"]?.string == device } }
      guard let room = area(of: entry) ?? area(of: home) else { continue }
      rooms[entity] = room
      if let device { rooms[device] = room }
    }
    return rooms
  }

  private static func places(_ registry: JSON) -> [Place] {
    registry.array?.compactMap { entry in
      name(entry["name"]).map { Place($0, aliases: names(entry["aliases"])) }
    } ?? []
  }

  private static func names(_ aliases: JSON?) -> [String] { aliases?.array?.compactMap { name($0) } ?? [] }

  private static func name(_ value: JSON?) -> String? {
    let name = value?.string?.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return name.flatMap { $0.isEmpty ? nil : $0 }
  }
}
