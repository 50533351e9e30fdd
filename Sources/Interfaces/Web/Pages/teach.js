// Teach: a phrase, how it is said, its training.

import { bytes, element, guarded, send } from "/api.js";
import * as model from "/model.js";
import * as takes from "/takes.js";
import * as work from "/work.js";

const find = (id) => document.getElementById(id);

let phrases = [];
let current = null;
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
  await load();
  if (!current && phrases.length > 0) await select(phrases[0].name);
  else if (current) await select(current.name);
}

export function close() {
  isOpen = false;
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
  try {
    const { name } = await send("POST", "/api/phrases", body);
    await load();
    await select(name);
    find("phrase-title").focus();
  } finally {
    find("teach-state").textContent = "";
  }
}

async function select(name) {
  confirmDeletion(false);
  current = await send("GET", `/api/phrases/${encodeURIComponent(name)}`);
  find("phrase").hidden = false;
  find("phrase-list").value = name;
  find("phrase-title").textContent = `"${current.phrase}"`;
  find("pronunciation").value = current.pronunciations[0] ?? "";
  takes.show(current);
  const known = (await send("GET", "/api/models")).models.find((one) => one.name === name);
  await model.show(known ? name : null);
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
  const chosen = find("phrase-voice").value;
  find("phrase-voice").replaceChildren(...said.voices.map((name) => element("option", { value: name }, name)));
  if (said.voices.includes(chosen)) find("phrase-voice").value = chosen;
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
  await model.show(null);
}
