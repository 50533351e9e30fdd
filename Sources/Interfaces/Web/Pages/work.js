// Background work: its progress, whichever view is open and after a reload of the page.

import { element, guarded, send } from "/api.js";
import { drawLoss } from "/curves.js";
import { onColours } from "/sound.js";

const find = (id) => document.getElementById(id);
const titles = { train: "Training", improve: "Improving", record: "Recording", enroll: "Enrolling a voice" };
const states = { done: "Done", failed: "Failed", cancelled: "Cancelled" };
const listeners = [];

let work = null;
let timer = null;
/** The work that was closed here. */
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
  look();
}

/** Starts work by a request, and shows it. */
export async function start(path, body) {
  show((await send("POST", path, body)).work);
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
  work = next;
  if (!work) return;
  const isRunning = work.state === "running";
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

function ending() {
  if (work.error) return `${states[work.state]}: ${work.error}`;
  const clips = work.kind === "enroll" ? work.result?.clips : undefined;
  return clips ? `${states[work.state]}: the voice is enrolled from ${clips} recordings` : states[work.state];
}

function progress() {
  const parts = [work.activity || "Starting"];
  if (work.part !== null) parts.push(`${Math.floor(100 * work.part)} %`);
  if (work.secondsLeft !== null) {
    parts.push(work.secondsLeft >= 90 ? `${Math.round(work.secondsLeft / 60)} minutes left` : `${Math.round(work.secondsLeft)} s left`);
  }
  return parts.join(", ");
}

function draw() {
  const canvas = find("work-curve");
  canvas.hidden = !work || work.curve.length < 2;
  if (!canvas.hidden && !find("work").hidden) drawLoss(canvas, work.curve);
}
