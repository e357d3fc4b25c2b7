// Pictures of the views for the documents: `npm run screenshots` writes docs/workbench/*.png.

import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { closeAll, emptyFolder, go, projectFolder, serve, visit } from "./serve.mjs";

const out = fileURLToPath(new URL("../../docs/workbench/", import.meta.url));
mkdirSync(out, { recursive: true });

const address = await serve(projectFolder());
const shot = async (page, name) => {
  await page.waitForTimeout(400);
  await page.screenshot({ path: `${out}${name}.png` });
  console.log(`${name}.png`);
};
const page = await visit(address);
await page.getByText("Write a requirement and see").waitFor();
await shot(page, "welcome");
const sentence = "#/sentence?s=when+alarm%2C+the+pump+shall+within+3+ticks+satisfy+stopped&t=alarm:001000010000;stopped:000010000000";
await go(page, sentence);
await page.getByText("Violated").first().waitFor();
await shot(page, "sentence");
await go(page, "#/project?r=AL-05");
await page.getByText("conflicts with").waitFor();
await shot(page, "project");
await go(page, "#/project?tab=document&d=alarm.md&r=AL-05&l=58");
await page.locator(".cm-lintRange").first().waitFor();
await shot(page, "document");
await go(page, "#/set");
await page.getByLabel("Component").selectOption("AlarmManager");
await page.getByRole("button", { name: "Judge the set" }).click();
await page.getByText("Conflict of").first().waitFor({ timeout: 60_000 });
await shot(page, "set");
await page.getByRole("button", { name: "Play this conflict" }).first().click();
await page.getByText("Step 0", { exact: true }).waitFor({ timeout: 60_000 });
await page.getByRole("button", { name: /^Let the strategy/ }).click();
await page.getByText("Step 1", { exact: true }).waitFor({ timeout: 60_000 });
await shot(page, "play");
await go(page, "#/timelines?f=G+(request+-%3E+F+answer)");
await page.getByText("recurrence", { exact: true }).waitFor();
await shot(page, "timelines");
await go(page, "#/models?file=counter.lus");
await page.getByRole("button", { name: "Verify" }).click();
await page.getByText("Invalid").first().waitFor({ timeout: 60_000 });
await shot(page, "models");
await go(page, "#/english?file=turn_indicator.req&q=check&i=1");
await page.getByText("time 0", { exact: true }).waitFor({ timeout: 60_000 });
await page.getByRole("button", { name: "Step forward" }).click();
await shot(page, "english");
await go(page, "#/logs?file=pump.csv");
await page.getByRole("button", { name: "Next violation" }).waitFor({ timeout: 60_000 });
await shot(page, "logs");
const empty = await visit(await serve(emptyFolder()), { hash: "#/project" });
await empty.getByRole("heading", { name: "Start a project" }).waitFor();
await shot(empty, "begin");
const dark = await visit(address, { colorScheme: "dark", hash: sentence });
await dark.getByText("Violated").first().waitFor();
await shot(dark, "sentence-dark");
await closeAll();
