// <time data-left datetime="..."> tells in words how much time is left. The server writes the same words first
// (games/templatetags/branchline.py).

// Unit, its seconds, the least number of it that is told, and how parts of it are.
const STEPS = [
  ["day", 86400, 2, Math.round],
  ["hour", 3600, 2, Math.floor],
  ["minute", 60, 1, Math.floor],
];
const words = new Map();

/** "3 days", "5 hours", "12 minutes" in the language of the page; empty when there is less than a minute. */
function inWords(seconds) {
  const step = STEPS.find(([, length, least]) => seconds >= length * least);
  if (!step) return "";
  const [unit, length, , whole] = step;
  if (!words.has(unit)) {
    words.set(unit, new Intl.NumberFormat(document.documentElement.lang, { style: "unit", unit, unitDisplay: "long" }));
  }
  return words.get(unit).format(whole(seconds / length));
}

/** Writes all clocks of the page anew. Those that have run down keep what the server wrote last. */
export function tick() {
  for (const clock of document.querySelectorAll("time[data-left]")) {
    const text = inWords((Date.parse(clock.dateTime) - Date.now()) / 1000);
    if (text && clock.textContent !== text) clock.textContent = text;
  }
}

setInterval(tick, 30_000);
