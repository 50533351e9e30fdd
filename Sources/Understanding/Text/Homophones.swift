/// English words that sound alike, or are spelled in two ways: a recognizer may have written the other one.
enum Homophones {
  /// Each line's first word stands for all of them; numbers come first, so that they are read as numbers.
  private static let groups = """
    one won
    two to too
    four for fore
    eight ate
    ten tin
    read red reed
    tea tee
    see sea
    be bee
    by buy bye
    hear here
    know no
    right write rite
    son sun
    there their they're
    wait weight
    week weak
    weather whether
    where wear ware
    which witch
    whole hole
    hour our
    meat meet
    pair pear
    piece peace
    plane plain
    flour flower
    leek leak
    steak stake
    roll role
    bread bred
    beet beat
    berry bury
    thyme time
    do due dew
    cell sell
    cent sent scent
    dear deer
    fair fare
    fined find
    high hi
    in inn
    it's its
    night knight
    mail male
    made maid
    main mane
    new knew
    not knot
    pause paws
    road rode
    sale sail
    some sum
    stairs stares
    tail tale
    through threw
    tire tyre
    would wood
    your you're
    aisle isle
    blue blew
    bean been
    board bored
    break brake
    cheap cheep
    clothes close
    eye i
    great grate
    heel heal
    jeans genes
    key quay
    lead led
    light lite
    oar or ore
    pail pale
    pain pane
    rain reign rein
    root route
    sauce source
    seam seem
    toe tow
    vane vein
    waist waste
    way weigh
    sweet suite
    colour color
    grey gray
    centre center
    favourite favorite
    theatre theater
    metre meter
    litre liter
    programme program
    doughnut donut
    yoghurt yogurt
    ok okay
    mum mom
    """

  private static let spellings: [String: String] = {
    var spellings: [String: String] = [:]
    for group in groups.split(separator: "\n") {
      let words = group.split(separator: " ").map(String.init)
      for word in words { spellings[word] = words[0] }
    }
    return spellings
  }()

  /// What stands for a small-letter word and all that sound like it, numbers in digits too; nil for other words.
  static func folded(_ word: String) -> String? {
    if let spelling = spellings[word] { return spelling }
    guard word.utf8.count <= 3, let number = Int(word), number >= 0 else { return nil }
    return NumberWords.spelled(number)
  }

  /// Every word of a template's literal text folded.
  static func folded(text: String) -> String {
    text.split(separator: " ", omittingEmptySubsequences: false).map { folded($0.lowercased()) ?? String($0) }
      .joined(separator: " ")
  }
}

extension Template {
  /// The template with its words folded by how they sound.
  var foldingHomophones: Template {
    switch self {
    case .text(let text): .text(Homophones.folded(text: text))
    case .sequence(let items): .sequence(items.map(\.foldingHomophones))
    case .alternative(let items): .alternative(items.map(\.foldingHomophones))
    case .permutation(let items): .permutation(items.map(\.foldingHomophones))
    case .list, .rule: self
    }
  }
}

extension IntentFile {
  /// The file with the words of its sentences and lists folded by how they sound; the values stay.
  var foldingHomophones: IntentFile {
    var file = self
    file.rules = rules.mapValues(\.foldingHomophones)
    file.lists = lists.mapValues(\.foldingHomophones)
    for intent in file.intents.indices {
      for block in file.intents[intent].blocks.indices {
        file.intents[intent].blocks[block].foldHomophones()
      }
    }
    return file
  }
}

extension SentenceBlock {
  fileprivate mutating func foldHomophones() {
    sentences = sentences.map(\.foldingHomophones)
    rules = rules.mapValues(\.foldingHomophones)
    lists = lists.mapValues(\.foldingHomophones)
  }
}

extension Rule {
  fileprivate var foldingHomophones: Rule { Rule(template: template.foldingHomophones, node: node) }
}

extension SlotList {
  fileprivate var foldingHomophones: SlotList {
    guard case .values(let values) = kind else { return self }
    var list = self
    list.kind = .values(
      values.map {
        SlotList.Value(said: $0.said.foldingHomophones, value: $0.value, context: $0.context)
      })
    return list
  }
}
