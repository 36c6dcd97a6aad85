// The reasons of a fact, in words.

import { entityLink, make, percent } from "./dom.js";

export function reasons(found) {
  const label = (name) => found.labels[name] ?? name;
  const link = (name) => entityLink(name, label(name));
  const paths = found.paths.map((path) => make(
    "li", {},
    ...path.steps.flatMap((step, i) => [
      i ? "" : link(path.entities[0]),
      step.backwards ? ` ←${label(step.relation)}– ` : ` –${label(step.relation)}→ `,
      link(path.entities[i + 1]),
    ]),
    make("br"),
    make("small", {}, `Of ${path.joined} pairs joined in this way, ${path.support} (${percent(path.confidence)}) have “${label(found.relation)}”.`),
  ));
  const alike = found.facts.map((fact) => make(
    "li", {}, link(fact.subject), ` ${label(found.relation)} `, link(fact.object),
    make("small", {}, ` likeness ${fact.likeness.toFixed(2)}`),
  ));
  return [
    paths.length ? make("p", {}, "Paths between the two:") : null, paths.length ? make("ul", {}, ...paths) : null,
    alike.length ? make("p", {}, "Known facts most like it, as the model sees them:") : null, alike.length ? make("ul", {}, ...alike) : null,
    ...found.notes.map((note) => make("p", { class: "soft" }, `Note: ${note}.`)),
    paths.length || alike.length ? null : make("p", {}, "No reason was found among the known facts."),
  ].filter((part) => part !== null);
}
