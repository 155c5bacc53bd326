// Filters of the first page, the switch of choices, copying; every page reads without them.
"use strict";

const SYMBOLS = { confirmed: "✓", refuted: "✗", inconclusive: "~", untested: "–" };

// A claim that an address names is shown open.
function openTarget() {
  const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const folded = target && target.closest("details");
  if (folded) { folded.open = true; target.scrollIntoView(); }
}
addEventListener("hashchange", openTarget);
openTarget();

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

const filters = document.querySelector(".filters");
if (filters) {
  const rows = [...document.querySelectorAll(".filters ~ .papers li")];
  const texts = new Map(rows.map((row) => [row.id, row.textContent.toLowerCase()]));
  const found = document.getElementById("found");
  const said = filters.querySelector("output");
  let known = null;

  function learn() {
    if (known) return;
    known = [];
    const script = document.createElement("script");
    script.src = "search.js";
    script.addEventListener("load", () => { known = SEARCH; filter(); });
    document.head.append(script);
  }

  function filter() {
    const { text, topic, state, verdict } = Object.fromEntries(new FormData(filters));
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    const more = new Map((known || []).map(([key, names]) => [key, names.toLowerCase()]));
    const claims = [];
    if (text.trim().length > 2) {
      for (const [key, , listed] of known || []) {
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
      const where = `${texts.get(row.id)} ${more.get(row.id) || ""}`;
      const shown = (!topic || row.dataset.topic === topic) && (!state || row.dataset.state === state)
        && (!verdict || row.dataset.verdicts.split(" ").includes(verdict))
        && (words.every((word) => where.includes(word)) || withClaim.has(row.id));
      row.hidden = !shown;
      count += shown;
    }
    const papers = count === 1 ? "1 paper" : `${count} papers`;
    said.textContent = claims.length ? `${papers}; ${claims.length} claims` : papers;
    found.hidden = !claims.length;
    found.replaceChildren(...claims.slice(0, 20).map(([key, name, says, word]) => {
      const item = document.createElement("li");
      const verdict = document.createElement("span");
      verdict.className = `verdict ${word}`;
      verdict.textContent = `${SYMBOLS[word]} ${word}`;
      const link = document.createElement("a");
      link.href = `${key}/${name}.html`;
      link.textContent = says;
      item.append(verdict, link);
      return item;
    }));
  }

  filters.hidden = false;
  filters.addEventListener("input", () => { learn(); filter(); });
  filters.addEventListener("submit", (event) => event.preventDefault());
  filters.querySelector("input").addEventListener("focus", learn);
  if (new FormData(filters).get("text")) learn();
  filter();
}

const form = document.querySelector(".switch");
if (form) {
  const universes = JSON.parse(document.getElementById(form.dataset.universes).textContent);
  const lines = [...document.querySelectorAll(`#${form.dataset.table || "none"} tbody tr`)];
  const before = lines.map((line) => line.innerHTML);
  const said = form.querySelector("output");

  function change() {
    const changed = {};
    for (const select of form.querySelectorAll("select")) {
      if (select.selectedIndex) changed[select.name] = select.value;
    }
    const same = (one) => Object.keys(one).length === Object.keys(changed).length
      && Object.entries(one).every(([name, value]) => changed[name] === value);
    const universe = universes.find((one) => same(one.changed));
    form.classList.toggle("elsewhere", Object.keys(changed).length > 0);
    lines.forEach((line, place) => { line.innerHTML = before[place]; });
    if (!universe) {
      said.textContent = "These were not run together.";
      return;
    }
    const rows = universe.rows.length > 1 ? universe.rows.slice(1) : universe.rows;
    const [word] = universe.rows[0];
    said.innerHTML = `<span class="verdict ${word}">${SYMBOLS[word]} ${word}</span>`;
    if (!Object.keys(changed).length) return;
    lines.forEach((line, place) => {
      const [verdict, ours, interval] = rows[place];
      line.querySelector('[data-label="Ours"]').innerHTML = `<span class="value">${ours}</span> <span class="small value">${interval}</span>`;
      line.querySelector('[data-label="Reproduces"]').innerHTML = `<span class="verdict ${verdict}">${SYMBOLS[verdict]} ${verdict}</span>`;
      line.querySelector('[data-label="Generalises"]').textContent = "";
    });
  }

  form.hidden = false;
  form.addEventListener("change", change);
  form.addEventListener("reset", () => setTimeout(change));
  change();
}
