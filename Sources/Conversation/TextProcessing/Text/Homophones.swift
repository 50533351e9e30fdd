/// English homophones and spelling variants: a recognizer may write any of them.
package enum Homophones {
  /// One group a line. Its first word replaces the others; where one is a number, it comes first.
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

  /// The word that replaces a lowercase word and its homophones; the words of a number in digits; nil for others.
  package static func folded(_ word: String) -> String? {
    spellings[word] ?? spelledNumber(word)
  }

  /// The words of a number below 1000 that is written in digits; nil for other words.
  package static func spelledNumber(_ word: String) -> String? {
    guard word.utf8.count <= 3, let number = Int(word), number >= 0 else { return nil }
    return NumberWords.spelled(number)
  }

  /// Whether `word` starts a new number instead of continuing one: neither "twenty to" nor "20 2" is 22.
  package static func startsNumber(_ word: String) -> Bool {
    ["to", "too", "for"].contains(word) || Int(word) != nil
  }

  /// The literal text of a template with each word replaced by ``folded(_:)``.
  package static func folded(text: String) -> String {
    text.split(separator: " ", omittingEmptySubsequences: false).map { folded($0.lowercased()) ?? String($0) }
      .joined(separator: " ")
  }
}
