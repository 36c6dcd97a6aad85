// Type-ahead search: arrows choose, Enter opens, Escape closes.

import { get } from "./api.js";
import { make, say } from "./dom.js";

const input = document.getElementById("search");
const list = document.getElementById("found");
let chosen = -1;
let asked = 0;

function close() {
  list.hidden = true;
  chosen = -1;
  input.setAttribute("aria-expanded", "false");
  input.removeAttribute("aria-activedescendant");
}

function choose(place) {
  const options = [...list.children];
  if (!options.length) return;
  chosen = (place + options.length) % options.length;
  options.forEach((option, i) => option.setAttribute("aria-selected", String(i === chosen)));
  options[chosen].scrollIntoView({ block: "nearest" });
  input.setAttribute("aria-activedescendant", options[chosen].id);
}

function open(name) {
  close();
  input.value = "";
  location.hash = `#/entity/${encodeURIComponent(name)}`;
}

async function search() {
  const number = ++asked;
  const text = input.value.trim();
  if (!text) return close();
  let found;
  try {
    found = await get("/api/search", { q: text, limit: 12 });
  } catch (error) {
    return say(error.message);
  }
  if (number !== asked) return; // a later question was asked meanwhile
  list.replaceChildren(...found.map((one, i) => make(
    "li",
    { role: "option", id: `found-${i}`, "aria-selected": "false", "data-name": one.name, onmousedown: (event) => { event.preventDefault(); open(one.name); } },
    make("span", {}, one.label ?? one.name), make("small", {}, `${one.facts} facts`),
  )));
  if (!found.length) say(`Nothing is called “${text}”.`);
  list.hidden = !found.length;
  chosen = -1;
  input.setAttribute("aria-expanded", String(found.length > 0));
  if (found.length) choose(0);
}

export function startSearch() {
  input.addEventListener("input", search);
  input.addEventListener("blur", close);
  input.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown") choose(chosen + 1);
    else if (event.key === "ArrowUp") choose(chosen - 1);
    else if (event.key === "Escape") close();
    else if (event.key === "Enter" && chosen >= 0) open(list.children[chosen].dataset.name);
    else return;
    event.preventDefault();
  });
  document.addEventListener("keydown", (event) => {
    const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement?.tagName ?? "");
    if (event.key === "/" && !typing) {
      event.preventDefault();
      input.focus();
    }
  });
}
