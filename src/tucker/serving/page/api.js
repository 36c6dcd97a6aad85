// Requests to the server; a token, where one is needed, is asked for once a session.

let dismissed = -Infinity; // when the question for a token was last left without an answer

// Requests refused together ask once: `prompt` waits, and the others find the new token or a refusal.
function hasNewToken(refused) {
  if (sessionStorage.getItem("token") !== refused) return true;
  if (performance.now() - dismissed < 1000) return false;
  const given = prompt("This server asks for a token:")?.trim();
  if (given) sessionStorage.setItem("token", given);
  else dismissed = performance.now();
  return Boolean(given);
}

async function request(path, options = {}) {
  const token = sessionStorage.getItem("token");
  const headers = { ...(options.headers ?? {}), ...(token ? { Authorization: `Bearer ${token}` } : {}) };
  const answer = await fetch(path, { ...options, headers });
  if (answer.status === 401 && hasNewToken(token)) return request(path, options);
  if (!answer.ok) {
    const problem = await answer.json().catch(() => ({}));
    throw new Error(problem.detail ?? `the server answered ${answer.status}`);
  }
  return answer;
}

export async function get(path, parameters = {}) {
  const query = new URLSearchParams(parameters).toString();
  return (await request(query ? `${path}?${query}` : path)).json();
}

// All decisions, however many: the server gives at most so many at a time.
const MOST = 10000;
export async function everyDecision(parameters = {}) {
  const all = [];
  for (let part = null; part === null || part.length === MOST;) {
    part = await get("/api/decisions", { ...parameters, limit: MOST, ...(all.length ? { before: all.at(-1).id } : {}) });
    all.push(...part);
  }
  return all;
}

export async function post(path, body) {
  const headers = { "Content-Type": "application/json" };
  return (await request(path, { method: "POST", headers, body: JSON.stringify(body) })).json();
}

export async function download(path, name) {
  const url = URL.createObjectURL(await (await request(path)).blob());
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}
