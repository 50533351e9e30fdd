// Pictures of sound: colours, a Fourier transform, waveforms and spectrograms.

/** Seconds of one column of the live spectrogram, its bands, and the columns in view. */
export const COLUMN_SECONDS = 0.02;
export const BANDS = 48;
export const COLUMNS = 500;

const dark = matchMedia("(prefers-color-scheme: dark)");
const ramps = {
  light: [[255, 255, 255], [196, 214, 240], [96, 143, 205], [33, 76, 145], [16, 24, 62]],
  dark: [[20, 22, 27], [45, 46, 110], [150, 58, 128], [240, 120, 80], [252, 240, 190]],
};

/** 256 colours from quiet to loud, as red, green and blue. */
export function palette() {
  const stops = ramps[dark.matches ? "dark" : "light"];
  return Array.from({ length: 256 }, (_, value) => {
    const place = value / 255 * (stops.length - 1);
    const index = Math.min(stops.length - 2, Math.floor(place));
    return stops[index].map((from, part) => from + (stops[index + 1][part] - from) * (place - index));
  });
}

/** The value of a colour of the style sheet. */
export function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

/** Calls `draw` when the colours change. */
export function onColours(draw) { dark.addEventListener("change", draw); }

/** A canvas in the size of its pixels on the screen, empty. */
export function fitted(canvas) {
  const scale = devicePixelRatio || 1;
  const width = Math.max(1, Math.round(canvas.clientWidth * scale));
  const height = Math.max(1, Math.round(canvas.clientHeight * scale));
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
  const context = canvas.getContext("2d");
  context.clearRect(0, 0, width, height);
  return { context, width, height, scale };
}

/** The samples of a WAV file of 16 bits, mono, as numbers from -1 to 1, with their rate. */
export function samplesOf(buffer) {
  const view = new DataView(buffer);
  let rate = 16000;
  for (let at = 12; at + 8 <= view.byteLength;) {
    const name = String.fromCharCode(...new Uint8Array(buffer, at, 4));
    const size = Math.min(view.getUint32(at + 4, true), view.byteLength - at - 8);
    if (name === "fmt ") rate = view.getUint32(at + 12, true);
    if (name === "data") {
      const samples = new Float32Array(size >> 1);
      for (let index = 0; index < samples.length; index++) {
        samples[index] = view.getInt16(at + 8 + 2 * index, true) / 32768;
      }
      return { samples, rate };
    }
    at += 8 + size + (size & 1);
  }
  return { samples: new Float32Array(0), rate };
}

export function drawWave(canvas, samples) {
  const { context, width, height } = fitted(canvas);
  let peak = 0.02;
  for (const sample of samples) peak = Math.max(peak, Math.abs(sample));
  context.fillStyle = colour("accent");
  for (let x = 0; x < width; x++) {
    const from = Math.floor(x * samples.length / width);
    const to = Math.max(from + 1, Math.floor((x + 1) * samples.length / width));
    let [low, high] = [0, 0];
    for (let index = from; index < to && index < samples.length; index++) {
      low = Math.min(low, samples[index]);
      high = Math.max(high, samples[index]);
    }
    const top = height / 2 * (1 - high / peak);
    context.fillRect(x, top, 1, Math.max(1, height / 2 * (1 - low / peak) - top));
  }
}

export function drawSpectrogram(canvas, samples, rate) {
  const size = 512;
  const columns = Math.max(1, Math.min(700, Math.floor(samples.length / 128)));
  const bins = Math.min(size / 2, Math.round(8000 * size / rate));
  const picture = new ImageData(columns, bins);
  const colours = palette();
  const window = Float32Array.from({ length: size }, (_, n) => 0.5 - 0.5 * Math.cos(2 * Math.PI * (n + 0.5) / size));
  for (let x = 0; x < columns; x++) {
    const start = Math.round(x * (samples.length - size) / Math.max(1, columns - 1));
    const real = new Float32Array(size);
    for (let n = 0; n < size; n++) real[n] = (samples[start + n] ?? 0) * window[n];
    const powers = transform(real);
    for (let bin = 0; bin < bins; bin++) {
      const level = 10 * Math.log10(powers[bin] * 16 / (size * size) + 1e-12);
      const value = Math.round(255 * Math.min(1, Math.max(0, (level + 100) / 80)));
      picture.data.set([...colours[value], 255], 4 * ((bins - 1 - bin) * columns + x));
    }
  }
  const source = new OffscreenCanvas(columns, bins);
  source.getContext("2d").putImageData(picture, 0, 0);
  const { context, width, height } = fitted(canvas);
  context.drawImage(source, 0, 0, width, height);
}

/** The power of each bin of real samples, whose number is a power of two. */
function transform(real) {
  const size = real.length;
  const imaginary = new Float32Array(size);
  for (let index = 0, other = 0; index < size; index++) {
    if (index < other) [real[index], real[other]] = [real[other], real[index]];
    for (let bit = size >> 1; bit > 0; bit >>= 1) {
      other ^= bit;
      if (other & bit) break;
    }
  }
  for (let half = 1; half < size; half *= 2) {
    for (let step = 0; step < half; step++) {
      const angle = -Math.PI * step / half;
      const [cosine, sine] = [Math.cos(angle), Math.sin(angle)];
      for (let low = step; low < size; low += 2 * half) {
        const high = low + half;
        const a = real[high] * cosine - imaginary[high] * sine;
        const b = real[high] * sine + imaginary[high] * cosine;
        real[high] = real[low] - a;
        imaginary[high] = imaginary[low] - b;
        real[low] += a;
        imaginary[low] += b;
      }
    }
  }
  return real.map((value, bin) => value * value + imaginary[bin] * imaginary[bin]);
}
