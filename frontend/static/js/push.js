// The part of the notice settings that only scripts can do: asks this browser to be told by push, and says whether it is.
// Which devices there are, and removing one, needs no script.

const part = document.querySelector("[data-push]");
const supported = "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;

function show(state) {
  for (const each of part.querySelectorAll("[data-push-state]")) {
    const tryAgain = state === "failed" && each.dataset.pushState === "off";
    each.hidden = each.dataset.pushState !== state && !tryAgain;
  }
}

/** The row of this browser in the list of devices, if the site knows it. */
function rowOf(subscription) {
  const rows = [...document.querySelectorAll("[data-endpoint]")];
  return rows.find((row) => row.dataset.endpoint === subscription?.endpoint);
}

async function look() {
  if (!supported) return show("unsupported");
  if (Notification.permission === "denied") return show("blocked");
  const registration = await navigator.serviceWorker.getRegistration("/");
  const subscription = await registration?.pushManager.getSubscription();
  const row = rowOf(subscription);
  if (row) row.querySelector("[data-this-device]").hidden = false;
  return show(row && Notification.permission === "granted" ? "on" : "off");
}

async function switchOn() {
  if ((await Notification.requestPermission()) !== "granted") return look();
  const answer = await fetch(part.dataset.push, { headers: { Accept: "application/json" } });
  const { key, csrf } = await answer.json();
  await navigator.serviceWorker.register(part.dataset.worker, { scope: "/" });
  const registration = await navigator.serviceWorker.ready;
  // One that was made for another key, or that the site has given up, is of no use.
  const before = await registration.pushManager.getSubscription();
  await before?.unsubscribe();
  const subscription = await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  const { endpoint, keys } = subscription.toJSON();
  const stored = await fetch(part.dataset.push, {
    method: "POST",
    headers: { "X-CSRFToken": csrf },
    body: new URLSearchParams({ endpoint, ...keys, replaces: before?.endpoint ?? "" }),
  });
  if (!stored.ok) throw new Error(`The subscription was not stored: ${stored.status}`);
  location.hash = "push";
  location.reload(); // the list has one device more
}

if (part) {
  const button = part.querySelector("[data-push-on]");
  button.addEventListener("click", async () => {
    button.disabled = true;
    try {
      await switchOn();
    } catch (problem) {
      console.warn(problem);
      show("failed");
    }
    button.disabled = false;
  });
  look();
}
