// How often the run's probabilities came true on the test split.

import { draw, make } from "./dom.js";

const OF = { test: "Answers", facts: "Facts by themselves", uncalibrated: "Answers, the model's own probabilities" };
const [SIZE, EDGE] = [260, 44];

const place = (share) => EDGE + share * (SIZE - EDGE - 16);
const x = (share) => place(share).toFixed(1);
const y = (share) => (SIZE - place(share)).toFixed(1);

function diagram(title, found) {
  const points = found.bins.map((bin) => [bin.probability, bin.true]);
  const path = points.map(([said, came], i) => `${i ? "L" : "M"}${x(said)} ${y(came)}`).join("");
  const words = `${title}: calibration error ${found.ece.toFixed(3)}, Brier score ${found.brier.toFixed(3)}`;
  return make("figure", {},
    draw("svg", { class: "drawn", viewBox: `0 0 ${SIZE} ${SIZE}`, role: "img", "aria-label": words },
      draw("line", { class: "axis", x1: x(0), y1: y(0), x2: x(1), y2: y(0) }),
      draw("line", { class: "axis", x1: x(0), y1: y(0), x2: x(0), y2: y(1) }),
      draw("line", { class: "axis", x1: x(0), y1: y(0), x2: x(1), y2: y(1), "stroke-dasharray": "4 4" }),
      draw("text", { x: x(0.5), y: SIZE - 12, "text-anchor": "middle" }, "said"),
      draw("text", { x: 14, y: y(0.5), "text-anchor": "middle", transform: `rotate(-90 14 ${y(0.5)})` }, "came true"),
      draw("path", { class: "curve", d: path }),
      ...points.map(([said, came]) => draw("circle", { class: "node", cx: x(said), cy: y(came), r: 4 }))),
    make("figcaption", {}, `${words}, ${found.predictions.toLocaleString("en")} predictions`));
}

export function reliability(measured) {
  if (!measured) return [];
  const parts = Object.entries(OF).filter(([name]) => measured[name]?.bins.length);
  return [
    make("h2", {}, "Probabilities on the test split"),
    make("p", { class: "soft" }, "On the dashed line, of ten predictions said to be 80 % probable eight came true."),
    make("div", { class: "plots" }, ...parts.map(([name, title]) => diagram(title, measured[name]))),
  ];
}
