// A model: its curves, its sensitivity, its versions, and trying it.

import { element, guarded, send, sendBytes } from "/api.js";
import { drawScores, drawVersions, legend, versionNames } from "/curves.js";
import { record } from "/microphone.js";
import { onColours } from "/sound.js";

const SECONDS = 4;
const find = (id) => document.getElementById(id);
const path = () => `/api/models/${encodeURIComponent(model.name)}`;

let model = null;
let trial = null;
let source = null;
/** Whether a service can listen. */
let hasService = false;
let isConfirming = false;
/** Recordings whose loudest block is below this, in dBFS, have no sound. */
const SILENCE = -60;

export function prepare() {
  find("model-sensitivity").addEventListener("input", () => {
    draw();
    if (source) guarded(() => send("POST", "/api/sensitivity", { model: model.name, sensitivity: chosen().sensitivity }));
  });
  find("model-use").addEventListener("click", () => guarded(() => change("POST", "use")));
  find("model-discard").addEventListener("click", () => guarded(() => change("DELETE", "candidate")));
  find("model-restore").addEventListener("click", () => guarded(() => change("POST", "restore")));
  find("model-remove").addEventListener("click", () => guarded(remove));
  find("try-browser").addEventListener("click", () => guarded(speak));
  find("try-service").addEventListener("click", () => guarded(listen));
  onColours(draw);
  addEventListener("resize", draw);
}

/** Says whether a service can listen. */
export function offerService(isOffered) {
  hasService = isOffered;
  find("try-service").hidden = !isOffered;
}

export function close() {
  source?.close();
  source = null;
}

/** Shows a model by its name where there is one. */
export async function showIfKnown(name) {
  const known = (await send("GET", "/api/models")).models.some((one) => one.name === name);
  await show(known ? name : null);
}

/** Shows a model by its name; null hides it. */
export async function show(name) {
  if (name !== model?.name) {
    close();
    trial = null;
    find("try-state").textContent = "";
    find("model-sensitivity").value = 10;
  }
  confirmRemoval(false);
  model = name ? await send("GET", `/api/models/${encodeURIComponent(name)}`) : null;
  find("model").hidden = !model;
  if (!model) return;
  const version = shown();
  const facts = model[version];
  find("model-title").textContent = `Model: ${versionNames[version]}`;
  find("model-state").textContent = facts.phrases === null ? "Its accuracy has not been measured."
    : `Measured on ${facts.phrases} ${facts.synthetic ? "synthetic " : ""}phrases and ${facts.hours.toFixed(1)} hours of other audio that it was not trained on.`;
  find("model-use").hidden = !model.candidate;
  find("model-use").textContent = model.installed ? "Use the new version" : "Use it";
  find("model-discard").hidden = !model.candidate;
  find("model-discard").textContent = model.installed ? "Keep the old one" : "Discard it";
  find("model-restore").hidden = !model.previous || Boolean(model.candidate);
  find("model-remove").hidden = !model.removable || Boolean(model.candidate);
  draw();
}

const shown = () => model.candidate ? "candidate" : "installed";
const chosen = () => model[shown()].sensitivities[Number(find("model-sensitivity").value)];

function draw() {
  if (!model || find("model").hidden || find("teach").hidden) return;
  const setting = chosen();
  drawVersions(find("model-curve"), model, setting);
  showLegend(find("model-legend"), model);
  const text = expected(setting);
  find("model-expected").textContent = text;
  showCommand(setting);
  find("model-sensitivity").setAttribute("aria-valuetext", text);
  find("try-scores").hidden = !trial;
  if (trial) drawScores(find("try-scores"), trial.scores, trial.threshold, trial.count);
}

function expected(setting) {
  const alarms = 24 * setting.falseAlarmsPerHour;
  const rate = (share) => (100 * share).toFixed(share < 0.1 ? 1 : 0);
  const facts = model[shown()];
  let text = `Sensitivity ${setting.sensitivity.toFixed(2)}: expect up to ${alarms.toFixed(alarms < 10 ? 1 : 0)} false alarms in a day of speech and other sound`;
  if (setting.missRate !== null) {
    text += `, ${rate(setting.missRate)} missed of a hundred${facts.synthetic ? " by synthetic voices; people are missed more often" : ""}`;
  }
  const installed = shown() === "candidate" ? model.installed?.sensitivities[Number(find("model-sensitivity").value)] : undefined;
  if (installed && installed.missRate !== null && setting.missRate !== null) {
    text += `. The installed version: ${rate(installed.missRate)} missed`;
    if (installed.missRate < setting.missRate) text += ", so the new one is worse";
  }
  return `${text}.`;
}

