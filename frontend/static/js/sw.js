// The service worker, at /sw.js: shows what is pushed to this browser and opens what one presses. It keeps no pages, and
// is one plain file, for old browsers know no modules here.
//
// A push is JSON: {title, body, url, tag, count}. A notification replaces the one with its tag.

const SUBSCRIPTION = "/accounts/push/";

self.addEventListener("push", (event) => {
  event.waitUntil(show(event.data));
});

async function show(data) {
  let told;
  try {
    told = data.json();
  } catch {
    told = { title: "Branchline", body: "", url: "/", tag: "branchline" };
  }
  await self.registration.showNotification(told.title, {
    body: told.body,
    tag: told.tag,
    renotify: true,
    icon: "/static/icons/branchline-180.png",
    data: { url: told.url },
  });
}

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data.url));
});

/** The tab that shows the page already, or else a new one: no tab is led away from what somebody does in it. */
async function open(address) {
  const { pathname, search } = new URL(address, self.location.origin);
  const tabs = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const shown = tabs.find((tab) => new URL(tab.url).pathname === pathname);
  if (shown) await shown.focus();
  else await self.clients.openWindow(pathname + search);
}

// The push service gave this browser another address: the site must know it.
self.addEventListener("pushsubscriptionchange", (event) => {
  event.waitUntil(subscribeAnew(event.oldSubscription, event.newSubscription));
});

async function subscribeAnew(before, given) {
  const answer = await fetch(SUBSCRIPTION, { headers: { Accept: "application/json" } });
  if (!answer.ok) return; // nobody is logged in
  const { key, csrf } = await answer.json();
  const subscription =
    given ?? (await self.registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key }));
  const { endpoint, keys } = subscription.toJSON();
  await fetch(SUBSCRIPTION, {
    method: "POST",
    headers: { "X-CSRFToken": csrf },
    body: new URLSearchParams({ endpoint, ...keys, replaces: before?.endpoint ?? "" }),
  });
}
