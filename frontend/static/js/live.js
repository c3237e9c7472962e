// The live line: a socket that says thin things ("a match changed", "two turns wait for you"). What changed is then
// read from the page's own address. While the socket is down the page asks every half minute instead.
//
// Events on document.body, for pages and for htmx:
//   branchline:count {waiting}          turns that wait for me; not sent when nothing can have changed
//   branchline:match {match, version}   a match that the page watches
//   branchline:chat {match, message}    something was said or seen at a table where I sit
//   branchline:notice {match, text, url}  something that I am to know, wherever I am
//   branchline:poll                     the socket is down: look for yourself
// and from the page of a match:
//   branchline:table                    the table was drawn anew
// A page watches a match by watch(key), or by an element with data-watch="key". The page of a match also says, while it
// is before somebody's eyes, that they are looking: then nobody needs to remind them of it.

const POLL = 30_000;
const LONGEST_WAIT = 30_000;
const SETTLED = 500;
const LOOKS = 25_000;

const body = document.body;
const signedIn = body.hasAttribute("data-live");
const watched = new Set();
let total = Number(document.querySelector("[data-waiting-count]")?.textContent ?? 0) + waitingHere();
let socket = null;
let failures = 0;
let retry = 0;
let firstCount = true;

function tell(name, detail = {}) {
  body.dispatchEvent(new CustomEvent(`branchline:${name}`, { detail, bubbles: true }));
}

/** The turn that waits on this very page: the button that leads to waiting turns does not count it. */
function waitingHere() {
  return document.querySelector("[data-watch].is-my-turn") ? 1 : 0;
}

function showCount(waiting) {
  total = waiting;
  const elsewhere = Math.max(0, waiting - waitingHere());
  for (const number of document.querySelectorAll("[data-waiting-count]")) number.textContent = String(elsewhere);
  for (const link of document.querySelectorAll("[data-next-turn]")) link.hidden = elsewhere === 0;
  const title = document.title.replace(/^\(\d+\) /, "");
  document.title = waiting ? `(${waiting}) ${title}` : title;
}

function receive(message) {
  if (message.kind === "count") {
    const news = !firstCount || message.waiting !== total;
    firstCount = false;
    showCount(message.waiting);
    if (news) tell("count", { waiting: message.waiting });
  } else if (message.kind === "match") {
    tell("match", { match: message.match, version: message.version });
  } else if (message.kind === "chat" || message.kind === "notice") {
    tell(message.kind, message);
  }
}

/** Says that the person has this page's match before their eyes. */
function look() {
  const key = /** @type {HTMLElement | null} */ (document.querySelector("#table[data-key]"))?.dataset.key;
  if (!signedIn || !key || document.visibilityState !== "visible" || !document.hasFocus()) return;
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ looking: key }));
}

function connect() {
  clearTimeout(retry);
  if (socket) return;
  const line = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws/`);
  socket = line;
  firstCount = true;
  line.onopen = () => {
    failures = 0;
    for (const key of watched) line.send(JSON.stringify({ watch: key }));
    look();
  };
  line.onmessage = (event) => receive(JSON.parse(event.data));
  line.onclose = () => {
    socket = null;
    const wait = Math.min(LONGEST_WAIT, 1000 * 2 ** failures) * (0.75 + Math.random() / 2);
    failures += 1;
    retry = setTimeout(connect, wait);
  };
}

/** Follow a match: `branchline:match` tells when it changes, and once at the start. */
export function watch(key) {
  if (watched.has(key)) return;
  watched.add(key);
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ watch: key }));
  else connect();
}

function watchMarked() {
  for (const mark of document.querySelectorAll("[data-watch]")) watch(mark.dataset.watch);
}

async function poll() {
  if (socket?.readyState === WebSocket.OPEN || document.hidden) return;
  if (signedIn) {
    const answer = await fetch(body.dataset.countUrl, { headers: { Accept: "application/json" } }).catch(() => null);
    if (!answer?.ok) return;
    showCount((await answer.json()).waiting);
  }
  tell("poll");
}

if (signedIn) {
  showCount(total);
  connect();
  // The new count comes by the socket at about the same time as the table.
  body.addEventListener("branchline:table", () => setTimeout(() => showCount(total), SETTLED));
}
watchMarked();
body.addEventListener("htmx:afterSettle", () => {
  watchMarked();
  showCount(total);
});
setInterval(poll, POLL);
setInterval(look, LOOKS);
addEventListener("focus", look);
addEventListener("pagehide", () => {
  clearTimeout(retry);
  if (socket) {
    socket.onclose = null;
    socket.close();
    socket = null;
  }
});
addEventListener("pageshow", (event) => {
  if (event.persisted && (signedIn || watched.size)) connect();
});
document.addEventListener("visibilitychange", () => {
  look();
  if (!document.hidden && !socket && (signedIn || watched.size)) connect();
});
