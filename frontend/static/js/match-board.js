// Choosing on the board: by mouse, finger or keys. The shapes that can be chosen carry their move (data-move). The board
// is one stop of the Tab key; arrows walk from shape to shape. A press chooses the nearest shape, so that nobody has to
// hit a thin line. Areas (closed paths) count as discs; beside them lie others that may not be chosen.

const REACH = 24; // pixels from a press to a line or a disc that it may choose
const REACH_OF_AREA = 6; // the same for an area
const CLEAR = 4; // pixels by which a finger must be nearer to one line than to the next
const FINE = 2.2; // zoomed in so far, a finger is exact enough
const DIRECTIONS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** @typedef {{x: number, y: number}} Point */
/**
 * @typedef {{element: SVGGraphicsElement, a: Point, b: Point, radius: number, middle: Point, reach: number}} Target
 * in board units; its reach in pixels
 */

/** @param {SVGGraphicsElement} element @returns {Target} */
function measured(element) {
  let a, b;
  let radius = 0;
  const stroke = element.matches("path") ? element : element.querySelector("path");
  const area = stroke !== null && /z\s*$/i.test(stroke.getAttribute("d") ?? "");
  if (stroke instanceof SVGPathElement && !area) {
    a = stroke.getPointAtLength(0);
    b = stroke.getPointAtLength(stroke.getTotalLength());
  } else {
    const box = element.getBBox();
    a = b = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    radius = Math.min(box.width, box.height) / 2;
  }
  const reach = area ? REACH_OF_AREA : REACH;
  return { element, a, b, radius, middle: { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 }, reach };
}

/** Moves the middles of discs that lie on a line a little aside, so that arrows can walk from the one to the other. */
function apart(targets) {
  const taken = new Set();
  for (const target of targets) {
    const place = ({ x, y }) => `${Math.round(x / 10)},${Math.round(y / 10)}`;
    if (taken.has(place(target.middle))) {
      target.middle = { x: target.middle.x + 2 * target.radius, y: target.middle.y + 2 * target.radius };
    }
    taken.add(place(target.middle));
  }
  return targets;
}

/**
 * How far a point is from a target's stroke or edge; negative within a disc, so that a disc on a line can be chosen.
 * @param {Target} target
 * @param {Point} point
 */
function away({ a, b, radius }, point) {
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const length = dx * dx + dy * dy;
  const share = length ? Math.min(1, Math.max(0, ((point.x - a.x) * dx + (point.y - a.y) * dy) / length)) : 0;
  return Math.hypot(point.x - a.x - share * dx, point.y - a.y - share * dy) - radius;
}

export class Board {
  /**
   * @param {HTMLElement} canvas holds the board's <svg>, which may be replaced at any time: call `refresh` then
   * @param {import("./match-zoom.js").Zoom} zoom
   * @param {{choose: (move: any, element: Element, byKey: boolean) => void, undo: () => void, zoomed: () => void}} told
   */
  constructor(canvas, zoom, told) {
    this.canvas = canvas;
    this.zoom = zoom;
    this.told = told;
    /** @type {Target[]} */
    this.targets = [];
    /** @type {Target | null} */
    this.current = null;
    canvas.addEventListener("click", (event) => this.press(event));
    canvas.addEventListener("pointermove", (event) => {
      if (event.pointerType === "mouse") this.light(this.nearest(event.clientX, event.clientY)[0]?.target ?? null);
    });
    canvas.addEventListener("pointerleave", () => this.light(null));
    canvas.addEventListener("dblclick", (event) => {
      if (!this.nearest(event.clientX, event.clientY).length) zoom.by({ x: event.clientX, y: event.clientY }, 2);
    });
    canvas.addEventListener("keydown", (event) => this.key(event));
    canvas.addEventListener("focusin", (event) => {
      const target = this.targets.find(({ element }) => element === event.target);
      if (!target) return;
      this.rove(target);
      if (zoom.scale() > 1) zoom.show(target.element.getBoundingClientRect());
    });
    this.refresh();
  }

  /** Reads the shapes of a new picture. The Tab key then stops at the one that is nearest to where it was. */
  refresh() {
    const before = this.current?.middle;
    this.svg = /** @type {SVGSVGElement | null} */ (this.canvas.querySelector("svg"));
    const shapes = /** @type {NodeListOf<SVGGraphicsElement>} */ (this.canvas.querySelectorAll("[data-move]"));
    this.targets = apart([...shapes].filter((shape) => shape.getClientRects().length).map(measured));
    for (const { element } of this.targets) element.setAttribute("tabindex", "-1");
    this.current = null;
    const next = before ? this.nearestTo(before) : this.nearestTo(this.centre());
    if (next) this.rove(next);
    else if (before) this.current = /** @type {any} */ ({ element: null, middle: before });
  }

