"""Runs an exported model over a clip's features and, if given, its bands, raw float32; prints its outputs and metadata as JSON."""

import json
import sys

import numpy
import onnxruntime

log, model, features, width, *bands = sys.argv[1:]
session = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])
clip = numpy.fromfile(features, dtype="<f4").reshape(1, -1, int(width))
names = [output.name for output in session.get_outputs()]
inputs = {"features": clip}
if bands:
    inputs["bands"] = numpy.fromfile(bands[0], dtype="<f4").reshape(1, -1, 32)
outputs = session.run(names, inputs)
found = {name: output[0].tolist() for name, output in zip(names, outputs)}
print(json.dumps({"outputs": found, "metadata": session.get_modelmeta().custom_metadata_map}))
