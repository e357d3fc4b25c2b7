// A conversation with a program on the server: one line for each message, one JSON object for each answer.

export class Talk<Answer extends object> {
  error = $state<string | null>(null);
  /** Whether an answer is on its way. */
  busy = $state(true);
  private readonly socket: WebSocket;

  /** `answered` is called with each answer that is not an error. */
  constructor(name: string, request: object, answered: (answer: Answer) => void) {
    this.socket = new WebSocket(`${location.origin.replace(/^http/, "ws")}/api/talks/${name}`);
    this.socket.onopen = () => this.socket.send(JSON.stringify(request));
    this.socket.onmessage = (event) => {
      const answer = JSON.parse(event.data as string) as Answer | { error: string };
      this.busy = false;
      this.error = "error" in answer && typeof answer.error === "string" ? answer.error : null;
      if (this.error === null) answered(answer as Answer);
    };
    this.socket.onclose = () => {
      this.busy = false;
      this.error ??= "The conversation has ended: the server does not answer, or too many of them are open.";
    };
  }

  send(line: string): void {
    if (this.socket.readyState !== WebSocket.OPEN) return;
    this.busy = true;
    this.socket.send(line);
  }

  close(): void {
    this.socket.onclose = null;
    this.socket.close();
  }
}
