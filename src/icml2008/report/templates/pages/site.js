// Search, filters of the first page, copying; every page reads without them.
"use strict";

const ROOT = document.currentScript.src.replace(/[^/]*$/, "");
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

// What is typed and what is searched are compared in plain letters and without hyphens.
const plain = (text) => text.normalize("NFD").replace(/[\u0300-\u036f]/g, "").toLowerCase()
  .replace(/[-\u2010\u2011_/]+/g, " ");
const wordsOf = (text) => plain(text).split(/[^\p{L}\p{N}.]+/u).filter(Boolean);

let index;

function learn() {
  index ||= new Promise((ready) => {
    const script = document.createElement("script");
    script.src = `${ROOT}search.js`;
    script.addEventListener("load", () => ready(SEARCH.map((paper) => ({
      ...paper,
      first: plain([paper.key, paper.title, ...paper.authors, ...paper.methods].join(" ")),
      then: plain([paper.topic, paper.idea, paper.answer, ...paper.data].join(" ")),
      listed: paper.claims.map(([name, says, word]) => ({ name, says, word, text: plain(`${says} ${name}`) })),
    }))));
    document.head.append(script);
  });
  return index;
}

// Papers that have all words, what names them first; and the claims that have them.
function search(papers, words) {
  const has = (text) => words.every((word) => text.includes(word));
  const found = [];
  for (const paper of papers) {
    const claims = paper.listed.filter(({ text }) => has(text));
    const rank = has(paper.first) ? 0 : has(`${paper.first} ${paper.then}`) ? 1 : claims.length ? 2 : 3;
    if (rank < 3) found.push({ paper, claims, rank });
  }
  return found.sort((one, other) => one.rank - other.rank);
}

function distance(one, other) {
  let row = [...Array(other.length + 1).keys()];
  for (let at = 1; at <= one.length; at += 1) {
    const next = [at];
    for (let to = 1; to <= other.length; to += 1) {
      next.push(Math.min(row[to] + 1, next[to - 1] + 1, row[to - 1] + (one[at - 1] !== other[to - 1])));
    }
    row = next;
  }
  return row[other.length];
}

// Each word as it is, where something has it, else the word that is spelt most alike.
function nearest(papers, words) {
  const known = new Set(papers.flatMap(({ first, then, listed }) => wordsOf(
    [first, then, ...listed.map(({ text }) => text)].join(" "))));
  const spelt = [...known];
  return words.map((word) => (spelt.some((one) => one.includes(word)) ? word
    : spelt.reduce((best, one) => (distance(word, one) < distance(word, best) ? one : best), spelt[0])));
}

// What has the words; else what has those spelt alike, and at last what has most of them.
function searchOrNearest(papers, text) {
  const words = wordsOf(text);
  let found = search(papers, words);
  if (found.length || !words.length) return { found, words, exact: true };
  const alike = nearest(papers, words);
  found = search(papers, alike);
  if (!found.length) {
    found = papers.map((paper) => {
      const all = [paper.first, paper.then, ...paper.listed.map(({ text: says }) => says)].join(" ");
      return { paper, claims: [], rank: -alike.filter((word) => all.includes(word)).length };
    }).filter(({ rank }) => rank).sort((one, other) => one.rank - other.rank).slice(0, 5);
  }
  return { found, words: alike, exact: false };
}

function linkTo(href, text) {
  const link = document.createElement("a");
  link.href = `${ROOT}${href}`;
  link.textContent = text;
  return link;
}

function claimItem(paper, { name, says, word }) {
  const item = document.createElement("li");
  const verdict = document.createElement("b");
  verdict.className = word;
  verdict.textContent = `${SYMBOLS[word]} ${word}`;
  item.append(verdict, linkTo(`${paper.key}/${name}.html`, says));
  return item;
}

const find = document.querySelector(".find");
if (find) {
  const field = find.querySelector("input");
  const hits = find.querySelector(".hits");
  async function show() {
    const papers = await learn();
    hits.hidden = field.value.trim().length < 2;
    if (hits.hidden) return;
    const { found, words, exact } = searchOrNearest(papers, field.value);
    const many = found.length === 1 ? "1 paper" : `${found.length} papers`;
    hits.querySelector("output").textContent = exact ? many : `Nothing has these words. Nearest, by "${words.join(" ")}":`;
    hits.querySelector("ul").replaceChildren(...found.slice(0, 8).flatMap(({ paper, claims, rank }) => {
      const item = document.createElement("li");
      const answer = document.createElement("span");
      answer.className = "about";
      answer.textContent = paper.answer;
      item.append(linkTo(`${paper.key}.html`, paper.title), answer);
      return [item, ...(rank === 2 || found.length < 3 ? claims.slice(0, 3).map((claim) => claimItem(paper, claim)) : [])];
    }));
  }
  find.hidden = false;
  field.addEventListener("input", show);
  field.addEventListener("focus", learn, { once: true });
  find.addEventListener("submit", (event) => {
    event.preventDefault();
    hits.querySelector("a")?.click();
  });
  find.addEventListener("keydown", (event) => { if (event.key === "Escape") { field.value = ""; hits.hidden = true; } });
}

const filters = document.querySelector(".filters");
if (filters) {
  const rows = [...document.querySelectorAll(".filters ~ .papers li")];
  const listedClaims = document.getElementById("found");
  const output = filters.querySelector("output");
  let known = [];

  // What several papers have in common comes first.
  function offer() {
    for (const [name, part] of [["data", "data"], ["method", "methods"]]) {
      const counts = new Map();
      known.flatMap((paper) => paper[part]).forEach((value) => counts.set(value, (counts.get(value) || 0) + 1));
      const offered = [...counts].sort(([one, many], [other, more]) => more - many || one.localeCompare(other));
      document.getElementById(name).append(...offered.map(([value]) => new Option("", value)));
    }
  }

  const within = (part) => (value) => value.toLowerCase().includes(part.trim().toLowerCase());

  function filter() {
    const { text, topic, state, verdict, data, method } = Object.fromEntries(new FormData(filters));
    const { found, words, exact } = searchOrNearest(known, text);
    const hits = new Map(found.map((hit) => [hit.paper.key, hit]));
    const papers = new Map(known.map((paper) => [paper.key, paper]));
    const claims = [];
    let count = 0;
    for (const row of rows) {
      const paper = papers.get(row.id) || { data: [], methods: [] };
      const shown = (!topic || row.dataset.topic === topic) && (!state || row.dataset.state === state)
        && (!verdict || row.dataset.verdicts.split(" ").includes(verdict))
        && (!data || paper.data.some(within(data))) && (!method || paper.methods.some(within(method)))
        && (!text.trim() || hits.has(row.id));
      row.hidden = !shown;
      count += shown;
      if (!shown || text.trim().length < 3) continue;
      for (const claim of hits.get(row.id).claims) {
        if (!verdict || verdict === claim.word) claims.push([paper, claim]);
      }
    }
    const counted = count === 1 ? "1 paper" : `${count} papers`;
    output.textContent = (exact ? "" : `Nothing has these words; nearest, by "${words.join(" ")}": `)
      + (claims.length ? `${counted}; ${claims.length} claims` : counted);
    listedClaims.hidden = !claims.length;
    listedClaims.replaceChildren(...claims.slice(0, 20).map(([paper, claim]) => claimItem(paper, claim)));
  }

  filters.hidden = false;
  filters.addEventListener("input", filter);
  filters.addEventListener("submit", (event) => event.preventDefault());
  learn().then((papers) => { known = papers; offer(); filter(); });
}
