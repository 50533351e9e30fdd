// Sign in: asks for the page's token, which the browser then keeps as a cookie that no script can read.

import { guarded, openSession, send } from "/api.js";

const find = (id) => document.getElementById(id);

/** The session; asks for the token until it is right, if the page needs one. */
export async function signedIn() {
  try {
    return await openSession();
  } catch (error) {
    if (error.status !== 401) throw error;
  }
  find("sign-in").hidden = false;
  find("sign-in-token").focus();
  return new Promise((resolve) => {
    find("sign-in-form").addEventListener("submit", (event) => {
      event.preventDefault();
      guarded(async () => {
        await send("POST", "/api/sign-in", { token: find("sign-in-token").value.trim() });
        find("sign-in-token").value = "";
        find("sign-in").hidden = true;
        resolve(await openSession());
      });
    });
  });
}
