// The recordings of a phrase.

import { bytes, element, guarded, send, sendBytes } from "/api.js";
import { record } from "/microphone.js";
import * as work from "/work.js";

const SECONDS = 4;
const find = (id) => document.getElementById(id);
const path = (take) => `/api/takes/${encodeURIComponent(take.name)}`;

let phrase = null;
let recording = null;
let changed = () => {};

/** Calls `onChange` with the phrase when its recordings have changed. */
export function prepare(onChange) {
  changed = onChange;
  find("take-browser").addEventListener("click", () => recording ? recording.abort() : guarded(add));
  find("take-machine").addEventListener("click", () => guarded(() => start("record")));
  find("enroll").addEventListener("click", () => guarded(() => start("enroll")));
}

async function start(action) {
  checkSpeaker();
  await work.start(`${root()}/${action}`, { speaker: speaker() });
}

const root = () => `/api/phrases/${encodeURIComponent(phrase.name)}`;
const speaker = () => find("speaker").value.trim();

/** Throws where the speaker's name cannot be one, before anybody has spoken. */
function checkSpeaker() {
  if (!/^[\p{L}\p{N}_'’][\p{L}\p{N}_'’.-]*$/u.test(speaker())) {
    find("speaker").focus();
    throw new Error("The speaker's name must be letters, digits, '_', '-' or '.', without spaces.");
  }
}

export function show(next) {
  phrase = next;
  find("takes").replaceChildren(...phrase.takes.map((take, index) => {
    const audio = element("audio", { preload: "none" });
    const button = element("button", { type: "button", "aria-label": `Play ${take.name}` }, "Play");
    button.addEventListener("click", () => guarded(async () => {
      await play(audio, await bytes(`${path(take)}/audio?phrase=${encodeURIComponent(phrase.name)}`));
    }));
    const remove = element("button", { type: "button", "aria-label": `Delete ${take.name}` }, "Delete");
    remove.addEventListener("click", () => guarded(async () => {
      await send("DELETE", `${path(take)}?phrase=${encodeURIComponent(phrase.name)}`);
      await reload();
    }));
    return element("li", {}, element("span", {}, `${index + 1}: ${take.speaker}, ${take.seconds.toFixed(1)} s`), button, remove, audio);
  }));
}

export function close() { recording?.abort(); }

async function reload() {
  show(await send("GET", root()));
  changed(phrase);
}

async function add() {
  checkSpeaker();
  recording = new AbortController();
  find("take-browser").textContent = "Stop";
  find("take-state").textContent = `Say "${phrase.phrase}" now`;
  // Another phrase or speaker may be chosen meanwhile.
  const path = `${root()}/takes?speaker=${encodeURIComponent(speaker())}`;
  try {
    const wav = await record(SECONDS, (level) => { find("take-level").value = level; }, recording.signal);
    const kept = await sendBytes(path, "audio/wav", wav);
    find("take-state").textContent = kept.flaw
      ? `Again: ${kept.flaw}`
      : `Kept: ${kept.take.seconds.toFixed(1)} s, speech at ${kept.level.toFixed(0)} dBFS`;
    await reload();
  } catch (error) {
    find("take-state").textContent = "";
    throw error;
  } finally {
    recording = null;
    find("take-browser").textContent = "Record here";
    find("take-level").value = -80;
  }
}

/** Plays a WAV file. */
export async function play(audio, data) {
  if (audio.src) URL.revokeObjectURL(audio.src);
  audio.src = URL.createObjectURL(new Blob([data], { type: "audio/wav" }));
  await audio.play();
}
