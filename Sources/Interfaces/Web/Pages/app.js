// The views, one at a time, by the part of the address after '#'.

import { guarded } from "/api.js";
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

function show() {
  const wanted = location.hash.slice(1);
  const name = session.views.includes(wanted) ? wanted : current || session.views[0];
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
  if (session.views.includes("teach")) work.prepare();
  addEventListener("hashchange", show);
  // A page that is not visible needs nothing from the service.
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) views[current].close();
    else guarded(() => views[current].open(session));
  });
  show();
});
