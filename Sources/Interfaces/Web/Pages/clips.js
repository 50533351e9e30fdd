// Clips: what 'run --keep' stored, to play, label and delete.

import { bytes, element, guarded, send } from "/api.js";
import * as improve from "/improve.js";
import { drawSpectrogram, drawWave, onColours, samplesOf } from "/sound.js";

const labels = {
  wake: { yes: ["wake", "Right"], no: ["false-alarm", "False alarm"], question: "Is the hotword in it?" },
  "near-miss": {
    yes: ["missed", "Missed"], no: ["rejection", "Rightly not detected"],
    question: "Is the hotword in it, although the score was too low?",
  },
};
const names = {
  wake: "right", "false-alarm": "false alarm", missed: "missed", rejection: "rightly not detected",
};
const find = (id) => document.getElementById(id);
const path = (clip) => `/api/clips/${encodeURIComponent(clip.name)}`;

let clips = [];
let next = null;
let total = 0;
let current = -1;
let sound = null;
let isConfirming = false;
/** The end of what keys and buttons have asked for: one after the other, as a key is about the clip that is current then. */
let changes = Promise.resolve();
let isOpen = false;
let voices = [];
const done = [];

export function prepare() {
  improve.prepare();
  find("clips-filter").addEventListener("change", (event) => {
    if (event.target.name) guarded(load);
  });
  find("clips-filter").addEventListener("submit", (event) => event.preventDefault());
  find("clips-more").addEventListener("click", () => guarded(more));
  find("clip-yes").addEventListener("click", () => press("y"));
  find("clip-no").addEventListener("click", () => press("n"));
  find("clip-undo").addEventListener("click", () => press("u"));
  find("clip-delete").addEventListener("click", () => press("d"));
  onColours(draw);
  addEventListener("resize", draw);
  document.addEventListener("keydown", (event) => {
    const isTyping = event.target.matches("input:not([type=checkbox]), select, textarea");
    if (!isOpen || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    const key = { ArrowDown: "j", ArrowUp: "k" }[event.key] ?? event.key;
    if (!"ynudpjk123456789".includes(key)) return;
    event.preventDefault();
    // A key that is held would answer for the next clips too.
    if (event.repeat && !"jk".includes(key)) return;
    press(key);
  });
}

export async function open(session) {
  isOpen = true;
  await load();
  if (session.views.includes("teach")) await improve.open();
}

export function close() {
  isOpen = false;
  improve.close();
  find("clip-audio").pause();
}

// The list

function query(before) {
  const form = new FormData(find("clips-filter"));
  const pairs = [...form].filter(([, value]) => value !== "");
  if (before) pairs.push(["before", before]);
  return new URLSearchParams(pairs);
}

async function load() {
  const answer = await send("GET", `/api/clips?${query()}`);
  const kept = clips[current]?.name;
  clips = answer.clips;
  take(answer);
  offerKeywords(answer.keywords);
  offerVoices(answer.voices);
  find("clips-list").replaceChildren(...clips.map(row));
  const index = clips.findIndex((clip) => clip.name === kept);
  await select(index >= 0 ? index : clips.length > 0 ? 0 : -1, { plays: false });
}

async function more() {
  const answer = await send("GET", `/api/clips?${query(next)}`);
  clips = clips.concat(answer.clips);
  take(answer);
  find("clips-list").append(...answer.clips.map((clip, index) => row(clip, clips.length - answer.clips.length + index)));
}

function take(answer) {
  [next, total] = [answer.next, answer.total];
  find("clips-more").hidden = next === null;
  showCount(answer);
}

function showCount(answer) {
  const all = Object.values(answer.counts).reduce((sum, count) => sum + count, 0);
  find("clips-state").textContent = all === 0
    ? `No clips yet: 'hotword run --keep ${answer.folder}' stores what wakes the service, and what almost does.`
    : total === 0 ? `No clip of ${all} matches.` : `${clips.length} of ${total} shown; ${answer.counts.none} without a label`;
}

function offerKeywords(keywords) {
  const select = find("clips-filter").elements.keyword;
  const chosen = select.value;
  select.replaceChildren(element("option", { value: "" }, "all"), ...keywords.map((name) => element("option", { value: name }, name)));
  select.value = keywords.includes(chosen) ? chosen : "";
}

/** Buttons and the filter for the enrolled voices. */
function offerVoices(names) {
  voices = names;
  const select = find("clips-filter").elements.voice;
  const chosen = select.value;
  select.replaceChildren(element("option", { value: "" }, "all"), ...names.map((name) => element("option", { value: name }, name)));
  select.value = names.includes(chosen) ? chosen : "";
  find("clip-voices").replaceChildren(...names.map((name, index) => {
    const key = index < 9 ? [element("kbd", {}, String(index + 1)), " "] : [];
    const made = element("button", { type: "button", "aria-pressed": "false" }, ...key, name);
    made.addEventListener("click", () => guarded(() => setVoice(name)));
    return made;
  }));
}

/** Labels the current clip as the word, said by an enrolled voice; the same voice again takes it back. */
async function setVoice(name) {
  const clip = clips[current];
  if (!clip || !name) return;
  done.push({ name: clip.name, label: clip.label, voice: clip.voice });
  const voice = clip.voice === name ? null : name;
  await setLabel(current, labels[clip.kind].yes[0], voice);
  find("clips-state").textContent = `${clip.keyword}: ${voice === null ? "nobody's voice" : `the voice of ${voice}`}`;
  if (voice !== null) await step(1);
}

function row(clip, index) {
  const button = element("button", { type: "button" });
  fill(button, clip);
  button.addEventListener("click", () => guarded(() => select(index, { plays: true })));
  return element("li", {}, button);
}

function fill(button, clip) {
  const kind = clip.kind === "wake" ? "wake" : "near miss";
  button.replaceChildren(
    `${clip.keyword}, ${kind}`,
    element("small", {}, `${new Date(clip.time).toLocaleString()}, score ${clip.score.toFixed(2)}, ${names[clip.label] ?? "not labelled"}${clip.voice ? `, ${clip.voice}` : ""}`));
}

const button = (index) => find("clips-list").children[index]?.firstChild;

// The clip

async function select(index, { plays }) {
  button(current)?.removeAttribute("aria-current");
  current = index;
  confirmDeletion(false);
  find("clip").hidden = index < 0;
  if (index < 0) return;
  const clip = clips[index];
  button(index).setAttribute("aria-current", "true");
  button(index).scrollIntoView({ block: "nearest" });
  show(clip);
  const data = await bytes(`${path(clip)}/audio`);
  if (clips[current] !== clip) return;
  sound = samplesOf(data);
  draw();
  const audio = find("clip-audio");
  if (audio.src) URL.revokeObjectURL(audio.src);
  audio.src = URL.createObjectURL(new Blob([data], { type: "audio/wav" }));
  // A browser may not play before the first click or key.
  if (plays && find("clips-play").checked) audio.play().catch(() => {});
}

function show(clip) {
  const { yes, no, question } = labels[clip.kind];
  find("clip-title").textContent = `${clip.keyword}, ${new Date(clip.time).toLocaleString()}, ${names[clip.label] ?? "not labelled"}`;
  find("clip-question").textContent = question;
  for (const [id, [label, words]] of [["clip-yes", yes], ["clip-no", no]]) {
    find(id).querySelector("span").textContent = words;
    find(id).setAttribute("aria-pressed", String(clip.label === label));
  }
  find("clip-undo").disabled = done.length === 0;
  voices.forEach((name, index) => find("clip-voices").children[index].setAttribute("aria-pressed", String(clip.voice === name)));
}

function draw() {
  if (!isOpen || current < 0 || !sound) return;
  drawWave(find("clip-wave"), sound.samples);
  drawSpectrogram(find("clip-spectrogram"), sound.samples, sound.rate);
}

// Keys

function press(key) { changes = changes.then(() => act(key)).catch(() => {}); }

async function act(key) {
  const clip = clips[current];
  if (key === "u") return guarded(undo);
  if (!clip) return undefined;
  if (key === "d") return guarded(remove);
  confirmDeletion(false);
  if (key === "p") return find("clip-audio").play();
  if (key === "j" || key === "k") return guarded(() => step(key === "j" ? 1 : -1));
  if ("123456789".includes(key)) return guarded(() => setVoice(voices[Number(key) - 1]));
  const label = labels[clip.kind][key === "y" ? "yes" : "no"][0];
  return guarded(async () => {
    done.push({ name: clip.name, label: clip.label, voice: clip.voice });
    await setLabel(current, label);
    await step(1);
  });
}

async function step(by) {
  const index = current + by;
  if (index === clips.length && next) await more();
  if (index >= 0 && index < clips.length) await select(index, { plays: true });
}

/** Without a voice, the clip keeps its voice. */
async function setLabel(index, label, voice) {
  const before = clips[index].label;
  clips[index] = await send("PUT", `${path(clips[index])}/label`, { label, voice });
  fill(button(index), clips[index]);
  button(index).setAttribute("aria-current", String(index === current));
  if (index === current) show(clips[index]);
  const words = label === null ? "label taken back" : names[label];
  find("clips-state").textContent = `${clips[index].keyword}: ${words}${before && label ? ` instead of ${names[before]}` : ""}`;
}

/** What a clip was labelled as; without a label, it has nobody's voice anyway. */
const back = ({ label, voice }) => label === null ? { label } : { label, voice: voice ?? null };

async function undo() {
  const last = done.pop();
  if (!last) return;
  const index = clips.findIndex((clip) => clip.name === last.name);
  if (index < 0) {
    await send("PUT", `${path(last)}/label`, back(last));
    return load();
  }
  await setLabel(index, last.label, back(last).voice);
  await select(index, { plays: false });
}

function confirmDeletion(isAsking) {
  isConfirming = isAsking;
  find("clip-delete").querySelector("span").textContent = isAsking ? "Press again to delete" : "Delete";
}

async function remove() {
  if (!isConfirming) return confirmDeletion(true);
  const index = current;
  await send("DELETE", path(clips[index]));
  clips.splice(index, 1);
  total -= 1;
  find("clips-list").replaceChildren(...clips.map(row));
  find("clips-state").textContent = `Deleted; ${clips.length} of ${total} shown`;
  current = -1;
  await select(Math.min(index, clips.length - 1), { plays: false });
}
