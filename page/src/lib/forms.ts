// The forms that the parts of a sentence can take, each with what it means, to choose by clicking.

import { rangesOf, type Part } from "../editor/sentence";
import { unitsOf } from "./offsets";
import type { Field, Fields } from "../types";

export type Form = { text: string; means: string };

/** The parts that can be exchanged, with what each is for. */
export const CHOICES = {
  scope: { label: "Scope", about: "Where does the requirement apply?" },
  condition: { label: "Condition", about: "What triggers it?" },
  timing: { label: "Timing", about: "When must the response come?" },
} as const;
export type Choice = keyof typeof CHOICES;

/** What the forms are about: taken from the sentence, so that a part that is taken out can come back. */
export type Names = { mode: string; condition: string; duration: string; unit: string; stop: string };
export const FIRST_NAMES: Names = { mode: "active", condition: "requested", duration: "3", unit: "ticks", stop: "done" };

/** The names of a sentence, and those known before where it has none. */
export function namesOf(fields: Fields, text: string, known: Names): Names {
  const units = unitsOf(text);
  const slice = (field: Field | null | undefined) => field && text.slice(units(field.span.start), units(field.span.end));
  return {
    mode: slice(fields.scope_mode) ?? known.mode,
    // `unless p` is the condition `!(p)`.
    condition: fields.condition?.text.replace(/^!\((.*)\)$/s, /^unless\s/i.test(slice(fields.condition) ?? "") ? "$1" : "$&") ?? known.condition,
    duration: slice(fields.duration) ?? known.duration,
    unit: slice(fields.timing)?.match(/\d\s*([a-z]+)$/i)?.[1] ?? known.unit,
    stop: slice(fields.stop) ?? known.stop,
  };
}

/** The forms of a part. */
export function formsOf(choice: Choice, { mode, condition, duration, unit, stop }: Names): Form[] {
  switch (choice) {
    case "scope":
      return [
        { text: "", means: "the whole run" },
        { text: `in ${mode} mode`, means: `only while ${mode} holds` },
        { text: `except in ${mode} mode`, means: `only while ${mode} does not hold` },
        { text: `before ${mode} mode`, means: `until just before ${mode} holds for the first time` },
        { text: `after ${mode} mode`, means: `from the first step after ${mode} stops holding` },
        { text: `only in ${mode} mode`, means: `denied while ${mode} does not hold, nothing required elsewhere` },
      ];
    case "condition":
      return [
        { text: "", means: "triggered once, where the scope begins" },
        { text: `when ${condition}`, means: `triggered each time ${condition} becomes true` },
        { text: `whenever ${condition}`, means: `triggered at every step at which ${condition} holds` },
        { text: `unless ${condition}`, means: `triggered each time ${condition} becomes false` },
      ];
    case "timing":
      return [
        { text: "immediately", means: "at the step of the trigger" },
        { text: "at the next timepoint", means: "at the step after the trigger" },
        { text: `within ${duration} ${unit}`, means: "at the trigger, or at one of the steps up to then" },
        { text: `for ${duration} ${unit}`, means: "at the trigger, and at every step up to then" },
        { text: `after ${duration} ${unit}`, means: "at no step up to then, but at the next one" },
        { text: "eventually", means: "at some step, sooner or later" },
        { text: "always", means: "at every step from the trigger on" },
        { text: "never", means: "at no step from the trigger on" },
        { text: "finally", means: "at the last step of the scope" },
        { text: `until ${stop}`, means: `at every step until just before ${stop} holds` },
        { text: `before ${stop}`, means: `at some step before ${stop} holds` },
      ];
  }
}

/** The sentence with another form of a part; `null` if it is too incomplete for that. */
export function withForm(text: string, fields: Fields, choice: Choice, form: string): string | null {
  const ranges = rangesOf(text, fields);
  if (!ranges.component || !ranges.response) return null;
  const part = (name: Part) => (name === choice ? form : ranges[name] ? text.slice(ranges[name].from, ranges[name].to) : "");
  const units = unitsOf(text);
  const probability = fields.probability ? text.slice(units(fields.probability.span.start), units(fields.probability.span.end)) : "";
  const article = /(^|\s)the\s+$/i.test(text.slice(0, ranges.component.from)) ? "the" : "";
  const before = [part("scope"), part("condition")].filter(Boolean).map((each) => `${each.replace(/,\s*$/, "")},`);
  const words = [...before, article, part("component"), "shall", probability, part("timing"), "satisfy", text.slice(ranges.response.from).trim()];
  return words.filter(Boolean).join(" ");
}
