// Block diagrams: drawings of the server, into which the page writes the values of a step.

import type { Value } from "../types";

export type Step = Record<string, Value>;

/** The value of a signal in a step: of a scalar, or of all elements. */
export function valueOf(step: Step, signal: string): string | null {
  if (signal in step) return short(step[signal]);
  const elements: string[] = [];
  for (let at = 1; `${signal}_${at}` in step; at += 1) elements.push(short(step[`${signal}_${at}`]));
  return elements.length ? `[${elements.join(" ")}]` : null;
}

/** Enough digits to tell signals apart. */
function short(value: Value): string {
  if (typeof value === "boolean") return value ? "true" : "false";
  const text = String(value);
  const [, above, below] = text.match(/^(-?\d+)\/(\d+)$/) ?? [];
  const number = below ? Number(above) / Number(below) : Number(text);
  return text.length > 8 && Number.isFinite(number) ? String(Number(number.toPrecision(6))) : text;
}

/** The drawing with the values of a step at its lines, what has changed since the step before in bold, and with blocks that can be opened
    from the keyboard. `signalOf` is the name of a signal in the steps. */
export function prepared(drawing: string, step: Step | null, before: Step | null, signalOf: (signal: string) => string): string {
  const root = new DOMParser().parseFromString(drawing, "image/svg+xml").documentElement;
  root.setAttribute("role", "group");
  for (const block of root.querySelectorAll("[data-opens]")) {
    // The outline alone is the button: the names of ports are not part of its name.
    const outline = block.querySelector(".block");
    outline?.setAttribute("role", "button");
    outline?.setAttribute("tabindex", "0");
    outline?.setAttribute("aria-label", `Open ${block.getAttribute("data-opens")!.split("/").at(-1)}`);
  }
  if (step) {
    for (const place of root.querySelectorAll("[data-value] > text")) {
      const signal = signalOf(place.parentElement!.getAttribute("data-value")!);
      const value = valueOf(step, signal);
      place.textContent = value ?? "";
      if (before && valueOf(before, signal) !== value) place.classList.add("changed");
    }
    for (const line of root.querySelectorAll("[data-signal]")) {
      if (step[signalOf(line.getAttribute("data-signal")!)] === true) line.classList.add("true");
    }
  }
  return new XMLSerializer().serializeToString(root);
}
