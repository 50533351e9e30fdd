// Understand: a spoken sentence, and a dialogue as a chat. Nothing is carried out.

import { element, guarded, send, sendBytes } from "/api.js";
import { record } from "/microphone.js";

const find = (id) => document.getElementById(id);
const SECONDS = 8;
let recording = null;
let conversation = newName();

function newName() { return `page-${crypto.getRandomValues(new Uint32Array(2)).join("-")}`; }

/** `understand` takes a sentence. */
export function prepare(understand) {
  find("speak").addEventListener("click", () => {
    if (recording) recording.abort();
    else guarded(() => speak(understand));
  });
  find("chat-form").addEventListener("submit", (event) => {
    event.preventDefault();
    const text = find("chat-text").value.trim();
    if (text) guarded(() => say(text));
  });
  find("chat-new").addEventListener("click", () => {
    conversation = newName();
    find("chat").replaceChildren();
    find("chat-text").focus();
  });
}

export function close() { recording?.abort(); }

/** Records one sentence, up to the button's next press or the longest time. */
async function speak(understand) {
  recording = new AbortController();
  const [button, meter] = [find("speak"), find("speak-level")];
  button.textContent = "Stop";
  button.setAttribute("aria-pressed", "true");
  meter.hidden = false;
  find("speak-state").textContent = `Speak now; up to ${SECONDS} seconds`;
  let wav;
  try {
    wav = await record(SECONDS, (level) => { meter.value = level; }, recording.signal);
  } finally {
    recording = null;
    button.textContent = "Speak";
    button.setAttribute("aria-pressed", "false");
    meter.hidden = true;
    find("speak-state").textContent = "";
  }
  find("speak-state").textContent = "Recognizing…";
  try {
    const answer = await sendBytes("/api/transcribe", "audio/wav", wav);
    find("meaning").replaceChildren();
    find("speak-state").textContent = answer.text === ""
      ? "No sentence of the intents was recognized." : `Recognized with confidence ${Math.round(100 * answer.confidence)} %`;
    if (answer.warning) find("speak-state").textContent += ` (${answer.warning})`;
    if (answer.text !== "") {
      find("sentence").value = answer.text;
      await understand(answer.text);
    }
  } catch (error) {
    find("speak-state").textContent = "";
    throw error;
  }
}

async function say(text) {
  find("chat-text").value = "";
  line("you", text);
  const result = await send("POST", "/api/dialogue", { conversation, text });
  const meaning = result.intent ? [result.intent.name, ...Object.entries(result.slots).map(([name, slot]) =>
    `${name}=${typeof slot.value === "string" ? slot.value : JSON.stringify(slot.value)}`)].join(" ") : "not understood";
  if (result.warning) line("hotword", result.warning);
  line("hotword", result.prompt ?? result.reply ?? (result.intent ? "It would be carried out." : "Sorry, I did not understand that."), meaning);
}

function line(who, text, meaning = "") {
  const item = element("li", { className: who }, element("strong", {}, `${who}: `), text);
  if (meaning) item.append(element("small", {}, meaning));
  find("chat").append(item);
  item.scrollIntoView({ block: "nearest" });
}
