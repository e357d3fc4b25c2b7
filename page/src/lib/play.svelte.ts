// A play against a set of requirements: a program on the server plays the other side, one line for each move.

import type { PlayDocument } from "../types";

export type Side = "system" | "environment" | "both";

export class Play {
  /** The play so far; `null` before the first answer. */
  state = $state.raw<PlayDocument | null>(null);
  error = $state<string | null>(null);
  /** Whether an answer is on its way. */
  busy = $state(true);
  private readonly socket: WebSocket;

  constructor(component: string, side: Side, requirements: string[]) {
    this.socket = new WebSocket(`${location.origin.replace(/^http/, "ws")}/api/talks/play`);
    this.socket.onopen = () => this.socket.send(JSON.stringify({ component, side, requirements }));
    this.socket.onmessage = (event) => {
      const answer = JSON.parse(event.data as string) as PlayDocument | { error: string };
      this.busy = false;
      if ("error" in answer) this.error = answer.error;
      else [this.state, this.error] = [answer, null];
    };
    this.socket.onclose = () => {
      this.busy = false;
      if (!this.error) this.error = "The play has ended: the server does not answer, or too many plays are open.";
    };
  }

  /** Makes a step with these values; what is left out is chosen by the strategy. */
  step(values: Record<string, string>): void {
    this.send(Object.entries(values).map(([name, value]) => `${name}=${value}`).join(" "));
  }

  undo(): void {
    this.send("undo");
  }

  auto(steps: number): void {
    this.send(`auto ${steps}`);
  }

  close(): void {
    this.socket.onclose = null;
    this.socket.close();
  }

  private send(line: string): void {
    if (this.socket.readyState !== WebSocket.OPEN) return;
    this.busy = true;
    this.socket.send(line);
  }
}
