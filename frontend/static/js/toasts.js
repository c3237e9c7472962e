// Calm messages at the edge of any page: something has happened in a match that is not looked at. They go by themselves,
// stay while they are looked at or touched, and lead to the match.

const STAYS = 8000;
const MOST = 3;

const place = /** @type {HTMLElement | null} */ (document.querySelector("[data-toasts]"));

/** @param {HTMLElement} toast */
function goes(toast) {
  let timer = 0;
  const start = () => {
    clearTimeout(timer);
    timer = setTimeout(() => toast.remove(), STAYS);
  };
  const stop = () => clearTimeout(timer);
  for (const name of ["pointerenter", "focusin"]) toast.addEventListener(name, stop);
  for (const name of ["pointerleave", "focusout"]) toast.addEventListener(name, start);
  start();
}

/**
 * @param {{text: string, url: string, match: string}} notice what happened, and where
 */
function show({ text, url, match }) {
  if (!place || !text) return;
  if (match && document.querySelector(`[data-watch="${CSS.escape(match)}"]`) && !document.hidden) return;
  // The latest word about a match is enough.
  place.querySelector(`[data-match="${CSS.escape(match)}"]`)?.remove();
  const toast = document.createElement("div");
  toast.className = "toast";
  toast.dataset.match = match;
  const link = document.createElement(url ? "a" : "span");
  link.textContent = text;
  if (link instanceof HTMLAnchorElement) link.href = url;
  const close = document.createElement("button");
  close.type = "button";
  close.className = "toast-close";
  close.setAttribute("aria-label", place.dataset.dismiss ?? "");
  close.textContent = "×";
  close.addEventListener("click", () => toast.remove());
  toast.append(link, close);
  place.append(toast);
  while (place.children.length > MOST) place.firstElementChild?.remove();
  goes(toast);
}

document.body.addEventListener("branchline:notice", (event) => show(/** @type {CustomEvent} */ (event).detail));
