// Live: level, speech, spectrogram, scores and the time line, by server-sent events.

import { element, guarded, send } from "/api.js";
import { BANDS, COLUMNS, COLUMN_SECONDS, colour, fitted, onColours, palette } from "/sound.js";

const lines = [
  ["#1d4f8c", "#8cb8f5", []], ["#a3201a", "#ff9a92", []], ["#1b6b3a", "#7fd39b", []], ["#7a4b00", "#f0c071", []],
  ["#5b2a86", "#d0a8f5", []], ["#006a75", "#7adfe8", []],
];
const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");
const find = (id) => document.getElementById(id);

let source = null;
let retry = null;
let models = [];
let columns = [];
let wakes = [];
let time = 0;
let isPaused = false;
let lastDrawn = 0;

export function prepare() {
  find("live-pause").addEventListener("click", () => {
    isPaused = !isPaused;
    find("live-pause").setAttribute("aria-pressed", String(isPaused));
    if (source?.readyState === EventSource.OPEN) showListening();
    draw();
  });
  onColours(() => { showModels(); draw(); });
  addEventListener("resize", draw);
}

export function open(session) {
  if (!session.live) {
    find("live-state").textContent = "No service runs in this program. Start 'hotword run --web'.";
    return;
  }
  close();
  find("live-stream").hidden = !session.stream;
  find("live-pause").hidden = !session.stream;
  source = new EventSource("/api/live");
  source.addEventListener("open", () => {
    // The service tells again what has happened.
    [columns, wakes] = [[], []];
    find("timeline").replaceChildren(element("li", { className: "empty" }, "Nothing has happened yet."));
    showListening();
  });
  source.addEventListener("error", () => {
    find("live-state").textContent = "No connection to the service; trying again";
    // After an answer with a status of an error the browser does not.
    if (source.readyState === EventSource.CLOSED) retry = setTimeout(() => open(session), 5000);
  });
  source.addEventListener("models", (event) => takeModels(JSON.parse(event.data).models));
  source.addEventListener("frames", (event) => takeFrames(JSON.parse(event.data)));
  source.addEventListener("event", (event) => takeEvent(JSON.parse(event.data)));
}

function showListening() {
  find("live-state").textContent = isPaused ? "The display is paused; the service goes on listening" : "Listening";
}

export function close() {
  clearTimeout(retry);
  source?.close();
  source = null;
}

function takeFrames(frames) {
  const bands = Uint8Array.from(atob(frames.bands), (letter) => letter.charCodeAt(0));
  time = frames.time;
  frames.levels.forEach((level, index) => {
    columns.push({
      level, speech: frames.speech[index], scores: frames.scores.map((model) => model[index]),
      bands: bands.subarray(index * BANDS, (index + 1) * BANDS),
    });
  });
  columns = columns.slice(-COLUMNS);
  const recent = columns.slice(-15);
  const speech = recent.reduce((sum, column) => sum + column.speech, 0) / recent.length;
  const level = Math.max(...columns.slice(-5).map((column) => column.level));
  if (isPaused) return;
  find("level").value = level;
  find("level-text").textContent = `${level.toFixed(0)} dBFS`;
  find("speech").value = speech;
  find("speech-text").textContent = `${(100 * speech).toFixed(0)} %`;
  const pause = reducedMotion.matches ? 1000 : 0;
  if (performance.now() - lastDrawn >= pause) draw();
}

function draw() {
  if (isPaused || find("live").hidden) return;
  lastDrawn = performance.now();
  drawSpectrogram();
  drawScores();
  models.forEach((model, index) => {
    const best = Math.max(0, ...columns.slice(-25).map((column) => column.scores[index] ?? 0));
    find(`score-${index}`).textContent = `score ${best.toFixed(2)}, threshold ${model.threshold.toFixed(2)}`;
  });
}

function drawSpectrogram() {
  const colours = palette();
  const picture = new ImageData(COLUMNS, BANDS);
  for (let x = 0; x < COLUMNS; x++) {
    const column = columns[x - COLUMNS + columns.length];
    for (let band = 0; band < BANDS; band++) {
      picture.data.set([...colours[column?.bands[band] ?? 0], 255], 4 * ((BANDS - 1 - band) * COLUMNS + x));
    }
  }
  const small = new OffscreenCanvas(COLUMNS, BANDS);
  small.getContext("2d").putImageData(picture, 0, 0);
  const { context, width, height, scale } = fitted(find("spectrogram"));
  context.drawImage(small, 0, 0, width, height);
  drawWakes(context, width, height, scale);
}

function drawScores() {
  const { context, width, height, scale } = fitted(find("scores"));
  const y = (score) => height * (0.98 - 0.94 * score);
  context.lineWidth = 2 * scale;
  context.lineJoin = "round";
  models.forEach((model, index) => {
    context.strokeStyle = lineColour(index);
    context.setLineDash([6 * scale, 5 * scale]);
    context.beginPath();
    context.moveTo(0, y(model.threshold));
    context.lineTo(width, y(model.threshold));
    context.stroke();
    context.setLineDash([]);
    context.beginPath();
    columns.forEach((column, place) => {
      context.lineTo((place + COLUMNS - columns.length) * width / COLUMNS, y(column.scores[index] ?? 0));
    });
    context.stroke();
  });
  drawWakes(context, width, height, scale);
}

