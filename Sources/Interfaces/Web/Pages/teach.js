// Teach: a phrase, how it is said, its training.

import { bytes, element, guarded, send } from "/api.js";
import * as model from "/model.js";
import * as takes from "/takes.js";
import * as work from "/work.js";

const find = (id) => document.getElementById(id);

let phrases = [];
let current = null;
/** The phrase that was shown last, in any window. */
const LAST = "phrase";
/** The voice that was chosen last. */
let voice = "";
let isConfirming = false;
let isOpen = false;

export function prepare() {
  model.prepare();
  takes.prepare((phrase) => { current = phrase; });
  find("phrase-form").addEventListener("submit", (event) => {
    event.preventDefault();
    guarded(() => add({ phrase: find("phrase-text").value, language: find("phrase-language").value }));
  });
  find("phrase-list").addEventListener("change", (event) => guarded(() => select(event.target.value)));
  find("phrase-delete").addEventListener("click", () => guarded(remove));
  find("phrase-voice").addEventListener("change", (event) => { voice = event.target.value; });
  find("phrase-play").addEventListener("click", () => guarded(() => say(find("phrase-voice").value)));
  find("pronunciation-form").addEventListener("submit", (event) => {
    event.preventDefault();
    const given = find("pronunciation").value.trim();
    guarded(() => add({ phrase: current.phrase, language: current.language, pronunciations: given ? [given] : [] }));
  });
  find("train-form").addEventListener("submit", (event) => {
    event.preventDefault();
    guarded(() => work.start(`/api/phrases/${encodeURIComponent(current.name)}/train`, { steps: Number(find("train-steps").value) }));
  });
  work.onEnd(async (ended) => {
    if (!isOpen || ended.name !== current?.name) return;
    await select(current.name);
  });
}

export async function open(session) {
  isOpen = true;
  model.offerService(session.stream);
  work.place(find("teach-work"));
  await load();
  const wanted = [current?.name, work.latest()?.state === "running" ? work.latest().name : null, localStorage.getItem(LAST), phrases[0]?.name];
  const name = wanted.find((one) => phrases.some((phrase) => phrase.name === one));
  if (name) await select(name);
}

export function close() {
  isOpen = false;
  work.place(null);
  find("phrase-audio").pause();
  model.close();
  takes.close();
}

async function load() {
  phrases = (await send("GET", "/api/phrases")).phrases;
  if (current && !phrases.some((phrase) => phrase.name === current.name)) current = null;
  find("phrase-known").hidden = phrases.length === 0;
  find("phrase-list").replaceChildren(...phrases.map((phrase) => element("option", { value: phrase.name }, phrase.phrase)));
  find("phrase-list").value = current?.name ?? "";
  find("phrase").hidden = !current;
}

async function add(body) {
  find("teach-state").textContent = "Looking the phrase up…";
  find("phrase").hidden = true;
  try {
    const { name } = await send("POST", "/api/phrases", body);
    await load();
    await select(name);
    find("phrase-title").focus();
  } finally {
    find("teach-state").textContent = "";
    find("phrase").hidden = !current;
  }
}

async function select(name) {
  confirmDeletion(false);
  current = await send("GET", `/api/phrases/${encodeURIComponent(name)}`);
  localStorage.setItem(LAST, name);
  find("phrase").hidden = false;
  find("phrase-list").value = name;
  for (const id of ["phrase-warnings", "phrase-voice", "pronunciations"]) find(id).replaceChildren();
  find("phrase-play").disabled = true;
  find("phrase-title").textContent = `"${current.phrase}"`;
  find("pronunciation").value = current.pronunciations[0] ?? "";
  takes.show(current);
  await model.showIfKnown(name);
  const said = await send("POST", "/api/pronounce", {
    phrase: current.phrase, language: current.language, pronunciations: current.pronunciations,
  });
  if (current.name === name) showSpeech(said);
}

function showSpeech(said) {
  const warnings = said.warnings.map((text) => element("li", { className: "warning" }, text));
  for (const word of said.guessed) {
    warnings.push(element("li", { className: "warning" }, `"${word}" is not in the dictionary: listen whether it is said as you say it.`));
  }
  find("phrase-warnings").replaceChildren(...warnings);
  find("phrase-voice").replaceChildren(...said.voices.map((name) => element("option", { value: name }, name)));
  if (said.voices.includes(voice)) find("phrase-voice").value = voice;
  find("phrase-play").disabled = said.voices.length === 0;
  find("pronunciations").replaceChildren(...said.pronunciations.map((sounds) => {
    const button = element("button", { type: "button", "aria-label": `Play ${sounds}` }, "Play");
    // The other programs speak text only.
    const speaker = said.voices[0];
    button.addEventListener("click", () => guarded(() => say(find("phrase-voice").value.startsWith("espeak") ? find("phrase-voice").value : speaker, sounds)));
    return element("li", {}, element("span", {}, sounds), button);
  }));
}

async function say(voice, pronunciation) {
  const pronunciations = pronunciation && current.language.startsWith("en") ? [pronunciation] : current.pronunciations;
  const isText = !pronunciation && !voice.startsWith("espeak");
  const data = await bytes("/api/say", {
    phrase: current.phrase, language: current.language, voice, pronunciations: isText ? [] : pronunciations,
  });
  await takes.play(find("phrase-audio"), data);
}

function confirmDeletion(isAsking) {
  isConfirming = isAsking;
  find("phrase-delete").textContent = isAsking ? "Press again to delete it with its recordings" : "Delete";
}

async function remove() {
  if (!isConfirming) return confirmDeletion(true);
  await send("DELETE", `/api/phrases/${encodeURIComponent(find("phrase-list").value)}`);
  current = null;
  confirmDeletion(false);
  await load();
  if (phrases.length > 0) await select(phrases[0].name);
  else await model.show(null);
}
