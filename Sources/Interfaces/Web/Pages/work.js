// Background work: its progress, whichever view is open and after a reload of the page.

import { element, guarded, send } from "/api.js";
import { drawLoss } from "/curves.js";
import { onColours } from "/sound.js";

const find = (id) => document.getElementById(id);
const titles = { train: "Training", improve: "Improving", record: "Recording", enroll: "Enrolling a voice" };
const states = { done: "Done", failed: "Failed", cancelled: "Cancelled" };
const listeners = [];
/** The buttons that start work. */
const starters = "[data-starts-work]";

let work = null;
let timer = null;
/** The work that was closed here; numbers begin again when the program has been restarted. */
let closed = 0;

/** Calls `listener` with the work whenever one has ended. */
export function onEnd(listener) { listeners.push(listener); }

export function prepare() {
  find("work-cancel").addEventListener("click", () => guarded(async () => show((await send("DELETE", "/api/work")).work)));
  find("work-close").addEventListener("click", () => {
    closed = work.id;
    find("work").hidden = true;
  });
  onColours(draw);
  addEventListener("resize", draw);
  document.addEventListener("visibilitychange", () => { if (!document.hidden) look(); });
  return look();
}

/** The work that runs or was the last one, as far as it is known here; null without one. */
export function latest() { return work; }

/** Shows the work in an element of the open view; without one, above all views. */
export function place(slot) {
  if (slot) slot.append(find("work"));
  else find("live").before(find("work"));
}

/** Starts work by a request, and shows it. */
export async function start(path, body) {
  offerStart(false);
  try {
    show((await send("POST", path, body)).work);
    find("work").scrollIntoView({ block: "nearest" });
  } catch (error) {
    offerStart(work?.state !== "running");
    throw error;
  }
}

function offerStart(isOffered) {
  for (const button of document.querySelectorAll(starters)) button.disabled = !isOffered;
}

async function look() {
  clearTimeout(timer);
  try {
    show((await send("GET", "/api/work")).work);
  } catch {
    // The program may come back.
    timer = setTimeout(look, 5000);
  }
}

function show(next) {
  clearTimeout(timer);
  const hasEnded = work !== null && work.state === "running" && next?.state !== "running";
  if ((next?.id ?? 0) < (work?.id ?? 0)) closed = 0;
  work = next;
  if (!work) {
    offerStart(true);
    find("work").hidden = true;
    return;
  }
  const isRunning = work.state === "running";
  offerStart(!isRunning);
  find("work").hidden = work.id === closed;
  find("work-title").textContent = `${titles[work.kind]}: ${work.name}`;
  find("work-state").textContent = isRunning ? progress() : ending();
  find("work-state").className = work.state === "failed" ? "fault" : "";
  find("work-progress").hidden = !isRunning;
  if (work.part === null) find("work-progress").removeAttribute("value");
  else find("work-progress").value = work.part;
  find("work-cancel").hidden = !isRunning;
  find("work-close").hidden = isRunning;
  find("work-messages").replaceChildren(...work.messages.slice(-4).map((text) => element("li", {}, text)));
  draw();
  if (isRunning && !document.hidden) timer = setTimeout(look, 1000);
  if (hasEnded) for (const listener of listeners) guarded(() => listener(work));
}

const whatNext = { train: "try it below, then use it", improve: "compare both versions, then use the better one" };

function ending() {
  if (work.error) return `${states[work.state]}: ${work.error}`;
  const clips = work.kind === "enroll" ? work.result?.clips : undefined;
  if (clips) return `${states[work.state]}: the voice is enrolled from ${clips} recordings`;
  const next = work.state === "done" ? whatNext[work.kind] : undefined;
  return next ? `${states[work.state]}: ${next}` : states[work.state];
}

function progress() {
  const parts = [work.activity || "Starting"];
  if (work.part !== null) parts.push(`${Math.floor(100 * work.part)} %`);
  if (work.secondsLeft !== null) {
    const left = work.secondsLeft >= 90 ? `${Math.round(work.secondsLeft / 60)} minutes` : `${Math.round(work.secondsLeft)} s`;
    parts.push(`${left} left of this step`);
  }
  return parts.join(", ");
}

function draw() {
  find("work-figure").hidden = !work || work.curve.length < 2;
  if (!find("work-figure").hidden && !find("work").hidden) drawLoss(find("work-curve"), work.curve);
}
