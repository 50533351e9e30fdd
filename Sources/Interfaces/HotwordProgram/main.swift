import CommandLineParsing

Program.run(Program.words(CommandLine.arguments, linkedAs: EngineCommand.name), commands: CommandList.all)
