// One predicted fact: how probable, why, and what was decided about it.

import { post } from "./api.js";
import { entityLink, make, percent, say } from "./dom.js";
import { reasons } from "./why.js";

const key = (fact) => JSON.stringify([fact.subject, fact.relation, fact.object]);
const names = ({ subject, relation, object }) => ({ subject, relation, object });

export const byFact = (decisions) => new Map(decisions.map((one) => [key(one), one.verdict]));

// `asked` names the part that the line is about: the other entity is shown alone, or the whole fact.
export function factLine(fact, verdicts, asked = null) {
  const label = (part) => fact.labels?.[part] ?? fact[part];
  const name = asked
    ? [entityLink(fact[asked], label(asked))]
    : [entityLink(fact.subject, label("subject")), ` ${label("relation")} `, entityLink(fact.object, label("object"))];
  const words = `${label("subject")} ${label("relation")} ${label("object")}`;
  const verdict = make("span", { class: "verdict" });
  const line = make("li", { class: "fact", "data-fact": words });
  const button = (text, act) => make("button", { type: "button", "aria-label": `${text}: ${words}`, onclick: act }, text);
  const accept = button("Accept", () => decide("accepted"));
  const reject = button("Reject", () => decide("rejected"));
  const undo = button("Undo", () => takeBack());
  const why = button("Why", explain);
  why.setAttribute("aria-expanded", "false");

  function mark(decided) {
    line.dataset.verdict = decided ?? "";
    verdict.textContent = decided ?? "";
    accept.hidden = reject.hidden = Boolean(decided);
    undo.hidden = !decided;
  }
  let waiting = false;
  async function send(path, body, decided) {
    if (waiting) return;
    let next = document.activeElement;
    const wait = (now) => { waiting = accept.disabled = reject.disabled = undo.disabled = now; };
    wait(true);
    try {
      await post(path, body);
      mark(decided);
      next = decided ? undo : accept;
      say(`${decided ?? "undone"}: ${words}`);
    } catch (error) { say(error.message); }
    wait(false);
    next?.focus();
  }
  const decide = (wanted) => send("/api/decisions", { ...names(fact), verdict: wanted }, wanted);
  const takeBack = () => send("/api/decisions/undo", names(fact), null);
  async function explain() {
    const shown = line.querySelector(".why");
    why.setAttribute("aria-expanded", String(!shown));
    if (shown) return shown.remove();
    const box = make("div", { class: "why" }, "…");
    line.append(box);
    try {
      box.replaceChildren(...reasons(await post("/api/explain", { ...names(fact), k: 4 })));
    } catch (error) { box.textContent = error.message; }
  }

  const chance = fact.probability;
  line.append(make(
    "div", { class: "top" },
    make("span", { class: "name" }, ...name),
    chance === undefined || chance === null ? null : make("meter", { min: 0, max: 1, value: chance, "aria-label": `probability ${percent(chance)}` }),
    chance === undefined || chance === null ? null : make("span", { class: "number" }, percent(chance)),
    make("span", { class: "actions" }, verdict, accept, reject, undo, why),
  ));
  line.addEventListener("keydown", (event) => {
    if (event.repeat || event.ctrlKey || event.altKey || event.metaKey) return;
    const decided = Boolean(line.dataset.verdict);
    if (event.key === "a" && !decided) decide("accepted");
    else if (event.key === "r" && !decided) decide("rejected");
    else if (event.key === "u" && decided) takeBack();
    else if (event.key === "w") explain();
  });
  mark(verdicts.get(key(fact)));
  return line;
}
