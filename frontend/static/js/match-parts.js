// Puts a table that the server has drawn anew into the page, part by part, so that what has not changed stays as it is:
// its scroll position, its open sections, its focus.

/**
 * @param {HTMLElement} root the table on the page
 * @param {string} html what the server sent
 * @returns {boolean} whether that was a table; if not, nothing is changed
 */
export function replaceParts(root, html) {
  const page = new DOMParser().parseFromString(html, "text/html");
  const fresh = /** @type {HTMLElement | null} */ (page.getElementById(root.id));
  if (!fresh) return false;
  for (const part of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll("[data-part]"))) {
    const other = fresh.querySelector(`[data-part="${part.dataset.part}"]`);
    if (!other) part.replaceChildren();
    else if (!sameContent(part, other)) {
      const open = openSections(part);
      part.replaceChildren(...[...other.childNodes].map((node) => document.importNode(node, true)));
      for (const name of open) part.querySelector(`details[data-keep="${name}"]`)?.setAttribute("open", "");
    }
  }
  for (const { name, value } of fresh.attributes) {
    if (name !== "id") root.setAttribute(name, value);
  }
  for (const section of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll("details[data-keep]"))) {
    const other = /** @type {HTMLElement | null} */ (fresh.querySelector(`details[data-keep="${section.dataset.keep}"]`));
    if (other) section.hidden = other.hidden;
  }
  return true;
}

/** What opens below the board comes into sight, where something sticks to the window's lower edge. @param {HTMLElement} root */
export function revealOpened(root) {
  root.addEventListener(
    "toggle",
    (event) => {
      const section = /** @type {HTMLDetailsElement} */ (event.target);
      if (!section.open || !section.closest(".move-list")) return;
      section.scrollIntoView({ block: "nearest" });
      section.querySelector("select")?.focus({ preventScroll: true });
    },
    true, // since it does not bubble
  );
}

/** Tokens against forgery differ from one drawing to the next and are no change. */
function sameContent(one, other) {
  const blank = (element) => element.innerHTML.replace(/name="csrfmiddlewaretoken" value="[^"]*"/g, "");
  return blank(one) === blank(other);
}

/** @param {HTMLElement} part */
function openSections(part) {
  return [...part.querySelectorAll("details[data-keep][open]")].map(
    (section) => /** @type {HTMLElement} */ (section).dataset.keep,
  );
}

/** Says something to those who listen instead of looking. */
export function announce(text) {
  const line = document.querySelector("[data-announce]");
  if (line && text) line.textContent = text;
}

/** The document's title, with the count of waiting turns that live.js keeps before it. */
export function setTitle(text) {
  const count = /^\(\d+\) /.exec(document.title)?.[0] ?? "";
  document.title = count + text;
}
