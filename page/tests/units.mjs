// The page's own functions, as tables.

import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { after, before, test } from "node:test";
import { createServer } from "vite";

export function unitTests() {
  let vite;
  const load = (name) => vite.ssrLoadModule(`/src/lib/${name}.ts`);
  before(async () => {
    vite = await createServer({ root: fileURLToPath(new URL("..", import.meta.url)), server: { middlewareMode: true, watch: null, ws: false }, appType: "custom", logLevel: "error", optimizeDeps: { noDiscovery: true } });
  });
  after(() => vite.close());

  test("bytes of UTF-8 are code units of UTF-16", async () => {
    const { unitsOf } = await load("offsets");
    for (const [text, byte, unit] of [["abc", 2, 2], ["abc", 9, 3], ["größe x", 2, 2], ["größe x", 4, 3], ["größe x", 8, 6], ["a😀b", 5, 3], ["", 3, 0]]) {
      assert.equal(unitsOf(text)(byte), unit, `byte ${byte} of ${text}`);
    }
  });

  test("a trace in an address comes back as it was", async () => {
    const { decode, encode } = await load("trace");
    const traces = [
      [],
      [{ name: "p", values: [true, false, true] }],
      [{ name: "a:b;c,ü", values: [true] }, { name: "level", values: [1, -2, "2.5", "1/3"] }],
      [{ name: "mode", values: ["on,off;", "x y"] }],
    ];
    for (const trace of traces) assert.deepEqual(decode(encode(trace)), trace);
    for (const senseless of [";;;", "::::", "%", "a:%E0%A4%A", "x"]) assert.ok(Array.isArray(decode(senseless)));
  });

  test("what is typed into a cell", async () => {
    const { parseValue } = await load("trace");
    for (const [typed, value] of [["3", 3], [" -4 ", -4], ["2.5", "2.5"], ["true", true], ["red", "red"], ["99999999999999999999", "99999999999999999999"]]) {
      assert.equal(parseValue(typed), value);
    }
  });

  test("another form of a part keeps the rest of the sentence", async () => {
    const { withForm } = await load("forms");
    const text = "in m mode, when p, the pump shall within 3 ticks satisfy q";
    const span = (part) => ({ text: part, span: { start: text.indexOf(part), end: text.indexOf(part) + part.length } });
    const fields = { scope: span("in m mode"), condition: span("when p"), component: span("pump"), timing: span("within 3 ticks"), response: span("q") };
    const cases = [
      ["scope", "", "when p, the pump shall within 3 ticks satisfy q"],
      ["scope", "after m mode", "after m mode, when p, the pump shall within 3 ticks satisfy q"],
      ["condition", "whenever p", "in m mode, whenever p, the pump shall within 3 ticks satisfy q"],
      ["timing", "always", "in m mode, when p, the pump shall always satisfy q"],
    ];
    for (const [part, form, expected] of cases) assert.equal(withForm(text, fields, part, form), expected);
    assert.equal(withForm("nothing yet", {}, "timing", "always"), null);
  });

  test("what is in sight of a log stays in the log", async () => {
    const { placed, ticks, zoomed } = await load("waves");
    for (const [sight, expected] of [
      [{ start: -5, scale: 1 }, 0],
      [{ start: 950, scale: 1 }, 900],
      [{ start: 40, scale: 1 }, 40],
      [{ start: 40, scale: 10 }, 0],
    ]) assert.equal(placed(sight, 100, 1000).start, expected, JSON.stringify(sight));
    // What is under the pointer stays there, and everything is the farthest.
    const near = zoomed({ start: 200, scale: 4 }, 2, 25, 100, 1000);
    assert.deepEqual(near, { start: 250, scale: 2 });
    assert.deepEqual(zoomed(near, 1 / 1000, 25, 100, 1000), { start: 0, scale: 10 });
    assert.equal(zoomed(near, 1e9, 25, 100, 1000).scale, 1 / 200);
    assert.deepEqual(ticks(0, 10, 5), [0, 2, 4, 6, 8, 10]);
    assert.deepEqual(ticks(0, 3, 10), [0, 1, 2, 3]);
    assert.equal(ticks(0, 1e7, 10).length, 11);
  });

  test("the value of a signal on a diagram", async () => {
    const { valueOf } = await load("diagram");
    const step = { on: true, "Sub/Gain": "2.4", third: "1/3", long: "-0.30000000000000004", wide_1: 1, wide_2: false, mode: "a_long_mode" };
    for (const [signal, value] of [["on", "true"], ["Sub/Gain", "2.4"], ["third", "1/3"], ["long", "-0.3"], ["wide", "[1 false]"], ["mode", "a_long_mode"], ["nothing", null]]) {
      assert.equal(valueOf(step, signal), value, signal);
    }
    assert.equal(valueOf({ x: "1234567/7654321" }, "x"), "0.16129");
  });

  test("a play as CSV", async () => {
    const { csvOf } = await load("trace");
    assert.equal(csvOf([{ on: true, level: "1.5" }, { on: false, level: 2, mode: 'a,"b"' }]), 'on,level,mode\n1,1.5,\n0,2,"a,""b"""\n');
  });
}
