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

const form = document.querySelector(".switch");
if (form) {
  // The first table has the whole claim, the others its parts; a row is named by what its universes change.
  const panels = [...document.querySelectorAll(".spec tbody")].map((panel) => ({
    part: panel.querySelector("[colspan]")?.textContent.trim() || "all",
    rows: [...panel.querySelectorAll("tr[class]")].flatMap((row) => row.cells[0].textContent.split("; ")
      .map((one) => ({ row, changed: one === "default" ? [] : one.split("+") }))),
  }));
  const tried = new Set(panels[0].rows.flatMap(({ changed }) => changed.map((one) => one.split("=")[0])));
  form.prepend(...Object.entries(CHOICES).filter(([name]) => tried.has(name)).map(([name, [question, values]]) => {
    const label = document.createElement("label");
    const about = document.createElement("span");
    about.className = "about";
    about.textContent = question;
    const select = document.createElement("select");
    select.name = name;
    select.append(...values.map((value, place) => new Option(place ? value : `${value} (default)`, value)));
    label.append(`${name} `, about, select);
    return label;
  }));
  const lines = [...document.querySelectorAll("#numbers tbody tr")];
  const before = lines.map((line) => line.innerHTML);
  form.insertAdjacentHTML("beforeend", '<p><output></output> <button type="reset">Back to the default</button></p>');
  const said = form.querySelector("output");

  function change() {
    const changed = [...form.querySelectorAll("select")]
      .filter((select) => select.selectedIndex).map((select) => `${select.name}=${select.value}`);
    // What a part's row does not name cannot touch it.
    const best = ({ rows }) => rows.filter((one) => one.changed.every((name) => changed.includes(name)))
      .reduce((one, other) => (other.changed.length > one.changed.length ? other : one));
    const whole = best(panels[0]);
    form.classList.toggle("elsewhere", changed.length > 0);
    lines.forEach((line, place) => { line.innerHTML = before[place]; });
    document.querySelectorAll(".chosen").forEach((row) => row.classList.remove("chosen"));
    if (whole.changed.length < changed.length) {
      said.textContent = "These were not run together.";
      return;
    }
    const word = whole.row.className;
    said.innerHTML = `<b class="${word}">${SYMBOLS[word]} ${word}</b>`;
    whole.row.classList.add("chosen");
    if (!changed.length) return;
    for (const line of lines) {
      const panel = panels.find(({ part }) => part === line.cells[0].textContent);
      if (!panel) continue;
      const { row } = best(panel);
      row.classList.add("chosen");
      line.cells[2].innerHTML = `${row.cells[2].innerHTML} <small>${row.cells[3].innerHTML}</small>`;
      const verdict = document.createElement("b");
      verdict.className = row.classList[0];
      verdict.textContent = row.cells[1].textContent;
      line.cells[3].replaceChildren(verdict);
      if (line.cells[5]) line.cells[5].textContent = "";
    }
  }

  form.hidden = false;
  form.addEventListener("change", change);
  form.addEventListener("reset", () => setTimeout(change));
  change();
}
