"""Runs an exported model over a clip's features, raw float32; prints its outputs and metadata as JSON."""

import json
import sys

import numpy
import onnxruntime

log, model, features, width = sys.argv[1:]
session = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])
clip = numpy.fromfile(features, dtype="<f4").reshape(1, -1, int(width))
names = [output.name for output in session.get_outputs()]
outputs = session.run(names, {session.get_inputs()[0].name: clip})
found = {name: output[0].tolist() for name, output in zip(names, outputs)}
print(json.dumps({"outputs": found, "metadata": session.get_modelmeta().custom_metadata_map}))
