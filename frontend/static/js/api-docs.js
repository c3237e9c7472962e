// The readable page of the API's schema has looks for the night, but does not ask whether it is night.

const night = matchMedia("(prefers-color-scheme: dark)");
const follow = () => document.documentElement.classList.toggle("dark-mode", night.matches);

document.documentElement.lang = "en"; // as the schema is
night.addEventListener("change", follow);
follow();
