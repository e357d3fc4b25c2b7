import assert from "node:assert/strict";
import { test } from "node:test";
import { go, visit } from "./serve.mjs";

export function viewTests(address, playground) {
  test("timelines: examples, class, violations, difference, zoom", async () => {
    const page = await visit(playground(), { hash: "#/timelines" });
    await page.getByRole("button", { name: "G (request -> F answer)" }).click();
    await page.getByText("recurrence", { exact: true }).waitFor();
    await page.locator(".sheet svg").waitFor();
    await page.getByRole("button", { name: "Zoom in" }).click();
    await page.getByText("125 %").waitFor();
    await page.getByLabel("Show what violates it").check();
    await page.getByRole("heading", { name: "What violates it" }).waitFor();
    await page.getByLabel("Compare with (optional)").fill("G (request -> X answer)");
    await page.getByRole("heading", { name: "What only the second allows" }).waitFor();
    for (const ending of ["svg", "png"]) {
      const download = page.waitForEvent("download");
      await page.getByRole("button", { name: `Save ${ending.toUpperCase()}` }).first().click();
      assert.equal((await download).suggestedFilename(), `timeline.${ending}`);
    }
    await page.getByLabel("Formula or sentence").fill("G (");
    await page.getByText("expected").first().waitFor();
    assert.deepEqual(page.problems, []);
    await page.context().close();
  });

  test("a playground says which views need a project", async () => {
    const page = await visit(playground());
    for (const [view, label] of [["project", "Project"], ["set", "The set"], ["models", "Models"], ["english", "Controlled English"], ["logs", "Logs"]]) {
      await go(page, `#/${view}`);
      await page.getByRole("heading", { name: `${label} needs a project` }).waitFor();
    }
    assert.deepEqual(page.problems, []);
    await page.context().close();
  });

  test("the set: verdicts, the conflict with its words and ways out, found again after a reload", async () => {
    const page = await visit(address(), { hash: "#/set" });
    await page.getByLabel("Component").selectOption("AlarmManager");
    await page.getByRole("button", { name: "Judge the set" }).click();
    await page.getByRole("heading", { name: /Conflict of AL-01 and AL-05/ }).waitFor({ timeout: 60_000 });
    await page.getByText("when silence_pressed, the AlarmManager shall for 3 seconds satisfy !buzzer").waitFor();
    await page.getByText("drop or weaken AL-01").waitFor();
    await page.reload();
    await page.getByRole("heading", { name: /Conflict of AL-01 and AL-05/ }).waitFor();
    assert.deepEqual(page.problems, []);
    await page.context().close();
  });

  test("a job is cancelled", async () => {
    const page = await visit(address(), { hash: "#/set" });
    await page.getByRole("button", { name: "Judge the set" }).click();
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByText(/^Cancelled after/).waitFor();
    assert.deepEqual(page.problems, []);
    await page.context().close();
  });

  test("models: verdicts, and a counterexample stepped through", async () => {
    const page = await visit(address(), { hash: "#/models" });
    await page.getByRole("button", { name: "counter.lus" }).click();
    await page.getByRole("button", { name: "Verify" }).click();
    await page.getByRole("region", { name: "Counterexample of full only after ticks" }).waitFor({ timeout: 60_000 });
    await page.getByRole("button", { name: "Step back" }).click();
    await page.getByText("step 5", { exact: true }).waitFor();
    await page.getByRole("button", { name: /never above the limit/ }).click();
    await page.getByText("It holds in every run").waitFor();
    await page.getByRole("button", { name: "RollAutopilot.mdl" }).click();
    await page.getByRole("heading", { name: "Ports of RollAutopilot" }).waitFor({ timeout: 60_000 });
    assert.deepEqual(page.problems, []);
    await page.context().close();
  });

  test("controlled English: frames, model, findings replayed, tests, readings", async () => {
    const page = await visit(address(), { hash: "#/english" });
    await page.getByRole("button", { name: "turn_indicator.req" }).click();
    await page.getByRole("heading", { name: "REQ001" }).waitFor({ timeout: 30_000 });
    await page.getByRole("link", { name: "Model", exact: true }).click();
    await page.getByRole("cell", { name: "flashing_timer" }).waitFor({ timeout: 30_000 });
    await page.getByRole("link", { name: "Findings" }).click();
    await page.getByRole("button", { name: "Replay" }).first().click({ timeout: 60_000 });
    await page.getByText("time 0", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Step forward" }).click();
    await page.getByText("time 1", { exact: true }).waitFor();
    await page.getByRole("link", { name: "Readings" }).click();
    await page.getByRole("columnheader", { name: "Write conflicts" }).waitFor({ timeout: 60_000 });
    assert.deepEqual(page.problems, []);
    await page.context().close();
  });

  test("logs: a verdict per requirement, violations with the values around them", async () => {
    const page = await visit(address(), { hash: "#/logs" });
    await page.getByRole("button", { name: "pump.csv" }).click();
    await page.getByRole("button", { name: /AL-02.*Violated/ }).click({ timeout: 60_000 });
    await page.getByRole("heading", { name: /^Step 7/ }).waitFor();
    await page.getByRole("region", { name: /Values around step 7/ }).waitFor();
    await page.getByRole("cell", { name: "volume_setting" }).waitFor();
    assert.deepEqual(page.problems, []);
    await page.context().close();
  });
}
