// The chat of a match: sends without leaving the page, reads again when the live line says that something was said or
// seen, and tells the house which message the person has had before their eyes.

const chat = /** @type {HTMLElement | null} */ (document.querySelector("[data-chat]"));
const HEADERS = { "HX-Request": "true" };
const ENOUGH = 120; // pixels of the messages that must be in sight for somebody to be reading them

if (chat) {
  const lines = /** @type {HTMLElement} */ (chat.querySelector("[data-chat-lines]"));
  const form = /** @type {HTMLFormElement | null} */ (chat.querySelector("[data-chat-form]"));
  const box = /** @type {HTMLTextAreaElement | null} */ (form?.querySelector("textarea") ?? null);
  const problem = /** @type {HTMLElement | null} */ (chat.querySelector("#chat-problem"));
  let told = 0; // the last message that the house knows to be seen
  let visible = false;
  let reading = false;
  let again = false;

  const last = () => Number(chat.dataset.last);

  /** Shows what the server sent. @param {string} html @returns {boolean} whether that was a chat */
  const put = (html) => {
    const fresh = /** @type {HTMLElement | null} */ (
      new DOMParser().parseFromString(html, "text/html").querySelector("[data-chat]")
    );
    const other = fresh?.querySelector("[data-chat-lines]");
    if (!fresh || !other) return false;
    const atEnd = lines.scrollHeight - lines.scrollTop - lines.clientHeight < 40;
    lines.replaceChildren(...[...other.childNodes].map((node) => document.importNode(node, true)));
    chat.dataset.last = fresh.dataset.last;
    showUnread(Number(fresh.dataset.unread), fresh.querySelector("[data-chat-unread]")?.textContent ?? "");
    if (problem) problem.textContent = fresh.querySelector("#chat-problem")?.textContent ?? "";
    if (atEnd) toEnd();
    return true;
  };

  const toEnd = () => lines.scrollTo({ top: lines.scrollHeight });

  /** @param {number} unread @param {string} words */
  const showUnread = (unread, words) => {
    for (const count of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-chat-unread]"))) {
      count.hidden = unread === 0;
      if (unread) count.textContent = words;
    }
  };

  /** Reads the chat again; once more when something was said in the meantime. */
  const read = async () => {
    again = true;
    if (reading) return;
    reading = true;
    while (again) {
      again = false;
      try {
        const answer = await fetch(chat.dataset.url ?? "", { headers: HEADERS });
        if (answer.ok) put(await answer.text());
      } catch {
        // The next message tells again.
      }
    }
    reading = false;
    seen();
  };

  /** Says that the last message was seen, when it is before somebody's eyes. */
  const seen = async () => {
    if (!visible || document.hidden || !document.hasFocus() || last() <= told) return;
    told = last();
    if (!lines.querySelector(".new")) return;
    const token = /** @type {HTMLInputElement | null} */ (document.querySelector("[name=csrfmiddlewaretoken]"))?.value;
    const body = new URLSearchParams({ message: String(told), csrfmiddlewaretoken: token ?? "" });
    const answer = await fetch(chat.dataset.seenUrl ?? "", { method: "POST", body }).catch(() => null);
    if (answer?.ok) showUnread(0, "");
    else told = 0;
  };

  const send = async () => {
    if (!form || !box || form.hasAttribute("aria-busy")) return;
    form.setAttribute("aria-busy", "true");
    try {
      const answer = await fetch(form.action, { method: "POST", body: new FormData(form), headers: HEADERS });
      const taken = put(await answer.text());
      if (taken && answer.ok) {
        form.reset();
        box.value = "";
        box.removeAttribute("aria-invalid");
        toEnd();
      } else if (taken) {
        box.setAttribute("aria-invalid", "true");
      } else {
        throw new Error("no chat");
      }
    } catch {
      if (problem) problem.textContent = chat.dataset.unreachable ?? "";
    } finally {
      form.removeAttribute("aria-busy");
    }
  };

  form?.addEventListener("submit", (event) => {
    event.preventDefault();
    send();
  });
  box?.addEventListener("keydown", (event) => {
    // Enter sends, as in every chat; with Shift it begins a new line. While a word is being composed it is part of that.
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    if (form?.reportValidity()) send();
  });
  document.body.addEventListener("branchline:chat", (event) => {
    if (/** @type {CustomEvent} */ (event).detail.match === chat.dataset.chat) read();
  });
  document.body.addEventListener("branchline:poll", read);
  chat.addEventListener("branchline:up", toEnd);
  new IntersectionObserver(
    (entries) => {
      const { intersectionRect: part, boundingClientRect: whole } = entries[entries.length - 1];
      visible = part.height > 0 && part.height >= Math.min(ENOUGH, whole.height / 2);
      seen();
    },
    { threshold: [0, 0.1, 0.25, 0.5, 0.75, 1] },
  ).observe(lines);
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) read();
  });
  addEventListener("focus", seen);
  toEnd();
}

// What was noted in the last moment before one leaves is sent on the way out.
const note = /** @type {HTMLFormElement | null} */ (document.querySelector("[data-note-form]"));
if (note) {
  let changed = false;
  const leave = () => {
    if (changed && navigator.sendBeacon(note.action, new FormData(note))) changed = false;
  };
  note.addEventListener("input", () => (changed = true));
  note.addEventListener("htmx:afterRequest", (event) => {
    if (/** @type {CustomEvent} */ (event).detail.successful) changed = false;
  });
  addEventListener("pagehide", leave);
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) leave();
  });
}
