// Improving a model by the labels of its clips.

import { element, guarded, send } from "/api.js";
import { drawVersions } from "/curves.js";
import { showLegend } from "/model.js";
import { onColours } from "/sound.js";
import * as work from "/work.js";

const find = (id) => document.getElementById(id);
const path = () => `/api/models/${encodeURIComponent(find("improve-model").value)}`;
const rows = {
  falseAlarms: "False alarms that still trigger", found: "Missed clips detected", missed: "Phrases missed",
  missedInNoise: "Phrases missed in noise, 10 dB", otherAlarms: "False alarms in other audio",
};

let model = null;
let isOpen = false;

export function prepare() {
  find("improve-model").addEventListener("change", () => guarded(load));
  find("improve-start").addEventListener("click", () => guarded(() => work.start(`${path()}/improve`, {})));
  find("improve-use").addEventListener("click", () => guarded(() => change("POST", "use", "The new version is in use.")));
  find("improve-discard").addEventListener("click", () => guarded(() => change("DELETE", "candidate", "The old version stays in use.")));
  find("improve-restore").addEventListener("click", () => guarded(() => change("POST", "restore", "The previous version is in use.")));
  onColours(draw);
  addEventListener("resize", draw);
  work.onEnd(async (ended) => { if (isOpen && ended.kind === "improve") await load(); });
}

export async function open() {
  isOpen = true;
  work.place(find("improve-work"));
  const { counts, keywords } = await send("GET", "/api/clips?count=1");
  const models = (await send("GET", "/api/models")).models.filter((one) => one.installed && keywords.includes(one.name));
  const select = find("improve-model");
  const chosen = select.value;
  select.replaceChildren(...models.map((one) => element("option", { value: one.name }, one.name)));
  if (models.some((one) => one.name === chosen)) select.value = chosen;
  find("improve").hidden = models.length === 0;
  find("improve-state").textContent = counts["false-alarm"] + counts.missed === 0
    ? "Label false alarms and missed phrases; then the model can be trained on them." : "";
  if (models.length > 0) await load();
}

export function close() {
  isOpen = false;
  work.place(null);
}

async function load() {
  if (!find("improve-model").value) return;
  model = await send("GET", path());
  find("improve-use").hidden = !model.candidate;
  find("improve-discard").hidden = !model.candidate;
  find("improve-restore").hidden = !model.previous || Boolean(model.candidate);
  const improvement = (model.candidate ?? model.installed).improvement;
  find("improve-table").replaceChildren(...improvement ? [table(improvement)] : []);
  find("improve-figure").hidden = !model.candidate && !model.previous;
  find("improve-legend").hidden = find("improve-figure").hidden;
  draw();
}

function table(improvement) {
  const head = element("tr", {}, ...["", "Before", "After"].map((text) => element("th", { scope: "col" }, text)));
  const body = Object.entries(rows).filter(([name]) => improvement[name]).map(([name, title]) => {
    const { before, after, of } = improvement[name];
    const total = of === undefined ? `in ${improvement.hours.toFixed(1)} h` : `of ${of}`;
    return element("tr", {}, element("th", { scope: "row" }, title), ...[before, after].map((count) => element("td", {}, `${count} ${total}`)));
  });
  return element("table", {}, element("thead", {}, head), element("tbody", {}, ...body));
}

function draw() {
  if (!isOpen || !model || find("improve-figure").hidden || find("clips").hidden) return;
  drawVersions(find("improve-curve"), model, null);
  showLegend(find("improve-legend"), model);
}

async function change(method, action, words) {
  await send(method, `${path()}/${action}`);
  await load();
  find("improve-state").textContent = words;
}
