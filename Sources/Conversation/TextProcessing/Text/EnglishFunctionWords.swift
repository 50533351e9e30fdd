/// English words that hold a sentence together and are no topic of it.
package enum EnglishFunctionWords {
  package static let words = Set(
    """
    a about above across after again against all almost along already also although always am among an and another any
    anybody anyone anything are around as at away back be because been before behind being below between both but by can
    cannot could did do does doing done down during each either else enough even ever every everybody everyone
    everything few for from get gets getting go goes going gone got had has have having he her here hers herself him
    himself his how however i if in indeed instead into is it its itself just least less let like lot lots made make
    makes many may maybe me might mine more most much must my myself near neither never no nobody none nor not nothing
    now of off often oh ok okay on once one only onto or other others ought our ours ourselves out over own perhaps
    please put quite rather really same seem seems several shall she should since so some somebody someone something
    sometimes still such take than thank thanks that the their theirs them themselves then there therefore these they
    thing things this those though through thus to today together too toward towards under unless until up upon us
    used very want wants was we well were what whatever when where whether which while who whoever whole whom whose why
    will with within without would yes yet you your yours yourself yourselves
    """.split { $0 == " " || $0 == "\n" }.map(String.init))
}
