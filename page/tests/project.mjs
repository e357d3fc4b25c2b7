import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { go, start, visit } from "./serve.mjs";

export function projectTests(address, folder) {
  const file = () => join(folder(), "goals.md");
  const read = () => readFileSync(file(), "utf8");
  const content = '[aria-label="Document goals.md"] .cm-content';

  async function edit(page, text) {
    await page.locator(content).click();
    await page.keyboard.press("Control+Home");
    await page.keyboard.type(text);
    await page.getByText("● Not saved").waitFor();
  }

  test("requirements are found, grouped and filtered", async () => {
    const page = await visit(address(), { hash: "#/project" });
    await page.getByText("48 of 48 requirements").waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("silence");
    await page.getByRole("treeitem", { name: /AL-05/ }).click();
    await page.getByRole("heading", { name: "AL-05 Silence" }).waitFor();
    await page.getByText("conflicts with AL-01").waitFor();
    await page.getByLabel("Search requirements").fill("");
    await page.getByLabel("Show").selectOption("findings");
    await page.getByText("2 of 48 requirements").waitFor();
    await page.getByLabel("Show").selectOption("all");
    for (const [grouping, group] of [["component", "AlarmManager"], ["status", "approved"], ["parent", "G-3"]]) {
      await page.getByRole("combobox", { name: /^By/ }).selectOption(grouping);
      await page.getByRole("tree").focus();
      await page.keyboard.press("Home");
      await page.locator(".group", { hasText: group }).waitFor();
    }
    await page.getByRole("tree").focus();
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    assert.equal(await page.locator('[role=treeitem][aria-selected="true"]').count(), 1);
    await page.getByRole("link", { name: "Findings (2)" }).click();
    await page.getByText("the condition makes no difference").waitFor();
    await page.getByRole("link", { name: "Variables" }).click();
    await page.getByLabel("Filter variables").fill("buzzer");
    await page.getByRole("cell", { name: "buzzer", exact: true }).waitFor();
    await page.getByRole("link", { name: "Traceability" }).click();
    await page.getByRole("row", { name: /G-3.*AL-01.*AL-02/ }).waitFor();
    assert.deepEqual(page.problems, []);
    await page.context().close();
  });

  test("a document is saved, and a change on disk appears", async () => {
    const page = await visit(address(), { hash: "#/project?tab=document&d=goals.md" });
    await edit(page, "Saved here. ");
    await page.keyboard.press("Control+s");
    await page.getByText("Saved.", { exact: true }).waitFor();
    assert.ok(read().startsWith("Saved here. "));
    writeFileSync(file(), `Written elsewhere. ${read()}`);
    await page.locator(content, { hasText: "Written elsewhere." }).waitFor();
    assert.deepEqual(page.problems, []);
    await page.context().close();
  });

  test("text that is not saved survives a reload, and is shown beside the text on disk", async () => {
    const page = await visit(address(), { hash: "#/project?tab=document&d=goals.md" });
    await edit(page, "Mine. ");
    await page.reload();
    await page.locator(content, { hasText: "Mine." }).waitFor();
    writeFileSync(file(), `Theirs. ${read()}`);
    await page.getByText("The file has changed on disk, and you have unsaved changes.").waitFor();
    await page.locator('[aria-label="goals.md on disk"]', { hasText: "Theirs." }).waitFor();
    await page.locator(content, { hasText: "Mine." }).waitFor();
    assert.ok(read().startsWith("Theirs. "), "nothing is overwritten");
    await page.getByRole("button", { name: "Take the text on disk" }).click();
    await page.locator(content, { hasText: "Theirs." }).waitFor();
    await page.locator(content).click();
    await page.keyboard.press("Control+z");
    await page.locator(content, { hasText: "Mine." }).waitFor();
    await page.keyboard.press("Control+s");
    await page.getByText("Saved.", { exact: true }).waitFor();
    assert.ok(read().startsWith("Mine. "));
    assert.deepEqual(page.problems, []);
    await page.context().close();
  });

  test("keys that are typed while a conflict appears go on in the same text", async () => {
    const page = await visit(address(), { hash: "#/project?tab=document&d=goals.md" });
    const before = read();
    await edit(page, "Begun ");
    writeFileSync(file(), `Elsewhere. ${before}`);
    await page.getByRole("button", { name: "Take the text on disk" }).waitFor();
    await page.keyboard.type("and ended. ");
    await page.locator('.cm-content[aria-label="Document goals.md"]', { hasText: "Begun and ended." }).waitFor();
    await page.getByRole("button", { name: "Save my text" }).click();
    await page.getByText("Saved.", { exact: true }).waitFor();
    assert.ok(read().startsWith("Begun and ended. "));
    assert.deepEqual(page.problems, []);
    await page.context().close();
  });

  test("two tabs that edit the same document never overwrite each other", async () => {
    const first = await visit(address(), { hash: "#/project?tab=document&d=goals.md" });
    const second = await visit(address(), { hash: "#/project?tab=document&d=goals.md" });
    await edit(first, "First. ");
    await edit(second, "Second. ");
    await first.keyboard.press("Control+s");
    await first.getByText("Saved.", { exact: true }).waitFor();
    await second.getByText("The file has changed on disk").waitFor();
    assert.ok(read().startsWith("First. "));
    await second.getByRole("button", { name: "Save my text" }).click();
    await second.getByText("Saved.", { exact: true }).waitFor();
    assert.ok(read().startsWith("Second. "));
    assert.deepEqual([first.problems, second.problems], [[], []]);
    await first.context().close();
    await second.context().close();
  });

  test("line breaks stay as they are", async () => {
    const file = join(folder(), "goals.md");
    const before = read();
    writeFileSync(file, before.replace(/\n/g, "\r\n"));
    const page = await visit(address(), { hash: "#/project?tab=document&d=goals.md" });
    await edit(page, "Edited. ");
    await page.keyboard.press("Control+s");
    await page.getByText("Saved.", { exact: true }).waitFor();
    assert.equal(read(), `Edited. ${before.replace(/\n/g, "\r\n")}`);
    writeFileSync(file, before);
    assert.deepEqual(page.problems, []);
    await page.context().close();
  });

  test("a name is found where it is declared and used, and renamed everywhere", async () => {
    const page = await visit(address(), { hash: "#/project?tab=document&d=alarm.md&l=60" });
    const alarm = () => readFileSync(join(folder(), "alarm.md"), "utf8");
    const uses = alarm().split("silence_pressed").length - 1;
    await page.getByText("when silence_pressed, the AlarmManager").waitFor();
    await page.locator(".cm-lintRange").first().waitFor();
    await page.getByText("when silence_pressed, the AlarmManager").click({ position: { x: 70, y: 8 } });
    await page.keyboard.press("Shift+F12");
    await page.getByText(/^\d+ places$/).waitFor();
    await page.keyboard.press("F2");
    await page.getByLabel("New name").fill("silence_key");
    await page.getByRole("button", { name: "Rename everywhere and save" }).click();
    await page.getByText(/^Renamed in/).waitFor();
    assert.equal(alarm().split("silence_key").length - 1, uses);
    assert.ok(!alarm().includes("silence_pressed"));
    await page.keyboard.press("Control+z");
    await page.keyboard.press("Control+s");
    await page.getByText("Saved.", { exact: true }).waitFor();
    assert.equal(alarm().split("silence_pressed").length - 1, uses);
    assert.deepEqual(page.problems, []);
    await page.context().close();
  });

  test("the server is killed before a save: the text is kept, and is there again after a restart", async () => {
    const first = await start(0, folder());
    const page = await visit(first.address, { hash: "#/project?tab=document&d=goals.md" });
    await edit(page, "Kept. ");
    await first.kill();
    await page.keyboard.press("Control+s");
    await page.getByText("Not saved: The server does not answer.").waitFor();
    assert.ok(!read().startsWith("Kept. "));
    const again = await start(new URL(first.address).port, folder());
    await page.goto(again.address);
    await go(page, "#/project?tab=document&d=goals.md");
    await page.getByText("● Not saved").waitFor();
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Saved.", { exact: true }).waitFor();
    assert.ok(read().startsWith("Kept. "));
    await page.context().close();
    await again.kill();
  });

  test("a read-only server: documents are shown, and nothing can be changed", async () => {
    const { address, kill } = await start(0, folder(), "--read-only");
    const page = await visit(address, { hash: "#/project?tab=document&d=goals.md" });
    await page.getByText("Read-only", { exact: true }).waitFor();
    const before = await page.locator(content).innerText();
    await page.locator(content).click();
    await page.keyboard.type("changed");
    assert.equal(await page.locator(content).innerText(), before);
    assert.equal(await page.getByRole("button", { name: "Save", exact: true }).count(), 0);
    assert.deepEqual(page.problems, []);
    await page.context().close();
    await kill();
  });

  test("the language server underlines what is wrong, and offers completions", async () => {
    const page = await visit(address(), { hash: "#/project?tab=document&d=alarm.md&l=63" });
    const text = page.locator('[aria-label="Document alarm.md"] .cm-content');
    await text.waitFor();
    await page.locator(".cm-lintRange").first().waitFor();
    await page.getByText("when silence_pressed, the AlarmManager").click();
    await page.keyboard.press("End");
    await page.keyboard.type(" & buz");
    await page.locator(".cm-tooltip-autocomplete", { hasText: "buzzer" }).waitFor();
    assert.deepEqual(page.problems, []);
    await page.context().close();
  });

  test("addresses of what is not there say so", async () => {
    const page = await visit(address(), { hash: "#/project?r=NOPE-1" });
    await page.getByText("There is no requirement NOPE-1.").waitFor();
    await go(page, "#/project?tab=document&d=..%2F..%2Fetc%2Fpasswd");
    await page.getByRole("alert").waitFor();
    await page.context().close();
  });

  test("ten tabs of one browser edit the same document, and all of them are answered", async () => {
    const first = await visit(address(), { hash: "#/project?tab=document&d=goals.md" });
    const tabs = [first];
    while (tabs.length < 10) {
      const tab = await first.context().newPage();
      tab.setDefaultTimeout(15_000);
      await tab.goto(`${new URL(address()).origin}/#/project?tab=document&d=goals.md`);
      tabs.push(tab);
    }
    for (const tab of tabs) await tab.locator(content).waitFor();
    for (const [index, tab] of tabs.entries()) {
      await tab.bringToFront();
      await edit(tab, `Tab ${index}. `);
    }
    await tabs[9].keyboard.press("Control+s");
    await tabs[9].getByText("Saved.", { exact: true }).waitFor();
    assert.ok(read().startsWith("Tab 9. "));
    for (const tab of tabs.slice(0, 9)) await tab.getByText("The file has changed on disk, and you have unsaved changes.").waitFor();
    assert.deepEqual(first.problems, []);
    await first.context().close();
  });

  test("a document that is deleted on disk stays in the page, and is named", async () => {
    const gone = join(folder(), "short-lived.md");
    writeFileSync(gone, "# Short-lived\n");
    const page = await visit(address(), { hash: "#/project?tab=document&d=short-lived.md" });
    await page.locator('[aria-label="Document short-lived.md"] .cm-content', { hasText: "Short-lived" }).waitFor();
    rmSync(gone);
    await page.getByText("the project has no document `short-lived.md`").or(page.getByText("short-lived.md The text here is kept")).first().waitFor();
    await page.locator('[aria-label="Document short-lived.md"] .cm-content', { hasText: "Short-lived" }).waitFor();
    await page.context().close();
  });

  test("a disk that is full: the text is kept, and the page says why it is not saved", async () => {
    const page = await visit(address(), { hash: "#/project?tab=document&d=goals.md" });
    await page.locator(content).waitFor();
    await page.route("**/api/save", (route) => route.fulfill({ status: 500, json: { error: "cannot write goals.md: No space left on device" } }));
    await edit(page, "Full. ");
    await page.keyboard.press("Control+s");
    await page.getByText(/Not saved: cannot write goals.md: No space left/).waitFor();
    await page.unroute("**/api/save");
    await page.keyboard.press("Control+s");
    await page.getByText("Saved.", { exact: true }).waitFor();
    assert.ok(read().startsWith("Full. "));
    await page.context().close();
  });

  test("a word is explained, its declaration is found, and a finding is fixed", async () => {
    const page = await visit(address(), { hash: "#/project?tab=document&d=alarm.md&l=60" });
    const word = page.getByText("when silence_pressed, the AlarmManager");
    await word.waitFor();
    await page.locator(".cm-lintRange").first().waitFor();
    await word.hover({ position: { x: 70, y: 8 } });
    await page.locator(".hover", { hasText: "silence_pressed" }).waitFor();
    await word.click({ position: { x: 70, y: 8 } });
    await page.keyboard.press("F12");
    await page.locator(".cm-activeLine", { hasText: "| silence_pressed" }).waitFor();
    assert.deepEqual(page.problems, []);
    await page.context().close();
  });

  test("what changed since a revision, by meaning", async () => {
    const git = (...args) => execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.org", ...args], { cwd: folder() });
    git("init", "-q");
    git("add", "-A");
    git("commit", "-qm", "one");
    const alarm = join(folder(), "alarm.md");
    const before = readFileSync(alarm, "utf8");
    writeFileSync(alarm, before.replace("shall for 3 seconds satisfy !buzzer", "shall for 2 seconds satisfy !buzzer"));
    const page = await visit(address(), { hash: "#/project?tab=changes" });
    await page.getByRole("button", { name: "Compare" }).click();
    await page.getByText("The project requires something else than before.").waitFor({ timeout: 60_000 });
    await page.getByRole("heading", { name: "AL-05" }).waitFor();
    writeFileSync(alarm, before);
    await page.getByLabel("Since revision").fill("nothing-like-this");
    await page.getByRole("button", { name: "Compare" }).click();
    await page.getByRole("alert").waitFor();
    assert.deepEqual(page.problems, []);
    await page.context().close();
  });
}