/** How to listen with the chosen sensitivity, from now on. */
function showCommand(setting) {
  const named = setting.sensitivity === 0.5 ? model.name : `${model.name}:${setting.sensitivity.toFixed(2)}`;
  find("model-command").hidden = !model.installed;
  find("model-command").replaceChildren(...hasService
    ? ["To keep it after a restart, write ", element("code", {}, named), " under ", element("code", {}, "models"), " in the configuration."]
    : ["To listen for it, end this program and start ", element("code", {}, `hotword run --web --model ${named}`)]);
}

/** Fills the legend of the curves of a model. */
export function showLegend(list, versions) {
  list.replaceChildren(...legend(versions, (name, colour) => {
    const swatch = element("span", { className: "swatch", "aria-hidden": "true" });
    swatch.style.background = colour;
    return element("li", {}, swatch, name);
  }));
}

async function change(method, action) {
  const answer = await send(method, `${path()}/${action}`);
  await showIfKnown(model.name);
  if (!answer.file) return;
  find("model-state").textContent = `Installed in ${answer.file}.${answer.listening ? " The service listens for it now." : ""}`;
}

function confirmRemoval(isAsking) {
  isConfirming = isAsking;
  find("model-remove").textContent = isAsking ? "Press again to remove the installed model" : "Remove the model";
}

async function remove() {
  if (!isConfirming) return confirmRemoval(true);
  await send("DELETE", `${path()}/installed`);
  await showIfKnown(model.name);
}

// Trying

async function speak() {
  close();
  const button = find("try-browser");
  button.disabled = true;
  find("try-state").textContent = `Say "${model[shown()].phrase}" now`;
  // Another model may be chosen meanwhile.
  const { sensitivity } = chosen();
  const address = `${path()}/score?version=${shown()}&sensitivity=${sensitivity}`;
  try {
    let loudest = -100;
    const wav = await record(SECONDS, (level) => { loudest = Math.max(loudest, level); });
    const found = await sendBytes(address, "audio/wav", wav);
    trial = { scores: found.scores, threshold: found.threshold, count: found.scores.length };
    const highest = Math.max(0, ...found.scores);
    find("try-state").textContent = found.detections.length > 0
      ? `Detected, score ${found.detections[0].score.toFixed(2)}`
      : loudest < SILENCE ? "Nothing was heard: check the microphone, and speak after the button is pressed"
      : `Not detected: the highest score is ${highest.toFixed(2)}, the threshold ${found.threshold.toFixed(2)}`;
  } catch (error) {
    find("try-state").textContent = "";
    throw error;
  } finally {
    button.disabled = false;
    draw();
  }
}

/** The service's scores of the last seconds. */
async function listen() {
  close();
  await send("POST", `${path()}/listen`, { version: shown() });
  const { name } = model;
  const wanted = chosen().sensitivity;
  let index = -1;
  let wakes = 0;
  let highest = 0;
  trial = { scores: [], threshold: 1, count: 300 };
  find("try-state").textContent = "The service loads the model…";
  source = new EventSource("/api/live");
  source.addEventListener("models", (event) => {
    const { models } = JSON.parse(event.data);
    index = models.findIndex((one) => one.name === name);
    if (index < 0) return;
    trial.threshold = models[index].threshold;
    if (models[index].sensitivity !== wanted && trial.scores.length === 0) {
      guarded(() => send("POST", "/api/sensitivity", { model: name, sensitivity: wanted }));
    }
  });
  source.addEventListener("frames", (event) => {
    if (index < 0) return;
    const scores = JSON.parse(event.data).scores[index] ?? [];
    trial.scores = trial.scores.concat(scores).slice(-trial.count);
    highest = Math.max(highest, ...scores);
    if (wakes === 0) {
      find("try-state").textContent = `The service listens: say "${model[shown()].phrase}". Highest score so far ${highest.toFixed(2)}, threshold ${trial.threshold.toFixed(2)}`;
    }
    draw();
  });
  source.addEventListener("event", (event) => {
    const what = JSON.parse(event.data);
    if (what.event !== "wake" || what.keyword !== name || trial.scores.length === 0) return;
    wakes += 1;
    find("try-state").textContent = `Detected ${wakes === 1 ? "once" : `${wakes} times`}, the last score ${what.score.toFixed(2)}`;
  });
}
