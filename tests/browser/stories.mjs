// What people do with the page, one story each. `node stories.mjs [FILTER]`
import { rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { answers, asked, check, eventually, existsSync, join, kinds, lines, newFile,
  hasNginx, openPage, pairOf, patience, pictures, press, readFileSync, same, says, startNginx,
  startR, tell,
  untilAsked } from "./harness.mjs";
import { soak } from "./soak.mjs";

const axe = readFileSync(
  createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

// at rest: buttons are pale until R has taken the answer
async function accessible(page, where) {
  await page.waitForSelector("body:not(.busy)");
  if (!await page.evaluate(() => !!window.axe)) await page.evaluate(axe);
  const found = await page.evaluate(async () =>
    (await window.axe.run()).violations.map((v) =>
      `${v.id}: ${v.nodes.map((n) => n.html).join(" | ").slice(0, 300)}`));
  same(`axe: ${where}`, found, []);
}

// for those who look at them
const shot = (page, name) => process.env.PICTURES &&
  page.screenshot({ path: join(pictures, `${name}.png`) });

// no wider than the window
const fitsWidth = (what, page) => eventually(`no sideways scroll ${what}`, () =>
  page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth), false);

// all pictures of the question have come
const loaded = (page) => page.waitForFunction(() => [...document.querySelectorAll(
  ".picture img")].every((one) => one.complete && one.naturalWidth > 100));

async function enlarged(page, count) {
  await eventually(`${count} pictures are enlarged`, () => page.$$eval("#zoom img",
    (all) => all.filter((one) => one.offsetParent && one.complete &&
      one.naturalWidth > 100).length), count);
}

// the names of the samples in the list of answers
const list = (page) => page.$$eval("#answers .look", (all) => all.map((one) =>
  one.textContent.trim()));

const time = "2026-01-01T00:00:00Z";

async function contradict(page) {
  // one "different" after the other becomes "same", the newest first, until one of
  // them closes a chain; when the list is that of the answers, without changes
  await page.waitForSelector("#answers tr.changed", { state: "detached" });
  const rows = await page.$$eval("#answers tr", (all) => all.length);
  for (let row = 0; row < rows; row++) {
    const menu = page.locator("#answers tr").nth(row).locator("select");
    if (await menu.inputValue() === "must-link") continue;
    await menu.selectOption("must-link");
    await page.waitForFunction((number) => document.querySelector(".conflict") ||
      document.querySelector("#notice").textContent === `Answer ${number} changed.`,
      rows - row);
    if (await page.$(".conflict")) return true;
  }
  return false;
}

await tell({
  async "keys, clicks, undo"(browser) {
    const r = await startR(newFile());
    const page = await openPage(browser, r.url);
    const first = await pairOf(page);
    same("two names", (await page.$$(".card h2")).length, 2);
    await press(page, "y");
    check("another pair", await pairOf(page) !== first);
    const second = await pairOf(page);
    await page.click(".answer.cannot-link");
    await untilAsked(page, 2);
    await page.click(".answer.unsure");
    await untilAsked(page, 3);
    await press(page, "?");
    same("the file", kinds(r.file),
      ["must-link", "cannot-link", "unsure", "unsure"]);
    await page.click("#undo");
    await untilAsked(page, 3);
    await page.focus(".answer.unsure");
    await page.keyboard.press("Enter");
    await untilAsked(page, 4);
    await eventually("focus stays", () => page.evaluate(() =>
      document.activeElement.className), "answer unsure");
    await page.click("#undo");
    await untilAsked(page, 3);
    await says("a word on it", page, "#notice", /undone/);
    await press(page, "zz");
    same("the same pair again", await pairOf(page), second);
    same("gone from the file", kinds(r.file), ["must-link"]);
    // twice in one tick answers one question
    const due = await pairOf(page);
    await page.evaluate(() => {
      for (let k = 0; k < 2; k++)
        document.dispatchEvent(new KeyboardEvent("keydown", { key: "n", code: "KeyN" }));
    });
    await untilAsked(page, 2);
    await press(page, "u");
    same("one answer each", kinds(r.file), ["must-link", "cannot-link", "unsure"]);
    check("about that pair", lines(r.file)[1].startsWith(due.replace(" ", ",") + ","));
    // a Cyrillic layout: by the place of the key
    await page.evaluate(() => document.dispatchEvent(
      new KeyboardEvent("keydown", { key: "\u043d", code: "KeyY" })));
    await untilAsked(page, 4);
    same("must-link", kinds(r.file)[3], "must-link");
    // a menu in the list changes an answer; newest first
    const menu = page.locator("#answers tr").nth(1).locator("select");
    await menu.selectOption("cannot-link");
    await page.waitForFunction(() =>
      /Answer 3 changed/.test(document.querySelector("#notice").textContent));
    same("changed in the file", kinds(r.file)[2], "cannot-link");
    await eventually("and in the list", () => menu.inputValue(), "cannot-link");
    await page.keyboard.press("l");
    check("l goes to the list", await page.evaluate(() =>
      !!document.activeElement.closest("#answers")));
    await page.keyboard.press("q");
    same("q goes to Done", await page.evaluate(() =>
      document.activeElement.id), "done");
    // undo waits for an answer that is on its way, and for one another
    await press(page, "uuuuuu");
    const ten = await asked(page);
    same("ten answers", ten, 10);
    await page.keyboard.press("u");
    for (let k = 0; k < 11; k++) await page.keyboard.press("z");
    await untilAsked(page, 0);
    same("eleven undone", [kinds(r.file).length, await pairOf(page)], [0, first]);
    // two presses after the drawing, before R says that it has taken the last one
    await press(page, "uuuuu");
    await page.evaluate(() => {
      const undo = () => document.dispatchEvent(
        new KeyboardEvent("keydown", { key: "z", code: "KeyZ" }));
      let seen = document.querySelector("#undo"), left = 4;
      new MutationObserver(() => {
        const now = document.querySelector("#undo");
        if (!now || now === seen) return;
        seen = now;
        for (let k = 0; k < 2 && left > 0; k++, left--) undo();
      }).observe(document.body, { childList: true, subtree: true });
      undo();
    });
    await untilAsked(page, 0);
    check("R goes on", !existsSync(r.result));
  },

  async "two windows, reload"(browser) {
    const r = await startR(newFile());
    const one = await openPage(browser, r.url);
    const other = await openPage(browser, r.url);
    await press(one, "yn");
    await untilAsked(other, 2);
    same("the same question", await pairOf(other), await pairOf(one));
    await Promise.all([one.keyboard.press("u"), other.keyboard.press("u")]);
    await untilAsked(one, 3).catch(() => {});
    await one.waitForTimeout(500);
    const count = await asked(one);
    same("each key one pair at most", new Set(lines(r.file).map((line) =>
      line.split(",").slice(0, 2).join())).size, count);
    // one resolves a contradiction, the other undoes its answers
    await press(one, "nnynn");
    await untilAsked(other, count + 5);
    check("a contradiction", await contradict(one));
    for (let left = count + 5; left > 0; left--) {
      await other.keyboard.press("z");
      await untilAsked(other, left - 1);
    }
    await one.waitForSelector(".conflict", { state: "detached" });
    await says("which is said", one, "#notice", /Another window/);
    await untilAsked(one, 0);
    await one.waitForSelector("[data-pair]");
    await press(one, "yn");
    same("nothing that nobody said", kinds(r.file), ["must-link", "cannot-link"]);
    await untilAsked(other, 2);
    await press(other, "z");
    await one.waitForFunction(() => /Another window has undone/.test(
      document.querySelector("#notice").textContent));
    await untilAsked(one, 1);
    await press(one, "n");
    await other.reload();
    await untilAsked(other, 2);
    same("after a reload", await pairOf(other), await pairOf(one));
  },

  async "another program at the file"(browser) {
    const r = await startR(newFile());
    const page = await openPage(browser, r.url);
    await press(page, "y");
    const { appendFileSync } = await import("node:fs");
    appendFileSync(r.file, `60,61,"N21","T40",unsure,${time},other\n`);
    await page.keyboard.press("n");
    await untilAsked(page, 3);
    const sources = lines(r.file).map((line) => line.split(",")[6]);
    same("both are kept", sources.sort(), ["other", "web", "web"]);
    // and one that contradicts: named, nothing lost
    const [i, j] = (await pairOf(page)).split(" ").map(Number);
    const name = await page.$$eval(".card h2", (all) =>
      all.map((one) => one.textContent.trim()));
    appendFileSync(r.file,
      `${i},${j},"${name[0]}","${name[1]}",cannot-link,${time},other\n`);
    await page.keyboard.press("y");
    await untilAsked(page, 4);
    await says("both answers are named", page, "#saved",
      /must-link.*cannot-link|cannot-link.*must-link/);
    const text = await page.textContent("#saved");
    check("with the sample", text.includes(name[0]), text);
    same("the other's stays in the file", kinds(r.file)[3], "cannot-link");
    await shot(page, "trouble");
    // the own one undone, the other's counts
    await page.keyboard.press("z");
    await page.waitForFunction(() =>
      /Saved in/.test(document.querySelector("#saved").textContent));
    same("all is saved", kinds(r.file),
      ["must-link", "unsure", "cannot-link", "cannot-link"]);
    await untilAsked(page, 4);
  },

  async "R is killed and goes on"(browser) {
    const file = newFile();
    const first = await startR(file);
    const page = await openPage(browser, first.url);
    await press(page, "ynnu");
    const due = await pairOf(page);
    first.kill();
    await first.ended;
    await page.waitForSelector("#gone:not([hidden])");
    check("the page says what is true", /lost; trying again.*up to number 4 are saved/
      .test(await page.textContent("#gone")), await page.textContent("#gone"));
    const before = readFileSync(file, "utf8");
    // the page loads itself again
    await startR(file, "plain", first.port);
    await page.waitForSelector("#gone", { state: "hidden" });
    await untilAsked(page, 4);
    same("four answers", await asked(page), 4);
    same("the same question", await pairOf(page), due);
    same("the file is as it was", readFileSync(file, "utf8"), before);
  },

  async "a contradiction and its chain"(browser) {
    const r = await startR(newFile());
    const page = await openPage(browser, r.url);
    await press(page, "ynnynynn");
    const before = readFileSync(r.file, "utf8");
    const given = await asked(page);
    check("a contradiction is met", await contradict(page));
    const saved = readFileSync(r.file, "utf8");
    await eventually("focus moves there", () => page.evaluate(() =>
      document.activeElement.classList.contains("conflict")), true);
    const chain = await page.textContent(".chain");
    check("the chain", /=.*all of the same group.*\u2260/s.test(chain), chain);
    await shot(page, "contradiction");
    await accessible(page, "contradiction");
    await page.keyboard.press("y");
    await page.waitForTimeout(300);
    same("answer keys are off", await asked(page), given);
    await page.keyboard.press("Escape");
    await page.waitForSelector(".conflict", { state: "detached" });
    same("nothing was changed", readFileSync(r.file, "utf8"), saved);
    await page.waitForSelector("[data-pair]");
    // an answer of it opens in the ordinary view, with pictures and records
    check("met once more", await contradict(page));
    await page.locator(".conflict .look").first().click();
    await page.waitForSelector(".given-before");
    same("both samples are there", (await page.$$(".card h2")).length, 2);
    check("as an earlier answer", /Answer \d+, given before/
      .test(await page.textContent(".given-before")));
    await page.waitForSelector(".answer");
    await shot(page, "looked-at");
    await accessible(page, "examined");
    await page.keyboard.press("Escape");
    await page.waitForSelector(".given-before", { state: "detached" });
    await page.keyboard.press("Escape");
    await page.waitForSelector(".conflict", { state: "detached" });
    // from the list as well; the keys change this answer
    const rows = page.locator("#answers tr");
    await rows.last().locator(".look").click();
    await page.waitForSelector(".given-before");
    same("the pressed answer", await page.getAttribute(
      ".answer[aria-pressed=true]", "data-key"), "y");
    await page.keyboard.press("u");
    await page.waitForFunction(() =>
      /Answer 1 changed/.test(document.querySelector("#notice").textContent));
    same("changed in the file", kinds(r.file)[0], "unsure");
    const pressed = () => page.getAttribute(".answer[aria-pressed=true]", "data-key");
    await eventually("and pressed", pressed, "u");
    await page.keyboard.press("y");
    await eventually("and back", pressed, "y");
    await page.keyboard.press("Escape");
    await page.waitForSelector(".given-before", { state: "detached" });
    // again, and this time resolved by unsure for the others
    check("met again", await contradict(page));
    for (let turn = 0; turn < 12 && await page.$(".conflict"); turn++) {
      const now = await page.innerHTML(".conflict");
      await page.locator(".conflict tr:not(.changed) select").first()
        .selectOption("unsure");
      await page.waitForFunction((now) => {
        const panel = document.querySelector(".conflict");
        return !panel || panel.innerHTML !== now;
      }, now);
    }
    same("resolved", await page.$(".conflict"), null);
    check("in the file", readFileSync(r.file, "utf8") !== before);
    await press(page, "u");
  },

  async "a table with a factor has a result page"(browser) {
    const r = await startR(newFile(), "factor");
    const page = await openPage(browser, r.url);
    for (let given = 0; given < 12; given++) {
      const names = await page.$$eval(".card h2", (all) =>
        all.map((one) => one.textContent.match(/[NT](?=\d)/)[0]));
      await press(page, names[0] === names[1] ? "y" : "n");
    }
    await page.click(".progress-line [data-act*=result]");
    await page.waitForSelector(".result .strip");
    await accessible(page, "result of a factor");
    await page.keyboard.press("Escape");
    await page.waitForSelector("[data-pair]");
    await untilAsked(page, 12);
    await press(page, "n");
    same("R goes on", answers(r.file).length, 13);
  },

  async "to the end: downloads and Done"(browser) {
    const r = await startR(newFile(), "short");
    const page = await openPage(browser, r.url);
    const other = await openPage(browser, r.url);
    // T is a tumour, N a normal sample
    while (!await page.$(".finished")) {
      const names = await page.$$eval(".card h2", (all) =>
        all.map((one) => one.textContent.match(/[NT](?=\d)/)[0]));
      await press(page, names[0] === names[1] ? "y" : "n");
    }
    await shot(page, "finished");
    await accessible(page, "finished");
    const download = async (press) => {
      const [got] = await Promise.all([page.waitForEvent("download"), press()]);
      return readFileSync(await got.path(), "utf8");
    };
    same("answers, byte for byte",
      await download(() => page.click("#answers_csv")),
      readFileSync(r.file, "utf8"));
    // what was found: names, a sample to check, the map
    await page.click(".progress-line [data-act*=result]");
    await page.waitForSelector(".result .strip");
    await accessible(page, "result");
    await page.locator(".found-groups input").first().fill("Blau, <b>");
    await page.keyboard.press("Tab");
    await page.waitForFunction(() => /Blau, <b>/.test(
      document.querySelector(".map svg")?.textContent));
    await eventually("the focus is on the next name", () => page.evaluate(() =>
      [].indexOf.call(document.querySelectorAll(".found-groups input"),
        document.activeElement)), 1);
    await page.click(".map svg");
    await page.waitForSelector(".map .peek");
    for (const [width, height] of [[1366, 768], [800, 600], [390, 844]]) {
      await page.setViewportSize({ width, height });
      await fitsWidth(`of the result at ${width}`, page);
      await shot(page, `result-${width}`);
    }
    check("the name is in the file", /,"?Blau, <b>/.test(readFileSync(r.file, "utf8")));
    // five of those that nobody was asked about: sorted, though this asks in pairs
    await page.setViewportSize({ width: 1366, height: 768 });
    const seen = new Set(answers(r.file).flatMap((row) => [row[2], row[3]]));
    await page.getByText("Ask five more").click();
    await page.waitForFunction(() =>
      /Which group/.test(document.querySelector("h1").textContent));
    for (let count = 6; count < 11; count++) {
      await untilAsked(page, count);
      const names = await page.$$eval(".sorting .card h2", (all) =>
        all.map((one) => one.textContent.trim().replace(/^\d+\s+/, "")));
      check("nobody was asked about it", !seen.has(JSON.stringify(names[0])), names[0]);
      check("no guess, no share", !/computed/.test(await page.innerText("body")));
      if (count === 6) {
        await shot(page, "further");
        await accessible(page, "further samples");
        await press(page, "u");
        await page.keyboard.press("z");
        await untilAsked(page, count);
      }
      const like = names.slice(1).findIndex((name) => name[0] === names[0][0]);
      await page.keyboard.press(String(like + 1));
      await untilAsked(page, count + 1);
    }
    await page.waitForFunction(() => /Of [1-5] further samples [0-5] were computed right/
      .test(document.querySelector("#standing").textContent));
    same("ordinary rows", new Set(answers(r.file).filter((row) => row[0] !== row[1])
      .map((row) => row[6])).size, 1);
    await says("the question in pairs is back, or the end", page, "h1", /these two/);
    await untilAsked(page, 11);
    await shot(page, "further-right");
    await page.click("#done");
    same("R ends well", await r.ended, 0);
    const links = readFileSync(r.result, "utf8").trimEnd().split("\n");
    check("and has the links", links.length > 4, links.join("; "));
    await says("the page says so", page, "#gone", /^Done.*window can be closed/);
    await says("the other window as well", other, "#gone", /Another window has ended/);
  },

  async "a typed remark stays with its question"(browser) {
    const r = await startR(newFile(), "short");
    const page = await openPage(browser, r.url);
    await page.keyboard.press("r");
    await page.keyboard.type("torn edge");
    await page.keyboard.press("Enter");
    await press(page, "y");
    await eventually("an empty field", () => page.inputValue("#remark"), "");
    await press(page, "z");
    await eventually("and the text after undo", () => page.inputValue("#remark"),
      "torn edge");
    // an answer that never arrives
    r.kill();
    await page.keyboard.press("y");
    same("the text is kept", await page.evaluate(() =>
      Object.values(sessionStorage).includes("torn edge")), true);
  },

  async "remarks and more questions"(browser) {
    const r = await startR(newFile(), "short");
    const page = await openPage(browser, r.url);
    await page.keyboard.press("r");
    same("r goes to the remark", await page.evaluate(() =>
      document.activeElement.id), "remark");
    await page.keyboard.type("=yes, out of focus");
    same("letters are text there", await asked(page), 0);
    await page.keyboard.press("Enter");
    await press(page, "y");
    await eventually("an empty field again", () => page.inputValue("#remark"), "");
    check("in the file, guarded", lines(r.file)[0].endsWith(
      ",\"'=yes, out of focus\",FALSE"), lines(r.file)[0]);
    check("with the mark of UTF-8", readFileSync(r.file)[0] === 0xef);
    await page.fill("#remark", "for the next");
    await page.locator("#answers tr").last().locator("select").selectOption("unsure");
    await page.waitForFunction(() =>
      /Answer 1 changed/.test(document.querySelector("#notice").textContent));
    same("typed text stays", await page.inputValue("#remark"), "for the next");
    // an earlier answer shows its own, which can be changed
    await page.locator("#answers tr").last().locator(".look").click();
    await page.waitForSelector("#remark[data-earlier]");
    await page.waitForSelector("#undo", { state: "detached" });
    await page.keyboard.press("z");
    same("that of the answer", await page.inputValue("#remark"),
      "=yes, out of focus");
    await accessible(page, "remark");
    await page.fill("#remark", "sharp");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() =>
      /Remark on answer 1/.test(document.querySelector("#notice").textContent));
    check("in the file", /,"sharp",FALSE$/.test(answers(r.file)[0].join()),
      answers(r.file)[0].join());
    await page.keyboard.press("Escape");
    await page.waitForSelector("#remark:not([data-earlier])");
    await eventually("and is there again", () => page.inputValue("#remark"),
      "for the next");
    await page.fill("#remark", "");
    await page.keyboard.press("Enter");
    await press(page, "nznnnnn");
    // what was changed and undone stays in the file
    const first = lines(r.file)[0].split(",").slice(0, 4).join();
    same("the history", lines(r.file).filter((line) => line.startsWith(first) ||
      /,undone,/.test(line)).map((line) => line.split(",")[4]),
      ["must-link", "unsure", "unsure", "undone"]);
    await page.waitForSelector(".finished");
    await shot(page, "more");
    await page.click(".finished button[data-act*=more]");
    await page.waitForSelector("[data-pair]");
    await untilAsked(page, 6);
    await press(page, "u");
    same("asked on", await asked(page), 7);
  },

  async "pictures, dark, phone"(browser) {
    const r = await startR(newFile(), "pictures");
    const page = await openPage(browser, r.url);
    await loaded(page);
    check("evidence is folded", !(await page.isVisible(".evidence")));
    await shot(page, "pictures");
    await press(page, "u");
    await page.click(".folded summary");
    await page.waitForSelector("#map svg");
    check("and says why, folded or not",
      /Bitte nach Ihrem Wissen/.test(await page.innerText(".aside > .empty")));
    const open = () => eventually("it stays open", () => page.isVisible(".evidence"), true);
    for (const key of "nnyn") {
      await press(page, key);
      await open();
    }
    const seen = answers(r.file).map((row) => row.find((cell) => /picture/.test(cell)));
    check("in view when answered", /^"picture\+description\+features\+map/.test(seen[1]),
      seen);
    await page.click(".picture");
    await enlarged(page, 2);
    const moves = () => page.$$eval("#zoom img", (all) =>
      all.map((one) => one.style.transform));
    await page.keyboard.press("+");
    const frame = await page.locator("#zoom .side-a div").boundingBox();
    await page.mouse.move(frame.x + 50, frame.y + 50);
    await page.mouse.wheel(0, -300);
    await page.mouse.down();
    await page.mouse.move(frame.x + 90, frame.y + 70);
    await page.mouse.up();
    const first = async (pattern) => pattern.test((await moves())[0]);
    await eventually("enlarged and moved", () =>
      first(/^(?!.*\b0px).*scale\(1.[6-9]/), true);
    const [left, right] = await moves();
    same("in step", left, right);
    await page.keyboard.press("0");
    const whole = () => eventually("whole again", async () => (await moves())[0],
      "translate(0px, 0px) scale(1)");
    await whole();
    // two fingers, a hundred pixels to the right of the middle
    const touch = await page.context().newCDPSession(page);
    const fingers = (type, apart) => touch.send("Input.dispatchTouchEvent", {
      type, touchPoints: apart ? [-apart, apart].map((by, id) => ({ id,
        x: frame.x + frame.width / 2 + 100 + by, y: frame.y + frame.height / 2 })) : [],
    });
    await fingers("touchStart", 40);
    for (const apart of [50, 60, 70, 80]) await fingers("touchMove", apart);
    await fingers("touchEnd", 0);
    await eventually("pinched", () => first(/scale\((1\.9[5-9]|2)/), true);
    const [pinched, beside] = await moves();
    same("pinched in step", pinched, beside);
    const [x, y, scale] = pinched.match(/-?[\d.]+(?=px|\))/g).map(Number);
    check("twice as large, about the fingers", Math.abs(scale - 2) < 0.05 &&
      Math.abs(x + 100) < 8 && Math.abs(y) < 3, pinched);
    await page.keyboard.press("0");
    await whole();
    await shot(page, "enlarged");
    await accessible(page, "enlarged");
    await press(page, "y");
    await page.waitForFunction(() => ["a", "b"].every((side) =>
      document.querySelector(`.card.side-${side} .picture`).dataset.zoom ===
      document.querySelector(`#zoom .side-${side} img`).getAttribute("src")));
    check("the next pair while enlarged", await page.isVisible("#zoom img"));
    await page.keyboard.press("Escape");
    await page.waitForFunction(() => !document.querySelector("#zoom").open);
    same("in German", [await page.getAttribute("html", "lang"), (await page.innerText(
      ".answer")).includes("Gleiche Gruppe")], ["de", true]);
    const names = await page.$$eval(".card h2", (all) =>
      all.map((one) => one.textContent.trim()));
    check("codes, not names", names.every((one) => /^[A-Z]\d$/.test(one)),
      names.join());
    const said = (await page.innerText("body")).split(/[^A-Za-z0-9]+/);
    check("anywhere", !answers(r.file).some((row) =>
      said.includes(row[2]) || said.includes(row[3])));
    await page.locator("#letters").uncheck();
    const before = await asked(page);
    await page.locator("h1").click();
    await page.keyboard.press("y");
    await page.waitForTimeout(300);
    same("letters can be switched off", await asked(page), before);
    await page.locator("#letters").check();
    await accessible(page, "pictures");
    await page.emulateMedia({ colorScheme: "dark" });
    await shot(page, "dark");
    await accessible(page, "dark");
    await page.emulateMedia({ colorScheme: "light" });
    for (const [width, height, name] of [[800, 600, "tablet"], [390, 844, "phone"]]) {
      await page.setViewportSize({ width, height });
      await fitsWidth(`on a ${name}`, page);
      await shot(page, name);
      await accessible(page, name);
    }
    same("no target under 24 pixels", await page.$$eval("button", (all) =>
      all.filter((one) => one.offsetParent).map((one) =>
        one.getBoundingClientRect()).filter((box) =>
        Math.min(box.width, box.height) < 24).length), 0);
  },

  async "unscaled data; a record that is missing"(browser) {
    const cells = await startR(newFile(), "cells");
    let page = await openPage(browser, cells.url);
    for (let step = 0; step < 3; step++) {
      const places = await page.$$eval(".track svg svg", (all) =>
        all.map((one) => parseFloat(one.getAttribute("x"))));
      check("every place on its track", places.length > 0 &&
        places.every((at) => at >= 0 && at <= 100), places.join(" "));
      await press(page, "n");
    }
    for (const width of [1366, 390]) {
      await page.setViewportSize({ width, height: 768 });
      await fitsWidth(`at ${width}`, page);
    }
    await shot(page, "cells");
    cells.kill();
    const { writeFileSync, unlinkSync } = await import("node:fs");
    const r = await startR(newFile(), "failing");
    page = await openPage(browser, r.url);
    const names = await page.$$eval(".card h2", (all) => all.map((one) =>
      one.textContent));
    writeFileSync(`${r.file}.broken`, (await pairOf(page)).split(" ")[0] + "\n");
    await page.reload();
    await page.waitForSelector(".card .trouble");
    same("both names stay", await page.$$eval(".card h2", (all) => all.map((one) =>
      one.textContent)), names);
    same("record and picture of one", await page.$$eval(".card .trouble", (all) =>
      all.length), 2);
    same("the other has its own", await page.$$eval(".card.side-b img, .card.side-b .facts",
      (all) => all.length), 2);
    check("in a sentence", /could not be shown: no record of this patient/
      .test(await page.textContent(".card .trouble")));
    await shot(page, "missing");
    await accessible(page, "missing");
    unlinkSync(`${r.file}.broken`);
    await page.keyboard.press("y");
    await page.waitForTimeout(300);
    same("not answered by one key", await asked(page), 0);
    await page.locator(".card button.again").first().click();
    await page.waitForFunction(() => !document.querySelector(".card .trouble"));
    same("tried again", await page.$$eval(".card img", (all) => all.length), 2);
  },

  async "a picture that cannot be decoded"(browser) {
    const r = await startR(newFile(), "spoilt");
    const page = await openPage(browser, r.url);
    const sound = async () => (await pairOf(page)).split(" ").map((i) => Number(i) % 2 === 1);
    let met = 0, whole = 0;
    for (let given = 0; given < 24 && (given < 8 || whole === 0); given++) {
      const good = await sound();
      await page.waitForFunction(() => [...document.querySelectorAll(".picture img")]
        .every((image) => image.complete && image.naturalWidth > 0));
      same("a picture, or a sentence in its place", await page.$$eval(".card", (all) =>
        all.map((one) => one.querySelectorAll(".picture").length === 1 ? "picture" :
          one.querySelector(".trouble").textContent)), good.map((one) => one ? "picture" :
        "The picture could not be shown: this browser cannot read the file"));
      if (good.every((one) => one)) {
        whole++;
        await press(page, "n");
        continue;
      }
      if (++met === 1) {
        await shot(page, "undecoded");
        await accessible(page, "a picture that cannot be decoded");
      }
      // not by one key, nor by keys that say something else
      await page.keyboard.press("n");
      await page.waitForTimeout(300);
      same("not answered", await asked(page), given);
      check("which is said", /Press again/.test(await page.textContent("#notice")));
      await page.keyboard.press("y");
      await page.waitForTimeout(300);
      same("nor by another", await asked(page), given);
      await press(page, given % 2 ? "u" : "y");
    }
    check("both kinds were met", met > 0 && whole > 0, `${met} ${whole}`);
    same("all is in the file", lines(r.file).length, met + whole);
  },

  async "several raters, a key, another origin"(browser) {
    const r = await startR(newFile(), "raters");
    same("no key, no page", (await fetch(r.url)).status, 403);
    // a page of another origin, which even knows the link
    const { createServer } = await import("node:http");
    const server = createServer((_, answer) => answer.end("<p>other"));
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
    const evil = await browser.newPage();
    await evil.goto(`http://127.0.0.1:${server.address().port}/`);
    const heard = await evil.evaluate((url) => new Promise((resolve) => {
      const socket = new WebSocket(`${url.replace("http", "ws")}websocket/`);
      let text = "";
      socket.onmessage = (event) => { text += event.data; };
      socket.onclose = () => resolve(`closed ${text}`);
      socket.onopen = () => socket.send(JSON.stringify({ method: "init", data:
        { ".clientdata_url_search": "?rater=ann&key=sesame-12" } }));
      setTimeout(() => resolve(`open ${text}`), 20000);
    }), r.url);
    check("it is refused", heard.startsWith("closed") &&
      !/data-pair|card|N22/.test(heard), heard.slice(0, 200));
    await evil.close();
    server.close();
    // the name is asked once
    const ann = await browser.newPage();
    ann.setDefaultTimeout(patience);
    await ann.goto(`${r.url}?key=sesame-12`);
    await accessible(ann, "name");
    await shot(ann, "name");
    await ann.click("button[value=ann]");
    await ann.waitForSelector("[data-pair]");
    const bob = await openPage(browser, `${r.url}?rater=bob&key=sesame-12`);
    same("the same first question", await pairOf(bob), await pairOf(ann));
    await press(ann, "ynn");
    await press(bob, "n");
    same("each their own", [await asked(ann), await asked(bob)], [3, 1]);
    const own = (name) => r.file.replace(".csv", `-${name}.csv`);
    same("a file each", [kinds(own("ann")), kinds(own("bob"))],
      [["must-link", "cannot-link", "cannot-link"], ["cannot-link"]]);
    check("with rater and source", /,web,ann,,1,features in view,"names[+]features[+]map",,FALSE$/.test(lines(own("ann"))[0]),
      lines(own("ann"))[0]);
    await says("the page says who answers", ann, "#saved", /ann/);
    // two windows of one person
    const second = await openPage(browser, `${r.url}?rater=bob&key=sesame-12`);
    await bob.waitForSelector(".others");
    await second.close();
    await bob.waitForSelector(".others", { state: "detached" });
    await ann.click("#done");
    await ann.waitForSelector("#gone:not([hidden])");
    check("one's own end", /answers are saved/.test(await ann.textContent("#gone")));
    await press(bob, "y");
    same("the other goes on", await asked(bob), 2);
    await bob.click("#done");
    same("R ends when all are done", await r.ended, 0);
    check("with the answers of both", existsSync(r.result));
  },

  async "two programs at one file, each of another person"(browser) {
    const file = newFile();
    const [ann, bob] = [await startR(file, "as-ann"), await startR(file, "as-bob")];
    const pages = [await openPage(browser, ann.url), await openPage(browser, bob.url)];
    same("the same first question", await pairOf(pages[0]), await pairOf(pages[1]));
    for (let step = 0; step < 4; step++)
      await Promise.all([press(pages[0], "y"), press(pages[1], "n")]);
    const of = (name) => lines(file).filter((line) => line.includes(`,web,${name},,`))
      .map((line) => line.split(",")[4]);
    await Promise.all([press(pages[0], "z"), press(pages[1], "u")]);
    same("the rows of both", [of("ann").filter((one) => one === "must-link").length,
      of("bob")], [4, ["cannot-link", "cannot-link", "cannot-link", "cannot-link",
      "unsure"]]);
    same("one of them undone", lines(file).filter((line) =>
      /,undone,[-0-9T:]+Z,web,ann,/.test(line)).length, 1);
    for (const page of pages) await says("saved", page, "#saved", /Saved in/);
  },

  async "a name is asked for, in German"(browser) {
    const r = await startR(newFile(), "asked");
    const page = await browser.newPage();
    await page.goto(r.url);
    await accessible(page, "name in German");
    same("in German", [await page.getAttribute("html", "lang"),
      await page.textContent("label")], ["de", "Ihr Name"]);
    await shot(page, "name-german");
    await page.fill("#rater", "J\u00f6rg Mei\u00dfner");
    await page.press("#rater", "Enter");
    await page.waitForTimeout(300);
    check("a blank is refused by the form", !(await page.$("[data-pair]")));
    await page.fill("#rater", "J\u00f6rg");
    await page.press("#rater", "Enter");
    await page.waitForSelector("[data-pair]");
    await press(page, "y");
    await says("the page says who answers", page, "#saved", /j\u00f6rg antwortet/i);
    const own = r.file.replace(".csv", "-j\u00f6rg.csv");
    check("the rater is in the own file", existsSync(own) &&
      lines(own)[0].includes("j\u00f6rg"), own);
  },

  async "thirty answers, and the page does not grow"(browser) {
    const r = await startR(newFile(), "soak");
    const page = await openPage(browser, r.url);
    const devtools = await page.context().newCDPSession(page);
    await devtools.send("Performance.enable");
    const size = async () => {
      await devtools.send("HeapProfiler.collectGarbage");
      const { metrics } = await devtools.send("Performance.getMetrics");
      const value = (name) => metrics.find((one) => one.name === name).value;
      return [await page.evaluate(() => document.querySelectorAll("*").length),
        value("JSEventListeners"), value("Nodes")];
    };
    // the list shows twenty
    let total = 0;
    // a question without features to show has fewer elements; a handle of the
    // table would keep it
    const isWhole = () => page.evaluate(() =>
      document.querySelector("#question table") !== null);
    const answer = async (keys) => {
      await press(page, keys);
      for (total += keys.length; !await isWhole(); total++) await press(page, "u");
    };
    await answer("n" + "u".repeat(20));
    const before = await size();
    await answer("u".repeat(9));
    same("all are in the file", lines(r.file).length, total);
    // what was drawn may be released later
    await eventually("elements, listeners and nodes stay", async () =>
      (await size()).map((count, at) => count <= before[at] * 1.1 || count),
      before.map(() => true));
    // those that are not shown are found, and shown when asked for
    const rows = (wanted) => page.waitForFunction((wanted) => String(
      [...document.querySelectorAll("#answers td.number")].map((one) =>
        one.textContent)) === wanted, String(wanted));
    await page.fill("#find", "different");
    await rows([1]);
    await page.locator("#answers select").selectOption("must-link");
    await page.waitForFunction(() => /No answer contains/.test(
      document.querySelector("#answers").textContent));
    await accessible(page, "nothing found");
    await page.keyboard.press("y");
    await page.fill("#find", "");
    await page.keyboard.press("Escape");
    same("Escape leaves the field",
      await page.evaluate(() => document.activeElement.id), "");
    await page.locator("#answers > .again").click();
    await rows(Array.from({ length: total }, (_, at) => total - at));
    same("keys are text in the field", lines(r.file).length, total + 1);
  },

  async "sorting: keys, undo, nine groups, resume, to the end"(browser) {
    const file = newFile();
    let r = await startR(file, "sort");
    let page = await openPage(browser, r.url);
    const groups = () => page.$$eval(".groups .card", (all) => all.length);
    const rows = () => answers(file);
    check("another question", /Which group/.test(await page.textContent("h1")));
    same("one group", await groups(), 1);
    await press(page, "00");
    same("three groups", await groups(), 3);
    await accessible(page, "sorting");
    const due = (await pairOf(page)).split(" ");
    await press(page, "2");
    // all that were shown, in their order; two of them only follow
    const last = rows().slice(-3);
    const column = (name) => readFileSync(file, "utf8").split("\n")[0].split(",")
      .indexOf(name);
    same("the pairs in the file", last.map((row) => [row[0], row[1]]),
      due.slice(1).map((member) => [due[0], member]));
    same("what was said", last.map((row) => [row[4], row[column("implied")]]),
      [["cannot-link", "TRUE"], ["must-link", "FALSE"], ["cannot-link", "TRUE"]]);
    same("one action", new Set(last.map((row) => row[column("action")])).size, 1);
    same("one row of the list", await page.$$eval("#answers tr", (all) => all.length), 3);
    await page.keyboard.press("z");
    await untilAsked(page, 2);
    same("undone as a whole", [rows().length, await pairOf(page)], [3, due.join(" ")]);
    await page.keyboard.press("7");
    await page.keyboard.press("y");
    await page.waitForTimeout(300);
    same("no such group, and no word for one of several", await asked(page), 2);
    // a French layout: digits by their place
    await page.evaluate(() => document.dispatchEvent(
      new KeyboardEvent("keydown", { key: "&", code: "Digit1" })));
    await untilAsked(page, 3);
    await press(page, "u");
    same("nobody can tell", rows().slice(-3).map((row) => row[4]),
      ["unsure", "unsure", "unsure"]);
    const edge = (what, side) => page.$eval(what, (one, side) =>
      one.getBoundingClientRect()[side], side);
    check("joining right below the cards",
      await edge(".join", "top") - await edge(".groups", "bottom") < 20);
    while (await groups() < 9) await press(page, "0");
    // enlarged to 200 %
    await page.setViewportSize({ width: 640, height: 400 });
    check("None of these in sight", await edge(".answer.cannot-link", "bottom") <= 400);
    await fitsWidth("enlarged", page);
    await page.setViewportSize({ width: 1366, height: 768 });
    same("eight groups above the buttons", await page.$$eval(".groups .card",
      (all) => all.slice(0, 8).filter((one) => one.getBoundingClientRect().bottom >
        document.querySelector("#buttons").getBoundingClientRect().top).length), 0);
    check("the map is folded", await page.$(".new .folded:not([open])"));
    await shot(page, "sorting-nine");
    await accessible(page, "nine groups");
    // like none of nine is one action
    const count = await asked(page) + 1;
    await press(page, "0");
    same("of ten groups the nearest eight", await groups(), 8);
    await page.setViewportSize({ width: 390, height: 844 });
    check("on a phone the new sample is above them", await edge(".new .card",
      "right") > 300 && await page.$(".more"));
    await page.setViewportSize({ width: 1366, height: 768 });
    // two of them are one group
    const sample = (await pairOf(page)).split(" ")[0];
    await page.keyboard.press("j");
    check("at the menu", await page.evaluate(() =>
      document.activeElement.matches(".join select")));
    await page.locator(".join select").nth(0).selectOption("3");
    await page.locator(".join select").nth(1).selectOption("5");
    await page.click(".join button");
    await page.waitForFunction(() =>
      document.querySelectorAll(".groups .card").length === 9);
    await says("what has changed", page, "#notice", /^Answer \d+ changed/);
    await untilAsked(page, count);
    same("the same sample", (await pairOf(page)).split(" ")[0], sample);
    const list = () => page.$$eval("#answers select", (all) => all.map((one) =>
      one.selectedOptions[0].textContent));
    const said = await list(), next = await pairOf(page);
    r.kill();
    await r.ended;
    await page.waitForSelector("#gone:not([hidden])");
    r = await startR(file, "sort", r.port);
    await page.waitForSelector("#gone", { state: "hidden" });
    await untilAsked(page, count);
    same("the same answers and question", [await list(), await pairOf(page)],
      [said, next]);
    while (!await page.$(".finished")) await press(page, "1");
    await page.click("#done");
    same("R ends well", await r.ended, 0);
    check("and has the links", readFileSync(r.result, "utf8").split("\n").length > 30);
  },

  async "sorting: the nearest of a group, at once"(browser) {
    const file = newFile();
    let r = await startR(file, "sort german");
    const page = await openPage(browser, r.url);
    const nameOf = (text) => text.match(/[NT](?=\d)/)[0];
    const cards = (where) => page.$$eval(`${where} h2`, (all) =>
      all.map((one) => one.textContent));
    for (let step = 0; step < 9; step++) {
      const [own, ...groups] = (await cards(".sorting .card")).map(nameOf);
      await press(page, String(groups.indexOf(own) + 1));
    }
    const before = readFileSync(file, "utf8");
    // to the result, and what is offered for its second group
    const offer = async () => {
      await page.click(".progress-line [data-act*=result]");
      await page.waitForSelector(".found-groups");
      await shot(page, "offers");
      await page.locator(".found-group .again").nth(1).click();
      await page.waitForSelector(".also");
    };
    await offer();
    same("nothing is checked", await page.$$eval(".also:checked", (all) => all.length), 0);
    const offered = await cards(".groups .card"), asked = await list(page);
    check("nobody was asked about them", offered.length > 2 &&
      !offered.some((name) => asked.includes(name.trim())), offered.join());
    await accessible(page, "the nearest of a group");
    for (const [width, height] of [[1280, 800], [390, 844]]) {
      await page.setViewportSize({ width, height });
      await fitsWidth(`beside a group at ${width}`, page);
      same(`a box to hit at ${width}`, await page.$$eval(".also", (all) => all.every(
        (one) => one.getBoundingClientRect().width >= 24)), true);
      await shot(page, `nearest-${width}`);
      await accessible(page, `the nearest of a group at ${width}`);
    }
    // by the keyboard alone; Esc goes back, and nothing is said
    await page.focus(".back");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Space");
    same("the first box", await page.$$eval(".also:checked", (all) => all.map((one) =>
      one.value)), ["1"]);
    await page.keyboard.press("Escape");
    await page.waitForSelector(".found-groups");
    same("no answer", readFileSync(file, "utf8"), before);
    await page.keyboard.press("Escape");
    await page.waitForSelector("[data-pair]");
    await untilAsked(page, 9);
    const due = await pairOf(page);
    await offer();
    await page.locator("label:has(.also)").nth(0).click();
    await page.locator("label:has(.also)").nth(2).click();
    await page.focus(".also >> nth=-1");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await says("how many", page, "#notice", /: 2[.] Einmal R\u00fcckg\u00e4ngig/);
    await untilAsked(page, 11);
    check("the result with them", await page.isVisible(".found-groups"));
    const rows = lines(file).slice(-2).map((line) => line.split(","));
    same("two rows, each of one of them", rows.map((row) => JSON.parse(row[2])),
      [0, 2].map((at) => offered[at].trim()));
    same("with one of the group, at one time", [new Set(rows.map((row) => row[3])).size,
      new Set(rows.map((row) => row[5])).size, rows.map((row) => row[4])],
      [1, 1, ["must-link", "must-link"]]);
    check("and that they were offered", rows.every((row) => /[+]nearest/.test(row.join())),
      rows.join(" "));
    await page.keyboard.press("z");
    await says("one undo", page, "#notice", /angekreuzt.*: 2 Proben/);
    await untilAsked(page, 9);
    same("is for both", [answers(file).length, await pairOf(page)],
      [before.trimEnd().split("\n").length - 1, due]);
    await offer();
    for (const at of [0, 1, 2]) await page.locator(".also").nth(at).check();
    await page.click("text=Angekreuzte in diese");
    await untilAsked(page, 12);
    await page.keyboard.press("Escape");
    await page.waitForSelector("[data-pair]");
    await untilAsked(page, 12);
    const now = [await list(page), await pairOf(page)];
    r.kill();
    await r.ended;
    await page.waitForSelector("#gone:not([hidden])");
    r = await startR(file, "sort german", r.port);
    await page.waitForSelector("#gone", { state: "hidden" });
    await untilAsked(page, 12);
    same("after a restart", [await list(page), await pairOf(page)], now);
    await page.keyboard.press("z");
    await untilAsked(page, 9);
    same("one undo is for all three", await pairOf(page), due);
  },

  async "sorting: mouse, an earlier answer, pictures in step"(browser) {
    const r = await startR(newFile(), "sort pictures");
    const page = await openPage(browser, r.url);
    for (let count = 1; count < 4; count++) {
      await page.click(".answer.cannot-link");
      await untilAsked(page, count);
    }
    await page.locator(".like").nth(2).click();
    await untilAsked(page, 4);
    same("like the third", kinds(r.file).slice(-4), ["cannot-link", "cannot-link",
      "must-link", "cannot-link"]);
    await eventually("focus stays in place", () => page.evaluate(() =>
      document.activeElement.dataset.key), "3");
    same("a record and a picture each", await page.$$eval(".sorting .card", (all) =>
      all.map((one) => one.querySelectorAll(".picture img, .facts").length)),
      [2, 2, 2, 2, 2]);
    await accessible(page, "sorting, pictures");
    // enlarged: the sample beside any of the groups
    await page.locator(".groups .picture").nth(1).click();
    const source = (side) => page.getAttribute(`#zoom .side-${side} img`, "src");
    const own = (at) => page.locator(".groups .picture").nth(at).getAttribute("data-zoom");
    same("the second group", await source("b"), await own(1));
    await page.click("[data-view=after]");
    same("the third", await source("b"), await own(2));
    await page.keyboard.press("PageUp");
    same("and back", await source("b"), await own(1));
    await enlarged(page, 2);
    await page.click("[data-view=full]");
    const moves = await page.$$eval("#zoom img", (all) => all.map((one) =>
      one.style.transform));
    same("in step", moves[0], moves[1]);
    check("every pixel", /scale\(1\.[1-9]/.test(moves[0]), moves[0]);
    await page.keyboard.press("0");
    await untilAsked(page, 5);
    await page.waitForSelector("#zoom img");
    await page.keyboard.press("Escape");
    await page.waitForFunction(() => !document.querySelector("#zoom").open);
    // an earlier answer, as it was asked
    await page.locator("#answers tr").nth(1).locator(".look").click();
    await page.waitForSelector(".given-before");
    same("beside its groups", await page.$$eval(".groups .card", (all) => all.length), 4);
    same("and what was said", await page.getAttribute(".answer[aria-pressed=true]",
      "data-key"), "3");
    await accessible(page, "sorting, shown again");
    await page.keyboard.press("2");
    await page.waitForFunction(() => document.querySelector(
      ".answer[aria-pressed=true]").dataset.key === "2");
    same("changed as one", [kinds(r.file).slice(6, 10), await asked(page)], [
      ["cannot-link", "must-link", "cannot-link", "cannot-link"], 5]);
    await page.keyboard.press("Escape");
    await page.waitForSelector(".given-before", { state: "detached" });
    for (const [width, height] of [[1366, 768], [800, 600], [390, 844]]) {
      await page.setViewportSize({ width, height });
      await fitsWidth(`at ${width}`, page);
      await shot(page, `sorting-${width}`);
    }
    await eventually("the new sample takes a quarter of the screen at most", () =>
      page.$eval(".new .card", (card) =>
        card.offsetHeight <= window.innerHeight / 4 + 1 &&
        card.scrollHeight <= card.clientHeight), true);
    await accessible(page, "sorting, phone");
    same("no target under 24 pixels", await page.$$eval("button, select", (all) =>
      all.filter((one) => one.offsetParent).map((one) =>
        one.getBoundingClientRect()).filter((box) =>
        Math.min(box.width, box.height) < 24).length), 0);
  },

  async "the pictures of the next question are there"(browser) {
    const fetched = new Set();
    let coming = [], sent = 0;
    browser.on("requestfinished", (request) => fetched.add(request.url()));
    // an empty list of pictures is the last one of a question
    browser.on("page", (page) => page.on("websocket", (socket) =>
      socket.on("framereceived", ({ payload }) => {
        const ahead = /"ahead":(\[[^\]]*\])/.exec(payload);
        if (ahead) coming.push(...JSON.parse(ahead[1]));
        if (ahead && ahead[1] === "[]") sent++;
      })));
    for (const [kind, keys] of [["pictures", "nyu"], ["sort pictures", "010"]]) {
      const r = await startR(newFile(), kind);
      [coming, sent] = [[], 0];
      const page = await openPage(browser, r.url);
      for (const [number, key] of [...keys].entries()) {
        for (const until = Date.now() + patience; Date.now() < until &&
          !(sent > number && coming.every((one) => fetched.has(r.url + one)));)
          await page.waitForTimeout(100);
        const held = new Set(fetched);
        await press(page, key);
        const shown = await page.$$eval(".picture img", (all) => all.map((one) => one.src));
        check(`${kind}, ${key}: fetched before the answer`, shown.length > 1 &&
          shown.every((one) => held.has(one)), shown.filter((one) => !held.has(one)).join());
      }
      r.kill();
    }
  },

  async "sorting: two raters, and who leads them"(browser) {
    const r = await startR(newFile(), "sort leads");
    const open = (key) => openPage(browser, `${r.url}?key=${key}`);
    const ann = await open("sesame-12"), bob = await open("sesame-34");
    same("the key leaves the address", [ann.url(), bob.url()], [r.url, r.url]);
    await press(ann, "00112");
    await press(bob, "00122");
    // the key is still that of this window
    await bob.reload();
    await bob.waitForSelector("[data-pair]");
    await says("Bob's after a reload", bob, "#saved", /bob answers/);
    same("at the same address", bob.url(), r.url);
    const own = (name) => r.file.replace(".csv", `-${name}.csv`);
    same("the same samples", lines(own("ann")).map((line) => line.split(",")[0]),
      lines(own("bob")).map((line) => line.split(",")[0]));
    same("nobody else is let in", await Promise.all(["", "?key=sesame-5", "?leader=1",
      "?rater=leader"].map(async (link) => (await fetch(r.url + link)).status)),
      [403, 403, 403, 403]);
    check("Ann finds nothing of it", !/sesame-56|settle/.test(await ann.content()));
    const leader = await browser.newPage();
    await leader.goto(`${r.url}?key=sesame-56`);
    same("a row for each, with answers and what is left", await leader.$$eval(
      "table:first-of-type tr", (rows) => rows.slice(1, 3).map((row) =>
        [...row.cells].slice(0, 3).map((cell) => cell.textContent))),
      [["ann", "5", "15"], ["bob", "5", "15"]]);
    check("the agreement", /Adjusted Rand index/.test(await leader.textContent("main")));
    same("no key in the address", leader.url(), r.url);
    for (const [width, height] of [[1280, 860], [390, 844]]) {
      await leader.setViewportSize({ width, height });
      await fitsWidth(`of the agreement at ${width}`, leader);
      await accessible(leader, `agreement at ${width}`);
      await shot(leader, `agreement-${width}`);
    }
    await leader.setViewportSize({ width: 1280, height: 860 });
    await leader.emulateMedia({ colorScheme: "dark" });
    await leader.reload();
    await leader.waitForSelector("[name=joint]");
    await accessible(leader, "agreement, dark, after a reload");
    const [got] = await Promise.all([leader.waitForEvent("download"),
      leader.click("[name=joint]")]);
    check("the joint result", /must-link/.test(readFileSync(await got.path(), "utf8")));
    // what is in dispute is asked there
    await leader.click("[name=settle]");
    await leader.waitForSelector("[data-pair]");
    await says("who answers", leader, "#saved", /leader answers/);
    await says("what is left", leader, ".progress-line", /raters differ/);
    await shot(leader, "settle");
    await accessible(leader, "settling, dark");
    for (let step = 0; step < 20 && await leader.$("[data-pair]"); step++)
      await press(leader, "1");
    await leader.waitForSelector(".finished");
    await ann.click("#done");
    await says("Ann is done", ann, "#gone", /^Done/);
    await bob.click("#done");
    await says("Bob is done", bob, "#gone", /^Done/);
    await leader.click("#done");
    same("R ends when all are done", await r.ended, 0);
    check("with one set of links", existsSync(r.result));
  },

  async "behind a web server"(browser) {
    if (!hasNginx) {
      console.log("nginx is not here: what a proxy does to the page is not tried.");
      return check("nothing to try", true);
    }
    const r = await startR(newFile(), "sort keyed");
    const documented = readFileSync("servers.Rmd", "utf8")
      .match(/location [^]*?\n}/)[0].replace(/auth_basic.*/g, "")
      .replace(/127[.]0[.]0[.]1:\d+/, `127.0.0.1:${r.port}`);
    const open = async (url) => {
      const page = await browser.newPage();
      page.loads = 0;
      page.on("load", () => page.loads++);
      await page.goto(url);
      return page;
    };
    const good = await startNginx(documented);
    let page = await open(`${good.url}questions/?key=sesame-12`);
    await page.waitForSelector("[data-pair]");
    await press(page, "00");
    same("the key leaves the address", page.url(), `${good.url}questions/`);
    await page.reload();
    await untilAsked(page, 2);
    const [got] = await Promise.all([page.waitForEvent("download"),
      page.click("#answers_csv")]);
    same("the answers", readFileSync(await got.path(), "utf8"),
      readFileSync(r.file, "utf8"));
    await accessible(page, "behind nginx");
    same("no referrer",
      (await fetch(`${good.url}questions/?key=sesame-12`)).headers.get("referrer-policy"),
      "no-referrer");
    // what is missing is said, there and in R, and nothing is loaded for ever
    const upgrade = "proxy_http_version 1.1; proxy_set_header Upgrade $http_upgrade; " +
      "proxy_set_header Connection upgrade;";
    const faults = {
      "no address": [upgrade, /Opened as 127.*asked for 127.*X-Forwarded-Host/],
      "no web sockets": ["proxy_set_header Host $http_host;", /let web sockets through/],
      "nothing but proxy_pass": ["", /let web sockets through/],
    };
    for (const [fault, [lines, sentence]] of Object.entries(faults)) {
      const said = r.said().length;
      const bad = await startNginx(
        `location / { proxy_pass http://127.0.0.1:${r.port}; ${lines} }`);
      page = await open(`${bad.url}?key=sesame-12`);
      await says(`${fault}: on the page`, page, "#gone", sentence);
      await page.waitForTimeout(3000);
      same(`${fault}: loaded once`, page.loads, 1);
      check(`${fault}: in R`, sentence.test(r.said().slice(said)) ||
        fault === "nothing but proxy_pass", r.said());
      await accessible(page, fault);
      await shot(page, `proxy-${fault.replace(/ /g, "-")}`);
    }
    const plain = await browser.browser().newContext({ javaScriptEnabled: false });
    page = await plain.newPage();
    await page.goto(`${r.url}?key=sesame-12`);
    check("without JavaScript", /needs JavaScript/.test(await page.innerText("body")));
    await shot(page, "no-javascript");
    await plain.close();
  },

  async "no rater stops another"(browser) {
    const r = await startR(newFile(), "sort asked");
    const ann = await openPage(browser, `${r.url}?rater=ann`);
    const bob = await openPage(browser, `${r.url}?rater=bob`);
    const answer = async () => {
      const begin = Date.now();
      await press(bob, "0");
      return Date.now() - begin;
    };
    await answer();
    const alone = Math.min(await answer(), await answer());
    await ann.evaluate(() => {
      window.drawn = window.rounds = 0;
      $(document).on("shiny:value", () => window.drawn++);
      $(document).on("shiny:busy", () => window.rounds++);
      for (let i = 0; i < 500; i++)
        Shiny.setInputValue("act", { what: `nothing ${i}` }, { priority: "event" });
    });
    const beside = await answer();
    await says("who sends what no page sends reads that", ann, "#gone",
      /^Dieses Fenster wurde geschlossen/);
    same("500 senseless messages draw nothing, and take few rounds",
      await ann.evaluate(() => [window.drawn, window.rounds < 25]), [0, true]);
    await accessible(ann, "closed");
    await shot(ann, "closed");
    // the questions go on in a new window
    await ann.reload();
    await ann.waitForSelector("[data-pair]");
    await press(ann, "0");
    same("each has all answers", [await asked(ann), await asked(bob)], [1, 4]);
    console.log(`  alone ${alone} ms, beside 500 messages ${beside} ms`);
    // of what a page sends, no more than a page sends
    for (const [what, name] of [["peek", "act:linkrank"], ["", "foreign"]]) {
      await ann.evaluate(([what, name]) => {
        for (let i = 0; i < 500; i++) {
          const act = { what, x: i % 300, y: 9, number: i };
          Shiny.setInputValue(name, what ? act : i, { priority: "event" });
        }
      }, [what, name]);
      const beside = await answer();
      await says("who sends no end of it reads that", ann, "#gone",
        /^Dieses Fenster wurde geschlossen/);
      console.log(`  beside 500 of ${name} ${beside} ms`);
      await ann.reload();
      await ann.waitForSelector("[data-pair]");
    }
    // a person who is quick is not stopped, and nothing is lost
    await press(ann, "0".repeat(4));
    await press(ann, "z".repeat(4));
    same("answers stay", [await asked(ann), await asked(bob)], [1, 6]);
  },

  async "groups have names and marks, long names stay in their cards"(browser) {
    const r = await startR(newFile(), "sort long");
    const page = await openPage(browser, r.url);
    await press(page, "0".repeat(5) + "12");
    const inside = (page) => page.$$eval(".card, #answers td:nth-child(2)", (all) =>
      all.every((one) => one.scrollWidth <= one.clientWidth + 1));
    // a name where the thought comes
    await page.locator(".group-mark").nth(1).click();
    await page.keyboard.type("Tumour, left");
    await page.keyboard.press("Enter");
    await says("the name is on the card", page, ".groups .card:nth-child(2) h2",
      /^\s*2\s*Tumour, left/);
    await says("and in the list instead of a number", page,
      "#answers tr:first-child", /Tumour, left[^]*group Tumour, left \(GSM/);
    check("and in the file", /name,.*"Tumour, left"/.test(readFileSync(r.file, "utf8")));
    same("each answer has the mark of its group", await page.$$eval(
      "#answers tr:nth-child(2) .group-name", (all) => all.map((one) =>
        [one.textContent.trim(), one.firstElementChild.style.backgroundColor !== ""])), [["1", true]]);
    for (const [width, height] of [[1280, 860], [390, 844]]) {
      await page.setViewportSize({ width, height });
      await page.locator(".group-mark").nth(2).click();
      same(`no text beside its card at ${width}`, await inside(page), true);
      await fitsWidth(`of long names at ${width}`, page);
      await accessible(page, `long names at ${width}`);
      await shot(page, `long-${width}`);
    }
    // the next question begins at the top
    await page.locator(".groups .like").last().click();
    await untilAsked(page, 8);
    await eventually("the next question is in sight", () =>
      page.evaluate(() => window.scrollY), 0);
    await page.setViewportSize({ width: 1280, height: 860 });
    // two keys at once, and an R that does not answer
    await page.keyboard.press("1");
    await page.keyboard.press("2");
    await untilAsked(page, 9);
    await says("nothing is being saved any more", page, "#notice", /^$/);
    process.kill(r.id, "SIGSTOP");
    await page.keyboard.press("1");
    await says("R is silent", page, "#notice", /^No answer from the program yet[.]$/);
    await page.keyboard.press("1");
    await shot(page, "silent");
    process.kill(r.id, "SIGCONT");
    await untilAsked(page, 10);
    await says("and is not", page, "#notice", /^$/);
    // what was found, where features are folded away
    const folded = await startR(newFile(), "sort pictures");
    await page.emulateMedia({ colorScheme: "dark" });
    await page.goto(folded.url);
    await page.waitForSelector("[data-pair]");
    await press(page, "0011");
    await page.click("[data-act*='\"result\"']");
    await page.waitForSelector(".result");
    const seen = (what) => page.$$eval(what, (all) => all.map((one) =>
      one.checkVisibility()));
    const fields = await seen(".found-group .choice, .found-group .again");
    check("names and more can be given", fields.length > 3 && fields.every(Boolean), fields);
    check("what marks them is folded", !(await seen(".found-group table")).some(Boolean));
    await shot(page, "result-folded");
    await accessible(page, "result, folded, dark, German");
    await page.locator(".found-group .again").first().click();
    await page.waitForSelector(".also");
    await page.click("[data-act*='\"add\"']");
    await says("nothing is checked", page, "#notice", /^Nichts ist angekreuzt[.]$/);
    await page.click(".back");
    await page.click("[data-act*=further]");
    await says("that these are drawn", page, ".offer", /noch übrige Proben: 5/);
    await shot(page, "further-german");
  },

  async "names that are code, the page at rest"(browser) {
    const odd = await startR(newFile(), "odd");
    let page = await openPage(browser, odd.url);
    page.on("dialog", () => check("a name is run as code", false));
    check("a name is text", (await page.textContent(".card h2"))
      .includes("<script>"));
    await press(page, "yn");
    // an address that was changed to this machine's (DNS rebinding), and frames
    const { request } = await import("node:http");
    const fetched = (host) => new Promise((resolve) => request(odd.url,
      { headers: { Host: host } }, (got) => {
        got.resume();
        resolve([got.statusCode, got.headers["content-security-policy"]]);
      }).end());
    same("names of this machine alone", [await fetched("rebind.evil:80"),
      await fetched(`localhost:${odd.port}`)], [403, 200].map((status) =>
      [status, "frame-ancestors 'none'"]));
    const r = await startR(newFile());
    page = await openPage(browser, r.url);
    await page.waitForSelector("#map svg");
    await accessible(page, "first question");
    // the ranking, when it is asked for, and that is stored
    await press(page, "ynnuynnyn");
    await page.waitForTimeout(4500);
    same("no ranking", await page.$("#ranking table"), null);
    await page.click("#ranking button");
    await page.waitForSelector("#ranking table");
    await press(page, "y");
    same("which is stored", answers(r.file).map((row) => /[+]ranking/.test(row.join())),
      [...Array(9).fill(false), true]);
    await page.waitForSelector("#map svg");
    await shot(page, "page");
    await accessible(page, "light");
    // by the keyboard alone: Done, answers, undo can be reached
    const reached = new Set();
    await page.evaluate(() => document.activeElement.blur());
    for (let step = 0; step < 60; step++) {
      await page.keyboard.press("Tab");
      reached.add(await page.evaluate(() =>
        document.activeElement.id || document.activeElement.className));
    }
    for (const one of ["done", "answer must-link", "undo", "answers_csv"])
      check(`the keyboard reaches ${one}`, reached.has(one));
  },

  async "guidelines come first, the time that is left"(browser) {
    const r = await startR(newFile(), "sort guided");
    const page = await openPage(browser, r.url);
    await page.waitForSelector("#guidelines[open]");
    check("HTML is text", (await page.innerText("#guidelines"))
      .includes("round or <b>long</b>?"));
    await accessible(page, "guidelines");
    await shot(page, "guidelines");
    await page.keyboard.press("0");
    await page.waitForTimeout(300);
    same("no answer below them", await asked(page), 0);
    await page.keyboard.press("Enter");
    await eventually("Begin has the focus", () => page.$("#guidelines[open]"), null);
    await press(page, "0");
    await page.keyboard.press("h");
    check("h shows them again", await page.isVisible("#guidelines"));
    await page.keyboard.press("Escape");
    await page.click("button.guide");
    await page.click("#guidelines button");
    await eventually("and a button", () => page.isVisible("#guidelines"), false);
    await page.reload();
    await untilAsked(page, 1);
    check("once", !await page.isVisible("#guidelines"));
    const left = () => page.innerText(".progress-line");
    check("no time is known yet", !/min left/.test(await left()));
    await press(page, "00000");
    check("the time that is left", /about \d+ min left/.test(await left()), await left());
    for (const [width, height] of [[1280, 800], [390, 844]]) {
      await page.setViewportSize({ width, height });
      await fitsWidth(`at ${width}`, page);
      await shot(page, `guided-${width}`);
    }
    await accessible(page, "the time that is left");
    r.kill();
    const plain = await openPage(browser, (await startR(newFile())).url);
    same("none without them", await plain.$$eval(".guide", (all) =>
      all.filter((one) => one.offsetParent).length), 0);
  },

  async "a page at once, while the questions are being made"(browser) {
    const r = await startR(newFile(), "late");
    const go = `${r.file}.go`;
    const made = () => existsSync(`${r.file}.made`) &&
      readFileSync(`${r.file}.made`, "utf8").trim().split("\n").length;
    writeFileSync(`${r.file}.broken`, "1");
    const page = await browser.newPage();
    page.setDefaultTimeout(patience);
    // the request that waits for R is held back: nothing can be read meanwhile
    let heldBack = 0;
    await page.route(/prepare/, async (route) => {
      await route.abort("aborted");
      heldBack++;
    });
    await page.goto(r.url);
    await says("what is awaited", page, "h1", /first question is being prepared/);
    check("that it goes on", await page.isVisible("progress:not([value])"));
    same("without a script", await page.$$eval("script", (all) => all.length), 0);
    await accessible(page, "being prepared");
    await shot(page, "prepared");
    // as long as R works, it answers nobody: the page is read again before
    await eventually("the page asks for it by itself", async () => heldBack, 1);
    same("R has not begun", made(), false);
    await page.unroute(/prepare/);
    await page.reload({ waitUntil: "commit" });
    await eventually("R is at work", async () => made(), 1);
    // an error is said on the page and in R
    writeFileSync(go, "");
    await page.waitForSelector(".trouble");
    await says("why there is none", page, ".trouble", /no record of this patient/);
    check("in R as well", /cannot be shown: no record of this/.test(r.said()), r.said());
    await accessible(page, "not prepared");
    await shot(page, "not-prepared");
    rmSync(go);
    rmSync(`${r.file}.broken`);
    await page.getByText("Try again").click();
    await eventually("R is at work again", async () => made(), 2);
    // two more come meanwhile
    const others = [await browser.newPage(), await browser.newPage()];
    const coming = others.map((one) => one.goto(`${r.url}?rater=ann`));
    await page.waitForTimeout(300);
    writeFileSync(go, "");
    await Promise.all(coming);
    for (const one of [page, ...others]) await one.waitForSelector("[data-pair]");
    same("made once for all", made(), 2);
    same("at their own addresses", [page, ...others].map((one) => one.url()),
      [r.url, `${r.url}?rater=ann`, `${r.url}?rater=ann`]);
    await press(page, "yn");
    const german = await startR(newFile(), "late german");
    await page.setViewportSize({ width: 390, height: 844 });
    await page.emulateMedia({ colorScheme: "dark" });
    await page.route(/prepare/, (route) => route.abort("aborted"));
    await page.goto(german.url);
    await says("in German", page, "h1", /Die erste Frage wird vorbereitet/);
    await fitsWidth("being prepared", page);
    await accessible(page, "being prepared, dark");
    await shot(page, "prepared-german-phone");
  },

  async "an answer does not wait for a ranking"(browser) {
    const { writeFileSync } = await import("node:fs");
    const r = await startR(newFile(), "slow");
    const go = `${r.file}.rankings.go`;
    const page = await openPage(browser, r.url);
    await press(page, "ynn");
    await page.click("#ranking button");
    await page.waitForSelector("#ranking table");
    await press(page, "n");
    // what is drawn from here on, in its order
    const drawn = () => page.evaluate(() => window.drawn);
    await page.evaluate(() => {
      window.drawn = [];
      $(document).on("shiny:value", (event) => {
        if (/^(progress|ranking)$/.test(event.name)) window.drawn.push(event.name);
      });
    });
    const started = (count) => eventually(`ranking ${count} begins`, () =>
      lines(`${r.file}.rankings`).length >= count, true, patience);
    await started(1);
    // that ranking ends when the file says so: not before this answer
    await press(page, "y");
    await eventually("the answer, and no ranking", drawn, ["progress", "ranking"]);
    writeFileSync(go, "");
    const before = await page.innerHTML("#ranking");
    await started(2);
    await page.waitForFunction((before) =>
      document.querySelector("#ranking").innerHTML !== before, before);
    same("that of all answers", [await drawn(), await asked(page)],
      [["progress", "ranking", "ranking"], 5]);
  },

  async "eight groups on one screen, in any zoom"(browser) {
    const fits = (page) => page.evaluate(() => {
      const box = (what) => document.querySelector(what).getBoundingClientRect();
      const cards = [...document.querySelectorAll(".groups .card")].map((one) =>
        one.getBoundingClientRect().bottom);
      return [cards.length, Math.max(...cards) <= box("#buttons").top + 14,
        box("#buttons").bottom <= window.innerHeight, document.documentElement
          .scrollWidth > window.innerWidth];
    });
    for (const kind of ["sort factor", "sort pictures", "sort curves"]) {
      const r = await startR(newFile(), kind);
      const page = await openPage(browser, r.url);
      await press(page, "0".repeat(7));
      await page.setViewportSize({ width: 1280, height: 800 });
      await loaded(page);
      await eventually(`${kind}: on one screen`, () => fits(page),
        [8, true, true, false]);
      await eventually("the line below the cards is free", () => page.evaluate(() =>
        document.querySelector(".join").getBoundingClientRect().bottom <=
        document.querySelector("#buttons").getBoundingClientRect().top + 14), true);
      await shot(page, `eight-${kind.slice(5)}`);
      await accessible(page, `eight groups, ${kind}`);
      if (kind === "sort pictures") {
        await press(page, "0".repeat(9));
        await loaded(page);
        await eventually("the nearest eight of seventeen, with records", () =>
          fits(page), [8, true, true, false]);
        await page.keyboard.press("m");
        await page.waitForSelector(".groups .card:nth-child(17)");
        await loaded(page);
        await fitsWidth("with seventeen", page);
        await shot(page, "seventeen");
        await accessible(page, "seventeen groups");
        await press(page, "z".repeat(9));
      }
      if (kind === "sort factor") {
        check("levels are whole words", await page.$$eval(".levels", (all) =>
          all.every((one) => one.scrollWidth <= one.clientWidth)));
        check("each group in its colour", new Set(await page.$$eval(".groups .card",
          (all) => all.map((one) => one.style.cssText))).size > 5);
      }
      if (kind === "sort curves")
        same("a curve each", await page.$$eval(".card .curve", (all) =>
          all.map((one) => one.getBoundingClientRect().height)), Array(9).fill(40));
      // 200 %, and a telephone
      for (const [width, height, name] of [[640, 400, "zoom"], [390, 844, "phone"]]) {
        await page.setViewportSize({ width, height });
        await fitsWidth(`: ${name}`, page);
        await accessible(page, `eight groups, ${kind}, ${name}`);
        await shot(page, `eight-${kind.slice(5)}-${name}`);
      }
      check("a thumb's width", (await page.$$eval(".like, #buttons button", (all) =>
        Math.min(...all.map((one) => one.getBoundingClientRect().height)))) >= 40);
      r.kill();
    }
  },

  ...process.env.SOAK ? { soak } : {},
});
