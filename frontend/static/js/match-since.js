// "Since your last turn": shows the moments of the strip on the board in place, one after the other, and leads back to
// the table as it is now with all that has been chosen. Without it the strip's links lead to the moments' own pages.
//
// The strip never pushes the board away under somebody's eyes: what one has watched happening is no news. It comes with
// the page, or with what happened while the page was out of sight.

import { announce } from "./match-parts.js";

const SETTLED = 3000; // milliseconds after which somebody who came back has got all that had happened meanwhile
const KEYS = { ArrowLeft: -1, ArrowRight: 1 };

const table = /** @type {HTMLElement} */ (document.querySelector("#table"));
const strip = /** @type {HTMLElement} */ (table.querySelector('[data-part="since"]'));
const ask = /** @type {HTMLElement} */ (table.querySelector('[data-part="ask"]'));
const canvas = /** @type {HTMLElement} */ (table.querySelector('[data-part="board"]'));
const still = matchMedia("(prefers-reduced-motion: reduce)");

/** @type {Map<string, Document>} the moments that have been fetched, by their number */
const moments = new Map();
/** @type {{board: Node[], ask: Node[]} | null} what is kept of the table as it is now, while a moment is shown */
let now = null;
let shown = ""; // the number of the moment that is shown
let wanted = ""; // the one to be shown, while it is on its way
let away = document.hidden;
let place = 0; // how far the strip has been scrolled
let height = strip.offsetHeight; // of the strip, before the table is drawn anew

const entries = () => /** @type {HTMLAnchorElement[]} */ ([...strip.querySelectorAll("[data-since-turn]")]);
const list = () => /** @type {HTMLElement | null} */ (strip.querySelector("[data-since-turns]"));

/** @param {string} number @returns {Promise<Document | null>} */
async function fetched(number) {
  const link = document.getElementById(`since-${number}`);
  if (!(link instanceof HTMLAnchorElement)) return null;
  try {
    const answer = await fetch(link.href, { headers: { "HX-Request": "true" } });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (!page.querySelector('[data-part="board"] svg')) throw new Error("no moment");
    moments.set(number, page);
    return page;
  } catch {
    location.assign(link.href);
    return null;
  }
}

/** Puts copies of a part of a moment where the table's own was. */
function put(where, page, name) {
  const part = page.querySelector(`[data-part="${name}"]`);
  where.replaceChildren(...[...(part?.childNodes ?? [])].map((node) => document.importNode(node, true)));
}

/** Shows the board after a turn. @param {string} number @param {boolean} [again] it was there before */
async function show(number, again = false) {
  wanted = number;
  const page = moments.get(number) ?? (await fetched(number));
  // The table must not be changed while it is on its way to the server, and only the last wish counts.
  if (!page || wanted !== number || (table.hasAttribute("aria-busy") && !again)) return;
  now ??= { board: [...canvas.childNodes], ask: [...ask.childNodes] };
  shown = number;
  put(canvas, page, "board");
  const words = document.createElement("div");
  words.className = "ask-words";
  put(words, page, "caption");
  const controls = /** @type {HTMLTemplateElement | null} */ (strip.querySelector("[data-since-controls]"));
  ask.replaceChildren(words, ...(controls ? [document.importNode(controls.content, true)] : []));
  ask.querySelector('[data-step="-1"]')?.setAttribute("aria-disabled", String(at() === 0));
  table.classList.add("in-past");
  mark();
  document.body.dispatchEvent(new CustomEvent("branchline:board"));
  if (again) return;
  canvas.querySelector("path.last")?.setAttribute("pathLength", "1");
  canvas.querySelector("svg")?.classList.add("news");
  announce(/** @type {HTMLElement | null} */ (page.querySelector("[data-moment]"))?.dataset.said);
}

/** Back to the table as it is. @param {boolean} byHand whether somebody asked for it */
function backToNow(byHand) {
  wanted = shown = "";
  if (!now) return;
  canvas.replaceChildren(...now.board);
  ask.replaceChildren(...now.ask);
  now = null;
  table.classList.remove("in-past");
  mark();
  document.body.dispatchEvent(new CustomEvent("branchline:board"));
  if (!byHand) return;
  /** @type {HTMLElement | null} */ (table.querySelector("#asked"))?.focus({ preventScroll: true });
  announce(table.dataset.said);
}

