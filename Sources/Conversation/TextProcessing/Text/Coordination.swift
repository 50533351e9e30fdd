/// The words between the parts of "olives, ham and some mushrooms".
package enum Coordination {
  package static let conjunctions: Set<String> = [
    "and", "or", "plus", "und", "oder", "et", "ou", "y", "o", "e",
  ]
  /// Conjunctions of several words.
  package static let phrases = [["as", "well", "as"], ["along", "with"], ["together", "with"]]
  package static let articles: Set<String> = ["a", "an", "the", "some", "any", "also", "more", "extra"]
}
