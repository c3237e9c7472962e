// Pinch, pan and zoom of a board. The board lies in a frame that scrolls: a larger board is a wider canvas, so that the
// browser itself pans it, and the size stays when the picture in it is replaced.

const LARGEST = 5;
const STEP = 1.5;
const DRAG = 5; // pixels that a mouse may move within a click

/**
 * @typedef {object} Zoom
 * @property {(point: {x: number, y: number}, factor: number) => void} by zooms round a point of the window
 * @property {() => void} whole shows the whole board
 * @property {() => number} scale how large the board is; 1 is as wide as its frame
 * @property {(box: DOMRect) => void} show brings a part of the window into the frame
 */

/**
 * @param {HTMLElement} area holds a [data-frame] with a [data-canvas], and the buttons [data-zoom]
 * @returns {Zoom}
 */
export function zoomable(area) {
  const frame = /** @type {HTMLElement} */ (area.querySelector("[data-frame]"));
  const canvas = /** @type {HTMLElement} */ (area.querySelector("[data-canvas]"));
  const buttons = /** @type {HTMLElement} */ (area.querySelector("[data-zoom]"));
  const all = /** @type {HTMLButtonElement} */ (buttons.querySelector("[data-zoom-all]"));
  const out = /** @type {HTMLButtonElement} */ (buttons.querySelector("[data-zoom-out]"));
  const into = /** @type {HTMLButtonElement} */ (buttons.querySelector("[data-zoom-in]"));
  let scale = 1;

  /** Makes the board `next` large, with the point of the window staying where it is. */
  function set(next, x, y) {
    next = Math.min(LARGEST, Math.max(1, next));
    if (next < 1.02) next = 1;
    const corner = frame.getBoundingClientRect();
    // The frame keeps its height, or the page below would jump.
    if (next > 1 && scale === 1) frame.style.height = `${corner.height}px`;
    const right = (frame.scrollLeft + x - corner.left) / scale;
    const down = (frame.scrollTop + y - corner.top) / scale;
    scale = next;
    canvas.style.width = scale === 1 ? "" : `${scale * 100}%`;
    if (scale === 1) frame.style.height = "";
    frame.scrollLeft = right * scale - (x - corner.left);
    frame.scrollTop = down * scale - (y - corner.top);
    frame.classList.toggle("zoomed", scale > 1);
    out.setAttribute("aria-disabled", String(scale === 1));
    all.hidden = scale === 1;
    into.setAttribute("aria-disabled", String(scale === LARGEST));
  }

  const middle = () => {
    const box = frame.getBoundingClientRect();
    return { x: box.left + box.width / 2, y: box.top + box.height / 2 };
  };
  const by = ({ x, y }, factor) => set(scale * factor, x, y);

  buttons.hidden = false;
  set(1, 0, 0);
  into.addEventListener("click", () => by(middle(), STEP));
  out.addEventListener("click", () => by(middle(), 1 / STEP));
  all.addEventListener("click", () => {
    set(1, 0, 0);
    into.focus({ preventScroll: true }); // the pressed button is gone
  });
  area.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "+" || event.key === "=") by(middle(), STEP);
    else if (event.key === "-") by(middle(), 1 / STEP);
    else if (event.key === "0") set(1, 0, 0);
    else return;
    event.preventDefault();
  });

  // A wheel with Ctrl, which is also what a pinch on a touch pad sends.
  frame.addEventListener(
    "wheel",
    (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      set(scale * Math.exp(-event.deltaY / 200), event.clientX, event.clientY);
    },
    { passive: false },
  );

  // Two fingers.
  let pinch = /** @type {{distance: number, scale: number} | null} */ (null);
  const spread = (touches) => ({
    distance: Math.hypot(touches[0].clientX - touches[1].clientX, touches[0].clientY - touches[1].clientY),
    x: (touches[0].clientX + touches[1].clientX) / 2,
    y: (touches[0].clientY + touches[1].clientY) / 2,
  });
  let last = { x: 0, y: 0 };
  frame.addEventListener(
    "touchstart",
    (event) => {
      if (event.touches.length !== 2) return;
      event.preventDefault();
      const { distance, x, y } = spread(event.touches);
      pinch = { distance, scale };
      last = { x, y };
    },
    { passive: false },
  );
  frame.addEventListener(
    "touchmove",
    (event) => {
      if (!pinch || event.touches.length !== 2) return;
      event.preventDefault();
      const { distance, x, y } = spread(event.touches);
      frame.scrollLeft -= x - last.x;
      frame.scrollTop -= y - last.y;
      last = { x, y };
      set((pinch.scale * distance) / pinch.distance, x, y);
    },
    { passive: false },
  );
  for (const end of ["touchend", "touchcancel"]) {
    frame.addEventListener(end, (event) => {
      if (/** @type {TouchEvent} */ (event).touches.length < 2) pinch = null;
    });
  }

  // A mouse drags the board; what was a drag is no click.
  let drag = /** @type {{x: number, y: number, left: number, top: number, moved: boolean} | null} */ (null);
  frame.addEventListener("pointerdown", (event) => {
    if (event.pointerType !== "mouse" || event.button !== 0 || scale === 1) return;
    drag = { x: event.clientX, y: event.clientY, left: frame.scrollLeft, top: frame.scrollTop, moved: false };
  });
  addEventListener("pointermove", (event) => {
    if (!drag) return;
    const [x, y] = [event.clientX - drag.x, event.clientY - drag.y];
    if (Math.hypot(x, y) > DRAG) drag.moved = true;
    if (!drag.moved) return;
    frame.classList.add("dragging");
    frame.scrollLeft = drag.left - x;
    frame.scrollTop = drag.top - y;
  });
  addEventListener("pointerup", () => {
    if (drag?.moved) {
      const swallow = (event) => event.stopPropagation();
      frame.addEventListener("click", swallow, { capture: true, once: true });
      setTimeout(() => frame.removeEventListener("click", swallow, { capture: true }));
    }
    drag = null;
    frame.classList.remove("dragging");
  });

  return {
    by,
    whole: () => set(1, 0, 0),
    scale: () => scale,
    show(box) {
      const edges = frame.getBoundingClientRect();
      const margin = Math.min(48, edges.width / 6);
      if (box.left < edges.left + margin) frame.scrollLeft -= edges.left + margin - box.left;
      if (box.right > edges.right - margin) frame.scrollLeft += box.right - edges.right + margin;
      if (box.top < edges.top + margin) frame.scrollTop -= edges.top + margin - box.top;
      if (box.bottom > edges.bottom - margin) frame.scrollTop += box.bottom - edges.bottom + margin;
    },
  };
}
