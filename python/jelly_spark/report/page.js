"use strict";

const byId = (id) => document.getElementById(id);
const numbers = new Intl.NumberFormat("en");

// The theme: that of the system, until the button is pressed.

function setUpTheme() {
  const button = byId("theme");
  const system = matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => {
    const chosen = document.documentElement.dataset.theme;
    return chosen ? chosen === "dark" : system.matches;
  };
  const show = () => {
    button.textContent = isDark() ? "Light theme" : "Dark theme";
  };
  button.addEventListener("click", () => {
    document.documentElement.dataset.theme = isDark() ? "light" : "dark";
    show();
  });
  system.addEventListener("change", show);
  show();
}

// The search and the filters: a row of a table is shown if all of them want it.

function setUpSearch() {
  const search = byId("search");
  const choices = ["severity", "rule"].map(byId);
  const rows = [...document.querySelectorAll("tbody tr")].map((row) => ({
    row,
    text: row.textContent.toLowerCase(),
    values: row.closest("#finding-list") && [...row.cells].map((cell) => cell.textContent),
  }));
  const update = () => {
    const wanted = search.value.trim().toLowerCase();
    let found = 0;
    for (const { row, text, values } of rows) {
      const chosen = !values || choices.every((choice, column) => {
        return !choice.value || choice.value === values[column];
      });
      const matches = chosen && text.includes(wanted);
      row.hidden = !matches;
      found += matches;
    }
    byId("found").textContent = wanted
      ? `${numbers.format(found)} of ${numbers.format(rows.length)} rows of tables`
      : "";
    for (const table of document.querySelectorAll("table.rows")) {
      table.hidden = !table.querySelector("tbody tr:not([hidden])");
    }
    // Matches would not be seen in what is closed.
    if (wanted) {
      for (const details of document.querySelectorAll("details")) {
        details.open = details.querySelector("tbody tr:not([hidden])") !== null;
      }
    }
  };
  const clear = () => {
    search.value = "";
    for (const choice of choices) {
      if (choice) choice.value = "";
    }
    update();
  };
  search.addEventListener("input", update);
  search.addEventListener("keydown", (event) => {
    if (event.key === "Escape") clear();
  });
  for (const choice of choices) {
    if (choice) choice.addEventListener("change", update);
  }
  if (byId("filters")) byId("filters").hidden = false;
  // A link may lead to a row that the search hides.
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[href^='#row-']");
    const row = link && byId(link.getAttribute("href").slice(1));
    if (row && (row.hidden || row.closest("table").hidden)) clear();
  });
}

// The timeline: zooming changes the viewBox, whose unit is a bar. The bars and the numbers of the
// scale are drawn again, as charts.py does it.

const BAR = 0.9;

