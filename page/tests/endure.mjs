// Two pages edit the same document while the server is killed and the pages are reloaded at random: `npm run endure [CYCLES] [SEED]`.
// No accepted edit may be lost, no file torn, and what was not accepted must still be in the page that wrote it.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { closeAll, go, projectFolder, start, visit } from "./serve.mjs";

const cycles = Number(process.argv[2] ?? 200);
let state = Number(process.argv[3] ?? 1);
const random = (below) => {
  state = (state * 1103515245 + 12345) % 2147483648;
  return Math.floor((state / 2147483648) * below);
};

const folder = projectFolder();
const file = join(folder, "goals.md");
const END = "\nThe end.\n";
writeFileSync(file, readFileSync(file, "utf8") + END);
const hash = "#/project?tab=document&d=goals.md";
const content = '.cm-content[aria-label="Document goals.md"]';

let server = await start(0, folder);
const port = new URL(server.address).port;
const pages = [await visit(server.address, { hash }), await visit(server.address, { hash })];
for (const page of pages) await page.locator(content).waitFor();
const accepted = new Set();
const counts = { saved: 0, conflicts: 0, killed: 0, landed: 0, kept: 0, reloaded: 0 };

function checkFile() {
  const text = readFileSync(file, "utf8");
  assert.ok(text.endsWith(END), "the file is torn");
  for (const mark of accepted) assert.equal(text.split(mark).length, 2, `${mark} is lost`);
  return text;
}

const conflict = (page) => page.getByRole("button", { name: "Take the text on disk" });

/** The user gives way to what is on disk. */
async function giveWay(page) {
  await conflict(page).click();
  await conflict(page).waitFor({ state: "detached" });
  counts.conflicts += 1;
}

async function write(page, mark) {
  await page.locator(content).click({ position: { x: 5, y: 5 } });
  await page.keyboard.press("Control+Home");
  await page.keyboard.type(`${mark} `);
}

async function cycleOnce(cycle) {
  const page = pages[random(2)];
  const mark = `<!-- edit ${cycle} -->`;
  if (await conflict(page).isVisible()) await giveWay(page);
  await write(page, mark);
  switch (random(4)) {
    case 0: {
      await page.keyboard.press("Control+s");
      await page.waitForTimeout(random(20));
      await server.kill();
      counts.killed += 1;
      server = await start(port, folder);
      for (const each of pages) {
        await each.goto(server.address);
        await go(each, hash);
        await each.locator(content).waitFor();
      }
      const landed = checkFile().includes(mark);
      if (landed) accepted.add(mark);
      else assert.ok((await page.locator(content).innerText()).includes(mark), `${mark} is neither in the file nor in the page`);
      counts[landed ? "landed" : "kept"] += 1;
      break;
    }
    case 1:
      await page.getByText("● Not saved").or(conflict(page)).first().waitFor();
      await page.reload();
      await page.locator(content).waitFor();
      assert.ok((await page.locator(content).innerText()).includes(mark), `${mark} is lost by a reload`);
      counts.reloaded += 1;
      break;
    default: {
      await page.keyboard.press("Control+s");
      await page.getByText("Saved.", { exact: true }).or(conflict(page)).first().waitFor();
      if (await conflict(page).isVisible()) await giveWay(page);
      else {
        accepted.add(mark);
        // What was written before and not saved until now went along.
        const text = readFileSync(file, "utf8");
        for (const [earlier] of text.matchAll(/<!-- edit \d+ -->/g)) accepted.add(earlier);
        counts.saved += 1;
      }
    }
  }
  checkFile();
  if (cycle % 20 === 19) console.log(`${cycle + 1} cycles: ${JSON.stringify(counts)}`);
}

try {
  for (let cycle = 0; cycle < cycles; cycle += 1) await cycleOnce(cycle);
  console.log(`${cycles} cycles, ${accepted.size} accepted edits, all in the file`);
} finally {
  await closeAll();
}
