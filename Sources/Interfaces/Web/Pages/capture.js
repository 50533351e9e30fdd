// Sends the samples of the microphone to the page, in blocks; runs on the audio thread of the browser.

registerProcessor("capture", class extends AudioWorkletProcessor {
  process([[samples]]) {
    if (samples) this.port.postMessage(samples.slice());
    return true;
  }
});
