// The neighbourhood of an entity: known facts as lines, probable ones dashed.

import { draw } from "./dom.js";

const KNOWN = 10;
const NEW = 4;
const short = (text) => (text.length > 18 ? `${text.slice(0, 17)}…` : text);

// One neighbour of each relation in turn, so that a long list does not crowd out the others.
function inTurn(groups, most) {
  const taken = [];
  for (let i = 0; taken.length < most && groups.some((group) => group.length > i); i += 1) {
    taken.push(...groups.filter((group) => group.length > i).map((group) => group[i]));
  }
  return taken.slice(0, most);
}

export function picture(entity) {
  const known = inTurn(entity.known.map((group) => group.entities.map((one) => ({
    ...one, by: group.label ?? group.relation, new: false,
  }))), KNOWN);
  const missing = inTurn(entity.missing.map((group) => group.predictions.map((fact) => {
    const part = group.role === "subject" ? "object" : "subject";
    return { name: fact[part], label: fact.labels?.[part], by: group.label ?? group.relation, new: true };
  })), NEW);
  const around = [...known, ...missing];
  const [width, height] = [560, 420];
  const place = (i) => {
    const angle = (2 * Math.PI * i) / around.length - Math.PI / 2;
    return [width / 2 + 125 * Math.cos(angle), height / 2 + 165 * Math.sin(angle)];
  };
  const parts = [];
  around.forEach((one, i) => {
    const [x, y] = place(i);
    parts.push(draw("line", { class: one.new ? "edge new" : "edge", x1: width / 2, y1: height / 2, x2: x, y2: y }));
  });
  around.forEach((one, i) => {
    const [x, y] = place(i);
    const side = x > width / 2 + 20 ? "start" : x < width / 2 - 20 ? "end" : "middle";
    const shift = side === "start" ? 10 : side === "end" ? -10 : 0;
    const below = side === "middle" ? (y > height / 2 ? 24 : -12) : 4;
    parts.push(draw(
      "a", { href: `#/entity/${encodeURIComponent(one.name)}`, "aria-label": `${one.by}: ${one.label ?? one.name}` },
      draw("title", {}, `${one.by}: ${one.label ?? one.name}${one.new ? " (probable)" : ""}`),
      draw("circle", { class: "node", cx: x, cy: y, r: 6 }),
      draw("text", { x: x + shift, y: y + below, "text-anchor": side }, short(one.label ?? one.name)),
    ));
  });
  parts.push(draw("circle", { class: "node", cx: width / 2, cy: height / 2, r: 10 }));
  parts.push(draw("text", { x: width / 2, y: height / 2 + 30, "text-anchor": "middle", "font-weight": "bold" }, short(entity.label ?? entity.name)));
  return draw("svg", { class: "drawn", viewBox: `-40 0 ${width + 80} ${height}`, role: "group", "aria-label": "Neighbourhood: known facts as lines, probable ones dashed" }, ...parts);
}
