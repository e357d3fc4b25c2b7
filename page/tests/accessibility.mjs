import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import { go, visit } from "./serve.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Each view with something in it, and what shows that it is there. */
export const SHOWN = [
  ["welcome", "#/sentence", "Write a requirement and see"],
  ["sentence", "#/sentence?s=when+alarm%2C+the+pump+shall+within+3+ticks+satisfy+stopped&t=alarm:010000000000", "Violated"],
  ["forms", "#/sentence?s=whenever+level+%3E+3+the+pump+shal+always+satisfy+on", "found shal"],
  ["project", "#/project?r=AL-05", "conflicts with"],
  ["document", "#/project?tab=document&d=alarm.md", "Two priorities"],
  ["findings", "#/project?tab=findings", "makes no difference"],
  ["variables", "#/project?tab=variables", "MIN_LOUDNESS"],
  ["traceability", "#/project?tab=traceability", "Without a parent"],
  ["changes", "#/project?tab=changes", "Since revision"],
  ["set", "#/set", "Judge the set"],
  ["timelines", "#/timelines?f=G+(request+-%3E+F+answer)", "recurrence"],
  ["models", "#/models?file=RollAutopilot.mdl", "Ports of"],
  ["diagram", "#/models?file=RollAutopilot.mdl&sheet=RollAutopilot%2FModes", /^Modes$/],
  ["english", "#/english?file=turn_indicator.req", "REQ001"],
  ["run", "#/english?file=turn_indicator.req&q=run", "Run by hand"],
  ["logs", "#/logs?file=pump.csv", "AL-02"],
];

export function accessibilityTests(address, playground) {
  for (const colorScheme of ["light", "dark"]) {
    test(`no serious accessibility problem in any view, ${colorScheme}`, async () => {
      const page = await visit(address(), { colorScheme });
      const found = [];
      const inspect = async (name) => {
        await page.evaluate(axe);
        const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
        for (const { id, impact, nodes } of violations) {
          if (impact === "serious" || impact === "critical") found.push(`${name}: ${id}: ${nodes.slice(0, 3).map((node) => node.html.slice(0, 160)).join(" | ")}`);
        }
      };
      for (const [name, hash, text] of SHOWN) {
        await go(page, hash);
        await page.getByText(text).first().waitFor({ timeout: 60_000 });
        await inspect(name);
      }
      await page.goto(playground());
      await go(page, "#/logs");
      await page.getByText("There is no project here yet").waitFor();
      await inspect("playground");
      assert.deepEqual(found, []);
      await page.context().close();
    });
  }
}
