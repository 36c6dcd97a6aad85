// Elements made from names and text: text is only ever text, never HTML.

const SVG = "http://www.w3.org/2000/svg";

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value !== null && value !== undefined && value !== false) node.setAttribute(name, value);
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return node;
}

export function make(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

export function draw(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

export function show(...children) {
  document.getElementById("view").replaceChildren(...children.flat().filter((child) => child !== null));
}

let ending;
export function say(text) {
  const status = document.getElementById("status");
  status.textContent = text;
  clearTimeout(ending);
  ending = setTimeout(() => { status.textContent = ""; }, 5000);
}

export const entityLink = (name, label) => make("a", { href: `#/entity/${encodeURIComponent(name)}` }, label ?? name);

export const percent = (chance) => (chance === null ? "–" : `${(100 * chance).toFixed(chance < 0.0995 ? 2 : 1)}\u00a0%`);

export const count = (number) => number.toLocaleString("en");