/** Which entry of the strip is shown; -1: none. */
function at() {
  return entries().findIndex((entry) => entry.dataset.sinceTurn === shown);
}

/** Marks the entry that is shown, and brings it into sight. */
function mark() {
  for (const entry of entries()) {
    if (entry.dataset.sinceTurn === shown) entry.setAttribute("aria-current", "step");
    else entry.removeAttribute("aria-current");
  }
  const current = strip.querySelector("[aria-current]");
  const row = list();
  if (!current || !row) return;
  const middle = current.getBoundingClientRect().left - row.getBoundingClientRect().left + row.scrollLeft;
  row.scrollTo({ left: middle - (row.clientWidth - current.clientWidth) / 2, behavior: still.matches ? "auto" : "smooth" });
}

/** One on or one back from what is shown; on from the last one is now. @param {number} by */
async function step(by) {
  const turns = entries();
  const next = at() + by;
  if (next < 0) return;
  if (next >= turns.length) backToNow(true);
  else await show(turns[next].dataset.sinceTurn ?? "");
}

strip.addEventListener("click", async (event) => {
  const link = /** @type {Element} */ (event.target).closest("[data-since-turn], [data-since-walk]");
  if (!(link instanceof HTMLAnchorElement) || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  await show(link.dataset.sinceTurn ?? entries()[0]?.dataset.sinceTurn ?? "");
  if (link.hasAttribute("data-since-walk")) document.getElementById("since-next")?.focus({ preventScroll: true });
});

ask.addEventListener("click", async (event) => {
  const button = /** @type {Element} */ (event.target).closest("[data-step]");
  if (!(button instanceof HTMLButtonElement)) return;
  const { id } = button;
  if (button.dataset.step === "now") return backToNow(true);
  await step(Number(button.dataset.step));
  if (now) document.getElementById(id)?.focus({ preventScroll: true });
});

// Before the table's own keys: while the past is shown, Escape leads back from it and takes no choice back.
document.addEventListener(
  "keydown",
  async (event) => {
    if (!now || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    if (/** @type {Element} */ (event.target).closest("input, select, textarea, .log-scroll, .chat-scroll")) return;
    if (event.key === "Escape") {
      event.preventDefault();
      backToNow(true);
    } else if (event.key in KEYS) {
      event.preventDefault();
      const id = document.activeElement?.id ?? "";
      const inside = ask.contains(document.activeElement);
      await step(KEYS[/** @type {keyof typeof KEYS} */ (event.key)]);
      if (now && inside) document.getElementById(id)?.focus({ preventScroll: true });
    }
  },
  { capture: true },
);

/** The reader's turn in words: the latest line of the log, since nothing has happened after it. */
function sent() {
  const line = document.createElement("p");
  const done = document.createElement("b");
  line.className = "since-sent";
  done.textContent = strip.dataset.sent ?? "";
  line.append(done, ` ${table.querySelector(".log-text > span")?.textContent?.trim() ?? ""}`);
  return line;
}

/** After the table was drawn anew: the strip with it, and the board and what is asked as they are now. */
function renewed() {
  if (!strip.querySelector("[data-since]")) {
    // Its place stays, so that the board does not jump when one's turn is sent, and says what has been sent.
    if (height) {
      strip.style.minHeight = `${height}px`;
      strip.replaceChildren(sent());
    }
    strip.classList.toggle("kept", height > 0);
  } else if (!height && !away && !document.hidden) {
    strip.hidden = true;
  } else {
    strip.hidden = false;
  }
  height = strip.offsetHeight;
  away = document.hidden;
  list()?.scrollTo({ left: place });
  if (!now) return;
  const number = shown;
  now = null;
  if (document.getElementById(`since-${number}`) && moments.has(number)) show(number, true);
  else backToThePresent();
}

/** What was shown is gone: the server has drawn the present over it. */
function backToThePresent() {
  wanted = shown = "";
  table.classList.remove("in-past");
}

document.body.addEventListener("branchline:table", renewed);
strip.addEventListener("scroll", () => (place = list()?.scrollLeft ?? 0), { capture: true, passive: true });
document.addEventListener("visibilitychange", () => {
  if (document.hidden) away = true;
  else setTimeout(() => (away = document.hidden), SETTLED);
});
addEventListener("pageshow", (event) => {
  if (event.persisted) away = true;
});
