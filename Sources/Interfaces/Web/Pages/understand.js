// Understand: a typed sentence as its intent and slots, and why.

import { element, guarded, send } from "/api.js";
import { editor, offer } from "/editor.js";
import * as speak from "/speak.js";

const find = (id) => document.getElementById(id);
const percent = (part) => `${Math.round(100 * part)} %`;
const words = (value) => typeof value === "string" ? value : JSON.stringify(value);
let isListed = false;
let hasService = false;
let loadFile = null;

export function prepare() {
  find("sentence-form").addEventListener("submit", (event) => {
    event.preventDefault();
    const text = find("sentence").value.trim();
    if (text) guarded(() => understand(text));
  });
  speak.prepare(understand);
  loadFile = editor(find("intents-editor"), "intents", "Sentences, lists and replies in YAML", reload);
}

async function understand(text) { show(await send("POST", "/api/understand", { text })); }

/** After a change, the service uses the new intents, and the list shows them. */
async function reload() {
  if (hasService) await send("POST", "/api/reload", {});
  list(await send("GET", "/api/intents"));
}

export async function open(session) {
  hasService = session.reloads;
  if (isListed) return;
  list(await send("GET", "/api/intents"));
  isListed = true;
  await offer("intents", session, loadFile);
}

export const close = speak.close;

const statuses = {
  ready: "The intent can be carried out.",
  needsValue: "A value is missing; the question asks for it.",
  needsDisambiguation: "Several values are possible; the question asks which.",
  needsConfirmation: "The question asks for a confirmation first.",
  unsupported: "The sentence is understood, but cannot be carried out.",
  notUnderstood: "No intent matches the sentence.",
};

function show(result) {
  const slots = Object.entries(result.slots);
  const parts = [
    element("p", {}, ...marked(result.text, slots)),
    element("p", {}, element("strong", {}, result.intent ? result.intent.name : "No intent"),
      result.intent ? `, confidence ${percent(result.intent.confidence)}. ` : ". ", statuses[result.status] ?? result.status),
  ];
  if (result.warning) parts.push(element("p", { className: "warning" }, `${result.warning}. The intent file was used.`));
  if (result.prompt) parts.push(element("p", {}, `Question: ${result.prompt}`));
  if (result.reply) parts.push(element("p", {}, `Reply: ${result.reply}`));
  if (slots.length > 0) parts.push(table("Slots", ["slot", "value", "from the words", "confidence"], slots.map(([name, slot]) => [
    name, words(slot.value), slot.text || "implied by the sentence", percent(slot.confidence),
  ])));
  if (result.ranking.length > 1) {
    parts.push(table("Intents that match", ["intent", "confidence"], result.ranking.map((guess) => [guess.name, percent(guess.confidence)])));
  }
  const raw = element("details", {}, element("summary", {}, "As JSON"), element("pre", {}, JSON.stringify(result, null, 2)));
  find("meaning").replaceChildren(...parts, raw);
}

/** The sentence with the words of each slot marked; ranges count code points. */
function marked(text, slots) {
  const letters = [...text];
  const ranges = slots.filter(([, slot]) => slot.range).sort((one, other) => one[1].range[0] - other[1].range[0]);
  const parts = ["“"];
  let at = 0;
  for (const [name, slot] of ranges) {
    const [from, to] = slot.range;
    if (from < at) continue;
    parts.push(letters.slice(at, from).join(""));
    parts.push(element("mark", {}, letters.slice(from, to).join(""), " ", element("small", {}, name)));
    at = to;
  }
  return [...parts, letters.slice(at).join(""), "”"];
}

function table(title, heads, rows) {
  const head = element("tr", {}, ...heads.map((name) => element("th", { scope: "col" }, name)));
  const body = rows.map((row) => element("tr", {}, ...row.map((cell) => element("td", {}, cell))));
  return element("div", { className: "scroll" }, element("table", {}, element("caption", { className: "hint" }, title),
    element("thead", {}, head), element("tbody", {}, ...body)));
}

function list(listing) {
  find("sentences-state").textContent = `${listing.intents.length} ${listing.intents.length === 1 ? "intent" : "intents"} in the language '${listing.language}'. Choose a sentence to try it.`;
  find("sentences").replaceChildren(...listing.intents.map((intent) => element("details", {},
    element("summary", {}, intent.name),
    element("div", {}, ...intent.sentences.map((sentence) => {
      const button = element("button", { type: "button" }, sentence);
      button.addEventListener("click", () => {
        find("sentence").value = sentence;
        find("sentence-form").requestSubmit();
        find("sentence").scrollIntoView({ block: "center" });
      });
      return button;
    })))));
}
