// State: health, settings, devices, and what the checks find.

import { element, guarded, send } from "/api.js";

const find = (id) => document.getElementById(id);
let timer = 0;

export function prepare() {
  for (const [id, task] of [["check", check], ["doctor", doctor], ["devices-load", devices]]) {
    find(id).addEventListener("click", async () => {
      find(id).disabled = true;
      await guarded(task);
      find(id).disabled = false;
      find(id).focus();
    });
  }
}

export async function open() {
  clearInterval(timer);
  timer = setInterval(() => guarded(load), 5000);
  await load();
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
  find("findings").replaceChildren(...answer.findings.map((one) => finding(one.state, `${one.check}: ${one.message}`)));
}

async function devices() {
  const answer = await send("GET", "/api/devices");
  const rows = answer.devices.map((device) => element("li", {}, element("span", {}, device.state), element("span", {}, `${device.name}: ${device.description}`)));
  find("devices").replaceChildren(...(rows.length > 0 ? rows : [element("li", {}, "There is no capture device.")]));
}
