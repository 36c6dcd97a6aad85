// A line plot of what happened in each epoch.

import { draw } from "./dom.js";

export function plot(title, points) {
  const [width, height, left, bottom] = [560, 260, 72, 36];
  const [xs, ys] = [points.map((point) => point[0]), points.map((point) => point[1])];
  const [x0, x1] = [Math.min(...xs), Math.max(...xs)];
  const [y0, y1] = [Math.min(...ys), Math.max(...ys)];
  const x = (value) => left + ((value - x0) / (x1 - x0 || 1)) * (width - left - 16);
  const y = (value) => height - bottom - ((value - y0) / (y1 - y0 || 1)) * (height - bottom - 36);
  const round = (value) => Number(value.toPrecision(3)).toString();
  const path = points.map(([a, b], i) => `${i ? "L" : "M"}${x(a).toFixed(1)} ${y(b).toFixed(1)}`).join("");
  return draw(
    "svg", { class: "drawn", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `${title}: from ${round(ys[0])} to ${round(ys.at(-1))}` },
    draw("text", { x: left, y: 20, "font-weight": "bold" }, title),
    draw("line", { class: "axis", x1: left, y1: height - bottom, x2: width - 16, y2: height - bottom }),
    draw("line", { class: "axis", x1: left, y1: 36, x2: left, y2: height - bottom }),
    draw("text", { x: left - 6, y: y(y0) + 4, "text-anchor": "end" }, round(y0)),
    draw("text", { x: left - 6, y: y(y1) + 4, "text-anchor": "end" }, round(y1)),
    draw("text", { x: left, y: height - 10 }, round(x0)),
    draw("text", { x: width - 16, y: height - 10, "text-anchor": "end" }, `epoch ${round(x1)}`),
    draw("path", { class: "curve", d: path }),
  );
}
