// How fast the page is: `npm run measure [sentence] [project] [log]`, all by default. Prints milliseconds from a key to the updated drawing,
// over 200 keys; how long a project of 10,000 requirements takes to open and to follow an edit; and how many frames a second a log of
// 10^7 rows pans and zooms with.

import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { closeAll, serve, visit } from "./serve.mjs";

const KEYS = 200;
const REQUIREMENTS = 10_000;
const ROWS = 10_000_000;

function summary(name, times) {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))].toFixed(0);
  console.log(`${name}: median ${at(0.5)} ms, 95th percentile ${at(0.95)} ms, longest ${at(1)} ms (${times.length} samples)`);
}

/** In the page: from the next key to the frame after the drawing shows the text of the editor. */
const nextDrawing = () =>
  new Promise((done) => {
    addEventListener("keydown", () => {
      const start = performance.now();
      const look = () => {
        const text = document.querySelector(".editor .cm-content").innerText.trim();
        if (document.querySelector(".drawing svg title")?.textContent !== text) return;
        observer.disconnect();
        requestAnimationFrame(() => setTimeout(() => done(performance.now() - start)));
      };
      const observer = new MutationObserver(look);
      // The key itself changes the editor first.
      setTimeout(() => {
        observer.observe(document.body, { subtree: true, childList: true, characterData: true });
        look();
      });
    }, { once: true, capture: true });
  });

async function sentence() {
  const page = await visit(await serve(), { hash: `#/sentence?s=${encodeURIComponent("in landing mode, when low, the aircraft shall within 3 ticks satisfy a")}` });
  await page.locator(".drawing svg").waitFor();
  await page.locator(".editor .cm-content").click();
  await page.keyboard.press("End");
  const times = [];
  for (let key = 0; key < KEYS; key += 1) {
    const time = page.evaluate(nextDrawing);
    await page.waitForTimeout(40);
    await page.keyboard.press(key % 20 < 10 ? "abcdefghij"[key % 10] : "Backspace");
    times.push(await time);
  }
  summary("key to drawing", times);
}

async function largeProject() {
  const folder = mkdtempSync(join(tmpdir(), "shall-measure-"));
  writeFileSync(join(folder, "shall.toml"), '[project]\nname = "Large"\ndocuments = ["*.md"]\n');
  const perDocument = REQUIREMENTS / 20;
  for (let document = 0; document < 20; document += 1) {
    const numbers = Array.from({ length: perDocument }, (_, index) => document * perDocument + index);
    const variables = [...Array.from({ length: 50 }, (_, index) => `| p${index} | input | bool |`), ...numbers.map((number) => `| q${number} | output | bool |`)];
    const parts = [`# Part ${document}\n\n## Component unit${document}\n\n| name | kind | type |\n|---|---|---|\n${variables.join("\n")}\n`];
    for (const number of numbers) {
      parts.push(`## R-${number}: Requirement ${number}\n\n\`\`\`fretish\nwhen p${number % 50}, the unit${document} shall within ${1 + (number % 9)} ticks satisfy q${number}\n\`\`\`\n`);
    }
    writeFileSync(join(folder, `part${String(document).padStart(2, "0")}.md`), parts.join("\n"));
  }
  const address = await serve(folder);
  const opened = [];
  for (let round = 0; round < 5; round += 1) {
    const start = performance.now();
    const page = await visit(address, { hash: "#/project" });
    await page.getByText(`${REQUIREMENTS} of ${REQUIREMENTS} requirements`).waitFor({ timeout: 120_000 });
    opened.push(performance.now() - start);
    if (round > 0) await page.context().close();
    else {
      // The first time includes the analysis of every requirement.
      console.log(`${REQUIREMENTS} requirements, first opened: ${opened.pop().toFixed(0)} ms`);
      const edits = [];
      await page.getByRole("searchbox", { name: "Search requirements" }).click();
      for (const key of "requirement 77".split("")) {
        const before = performance.now();
        await page.keyboard.press(key === " " ? "Space" : key);
        await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));
        edits.push(performance.now() - before);
      }
      summary("key to filtered list", edits);
      await page.getByRole("link", { name: "Document", exact: true }).click();
      await page.locator(".document .cm-content").click();
      const typed = [];
      for (let key = 0; key < 50; key += 1) {
        const before = performance.now();
        await page.keyboard.press("x");
        await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));
        typed.push(performance.now() - before);
      }
      summary("key in a document of it", typed);
      const saved = performance.now();
      await page.keyboard.press("Control+s");
      await page.getByText("Saved.", { exact: true }).waitFor();
      console.log(`saved: ${(performance.now() - saved).toFixed(0)} ms`);
      await page.context().close();
    }
  }
  summary(`${REQUIREMENTS} requirements, opened`, opened);
  rmSync(folder, { recursive: true, force: true });
}