function drawWakes(context, width, height, scale) {
  // Those before the page was opened have no picture.
  wakes = wakes.filter((wake) => wake.time > time - columns.length * COLUMN_SECONDS);
  context.setLineDash([]);
  context.lineWidth = 2 * scale;
  context.strokeStyle = context.fillStyle = colour("bad");
  context.font = `${12 * scale}px system-ui, sans-serif`;
  for (const wake of wakes) {
    const x = width * (1 - (time - wake.time) / (COLUMNS * COLUMN_SECONDS));
    context.beginPath();
    context.moveTo(x, 0);
    context.lineTo(x, height);
    context.stroke();
    context.textAlign = x > width / 2 ? "right" : "left";
    context.fillText(wake.keyword, x + (x > width / 2 ? -5 : 5) * scale, 14 * scale);
  }
}

function lineColour(index) {
  const isDark = matchMedia("(prefers-color-scheme: dark)").matches;
  return lines[index % lines.length][isDark ? 1 : 0];
}

// Hotwords

function takeModels(next) {
  const isSame = next.length === models.length && next.every((model, index) => model.name === models[index].name);
  models = next;
  if (!isSame) return showModels();
  models.forEach((model, index) => {
    const slider = find(`sensitivity-${index}`);
    if (document.activeElement !== slider) slider.value = model.sensitivity;
    find(`sensitivity-text-${index}`).textContent = model.sensitivity.toFixed(2);
  });
  draw();
}

function showModels() {
  find("models").replaceChildren(...models.map((model, index) => {
    const slider = element("input", {
      type: "range", id: `sensitivity-${index}`, min: 0, max: 1, step: 0.05, value: model.sensitivity,
    });
    slider.addEventListener("input", () => change(model.name, Number(slider.value)));
    const swatch = element("span", { className: "swatch", "aria-hidden": "true" });
    swatch.style.background = lineColour(index);
    return element("li", {},
      element("h4", {}, swatch, `${model.name}`),
      element("div", { id: `score-${index}`, className: "hint" }, ""),
      element("label", { htmlFor: slider.id }, `Sensitivity of ${model.name}`),
      element("output", { id: `sensitivity-text-${index}`, htmlFor: slider.id }, model.sensitivity.toFixed(2)),
      slider);
  }));
  draw();
}

let wanted = null;
let isSending = false;

/** Sends the newest position of a slider, one request at a time. */
async function change(model, sensitivity) {
  wanted = { model, sensitivity };
  if (isSending) return;
  isSending = true;
  while (wanted) {
    const body = wanted;
    wanted = null;
    await guarded(() => send("POST", "/api/sensitivity", body));
  }
  isSending = false;
}

// Time line

const reasons = {
  noSpeech: "nothing was said", notUnderstood: "not understood", refused: "not permitted", cancelled: "cancelled",
  failed: "failed", interrupted: "the hotword was said again", streamEnded: "the audio ended",
  handedOver: "handed over",
};

function words(event) {
  switch (event.event) {
    case "wake": {
      const who = event.speaker === undefined ? "" : `, spoken by ${event.speaker ?? "a stranger"}`;
      const score = event.score === undefined ? "" : `, score ${event.score.toFixed(2)}`;
      return `Wake: ${event.keyword ?? "pressed"}${score}${who}`;
    }
    case "transcript": return `Transcript: ${event.text || "no words"}`;
    case "intent": {
      if (!event.intent) return "Intent: none";
      const slots = Object.entries(event.slots ?? {}).map(([name, slot]) => `${name}=${text(slot.value)}`);
      return `Intent: ${[event.intent.name, ...slots].join(" ")}`;
    }
    case "prompt": return `Question: ${event.text}`;
    case "action": return event.action ? `Action: ${text(event.action)}` : null;
    case "reply": return `Reply: ${event.text}`;
    case "idle": return event.reason === "done" ? null : `End: ${reasons[event.reason] ?? event.reason}`;
    case "device": return `Microphone: ${event.state}`;
    case "error": return `Error: ${event.message}`;
    case "ready": return "The service is ready";
    case "connected": case "disconnected": return `${event.client ?? "Home Assistant"}: ${event.event}`;
    case "muted": return "The microphone is muted";
    case "unmuted": return "The microphone is on";
    case "thinking": return "The answer is awaited";
    case "speaking": return "The answer is played";
    case "timer": return `Timer ${event.name ?? ""}: ${event.state}`;
    default: return null;
  }
}

const text = (value) => typeof value === "string" ? value : JSON.stringify(value);

function takeEvent(event) {
  if (event.event === "wake") wakes.push({ time: event.end ?? event.time, keyword: event.keyword ?? "pressed" });
  const said = words(event);
  if (said === null) return;
  const isOfClient = event.client && !["connected", "disconnected"].includes(event.event);
  const line = isOfClient ? `${said} (${event.client})` : said;
  const clock = new Date(event.clock);
  const list = find("timeline");
  list.querySelector(".empty")?.remove();
  list.prepend(element("li", { className: event.event },
    element("time", { dateTime: event.clock, title: clock.toLocaleString() }, clock.toLocaleTimeString([], { hour12: false })),
    element("span", {}, line)));
  while (list.children.length > 100) list.lastChild.remove();
}