function setUpTimeline() {
  const chart = byId("chart");
  if (!chart) return;
  const svg = chart.querySelector("svg.timeline");
  const labels = chart.querySelector("svg.scale");
  const half = -svg.viewBox.baseVal.y;
  const scale = byId("scale");
  const bars = [...svg.querySelectorAll("g")].map((bar) => ({
    add: bar.querySelector(".add"),
    delete: bar.querySelector(".delete"),
    adds: Number(bar.dataset.adds),
    deletes: Number(bar.dataset.deletes),
  }));
  const names = [...byId("steps").tBodies[0].rows].map((row) => row.cells[0].textContent);
  const count = bars.length;
  let start = 0;
  let end = count;

  const powers = (top) => {
    const digits = String(Math.floor(top / 4)).length;
    const found = [];
    for (let power = 1; power < digits; power += Math.ceil(digits / 4)) found.push(10 ** power);
    return found;
  };
  const draw = (top) => {
    const logarithmic = scale.value === "logarithmic";
    const height = (number) => half * BAR
      * (logarithmic ? Math.log10(1 + number) / Math.log10(1 + top) : number / top);
    for (const bar of bars) {
      if (bar.add) {
        bar.add.setAttribute("y", -height(bar.adds));
        bar.add.setAttribute("height", height(bar.adds));
      }
      if (bar.delete) bar.delete.setAttribute("height", height(bar.deletes));
    }
    const places = [[0, 0]];
    for (const number of [...(logarithmic ? powers(top) : []), top]) {
      places.push([number, height(number)], [number, -height(number)]);
    }
    labels.replaceChildren(...places.map(([number, place]) => {
      const label = document.createElementNS("http://www.w3.org/2000/svg", "text");
      label.textContent = numbers.format(number);
      label.setAttribute("x", "100%");
      label.setAttribute("y", `${(half - place) * 50 / half}%`);
      label.setAttribute("dy", ".3em");
      label.setAttribute("text-anchor", "end");
      return label;
    }));
  };
  const show = (from, to) => {
    const width = Math.min(Math.max(Math.round(to - from), 1), count);
    start = Math.min(Math.max(Math.round(from), 0), count - width);
    end = start + width;
    const shown = bars.slice(start, end);
    const top = shown.reduce((most, bar) => Math.max(most, bar.adds, bar.deletes), 1);
    svg.setAttribute("viewBox", `${start} ${-half} ${width} ${2 * half}`);
    draw(top);
    const first = names[start];
    const last = names[end - 1];
    const most = `at most ${numbers.format(top)} added or deleted`;
    byId("range").textContent = `${first}${width > 1 ? ` … ${last}` : ""}: ${most}`;
  };
  const zoom = (factor) => {
    const middle = (start + end) / 2;
    // At least one bar more or less.
    const width = factor < 1
      ? Math.min((end - start) * factor, end - start - 1)
      : Math.max((end - start) * factor, end - start + 1);
    show(middle - width / 2, middle + width / 2);
  };
  const move = (direction) => {
    const by = direction * Math.max(1, Math.round((end - start) / 4));
    show(start + by, end + by);
  };
  const actions = {
    "zoom-in": () => zoom(0.5),
    "zoom-out": () => zoom(2),
    earlier: () => move(-1),
    later: () => move(1),
    reset: () => show(0, count),
  };
  const keys = {
    "+": "zoom-in", "=": "zoom-in", "-": "zoom-out",
    ArrowLeft: "earlier", ArrowRight: "later", 0: "reset",
  };
  for (const [id, action] of Object.entries(actions)) {
    byId(id).addEventListener("click", action);
  }
  scale.addEventListener("change", () => show(start, end));
  chart.addEventListener("keydown", (event) => {
    const id = keys[event.key];
    if (!id || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    actions[id]();
  });

  // Dragging selects the bars to zoom to.
  const placeOf = (event) => {
    const box = svg.getBoundingClientRect();
    const part = Math.min(Math.max((event.clientX - box.left) / box.width, 0), 1);
    return start + part * (end - start);
  };
  let from = null;
  let mark = null;
  const release = () => {
    if (mark) mark.remove();
    from = mark = null;
  };
  svg.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    from = placeOf(event);
    svg.setPointerCapture(event.pointerId);
  });
  svg.addEventListener("pointermove", (event) => {
    if (from === null) return;
    if (!mark) {
      mark = document.createElementNS("http://www.w3.org/2000/svg", "rect");
      mark.id = "selected";
      const [, top, , height] = svg.getAttribute("viewBox").split(" ");
      mark.setAttribute("y", top);
      mark.setAttribute("height", height);
      svg.append(mark);
    }
    const to = placeOf(event);
    mark.setAttribute("x", Math.min(from, to));
    mark.setAttribute("width", Math.abs(to - from));
  });
  svg.addEventListener("pointerup", (event) => {
    const [low, high] = [from, placeOf(event)].sort((a, b) => a - b);
    const dragged = mark !== null && from !== null;
    release();
    if (dragged) show(Math.floor(low), Math.ceil(high));
  });
  svg.addEventListener("pointercancel", release);

  chart.tabIndex = 0;
  byId("zoom").hidden = byId("keys").hidden = false;
  show(0, count);
}

byId("tools").hidden = false;
setUpTheme();
setUpSearch();
setUpTimeline();
