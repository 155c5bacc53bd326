// Filters of the first page, the switch of choices, copying; every page reads without them.
"use strict";

const SYMBOLS = { confirmed: "✓", depends: "◐", refuted: "✗", inconclusive: "~", untested: "–" };

// A claim that an address names is shown open.
function openTarget() {
  const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const folded = target && target.closest("details");
  if (folded) { folded.open = true; target.scrollIntoView(); }
}
addEventListener("hashchange", openTarget);
openTarget();

// A file's address is worth nothing elsewhere, and what is read from one may not be drawn anew.
const served = location.protocol !== "file:";

for (const badge of served ? document.querySelectorAll(".badge") : []) {
  const code = document.createElement("code");
  code.className = "copied";
  code.textContent = `[![${badge.alt}](${badge.src})](${badge.src.replace(/svg$/, "html")})`;
  badge.after(" ", code);
}

for (const text of document.querySelectorAll(".copied")) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "copy";
  button.textContent = "Copy";
  button.addEventListener("click", async () => {
    const chosen = getSelection();
    chosen.selectAllChildren(text);
    try { await navigator.clipboard.writeText(text.textContent); } catch { document.execCommand("copy"); }
    chosen.removeAllRanges();
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = "Copy"; }, 1500);
  });
  text.after(button);
}

for (const plot of served ? document.querySelectorAll("figure .plot") : []) {
  const link = document.createElement("a");
  link.textContent = "PNG";
  link.href = plot.src;
  link.download = plot.src.split("/").pop().replace(/svg$/, "png");
  link.addEventListener("click", async (event) => {
    if (link.href.startsWith("data:")) return;
    event.preventDefault();
    const canvas = document.createElement("canvas");
    const image = new Image();
    image.src = plot.src;
    await image.decode();
    [canvas.width, canvas.height] = [2 * image.width, 2 * image.height];
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    link.href = canvas.toDataURL();
    link.click();
  });
  plot.closest("figure").querySelector("figcaption").append(" As ", link, ".");
}

const filters = document.querySelector(".filters");
if (filters) {
  const rows = [...document.querySelectorAll(".filters ~ .papers li")];
  const texts = new Map(rows.map((row) => [row.id, row.textContent.toLowerCase()]));
  const found = document.getElementById("found");
  const said = filters.querySelector("output");
  let known = [];

  function learn() {
    const script = document.createElement("script");
    script.src = "search.js";
    script.addEventListener("load", () => { known = SEARCH; offer(); filter(); });
    document.head.append(script);
  }

  // What several papers have in common comes first.
  function offer() {
    for (const [place, name] of [[1, "data"], [2, "method"]]) {
      const counts = new Map();
      known.flatMap((one) => one[place]).forEach((one) => counts.set(one, (counts.get(one) || 0) + 1));
      const offered = [...counts].sort(([one, many], [other, more]) => more - many || one.localeCompare(other));
      document.getElementById(name).append(...offered.map(([one]) => new Option("", one)));
    }
  }

  const within = (part) => (one) => one.toLowerCase().includes(part.trim().toLowerCase());

  function filter() {
    const { text, topic, state, verdict, data, method } = Object.fromEntries(new FormData(filters));
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    const more = new Map(known.map(([key, sets, methods]) => [key, [sets, methods]]));
    const claims = [];
    if (text.trim().length > 2) {
      for (const [key, , , listed] of known) {
        for (const [name, says, word] of listed) {
          const where = `${says} ${name}`.toLowerCase();
          if (words.every((one) => where.includes(one)) && (!verdict || verdict === word)) {
            claims.push([key, name, says, word]);
          }
        }
      }
    }
    const withClaim = new Set(claims.map(([key]) => key));
    let count = 0;
    for (const row of rows) {
      const [sets, methods] = more.get(row.id) || [[], []];
      const where = `${texts.get(row.id)} ${[...sets, ...methods].join(" ").toLowerCase()}`;
      const shown = (!topic || row.dataset.topic === topic) && (!state || row.dataset.state === state)
        && (!verdict || row.dataset.verdicts.split(" ").includes(verdict))
        && (!data || sets.some(within(data))) && (!method || methods.some(within(method)))
        && (words.every((word) => where.includes(word)) || withClaim.has(row.id));
      row.hidden = !shown;
      count += shown;
    }
    const papers = count === 1 ? "1 paper" : `${count} papers`;
    said.textContent = claims.length ? `${papers}; ${claims.length} claims` : papers;
    found.hidden = !claims.length;
    found.replaceChildren(...claims.slice(0, 20).map(([key, name, says, word]) => {
      const item = document.createElement("li");
      const verdict = document.createElement("b");
      verdict.className = word;
      verdict.textContent = `${SYMBOLS[word]} ${word}`;
      const link = document.createElement("a");
      link.href = `${key}/${name}.html`;
      link.textContent = says;
      item.append(verdict, link);
      return item;
    }));
  }

  filters.hidden = false;
  filters.addEventListener("input", filter);
  filters.addEventListener("submit", (event) => event.preventDefault());
  filter();
  learn();
}
