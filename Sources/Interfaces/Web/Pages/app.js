// The views, one at a time, by the part of the address after '#'.

import { guarded, send } from "/api.js";
import * as clips from "/clips.js";
import * as live from "/live.js";
import { signedIn } from "/signin.js";
import * as state from "/state.js";
import * as teach from "/teach.js";
import * as understand from "/understand.js";
import * as work from "/work.js";

const views = { live, clips, teach, understand, state };
let session;
let current = "";
/** The view of the page's own address. */
let first;

/** Live with a service, else the clips if there are any, else what a new user begins with. */
async function firstView() {
  if (session.views.includes("live") || !session.views.includes("teach")) return session.views[0];
  return (await send("GET", "/api/clips?count=1")).total > 0 ? "clips" : "teach";
}

function show() {
  const wanted = location.hash.slice(1);
  const name = session.views.includes(wanted) ? wanted : current || first;
  if (wanted === "content" || name === current) return;
  if (current) views[current].close();
  for (const key of Object.keys(views)) document.getElementById(key).hidden = key !== name;
  for (const link of document.querySelectorAll("nav a")) {
    if (link.hash === `#${name}`) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  document.title = `${document.querySelector(`nav a[href="#${name}"]`).textContent}: hotword`;
  current = name;
  guarded(() => views[name].open(session));
}

await guarded(async () => {
  session = await signedIn();
  for (const link of document.querySelectorAll("nav a")) link.hidden = !session.views.includes(link.hash.slice(1));
  document.querySelector("nav").hidden = false;
  for (const view of Object.values(views)) view.prepare();
  first = await firstView();
  if (session.views.includes("teach")) await work.prepare();
  addEventListener("hashchange", show);
  // A page that is not visible needs nothing from the service.
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) views[current].close();
    else guarded(() => views[current].open(session));
  });
  show();
});
