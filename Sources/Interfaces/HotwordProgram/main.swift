import CommandLineParsing
import Recognition

let words = Program.words(CommandLine.arguments, linkedAs: EngineCommand.name)
PocketSphinxRecognizer.limitThreads()
Program.run(words, commands: CommandList.all)
