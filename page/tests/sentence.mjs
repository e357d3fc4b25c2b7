import assert from "node:assert/strict";
import { test } from "node:test";
import { go, hashOf, visit } from "./serve.mjs";

const editor = ".editor .cm-content";
const verdict = '[data-testid="verdict"]';
const sentenceAt = (text, more = "") => `#/sentence?s=${encodeURIComponent(text)}${more}`;

async function shows(page, selector, text) {
  await page.locator(selector).filter({ hasText: text }).first().waitFor();
}

export function sentenceTests(address) {
  test("somebody who has never seen FRETish gets to a violated trace of their own sentence", async () => {
    const page = await visit(address());
    await shows(page, "h1", "Write a requirement and see what it allows");
    // A worked example, then its parts by clicking.
    await page.getByRole("button", { name: /A response within a time/ }).click();
    await shows(page, verdict, "nothing triggers it");
    await page.getByRole("button", { name: /^Condition/ }).click();
    await page.getByRole("button", { name: /whenever alarm/ }).click();
    await shows(page, editor, "whenever alarm, the pump shall");
    await shows(page, ".part", "at which alarm is true");
    await page.getByRole("button", { name: /^Timing/ }).click();
    await page.getByRole("button", { name: /^immediately/ }).click();
    await shows(page, editor, "shall immediately satisfy");
    // What they would say, in plain English.
    await page.locator(editor).click();
    await page.keyboard.press("Control+a");
    await page.keyboard.type("If the button is pressed, the door must open within 2 seconds.");
    await page.keyboard.press("Escape");
    await page.getByRole("status").filter({ hasText: "if button_is_pressed, the door shall within 2 seconds satisfy open" }).waitFor();
    await page.getByRole("button", { name: "Use this" }).click();
    await shows(page, verdict, "nothing triggers it");
    await page.getByRole("gridcell", { name: "button_is_pressed at step 2: false" }).click();
    await shows(page, verdict, "open must hold by step 4");
    // A sentence of their own, with a slip on the way.
    await page.locator(editor).click();
    await page.keyboard.press("Control+a");
    await page.keyboard.type("when button_pressed the door shal ");
    await shows(page, ".diagnostics", "expected shall, found shal");
    await page.keyboard.press("Control+a");
    await page.keyboard.type("when button_pressed, the door shall within 2 ticks satisfy door_open");
    await page.keyboard.press("Escape");
    await shows(page, verdict, "nothing triggers it");
    await page.getByRole("gridcell", { name: "button_pressed at step 1: false" }).click();
    await shows(page, verdict, "Violated");
    await shows(page, verdict, "door_open must hold by step 3");
    await page.getByRole("gridcell", { name: "door_open at step 3: false" }).click();
    await shows(page, verdict, "Holds");
    assert.deepEqual(page.problems, []);
    await page.context().close();
  });

  test("each form that can be clicked makes a sentence without errors", async () => {
    const page = await visit(address(), { hash: sentenceAt("when alarm, the pump shall within 3 ticks satisfy stopped") });
    for (const [part, least] of [["Scope", 6], ["Condition", 4], ["Timing", 11]]) {
      await page.getByRole("button", { name: new RegExp(`^${part}`) }).click();
      const forms = page.locator(".choices button");
      await forms.first().waitFor();
      const texts = await forms.locator(".code").allInnerTexts();
      assert.ok(texts.length >= least);
      for (const text of texts) {
        await forms.filter({ has: page.getByText(text, { exact: true }) }).first().click();
        if (text !== "(none)") await shows(page, editor, text);
        await page.locator(".drawing:not(.old)").waitFor();
        assert.equal(await page.locator(".diagnostics .bad").count(), 0, text);
      }
      await page.getByRole("button", { name: new RegExp(`^${part}`) }).click();
    }
    assert.deepEqual(page.problems, []);
    await page.context().close();
  });

  test("a link shares the sentence and its trace", async () => {
    const page = await visit(address(), { hash: sentenceAt("when alarm, the pump shall within 3 ticks satisfy stopped") });
    await page.getByRole("button", { name: "violates it", exact: true }).click();
    await shows(page, verdict, "Violated");
    const shared = await hashOf(page, /t=alarm/);
    const other = await visit(address(), { hash: shared });
    await shows(other, verdict, "Violated");
    assert.deepEqual(other.problems, []);
    await page.context().close();
    await other.context().close();
  });

  test("going elsewhere right after a key is not undone by the address of the sentence", async () => {
    const page = await visit(address(), { hash: sentenceAt("the pump shall always satisfy p") });
    await page.locator(editor).click();
    await page.keyboard.press("End");
    await page.keyboard.type("q");
    // The address changes at once; the event that tells the page of it can come later.
    await page.evaluate(() => history.pushState(null, "", "#/timelines"));
    await page.waitForTimeout(400);
    assert.equal(await page.evaluate(() => location.hash), "#/timelines");
    await page.context().close();
  });

  test("painting, numbers and the keyboard change the trace", async () => {
    const page = await visit(address(), { hash: sentenceAt("whenever level > 3, the pump shall immediately satisfy on") });
    const on = (step) => page.getByRole("gridcell", { name: new RegExp(`^on at step ${step}:`) });
    const level = (step) => page.getByLabel(`level at step ${step}`, { exact: true });
    await level(2).fill("7.5");
    await shows(page, verdict, "Violated");
    // Drag over four steps.
    const from = await on(1).boundingBox();
    const to = await on(4).boundingBox();
    await page.mouse.move(from.x + 10, from.y + 10);
    await page.mouse.down();
    await page.mouse.move(to.x + 10, to.y + 10, { steps: 8 });
    await page.mouse.up();
    await shows(page, verdict, "Holds");
    for (const step of [1, 2, 3, 4]) assert.match(await on(step).getAttribute("aria-label"), /true$/);
    // Keys: Space flips, Shift+arrow copies a value along.
    await on(2).focus();
    await page.keyboard.press("Space");
    await shows(page, verdict, "Violated");
    await page.keyboard.press("Space");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowUp");
    await level(2).focus();
    await page.keyboard.press("Shift+ArrowRight");
    assert.equal(await level(3).inputValue(), "7.5");
    await page.getByRole("button", { name: "One step more" }).click();
    await page.getByText("13 steps").waitFor();
    assert.deepEqual(page.problems, []);
    await page.context().close();
  });

  test("a trace tells two sentences apart, and formulas come in each notation", async () => {
    const page = await visit(address(), { hash: sentenceAt("the pump shall always satisfy p") });
    await page.getByPlaceholder(/another sentence/).fill("the pump shall eventually satisfy p");
    await page.getByRole("button", { name: "tells it from this one" }).click();
    await page.getByText("This sentence is stronger").waitFor();
    await page.getByRole("button", { name: "Show this trace" }).click();
    await shows(page, verdict, "Violated");
    for (const [notation, formula] of [["smv", "H p"], ["latex", "\\mathbf"], ["unicode", "p"]]) {
      await page.getByLabel("Notation").selectOption(notation);
      await shows(page, ".formulas", formula);
    }
    assert.deepEqual(page.problems, []);
    await page.context().close();
  });

  test("text beyond ASCII and senseless text break nothing", async () => {
    const page = await visit(address(), { hash: sentenceAt("whenever größe > 3, the pump shall always satisfy ok") });
    await page.locator(".f-response", { hasText: /^ok$/ }).first().waitFor();
    for (const text of ["%%%", "shall shall shall", "((((((((", "the pump shall always satisfy " + "(".repeat(500), "<img src=x onerror=alert(1)>"]) {
      await go(page, sentenceAt(text));
      await shows(page, ".diagnostics", "");
    }
    await go(page, "#/sentence?s=p&t=;;:::%25&n=-3");
    await shows(page, editor, "p");
    assert.deepEqual(page.problems, []);
    await page.context().close();
  });

  test("a slip is fixed by a click", async () => {
    const page = await visit(address(), { hash: sentenceAt("when p, the pump shal always satisfy q") });
    await shows(page, ".diagnostics", "found shal");
    await page.locator(".diagnostics button").first().click();
    await shows(page, editor, "the pump shall always satisfy q");
    await page.locator(".diagnostics").waitFor({ state: "detached" });
    assert.deepEqual(page.problems, []);
    await page.context().close();
  });
}
