// What the page shows: the best facts, an entity, discoveries, decisions, the run.

import { download, everyDecision, get, post } from "./api.js";
import { bestFacts } from "./best.js";
import { count, entityLink, make, say } from "./dom.js";
import { byFact, factLine } from "./fact.js";
import { picture } from "./picture.js";
import { plot } from "./plot.js";
import { reliability } from "./reliability.js";

// What a percentage means: docs/understand/probabilities.md and discovery.md there say more.
const ANSWER = {
  calibrated: "The percentage is the probability that the answer is right, if the question has a missing answer (calibrated).",
  own: "The percentage is the model's own and not calibrated. Run tucker calibrate to learn how often such answers are right.",
};
const FACT = {
  calibrated: "The percentage is the probability of the fact by itself (calibrated). It supposes that the graph lacks about as many facts as were held out for validation.",
  lesser: "The percentage is rather too low and not calibrated for facts by themselves. Use it to compare facts, not as a probability.",
  own: "The percentage is the model's own and not calibrated. Use it to compare facts, not as a probability.",
};
const meaning = (text) => make("p", { class: "soft" }, text);
const ofAnswers = (run) => meaning(run.calibration ? ANSWER.calibrated : ANSWER.own);
const ofFacts = (run) => meaning(run.facts_calibrated ? FACT.calibrated : run.calibration ? FACT.lesser : FACT.own);

export async function home() {
  const [run, found] = await Promise.all([get("/api/run"), get("/api/search", { limit: 40 })]);
  return [
    make("h1", {}, "What is missing?"),
    make("p", {}, `${run.graph}: ${count(run.entities)} entities, ${count(run.relations)} relations, ${count(run.facts)} known facts.`),
    make("div", { class: "columns" },
      make("section", { "aria-label": "Most probable" }, make("h2", {}, "The most probable missing facts"), ofFacts(run), bestFacts()),
      make("section", { "aria-label": "Entities" }, make("h2", {}, "Entities with many facts"),
        make("p", { class: "soft" }, "Each tells what is known of it and what is probably missing. The search finds the others."),
        make("ul", { class: "chips" }, ...found.map((one) => make("li", {}, entityLink(one.name, one.label)))))),
  ];
}

export async function entity(name) {
  const [found, run] = await Promise.all([get("/api/entity", { name, k: 4 }), get("/api/run")]); // by its name or its label
  const [decisions, near] = await Promise.all([everyDecision({ entity: found.name }), get("/api/neighbours", { name: found.name, k: 8 })]);
  const title = found.label ?? found.name;
  document.title = `${title} – Tucker`;
  const heading = (group) => {
    const relation = group.label ?? group.relation;
    return group.role === "subject" ? `${title} ${relation} …` : `… ${relation} ${title}`;
  };
  const verdicts = byFact(decisions);
  const missing = found.missing.flatMap((group) => [
    make("h3", {}, heading(group)),
    make("ul", { class: "facts" }, ...group.predictions.map((fact) => factLine(fact, verdicts, group.role === "subject" ? "object" : "subject"))),
  ]);
  const cut = found.asked < found.worth_asking
    ? make("p", { class: "soft" }, `Asked for ${found.asked} of ${found.worth_asking} relations that it has or that its like have, counted each way round.`)
    : null;
  const known = found.known.flatMap((group) => [
    make("h3", {}, heading(group)),
    make("ul", { class: "chips" }, ...group.entities.map((one) => make("li", {}, entityLink(one.name, one.label))),
      group.facts > group.entities.length ? make("li", { class: "soft" }, `and ${group.facts - group.entities.length} more`) : null),
  ]);
  return [
    make("h1", {}, title), found.label ? make("p", { class: "soft" }, found.name) : null,
    make("div", { class: "columns" },
      make("section", { "aria-label": "Probably missing" }, make("h2", {}, "Probably missing"), ofAnswers(run), cut, ...(missing.length ? missing : ["Nothing is asked of it."])),
      make("section", { "aria-label": "Known" }, picture(found),
        make("h2", {}, "Most alike"), make("ul", { class: "chips" }, ...near.map((one) => make("li", {}, entityLink(one.name, one.label)))),
        make("h2", {}, "Known"), ...known)),
  ];
}

