// Two people answer for hours, by chance as SEED says: one pairs, one sorts, each in
// a tab of the same browser. A round goes from BASE answers up by STEPS and is undone
// to BASE again, where the page and R are measured: the same question and the same
// list as before, so that all that has grown is a leak.
//
// SOAK: how many minutes. The memory of the processes is read from /proc, so on Linux.
// The rows of what was undone stay in the file, as they must: R holds them, too.
import { readdirSync, statSync } from "node:fs";
import { answers, check, existsSync, join, newFile, openPage, pairOf, patience, press,
  readFileSync, startR, untilAsked } from "./harness.mjs";

const minutes = Number(process.env.SOAK), seed = Number(process.env.SEED || 1);
const base = 20, steps = 25, between = 5;
const key = { "must-link": "y", "cannot-link": "n", unsure: "u" };

// mulberry32
function chance(seed) {
  const next = () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  const below = (count) => Math.floor(next() * count);
  return { next, below, of: (all) => all[below(all.length)] };
}

const luck = chance(seed);

// The rows "first,second,type" of an answer: `said` is a kind, or the number of a
// group, where samples are sorted. What follows from "like this one" follows as long
// as the groups are known to differ, which a change of another answer can end.
function rowsOf({ shown, said }) {
  const [first, ...others] = shown.split(" ");
  const number = said in key ? null : Number(said);
  return others.map((other, at) => [first, other, number === null ? said :
    number === 0 ? "cannot-link" : number === at + 1 ? "must-link" : "follows"].join());
}

function rowsIn(file) {
  const at = readFileSync(file, "utf8").split("\n")[0].split(",").indexOf("implied");
  return answers(file).map((row) => [row[0], row[1],
    row[at] === "TRUE" ? "follows" : row[4]].join());
}

// The page shows codes instead of names: samples by the order in which they come.
function numbered(rows) {
  const known = [];
  const place = (name) => known.indexOf(name) + 1 || known.push(name);
  return rows.map((row) => row.split(",")).map(([a, b, said]) =>
    [place(a), place(b), said].join()).join(" ");
}

// Locators only: a handle of an element keeps it alive after it has left the page.
const there = (page, what) => page.locator(what).first().waitFor();
const away = (page, what) => page.locator(what).waitFor({ state: "detached" });
const refused = (page) => page.locator(".conflict").count();

async function anyOf(page, what) {
  const all = page.locator(what);
  return all.nth(luck.below(await all.count()));
}