/** In the page: frames a second while something moves for some seconds. */
const frames = (seconds) =>
  new Promise((done) => {
    let count = 0;
    let longest = 0;
    let last = performance.now();
    const end = last + seconds * 1000;
    const frame = (now) => {
      count += 1;
      longest = Math.max(longest, now - last);
      last = now;
      if (now < end) requestAnimationFrame(frame);
      else done({ rate: count / seconds, longest });
    };
    requestAnimationFrame(frame);
  });

async function log() {
  const folder = mkdtempSync(join(tmpdir(), "shall-measure-"));
  writeFileSync(join(folder, "shall.toml"), '[project]\nname = "Long"\ndocuments = ["*.md"]\n');
  writeFileSync(join(folder, "tank.md"), "# Tank\n\n## R-1\n\n```fretish\nwhen pump, the tank shall within 100 ticks satisfy level > 60\n```\n");
  const file = openSync(join(folder, "long.csv"), "w");
  writeSync(file, "time,level,flow,pump,mode\n");
  for (let row = 0; row < ROWS;) {
    const lines = [];
    for (const end = Math.min(ROWS, row + 100_000); row < end; row += 1) {
      const level = 50 + 40 * Math.sin(row / 70_000) + ((row * 7919) % 997) / 100;
      lines.push(`${row / 100},${level.toFixed(2)},${((row * 31) % 1009) / 10},${row % 5000 < 700 ? 1 : 0},${row % 90_000 < 30_000 ? "idle" : "run"}\n`);
    }
    writeSync(file, lines.join(""));
  }
  closeSync(file);
  const begun = performance.now();
  const page = await visit(await serve(folder), { hash: "#/logs?file=long.csv" });
  page.setDefaultTimeout(300_000);
  await page.getByText(`of ${ROWS.toLocaleString("en")}`).waitFor();
  console.log(`log of ${ROWS} rows: everything drawn after ${(performance.now() - begun).toFixed(0)} ms`);
  // The verdicts use the other core.
  await page.getByRole("button", { name: /R-1/ }).waitFor();
  const wave = page.getByRole("group", { name: /^Waveform of/ });
  const { x, y } = await wave.boundingBox();
  const move = async (what, seconds, step) => {
    const counted = page.evaluate(frames, seconds);
    const end = performance.now() + seconds * 1000;
    for (let at = 0; performance.now() < end; at += 1) await step(at);
    const { rate, longest } = await counted;
    console.log(`${what}: ${rate.toFixed(0)} frames a second, longest ${longest.toFixed(0)} ms`);
  };
  await page.mouse.move(x + 500, y + 100);
  await move("zooming in and out", 5, async (at) => page.mouse.wheel(0, at % 120 < 60 ? -60 : 60));
  for (const zooms of [2, 7, 12, 17]) {
    await wave.focus();
    await page.keyboard.press("0");
    for (let zoom = 0; zoom < zooms; zoom += 1) await page.keyboard.press("+");
    await page.waitForTimeout(500);
    await page.mouse.move(x + 900, y + 100);
    await page.mouse.down();
    await move(`panning, ${await page.locator(".waveform [role=status]").innerText()}`, 5, async (at) => page.mouse.move(x + 900 - ((at * 12) % 800), y + 100));
    await page.mouse.up();
  }
  rmSync(folder, { recursive: true, force: true });
}

const MEASURED = { sentence, project: largeProject, log };
const wanted = process.argv.slice(2);
for (const [name, measure] of Object.entries(MEASURED)) {
  if (!wanted.length || wanted.includes(name)) await measure();
}
await closeAll();
