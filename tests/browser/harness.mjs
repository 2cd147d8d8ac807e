// Starts R with the page and a browser, counts checks, leaves nothing running.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync }
  from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const here = dirname(fileURLToPath(import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "linkrank-browser."));
export const pictures = process.env.PICTURES || join(folder, "pictures");
mkdirSync(pictures, { recursive: true });

let passed = 0, failed = 0, running = [];
export const patience = Number(process.env.PATIENCE || 60000);

export function check(what, good, detail = "") {
  if (good) passed++;
  else { failed++; console.log(`  FAILED: ${what} ${detail}`); }
}

export function same(what, got, wanted) {
  check(what, JSON.stringify(got) === JSON.stringify(wanted),
    `got ${JSON.stringify(got)}, not ${JSON.stringify(wanted)}`);
}

// The same, of what comes only after a round trip, a drawing, or a picture.
export async function eventually(what, read, wanted, wait = 10000) {
  const good = (got) => JSON.stringify(got) === JSON.stringify(wanted);
  let got = await read();
  for (const until = Date.now() + wait; !good(got) && Date.now() < until;) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    got = await read();
  }
  same(what, got, wanted);
}

// A text of the page that comes like that.
export async function says(what, page, selector, wanted) {
  const text = () => page.$$eval(selector, (all) => all.map((one) =>
    one.textContent).join(" "));
  await eventually(what, async () => {
    const now = await text();
    return wanted.test(now) ? "said" : now;
  }, "said");
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer();
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

// Has this machine nginx? Without it the stories of proxies say so.
export const hasNginx = !spawnSync("nginx", ["-v"]).error;

// nginx on a port of its own with these lines; its address.
export async function startNginx(lines) {
  const port = await freePort(), at = mkdtempSync(join(folder, "nginx."));
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((one) =>
    `${one}_temp_path ${at}/${one};`).join(" ");
  writeFileSync(join(at, "nginx.conf"), `user root; daemon off; pid ${at}/pid;
    error_log ${at}/error.log; events {} http { ${temporary}
    access_log ${at}/access.log; server { listen 127.0.0.1:${port}; ${lines} } }`);
  const nginx = spawn("nginx", ["-p", at, "-e", `${at}/error.log`, "-c",
    join(at, "nginx.conf")], { stdio: "ignore" });
  running.push(nginx);
  const url = `http://127.0.0.1:${port}/`;
  for (const until = Date.now() + patience; Date.now() < until;) {
    try { if ((await fetch(url)).status) break; } catch { /* not yet */ }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return { url, port, log: () => readFileSync(join(at, "access.log"), "utf8") };
}

let files = 0;
export function newFile() { return join(folder, `answers-${++files}.csv`); }

// "Listening on" comes before the port is open, so the address is asked.
export async function startR(file, kind = "plain", at = null) {
  const port = at || await freePort();
  const result = `${file}.links`;
  // an R that is killed leaves its temporary files
  const temporary = mkdtempSync(join(folder, "r."));
  const r = spawn("Rscript", ["--no-init-file", join(here, "app.R"), port,
    file, kind, result], { stdio: ["ignore", "ignore", "pipe"],
    env: { ...process.env, TMPDIR: temporary } });
  let said = "";
  r.stderr.on("data", (text) => { said += text; });
  const ended = new Promise((resolve) => r.on("exit", resolve));
  running.push(r);
  const url = `http://127.0.0.1:${port}/`;
  const until = Date.now() + 3 * patience;
  for (;;) {
    try { if ((await fetch(url)).status) break; } catch { /* not yet */ }
    if (r.exitCode !== null || Date.now() > until)
      throw new Error(`R did not start: ${said}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return { url, port, file, result, ended, temporary, id: r.pid,
    kill: () => r.kill("SIGKILL"), said: () => said };
}

// One browser for all stories; each has a context of its own, as if nobody had
// used the browser before.
export async function startBrowser() {
  return chromium.launch({
    executablePath: process.env.CHROMIUM || "/usr/bin/chromium",
    downloadsPath: folder,
    args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic",
      "--no-first-run", "--disable-background-networking",
      "--disable-component-update", "--disable-sync"],
  });
}

// A page on which the question stands; what goes wrong in it is a failure.
export async function openPage(browser, url) {
  const page = await browser.newPage();
  page.setDefaultTimeout(patience);
  page.on("pageerror", (error) => check("no error on the page", false,
    error.message));
  page.on("request", (request) => {
    const address = new URL(request.url());
    if (!["data:", "blob:"].includes(address.protocol) &&
        address.hostname !== "127.0.0.1")
      check("nothing leaves the machine", false, request.url());
  });
  await page.goto(url);
  await page.waitForSelector("[data-pair], .finished");
  return page;
}

export const pairOf = (page) =>
  page.getAttribute("[data-pair]", "data-pair");
export const asked = async (page) =>
  Number(await page.textContent(".progress-line b"));

// Waits until so many questions are answered, and question, buttons and list are
// those of that state.
export async function untilAsked(page, count) {
  await page.waitForFunction((count) => {
    const text = document.querySelector(".progress-line b");
    const pair = document.querySelector("[data-pair]");
    const undo = document.querySelector("#undo");
    if (!text || Number(text.textContent) !== count || !undo ||
        JSON.parse(undo.dataset.act).count !== count) return false;
    const newest = document.querySelector("#answers td.number");
    if (!document.querySelector("#find").value &&
        (newest ? Number(newest.textContent) : 0) !== count) return false;
    if (!pair) return !!document.querySelector(".finished");
    const buttons = [...document.querySelectorAll(".answer")];
    return buttons.length > 1 && buttons.every((one) =>
      JSON.parse(one.dataset.act).shown === pair.dataset.pair);
  }, count, { timeout: patience, polling: 30 });
}

export async function press(page, keys) {
  for (const key of keys) {
    const before = await asked(page);
    await page.keyboard.press(key);
    await untilAsked(page, before + (key === "z" ? -1 : 1));
  }
}

export const lines = (file) =>
  readFileSync(file, "utf8").trimEnd().split("\n").slice(1);
// The answers in force as cells: of one rater and pair the last row counts.
export function answers(file) {
  const found = new Map();
  let last = 0;
  for (const row of lines(file).map((line) => line.split(","))) {
    const about = `${[row[0], row[1]].sort()} ${row[7] || ""}`;
    row[9] = last = Number(row[9] || last + 1);
    if (row[4] === "undone") found.delete(about);
    else found.set(about, row);
  }
  return [...found.values()].sort((a, b) => a[9] - b[9]);
}
export const kinds = (file) => answers(file).map((row) => row[4]);
export { existsSync, readFileSync, join };

export async function tell(stories) {
  const wanted = process.argv[2] ? new RegExp(process.argv[2]) : /./;
  const program = await startBrowser();
  for (const [name, story] of Object.entries(stories)) {
    if (!wanted.test(name)) continue;
    const begin = Date.now();
    const browser = await program.newContext({
      viewport: { width: 1280, height: 860 }, acceptDownloads: true });
    try {
      await story(browser);
    } catch (error) {
      check(name, false, (error.stack || error.message).split("\n").filter((line) =>
        !/node_modules|node:internal/.test(line)).slice(0, 6).join(" | "));
      let n = 0;
      for (const page of browser.pages())
        await page.screenshot({ path: join(pictures, `failed-${name.replace(/\W+/g, "-")}-${++n}.png`) })
          .catch(() => {});
    }
    await browser.close();
    for (const r of running) r.kill(r.spawnfile === "nginx" ? "SIGTERM" : "SIGKILL");
    running = [];
    console.log(`${name}: ${((Date.now() - begin) / 1000).toFixed(1)} s`);
  }
  await program.close();
  if (failed === 0 || !process.env.KEEP)
    rmSync(folder, { recursive: true, force: true });
  console.log(`${passed} passed, ${failed} failed`);
  process.exit(failed === 0 && passed > 0 ? 0 : 1);
}
