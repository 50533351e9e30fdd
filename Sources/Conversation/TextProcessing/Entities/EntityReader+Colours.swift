/// Colours.
extension EntityReader {
  private static let names: Set<String> = [
    "red", "orange", "yellow", "green", "blue", "purple", "pink", "white", "black", "grey", "brown", "cyan",
    "turquoise", "magenta", "violet", "gold", "silver", "beige", "lime", "teal", "indigo", "crimson",
    "lavender", "navy", "maroon", "olive", "coral", "amber", "burgundy", "scarlet", "peach", "salmon",
    "ivory", "bronze", "cream", "tan", "khaki", "aqua", "aquamarine", "lilac", "fuchsia", "charcoal", "mint",
    "plum", "mauve", "ruby", "emerald", "sapphire", "copper", "azure", "apricot", "ochre", "taupe",
    "vermilion", "chartreuse",
  ]
  private static let spellings = ["gray": "grey", "golden": "gold", "fuschia": "fuchsia"]
  private static let shades: Set<String> = [
    "light", "dark", "warm", "cool", "bright", "pale", "deep", "soft", "medium",
  ]
  /// Words that make another colour of the one after them.
  private static let kinds: [String: Set<String>] = [
    "blue": ["navy", "sky", "royal", "baby", "powder", "ice", "midnight", "steel", "electric", "cobalt"],
    "green": ["lime", "olive", "mint", "forest", "sea", "emerald", "apple", "grass", "moss"],
    "pink": ["hot", "salmon", "baby", "rose", "coral"], "red": ["blood", "ruby", "cherry", "wine", "brick"],
    "yellow": ["lemon", "mustard"], "orange": ["burnt"], "white": ["off", "snow", "ivory"], "gold": ["rose"],
    "grey": ["charcoal", "slate"], "black": ["jet"], "brown": ["chocolate"],
  ]

  /// "red", "gray" (as "grey"), "light blue", "dark-red", "hot pink".
  func colours(at index: Int) -> [Reading<String>] {
    guard isEnglish else { return [] }
    var place = index
    var shade = ""
    if Self.shades.contains(text.word(place)) {
      shade = text.word(place) + " "
      place += 1
    }
    var found: [Reading<String>] = []
    let first = colour(place)
    if Self.names.contains(first) { found.append(Reading(end: place + 1, value: shade + first)) }
    if Self.kinds[colour(place + 1)]?.contains(first) ?? false {
      found.append(Reading(end: place + 2, value: "\(shade)\(first) \(colour(place + 1))"))
    }
    return found
  }

  private func colour(_ place: Int) -> String { Self.spellings[text.word(place)] ?? text.word(place) }
}
