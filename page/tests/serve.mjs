// The real server on a project of its own, and a browser on it.

import { execFileSync, spawn } from "node:child_process";
import { appendFileSync, copyFileSync, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const top = fileURLToPath(new URL("../../", import.meta.url));
export const binary = process.env.SHALL ?? join(top, "target/debug/shall");
const closing = [];

/** Closes whatever was opened, the last one first. */
export async function closeAll() {
  for (const close of closing.reverse()) await close();
}

/** A folder with nothing in it. */
export function emptyFolder() {
  const folder = mkdtempSync(join(tmpdir(), "shall-empty-"));
  closing.push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A folder with the infusion pump, a Lustre program, a Simulink model, a text in controlled English and a log. */
export function projectFolder() {
  const folder = emptyFolder();
  const pump = join(top, "examples/infusion_pump");
  for (const name of readdirSync(pump)) copyFileSync(join(pump, name), join(folder, name));
  for (const name of ["lustre/counter.lus", "simulink/RollAutopilot.mdl", "dfrs/turn_indicator.req"]) {
    copyFileSync(join(top, "examples", name), join(folder, name.split("/")[1]));
  }
  copyFileSync(fileURLToPath(new URL("pump.csv", import.meta.url)), join(folder, "pump.csv"));
  return folder;
}

/** A folder with the autopilot, its model, and a requirement that the model violates after some steps. */
export function modelFolder() {
  const folder = emptyFolder();
  const example = join(top, "examples/simulink");
  for (const name of readdirSync(example)) copyFileSync(join(example, name), join(folder, name));
  appendFileSync(join(folder, "requirements.md"), `
## AP-900: A strong answer to the knob

\`\`\`fretish
when engaged & turn_knob >= 6, the RollAutopilot shall within 3 ticks satisfy aileron > 12
\`\`\`
`);
  return folder;
}

/** The requirements of the infusion pump as a file for another tool; `target` is one of \`shall export\`. */
export function exported(target, ending) {
  const file = join(emptyFolder(), `pump.${ending}`);
  execFileSync(binary, ["export", target, "--project", join(top, "examples/infusion_pump"), "-o", file]);
  return file;
}

/** Starts `shall serve` and gives the address it prints, which has the token. */
export async function serve(...args) {
  return (await start(0, ...args)).address;
}

/** Starts it on a port, and gives a function that kills it too. */
export async function start(port, ...args) {
  if (!existsSync(binary)) throw new Error(`there is no ${binary}; build it, or name another one in SHALL`);
  const server = spawn(binary, ["serve", ...args, "--port", String(port)], { cwd: tmpdir(), stdio: ["ignore", "pipe", "inherit"] });
  const ended = new Promise((done) => server.once("exit", done));
  const kill = () => (server.kill("SIGKILL"), ended);
  closing.push(kill);
  let printed = "";
  for await (const piece of server.stdout) {
    printed += piece;
    const address = printed.match(/http:\/\/\S+/)?.[0];
    if (address && printed.includes("\n")) return { address, kill };
  }
  throw new Error(`the server ended without an address: ${printed}`);
}

let browser;

/** A page of a new visitor, whose console must stay free of errors. */
export async function visit(address, { hash = "#/sentence", colorScheme = "light" } = {}) {
  if (!browser) {
    browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox", ...(process.env.SHALL_PAGE ? ["--disable-features=LocalNetworkAccessChecks"] : [])] });
    closing.push(() => browser.close());
  }
  const context = await browser.newContext({ viewport: { width: 1280, height: 720 }, colorScheme });
  if (process.env.SHALL_PAGE) await fromDisk(context, process.env.SHALL_PAGE);
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  page.problems = [];
  page.on("pageerror", (error) => page.problems.push(error.message));
  page.on("console", (line) => line.type() === "error" && !line.text().includes("409") && page.problems.push(line.text()));
  await page.goto(address);
  await go(page, hash);
  return page;
}

/** Waits until the address within the page matches, and gives it. */
export async function hashOf(page, pattern) {
  for (let tries = 0; tries < 100; tries += 1) {
    const hash = await page.evaluate(() => location.hash);
    if (pattern.test(hash)) return hash;
    await page.waitForTimeout(50);
  }
  throw new Error(`the address does not match ${pattern}`);
}

/** Takes the files of the page from a folder, so that a change of the page can be tried with a binary that has an older one. */
async function fromDisk(context, folder) {
  await context.route(/^http:\/\/[^/]+\/(app\.js|app\.css)?$/, async (route) => {
    const name = new URL(route.request().url()).pathname.slice(1) || "index.html";
    const answer = await route.fetch();
    await route.fulfill({ response: answer, body: readFileSync(join(folder, name)) });
  });
}

/** Goes to an address within the page. */
export async function go(page, hash) {
  await page.evaluate((to) => (location.hash = to), hash);
}
