import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { binary, emptyFolder, exported, go, hashOf, modelFolder, serve, visit } from "./serve.mjs";

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
    for (const [ending, name] of [["svg", "SVG"], ["png", "PNG"], ["tex", "LaTeX"]]) {
      const download = page.waitForEvent("download");
      await page.getByRole("button", { name: `Save ${name}` }).first().click();
      assert.equal((await download).suggestedFilename(), `timeline.${ending}`);
    }
    await page.getByLabel("Formula or sentence").fill("G (");
    await page.getByText("expected").first().waitFor();
    assert.deepEqual(page.problems, []);
    await page.context().close();
  });

  test("a folder without a project says which views need one", async () => {
    const page = await visit(playground());
    for (const [view, label] of [["project", "Project"], ["set", "The set"], ["models", "Models"], ["english", "Controlled English"], ["logs", "Logs"]]) {
      await go(page, `#/${view}`);
      await page.getByRole("heading", { name: "There is no project here yet" }).waitFor();
      await page.getByText(`${label} shows`).waitFor();
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

  test("the set: a play as the system, with what each requirement leaves, undone and kept as a log", async () => {
    const page = await visit(address(), { hash: "#/set" });
    await page.getByLabel("Component").selectOption("AlarmManager");
    await page.getByRole("button", { name: "Play against it" }).click();
    const board = page.getByRole("region", { name: "Play against AlarmManager" });
    await board.getByText("Step 0", { exact: true }).waitFor({ timeout: 60_000 });
    await board.getByRole("list", { name: "What each requirement leaves" }).waitFor();
    await board.getByRole("group", { name: "buzzer" }).getByRole("button", { name: /^true/ }).click();
    await board.getByRole("button", { name: "Make this step" }).click();
    await board.getByRole("region", { name: "The play" }).waitFor();
    await board.getByText("Step 1", { exact: true }).or(board.getByText("is violated")).first().waitFor();
    await board.getByRole("button", { name: /^Undo/ }).click();
    await board.getByText("Step 0", { exact: true }).waitFor();
    await board.getByRole("button", { name: "10 steps by themselves" }).click();
    await board.getByRole("button", { name: "Keep it in the project" }).click({ timeout: 60_000 });
    await board.getByRole("link", { name: /check it as a log/ }).click();
    await page.getByRole("group", { name: /^Waveform of/ }).waitFor({ timeout: 60_000 });
    assert.deepEqual(page.problems, []);
    await page.context().close();
  });

  test("the set: a play as the environment ends in the conflict", async () => {
    const page = await visit(address(), { hash: "#/set" });
    await page.getByLabel("Component").selectOption("AlarmManager");
    await page.getByRole("button", { name: "Judge the set" }).click();
    await page.getByRole("button", { name: "Play this conflict" }).first().click({ timeout: 60_000 });
    const board = page.getByRole("region", { name: "Play against AlarmManager" });
    await board.getByLabel("You are").selectOption("environment");
    await board.getByText("The environment can force a violation from here").waitFor({ timeout: 60_000 });
    await board.getByRole("button", { name: "10 steps by themselves" }).click();
    await board.getByText("is violated").first().waitFor({ timeout: 60_000 });
    await board.getByRole("button", { name: "Undo the last step" }).click();
    await board.getByRole("button", { name: "Let the strategy choose" }).waitFor();
    assert.deepEqual(page.problems, []);
    await page.context().close();
  });

  test("a job keeps nobody waiting, and is cancelled", async () => {
    const folder = modelFolder();
    // Whether 114 is such a sum is an open question.
    const cubes = "node cubes(x, y, z: int) returns (ok: bool);\nlet\n  ok = x * x * x + y * y * y + z * z * z <> 114;\n  --%PROPERTY ok;\ntel\n";
    writeFileSync(join(folder, "cubes.lus"), cubes);
    const models = "#/models?file=cubes.lus";
    const page = await visit(await serve(folder), { hash: models });
    await page.getByRole("button", { name: "Verify" }).click();
    await page.getByRole("button", { name: "Cancel" }).waitFor();
    await go(page, `#/sentence?s=${encodeURIComponent("the pump shall always satisfy ready")}`);
    await page.getByText("Violated").first().waitFor({ timeout: 2_000 });
    await go(page, models);
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

  test("models: the block diagram, its subsystems, and a counterexample stepped through on it", async () => {
    const page = await visit(await serve(modelFolder()), { hash: "#/models?file=RollAutopilot.mdl" });
    const diagram = (path) => page.getByRole("group", { name: `Block diagram of ${path}`, exact: true });
    const root = diagram("RollAutopilot");
    await root.waitFor({ timeout: 30_000 });
    await root.getByRole("button", { name: "Open Modes" }).click();
    await diagram("RollAutopilot/Modes").waitFor({ timeout: 30_000 });
    await hashOf(page, /sheet=RollAutopilot%2FModes/);
    await page.goBack();
    await root.getByRole("button", { name: "Open Reference" }).press("Enter");
    await diagram("RollAutopilot/Reference").getByRole("button", { name: "Open Hold" }).click({ timeout: 30_000 });
    await diagram("RollAutopilot/Reference/Hold").waitFor({ timeout: 30_000 });
    await page.getByRole("navigation", { name: "Sheets" }).getByRole("button", { name: "RollAutopilot" }).click();
    await root.waitFor();
    // Dragging moves the sheet and opens nothing.
    const block = await root.getByRole("button", { name: "Open Modes" }).boundingBox();
    await page.mouse.move(block.x + 40, block.y + 40);
    await page.mouse.down();
    await page.mouse.move(block.x + 90, block.y + 60, { steps: 4 });
    await page.mouse.up();
    assert.ok((await root.getByRole("button", { name: "Open Modes" }).boundingBox()).x > block.x + 20);
    await root.waitFor();

    await page.getByLabel("Requirements of").selectOption("RollAutopilot");
    await page.getByRole("button", { name: "Verify" }).click();
    await page.getByRole("button", { name: /AP-900.*Invalid/ }).click({ timeout: 60_000 });
    const trace = page.getByRole("region", { name: "Counterexample of AP-900" });
    const rows = () => trace.getByRole("row").count();
    const few = await rows();
    assert.equal(await trace.getByRole("rowheader", { name: "Aileron/error" }).count(), 0);
    await page.getByLabel("Show inner signals").check();
    await trace.getByRole("rowheader", { name: "Aileron/error" }).waitFor();
    assert.ok((await rows()) > few);
    // The values on the lines are those of the step.
    await page.getByText("values of the counterexample of AP-900").waitFor();
    const value = (signal) => root.locator(`[data-value="${signal}"]`).textContent().then((text) => text.trim());
    const cell = async (signal, step) => (await trace.getByRole("row", { name: new RegExp(`^${signal} `) }).getByRole("cell").nth(step).innerText()).trim();
    for (const step of [3, 2, 1, 0]) {
      await page.getByText(`step ${step}`, { exact: true }).waitFor();
      for (const signal of ["engaged", "turn_knob", "roll", "sensor"]) assert.equal(await value(signal), await cell(signal, step), `${signal} at step ${step}`);
      if (step) await page.getByRole("button", { name: "Step back" }).click();
    }
    await root.getByRole("button", { name: "Open Aileron" }).click();
    await diagram("RollAutopilot/Aileron").locator('[data-value="Aileron/error"]', { hasText: /\d/ }).waitFor({ timeout: 30_000 });
    assert.deepEqual(page.problems, []);
    await page.context().close();
  });

  test("models: variables are mapped to signals, with suggestions", async () => {
    const page = await visit(address(), { hash: "#/models?file=RollAutopilot.mdl" });
    await page.getByRole("heading", { name: "Ports of RollAutopilot" }).waitFor({ timeout: 60_000 });
    await page.getByLabel("Requirements of").selectOption("AlarmManager");
    await page.getByText(/variables are not in the model under their own name/).click();
    await page.getByLabel("signal for buzzer").selectOption("Modes/failed");
    await page.getByText(/1 mapped/).waitFor();
    await page.getByRole("button", { name: "Verify" }).click();
    await page.getByRole("row", { name: /buzzer.*Modes\/failed/ }).first().waitFor({ timeout: 60_000 });
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
    await page.getByRole("link", { name: "Run", exact: true }).click();
    await page.getByLabel("turn_indicator_lever").selectOption("left", { timeout: 30_000 });
    await page.getByLabel("Let time pass").fill("2");
    await page.getByRole("button", { name: "Go on" }).click();
    await page.getByText("time 2", { exact: true }).waitFor();
    await page.locator("#main").getByText("REQ010").first().waitFor();
    await page.getByRole("button", { name: "Back", exact: true }).click();
    await page.getByText("time 0", { exact: true }).waitFor();
    await page.getByLabel("Let time pass").fill("-1");
    await page.getByRole("button", { name: "Go on" }).click();
    await page.getByText("a delay must be greater than 0").waitFor();
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

  test("logs: verdicts follow the files, also after the view was left", async () => {
    const folder = emptyFolder();
    const write = (limit) => writeFileSync(join(folder, "tank.md"), `# Tank\n\n## R-1\n\n\`\`\`fretish\nthe tank shall always satisfy level < ${limit}\n\`\`\`\n`);
    writeFileSync(join(folder, "shall.toml"), '[project]\ndocuments = ["*.md"]\n');
    writeFileSync(join(folder, "run.csv"), "level\n1\n2\n3\n");
    write(5);
    const page = await visit(await serve(folder), { hash: "#/logs?file=run.csv" });
    await page.getByRole("button", { name: /R-1.*Holds/ }).waitFor({ timeout: 30_000 });
    write(3);
    await page.getByRole("button", { name: /R-1.*Violated/ }).waitFor({ timeout: 30_000 });
    await go(page, "#/sentence");
    await page.getByText("Write a requirement and see").waitFor();
    write(7);
    await page.waitForTimeout(700);
    await go(page, "#/logs?file=run.csv");
    await page.getByRole("button", { name: /R-1.*Holds/ }).waitFor({ timeout: 30_000 });
    writeFileSync(join(folder, "run.csv"), "level\n1\n2\n30\n");
    await page.reload();
    await page.getByRole("button", { name: /R-1.*Violated/ }).waitFor({ timeout: 30_000 });
    assert.deepEqual(page.problems, []);
    await page.context().close();
  });

  test("logs: the waveform pans and zooms, and marks violations", async () => {
    const page = await visit(address(), { hash: "#/logs?file=pump.csv" });
    const wave = page.getByRole("group", { name: /^Waveform of/ });
    await wave.waitFor();
    await page.getByText("steps 0 to 10 of 11").waitFor();
    await page.getByRole("button", { name: "Next violation" }).waitFor({ timeout: 60_000 });
    const drawn = () => wave.locator("canvas").evaluate((canvas) => {
      const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
      return data.filter((value, at) => at % 4 === 3 && value > 0).length;
    });
    assert.ok((await drawn()) > 1000, "something is drawn");
    await wave.focus();
    await page.keyboard.press("+");
    await page.keyboard.press("n");
    await page.getByText(/^steps [1-9]\d* to \d+ of 11$/).waitFor();
    await page.keyboard.press("0");
    await page.getByText("steps 0 to 10 of 11").waitFor();
    await wave.hover({ position: { x: 400, y: 60 } });
    await page.getByText(/^step \d+/).last().waitFor();
    await page.getByText(/^Signals \(/).click();
    await page.getByRole("checkbox").first().uncheck();
    assert.deepEqual(page.problems, []);
    await page.context().close();
  });

  test("logs: a file is dropped on the page, and its columns are mapped", async () => {
    const page = await visit(address(), { hash: "#/logs" });
    const text = readFileSync(new URL("pump.csv", import.meta.url), "utf8");
    const [head, ...rows] = text.split("\n");
    const name = head.split(",").find((each) => each.includes("buzzer")) ?? head.split(",")[1];
    await page.locator('input[type="file"]').setInputFiles({ name: "dropped.csv", mimeType: "text/csv", buffer: Buffer.from([head.replace(name, "other_name"), ...rows].join("\n")) });
    await page.getByRole("button", { name: "dropped.csv" }).waitFor();
    await page.getByRole("group", { name: /^Waveform of/ }).waitFor();
    await page.getByText(/not in the log under/).click({ timeout: 60_000 });
    await page.getByLabel(`column for ${name}`).selectOption("other_name");
    await hashOf(page, /map=/);
    await page.getByText(/1 mapped/).waitFor({ timeout: 60_000 });
    await page.getByRole("button", { name: /AL-02/ }).waitFor({ timeout: 60_000 });
    await page.locator('input[type="file"]').setInputFiles({ name: "dropped.csv", mimeType: "text/csv", buffer: Buffer.from("a\n1\n") });
    await page.getByText("the project has a file dropped.csv already").waitFor();
    await page.context().close();
  });
}

/** The types of the page are those of the binary. */
export function typesTest() {
  test("the types of the page are those that the server writes", () => {
    const made = join(emptyFolder(), "types.ts");
    execFileSync(process.execPath, [fileURLToPath(new URL("../scripts/types.mjs", import.meta.url)), binary, made]);
    const kept = readFileSync(new URL("../src/types.ts", import.meta.url), "utf8");
    assert.equal(readFileSync(made, "utf8"), kept, "run `npm run types PATH/TO/shall` in page/");
  });
}

/** An empty folder, from the first visit to a project. */
export function beginTests() {
  test("an empty folder: a worked example, by one click", async () => {
    const page = await visit(await serve(emptyFolder()), { hash: "#/project" });
    await page.getByRole("heading", { name: "There is no project here yet" }).waitFor();
    await page.getByRole("button", { name: "Make the example project" }).click();
    await page.getByText("6 of 6 requirements").waitFor({ timeout: 30_000 });
    assert.deepEqual(page.problems, []);
    await page.context().close();
  });

  test("an empty folder: a FRET project and a sheet with prose are imported", async () => {
    const fret = [{ reqid: "P-1", project: "Pump", fulltext: "when alarm the pump shall within 3 ticks satisfy stopped", rationale: "", comments: "", parent_reqid: "", status: "", semantics: {}, _id: "1" }];
    for (const [name, content, shown] of [
      ["pump.json", JSON.stringify({ requirements: fret, variables: [] }), "P-1"],
      ["old.csv", "ID,Text\nR-1,When the alarm is on the pump shall stop within 3 ticks.\nR-2,The pump looks nice.\n", "R-1"],
    ]) {
      const page = await visit(await serve(emptyFolder()));
      await page.getByRole("heading", { name: "Start a project" }).waitFor();
      await page.locator('input[type="file"]').setInputFiles({ name, mimeType: "text/plain", buffer: Buffer.from(content) });
      await page.getByRole("treeitem", { name: new RegExp(shown) }).waitFor({ timeout: 30_000 });
      assert.deepEqual(page.problems, []);
      await page.context().close();
    }
  });

  test("an empty folder: requirements of other tools are imported, chosen or dropped", async () => {
    for (const [target, ending, dropped] of [["xlsx", "xlsx", true], ["csv", "csv", false], ["reqif", "reqif", true], ["fret-json", "json", false]]) {
      const page = await visit(await serve(emptyFolder()), { hash: dropped ? "#/sentence" : "#/project" });
      await page.getByRole("heading", { name: "Start a project" }).waitFor();
      const file = exported(target, ending);
      if (dropped) {
        const bytes = [...readFileSync(file)];
        const data = await page.evaluateHandle(([bytes, name]) => {
          const data = new DataTransfer();
          data.items.add(new File([new Uint8Array(bytes)], name));
          return data;
        }, [bytes, `pump.${ending}`]);
        await page.dispatchEvent("#begin-title", "drop", { dataTransfer: data });
      } else await page.locator('input[type="file"]').setInputFiles(file);
      await page.getByText(/^\d+ of \d+ requirements$/).waitFor({ timeout: 30_000 });
      await page.getByRole("searchbox", { name: "Search requirements" }).fill("AL-05");
      await page.getByRole("treeitem", { name: /AL-05/ }).click();
      await page.getByText("the AlarmManager shall for 3 seconds satisfy !buzzer").first().waitFor();
      assert.deepEqual(page.problems, [], ending);
      await page.context().close();
    }
  });

  test("an empty folder: a file that is not a project says why", async () => {
    const page = await visit(await serve(emptyFolder()));
    await page.locator('input[type="file"]').setInputFiles({ name: "broken.json", mimeType: "text/plain", buffer: Buffer.from("{ not json") });
    await page.getByRole("alert").waitFor({ timeout: 30_000 });
    await page.context().close();
  });
}
