// Requests to the JSON interface, which /api/openapi.json describes.

let token = "";

/** Reads what the server offers, and the token for requests that change something. */
export async function openSession() {
  const session = await send("GET", "/api/session");
  token = session.token;
  return session;
}

/** Sends a request; `body` becomes JSON. Throws an Error with the server's message. */
export async function send(method, path, body) { return read(await answer(method, path, "application/json", json(body))); }

/** Sends bytes of a media type. */
export async function sendBytes(path, type, body) { return read(await answer("POST", path, type, body)); }

/** The bytes of an address; with a `body`, of the answer to a POST request. */
export async function bytes(path, body) {
  const response = await answer(body === undefined ? "GET" : "POST", path, "application/json", json(body));
  if (!response.ok) await read(response);
  return response.arrayBuffer();
}

function json(body) { return body === undefined ? undefined : JSON.stringify(body); }

async function answer(method, path, type, body) {
  const response = await attempt(method, path, type, body);
  if (response.status !== 403 || method === "GET") return response;
  // The service has been restarted since the page was loaded.
  await openSession();
  return attempt(method, path, type, body);
}

async function attempt(method, path, type, body) {
  const headers = {};
  if (method !== "GET") headers["X-Hotword-Token"] = token;
  if (body !== undefined) headers["Content-Type"] = type;
  try {
    return await fetch(path, { method, headers, body });
  } catch {
    throw new Error("The program does not answer. Check that it still runs.");
  }
}

async function read(response) {
  let value = {};
  try {
    value = await response.json();
  } catch { /* No JSON: the status says it. */ }
  if (!response.ok) {
    const error = new Error(value.error ?? `The program answered with the status ${response.status}.`);
    throw Object.assign(error, { status: response.status });
  }
  return value;
}

/** An element with properties and children. */
export function element(name, properties = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key.includes("-") || key === "role") made.setAttribute(key, value);
    else made[key] = value;
  }
  made.append(...children);
  return made;
}

/** Shows a message about what went wrong; an empty one hides it. */
export function showFault(message) {
  const fault = document.getElementById("fault");
  fault.textContent = message;
  fault.hidden = message === "";
}

/** Runs a task and shows its error. */
export async function guarded(task) {
  try {
    showFault("");
    return await task();
  } catch (error) {
    showFault(error.message);
    return undefined;
  }
}
