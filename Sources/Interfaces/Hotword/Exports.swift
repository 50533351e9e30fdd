// What a program that imports Hotword alone sees besides: models, sensitivities, hits, and the format of the sound.
@_exported import Detection
@_exported import PCM

@_exported import protocol Platform.Fault
