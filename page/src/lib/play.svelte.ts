// A play against a set of requirements: a program on the server plays the other side.

import type { PlayDocument } from "../types";
import { Talk } from "./talk.svelte";

export type Side = "system" | "environment" | "both";

export class Play {
  /** The play so far; `null` before the first answer. */
  state = $state.raw<PlayDocument | null>(null);
  readonly talk: Talk<PlayDocument>;

  constructor(component: string, side: Side, requirements: string[]) {
    this.talk = new Talk("play", { component, side, requirements }, (state) => (this.state = state));
  }

  /** Makes a step with these values; what is left out is chosen by the strategy. */
  step(values: Record<string, string>): void {
    this.talk.send(Object.entries(values).map(([name, value]) => `${name}=${value}`).join(" "));
  }

  undo(): void {
    this.talk.send("undo");
  }

  auto(steps: number): void {
    this.talk.send(`auto ${steps}`);
  }
}
