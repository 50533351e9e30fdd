import CommandLineParsing

/// Every command of `hotword`, in the order of its help.
package enum CommandList {
  package static var all: [any Command.Type] {
    [
      RunCommand.self, DetectCommand.self, ScoreCommand.self, EngineCommand.self, EnrollCommand.self,
      RecordCommand.self, TrainCommand.self, TrainEncoderCommand.self, EvaluateCommand.self,
      TranscribeCommand.self, UnderstandCommand.self, IntentsCommand.self, ServeCommand.self,
      SatelliteCommand.self,
      ReviewCommand.self, WebCommand.self, DevicesCommand.self, MonitorCommand.self, DoctorCommand.self,
      ModelsCommand.self,
      CompletionsCommand.self, ManualCommand.self,
    ]
  }

  package static var definitions: [CommandDefinition] { all.map { $0.definition } }
}
