// Records from the browser's microphone. Nothing is sent from here: the caller gets the recording.

const RATE = 16000;

/**
 * Records up to `seconds` as a WAV file: 16 kHz, 16 bits, mono, without the browser's echo canceller, noise suppression and gain.
 *
 * `onLevel` gets the level of each block in dBFS. `signal`, an AbortSignal, ends the recording early: what was recorded until then is
 * the result. Throws an Error whose message says what to do if there is no microphone or no permission.
 */
export async function record(seconds, onLevel = () => {}, signal = undefined) {
  const stream = await open();
  const context = new AudioContext();
  try {
    await context.audioWorklet.addModule("/capture.js");
    const source = context.createMediaStreamSource(stream);
    const capture = new AudioWorkletNode(context, "capture", { numberOfOutputs: 0, channelCount: 1, channelCountMode: "explicit" });
    const blocks = await collect(capture, source, Math.round(seconds * context.sampleRate), onLevel, signal, context);
    return wav(await resampled(blocks, context.sampleRate));
  } finally {
    for (const track of stream.getTracks()) track.stop();
    await context.close();
  }
}

async function open() {
  if (!navigator.mediaDevices) {
    throw new Error("The browser gives its microphone to pages of this machine and of https only; open the page by https or with ssh -L.");
  }
  try {
    return await navigator.mediaDevices.getUserMedia({
      audio: { channelCount: 1, echoCancellation: false, noiseSuppression: false, autoGainControl: false },
    });
  } catch (error) {
    if (error.name === "NotAllowedError") throw new Error("The browser does not permit the microphone; allow it for this page.");
    if (error.name === "NotFoundError") throw new Error("The browser finds no microphone; connect one.");
    throw new Error(`The browser cannot use the microphone: ${error.message}`);
  }
}

/** The samples at the rate of `context`, up to `wanted`. */
async function collect(capture, source, wanted, onLevel, signal, context) {
  const samples = new Float32Array(wanted);
  let count = 0;
  await new Promise((resolve) => {
    signal?.addEventListener("abort", resolve, { once: true });
    if (signal?.aborted) resolve();
    let [power, part] = [0, 0];
    capture.port.onmessage = ({ data }) => {
      const taken = data.subarray(0, wanted - count);
      samples.set(taken, count);
      count += taken.length;
      for (const sample of taken) power += sample * sample;
      part += taken.length;
      if (part >= context.sampleRate / 20) {
        onLevel(10 * Math.log10(power / part + 1e-10));
        [power, part] = [0, 0];
      }
      if (count === wanted) resolve();
    };
    source.connect(capture);
    context.resume();
  });
  capture.port.onmessage = null;
  source.disconnect();
  return samples.subarray(0, count);
}

async function resampled(samples, rate) {
  if (samples.length === 0) throw new Error("Nothing was recorded.");
  const context = new OfflineAudioContext(1, Math.max(1, Math.round(samples.length * RATE / rate)), RATE);
  const buffer = context.createBuffer(1, samples.length, rate);
  buffer.copyToChannel(samples, 0);
  const source = new AudioBufferSourceNode(context, { buffer });
  source.connect(context.destination);
  source.start();
  return (await context.startRendering()).getChannelData(0);
}

function wav(samples) {
  const file = new Uint8Array(44 + 2 * samples.length);
  const view = new DataView(file.buffer);
  const name = (at, text) => { for (let index = 0; index < 4; index++) file[at + index] = text.charCodeAt(index); };
  name(0, "RIFF"); name(8, "WAVE"); name(12, "fmt "); name(36, "data");
  view.setUint32(4, file.length - 8, true);
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, RATE, true);
  view.setUint32(28, 2 * RATE, true);
  view.setUint16(32, 2, true);
  view.setUint16(34, 16, true);
  view.setUint32(40, 2 * samples.length, true);
  samples.forEach((sample, index) => {
    view.setInt16(44 + 2 * index, Math.max(-32768, Math.min(32767, Math.round(32768 * sample))), true);
  });
  return file;
}
