// Walking through a match: the links and the slider bring another moment into the page, and its address into the bar.

import { announce, replaceParts, revealOpened, setTitle } from "./match-parts.js";
import { zoomable } from "./match-zoom.js";

const moment = /** @type {HTMLElement} */ (document.querySelector("[data-moment]"));
const slider = /** @type {HTMLInputElement} */ (moment.querySelector("[data-slider]"));
const KEYS = { ArrowLeft: "previous", ArrowRight: "next", Home: "first", End: "last" };

revealOpened(moment);
zoomable(/** @type {HTMLElement} */ (moment.querySelector(".board-area")));
slider.hidden = false;
/** @type {HTMLElement} */ (moment.querySelector("[data-keys]")).hidden = false;

let wanted = "";
let walking = false;

/** Goes to a moment; when one goes on faster than the server draws, only the last wish counts. */
async function go(address) {
  wanted = address;
  if (walking) return;
  walking = true;
  while (wanted) {
    const next = wanted;
    wanted = "";
    try {
      const answer = await fetch(next, { headers: { "HX-Request": "true" } });
      if (!replaceParts(moment, await answer.text())) throw new Error("no moment");
    } catch {
      location.assign(next);
      return;
    }
    history.replaceState(null, "", moment.dataset.address);
    slider.value = moment.dataset.number ?? "0";
    setTitle(moment.dataset.title ?? "");
    announce(moment.dataset.said);
  }
  walking = false;
}

moment.addEventListener("click", (event) => {
  const link = /** @type {Element} */ (event.target).closest(".steps a[rel], .log-number");
  if (!(link instanceof HTMLAnchorElement) || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const { id } = link;
  go(link.href).then(() => {
    // At an end the pressed button is gone; the focus stays in the row.
    if (document.activeElement === document.body) {
      /** @type {HTMLElement | null} */ (document.getElementById(id) ?? document.getElementById("now"))?.focus();
    }
  });
});

slider.addEventListener("input", () => {
  go(new URL(`../${slider.value}/`, location.href).href);
});

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (/** @type {Element} */ (event.target).closest("input, select, textarea")) return;
  const name = KEYS[/** @type {keyof typeof KEYS} */ (event.key)];
  const link = name && document.getElementById(name);
  if (!(link instanceof HTMLAnchorElement)) return;
  event.preventDefault();
  go(link.href);
});
