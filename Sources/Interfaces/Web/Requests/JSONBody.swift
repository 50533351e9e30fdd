import Networking
import Platform

/// The JSON object in a request's body.
struct JSONBody {
  private let object: JSON

  init(_ request: ServedRequest) throws(WebFault) {
    guard request.headers["content-type"]?.hasPrefix("application/json") ?? false else { throw .notJSON(nil) }
    do {
      object = try JSON(parsing: request.body)
    } catch {
      throw .notJSON(error)
    }
    guard object.members != nil else { throw .notJSON(nil) }
  }

  subscript(name: String) -> JSON? { object[name] }

  /// - Parameter limit: the most characters.
  func text(_ name: String, limit: Int) throws(WebFault) -> String {
    guard let text = object[name]?.string, !text.isEmpty, text.count <= limit else {
      throw .badField(name, expected: "a text of up to \(limit) characters")
    }
    return text
  }

  func number(_ name: String, in range: ClosedRange<Double>) throws(WebFault) -> Double {
    guard let number = object[name]?.number, range.contains(number) else {
      throw .badField(
        name, expected: "a number from \(JSON.number(range.lowerBound)) to \(JSON.number(range.upperBound))")
    }
    return number
  }
}
