import Platform

/// The fields of an action, parsed leniently: services write numbers as text and leave fields out.
struct ActionFields {
  let json: JSON

  /// The parsed action; nil for unknown types and for missing fields.
  func kind(_ type: String) -> Action.Kind? {
    switch type {
    case "answer": text("expression").map { .answer($0) }
    case "anchor": text("link").map { .anchor(link: $0, text: text("text")) }
    case "map": map
    case "rss":
      text("title").map {
        .rss(title: $0, description: text("description"), link: text("link"), count: count)
      }
    case "table": columns.map { .table(columns: $0, count: count) }
    case "piechart": piechart
    case "websearch": text("query").map { .webSearch($0) }
    case "timer_set": seconds.map { .timerSet(seconds: $0, name: text("name")) }
    case "timer_reset": .timerReset(choice)
    case "audio_play": text("identifier").map { .audioPlay(identifier: $0, type: text("identifier_type")) }
    case "video_play": text("identifier").map { .videoPlay(identifier: $0, type: text("identifier_type")) }
    case "audio_volume": number("volume").flatMap { (0...100).contains($0) ? .volume($0) : nil }
    case "image_show": text("url").map { .imageShow(url: $0) }
    default: Action.Control(rawValue: type).map { .control($0) }
    }
  }

  private var map: Action.Kind? {
    guard let latitude = number("latitude"), let longitude = number("longitude") else { return nil }
    return .map(latitude: latitude, longitude: longitude, zoom: number("zoom"))
  }

  private var piechart: Action.Kind? {
    guard let key = text("key"), let value = text("value") else { return nil }
    return .piechart(total: number("total"), key: key, value: value, unit: text("unit"))
  }

  private var columns: [Action.Column]? {
    let columns = json["columns"]?.members?.compactMap { member in
      member.value.string.map { Action.Column(key: member.name, title: $0) }
    }
    return columns?.isEmpty ?? true ? nil : columns
  }

  /// The number of rows to show; services write -1 for all.
  private var count: Int? {
    number("count").flatMap { (0...1e6).contains($0) ? Int($0) : nil }
  }

  private var choice: Timers.Choice {
    if let name = text("name") { return .named(name) }
    return json["all"]?.bool == true ? .all : .latest
  }

  /// From `time` in seconds or as `[[H:]M:]S`, or from fields for hours, minutes and seconds.
  private var seconds: Double? {
    let parts = [("hour", 3600.0), ("minute", 60), ("second", 1)].compactMap { name, unit in
      (number(name) ?? number(name + "s")).map { $0 * unit }
    }
    let given = number("time") ?? text("time").flatMap(Self.clock)
    let seconds = given ?? (parts.isEmpty ? nil : parts.reduce(0, +))
    return seconds.flatMap { $0 >= 0 && $0 <= Timers.longest ? $0 : nil }
  }

  private static func clock(_ text: String) -> Double? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { Double($0) }
    guard (2...3).contains(parts.count) else { return nil }
    return parts.reduce(0) { sum, part in part.flatMap { part in sum.map { $0 * 60 + part } } }
  }

  private func text(_ name: String) -> String? {
    json[name]?.string.flatMap { $0.isEmpty ? nil : $0 }
  }

  private func number(_ name: String) -> Double? {
    let number = json[name]?.number ?? json[name]?.string.flatMap(Double.init)
    return number.flatMap { $0.isFinite ? $0 : nil }
  }
}
