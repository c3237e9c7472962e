// Clocks. <time data-left="long" or "short" datetime="..."> tells how much time is left until then, and what
// data-over says when none is; from its moment data-little on it looks urgent. The server writes the same words first
// (games/templatetags/branchline.py). Nobody is told aloud: it is no live region, whoever wants to know reads it.

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const formats = new Map();

/** One or two units with their numbers, as a clock shows them. @returns {[string, number][]} */
function onAClock(seconds) {
  if (seconds >= DAY - MINUTE / 2) {
    const hours = Math.round(seconds / HOUR);
    return [["day", Math.floor(hours / 24)], ["hour", hours % 24]];
  }
  if (seconds >= HOUR - 1) {
    const minutes = Math.round(seconds / MINUTE);
    return [["hour", Math.floor(minutes / 60)], ["minute", minutes % 60]];
  }
  const whole = Math.floor(seconds);
  return [["minute", Math.floor(whole / MINUTE)], ["second", whole % MINUTE]];
}

/** "2 days" in the language of the page, or "2d". Seconds have two figures, so that nothing moves as they pass. */
function inWords(unit, number, unitDisplay) {
  const name = unit + unitDisplay;
  if (!formats.has(name)) {
    const digits = { minimumIntegerDigits: unit === "second" ? 2 : 1 };
    const options = { style: "unit", unit, unitDisplay, ...digits };
    formats.set(name, new Intl.NumberFormat(document.documentElement.lang, options));
  }
  return formats.get(name).format(number);
}

/** Writes all clocks of the page anew. */
export function tick() {
  for (const clock of document.querySelectorAll("time[data-left]")) {
    const seconds = (Date.parse(clock.dateTime) - Date.now()) / 1000;
    const display = clock.dataset.left === "short" ? "narrow" : "long";
    const shown = onAClock(seconds).filter(([unit, number]) => number || unit === "second");
    const text = seconds > 0 ? shown.map(([unit, number]) => inWords(unit, number, display)).join(" ") : clock.dataset.over;
    if (text && clock.textContent !== text) clock.textContent = text;
    if (clock.dataset.little && Date.parse(clock.dataset.little) <= Date.now()) clock.classList.add("little");
  }
}

setInterval(tick, 1000);
