// State: health, settings, devices, and what the checks find.

import { element, guarded, send } from "/api.js";
import { editor, offer } from "/editor.js";

const find = (id) => document.getElementById(id);
let timer = 0;
let loadFile = null;
let isLoaded = false;

export function prepare() {
  for (const [id, task] of [["check", check], ["doctor", doctor], ["devices-load", devices], ["reload", reload]]) {
    find(id).addEventListener("click", async () => {
      find(id).disabled = true;
      await guarded(task);
      find(id).disabled = false;
      find(id).focus();
    });
  }
  find("log-level").addEventListener("change", () => guarded(log));
  loadFile = editor(find("configuration-editor"), "configuration", "The configuration in YAML", async () => {
    if (!find("reload").hidden) find("reload").focus();
  });
}

export async function open(session) {
  clearInterval(timer);
  timer = setInterval(() => guarded(load), 5000);
  await load();
  if (isLoaded) return;
  isLoaded = true;
  await offer("configuration", session, loadFile);
}

export function close() { clearInterval(timer); }

async function load() {
  const state = await send("GET", "/api/state");
  const health = state.health;
  find("health").textContent = health === null ? "No service runs in this program."
    : health.status === "ok" ? "The service is well." : `Something is wrong: ${health.problems.join("; ")}`;
  find("health").className = health === null ? "" : health.status === "ok" ? "ok" : "fault";
  const facts = [["Version", state.version]];
  if (health) {
    facts.push(["Running for", duration(health.up)], ["Audio processed", health.heard === null ? null : duration(health.heard)],
      ["Input", health.input], ["Listening for", health.keywords.join(", ")],
      ["Detection", health.detecting ? "on" : "switched off"]);
  }
  fill("facts", facts);
  connections(state.connections);
  find("reload").hidden = !state.reloads;
  await log();
  const settings = state.settings;
  fill("settings", [
    ["Models", settings.models.join(", ")], ["Recognizers", settings.recognizers.join(", ") || "chosen by the intent file"],
    ["Handlers", settings.handlers.join(", ")], ["Intents", settings.intents ?? "built in"],
    ["Understanding", settings.understanding ?? "the intent file"], ["Speech", settings.speak ?? "off"],
    ["Clips", settings.keep ?? "not kept"], ["MQTT broker", settings.hermes ? "connected to" : "none"],
  ]);
}

function fill(id, pairs) {
  find(id).replaceChildren(...pairs.filter(([, value]) => value !== null).flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, value)]));
}

function duration(seconds) {
  const whole = Math.floor(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor(whole / 60) % 60} min`;
}

function connections(all) {
  const rows = all.map((one) => element("tr", {}, ...[
    one.kind, one.name, one.connected === null ? "" : one.connected ? "connected" : "not connected",
    [one.detail, one.since ? `since ${new Date(one.since).toLocaleString()}` : ""].filter(Boolean).join(", "),
  ].map((cell) => element("td", {}, cell))));
  find("connections").replaceChildren(rows.length === 0 ? element("p", { className: "hint" }, "Nothing is connected.")
    : element("table", {}, element("thead", {}, element("tr", {}, ...["what", "name", "state", "details"].map((name) =>
      element("th", { scope: "col" }, name)))), element("tbody", {}, ...rows)));
}

async function log() {
  const [list, box] = [find("log"), find("log-box")];
  const isAtEnd = box.scrollTop + box.clientHeight >= box.scrollHeight - 4;
  const { lines } = await send("GET", `/api/log?count=200&level=${find("log-level").value}`);
  list.replaceChildren(...lines.map((line) => element("li", {},
    element("time", { dateTime: line.time, title: line.time }, new Date(line.time).toLocaleTimeString([], { hour12: false })),
    element("span", { className: line.level === "error" ? "fault" : line.level }, line.level), element("span", {}, line.message))));
  if (isAtEnd) box.scrollTop = box.scrollHeight;
}

async function reload() {
  await send("POST", "/api/reload", {});
  find("faults").replaceChildren(finding("ok", "A reload is requested; its result is in the log."));
  await log();
}

const finding = (state, message) => element("li", {}, element("span", { className: state }, state), element("span", {}, message));

async function check() {
  const answer = await send("POST", "/api/check");
  const rows = answer.faults.map((fault) => finding("fault", fault));
  const name = answer.file ?? "the settings of the command line";
  find("faults").replaceChildren(...(rows.length > 0 ? rows : [finding("ok", `${name}: nothing is wrong`)]));
}

async function doctor() {
  find("findings").replaceChildren(element("li", {}, "The checks run…"));
  const answer = await send("POST", "/api/doctor");
  find("findings").replaceChildren(...answer.findings.map((one) => {
    // A message says what is wrong, then what to do.
    const cut = one.state === "ok" ? -1 : one.message.indexOf("; ");
    const row = finding(one.state, `${one.check}: ${cut < 0 ? one.message : one.message.slice(0, cut)}`);
    if (cut >= 0) row.lastChild.append(element("strong", {}, ` Suggested fix: ${one.message.slice(cut + 2)}`));
    return row;
  }));
}

async function devices() {
  const answer = await send("GET", "/api/devices");
  const rows = answer.devices.map((device) => element("li", {}, element("span", {}, device.state), element("span", {}, `${device.name}: ${device.description}`)));
  find("devices").replaceChildren(...(rows.length > 0 ? rows : [element("li", {}, "There is no capture device.")]));
}
