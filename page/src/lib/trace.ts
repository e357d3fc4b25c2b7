// Traces: a value for each signal at each step, by columns as the bench edits them.

import type { Column } from "./api";
import type { Value } from "../types";

export function columnsOf(steps: Record<string, Value>[]): Column[] {
  const names = [...new Set(steps.flatMap((step) => Object.keys(step)))];
  return names.map((name) => ({ name, values: steps.map((step) => step[name] ?? false) }));
}

/** The steps with some of their signals. */
export function only(steps: Record<string, Value>[], keep: (name: string) => boolean): Record<string, Value>[] {
  return steps.map((step) => Object.fromEntries(Object.entries(step).filter(([name]) => keep(name))));
}

/** A trace as one short text for the address: `armed:0110;level:1,2.5`. */
export function encode(columns: Column[]): string {
  return columns
    .map(({ name, values }) => {
      const bits = values.every((value) => typeof value === "boolean");
      return `${encodeURIComponent(name)}:${bits ? values.map((value) => (value ? 1 : 0)).join("") : `,${values.map((value) => encodeURIComponent(String(value))).join(",")}`}`;
    })
    .join(";");
}

/** The most steps that an address may have. */
const MOST_STEPS = 10_000;

/** The trace of an address; what is not one is an empty trace. */
export function decode(text: string): Column[] {
  try {
    return text.split(";").filter(Boolean).map((each) => {
      const [name, values = ""] = each.split(/:(.*)/s);
      return { name: decodeURIComponent(name), values: decodeValues(values).slice(0, MOST_STEPS) };
    });
  } catch {
    return [];
  }
}

function decodeValues(values: string): Value[] {
  if (values.startsWith(",")) return values.slice(1).split(",").map((each) => parseValue(decodeURIComponent(each)));
  return [...values].map((each) => each === "1");
}

/** What the user typed: `true`, an integer, or text, which can be any other number exactly. */
export function parseValue(text: string): Value {
  const trimmed = text.trim();
  if (trimmed === "true" || trimmed === "false") return trimmed === "true";
  return /^-?\d{1,15}$/.test(trimmed) ? Number(trimmed) : trimmed;
}

/** A trace as CSV, as `shall eval` reads it. */
export function csvOf(steps: Record<string, Value>[]): string {
  const names = [...new Set(steps.flatMap((step) => Object.keys(step)))];
  const cell = (value: Value | undefined | string) => {
    const text = typeof value === "boolean" ? String(Number(value)) : String(value ?? "");
    return /[",\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
  };
  return `${[names, ...steps.map((step) => names.map((name) => step[name]))].map((row) => row.map(cell).join(",")).join("\n")}\n`;
}
