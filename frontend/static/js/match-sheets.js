// On a phone, what lies below the board slides up over it as a sheet: the part itself, which goes back to its place when
// the sheet is closed. Without this module, and on a wide screen, the same links lead to the part on the page.

const table = /** @type {HTMLElement} */ (document.querySelector("#table"));
const sheet = /** @type {HTMLDialogElement} */ (table.querySelector("[data-sheet]"));
const content = /** @type {HTMLElement} */ (sheet.querySelector("[data-sheet-content]"));
const narrow = matchMedia("(max-width: 59.99rem)");

/** @type {{part: HTMLElement, mark: Comment, link: HTMLElement} | null} the part that is up, and where it belongs */
let up = null;

/** @param {HTMLElement} link */
function open(link) {
  const part = document.getElementById(link.dataset.sheetOf ?? "");
  if (!part || up) return;
  const mark = document.createComment("");
  part.replaceWith(mark);
  content.replaceChildren(part);
  up = { part, mark, link };
  sheet.setAttribute("aria-label", link.firstChild?.textContent?.trim() ?? "");
  sheet.showModal();
  part.dispatchEvent(new CustomEvent("branchline:up", { bubbles: true }));
}

sheet.addEventListener("close", () => {
  if (!up) return;
  up.mark.replaceWith(up.part);
  up.link.focus({ preventScroll: true });
  up = null;
});

/** @type {HTMLElement} */ (table.querySelector("[data-ways]")).addEventListener("click", (event) => {
  const link = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest("[data-sheet-of]"));
  if (!link || !narrow.matches || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  open(link);
});

sheet.addEventListener("click", (event) => {
  const target = /** @type {Element} */ (event.target);
  // A press beside the sheet is one on the dialog itself; a link of the sheet may lead on.
  if (target === sheet || target.closest("[data-sheet-close]")) sheet.close();
});
narrow.addEventListener("change", () => sheet.close());
