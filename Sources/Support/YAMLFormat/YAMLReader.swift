import CYAML

/// Reads untrusted YAML into a tree, by libyaml's events: bounded in depth, number of values and bytes.
///
/// Rejects aliases, explicit tags, second documents and duplicate keys, so the tree is never larger than the
/// file. Every node has its line and column.
package struct YAMLReader {
  package static let depthLimit = 24
  package static let nodeLimit = 200_000
  package static let byteLimit = 4 << 20
  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  private let parser: UnsafeMutablePointer<yaml_parser_t>
  private let bytes: UnsafeBufferPointer<UInt8>
  private let file: String
  private var nodes = 0

  /// Reads one document.
  ///
  /// - Parameter file: the name of the file in messages.
  package static func read(_ bytes: [UInt8], file: String) throws(YAMLFault) -> YAMLNode {
    let bytes = bytes.starts(with: byteOrderMark) ? Array(bytes.dropFirst(byteOrderMark.count)) : bytes
    let result: Result<YAMLNode, YAMLFault> = bytes.withUnsafeBufferPointer { buffer in
      let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
      defer { parser.deallocate() }
      guard yaml_parser_initialize(parser) == 1 else { fatalError("out of memory") }
      defer { yaml_parser_delete(parser) }
      yaml_parser_set_input_string(parser, buffer.baseAddress, buffer.count)
      yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
      var reader = YAMLReader(parser: parser, bytes: buffer, file: file)
      do throws(YAMLFault) {
        return .success(try reader.document())
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  private init(parser: UnsafeMutablePointer<yaml_parser_t>, bytes: UnsafeBufferPointer<UInt8>, file: String) {
    self.parser = parser
    self.bytes = bytes
    self.file = file
  }

  private mutating func document() throws(YAMLFault) -> YAMLNode {
    var root: YAMLNode?
    while true {
      var event = try next()
      defer { yaml_event_delete(&event) }
      switch event.type {
      case YAML_STREAM_END_EVENT:
        guard let root else { throw fault(SourcePosition(line: 1, column: 1), .empty) }
        return root
      case YAML_DOCUMENT_START_EVENT:
        if root != nil { throw fault(Self.position(event.start_mark), .secondDocument) }
      case YAML_STREAM_START_EVENT, YAML_DOCUMENT_END_EVENT: break
      default: root = try node(event, depth: 1)
      }
    }
  }

  private mutating func node(_ event: yaml_event_t, depth: Int) throws(YAMLFault) -> YAMLNode {
    let position = Self.position(event.start_mark)
    guard depth <= Self.depthLimit else { throw fault(position, .tooDeep(limit: Self.depthLimit)) }
    nodes += 1
    guard nodes <= Self.nodeLimit else { throw fault(position, .tooManyNodes(limit: Self.nodeLimit)) }
    switch event.type {
    case YAML_ALIAS_EVENT:
      throw fault(position, .alias(name: String(cString: event.data.alias.anchor)))
    case YAML_SCALAR_EVENT:
      try reject(event.data.scalar.tag, at: position)
      return scalar(event, at: position)
    case YAML_SEQUENCE_START_EVENT:
      try reject(event.data.sequence_start.tag, at: position)
      return YAMLNode(content: .sequence(try sequence(depth: depth)), position: position)
    default:
      try reject(event.data.mapping_start.tag, at: position)
      return YAMLNode(content: .mapping(try mapping(depth: depth)), position: position)
    }
  }

  private mutating func sequence(depth: Int) throws(YAMLFault) -> [YAMLNode] {
    var items: [YAMLNode] = []
    while true {
      var event = try next()
      defer { yaml_event_delete(&event) }
      if event.type == YAML_SEQUENCE_END_EVENT { return items }
      items.append(try node(event, depth: depth + 1))
    }
  }

  private mutating func mapping(depth: Int) throws(YAMLFault) -> [YAMLNode.Entry] {
    var entries: [YAMLNode.Entry] = []
    var lines: [String: Int] = [:]
    while true {
      var event = try next()
      defer { yaml_event_delete(&event) }
      if event.type == YAML_MAPPING_END_EVENT { return entries }
      let position = Self.position(event.start_mark)
      guard event.type == YAML_SCALAR_EVENT || event.type == YAML_ALIAS_EVENT else {
        throw fault(position, .keyNotText)
      }
      let key = try node(event, depth: depth + 1).text ?? ""
      if let line = lines.updateValue(position.line, forKey: key) {
        throw fault(position, .duplicateKey(key: key, firstLine: line))
      }
      var value = try next()
      defer { yaml_event_delete(&value) }
      entries.append(
        YAMLNode.Entry(key: key, keyPosition: position, value: try node(value, depth: depth + 1)))
    }
  }

  private func scalar(_ event: yaml_event_t, at position: SourcePosition) -> YAMLNode {
    let scalar = event.data.scalar
    let text = String(decoding: UnsafeBufferPointer(start: scalar.value, count: scalar.length), as: UTF8.self)
    let isPlain = scalar.style == YAML_PLAIN_SCALAR_STYLE
    let isQuoted =
      scalar.style == YAML_SINGLE_QUOTED_SCALAR_STYLE || scalar.style == YAML_DOUBLE_QUOTED_SCALAR_STYLE
    let span = Int(event.end_mark.column) - Int(event.start_mark.column)
    let offset = isQuoted ? 1 : 0
    let isVerbatim =
      (isPlain || isQuoted) && event.start_mark.line == event.end_mark.line
      && text.unicodeScalars.count == span - 2 * offset
    return YAMLNode(
      content: .scalar(text, isPlain: isPlain), position: position, textOffset: isVerbatim ? offset : nil)
  }

  private func reject(
    _ tag: UnsafeMutablePointer<yaml_char_t>?, at position: SourcePosition
  ) throws(YAMLFault) {
    guard let tag else { return }
    throw fault(position, .tag(name: String(cString: tag)))
  }

  private func next() throws(YAMLFault) -> yaml_event_t {
    var event = yaml_event_t()
    if yaml_parser_parse(parser, &event) == 1 { return event }
    let reason = parser.pointee.problem.map { String(cString: $0) } ?? "out of memory"
    guard parser.pointee.error == YAML_READER_ERROR else {
      throw fault(Self.position(parser.pointee.problem_mark), .notYAML(reason: reason))
    }
    let position = position(ofByte: Int(parser.pointee.problem_offset))
    let isControl = reason.contains("control")
    throw fault(position, isControl ? .notYAML(reason: reason) : .notUTF8)
  }

  private func position(ofByte offset: Int) -> SourcePosition {
    let before = bytes[..<min(max(0, offset), bytes.count)]
    let line = before.count { $0 == 0x0A } + 1
    let start = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    let column = before[start...].count { $0 & 0xC0 != 0x80 } + 1
    return SourcePosition(line: line, column: column)
  }

  private static func position(_ mark: yaml_mark_t) -> SourcePosition {
    SourcePosition(line: Int(mark.line) + 1, column: Int(mark.column) + 1)
  }

  private func fault(_ position: SourcePosition, _ problem: YAMLFault.Problem) -> YAMLFault {
    YAMLFault(file: file, position: position, problem: problem)
  }
}