async function until(what, good, detail = () => "") {
  for (const end = Date.now() + patience; !await good();) {
    if (Date.now() > end) throw new Error(`never: ${what} ${detail()}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

// ---- what a person does: `given` are the answers that must be in the file ----

async function answer(one, window = one.page) {
  const shown = await pairOf(window);
  // those with a key: the others are shown when asked for
  const groups = await window.$$eval("[data-key]", (all) =>
    all.filter((one) => /^[1-9]$/.test(one.dataset.key)).length);
  const said = !one.sorted ? luck.of(["must-link", "cannot-link", "cannot-link", "unsure"]) :
    luck.next() < 0.1 ? "unsure" : String(luck.below(groups + 1));
  const begin = performance.now();
  await press(window, [key[said] || said]);
  one.times.push(performance.now() - begin);
  one.given.push({ shown, said });
}

async function undo(one) {
  const begin = performance.now();
  await press(one.page, "z");
  one.times.push(performance.now() - begin);
  one.given.pop();
}

async function enlarge(one) {
  const { page } = one;
  await (await anyOf(page, ".card .picture")).click();
  await page.waitForFunction(() => document.querySelector("#zoom").open);
  for (const view of ["+", "ArrowLeft", "PageDown", "-"]) await page.keyboard.press(view);
  await answer(one);
  await page.keyboard.press("Escape");
  await page.waitForFunction(() => !document.querySelector("#zoom").open);
}

async function look(one) {
  const { page } = one;
  await (await anyOf(page, "#answers .look")).click();
  await there(page, ".given-before");
  await page.keyboard.press("Escape");
  await away(page, ".given-before");
  await untilAsked(page, one.given.length);
}

// The list is drawn after the question.
const firstOfList = (page) => page.textContent("#answers td.number");
const listed = (one) => until("the list", async () =>
  Number(await firstOfList(one.page)) === one.given.length);

// An older answer is looked for by its number, then all are there again.
async function turnList(one) {
  const { page } = one;
  await listed(one);
  for (const text of [String(one.given.length - 20), ""]) {
    await page.fill("#find", text);
    await until("the list is searched", async () =>
      Number(await firstOfList(page)) === (Number(text) || one.given.length) ||
      (await page.textContent("#answers")).includes(text));
    if (text) await pause();
  }
  // out of the field, where keys would be looked for
  await page.keyboard.press("Escape");
  await listed(one);
}

// In the list, one of the answers that this round will undo again.
async function change(one) {
  const { page, given } = one;
  const row = luck.below(Math.min(given.length - base, 20));
  const at = given.length - 1 - row;
  if (given.filter((other) => other.shown === given[at].shown).length > 1) return;
  await listed(one);
  const line = page.locator("#answers tr").nth(row);
  const ways = line.locator("option");
  const index = luck.below(await ways.count());
  const held = async () =>
    JSON.parse(await line.locator(".choice").getAttribute("data-act")).was;
  const answer = await ways.nth(index).getAttribute("value"), was = await held();
  if (answer === was) return;
  const before = given[at];
  given[at] = { shown: before.shown, said: answer };
  await line.locator("select").selectOption({ index });
  await until("changed or refused", async () =>
    inFile(one) === expected(one) || await refused(page) > 0, () =>
    `${answer} of ${JSON.stringify(before)}: ${inFile(one)}, not ${expected(one)}`);
  if (await refused(page)) {
    given[at] = before;
    await page.keyboard.press("Escape");
    await away(page, ".conflict");
    one.refused++;
  } else {
    one.changed++;
    // the menu has the focus until it is drawn again
    await until("the list shows the change", async () =>
      await held() === answer);
  }
  await untilAsked(page, given.length);
}

async function fold(one) {
  const folded = one.page.locator(".folded summary");
  await folded.click();
  await there(one.page, "#map svg");
  await answer(one);
  await one.page.locator(".folded summary").click();
}

async function remark(one) {
  await one.page.fill("#remark", `seen ${one.given.length}`);
  await one.page.keyboard.press("Escape");
  await answer(one);
}

async function reload(one) {
  await one.page.reload();
  await untilAsked(one.page, one.given.length);
}

async function secondWindow(one) {
  const window = await openPage(one.page.context(), one.r.url);
  await untilAsked(window, one.given.length);
  await answer(one, window);
  await untilAsked(one.page, one.given.length);
  await window.close();
  await one.page.bringToFront();
}

const habits = [[60, answer], [8, undo], [8, enlarge], [6, look], [4, turnList],
  [5, change], [4, fold], [3, remark], [1, reload], [1, secondWindow]];

function habit(one) {
  let left = luck.next() * 100;
  const [, next] = habits.find(([share]) => (left -= share) < 0);
  const early = one.given.length <= base;
  return early && [undo, change].includes(next) || one.steady && next === reload ? answer :
    next;
}

const pause = () => new Promise((resolve) =>
  setTimeout(resolve, 300 + 500 * luck.next()));

async function round(one) {
  await one.page.bringToFront();
  while (one.given.length < base + steps) {
    const next = habit(one);
    one.did.push(next.name);
    await next(one).catch((error) => {
      throw new Error(`${one.name}: ${one.did.slice(-5)}: ${error.stack}`);
    });
    one.actions++;
    await pause();
  }
  while (one.given.length > base) {
    await undo(one);
    one.actions++;
    await pause();
  }
  one.rounds++;
}

// ---- what is measured ----

const expected = (one) => numbered(one.given.flatMap(rowsOf));
const inFile = (one) => numbered(rowsIn(one.r.file));

const megabytes = (id) => !existsSync(`/proc/${id}/status`) ? NaN :
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${id}/status`, "utf8"))[1]) / 1024;