  /** The middle of all that can be chosen. */
  centre() {
    const sum = this.targets.reduce((at, { middle }) => ({ x: at.x + middle.x, y: at.y + middle.y }), { x: 0, y: 0 });
    const count = this.targets.length || 1;
    return { x: sum.x / count, y: sum.y / count };
  }

  /** @param {Point} point @returns {Target | undefined} */
  nearestTo(point) {
    const far = ({ middle }) => Math.hypot(middle.x - point.x, middle.y - point.y);
    return [...this.targets].sort((one, other) => far(one) - far(other))[0];
  }

  /** @param {Target} target */
  rove(target) {
    this.current?.element?.setAttribute("tabindex", "-1");
    this.current = target;
    target.element.setAttribute("tabindex", "0");
  }

  /** Gives the focus to the shape at which the Tab key would stop. @returns {boolean} whether there is one */
  focus() {
    if (!this.current?.element?.isConnected) return false;
    this.current.element.focus({ preventScroll: true });
    return true;
  }

  /** The shapes within reach of a point of the window, the nearest first, with their distances in pixels. */
  nearest(x, y) {
    const matrix = this.svg?.getScreenCTM();
    if (!matrix || !this.targets.length) return [];
    const point = new DOMPoint(x, y).matrixTransform(matrix.inverse());
    return this.targets
      .map((target) => ({ target, far: away(target, point) * matrix.a }))
      .filter(({ target, far }) => far <= target.reach)
      .sort((one, other) => one.far - other.far);
  }

  /** @param {MouseEvent} event */
  press(event) {
    // A click without a place comes from a key or a screen reader, at the shape itself.
    const own = this.targets.find(({ element }) => element.contains(/** @type {Node} */ (event.target)));
    if (event.detail === 0 && own) return this.choose(own, true);
    const near = this.nearest(event.clientX, event.clientY);
    // The second half of a double click means what the first one has done already.
    if (!near.length || event.detail > 1) return;
    const touch = /** @type {PointerEvent} */ (event).pointerType === "touch";
    const unclear = near.length > 1 && near[1].far - near[0].far < CLEAR;
    if (touch && unclear && this.zoom.scale() < FINE) {
      this.zoom.by({ x: event.clientX, y: event.clientY }, FINE / this.zoom.scale());
      this.told.zoomed();
      return;
    }
    this.choose(near[0].target, false);
  }

  /** @param {Target} target @param {boolean} byKey */
  choose(target, byKey) {
    this.rove(target);
    this.told.choose(JSON.parse(target.element.getAttribute("data-move") ?? "null"), target.element, byKey);
  }

  /** @param {Target | null} target */
  light(target) {
    const element = target?.element ?? null;
    const lit = this.canvas.querySelector(".near");
    if (lit === element) return;
    lit?.classList.remove("near");
    element?.classList.add("near");
    this.canvas.classList.toggle("can-choose", element !== null);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const own = this.targets.find(({ element }) => element === event.target);
    if (!own) return;
    if (event.key in DIRECTIONS) {
      const next = this.towards(own, DIRECTIONS[/** @type {keyof typeof DIRECTIONS} */ (event.key)]);
      if (next) {
        this.rove(next);
        next.element.focus({ preventScroll: true });
        next.element.scrollIntoView({ block: "nearest", inline: "nearest" });
      }
    } else if ((event.key === "Enter" || event.key === " ") && !event.repeat) {
      this.choose(own, true);
    } else {
      return;
    }
    event.preventDefault();
  }

  /** The nearest shape in a direction; what lies aside counts double. @param {Target} from */
  towards(from, [right, down]) {
    let best, least = Infinity;
    for (const target of this.targets) {
      const [dx, dy] = [target.middle.x - from.middle.x, target.middle.y - from.middle.y];
      const along = dx * right + dy * down;
      const aside = Math.abs(dx * down) + Math.abs(dy * right);
      if (target === from || along < 1 || aside > along * 2.5) continue;
      const far = along + 2 * aside;
      if (far < least) [best, least] = [target, far];
    }
    return best;
  }
}
