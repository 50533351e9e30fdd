// A program that imports Hotword also gets models, sensitivities, hits, and the audio format.
@_exported import Detection
@_exported import PCM

@_exported import protocol Platform.Fault
