/// A graph of ONNX operators, built node by node with named outputs.
///
/// The field numbers are those of onnx.proto3. https://github.com/onnx/onnx/blob/main/onnx/onnx.proto3
struct ONNXGraph: Sendable, Equatable {
  /// The element type of a tensor.
  enum Element: Int {
    case float = 1
    case integer = 7
    case bool = 9
  }

  /// One size of a value's shape.
  enum Size {
    case exactly(Int)
    /// Of any size, with this name.
    case any(String)
  }

  /// A node's constant.
  enum Attribute {
    case integer(Int)
    case integers([Int])
    case graph(ONNXGraph)
  }

  private var nodes: [ProtobufMessage] = []
  private var initializers: [ProtobufMessage] = []
  private var inputs: [ProtobufMessage] = []
  private var outputs: [ProtobufMessage] = []
  private let name: String

  init(name: String) { self.name = name }

  /// An input of the graph.
  @discardableResult
  mutating func input(
    _ name: String, _ shape: [Size], _ element: Element = .float, note: String = ""
  ) -> String {
    inputs.append(Self.value(name, shape, element, note))
    return name
  }

  /// Makes the value `name` an output of the graph.
  mutating func output(_ name: String, _ shape: [Size], note: String = "") {
    outputs.append(Self.value(name, shape, .float, note))
  }

  /// A constant of numbers; an empty shape is a scalar.
  mutating func constant(_ name: String, _ shape: [Int], _ values: [Float]) -> String {
    precondition(values.count == shape.reduce(1, *))
    let bytes = values.flatMap { value in
      (0..<4).map { UInt8(truncatingIfNeeded: value.bitPattern >> (8 * UInt32($0))) }
    }
    return constant(name, shape, .float, bytes)
  }

  /// A list of whole numbers.
  mutating func constant(_ name: String, _ values: [Int]) -> String {
    let bytes = values.flatMap { value in (0..<8).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
    return constant(name, [values.count], .integer, bytes)
  }

  /// A whole number.
  mutating func whole(_ name: String, _ value: Int) -> String {
    constant(name, [], .integer, (0..<8).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) })
  }

  /// A list of booleans.
  mutating func constant(_ name: String, _ values: [Bool]) -> String {
    constant(name, [values.count], .bool, values.map { $0 ? 1 : 0 })
  }

  private mutating func constant(
    _ name: String, _ shape: [Int], _ element: Element, _ bytes: [UInt8]
  ) -> String {
    var tensor = ProtobufMessage()
    for size in shape { tensor.add(1, size) }
    tensor.add(2, element.rawValue)
    tensor.add(8, name)
    tensor.add(9, bytes: bytes)
    initializers.append(tensor)
    return name
  }

  /// Adds a node with one output; both are named `name`.
  mutating func node(
    _ name: String, _ operation: String, _ inputs: [String], _ attributes: [(String, Attribute)] = []
  ) -> String {
    nodes(operation, inputs, outputs: [name], attributes)
    return name
  }

  /// Adds a node with several outputs.
  mutating func nodes(
    _ operation: String, _ inputs: [String], outputs: [String], _ attributes: [(String, Attribute)] = []
  ) {
    var node = ProtobufMessage()
    for input in inputs { node.add(1, input) }
    for output in outputs { node.add(2, output) }
    node.add(3, outputs[0])
    node.add(4, operation)
    for (name, attribute) in attributes { node.add(5, Self.message(name, attribute)) }
    nodes.append(node)
  }

  private static func message(_ name: String, _ attribute: Attribute) -> ProtobufMessage {
    var message = ProtobufMessage()
    message.add(1, name)
    switch attribute {
    case .integer(let value):
      message.add(3, value)
      message.add(20, 2)
    case .integers(let values):
      for value in values { message.add(8, value) }
      message.add(20, 7)
    case .graph(let graph):
      message.add(6, graph.message)
      message.add(20, 5)
    }
    return message
  }

  private static func value(
    _ name: String, _ sizes: [Size], _ element: Element, _ note: String
  ) -> ProtobufMessage {
    var shape = ProtobufMessage()
    for size in sizes {
      var dimension = ProtobufMessage()
      switch size {
      case .exactly(let count): dimension.add(1, count)
      case .any(let name): dimension.add(2, name)
      }
      shape.add(1, dimension)
    }
    var tensor = ProtobufMessage()
    tensor.add(1, element.rawValue)
    tensor.add(2, shape)
    var type = ProtobufMessage()
    type.add(1, tensor)
    var value = ProtobufMessage()
    value.add(1, name)
    value.add(2, type)
    if !note.isEmpty { value.add(3, note) }
    return value
  }

  /// The graph as onnx.proto3's GraphProto.
  var message: ProtobufMessage {
    var message = ProtobufMessage()
    for node in nodes { message.add(1, node) }
    message.add(2, name)
    for initializer in initializers { message.add(5, initializer) }
    for input in inputs { message.add(11, input) }
    for output in outputs { message.add(12, output) }
    return message
  }
}
