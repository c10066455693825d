// Search, copy buttons, and which part of the page is in view. Without this the page reads the same.
"use strict";

const nav = document.querySelector("nav");
const search = nav.querySelector("search");
const field = search.querySelector("input");
const found = search.querySelector("ul");
const count = search.querySelector("[role=status]");
const most = 30; // of the places that are listed

// What can be found: headings, and rows of tables with the section that they are in.
const places = [];
let section = "";
for (const e of document.querySelectorAll("main :is(h2, h3, h4)[id], main tbody tr")) {
  const row = e.localName === "tr";
  const name = (row ? e.cells[0] : e).textContent.trim().replace(/\s+/g, " ");
  if (!row) {
    section = name;
  }
  places.push({ e, name, where: row ? section : "", text: (row ? e.textContent : name).toLowerCase(), start: name.toLowerCase() });
}

/** The places that have all words, those whose names begin with the first of them before the others. */
function find(query) {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const rank = (p) => (p.start.startsWith(words[0]) ? 0 : p.start.includes(words[0]) ? 1 : 2);
  return words.length === 0
    ? []
    : places.filter((p) => words.every((word) => p.text.includes(word) || p.where.toLowerCase().includes(word))).sort((a, b) => rank(a) - rank(b));
}

function show() {
  const all = find(field.value);
  found.replaceChildren(
    ...all.slice(0, most).map((place) => {
      const link = document.createElement("a");
      link.textContent = place.name;
      link.href = "#" + place.e.id;
      if (place.where !== "") {
        const where = document.createElement("span");
        where.textContent = place.where;
        link.append(" ", where);
      }
      link.addEventListener("click", (event) => {
        if (place.e.id === "") {
          event.preventDefault();
        }
        go(place.e);
      });
      const item = document.createElement("li");
      item.append(link);
      return item;
    }),
  );
  count.textContent = field.value.trim() === "" ? "" : all.length === 0 ? "Nothing has these words." : `${all.length} found`;
  nav.classList.toggle("searching", field.value.trim() !== "");
}

/** Shows a place, opening what it is folded in. */
function go(e) {
  e.closest("details")?.setAttribute("open", "");
  e.scrollIntoView({ block: "start" });
  document.querySelector(".here")?.classList.remove("here");
  e.classList.add("here");
}

search.hidden = false;
field.addEventListener("input", show);
search.addEventListener("keydown", (event) => {
  const links = [...found.querySelectorAll("a")];
  const at = links.indexOf(document.activeElement);
  if (event.key === "Escape") {
    field.value = "";
    show();
    field.focus();
  } else if (event.key === "Enter" && at < 0) {
    links[0]?.click();
  } else if (event.key === "ArrowDown" && at + 1 < links.length) {
    links[at + 1].focus();
  } else if (event.key === "ArrowUp" && at >= 0) {
    (links[at - 1] ?? field).focus();
  } else {
    return;
  }
  event.preventDefault();
});
document.addEventListener("keydown", (event) => {
  if (event.key === "/" && !event.ctrlKey && !event.metaKey && !event.altKey && document.activeElement !== field) {
    event.preventDefault();
    field.focus();
  }
});

// Of a session in a terminal what was typed is copied, and of other code all of it.
for (const figure of document.querySelectorAll("figure.code")) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "Copy";
  button.addEventListener("click", async () => {
    const typed = [...figure.querySelectorAll(".typed")].map((one) => one.textContent);
    try {
      await navigator.clipboard.writeText(typed.length > 0 ? typed.join("\n") + "\n" : figure.querySelector("pre").textContent);
      button.textContent = "Copied";
    } catch {
      button.textContent = "Not possible here";
    }
    setTimeout(() => (button.textContent = "Copy"), 2000);
  });
  figure.append(button);
}

// The link to the last heading above the middle of the window is marked.
const links = new Map([...nav.querySelectorAll("a[href^='#']")].map((a) => [a.hash.slice(1), a]));
const headings = [...document.querySelectorAll("main [id]")].filter((e) => links.has(e.id) && e.id !== "content");
let waiting = false;
function mark() {
  waiting = false;
  const above = headings.filter((e) => e.getBoundingClientRect().top < innerHeight / 3);
  const now = links.get((above.at(-1) ?? headings[0]).id);
  const before = nav.querySelector("[aria-current]");
  if (before === now) {
    return;
  }
  before?.removeAttribute("aria-current");
  now?.setAttribute("aria-current", "location");
  if (matchMedia("(min-width: 64rem)").matches) {
    now?.scrollIntoView({ block: "nearest" });
  }
}
addEventListener("scroll", () => {
  if (!waiting) {
    waiting = true;
    requestAnimationFrame(mark);
  }
}, { passive: true });
mark();
