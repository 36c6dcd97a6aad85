// The page: the address after # says what is shown.

import { make, say, show } from "./dom.js";
import { startSearch } from "./search.js";
import * as views from "./views.js";

const VIEWS = new Map([["discover", views.discover], ["decisions", views.decisions], ["run", views.run]]);
const PATIENCE = 150; // milliseconds before a view that is fetched shows a sign
let opened = 0;

async function open() {
  const main = document.getElementById("view");
  if (location.hash === "#view") return main.focus(); // the link that skips the header
  const number = ++opened;
  const [, view, ...rest] = location.hash.split("/");
  document.title = "Tucker";
  say(""); // what was said was about another view
  for (const link of document.querySelectorAll("nav a")) {
    if (link.hash === `#/${view}`) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  main.setAttribute("aria-busy", "true");
  const sign = setTimeout(() => { if (number === opened) show(make("p", { class: "soft" }, "Loading…")); }, PATIENCE);
  let parts;
  try {
    parts = await (view === "entity" ? views.entity(decodeURIComponent(rest.join("/"))) : (VIEWS.get(view) ?? views.home)());
  } catch (error) {
    parts = [make("h1", {}, "That did not work"), make("p", {}, error.message)];
  }
  clearTimeout(sign);
  if (number !== opened) return; // another view was opened meanwhile
  main.removeAttribute("aria-busy");
  show(...parts);
  if (view) main.focus({ preventScroll: true });
  scrollTo(0, 0);
}

window.addEventListener("hashchange", open);
startSearch();
open();