export async function discover() {
  const [found, run] = await Promise.all([get("/api/relations"), get("/api/run")]);
  const relations = found.sort((one, other) => other.facts - one.facts);
  const choice = make("select", { id: "relation" }, ...relations.map((one) => make("option", { value: one.name }, `${one.label ?? one.name} (${one.facts})`)));
  const list = make("ul", { class: "facts" });
  const search = async () => {
    list.replaceChildren(make("li", { class: "soft" }, "Searching…"));
    try {
      const [found, decisions] = await Promise.all([post("/api/discover", { relation: choice.value, k: 50 }), everyDecision()]);
      const verdicts = byFact(decisions);
      list.replaceChildren(...found.map((fact) => factLine(fact, verdicts)));
    } catch (error) { list.replaceChildren(make("li", {}, error.message)); }
  };
  return [
    make("h1", {}, "The most probable missing facts"),
    make("div", { class: "bar" }, make("label", { for: "relation" }, "Relation"), choice, make("button", { type: "button", onclick: search }, "Find")),
    ofFacts(run),
    list,
  ];
}

const SHOWN = 200; // decisions at a time
export async function decisions() {
  const list = make("ul", { class: "facts" });
  const cut = make("p", { class: "soft" });
  const older = make("button", { type: "button", onclick: () => showMore().catch((error) => say(error.message)) }, "Show older ones");
  let last = null;
  async function showMore() {
    older.disabled = true;
    try {
      const found = await get("/api/decisions", { limit: SHOWN + 1, ...(last === null ? {} : { before: last }) });
      const kept = found.slice(0, SHOWN);
      const verdicts = byFact(kept);
      list.append(...kept.map((fact) => factLine(fact, verdicts)));
      last = kept.at(-1)?.id ?? last;
      older.hidden = cut.hidden = found.length <= SHOWN;
      cut.textContent = `These are the latest ${list.children.length}; there are older ones.`;
    } finally { older.disabled = false; }
  }
  await showMore();
  const save = (format) => make("button", {
    type: "button",
    onclick: () => download(`/api/decisions/export?format=${format}`, `accepted.${format}`).catch((error) => say(error.message)),
  }, format === "tsv" ? "Export accepted as TSV" : "Export accepted as N-Triples");
  return [
    make("h1", {}, "Decisions"),
    make("div", { class: "bar" }, save("tsv"), save("nt")),
    ...(last === null ? [make("p", {}, "Nothing has been decided yet.")] : [list, cut, older]),
  ];
}

const flat = (values, before = "") => Object.entries(values ?? {}).flatMap(([name, value]) => (
  value !== null && typeof value === "object" && !Array.isArray(value) ? flat(value, `${before}${name}.`) : [[before + name, value]]
));
const cell = (value) => (typeof value === "number" && !Number.isInteger(value) ? value.toPrecision(4) : typeof value === "string" ? value : JSON.stringify(value));
const table = (values) => make("table", {}, make("tbody", {}, ...flat(values).map(([name, value]) => make("tr", {}, make("th", { scope: "row" }, name), make("td", {}, cell(value))))));

export async function run() {
  const card = await get("/api/run");
  const series = (name) => card.journal.filter((one) => !one.beside && typeof one[name] === "number").map((one, i) => [one.epoch ?? i + 1, one[name]]);
  const names = [...new Set(card.journal.flatMap((one) => Object.keys(one)))].filter((name) => /loss|mrr/.test(name));
  return [
    make("h1", {}, `${card.config.model?.name ?? "model"} on ${card.graph}`),
    make("p", {}, `${count(card.parameters)} parameters; ${count(card.entities)} entities, ${count(card.relations)} relations, ${count(card.facts)} facts.`),
    make("p", {}, card.calibration ? `Probabilities are calibrated (${card.calibration}).` : "Probabilities are the model's own: tucker calibrate learns better ones."),
    make("div", { class: "plots" }, ...names.map(series).map((points, i) => (points.length > 1 ? plot(names[i], points) : null))),
    ...reliability(card.reliability),
    make("h2", {}, "Metrics"), table(card.metrics), make("h2", {}, "Settings"), table(card.config),
  ];
}
