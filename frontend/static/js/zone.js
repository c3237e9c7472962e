// Tells a form the time zone of this browser: <input type="hidden" data-time-zone>. The server checks it.

for (const field of document.querySelectorAll("input[data-time-zone]")) {
  field.value = Intl.DateTimeFormat().resolvedOptions().timeZone ?? "";
}
