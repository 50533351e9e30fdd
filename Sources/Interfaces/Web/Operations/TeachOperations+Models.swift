import Detection
import Networking
import Platform

/// Models: their curves and versions, their improvement, and trying them.
extension TeachOperations {
  /// Sensitivities from 0 to 1 in an answer, less one.
  private static let sensitivitySteps = 20

  /// The models that are installed or wait to be installed, by their names.
  var listedModels: JSON {
    let installed = program.store.list().map(\.name)
    let waiting = ((try? Files.names(in: phrases.folder)) ?? []).filter {
      PhraseStore.isName($0) && Files.exists(phrases.candidate($0))
    }
    let names = Set(installed + waiting).sorted()
    return [
      "models": .array(
        names.map { name in
          let versions = versions(name)
          return [
            "name": .string(name), "installed": .bool(versions.path(.installed) != nil),
            "candidate": .bool(versions.path(.candidate) != nil),
            "previous": .bool(versions.path(.previous) != nil),
          ]
        })
    ]
  }

  /// The versions of a model with their curves.
  func model(_ name: String) throws(WebFault) -> JSON {
    let versions = try existing(name)
    var members: [JSON.Member] = [
      .init("name", .string(name)), .init("removable", .bool(versions.isRemovable)),
    ]
    for version in ModelVersions.Version.allCases {
      let path = versions.path(version)
      let json = try path.map { path throws(WebFault) in
        Self.json(try WebOperations.run { try HotwordModel(reading: path) }, path)
      }
      members.append(.init(version.rawValue, json ?? .null))
    }
    return .object(members)
  }

  private static func json(_ model: HotwordModel, _ path: String) -> JSON {
    let held = model.training["heldOut"]
    return [
      "phrase": .string(model.phrase), "file": .string(path),
      "points": .array(
        model.curve.points.map {
          [
            "threshold": .rounded($0.threshold, digits: 4),
            "falseAlarmsPerHour": .rounded($0.falseAlarmsPerHour, digits: 4),
            "missRate": .rounded($0.missRate, digits: 4),
          ]
        }),
      "sensitivities": .array(model.settings(steps: sensitivitySteps).map(\.json)),
      "phrases": held?["positives"] ?? .null, "synthetic": held?["synthetic"] ?? .null,
      "hours": held?["hours"] ?? .null, "improvement": model.training["improvement"] ?? .null,
    ]
  }

  /// Trains the next version on the labelled clips, as a candidate: `hotword train --improve`.
  func improve(_ name: String, _ body: JSONBody, _ clips: String) throws(WebFault) -> JSON {
    let versions = try existing(name)
    guard let path = versions.path(.installed) else { throw .noVersion(name, .installed) }
    let steps = try steps(body)
    let candidate = phrases.candidate(name)
    try WebOperations.run {
      if let end = candidate.lastIndex(of: "/") { try Files.createFolder(String(candidate[..<end])) }
    }
    return try start(
      .improve, of: name,
      [
        program.training, "train", "--improve=\(path)", "--false-alarms=\(clips)", "--missed=\(clips)",
        "--output=\(candidate)", "--json", "--progress=json",
      ] + steps)
  }

  func use(_ name: String) throws(WebFault) -> JSON {
    let versions = try existing(name)
    guard versions.path(.candidate) != nil else { throw .noVersion(name, .candidate) }
    return try installed(name) { try versions.use() }
  }

  func discard(_ name: String) throws(WebFault) -> JSON {
    let versions = try existing(name)
    guard let candidate = versions.path(.candidate) else { throw .noVersion(name, .candidate) }
    try WebOperations.run { try versions.discard() }
    // The service may have been trying it.
    program.listen?(versions.path(.installed) ?? candidate)
    return ["deleted": .string(name)]
  }

  func restore(_ name: String) throws(WebFault) -> JSON {
    let versions = try existing(name)
    guard versions.path(.previous) != nil else { throw .noVersion(name, .previous) }
    return try installed(name) { try versions.restore() }
  }

  /// Deletes the user's own model; a service that listens for it does so until it ends, or for a shipped one of its name.
  func remove(_ name: String) throws(WebFault) -> JSON {
    guard work.state?.phase != .running || work.state?.name != name else { throw .working(name) }
    let versions = try existing(name)
    guard versions.path(.installed) != nil else { throw .noVersion(name, .installed) }
    guard versions.isRemovable else { throw .shippedModel(name) }
    try WebOperations.run { try versions.remove() }
    if let shipped = self.versions(name).path(.installed) { program.listen?(shipped) }
    return ["deleted": .string(name)]
  }

  /// Changes the installed model, for which the service listens then.
  private func installed(_ name: String, _ change: () throws -> String) throws(WebFault) -> JSON {
    guard work.state?.phase != .running || work.state?.name != name else { throw .working(name) }
    let path = try WebOperations.run(change)
    program.listen?(path)
    return ["name": .string(name), "file": .string(path), "listening": .bool(program.listen != nil)]
  }

  // MARK: Trying

  /// The scores of a version, `candidate` or `installed`, for a recording.
  func score(_ name: String, _ request: ServedRequest) throws(WebFault) -> JSON {
    let path = try path(name, request.query["version"].map { .string($0) })
    guard let value = Double(request.query["sensitivity"] ?? "0.5"), let sensitivity = try? Sensitivity(value)
    else { throw .badField("sensitivity", expected: "a number from 0 to 1") }
    let samples = try request.recording(upTo: Self.longestRecording)
    return try WebOperations.run {
      try ScoreTrial(HotwordModel(reading: path), sensitivity, samples).json
    }
  }

  /// Makes the service listen for a version at once.
  func listen(_ name: String, _ body: JSONBody) throws(WebFault) -> JSON {
    guard let listen = program.listen else { throw .noService }
    let path = try path(name, body["version"])
    listen(path)
    return ["name": .string(name), "file": .string(path), "listening": true]
  }

  private func path(_ name: String, _ version: JSON?) throws(WebFault) -> String {
    guard let version = version?.string.flatMap(ModelVersions.Version.init(rawValue:)) else {
      let versions = ModelVersions.Version.allCases.map(\.rawValue).joined(separator: ", ")
      throw .badField("version", expected: "one of \(versions)")
    }
    guard let path = try existing(name).path(version) else { throw .noVersion(name, version) }
    return path
  }

  private func versions(_ name: String) -> ModelVersions {
    ModelVersions(
      name, candidate: phrases.candidate(name), in: program.store, userFolder: program.modelFolder)
  }

  private func existing(_ name: String) throws(WebFault) -> ModelVersions {
    guard PhraseStore.isName(name) else { throw .unknownModel(name) }
    let versions = versions(name)
    guard versions.path(.installed) != nil || versions.path(.candidate) != nil else {
      throw .unknownModel(name)
    }
    return versions
  }
}
