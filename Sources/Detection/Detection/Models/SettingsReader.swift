import Platform

/// Reads members of a JSON object of settings and checks their types and ranges.
struct SettingsReader {
  private let json: JSON

  init(_ json: JSON) { self.json = json }

  func integer(_ name: String) throws(DetectionFault) -> Int {
    guard let value = json[name]?.number.flatMap({ Int(exactly: $0) }) else {
      throw .badSetting(name: name, allowed: "a whole number")
    }
    return value
  }

  func integers(_ name: String) throws(DetectionFault) -> [Int] {
    let values = json[name]?.array
    let integers = values?.compactMap { $0.number.flatMap { Int(exactly: $0) } }
    guard let integers, integers.count == values?.count else {
      throw .badSetting(name: name, allowed: "a list of whole numbers")
    }
    return integers
  }

  func number(_ name: String) throws(DetectionFault) -> Double {
    guard let value = json[name]?.number, value.isFinite else {
      throw .badSetting(name: name, allowed: "a number")
    }
    return value
  }

  func numbers(_ name: String) throws(DetectionFault) -> [Double] {
    let values = json[name]?.array
    let numbers = values?.compactMap(\.number).filter(\.isFinite)
    guard let numbers, numbers.count == values?.count else {
      throw .badSetting(name: name, allowed: "a list of numbers")
    }
    return numbers
  }
}
