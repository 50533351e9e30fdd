/// The queue of texts, sounds and samples to be played: a state machine without threads, clocks or devices.
///
/// Each method reports what happened and returns the actions to perform, in order. One item at a time is current: it is
/// prepared, then played. During a pause the queue waits and the interrupted item is kept; urgent items play nevertheless.
/// The ending of each item is reported exactly once.
public struct SpeechQueue: Sendable {
  /// Identifies an item; counted from 1.
  public typealias Ticket = Int

  public enum Item: Sendable, Equatable {
    case words(String)
    case sound(Sound)
    case stream(SpeechStream)
  }

  public enum Ending: Sendable, Equatable {
    case done
    /// It was stopped, or never started.
    case interrupted
    case failed
  }

  public enum Action: Sendable, Equatable {
    /// Make the samples of the item, then call `prepared` or `failed`.
    case prepare(Ticket, Item)
    /// Play the samples from where they were held, then call `finished` or `failed`.
    case play(Ticket)
    /// Stop playing and keep the rest.
    case hold(Ticket)
    /// Stop preparing or playing the item and discard it.
    case drop(Ticket)
    case report(Ticket, Ending)
  }

  private struct Entry: Sendable {
    let ticket: Ticket
    let item: Item
    let isUrgent: Bool
    var isPlaying = false
  }

  /// The number of items that can wait; further ones fail.
  static let limit = 100

  private var lastTicket: Ticket = 0
  private var waiting: [Entry] = []
  private var current: Entry?
  private var held: Entry?
  public private(set) var isPaused = false

  public init() {}

  /// Whether nothing is playing or queued.
  public var isIdle: Bool { current == nil && held == nil && waiting.isEmpty }

  /// Whether the item is still being prepared or played.
  public func isWanted(_ ticket: Ticket) -> Bool { current?.ticket == ticket }

  /// Whether the item is being played and nothing follows it.
  public func isLast(_ ticket: Ticket) -> Bool { isWanted(ticket) && held == nil && waiting.isEmpty }

  /// Adds an item.
  ///
  /// - Parameter isUrgent: whether it is played before items that are not, and while those are paused.
  public mutating func enqueue(_ item: Item, isUrgent: Bool = false) -> (ticket: Ticket, actions: [Action]) {
    lastTicket += 1
    guard waiting.count < Self.limit else { return (lastTicket, [.report(lastTicket, .failed)]) }
    let place = isUrgent ? waiting.firstIndex { !$0.isUrgent } ?? waiting.count : waiting.count
    waiting.insert(Entry(ticket: lastTicket, item: item, isUrgent: isUrgent), at: place)
    return (lastTicket, current == nil ? next() : [])
  }

  public mutating func prepared(_ ticket: Ticket) -> [Action] {
    guard var entry = current, entry.ticket == ticket, !entry.isPlaying else { return [] }
    entry.isPlaying = true
    if isPaused, !entry.isUrgent {
      current = nil
      held = entry
      return next()
    }
    current = entry
    return [.play(ticket)]
  }

  public mutating func finished(_ ticket: Ticket) -> [Action] { end(ticket, .done) }

  public mutating func failed(_ ticket: Ticket) -> [Action] { end(ticket, .failed) }

  public mutating func pause() -> [Action] {
    guard !isPaused else { return [] }
    isPaused = true
    guard let entry = current, entry.isPlaying, !entry.isUrgent else { return [] }
    current = nil
    held = entry
    return [.hold(entry.ticket)] + next()
  }

  public mutating func resume() -> [Action] {
    guard isPaused else { return [] }
    isPaused = false
    return current == nil ? next() : []
  }

  /// Discards all items and ends a pause.
  public mutating func stop() -> [Action] {
    let begun = [current, held].compactMap(\.self)
    let rest = waiting
    current = nil
    held = nil
    waiting = []
    isPaused = false
    return begun.flatMap { [.drop($0.ticket), .report($0.ticket, .interrupted)] }
      + rest.map { .report($0.ticket, .interrupted) }
  }

  /// Discards the items that are not urgent; the urgent ones and a pause stay as they are.
  public mutating func stopOthers() -> [Action] {
    let rest = waiting.filter { !$0.isUrgent }
    waiting.removeAll { !$0.isUrgent }
    var begun = held.map { [$0] } ?? []
    held = nil
    if let entry = current, !entry.isUrgent {
      begun.append(entry)
      current = nil
    }
    let actions: [Action] = begun.flatMap { [.drop($0.ticket), .report($0.ticket, .interrupted)] }
    return actions + rest.map { .report($0.ticket, .interrupted) } + (current == nil ? next() : [])
  }

  /// Discards the urgent items; the others stay as they are.
  public mutating func stopUrgent() -> [Action] {
    let rest = waiting.filter(\.isUrgent)
    waiting.removeAll(where: \.isUrgent)
    var actions: [Action] = rest.map { .report($0.ticket, .interrupted) }
    if let entry = current, entry.isUrgent {
      current = nil
      actions = [.drop(entry.ticket), .report(entry.ticket, .interrupted)] + actions + next()
    }
    return actions
  }

  private mutating func end(_ ticket: Ticket, _ ending: Ending) -> [Action] {
    guard current?.ticket == ticket else { return [] }
    current = nil
    return [.report(ticket, ending)] + next()
  }

  private mutating func next() -> [Action] {
    if waiting.first?.isUrgent == true || (!isPaused && held == nil && !waiting.isEmpty) {
      let entry = waiting.removeFirst()
      current = entry
      return [.prepare(entry.ticket, entry.item)]
    }
    guard !isPaused, let entry = held else { return [] }
    held = nil
    current = entry
    return [.play(entry.ticket)]
  }
}
