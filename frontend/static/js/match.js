// The table of a match. The server draws it for the moves chosen so far; this module keeps that choice, asks for the
// table again after each choice, sends the turn when it is confirmed, and looks again when somebody else has moved.
// It knows no rule: what can be chosen is what the server's picture offers.

import { Board } from "./match-board.js";
import { announce, replaceParts, revealOpened, setTitle } from "./match-parts.js";
import { zoomable } from "./match-zoom.js";

const HEADERS = { "HX-Request": "true" };
const LOOK_AGAIN = 60_000; // a message of the live line may be lost

const table = /** @type {HTMLElement} */ (document.querySelector("[data-table]"));
const area = /** @type {HTMLElement | null} */ (table.querySelector(".board-area"));
const zoom = area && zoomable(area);
const board =
  area && zoom
    ? new Board(/** @type {HTMLElement} */ (area.querySelector("[data-canvas]")), zoom, {
        choose: (move, element, byKey) => choose(move, byKey, element),
        undo,
        zoomed: () => {
          zoomedByTap = true;
          announce(table.dataset.zoomed);
        },
      })
    : null;

/** @type {Map<string, string>} what is offered where one place stands for several moves */
const switches = new Map();
area?.classList.add("by-nearness");
let zoomedByTap = false; // the board was made larger for this turn only
let busy = false;
let stale = false; // something changed while we were busy

/** @returns {any[]} the moves chosen so far, as the server has taken them */
const chosen = () => JSON.parse(table.dataset.moves || "[]");

const query = (moves) =>
  moves.length ? `?${new URLSearchParams({ decision: table.dataset.decision ?? "", moves: JSON.stringify(moves) })}` : "";

/**
 * Asks the server for the table and shows it.
 * @param {string} address
 * @param {RequestInit} [options]
 * @returns {Promise<Response | null>} null when the server cannot be reached; the page is as before then
 */
async function load(address, options = {}) {
  busy = true;
  table.setAttribute("aria-busy", "true");
  try {
    const answer = await fetch(address, { ...options, headers: HEADERS, credentials: "same-origin" });
    const html = await answer.text();
    const before = Number(table.dataset.version);
    const status = table.dataset.status;
    if (!replaceParts(table, html)) {
      complain(table.dataset.broken);
    } else if (status === "open" && table.dataset.status !== "open") {
      location.reload();
    } else {
      shown(Number(table.dataset.version) > before);
    }
    return answer;
  } catch {
    complain(table.dataset.unreachable);
    return null;
  } finally {
    busy = false;
    table.removeAttribute("aria-busy");
    if (stale) {
      stale = false;
      look();
    }
  }
}

/** After the table was drawn anew. @param {boolean} news whether somebody has moved since */
function shown(news) {
  turnSwitch();
  board?.refresh();
  setTitle(table.dataset.title ?? document.title);
  const happened = news ? `${table.querySelector(".log-text > span")?.textContent?.trim()}. ` : "";
  announce(table.querySelector("[role=alert]")?.textContent || happened + (table.dataset.said ?? ""));
  history.replaceState(history.state, "", table.dataset.page + query(chosen()));
  if (news) {
    const last = table.querySelector("svg.board path.last");
    last?.setAttribute("pathLength", "1");
    last?.closest("svg")?.classList.add("news");
  }
  enhance();
  document.body.dispatchEvent(new CustomEvent("branchline:table"));
}

/** Shows why something could not be done, without losing anything. */
function complain(text) {
  const line = document.createElement("p");
  line.className = "message error";
  line.setAttribute("role", "alert");
  line.dataset.passing = "";
  line.textContent = text ?? "";
  const news = table.querySelector('[data-part="news"]');
  news?.querySelector("[role=alert]")?.remove();
  news?.prepend(line);
}

/**
 * Shows the table with other chosen moves.
 * @param {any[]} moves
 * @param {boolean} byKey whether the focus should follow
 */
async function begin(moves, byKey) {
  if (busy) return;
  await load(table.dataset.url + query(moves));
  follow(byKey);
}

/** Puts the focus where the next thing is done. A finger or a mouse needs it only for the end of the turn. */
function follow(byKey) {
  const confirm = /** @type {HTMLElement | null} */ (table.querySelector("[data-confirm]"));
  if (confirm) confirm.focus({ preventScroll: true });
  else if (byKey && !board?.focus()) /** @type {HTMLElement | null} */ (table.querySelector("#asked"))?.focus();
}

/** @param {any} move @param {boolean} byKey @param {Element} [element] */
function choose(move, byKey, element) {
  if (busy) return;
  element?.classList.add("pressed");
  begin([...chosen(), move], byKey).then(() => element?.classList.remove("pressed"));
}

function undo(byKey = true) {
  const moves = chosen();
  if (moves.length) begin(moves.slice(0, -1), byKey);
}

async function confirmTurn(form) {
  if (busy) return;
  const answer = await load(form.action, { method: "POST", body: new FormData(form) });
  if (!answer?.ok) return;
  if (zoomedByTap) zoom?.whole();
  zoomedByTap = false;
  /** @type {HTMLElement | null} */ (table.querySelector("#asked"))?.focus({ preventScroll: true });
}