function sizeOf(folder) {
  return readdirSync(folder, { recursive: true }).map((name) =>
    statSync(join(folder, name)).size).reduce((sum, one) => sum + one, 0) / 2 ** 20;
}

const middle = (times) => times.sort((a, b) => a - b)[Math.floor(times.length / 2)];

async function measure(one) {
  await one.page.bringToFront();
  // the last answer of the round has drawn all that it draws
  await new Promise((resolve) => setTimeout(resolve, 1000));
  for (let k = 0; k < 2; k++) await one.devtools.send("HeapProfiler.collectGarbage");
  const { metrics } = await one.devtools.send("Performance.getMetrics");
  const value = (name) => metrics.find((each) => each.name === name).value;
  const now = {
    elements: await one.page.evaluate(() => document.querySelectorAll("*").length),
    listeners: value("JSEventListeners"), nodes: value("Nodes"),
    heap: value("JSHeapUsedSize") / 2 ** 20,
    R: megabytes(one.r.id), files: sizeOf(one.r.temporary),
    open: existsSync(`/proc/${one.r.id}/fd`) ? readdirSync(`/proc/${one.r.id}/fd`).length : NaN,
    middle: middle(one.times), longest: one.times.at(-1), actions: one.actions,
  };
  one.times = [];
  one.measured.push(now);
  check("all answers are in the file, in their order", inFile(one) === expected(one),
    `${one.name}: ${inFile(one)}, not ${expected(one)}`);
  return now;
}

async function renderers(browser) {
  const { processInfo } = await browser.send("SystemInfo.getProcessInfo");
  return processInfo.filter((one) => one.type === "renderer").map((one) =>
    megabytes(one.id)).reduce((sum, one) => sum + one, 0);
}

const show = (now) => Object.entries(now).map(([name, value]) =>
  `${name} ${Math.round(10 * value) / 10}`).join(", ");

export async function soak(browser) {
  const people = [];
  for (const kind of ["soak pictures", "soak sort pictures"]) {
    const r = await startR(newFile(), kind);
    const page = await openPage(browser, r.url);
    const devtools = await page.context().newCDPSession(page);
    await devtools.send("Performance.enable");
    people.push({ name: kind, r, page, devtools, sorted: /sort/.test(kind),
      steady: !/sort/.test(kind), given: [], times: [], measured: [], actions: 0,
      rounds: 0, changed: 0, refused: 0, did: [] });
  }
  const all = await browser.browser()?.newBrowserCDPSession();
  const begin = Date.now(), gone = () => (Date.now() - begin) / 60000;
  for (const one of people) {
    await one.page.bringToFront();
    while (one.given.length < base) await answer(one);
    // what is made once, such as the pictures, is there
    await round(one);
  }
  let shown = -Infinity;
  do {
    if (gone() - shown >= between) {
      shown = gone();
      for (const one of people)
        console.log(`${gone().toFixed(1)} min, ${one.name}: ${show(await measure(one))}`);
      if (all) console.log(`renderers ${(await renderers(all)).toFixed(1)} MB`);
    }
    for (const one of people) await round(one);
  } while (gone() < minutes);
  for (const one of people) {
    const last = await measure(one);
    console.log(`${gone().toFixed(1)} min, ${one.name}: ${show(last)}, rounds ${one.rounds
      }, changed ${one.changed}, refused ${one.refused}`);
    // R warms up: functions are compiled, pictures drawn, its heap finds its size
    const early = one.measured[Math.floor(one.measured.length / 4)];
    for (const what of ["elements", "listeners", "nodes", "heap"])
      check(`${what} stay (SEED=${seed})`, last[what] <= 1.1 * early[what],
        `${one.name}: ${early[what]}, then ${last[what]}`);
    check(`R stays (SEED=${seed})`, !(last.R > 1.05 * early.R),
      `${one.name}: ${early.R} MB, then ${last.R}`);
  }
}
