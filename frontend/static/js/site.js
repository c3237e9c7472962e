// What every page does: the live line, clocks that tick, menus that close, forms that are sent once.

import "./live.js";
import "./times.js";
import "./toasts.js";
import "./zone.js";

/** A menu closes when one presses elsewhere or Escape, and gives the focus back. */
function closeMenus(except) {
  for (const menu of document.querySelectorAll("details[data-menu][open]")) {
    if (menu !== except) menu.open = false;
  }
}
document.addEventListener("click", (event) => closeMenus(event.target.closest("details[data-menu]")));
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  const menu = event.target.closest?.("details[data-menu][open]");
  closeMenus(null);
  menu?.querySelector("summary").focus();
});

// The house takes a form only once whatever happens; this spares the second press its answer.
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.method !== "post" || event.defaultPrevented) return;
  if (form.dataset.sent) {
    event.preventDefault();
    return;
  }
  form.dataset.sent = "yes";
  // An answer that was stopped on its way leaves the page as it is: then one may press again.
  setTimeout(() => delete form.dataset.sent, 3000);
});
addEventListener("pageshow", (event) => {
  if (!event.persisted) return;
  for (const form of document.querySelectorAll("form[data-sent]")) delete form.dataset.sent;
});

for (const box of document.querySelectorAll("[data-copy]")) {
  box.addEventListener("click", async () => {
    await navigator.clipboard.writeText(box.dataset.copy);
    box.textContent = box.dataset.copied;
  });
}
