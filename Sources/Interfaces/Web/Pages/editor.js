// An editor of a file: line numbers, faults at their line and column, and saving what has no faults.

import { element, guarded, send } from "/api.js";

/** Loads a file into its editor, or says why it cannot be edited. */
export async function offer(name, session, load) {
  const hint = document.getElementById(`${name}-hint`);
  hint.hidden = session.files.includes(name);
  if (hint.hidden) return load();
  hint.textContent = session.asksForToken ? missing[name]
    : "Files are edited only on a page that asks for a token: start with --web-token FILE.";
  return undefined;
}

const missing = {
  configuration: "There is no configuration file; create ~/.config/hotword/config.yaml, and start again.",
  intents: "The built-in intents are used; write your own in a file, and name it with --intents.",
};

/**
 * An editor in the element `root` for the file that /api/files calls `name`.
 *
 * `whenSaved` is called after the file has been saved. The result loads the file when it is called.
 */
export function editor(root, name, label, whenSaved) {
  const id = (part) => `${name}-${part}`;
  const text = element("textarea", { id: id("text"), spellcheck: false, autocapitalize: "off", wrap: "off", rows: 14 });
  const numbers = element("pre", { "aria-hidden": "true" });
  const status = element("p", { role: "status", className: "hint" });
  const faults = element("ul", { className: "findings", "aria-label": `Faults of ${label}` });
  const checkButton = element("button", { type: "button", id: id("check") }, "Check");
  const saveButton = element("button", { type: "button", id: id("save") }, "Save");
  const loadButton = element("button", { type: "button", id: id("load") }, "Load again");
  root.append(
    element("label", { htmlFor: text.id, className: "hint" }, label),
    element("div", { className: "editor" }, numbers, text),
    element("div", { className: "buttons" }, checkButton, saveButton, loadButton), status, faults);
  let file = null;

  function number(wrong = new Set()) {
    const count = text.value.split("\n").length;
    numbers.replaceChildren(...Array.from({ length: count }, (_, index) =>
      element("span", wrong.has(index + 1) ? { className: "fault" } : {}, `${wrong.has(index + 1) ? "\u25cf" : " "}${index + 1}\n`)));
    numbers.scrollTop = text.scrollTop;
  }

  function show(found) {
    number(new Set(found.map((fault) => fault.line)));
    text.setAttribute("aria-invalid", String(found.length > 0));
    faults.replaceChildren(...found.map((fault) => {
      if (fault.line === null) return element("li", {}, element("span", { className: "fault" }, "fault"), element("span", {}, fault.message));
      const button = element("button", { type: "button" }, `${fault.line}:${fault.column}`);
      button.addEventListener("click", () => go(fault.line, fault.column));
      return element("li", {}, button, element("span", {}, fault.message));
    }));
  }

  function go(line, column) {
    const lines = text.value.split("\n");
    const at = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0) + [...(lines[line - 1] ?? "")].slice(0, column - 1).join("").length;
    text.focus();
    text.setSelectionRange(at, at + Math.max(1, (lines[line - 1] ?? "").length - column + 1));
    text.scrollTop = Math.max(0, (line - 5) * text.scrollHeight / lines.length);
  }

  async function load() {
    root.hidden = true;
    file = await send("GET", `/api/files/${name}`);
    text.value = file.text;
    root.hidden = false;
    status.textContent = file.file;
    show([]);
  }

  async function check() {
    const { faults: found } = await send("POST", `/api/files/${name}/check`, { text: text.value });
    show(found);
    status.textContent = found.length === 0 ? "Nothing is wrong." : `${found.length} faults`;
  }

  async function save() {
    const answer = await send("PUT", `/api/files/${name}`, { text: text.value, hash: file.hash });
    show(answer.faults);
    if (!answer.saved) {
      status.textContent = `Not saved: ${answer.faults.length} faults`;
      return;
    }
    file.hash = answer.hash;
    status.textContent = `Saved; the old version is ${file.file}.bak`;
    await whenSaved();
  }

  text.addEventListener("input", () => { number(); status.textContent = "Changed, not saved"; });
  text.addEventListener("scroll", () => { numbers.scrollTop = text.scrollTop; });
  for (const [button, task] of [[checkButton, check], [saveButton, save], [loadButton, load]]) {
    button.addEventListener("click", () => guarded(task));
  }
  return load;
}