/** Looks whether the match has changed. */
async function look() {
  if (busy) {
    stale = true;
    return;
  }
  try {
    const answer = await fetch(table.dataset.markUrl ?? "", { headers: { Accept: "application/json" } });
    const { mark } = await answer.json();
    if (mark !== table.dataset.mark) await update();
  } catch {
    // The next message, or the next look, will tell.
  }
}

/** Draws the table again, with the chosen moves where they still belong to the turn. */
async function update() {
  if (busy) {
    stale = true;
    return;
  }
  const active = document.activeElement;
  const onBoard = active instanceof SVGElement && table.contains(active);
  const id = active instanceof HTMLElement && table.contains(active) ? active.id : "";
  // What the server has told stays until the person does something, also when somebody else moves at once.
  const told = table.querySelector("[role=alert]:not([data-passing])");
  await load(table.dataset.url + query(chosen()));
  if (told && !table.querySelector("[role=alert]")) table.querySelector('[data-part="news"]')?.prepend(told);
  if (onBoard) board?.focus();
  else if (id && document.activeElement === document.body) document.getElementById(id)?.focus({ preventScroll: true });
}

/** Offers on the board what its switch says; without a switch, everything. */
function turnSwitch() {
  const box = /** @type {HTMLElement | null} */ (table.querySelector("[data-switch]"));
  const buttons = /** @type {HTMLInputElement[]} */ ([...(box?.querySelectorAll("input") ?? [])]);
  const name = box?.dataset.switch ?? "";
  if (box) box.hidden = false;
  if (!buttons.some(({ value }) => value === switches.get(name))) switches.set(name, buttons[0]?.value ?? "");
  for (const button of buttons) button.checked = button.value === switches.get(name);
  for (const shape of /** @type {NodeListOf<SVGElement>} */ (area?.querySelectorAll("[data-offer]") ?? [])) {
    shape.classList.toggle("not-offered", box !== null && shape.dataset.offer !== switches.get(name));
  }
}

/** What the server could not know: which news have been put away, and that there is a script. */
function enhance() {
  const scored = /** @type {HTMLElement | null} */ (table.querySelector("[data-scored]"));
  if (scored) {
    const name = `put-away:${scored.dataset.scored}`;
    const button = /** @type {HTMLElement | null} */ (scored.querySelector("[data-dismiss]"));
    if (button) button.hidden = false;
    scored.hidden = sessionStorage.getItem(name) !== null;
    button?.addEventListener("click", () => {
      sessionStorage.setItem(name, "yes");
      scored.hidden = true;
      /** @type {HTMLElement | null} */ (table.querySelector("#asked"))?.focus({ preventScroll: true });
    });
  }
  const keys = /** @type {HTMLElement | null} */ (table.querySelector("[data-keys]"));
  if (keys) keys.hidden = !board?.targets.length;
}

table.addEventListener("click", (event) => {
  // The second half of a double click on what stood there before must not send the turn.
  if (event.detail > 1 && /** @type {Element} */ (event.target).closest("[data-confirm]")) event.preventDefault();
  const link = /** @type {Element} */ (event.target).closest("[data-undo], [data-choose]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const byKey = event.detail === 0;
  if (link.hasAttribute("data-undo")) undo(byKey);
  else choose(JSON.parse(link.getAttribute("data-choose") ?? "null"), byKey);
});

table.addEventListener("change", (event) => {
  const button = /** @type {HTMLInputElement} */ (event.target);
  if (!button.closest("[data-switch]")) return;
  switches.set(button.name, button.value);
  turnSwitch();
  board?.refresh();
});

revealOpened(table);

table.addEventListener("submit", (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  if (form.matches("[data-turn]")) {
    event.preventDefault();
    if (form.querySelector("[data-confirm]")) confirmTurn(form);
  } else if (form.matches("[data-list]")) {
    event.preventDefault();
    choose(JSON.parse(String(new FormData(form).get("add"))), true);
  }
});

document.addEventListener("keydown", (event) => {
  const target = /** @type {Element} */ (event.target);
  // Enter held down on a line must not run on into the confirmation.
  if (event.repeat && event.key === "Enter" && target.closest("[data-confirm]")) event.preventDefault();
  if (event.key === "Escape" && !event.defaultPrevented && !target.closest("details[data-menu], input, select")) undo();
});

document.body.addEventListener("branchline:match", (event) => {
  const { match, version } = /** @type {CustomEvent} */ (event).detail;
  if (match !== table.dataset.key) return;
  if (table.dataset.status === "open" || version > Number(table.dataset.version)) update();
  else look(); // a pause or a vacation is no turn
});
document.body.addEventListener("branchline:board", () => board?.refresh());
document.body.addEventListener("branchline:poll", look);
setInterval(() => {
  if (!document.hidden && ["open", "running"].includes(table.dataset.status ?? "")) look();
}, LOOK_AGAIN);
addEventListener("online", look);
addEventListener("pageshow", (event) => {
  if (event.persisted) update();
});

turnSwitch();
board?.refresh();
enhance();
look(); // the live line may have spoken before this module could listen
