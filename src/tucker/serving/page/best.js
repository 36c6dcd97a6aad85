// The most probable missing facts of the whole graph, which the server looks for in the background.

import { everyDecision, post } from "./api.js";
import { make } from "./dom.js";
import { byFact, factLine } from "./fact.js";

const MOST = 100; // facts
const AT_A_TIME = 20;
const PAUSE = 1000; // milliseconds until the server is asked again

function list(facts, verdicts) {
  const shown = make("ul", { class: "facts" });
  const more = make("button", { type: "button", onclick: showMore }, "Show more");
  function showMore() {
    const first = shown.children.length;
    shown.append(...facts.slice(first, first + AT_A_TIME).map((fact) => factLine(fact, verdicts)));
    more.hidden = shown.children.length >= facts.length;
    if (first) shown.children[first].querySelector("button:not([hidden])").focus(); // not lost with the button
  }
  showMore();
  return facts.length ? [shown, more] : [make("p", {}, "There is no fact left to find.")];
}

async function follow(box, bar, share) {
  for (;;) {
    const found = await post("/api/discover", { k: MOST });
    if (Array.isArray(found)) return box.replaceChildren(...list(found, byFact(await everyDecision())));
    bar.value = found.done;
    share.textContent = `${Math.floor(100 * found.done)}\u00a0%`;
    await new Promise((ready) => { setTimeout(ready, PAUSE); });
    if (!box.isConnected) return null; // another view was opened
  }
}

export function bestFacts() {
  const bar = make("progress", { max: 1, value: 0, "aria-label": "Share of the graph that was looked through" });
  const share = make("span", { class: "number" }, "0\u00a0%");
  const box = make("div", {}, make("div", { class: "bar" }, make("span", {}, "Looking through the whole graph…"), bar, share));
  follow(box, bar, share).catch((error) => box.replaceChildren(make("p", {}, error.message)));
  return box;
}
